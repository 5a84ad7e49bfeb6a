"""A student with a GPU: the end of a test there, and what compute-sanitizer reports, in the form of findings."""

import subprocess

import pytest

from grader.tests.real import COURSE


@pytest.mark.parametrize(
    ("settings", "command"),
    [
        (["LAB=2"], "make test LAB=2"),
        (["LAB=2", "PART=scan_in_place", "SEED=7"], "make test LAB=2 PART=scan_in_place SEED=7"),
        (["LAB=naive_scan", "SUBMISSION=reference", "TILE=64"], "make test LAB=2 TILE=64 SUBMISSION=reference"),
        (["LAB=2", "DELAYS=3"], "make test LAB=2"),
        ([], "make test"),
    ],
)
def test_the_end_of_a_test_on_a_gpu_names_the_command_for_the_cpu_device(settings: list[str], command: str) -> None:
    """It has the same settings, except for those of the GPU."""
    rule = "--eval=said: ; @$(TELL_OF_CPU)"
    words = ["make", "--no-print-directory", rule, "DEVICE=cuda", *settings, "said"]
    said = subprocess.run(words, cwd=COURSE.root, check=True, capture_output=True, text=True).stdout
    assert said.splitlines()[-1] == f"The CPU device judges these: {command}"
    assert "races" in said and "barriers" in said


@pytest.mark.parametrize("settings", [["DELAYS=1"], ["DEVICE=cuda", "DELAYS=x"], ["DEVICE=cuda", "DELAYS=0"]])
def test_delays_need_a_gpu_and_a_number(settings: list[str]) -> None:
    words = ["make", "-n", "test", "LAB=2", *settings]
    done = subprocess.run(words, cwd=COURSE.root, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "it is a number from 1 on, and needs DEVICE=cuda" in done.stderr
