"""The page of one grading, for the student who handed in or for the instructor."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from grader.export.annotate import Remark, remarks
from grader.export.audience import Audience, is_masked
from grader.export.graded import Graded
from grader.export.page import percent, render
from grader.export.text import late_words, points
from grader.model.gradebook import hand_text
from grader.model.types import AspectResult, LabResult, Meter, Outcome, PartResult, columns_of
from grader.model.words import UNJUDGED, own_words, printed_words

MOST_LINES = 2000  # a file with at most so many lines is shown whole
CONTEXT = 8  # lines shown before and after a remark in a longer file
MOST_COLUMNS = 400  # characters shown of a line
MOST_REMARKS = 500  # remarks shown in a file
BOUND_AT = 80  # position of the bound in a bar, in percent of its width


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of a source, or a gap (number 0)."""

    number: int
    text: str
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True)
class _Failure:
    """A failed test as the page shows it."""

    test: Outcome
    words: str  # the message without its replay line
    replay: str

    @property
    def head(self) -> str:
        return self.words.partition("\n")[0]


@dataclass(frozen=True, slots=True)
class _Aspect:
    """An aspect for which the page has something to report."""

    of: AspectResult
    failures: list[_Failure]  # of public tests; for an instructor of all
    hidden: list[tuple[str, int]]  # for a student: categories, with the number of hidden tests
    remark: str


@dataclass(frozen=True, slots=True)
class _Meter:
    """A meter with its bound."""

    of: Meter
    width: int  # percent of the bar; the bound is at BOUND_AT


@dataclass(frozen=True, slots=True)
class _Part:
    of: PartResult
    aspects: list[_Aspect]
    meters: list[_Meter]
    columns: tuple[str, ...]

    @property
    def cells(self) -> list[AspectResult | None]:
        """The aspects in the order of the columns."""
        by_name = {aspect.name: aspect for aspect in self.of.aspects}
        return [by_name.get(name) for name in self.columns]


@dataclass(frozen=True, slots=True)
class _Lab:
    of: LabResult
    parts: list[_Part]
    lines: list[_Line]  # empty when the file is not available
    late: str  # in a class: how lateness changed the points
    by_hand: str  # in a term's book: the points by hand with their reasons
    remarks: list[Remark]  # remarks on shown lines
    elsewhere: list[Remark]  # remarks on lines that are not shown


def html(graded: Graded) -> str:
    """The page."""
    return render(
        "report.html.j2",
        results=graded.results,
        entry=graded.entry,
        name=_name(graded),
        for_instructor=graded.audience is Audience.INSTRUCTOR,
        labs=[_lab(lab, graded) for lab in graded.results.labs],
        aspects=columns_of(graded.results.labs),
        bound_at=BOUND_AT,
        tested=any(test for lab in graded.results.labs for part in lab.parts for a in part.aspects for test in a.tests),
    )


def _name(graded: Graded) -> str:
    """The name as in the gradebook, if there is one."""
    if graded.entry is None:
        return graded.results.submission.name
    return ", ".join(student.name or student.id for student in graded.entry.students)


def _booked(lab: LabResult, graded: Graded) -> tuple[str, str]:
    """How lateness changed the points of the gradebook, and its points by hand."""
    grades = graded.entry.labs if graded.entry is not None else ()
    grade = next((grade for grade in grades if grade.number == lab.number), None)
    if grade is None:
        return "", ""
    words = late_words(grade)
    return f"{words}: {points(grade.score)} of {grade.max_score}" if words else "", hand_text(grade)


def _lab(lab: LabResult, graded: Graded) -> _Lab:
    columns = columns_of(graded.results.labs)
    said = remarks(lab)
    here = [remark for remark in said if remark.file == lab.source][:MOST_REMARKS]
    source = graded.sources.get(lab.source)
    lines = [] if source is None else list(_lines(source, here))
    shown = {line.number for line in lines}
    on_lines = [remark for remark in here if remark.line in shown]
    late, by_hand = _booked(lab, graded)
    return _Lab(
        lab,
        [_part(part, columns) for part in lab.parts],
        lines,
        late,
        by_hand,
        on_lines,
        [remark for remark in said if remark not in on_lines][:MOST_REMARKS],
    )


def _lines(source: str, said: list[Remark]) -> Iterator[_Line]:
    by_line: dict[int, list[Remark]] = {}
    for remark in said:
        by_line.setdefault(remark.line, []).append(remark)
    texts = source.split("\n")
    if texts[-1] == "":
        texts.pop()
    whole, last = len(texts) <= MOST_LINES, 0
    near = set() if whole else {n for line in by_line for n in range(line - CONTEXT, line + CONTEXT + 1)}
    for number, text in enumerate(texts, start=1):
        if not whole and number not in near:
            continue
        if number > last + 1:
            yield _Line(0, f"lines {last + 1} to {number - 1} are left out", ())
        cut = text if len(text) <= MOST_COLUMNS else f"{text[:MOST_COLUMNS]} ..."
        yield _Line(number, cut.rstrip("\r"), tuple(by_line.get(number, ())))
        last = number
    if last < len(texts):
        yield _Line(0, f"lines {last + 1} to {len(texts)} are left out", ())


def _part(part: PartResult, columns: tuple[str, ...]) -> _Part:
    aspects = [_aspect(aspect) for aspect in part.aspects]
    meters = [_Meter(meter, min(percent(meter.counted * BOUND_AT, meter.most * 100), 100)) for meter in part.meters]
    return _Part(part, [a for a in aspects if a.failures or a.hidden or a.remark], meters, columns)


def _aspect(aspect: AspectResult) -> _Aspect:
    if aspect.withheld:
        return _Aspect(aspect, [], [], "passed; counts once the part is correct")
    first = aspect.first_failure
    if first is not None and first.unjudged:
        return _Aspect(aspect, [], [], UNJUDGED)
    failed = [test for test in aspect.tests if test.failed]
    told = [test for test in failed if not is_masked(test)]
    hidden = Counter(test.message for test in failed if is_masked(test))
    return _Aspect(aspect, [_failure(test) for test in told], hidden.most_common(), "")


def _failure(test: Outcome) -> _Failure:
    if test.failure is None:
        return _Failure(test, test.message, "")
    pieces = (own_words(test.failure), printed_words(test.failure))
    return _Failure(test, "\n\n".join(filter(None, pieces)), test.failure.replay)
