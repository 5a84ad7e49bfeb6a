"""The audience of an export. A student's export is made from a model in which everything hidden has been removed, so no
exporter can show it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

from grader.export.category import category
from grader.model.findings import NOT_JUDGED
from grader.model.older_python import StrEnum
from grader.model.types import (
    AspectResult,
    Failure,
    LabResult,
    Meter,
    Outcome,
    PartResult,
    Results,
    Status,
    SuiteKind,
)

CATEGORY, MESSAGE, NOTHING = "category", "message", "nothing"  # the values of course.toml's hidden_tests
_MASK = "hidden_test_"
FAULT = (
    "The grader could not judge this lab. That is not your fault, and takes no points from you: your instructor sees "
    "what went wrong."
)


class Audience(StrEnum):
    """The people who will read an export."""

    STUDENT = "student"
    INSTRUCTOR = "instructor"


def for_audience(results: Results, audience: Audience, hidden: str = CATEGORY) -> Results:
    """The results for this audience: everything for an instructor, and for a student without what is hidden."""
    return results if audience is Audience.INSTRUCTOR else for_student(results, hidden)


def for_student(results: Results, hidden: str = CATEGORY) -> Results:
    """Removes what a student may not see. Of hidden tests, only their number, whether they passed and the category of a
    failure remain: no name, input, message or time. Counts from hidden calls are removed. So are the words of a fault,
    which may quote a hidden test, and the path, which is the instructor's. `hidden` is course.toml's hidden_tests: with
    `nothing` the categories are removed too, and with `message` hidden tests are not changed."""
    return replace(
        results,
        submission=replace(results.submission, path=PurePath(results.submission.path).name),
        labs=tuple(_lab(lab, hidden) for lab in results.labs),
    )


def _lab(lab: LabResult, hidden: str) -> LabResult:
    message = FAULT if lab.status is Status.GRADER_FAULT else lab.message
    return replace(lab, message=message, parts=tuple(_part(part, hidden) for part in lab.parts))


def _part(part: PartResult, hidden: str) -> PartResult:
    return replace(part, aspects=tuple(_aspect(a, hidden) for a in part.aspects), meters=tuple(_public(part.meters)))


def _public(meters: tuple[Meter, ...]) -> Iterator[Meter]:
    return (meter for meter in meters if meter.suite is SuiteKind.PUBLIC)


def _aspect(aspect: AspectResult, hidden: str) -> AspectResult:
    return replace(aspect, tests=tuple(_tests(aspect.tests, hidden)))


def is_masked(test: Outcome) -> bool:
    """True for a hidden test that was reduced to its category, or to nothing."""
    return test.suite is SuiteKind.HIDDEN and test.id.startswith(_MASK)


def _tests(tests: tuple[Outcome, ...], hidden: str) -> Iterator[Outcome]:
    count = 0
    for test in tests:
        if test.suite is SuiteKind.HIDDEN and hidden != MESSAGE and test.status is not Status.GRADER_FAULT:
            count += 1
            failed = test.status is not Status.PASSED
            words = (
                category(test)
                if hidden == CATEGORY
                else test.status.value
                if test.left_out
                else "fails"
                if failed
                else ""
            )
            kind = test.failure.kind if words and test.failure is not None else ""
            kept = Failure(kind) if kind == NOT_JUDGED else None  # it says no more than the words do
            yield replace(test, id=f"{_MASK}{count}", message=words, seconds=None, failure=kept)
        elif test.suite is SuiteKind.HIDDEN and test.status is Status.GRADER_FAULT:
            count += 1
            yield replace(test, id=f"{_MASK}{count}", message=FAULT, seconds=None, failure=None)
        elif test.status is Status.GRADER_FAULT:
            yield replace(test, message=FAULT, failure=None)
        else:
            yield test
