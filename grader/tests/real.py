"""Gradings of the real course, with the real compiler, suites and sandbox."""

import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from grader.front import cli
from grader.model.layout import Course
from grader.model.results import from_json
from grader.model.types import LabResult, PartResult, Results

COURSE = Course(Path(__file__).parents[2])


@dataclass(frozen=True)
class Graded:
    """One real grading."""

    status: int
    results: Results
    output: str

    @property
    def lab(self) -> LabResult:
        return self.results.labs[0]

    def part(self, name: str) -> PartResult:
        return next(part for part in self.lab.parts if part.name == name)

    def messages(self, part: str) -> list[str]:
        return [test.message for aspect in self.part(part).aspects for test in aspect.tests if test.message]


def grade(capsys: pytest.CaptureFixture[str], submission: str, name: str, *options: str) -> Graded:
    status = cli.main(["grade", submission, "--name", name, *options])
    said = capsys.readouterr()
    path = COURSE.workplace(name) / "results.json"
    assert path.exists(), said.err
    return Graded(status, from_json(path.read_text(encoding="utf-8")), said.out)


@cache
def gdb_calls_functions() -> bool:
    """Whether gdb can call a function of a program on this machine, which make debug needs: gdb 13 cannot on processors
    with AMX, where it fails to write the registers back."""
    words = ["gdb", "-q", "-batch", "-ex", "starti", "-ex", "print $xmm0.uint128 = 1", "--args", "true"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return "extended state" not in done.stdout + done.stderr
