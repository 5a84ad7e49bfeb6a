"""Findings and compile errors as remarks on a submission's lines. Pure.

What the submission printed makes no remark.
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
    """One thing to say of one line."""

    file: str
    line: int  # from 1
    column: int  # from 1; 1 where it is not known
    level: str  # error | warning | note
    title: str
    detail: str  # lines; may be empty
    parts: tuple[str, ...]  # in whose tests it was found; empty of a compiler's
    tests: int  # failed tests that say so; 0 of a compiler's


def remarks(lab: LabResult) -> list[Remark]:
    """All that is said of the lines of this lab's file, in their order; what several tests say, once."""
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
    """Two findings that differ in an index, a thread or a count are one."""
    return re.sub(r"[0-9]+", "0", title)


def _joined(first: Remark, second: Remark) -> Remark:
    parts = tuple(dict.fromkeys((*first.parts, *second.parts)))
    return Remark(
        first.file, first.line, first.column, first.level, first.title, first.detail, parts, first.tests + second.tests
    )
