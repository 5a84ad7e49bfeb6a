"""The kinds of failures and findings, and how a suite's record of a failed test is read.

A suite writes it as JSON (labs/support/suite/suite_record.c). This module takes kinds, lines
and variables from the record's fields, never from its sentences. The text that people read is made in
grader/model/words.py.
"""

import re
from typing import Any

from grader.model.types import NOT_JUDGED, Call, Element, Failure, Finding, Side, Status, Thread

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
    *(MISMATCH, NOT_JUDGED, "input changed", "different bits", "over the bound", "work not shared"),
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


def status_of(failure: Failure) -> Status:
    """The status of a test that failed in this way."""
    return _STATUS.get(failure.kind, Status.FAILED)


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
