"""Who reads an export. What a student gets is made of a model in which hidden things are not there any more, so no
exporter can show them."""

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from pathlib import PurePath

from grader.export.category import category
from grader.model import AspectResult, LabResult, Meter, Outcome, PartResult, Results, Status, SuiteKind

FAULT = (
    "The grader could not judge this lab. That is not your fault, and takes no points from you: your instructor sees "
    "what went wrong."
)


class Audience(StrEnum):
    """Who reads it."""

    STUDENT = "student"
    INSTRUCTOR = "instructor"


def for_audience(results: Results, audience: Audience) -> Results:
    """The results as they are for an instructor; for a student, without what is hidden."""
    return results if audience is Audience.INSTRUCTOR else for_student(results)


def for_student(results: Results) -> Results:
    """Of hidden tests their number, whether they passed and the category of what fails: no name, input, message or
    time. What hidden calls counted is left out, and so are the words of a fault, which may quote a hidden test, and
    the path, which is the instructor's."""
    return replace(
        results,
        submission=replace(results.submission, path=PurePath(results.submission.path).name),
        labs=tuple(_lab(lab) for lab in results.labs),
    )


def _lab(lab: LabResult) -> LabResult:
    message = FAULT if lab.status is Status.GRADER_FAULT else lab.message
    return replace(lab, message=message, parts=tuple(_part(part) for part in lab.parts))


def _part(part: PartResult) -> PartResult:
    return replace(part, aspects=tuple(_aspect(aspect) for aspect in part.aspects), meters=tuple(_public(part.meters)))


def _public(meters: tuple[Meter, ...]) -> Iterator[Meter]:
    return (meter for meter in meters if meter.suite is SuiteKind.PUBLIC)


def _aspect(aspect: AspectResult) -> AspectResult:
    return replace(aspect, tests=tuple(_tests(aspect.tests)))


def _tests(tests: tuple[Outcome, ...]) -> Iterator[Outcome]:
    hidden = 0
    for test in tests:
        if test.suite is SuiteKind.HIDDEN:
            hidden += 1
            yield replace(test, id=f"hidden_test_{hidden}", message=category(test), seconds=None)
        elif test.status is Status.GRADER_FAULT:
            yield replace(test, message=FAULT)
        else:
            yield test
