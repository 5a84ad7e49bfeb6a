"""A student with a GPU: the end of a test there, and what compute-sanitizer reports, in the form of findings."""

import json
import subprocess
import sys
from pathlib import Path

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


# What compute-sanitizer 2025.3.1 of CUDA 13 wrote about three wrong versions of lab 2 on an H100.
RACE = """\
========= COMPUTE-SANITIZER
========= Error: Race reported between Read access at scan_in_place_kernel(const interval_t *, interval_t *)+0x180 \
in naive_scan.cu:148
=========     and Write access at scan_in_place_kernel(const interval_t *, interval_t *)+0x380 in naive_scan.cu:149 \
[2568 hazards]
=========
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
"""
PAST_THE_END = """\
========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 8 bytes
=========     at scan_step_kernel(const interval_t *, interval_t *, unsigned long, unsigned long)+0x320 \
in naive_scan.cu:184
=========     by thread (64,0,0) in block (0,0,0)
=========     Access to 0x7f33e6801600 is out of bounds
=========     and is 1 bytes after the nearest allocation at 0x7f33e6801400 of size 512 bytes
=========     Saved host backtrace up to driver entry point at kernel launch time
=========         Host Frame: scan_global [0x1e14] in naive_scan.interval.so
=========
"""
UNINITIALIZED = """\
========= COMPUTE-SANITIZER
========= Uninitialized __global__ memory read of size 8 bytes
=========     at scan_step_kernel(const interval_t *, interval_t *, unsigned long, unsigned long)+0x1a0 \
in naive_scan.cu:186
=========     by thread (32,0,0) in block (0,0,0)
=========     Address 0x7fe1488014f8
=========     Saved host backtrace up to driver entry point at kernel launch time
=========         Host Frame: scan_global [0x1e0c] in naive_scan.interval.so
=========
"""
NOTHING = """\
========= COMPUTE-SANITIZER
========= ERROR SUMMARY: 0 errors
"""
OTHER = """\
========= Something new was seen
=========     at kernel(int *)+0x10 in a.cu:7
=========     by thread (0,0,0) in block (0,0,0)
"""


def said_of(*logs: str) -> str:
    """What labs/support/tools/sanitizer_log.py makes of the logs, after a line with the number of runs."""
    code = "import sys, json, sanitizer_log as s; log = s.Log(); [s.parse_log(t, log) for t in json.load(sys.stdin)]\n"
    code += "print(log.runs); print(''.join(report.text('tool') for report in log.reports), end='')"
    tools = Path(__file__).parents[2] / "labs/support/tools"
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, cwd=tools, input=json.dumps(logs), capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize(
    ("log", "said"),
    [
        (
            RACE,
            "1\nnaive_scan.cu:148  scan_in_place_kernel: race on shared memory (tool)\n"
            "    one thread reads it at line 148, another one writes it at line 149, and no barrier is between\n"
            "    2568 times\n",
        ),
        (
            PAST_THE_END,
            "0\nnaive_scan.cu:184  scan_step_kernel: write out of bounds of global memory (tool)\n"
            "    thread 64 of block 0 writes 8 bytes\n"
            "    1 byte after an allocation of 512 bytes\n",
        ),
        (
            UNINITIALIZED,
            "0\nnaive_scan.cu:186  scan_step_kernel: read of uninitialized global memory (tool)\n"
            "    thread 32 of block 0 reads 8 bytes that nothing has written\n",
        ),
        (NOTHING, "1\n"),
        (OTHER, "0\na.cu:7  kernel: Something new was seen (tool)\n    by thread (0,0,0) in block (0,0,0)\n"),
        ("garbage\n", "0\n"),
    ],
)
def test_reports_of_compute_sanitizer_become_findings(log: str, said: str) -> None:
    assert said_of(log) == said


def test_reports_that_differ_only_in_their_threads_are_one_finding() -> None:
    """The first one's thread is named."""
    said = said_of(PAST_THE_END + PAST_THE_END.replace("(64,0,0)", "(65,0,0)"), NOTHING)
    assert said.startswith("1\nnaive_scan.cu:184  scan_step_kernel: write out of bounds")
    assert "thread 64" in said and "thread 65" not in said and said.endswith("    2 times\n")
