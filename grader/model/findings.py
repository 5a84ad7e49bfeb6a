"""The kinds of failures and findings, and how a suite's record of a failed test is read.

A suite writes one line of JSON for each failed test (labs/support/suite/suite_record.c). This module takes kinds, lines
and variables from the record's fields, never from its sentences. The text that people read is made in
grader/model/words.py.
"""

import json
import re
from pathlib import Path
from typing import Any

from grader.model.types import NOT_JUDGED, NOT_RUN, Call, Element, Failure, Finding, Side, Status, Thread

MISMATCH = "mismatch"

# Kinds of findings of the device, which name lines: the same list as in simt/simt.h.
FINDINGS = (
    *("out of bounds", "wild pointer", "null pointer", "use after free", "host pointer", "device pointer"),
    *("write to constant memory", "write to an input", "misaligned", "index of 32 bits"),
    *("another thread's local memory", "barrier divergence", "warp misuse", "deadlock", "endless loop"),
    *("launch refused", "assertion failed", "crash", "race", "uninitialized", "runtime call"),
    *("function not allowed", "leak"),
)
# Kinds of statements about a call: the same list as in labs/support/suite/suite.h.
STATEMENTS = (
    *(MISMATCH, NOT_JUDGED, NOT_RUN, "input changed", "different bits", "over the bound", "work not shared"),
    *("work of the host", "too few additions", "leak", "error", "timed out", "crashed", "missing", "harness fault"),
)
KINDS = tuple(dict.fromkeys((*FINDINGS, *STATEMENTS)))

_STATUS = {
    "timed out": Status.TIMED_OUT,
    "crashed": Status.CRASHED,
    "missing": Status.MISSING,
    "harness fault": Status.GRADER_FAULT,
}
_SHAPE = re.compile(r"\d{1,18}x\d{1,18}", re.ASCII)  # rows and columns
SIZE_CAP = 64 << 20  # limit for the records of one suite, in bytes


def status_of(failure: Failure) -> Status:
    """The status of a test that failed in this way."""
    return _STATUS.get(failure.kind, Status.FAILED)


def read_failures(path: Path) -> list[tuple[tuple[str, str, str], Failure]]:
    """Reads the file that a suite wrote with --failures, in the order in which the tests ran.

    Returns ((part, aspect, test), failure) for each record, and nothing when there is no file. ValueError when no suite
    of the course could have written it.
    """
    try:
        if path.stat().st_size > SIZE_CAP:
            raise ValueError(f"its records of failures are larger than {SIZE_CAP >> 20} MiB")
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ValueError(f"its records of failures cannot be read: {error.strerror}") from error
    return [_read_line(line) for line in lines]


def _read_line(line: str) -> tuple[tuple[str, str, str], Failure]:
    try:
        table = json.loads(line)
        return (table["part"], table["aspect"], table["test"]), failure_from_table(table)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"a record of a failure is cut off or malformed: {error!r}") from error


def failure_from_table(table: dict[str, Any]) -> Failure:
    """Makes a Failure from a record, or from a test in results.json. KeyError, TypeError or ValueError when it is
    malformed."""
    if table["kind"] not in KINDS:
        raise ValueError(f"no kind of failure: {table['kind']!r}")
    call = None if table["call"] is None else Call(**table["call"])
    if call is not None and call.n is None and not _SHAPE.fullmatch(call.shape):
        raise ValueError(f"neither a length nor a shape: {call.shape!r}")
    return Failure(
        kind=table["kind"],
        meter=table["meter"],
        said=tuple(table["said"]),
        call=call,
        context=tuple(table["context"]),
        findings=tuple(_finding(finding) for finding in table["findings"]),
        more=table["more"],
        printed=tuple(table["printed"]),
        replay=table["replay"],
    )


def _finding(table: dict[str, Any]) -> Finding:
    if table["kind"] not in FINDINGS:
        raise ValueError(f"no kind of finding: {table['kind']!r}")
    element = table.get("element")
    parsed = {
        "sides": tuple(_side(side) for side in table["sides"]),
        "detail": tuple(table["detail"]),
        "element": element and Element(**element),
        "thread": _thread(table),
    }
    return Finding(**{**table, **parsed})


def _side(table: dict[str, Any]) -> Side:
    threads = tuple((first, last) for first, last in table.get("threads", ()))
    return Side(**{**table, "thread": _thread(table), "threads": threads})


def _thread(table: dict[str, Any]) -> Thread | None:
    thread = table.get("thread")
    return thread and Thread(tuple(thread["index"]), tuple(thread["block"]))
