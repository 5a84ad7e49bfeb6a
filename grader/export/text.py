"""Texts that several exporters share."""

from collections import Counter
from collections.abc import Iterator

from grader.export.audience import is_masked
from grader.export.report_terminal import clean
from grader.model.gradebook import LabGrade, number
from grader.model.types import AspectResult, LabResult, Outcome, PartResult, Status, SuiteKind
from grader.model.words import UNJUDGED, tally


def points(score: float | None) -> str:
    """A number such as 12 or 12.5, or ? when it is unknown."""
    return number(score) or "?"


def late_words(grade: LabGrade) -> str:
    """How lateness, late days and dropping changed a lab's points; empty when they changed nothing."""
    days, used = grade.days_late, grade.late_days_used
    said = [f"{days} day{'' if days == 1 else 's'} late"] if days else []
    said += [f"{used} of the late days used"] if used else []
    said += [f"{points(grade.penalty)} points taken off"] if grade.penalty else []
    said += ["dropped: not part of the total"] if grade.dropped else []
    return ", ".join(said)


def failed(aspect: AspectResult, suite: SuiteKind) -> list[Outcome]:
    """The tests of this suite that did not pass."""
    return [test for test in aspect.tests if test.suite is suite and test.status is not Status.PASSED]


def public_words(aspect: AspectResult) -> str:
    """The number of failed public tests of an aspect, and the message of the first."""
    return "\n".join(_words(aspect, SuiteKind.PUBLIC))


def hidden_words(aspect: AspectResult) -> str:
    """The failed hidden tests of an aspect: categories for a student, messages for an instructor."""
    return "\n".join(_words(aspect, SuiteKind.HIDDEN))


def aspect_words(aspect: AspectResult) -> str:
    """The texts of both suites and further remarks; empty when the aspect is earned."""
    if aspect.withheld:
        return "passed; counts once the part is correct"
    return "\n".join(filter(None, [public_words(aspect), hidden_words(aspect)]))


def part_words(part: PartResult) -> str:
    """The text about everything that a part has lost."""
    said = ((aspect.name, aspect_words(aspect)) for aspect in part.aspects)
    return "\n\n".join(f"{name}: {words}" for name, words in said if words)


def lab_words(lab: LabResult) -> str:
    """The reason why a lab was not tested; empty when it was."""
    return clean(f"{lab.status}: {lab.message}" if lab.message else "")


def sentence(test: Outcome) -> str:
    """The test's name as a sentence, such as "works in place"."""
    return test.id.replace("_", " ")


def _words(aspect: AspectResult, suite: SuiteKind) -> Iterator[str]:
    tests = [test for test in aspect.tests if test.suite is suite]
    lost = failed(aspect, suite)
    if not lost:
        return
    yield tally(tests, f"{suite} tests")
    lost = [test for test in lost if test.failed]
    if not lost:
        return
    if lost[0].unjudged:
        yield UNJUDGED
    elif all(is_masked(test) for test in lost):
        yield from (f"  {count}: {message}" for message, count in Counter(t.message for t in lost).most_common())
    else:
        yield f"first: {sentence(lost[0])}"
        yield clean(lost[0].message)
