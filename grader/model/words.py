"""The text of a failed test, in English. No other module makes text from a failure. The sentences of a finding
are those of the device (simt/report/finding_text.c), which also prints them itself for programs of simtcc.
"""

from collections.abc import Iterator, Sequence

from grader.model.types import Failure, Finding, Outcome

INDENT = "    "
UNJUDGED = "not judged while the result is wrong"
REPLAY = "replay: "
_MOST_LINES = 12  # lines below the first one


def tally(tests: Sequence[Outcome], what: str = "tests") -> str:
    """For example: 3 of 14 tests failed, 11 were not run."""
    left_out = sum(test.left_out for test in tests)
    if left_out == len(tests):
        return f"no {what} ran: the points are lost"
    failed = f"{sum(test.failed for test in tests)} of {len(tests)} {what} failed"
    return failed + (f", {left_out} {'was' if left_out == 1 else 'were'} not run" if left_out else "")


def message(failure: Failure) -> str:
    """The whole message: findings, what is wrong, what the submission printed, and at the end the command that repeats
    it."""
    pieces = [own_words(failure), printed_words(failure), f"{REPLAY}{failure.replay}" if failure.replay else ""]
    return "\n".join(filter(None, pieces))


def own_words(failure: Failure) -> str:
    """The message without what the submission printed and without the command."""
    if failure.call is None:
        return "\n".join(failure.said)
    rest = [f"in: {failure.call.words}", *failure.said[1 : 1 + _MOST_LINES], *failure.context]
    said = [*failure.said[:1], *(INDENT + line for line in rest)]
    first = _first_findings(failure)
    findings = list(_findings(failure.findings, 0, first))
    others = list(_findings(failure.findings, first, len(failure.findings)))
    if failure.more:
        (others if first < len(failure.findings) else findings).append(
            f"{INDENT}... and {failure.more} more finding{'' if failure.more == 1 else 's'}"
        )
    return "\n".join([*findings, *said, *others])


def _first_findings(failure: Failure) -> int:
    """How many findings come before the statement about the call.

    The first finding names the line to correct and may explain the wrong result, so it comes first. A warning or a leak
    explains no wrong result, so it comes after the statement.
    """
    if not failure.said:
        return len(failure.findings)
    explains = [not finding.warning and finding.kind != "leak" for finding in failure.findings[:1]]
    return sum(explains)


def _findings(findings: Sequence[Finding], begin: int, end: int) -> Iterator[str]:
    """The lines of findings[begin:end]. One with the cause of an earlier one is one line: its advice would mislead."""
    for i in range(begin, end):
        if any(_is_explained(findings[i], earlier) for earlier in findings[:i]):
            yield f"{INDENT}also {_heading(findings[i])}"
        else:
            yield from _finding(findings[i])


def _is_explained(finding: Finding, earlier: Finding) -> bool:
    """True when the earlier finding is likely to have the same cause: it is about the same array, or it has the same
    title. A thread that reads too early, in a race, may read junk. A leak has a cause of its own."""
    if finding.warning or earlier.warning or finding.kind == "leak":
        return False
    of_array = finding.array != "" and finding.array == earlier.array
    if finding.kind == "uninitialized" and earlier.kind == "race":
        return of_array and finding.line in earlier.lines
    return finding.kind == earlier.kind and (of_array or finding.title == earlier.title)


def printed_words(failure: Failure) -> str:
    """The first lines that the submission printed; empty when it printed nothing."""
    return "\n".join(["it printed:", *(INDENT + line for line in failure.printed)]) if failure.printed else ""


def title(finding: Finding) -> str:
    """What is wrong, without file and line: race on shared buffer[17] (4 times)."""
    return finding.title + (f" ({finding.count} times)" if finding.count > 1 else "")


def detail(finding: Finding) -> list[str]:
    """The lines below the title. The last one is what to try."""
    lines = [*_sides(finding), *finding.detail]
    if finding.consequence:
        lines.append("an earlier finding may be the reason")
    if finding.hint:
        lines.append(f"try: {finding.hint}")
    return lines


def _sides(finding: Finding) -> list[str]:
    """Two sides with something missing between them make one sentence; otherwise each side has its own line."""
    said = [f"{side.who} {side.does}{_at(finding, side.file, side.line)}" for side in finding.sides]
    return [", ".join([*said, finding.missing])] if finding.missing else said


def _at(finding: Finding, file: str, line: int) -> str:
    if line == 0:
        return ""
    return f" at line {line}" if file == finding.file else f" at {file}:{line}"


def _heading(finding: Finding) -> str:
    place = f"{finding.file}:{finding.line}  " if finding.file else ""
    function = f"{finding.function}: " if finding.function else ""
    return f"{place}{function}{'warning: ' if finding.warning else ''}{title(finding)}"


def _finding(finding: Finding) -> Iterator[str]:
    yield _heading(finding)
    yield from (INDENT + line for line in detail(finding))
