"""The result of a grading, as plain data. The grader fills it in; exporters only read it.

Results > LabResult > PartResult > AspectResult > Outcome. Points are whole numbers. A score of None means
that the grader could not judge (a grader fault), which is not the same as 0.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

SCHEMA_VERSION = 2

NOT_JUDGED = "not judged"  # the kind of a failure that says no more than that the result is wrong
NOT_RUN = "not run"  # of a test that was left out, since the points that it could decide were lost
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
class Thread:
    """A thread and its block: x, y and z."""

    index: tuple[int, int, int]
    block: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Side:
    """Who has part in a finding, and how."""

    who: str  # thread 18
    does: str  # reads it
    file: str
    line: int  # 0 when not known
    actor: str = ""  # what `who` says, as data: thread, threads, host, copy; empty when not known
    act: str = ""  # what it does: reads, waits_at_barrier; empty when not known
    thread: Thread | None = None  # of one thread
    threads: tuple[tuple[int, int], ...] = ()  # of several threads of a block, or lanes of a warp: from, and to
    block: int | None = None  # of several threads: its number in the grid
    kernel: str = ""  # of a thread of another launch
    stream: int | None = None  # of what was put into one: its number, 0 for the default stream
    operation: str = ""  # that lanes wait in


@dataclass(frozen=True, slots=True)
class Element:
    """The element of a variable or allocation that a finding is about."""

    name: str  # buffer; empty when it has none
    memory: str  # shared, dynamic shared, local, constant, device, allocation; empty for other memory
    index: int | None  # over all dimensions; of the byte where `bytes` is None; None from 2^63 on
    length: int | None  # elements, or bytes; None when not known
    bytes: int | None  # of one element; None when not known


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong that the device saw."""

    kind: str  # one of grader.model.findings.FINDINGS
    warning: bool  # costs no points
    consequence: bool  # an earlier finding may be the reason
    file: str  # empty when not known
    line: int  # 0 when not known
    function: str  # empty when not known
    variable: str  # shared buffer[17]; empty when there is none
    title: str
    count: int  # how many times
    sides: tuple[Side, ...]  # of a race both; of threads that wait for each other, each group
    missing: str  # between two sides
    detail: tuple[str, ...]  # further lines
    hint: str  # what to try; may be empty
    rule: str = ""  # what is wrong, in finer parts than kinds: barrier_not_reached; empty when not known
    element: Element | None = None  # what `variable` names, as data
    operation: str = ""  # read, write, atomic read, atomic; empty when it is no access
    bytes: int | None = None  # of the access
    thread: Thread | None = None  # the one that was caught
    facts: dict[str, int | str] = field(default_factory=dict, hash=False)  # numbers and names by name

    @property
    def lines(self) -> frozenset[int]:
        """All lines of the submission that have part in it."""
        return frozenset({self.line, *(side.line for side in self.sides if side.line)})

    def names(self, variable: str) -> bool:
        """Whether it is about the variable, of whatever memory and index."""
        return variable in self.variable.partition("[")[0].split()

    @property
    def alike(self) -> str:
        """The same for findings of one kind, in one kernel, about one variable: who knows one needs no second told."""
        return f"{self.kind} {self.function} {self.variable.partition('[')[0]}"


@dataclass(frozen=True, slots=True)
class Call:
    """The call of a part that showed what is wrong."""

    words: str  # scan_in_place on interval, 33 elements
    monoid: str
    n: int | None  # None in a lab of images
    shape: str  # 37x53 there; else empty
    seed: int
    input: str  # random, sorted ...
    in_place: int  # 0, or the way
    shift: int  # elements by which arrays miss a boundary
    order: str  # forward, reverse, random, lockstep
    resident: int  # blocks at work at once
    tile: int
    history: bool  # the same call is right when it is a process's first


@dataclass(frozen=True, slots=True)
class Failure:
    """What a failed test reports. grader.model.words makes text of it."""

    kind: str  # one of grader.model.findings.KINDS; of what findings say, that of the first
    meter: str = ""  # whose bound it is
    said: tuple[str, ...] = ()  # lines on what is wrong; empty where findings say it
    call: Call | None = None
    context: tuple[str, ...] = ()  # lines on what other calls tell about this one
    findings: tuple[Finding, ...] = ()
    more: int = 0  # findings that are not among them
    printed: tuple[str, ...] = ()  # the first lines that the submission printed
    replay: str = ""  # the command that repeats it

    @property
    def line(self) -> int | None:
        """Of the finding that stands first."""
        return self.findings[0].line if self.findings and not self.said else None

    @property
    def short(self) -> str:
        """`race @31`, `mismatch, race @31`."""
        first = self.kind if self.line is None else f"{self.kind} @{self.line}"
        more = [f"{finding.kind} @{finding.line}" for finding in self.findings if not finding.warning]
        return ", ".join(dict.fromkeys([first, *more]))


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a part was beside the reference, turn by turn in one run."""

    input: str  # the kind that was timed: "50 %"; empty where a part has one kind
    share: float  # of the reference's speed, the median of all turns
    low: float  # the interval that holds the true share
    high: float
    milliseconds: float  # a call, the median
    reference: float  # the reference's


@dataclass(frozen=True, slots=True)
class Outcome:
    """One test of one suite."""

    id: str  # the test's name, a sentence: scan_is_exclusive
    part: str
    aspect: str  # one of ASPECTS
    suite: SuiteKind
    status: Status
    message: str  # the failure in words; empty when passed
    seconds: float | None  # None when the suite did not measure it
    failure: Failure | None = None  # None when passed, and where the suite itself broke off
    speed: Speed | None = None  # of a test of speed, where there is one

    @property
    def unjudged(self) -> bool:
        """It says no more than that the result is wrong, which `correct` has said already."""
        return self.left_out or (
            self.aspect != "correct" and self.failure is not None and self.failure.kind == NOT_JUDGED
        )

    @property
    def left_out(self) -> bool:
        """It did not run: enough others had failed."""
        return self.failure is not None and self.failure.kind == NOT_RUN

    @property
    def failed(self) -> bool:
        """It ran, and did not pass."""
        return self.status is not Status.PASSED and not self.left_out


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
    proof: str = ""  # "checked at every n from 1 to 512", "not proved: ..."; empty where nothing can be
    meters: tuple[Meter, ...] = ()  # empty where the contract has no bounds, or nothing was counted
    proof_lengths: str = ""  # "n = 1 to 512, in place too; ...": all that were checked; empty where a premise fails

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


BUBBLEWRAP = "bubblewrap"  # all walls stand


@dataclass(frozen=True, slots=True)
class SandboxInfo:
    """Whether the submission's code ran locked in, and how, or if not, why."""

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
