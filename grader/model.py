"""The result of a grading, as plain data. The grader fills it in; exporters only read it.

Results > LabResult > PartResult > AspectResult > Outcome. Points are whole numbers. A score of None means
that the grader could not judge (a grader fault), which is not the same as 0.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

SCHEMA_VERSION = 1

ASPECTS = ("correct", "clean", "efficient")
FAST = "fast"  # a further one, of a GPU alone, for parts that have points for it


class Status(StrEnum):
    """Of a test, an aspect, a part or a lab."""

    PASSED = "passed"
    FAILED = "failed"
    DOES_NOT_COMPILE = "does not compile"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    MISSING = "missing"
    GRADER_FAULT = "grader fault"


class SuiteKind(StrEnum):
    """Public suites are shipped to students; hidden ones stay with the instructor."""

    PUBLIC = "public"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One test of one suite."""

    id: str  # the test's name, a sentence: scan_is_exclusive
    part: str
    aspect: str  # one of ASPECTS
    suite: SuiteKind
    status: Status
    message: str  # empty when passed
    seconds: float | None  # None when the suite did not measure it


@dataclass(frozen=True, slots=True)
class AspectResult:
    """One share of a part's points: given when all of its tests pass, and correct is earned too."""

    name: str  # one of ASPECTS
    points: int
    earned: int | None  # None after a grader fault
    status: Status  # of its own tests: passed, or that of the first test that failed
    tests: tuple[Outcome, ...]

    @property
    def withheld(self) -> bool:
        """Its own tests pass, but the part is not correct, so it earns nothing."""
        return self.status is Status.PASSED and self.earned == 0 and self.points > 0

    @property
    def first_failure(self) -> Outcome | None:
        return next((test for test in self.tests if test.status is not Status.PASSED), None)

    @property
    def failures(self) -> int:
        return sum(test.status is not Status.PASSED for test in self.tests)


@dataclass(frozen=True, slots=True)
class Meter:
    """What the device counted in one call of a part, beside the bound of the contract. Of each meter the call that went
    past the bound, or else the longest."""

    name: str  # "combines"
    suite: SuiteKind
    counted: int
    most: int  # the bound for a call of this size
    size: str  # "512", or "37x53" of images
    formula: str  # of the bound: "n log2 n - (n - 1)"

    @property
    def passed(self) -> bool:
        return self.counted <= self.most


@dataclass(frozen=True, slots=True)
class PartResult:
    """One function that the student implements."""

    name: str
    summary: str
    aspects: tuple[AspectResult, ...]
    proof: str = ""  # "proved for n = 1 to 512", "not proved: ..."; empty where nothing can be
    meters: tuple[Meter, ...] = ()  # empty where the contract has no bounds, or nothing was counted

    @property
    def max_score(self) -> int:
        return sum(aspect.points for aspect in self.aspects)

    @property
    def score(self) -> int | None:
        return total(aspect.earned for aspect in self.aspects)

    @property
    def status(self) -> Status:
        """Passed, or that of the first aspect that did not."""
        return next((a.status for a in self.aspects if a.status is not Status.PASSED), Status.PASSED)


@dataclass(frozen=True, slots=True)
class LabResult:
    """One lab of one submission."""

    number: int
    title: str
    source: str  # the student's file: naive_scan.cu
    status: Status
    message: str  # why it was not tested: compile errors, the missing file, the fault; else empty
    suites: tuple[SuiteKind, ...]  # those that ran to their end
    parts: tuple[PartResult, ...]

    @property
    def max_score(self) -> int:
        return sum(part.max_score for part in self.parts)

    @property
    def score(self) -> int | None:
        return total(part.score for part in self.parts)


@dataclass(frozen=True, slots=True)
class IgnoredFile:
    """Something in a hand-in that the grader left alone."""

    path: str  # relative to the hand-in
    reason: str


@dataclass(frozen=True, slots=True)
class SubmissionInfo:
    """What was graded."""

    name: str
    path: str
    kind: str  # student | reference | hand-in
    files: tuple[str, ...]  # copied and graded
    ignored: tuple[IgnoredFile, ...]


@dataclass(frozen=True, slots=True)
class SandboxInfo:
    """Whether the submission's code ran locked in, and if not, why."""

    used: bool
    note: str


@dataclass(frozen=True, slots=True)
class Results:
    """One grading of one submission."""

    submission: SubmissionInfo
    device: str  # cpu | cuda
    seed: int
    sandbox: SandboxInfo
    versions: dict[str, str]
    started: str  # ISO 8601, UTC
    duration: float  # seconds
    labs: tuple[LabResult, ...]

    @property
    def max_score(self) -> int:
        return sum(lab.max_score for lab in self.labs)

    @property
    def score(self) -> int | None:
        return total(lab.score for lab in self.labs)


def columns_of(labs: Iterable[LabResult]) -> tuple[str, ...]:
    """The aspects that a table of these labs has columns for."""
    fast = any(aspect.name == FAST for lab in labs for part in lab.parts for aspect in part.aspects)
    return (*ASPECTS, FAST) if fast else ASPECTS


def total(scores: Iterable[int | None]) -> int | None:
    """The sum, or None when one of them is not known."""
    result = 0
    for score in scores:
        if score is None:
            return None
        result += score
    return result
