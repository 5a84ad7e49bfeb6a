"""The clock that points for speed and the board rest on: no cheat of reference/trials/clock/ gains anything.

On the CPU device: `make check-clock DEVICE=cuda` does the same on a GPU, with the cheats that need one.
"""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from grader.audit.trials import CLOCK_LAB, Entry
from grader.tests.clock import FOLDER, HONEST, build, build_one, cheats, command_line, source_folder, time_cheat
from grader.tests.real import COURSE

pytestmark = pytest.mark.slow

CHEATS = cheats("cpu")
SLEEP = 0.02  # seconds
SHORT = ("--length", "10", "--rounds", "2", "--calls", "2")

SLEEPER = """
#include "arbitrary_length_scan.h"
#include <time.h>
#include <unistd.h>

extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t, struct timespec *time) noexcept
{
    *time = {};
    return 0;
}

void scan_inclusive(const elem_t *, elem_t *, size_t)
{
    usleep(20000);
}
"""


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    build("cpu", CHEATS)


def race(name: str, *options: str) -> tuple[int, list[dict[str, Any]], str]:
    """The exit status, the rows and the errors of a run."""
    done = subprocess.run(command_line("cpu", name, *SHORT, *options), capture_output=True, text=True, check=False)
    rows = [json.loads(line.removesuffix(",")) for line in done.stdout.splitlines() if line.startswith("{")]
    return done.returncode, rows, done.stderr


@pytest.mark.parametrize("cheat", CHEATS, ids=[cheat.name for cheat in CHEATS])
def test_gains_nothing(cheat: Entry) -> None:
    found = time_cheat("cpu", cheat.name, "--length", "12")
    assert cheat.unsaid("", [found.said]) == [], found


def test_forged_answers_have_the_layout_of_real_ones(tmp_path: Path) -> None:
    """With another size they would be refused for their size alone, and would show nothing."""
    takes_over = (FOLDER / "takes_over.cuh").read_text()
    sizes = dict(re.findall(r"(\w+) = (\d+)[,\s]", takes_over))
    forged = re.findall(r"char answer\[(\d+)\]", (FOLDER / "any.trials").read_text())
    answer = "offsetof(struct call_reply, finding)"
    source = tmp_path / "sizes.c"
    asserts = [
        f"sizeof(struct call_request) == {sizes['REQUEST_BYTES']}",
        f"offsetof(struct call_request, part) == {sizes['PART_AT']}",
        f"{answer} == {sizes['ANSWER_BYTES']}",
        f"CALL_DONE == {sizes['DONE']}",
        *(f"{answer} == {size}" for size in forged),
    ]
    lines = ["#include <stddef.h>", '#include "call.h"', *(f'_Static_assert({one}, "");' for one in asserts)]
    source.write_text("\n".join([*lines, ""]))
    folders = ("labs/support/call", "labs/support/suite", "labs/support/values", "simt", ".")
    options = [f"-I{COURSE.root / folder}" for folder in folders]
    done = subprocess.run(["gcc", "-fsyntax-only", *options, source], capture_output=True, text=True, check=False)
    assert len(forged) > 0
    assert done.stderr == ""


def test_there_are_enough_of_them() -> None:
    assert len(cheats("cuda")) >= 20


def test_an_honest_part_is_timed_in_each_call() -> None:
    status, rows, said = race(HONEST)
    assert (status, said) == (0, "")
    assert [(one["who"], one["right"], one["ended"], len(one["times"])) for one in rows] == [
        ("reference", True, "", 4),
        ("hand-in", True, "", 4),
    ]
    assert all(0 < one["exchange_milliseconds"] < one["milliseconds"] for one in rows)


def test_the_clock_is_not_that_of_the_process_that_is_timed() -> None:
    """Its own clock stands still, and it sleeps."""
    name = f"sleeper-{os.getpid()}"
    source_folder(name).mkdir(parents=True)
    Path(source_folder(name), f"{CLOCK_LAB}.cu").write_text(SLEEPER)
    build_one("cpu", name)
    status, rows, _said = race(name)
    assert status == 1
    assert not rows[1]["right"]
    assert min(rows[1]["times"]) >= SLEEP * 1e3 - rows[1]["exchange_milliseconds"]


def test_a_part_that_is_missing_is_told_apart() -> None:
    status, rows, _said = race(HONEST, "--part", "scan_single_pass")
    assert (status, [one["ended"] for one in rows]) == (1, ["missing", "missing"])


def test_what_no_row_of_bench_has_is_not_timed() -> None:
    assert race(HONEST, "--part", "scan_exclusive")[::2] == (3, "race: scan_exclusive is not timed\n")


def test_a_runner_that_does_not_start_is_no_contenders_fault() -> None:
    argv = command_line("cpu", HONEST, *SHORT)
    argv[argv.index("--runner") + 1] = str(COURSE.root / "nowhere")
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "the runner did not start" in done.stderr
