"""The result of a grading, as plain data. The grader fills it in; exporters only read it.

Results > LabResult > PartResult > AspectResult > Outcome. results.json has the same form: its tables are these
dataclasses, with the properties that a class lists in COMPUTED. Points are whole numbers. A score of None means
that the grader could not judge (a grader fault), which is not the same as 0.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from grader.model.findings import FINDINGS, KINDS, NOT_JUDGED
from grader.model.older_python import StrEnum

SCHEMA_VERSION = 4

ASPECTS = ("correct", "clean", "efficient")
FAST = "fast"  # a further aspect, on a GPU only, for parts that have points for speed


class Status(StrEnum):
    """The status of a test, an aspect, a part or a lab."""

    PASSED = "passed"
    FAILED = "failed"
    DOES_NOT_COMPILE = "does not compile"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    MISSING = "missing"
    NOT_RUN = "not run"  # only of a test: the points that it could decide were already lost
    GRADER_FAULT = "grader fault"


_STATUS = {  # of a test that failed with a kind that has a status of its own
    "timed out": Status.TIMED_OUT,
    "crashed": Status.CRASHED,
    "missing": Status.MISSING,
    "harness fault": Status.GRADER_FAULT,
}
_ANY_BYTE = re.compile(r"^byte -?\d+ of ", re.ASCII)
_SHAPE = re.compile(r"\d{1,18}x\d{1,18}", re.ASCII)  # rows and columns


class SuiteKind(StrEnum):
    """Public suites are shipped to students; hidden ones stay with the instructor."""

    PUBLIC = "public"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Side:
    """One participant of a finding, and what it did."""

    who: str  # for example: thread 18
    does: str  # for example: reads it
    file: str
    line: int  # 0 when not known


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault that the device found."""

    kind: str  # one of FINDINGS
    warning: bool  # True when it costs no points
    consequence: bool  # True when an earlier finding may be the cause
    file: str  # empty when not known
    line: int  # 0 when not known
    function: str  # empty when not known
    variable: str  # for example: shared buffer[17]; empty when there is none
    title: str
    count: int  # how many times it occurred
    sides: tuple[Side, ...]  # both sides of a race; or each group of threads that wait for each other
    missing: str  # what is missing between the two sides
    detail: tuple[str, ...]  # further lines
    hint: str  # what to try; may be empty

    def __post_init__(self) -> None:
        if self.kind not in FINDINGS:
            raise ValueError(f"no kind of finding: {self.kind!r}")

    @property
    def lines(self) -> frozenset[int]:
        """All lines of the submission that are involved."""
        return frozenset({self.line, *(side.line for side in self.sides if side.line)})

    @property
    def array(self) -> str:
        """The variable without its indices, such as: shared buffer. Empty when there is none."""
        return self.variable.partition("[")[0]

    def names(self, variable: str) -> bool:
        """True when the finding is about this variable, in any memory and at any index."""
        return variable in self.array.split()

    @property
    def alike(self) -> str:
        """Key for folding findings: the same kind, kernel and variable."""
        return f"{self.kind} {self.function} {_ANY_BYTE.sub('', self.array)}"


@dataclass(frozen=True, slots=True)
class Call:
    """The call of a part in which a failure appeared."""

    words: str  # for example: scan_in_place on interval, 33 elements
    monoid: str
    n: int | None  # None in a lab of images
    shape: str  # rows and columns in a lab of images, such as 37x53; else empty
    seed: int
    input: str  # the kind of input: random, sorted ...
    in_place: int  # 0, or the number of one of the ways to call the part in place
    shift: int  # elements by which the arrays are shifted from an aligned address
    order: str  # order of threads and blocks: forward, reverse, random, lockstep
    resident: int  # blocks that run at the same time
    tile: int
    sampled: bool  # True when only some blocks ran
    unwritten: bool  # True when the part has done nothing so far
    history: bool  # True when the same call is right if it is the first of a process

    def __post_init__(self) -> None:
        if self.n is None and not _SHAPE.fullmatch(self.shape):
            raise ValueError(f"neither a length nor a shape: {self.shape!r}")


@dataclass(frozen=True, slots=True)
class Failure:
    """The report of a failed test. grader.model.words turns it into text."""

    kind: str  # one of KINDS; the kind of the first finding when findings are the only report
    meter: str = ""  # the meter whose bound was exceeded
    said: tuple[str, ...] = ()  # lines about what is wrong; empty when the findings say it
    call: Call | None = None
    context: tuple[str, ...] = ()  # lines about other calls that help to explain this one
    findings: tuple[Finding, ...] = ()
    more: int = 0  # number of further findings that are not listed
    printed: tuple[str, ...] = ()  # the first lines that the submission printed
    replay: str = ""  # the command that repeats the failure

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"no kind of failure: {self.kind!r}")

    @property
    def status(self) -> Status:
        """The status of a test that failed in this way."""
        return _STATUS.get(self.kind, Status.FAILED)

    @property
    def line(self) -> int | None:
        """Line of the first finding, when the message begins with it."""
        return self.findings[0].line if self.findings and not self.said else None

    @property
    def short(self) -> str:
        """A short form such as `race @31` or `mismatch, race @31`."""
        first = self.kind if self.line is None else f"{self.kind} @{self.line}"
        more = [f"{finding.kind} @{finding.line}" for finding in self.findings if not finding.warning]
        return ", ".join(dict.fromkeys([first, *more]))


