"""Gradescope's results.json (https://gradescope-autograders.readthedocs.io/en/latest/specs/).

Each aspect has two rows. The row of the public tests is always visible and has no points. The points are in a second
row with the categories of the hidden tests, whose visibility is `visibility`, so that no one learns earlier from a
score what the hidden tests say. Gradescope withholds the total for the same time. In an instructor's export, a third
kind of row has the full messages of the hidden tests; it is visible only to instructors, whatever the visibility of the
others.

When the grader failed, the file has no score and no tests, which Gradescope reports as a failed autograder, so no one
gets 0 points.
"""

import json
from collections.abc import Iterator
from typing import Any

from grader.export.audience import FAULT, Audience
from grader.export.choices import Choices
from grader.export.graded import Graded
from grader.export.report_terminal import clean
from grader.export.text import failed, hidden_words, lab_words, public_words
from grader.model.types import AspectResult, LabResult, PartResult, Status, SuiteKind

_RED, _GREEN, _RESET = "\x1b[31m", "\x1b[32m", "\x1b[0m"


def gradescope(graded: Graded, choices: Choices) -> str:
    """The text of the file."""
    own = graded.for_student  # the rows that a student may see at some time are made from this
    table: dict[str, Any] = {
        "execution_time": round(own.duration, 1),
        "output": _head(graded),
        "output_format": "ansi",
        "test_output_format": "ansi",
        "stdout_visibility": "hidden",  # the output of the autograder is for instructors
        "extra_data": {"seed": own.seed, "device": own.device, **own.versions},
    }
    if own.score is not None:
        table["tests"] = [row for lab in own.labs for row in _lab(lab, choices.visibility)]
        if graded.audience is Audience.INSTRUCTOR:
            table["tests"] += [row for lab in graded.results.labs for row in _secrets(lab)]
        if choices.leaderboard:
            table["leaderboard"] = [entry for lab in own.labs for part in lab.parts for entry in _ranked(part)]
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


def _head(graded: Graded) -> str:
    results = graded.for_student
    lines = [f"{_RED}not graded{_RESET} {clean(e.path)}: {clean(e.reason)}" for e in results.submission.ignored]
    if results.score is None:
        lines.append(FAULT)
    lines += [f"Lab {lab.number}: {words}" for lab in results.labs if (words := lab_words(lab))]
    return "\n".join(lines)


def _lab(lab: LabResult, visibility: str) -> Iterator[dict[str, Any]]:
    for p, part in enumerate(lab.parts, start=1):
        for a, aspect in enumerate(part.aspects, start=1):
            yield from _aspect(lab, part, aspect, f"{lab.number}.{p}.{a}", visibility)


def _aspect(
    lab: LabResult, part: PartResult, aspect: AspectResult, number: str, visibility: str
) -> Iterator[dict[str, Any]]:
    name = f"{part.name}: {aspect.name}"
    public = [test for test in aspect.tests if test.suite is SuiteKind.PUBLIC]
    secret = len(aspect.tests) > len(public)
    good = bool(public) and not failed(aspect, SuiteKind.PUBLIC)
    words = public_words(aspect) or lab_words(lab)
    if secret:
        yield _row(name, number, good, words or f"{len(public)} public tests passed", "visible")
        words = hidden_words(aspect) or f"{len(aspect.tests) - len(public)} hidden tests passed"
    if aspect.withheld:
        words = "passed; counts once the part is correct"
    full = aspect.earned == aspect.points
    yield _row(
        f"{name}, with hidden tests" if secret else name,
        f"{number}.1" if secret else number,
        full,
        words or "all tests passed",
        visibility if secret else "visible",
    ) | {"score": aspect.earned, "max_score": aspect.points}


def _ranked(part: PartResult) -> Iterator[dict[str, Any]]:
    """For a part that passes its public tests: the largest count of each public meter, where less is better. The list
    must not reveal hidden tests, because everyone sees it before the due date."""
    correct = next((aspect for aspect in part.aspects if aspect.name == "correct"), None)
    public = [test for test in correct.tests if test.suite is SuiteKind.PUBLIC] if correct is not None else []
    if not public or any(test.status is not Status.PASSED for test in public):
        return
    largest = {m.name: m for m in sorted(part.meters, key=lambda m: m.counted) if m.suite is SuiteKind.PUBLIC}
    for name, meter in sorted(largest.items()):
        yield {"name": f"{part.name}: {name}", "value": meter.counted, "order": "asc"}


def _secrets(lab: LabResult) -> Iterator[dict[str, Any]]:
    if lab.status is Status.GRADER_FAULT:
        return
    for p, part in enumerate(lab.parts, start=1):
        for a, aspect in enumerate(part.aspects, start=1):
            for test in (test for test in aspect.tests if test.suite is SuiteKind.HIDDEN and test.failed):
                name = f"{part.name}: {aspect.name}, {test.id.replace('_', ' ')}"
                yield _row(name, f"{lab.number}.{p}.{a}.2", False, clean(test.message), "hidden")


def _row(name: str, number: str, passed: bool, words: str, visibility: str) -> dict[str, Any]:
    head, newline, rest = words.partition("\n")
    colour = _GREEN if passed else _RED
    return {
        "name": name,
        "number": number,
        "status": "passed" if passed else "failed",
        "output": f"{colour}{head}{_RESET}{newline}{rest}",
        "output_format": "ansi",
        "visibility": visibility,
    }
