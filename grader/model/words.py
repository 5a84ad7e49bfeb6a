"""What people read of a failed test, in English: the one place that makes text of a failure. Pure.

The same words come from a suite at a terminal: labs/support/suite/suite_message.c, and simt/report/finding_text.c for
findings. A test holds the two to each other.
"""

from collections.abc import Iterator, Sequence

from grader.model.types import Failure, Finding, Outcome

INDENT = "    "
REPLAY = "replay: "
_MOST_LINES = 12  # below the first


def tally(tests: Sequence[Outcome], what: str = "tests") -> str:
    """3 of 14 tests failed, 11 were not run"""
    left_out = sum(test.left_out for test in tests)
    if left_out == len(tests):
        return f"no {what} ran: the points are lost"
    failed = f"{sum(test.failed for test in tests)} of {len(tests)} {what} failed"
    return failed + (f", {left_out} {'was' if left_out == 1 else 'were'} not run" if left_out else "")


def message(failure: Failure) -> str:
    """All of it: findings, what is wrong, what was printed, and the command that repeats it, at the end."""
    pieces = [own_words(failure), printed_words(failure), f"{REPLAY}{failure.replay}" if failure.replay else ""]
    return "\n".join(filter(None, pieces))


def own_words(failure: Failure) -> str:
    """Without what the submission printed, and without the command."""
    if failure.call is None:
        return "\n".join(failure.said)
    rest = [f"in: {failure.call.words}", *failure.said[1 : 1 + _MOST_LINES], *failure.context]
    said = [*failure.said[:1], *(INDENT + line for line in rest)]
    first = _first_findings(failure)
    findings = [line for finding in failure.findings[:first] for line in _finding(finding)]
    others = [line for finding in failure.findings[first:] for line in _finding(finding)]
    if failure.more:
        (others if first < len(failure.findings) else findings).append(
            f"{INDENT}... and {failure.more} more finding{'' if failure.more == 1 else 's'}"
        )
    return "\n".join([*findings, *said, *others])


def _first_findings(failure: Failure) -> int:
    """How many findings come before what the call did wrong. The most telling one names the line that is to be mended,
    so it comes first, and the wrong result that it may explain after it; a warning or a leak explains nothing."""
    if not failure.said:
        return len(failure.findings)
    explains = [not finding.warning and finding.kind != "leak" for finding in failure.findings[:1]]
    return sum(explains)


def printed_words(failure: Failure) -> str:
    """The first lines that the submission printed; empty when it printed nothing."""
    return "\n".join(["it printed:", *(INDENT + line for line in failure.printed)]) if failure.printed else ""


def title(finding: Finding) -> str:
    """What is wrong, without the place: race on shared buffer[17] (4 times)."""
    return finding.title + (f" ({finding.count} times)" if finding.count > 1 else "")


def detail(finding: Finding) -> list[str]:
    """The lines below the title, the last of them what to try."""
    lines = [*_sides(finding), *finding.detail]
    if finding.consequence:
        lines.append("an earlier finding may be the reason")
    if finding.hint:
        lines.append(f"try: {finding.hint}")
    return lines


def _sides(finding: Finding) -> list[str]:
    """Two sides with nothing between them make one sentence; groups of threads have a line each."""
    said = [f"{side.who} {side.does}{_at(finding, side.file, side.line)}" for side in finding.sides]
    return [", ".join([*said, finding.missing])] if finding.missing else said


def _at(finding: Finding, file: str, line: int) -> str:
    if line == 0:
        return ""
    return f" at line {line}" if file == finding.file else f" at {file}:{line}"


def _finding(finding: Finding) -> Iterator[str]:
    place = f"{finding.file}:{finding.line}  " if finding.file else ""
    function = f"{finding.function}: " if finding.function else ""
    yield f"{place}{function}{'warning: ' if finding.warning else ''}{title(finding)}"
    yield from (INDENT + line for line in detail(finding))