@dataclass(frozen=True, slots=True)
class Speed:
    """The speed of a part compared with the reference, measured in alternating turns of one run."""

    input: str  # the kind of input, such as "50 %"; empty when the part has one kind
    share: float  # the part's speed divided by the reference's, median of all turns
    low: float  # lower end of the confidence interval of the share
    high: float
    milliseconds: float  # median time of one call
    reference: float  # median time of one call of the reference


@dataclass(frozen=True, slots=True)
class Outcome:
    """One test of one suite."""

    id: str  # the test's name, which is a sentence: scan_is_exclusive
    part: str
    aspect: str  # one of ASPECTS
    suite: SuiteKind
    status: Status
    message: str  # the failure in words; empty when passed
    seconds: float | None  # None when the suite did not measure it
    failure: Failure | None = None  # None when it passed or did not run, and of a test of speed
    speed: Speed | None = None  # only of a test of speed

    @property
    def unjudged(self) -> bool:
        """True when it says only that the result is wrong, which a `correct` test has already reported."""
        return self.left_out or (
            self.aspect != "correct" and self.failure is not None and self.failure.kind == NOT_JUDGED
        )

    @property
    def left_out(self) -> bool:
        """True when it did not run, because enough other tests had failed."""
        return self.status is Status.NOT_RUN

    @property
    def failed(self) -> bool:
        """True when it ran and did not pass."""
        return self.status is not Status.PASSED and not self.left_out


@dataclass(frozen=True, slots=True)
class AspectResult:
    """One share of a part's points. It is given when all tests of the aspect pass and the part is correct."""

    name: str  # one of ASPECTS
    points: int
    earned: int | None  # None after a grader fault
    status: Status  # status of its own tests: passed, or the status of the first test that failed
    tests: tuple[Outcome, ...]

    @property
    def withheld(self) -> bool:
        """True when its own tests pass, but it earns nothing because the part is not correct."""
        return self.status is Status.PASSED and self.earned == 0 and self.points > 0

    @property
    def first_failure(self) -> Outcome | None:
        return next((test for test in self.tests if test.status is not Status.PASSED), None)


@dataclass(frozen=True, slots=True)
class Meter:
    """One count of the device for one call of a part, with the bound of the contract. Each meter is kept for the call
    that exceeded its bound, or else for the longest call."""

    name: str  # for example: combines
    suite: SuiteKind
    counted: int
    most: int  # the bound for a call of this size
    size: str  # "512", or "37x53" for images
    formula: str  # the bound as a formula: "n log2 n - (n - 1)"

    @property
    def passed(self) -> bool:
        return self.counted <= self.most


@dataclass(frozen=True, slots=True)
class PartResult:
    """One function that the student implements."""

    name: str
    summary: str
    aspects: tuple[AspectResult, ...]
    proof: str = ""  # "checked at every n from 1 to 512", "not proved: ...", "only tested: ..."; or empty
    meters: tuple[Meter, ...] = ()  # empty when the contract has no bounds, or nothing was counted
    # "n = 1 to 512, in place too; ...": all lengths that were checked; empty when a premise fails
    proof_lengths: str = ""

    COMPUTED: ClassVar = ("status", "score", "max_score")

    @property
    def max_score(self) -> int:
        return sum(aspect.points for aspect in self.aspects)

    @property
    def score(self) -> int | None:
        return total(aspect.earned for aspect in self.aspects)

    @property
    def status(self) -> Status:
        """Passed, or the status of the first aspect that is not passed."""
        return next((a.status for a in self.aspects if a.status is not Status.PASSED), Status.PASSED)


@dataclass(frozen=True, slots=True)
class LabResult:
    """One lab of one submission."""

    number: int
    title: str
    source: str  # name of the student's file: naive_scan.cu
    status: Status
    message: str  # the reason why it was not tested: compile errors, the missing file, the fault; else empty
    suites: tuple[SuiteKind, ...]  # the suites that ran to their end
    parts: tuple[PartResult, ...]

    COMPUTED: ClassVar = ("score", "max_score")

    @property
    def max_score(self) -> int:
        return sum(part.max_score for part in self.parts)

    @property
    def score(self) -> int | None:
        return total(part.score for part in self.parts)


@dataclass(frozen=True, slots=True)
class IgnoredFile:
    """A file of a hand-in that the grader did not take."""

    path: str  # relative to the hand-in
    reason: str


@dataclass(frozen=True, slots=True)
class SubmissionInfo:
    """The submission that was graded."""

    name: str
    path: str
    kind: str  # student | reference | hand-in
    files: tuple[str, ...]  # files that were copied and graded
    ignored: tuple[IgnoredFile, ...]


BUBBLEWRAP = "bubblewrap"  # the note when the code ran behind all walls


@dataclass(frozen=True, slots=True)
class SandboxInfo:
    """Whether the submission's code ran in a sandbox, and which one, or why not."""

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

    COMPUTED: ClassVar = ("score", "max_score")

    @property
    def max_score(self) -> int:
        return sum(lab.max_score for lab in self.labs)

    @property
    def score(self) -> int | None:
        return total(lab.score for lab in self.labs)


def columns_of(labs: Iterable[LabResult]) -> tuple[str, ...]:
    """The aspects for which a table of these labs needs columns."""
    fast = any(aspect.name == FAST for lab in labs for part in lab.parts for aspect in part.aspects)
    return (*ASPECTS, FAST) if fast else ASPECTS


def total(scores: Iterable[int | None]) -> int | None:
    """The sum, or None when one of the scores is unknown."""
    result = 0
    for score in scores:
        if score is None:
            return None
        result += score
    return result
