"""Runs a sample of the hand-ins that try to stop the grader; `make check-hostile` runs all."""

import subprocess
import sys
from pathlib import Path

import pytest

from grader.tests.check_hostile import ROOT, entries
from grader.tests.hostile import HOSTILE, write

pytestmark = pytest.mark.slow

# Each of these stopped an earlier grader, or kept it busy for hours.
SAMPLE = ("brackets", "a_name_of_twos", "a_function_named_e_5000_ones", "only_copies")


def test_there_are_more_than_forty() -> None:
    assert len(HOSTILE) > 40
    assert set(SAMPLE) <= set(HOSTILE)


def test_each_is_refused_and_an_honest_one_among_them_has_all_points(tmp_path: Path) -> None:
    for number, name in enumerate([*SAMPLE[:3], "honest", *SAMPLE[3:]]):
        write(name, tmp_path / f"{number}_{name}")
    argv = ["class", str(tmp_path), "--lab", "2", "--public-only", "--name", "hostile-sample", "--seed", "random"]
    subprocess.run([sys.executable, "-m", "grader", *argv], cwd=ROOT, check=True, capture_output=True)
    book = entries("hostile-sample")
    assert {name[2:]: entry["score"] for name, entry in book.items()} == {**dict.fromkeys(SAMPLE, 0), "honest": 100}
    assert all(entry["status"] in ("graded", "unusable") for entry in book.values())
