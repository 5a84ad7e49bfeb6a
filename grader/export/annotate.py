"""Turns findings and compile errors into remarks on the lines of a submission. Pure.

The output of the submission never becomes a remark.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.model.types import LabResult, Outcome, Status
from grader.model.words import detail, title

_COMPILER = re.compile(
    r"^(?P<file>[\w.+-]+):(?P<line>[0-9]{1,9}):(?:(?P<column>[0-9]{1,9}):)? "
    r"(?P<level>fatal error|error|warning|note): (?P<title>.*)$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark on one line."""

    file: str
    line: int  # counted from 1
    column: int  # counted from 1; 1 when it is unknown
    level: str  # error | warning | note
    title: str
    detail: str  # further lines; may be empty
    parts: tuple[str, ...]  # parts in whose tests it was found; empty for a compiler's remark
    tests: int  # number of failed tests with this remark; 0 for a compiler's remark


def remarks(lab: LabResult) -> list[Remark]:
    """All remarks on the lines of this lab's file, sorted by line. A remark that several tests make is listed once."""
    found = {(r.file, r.line, r.column, r.title): r for r in _of_compiler(lab)}
    for part in lab.parts:
        for aspect in part.aspects:
            for test in aspect.tests:
                for remark in _of_test(test):
                    key = (remark.file, remark.line, remark.column, _essence(remark.title))
                    found[key] = _joined(found[key], remark) if key in found else remark
    return sorted(found.values(), key=lambda r: (r.file, r.line, r.column))


def _of_compiler(lab: LabResult) -> Iterator[Remark]:
    if lab.status is Status.DOES_NOT_COMPILE:
        for match in _COMPILER.finditer(lab.message):
            level = "error" if "error" in match["level"] else match["level"]
            column = int(match["column"] or 1)
            yield Remark(match["file"], int(match["line"]), column, level, match["title"], "", (), 0)


def _of_test(test: Outcome) -> Iterator[Remark]:
    failure = test.failure
    if failure is None:
        return
    call = [f"in: {failure.call.words}"] if failure.call is not None and not failure.said else []
    seen: set[tuple[str, int, str]] = set()
    for finding in failure.findings:
        key = (finding.file, finding.line, _essence(finding.title))
        if finding.file and key not in seen:
            seen.add(key)
            level = "warning" if finding.warning else "error"
            lines = "\n".join([*detail(finding), *call])
            yield Remark(finding.file, finding.line, 1, level, title(finding), lines, (test.part,), 1)


def _essence(title: str) -> str:
    """Removes numbers: findings that differ only in an index, a thread or a count are one remark."""
    return re.sub(r"[0-9]+", "0", title)


def _joined(first: Remark, second: Remark) -> Remark:
    parts = tuple(dict.fromkeys((*first.parts, *second.parts)))
    return Remark(
        first.file, first.line, first.column, first.level, first.title, first.detail, parts, first.tests + second.tests
    )
