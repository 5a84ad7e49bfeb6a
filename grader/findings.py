"""What a failed test's message reports: its kind, and the findings in it with their places. Pure.

The messages are those that students read; their words come from labs/support/suite/*.c and from the checks of
simt/. A finding begins with its place (`naive_scan.cu:31  scan_in_place_kernel: race on ...`), and indented lines
that belong to it follow.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MISMATCH = "mismatch"
NOT_JUDGED = "not judged"


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of report is told."""

    pattern: re.Pattern[str]  # searched for in a finding's title, or matched with a message's first line
    has_place: bool  # a finding, which names lines; else a statement about the call


def _finding(pattern: str) -> Kind:
    return Kind(re.compile(pattern), True)


def _statement(pattern: str) -> Kind:
    return Kind(re.compile(pattern), False)


# In the order in which they are tried.
KINDS = {
    "race": _finding(r"^race on |^the same value is written several times|^no fence between the flag"),
    "uninitialized": _finding(r"\buninitialized\b"),
    "barrier divergence": _finding(r"wait at different barriers|reach this barrier|synchronizes its grid"),
    "warp misuse": _finding(
        r"takes? no part in|mask of its own|in the mask|__\w+_sync\b|lanes that never come"
        r"|name different masks|wait in different operations"
    ),
    "leak": _finding(r"^leak: "),
    "deadlock": _finding(r"^deadlock in "),
    "endless loop": _finding(r" does not end$| is too slow$|^infinite "),
    "launch refused": _finding(r"^launch of .* refused"),
    "host pointer": _finding(r"of host (?:memory|variable)\b.*in a kernel|free of host memory"),
    "device pointer": _finding(r"^host code |of device memory in host code|is for kernels, and host code"),
    "use after free": _finding(r"freed\b"),
    "null pointer": _finding(r"through a null pointer"),
    "wild pointer": _finding(r"through a wild pointer"),
    "out of bounds": _finding(r"\bout of bounds\b"),
    "misaligned": _finding(r"^misaligned "),
    "index of 32 bits": _finding(r"^(?:index|length) of 32 bits: |^host code launches kernels, and does not end"),
    "write to an input": _finding(r"which is an input\b"),
    "function not allowed": _finding(r" calls \w+, and its contract allows "),
    "runtime call": _finding(r"^cuda\w+: |^cuda\w+ is called|is wanted|are wanted"),
    "other finding": _finding(
        r"another thread's|constant memory|stack overflow|assertion|__trap|division by zero|without a return"
        r"|\(\) of 0 is anything"
    ),
    "over the bound": _statement(r"(?P<variable>[a-z0-9 -]+): \d+ counted, at most "),
    "work not shared": _statement(r"(?:one thread|one block|each thread) does |the work is one after the other: "),
    "work of the host": _statement(r"the host (?:gets the data|makes the result): "),
    "too few additions": _statement(r"combines: \d+ counted, at least |combines: .*different ranges of the input"),
    "input changed": _statement(r"\w+\[\d+\] was changed from "),
    "different bits": _statement(r"the sum is .* in an earlier call with the same input"),
    "error": _statement(r"the call ended with "),
    "timed out": _statement(r"timed out: "),
    "crashed": _statement(r"crashed: "),
    "missing": _statement(r"missing: "),
    NOT_JUDGED: _statement(r"not judged"),
    MISMATCH: _statement(r""),  # everything else: the result is wrong
}

_PLACE = re.compile(  # the function is not always known
    r"\s*(?P<file>[\w.+-]+\.cuh?):(?P<line>\d+)  "
    r"(?:(?!leak: |warning: |cuda[A-Z]\w*: )(?P<function>[A-Za-z_][\w:]*(?:<.*>)?): )?"
    r"(?P<warning>warning: )?(?P<title>.*)"
)
_LINE_NUMBERS = re.compile(r"\b(?:line |\.cu:)(\d+)")
_REPLAY = "replay: "


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of the device, as a message shows it."""

    kind: str  # a key of KINDS, or "unknown"
    file: str
    line: int
    title: str
    detail: str
    warning: bool

    @property
    def lines(self) -> frozenset[int]:
        """All lines of the submission that it names."""
        return frozenset({self.line, *(int(number) for number in _LINE_NUMBERS.findall(self.detail))})

    def names(self, variable: str) -> bool:
        """Whether the title names the variable."""
        return re.search(rf"(?<![\w.]){re.escape(variable)}(?!\w)", self.title) is not None


@dataclass(frozen=True, slots=True)
class Report:
    """What one message says."""

    kind: str  # of what stands first
    line: int | None  # of the finding that stands first
    variable: str  # the meter that is over its bound; else empty
    findings: tuple[Finding, ...]
    text: str

    @property
    def short(self) -> str:
        """`race @31`, `mismatch, race @31`."""
        first = self.kind if self.line is None else f"{self.kind} @{self.line}"
        more = [f"{finding.kind} @{finding.line}" for finding in self.findings if not finding.warning]
        return ", ".join(dict.fromkeys([first, *more]))


def read_message(message: str) -> Report:
    """The report of a failed test's message."""
    findings = tuple(_findings(message.splitlines()))
    head = message.partition("\n")[0]
    first = _PLACE.fullmatch(head)
    if first is not None and findings:
        return Report(findings[0].kind, findings[0].line, "", findings, message)
    for name, kind in KINDS.items():
        if not kind.has_place and (match := kind.pattern.match(head)):
            return Report(name, None, match.groupdict().get("variable", ""), findings, message)
    raise AssertionError("the last kind matches everything")


def classify(title: str) -> str:
    """The kind of a finding with this title."""
    return next((name for name, kind in KINDS.items() if kind.has_place and kind.pattern.search(title)), "unknown")


def _findings(lines: list[str]) -> Iterator[Finding]:
    i = 0
    while i < len(lines):
        match = _PLACE.fullmatch(lines[i])
        i += 1
        if match is None:
            continue
        detail: list[str] = []
        while i < len(lines) and lines[i].startswith(" ") and not _PLACE.fullmatch(lines[i]):
            detail.append(lines[i].strip())
            i += 1
        yield Finding(
            classify(match["title"]),
            match["file"],
            int(match["line"]),
            match["title"],
            "\n".join(detail),
            match["warning"] is not None,
        )
