"""The numbers on the page of a class. Reads one results.json at a time.

The discrimination of a test is the point-biserial correlation of passing it with the points of all other parts. The
test's own part is left out, because it would correlate with itself (S. Henrysson, Correction of item-total correlations
in item analysis, Psychometrika 28, 1963, pages 211-218).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import StatisticsError, correlation, fmean, median

from grader.model.findings import NOT_JUDGED
from grader.model.gradebook import Entry, Gradebook, PartColumn
from grader.model.types import LabResult, Outcome, PartResult, Results, Status, SuiteKind
from grader.model.words import title

BINS = 10  # number of bars in the histogram
FEWEST = 10  # least number of hand-ins for computing a discrimination
DOUBTFUL = 0.1  # a test with a discrimination up to this is marked

_TestKey = tuple[int, str, str, str, bool]  # the same as the first fields of TestRate


@dataclass(frozen=True, slots=True)
class Bin:
    """Hand-ins whose score is in [least, most] percent; the last one includes 100."""

    least: int
    most: int
    count: int


@dataclass(slots=True)
class PartRate:
    """How many hand-ins earned a part."""

    lab: int
    name: str
    max_score: int
    tried: int = 0  # number of hand-ins whose lab was judged
    points: int = 0  # sum over all of them
    full: int = 0
    earned: Counter[str] = field(default_factory=Counter)  # aspect -> number of hand-ins that earned it
    offered: set[str] = field(default_factory=set)  # aspects that have points


@dataclass(slots=True)
class TestRate:
    """How many hand-ins fail a test, among those that define the function and whose result can be judged by this
    test."""

    lab: int
    part: str
    aspect: str
    id: str
    hidden: bool
    tried: int = 0
    who: list[Entry] = field(default_factory=list)  # hand-ins that fail it
    # For each hand-in: whether it passed, and its points in other parts
    judged: list[tuple[int, int]] = field(default_factory=list)

    @property
    def failed(self) -> int:
        return len(self.who)

    @property
    def discrimination(self) -> float | None:
        """A number from -1 to 1. None when there are too few hand-ins, or all are equal in one of the two
        quantities."""
        if len(self.judged) < FEWEST:
            return None
        try:
            return correlation(*zip(*self.judged, strict=True))
        except StatisticsError:
            return None

    @property
    def is_doubtful(self) -> bool:
        """True when good and bad hand-ins fail the test alike, by the two decimals that a page shows."""
        return self.discrimination is not None and round(self.discrimination, 2) <= DOUBTFUL


@dataclass(slots=True)
class Common:
    """A kind of first finding of a part, and the hand-ins that have it. It is the first finding of the device, or else
    what the first failed test reports."""

    lab: int
    part: str
    kind: str
    title: str  # title of the first finding of this kind
    who: list[Entry] = field(default_factory=list)

    @property
    def hand_ins(self) -> int:
        return len(self.who)


@dataclass(frozen=True, slots=True)
class Summary:
    """The numbers of a class."""

    bins: list[Bin]
    scored: int
    mean: float | None  # in percent of the points to earn
    median: float | None
    parts: list[PartRate]
    tests: list[TestRate]  # hardest first
    findings: list[Common]  # first findings of parts, the most frequent first


@dataclass(frozen=True, slots=True)
class _Tally:
    """The counts so far."""

    parts: dict[tuple[int, str], PartRate]
    tests: dict[_TestKey, TestRate] = field(default_factory=dict)
    findings: dict[tuple[int, str, str], Common] = field(default_factory=dict)


def summarize(gradebook: Gradebook, graded: Iterable[tuple[Entry, Results | None]]) -> Summary:
    """Computes the numbers. Hand-ins without a score are in no bin, and parts of labs that were not judged are in no
    rate."""
    tally = _Tally({(lab.number, part.name): _rate(lab.number, part) for lab in gradebook.labs for part in lab.parts})
    percents: list[float] = []
    for entry, results in graded:
        if entry.score is not None and entry.max_score > 0:
            percents.append(100 * entry.score / entry.max_score)
        for lab in results.labs if results is not None else ():
            if lab.status is not Status.GRADER_FAULT:
                _add_lab(tally, entry, lab, results.score if results is not None else None)
    return Summary(
        bins=_bins(percents),
        scored=len(percents),
        mean=fmean(percents) if percents else None,
        median=median(percents) if percents else None,
        parts=list(tally.parts.values()),
        tests=sorted((t for t in tally.tests.values() if t.failed), key=lambda t: (-t.failed / t.tried, -t.tried)),
        findings=sorted(tally.findings.values(), key=lambda f: -f.hand_ins),
    )


def _bins(percents: list[float]) -> list[Bin]:
    width = 100 // BINS
    counts = Counter(min(max(int(percent // width), 0), BINS - 1) for percent in percents)
    return [Bin(i * width, 100 if i == BINS - 1 else (i + 1) * width - 1, counts[i]) for i in range(BINS)]


def _rate(lab: int, part: PartColumn | PartResult) -> PartRate:
    return PartRate(lab, part.name, part.max_score)


def _add_lab(into: _Tally, entry: Entry, lab: LabResult, points: int | None) -> None:
    """points: those of the whole hand-in."""
    for part in lab.parts:
        rate = into.parts.setdefault((lab.number, part.name), _rate(lab.number, part))
        _add_part(rate, part)
        first: dict[bool, tuple[str, str]] = {}  # whether the device found it -> kind and title
        for test in (test for aspect in part.aspects for test in aspect.tests):
            kind, title, seen = _told(test)
            lost = test.status is not Status.PASSED
            if lost and kind not in (NOT_JUDGED, Status.NOT_RUN):
                first.setdefault(seen, (kind, title))
            if test.status is Status.MISSING or kind in (NOT_JUDGED, Status.NOT_RUN):
                continue
            key = (lab.number, test.part, test.aspect, test.id, test.suite is SuiteKind.HIDDEN)
            one = into.tests.setdefault(key, TestRate(*key))
            one.tried += 1
            if lost:
                one.who.append(entry)
            if points is not None:
                one.judged.append((not lost, points - (part.score or 0)))
        if first:  # a race is a reason for a wrong result, not the reverse
            common = Common(lab.number, part.name, *(first.get(True) or first[False]))
            into.findings.setdefault((lab.number, part.name, common.kind), common).who.append(entry)


def _add_part(rate: PartRate, part: PartResult) -> None:
    rate.tried += 1
    rate.points += part.score or 0
    rate.full += part.score == part.max_score
    for aspect in part.aspects:
        if aspect.points:
            rate.offered.add(aspect.name)
            rate.earned[aspect.name] += aspect.earned == aspect.points


def _told(test: Outcome) -> tuple[str, str, bool]:
    """Kind and title of what a failed test reports, and whether it is a finding of the device."""
    failure, head = test.failure, test.message.partition("\n")[0]
    if failure is None:
        return "" if test.status is Status.PASSED else test.status.value, head, False
    errors = [finding for finding in failure.findings if not finding.warning]
    if errors and failure.kind != NOT_JUDGED:
        return errors[0].kind, title(errors[0]), True
    return failure.kind, head, False


def share(count: int, of: int) -> int:
    """A percentage, rounded; 0 when `of` is 0."""
    return round(100 * count / of) if of else 0
