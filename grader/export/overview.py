"""The progress of one's own work over all labs, put together from what `make test`, `make prove`, `make grade` and
`make bench` have left in build/. Nothing is built or run here.

The public suite appends a line to build/progress/LAB.tests when it has run all tests of a part: the time, the part,
`test` or `prove`, the numbers of passed and failed tests, and what is known of a proof (none, fails, or holds)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.handin.discover import Lab
from grader.judge.settings import class_labs
from grader.model.errors import GraderError
from grader.model.layout import Course
from grader.model.results import from_json
from grader.model.types import PartResult, Status

_FIELDS = 6  # of a line of .tests
WHO = "student"


@dataclass(frozen=True, slots=True)
class PartState:
    """What is known of one part."""

    name: str
    tests: int  # that ran last; 0: none did
    failed: int  # of them
    changed: bool  # the file was changed after its tests ran
    proof: str  # "holds", "fails", or empty
    score: int | None  # None: not graded
    max_score: int
    graded: Status | None
    milliseconds: float | None  # of the longest input that was measured on a GPU
    elements: int  # of that input

    @property
    def passed(self) -> bool:
        """True when the last tests, or the last grading, found nothing."""
        return self.tests > 0 and self.failed == 0 if self.tests else self.graded is Status.PASSED

    @property
    def words(self) -> str:
        """The state of its tests in words."""
        if self.tests:
            words = "passed" if self.failed == 0 else f"{self.failed} of {self.tests} tests fail"
            return words + (", changed since" if self.changed else "")
        return "not tested" if self.graded is None else "passed" if self.passed else "points lost"


@dataclass(frozen=True, slots=True)
class LabState:
    """What is known of one lab."""

    number: int
    title: str
    parts: tuple[PartState, ...]

    @property
    def passed(self) -> int:
        return sum(part.passed for part in self.parts)

    @property
    def proved(self) -> int:
        return sum(part.proof == "holds" for part in self.parts)

    @property
    def unknown(self) -> bool:
        """True when there are no results of any part."""
        return not any(part.tests or part.proof or part.graded or part.milliseconds for part in self.parts)


@dataclass(frozen=True, slots=True)
class Overview:
    """All labs of the class."""

    labs: tuple[LabState, ...]

    @property
    def passed(self) -> int:
        return sum(lab.passed for lab in self.labs)

    @property
    def parts(self) -> int:
        return sum(len(lab.parts) for lab in self.labs)

    @property
    def following(self) -> tuple[str, str]:
        """What comes next: a sentence and a command. The lab that is begun comes before the next one."""
        begun = [lab for lab in self.labs if any(part.tests or part.passed for part in lab.parts)]
        for lab in [*begun, *self.labs]:
            for part in lab.parts:
                if not part.passed or part.changed:
                    return f"{part.name} of lab {lab.number}", f"make test LAB={lab.number} PART={part.name}"
        return "all parts pass; the points are with hidden tests", "make grade"


def look(course: Course) -> Overview:
    """Reads the results. Files that are missing or cannot be read count as no results."""
    times = dict(_times(course.build / "bench" / "bench.json"))
    graded = _graded(course.workplace(WHO) / "results.json")
    return Overview(tuple(_lab(course, lab, graded, times) for lab in class_labs(course)))


def _lab(
    course: Course, lab: Lab, graded: dict[tuple[int, str], PartResult], times: dict[str, tuple[int, float]]
) -> LabState:
    lines = list(_lines(course.build / "progress" / f"{lab.stem}.tests"))
    source = course.student / lab.source
    edited = source.stat().st_mtime if source.exists() else 0
    states = []
    for part in lab.parts:
        if part.name in lab.left_out:
            continue
        ours = [line for line in lines if line[1] == part.name]
        tests = next((line for line in reversed(ours) if line[2] == "test"), None)
        proof = next((line[5] for line in reversed(ours) if line[5] != "none"), "")
        result = graded.get((lab.number, part.name))
        elements, milliseconds = times.get(part.name, (0, None))
        states.append(
            PartState(
                name=part.name,
                tests=int(tests[3]) + int(tests[4]) if tests else 0,
                failed=int(tests[4]) if tests else 0,
                changed=tests is not None and edited > int(tests[0]) + 1,  # the line has whole seconds
                proof=proof,
                score=result.score if result else None,
                max_score=result.max_score if result else 0,
                graded=result.status if result else None,
                milliseconds=milliseconds,
                elements=elements,
            )
        )
    return LabState(lab.number, lab.title, tuple(states))


def _lines(path: Path) -> Iterator[list[str]]:
    """The lines that are whole; a stopped test may have left a part of one."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    for line in text.splitlines():
        fields = line.split("\t")
        if len(fields) == _FIELDS and all(fields[i].isdecimal() for i in (0, 3, 4)):
            yield fields


def _graded(path: Path) -> dict[tuple[int, str], PartResult]:
    try:
        results = from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, GraderError):
        return {}
    return {(lab.number, part.name): part for lab in results.labs for part in lab.parts}


def _times(path: Path) -> Iterator[tuple[str, tuple[int, float]]]:
    """For each part of the student the longest input and its time."""
    try:
        rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        mine = [(row["part"], row["n"], row["milliseconds"]) for row in rows if row["who"] == WHO and row["right"]]
    except (OSError, ValueError, KeyError, TypeError):
        return
    for part, n, milliseconds in sorted(mine):
        yield str(part), (int(n), float(milliseconds))
