"""Reads the report of a suite: one Outcome for each <test> of Check's XML (0.15), with the suite's record for each that
failed."""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

from grader.model.findings import read_failures, status_of
from grader.model.types import ASPECTS, Failure, Outcome, Status, SuiteKind
from grader.model.words import message as words

NAMESPACE = "{http://check.sourceforge.net/ns}"
SIZE_CAP = 64 << 20  # limit for one report, in bytes

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_REFERENCE = re.compile(r"&#(?:x([0-9A-Fa-f]+)|([0-9]+));")


class ReportError(Exception):
    """No suite of the course could have written this report."""


def read_report(path: Path, failures: Path, suite: SuiteKind) -> tuple[Outcome, ...]:
    """Returns the tests in the order in which they ran. ReportError describes what is wrong with the report or with the
    records."""
    try:
        if path.stat().st_size > SIZE_CAP:
            raise ReportError(f"its report is larger than {SIZE_CAP >> 20} MiB")
        text = path.read_bytes().decode("utf-8", errors="replace")
    except FileNotFoundError:
        raise ReportError("it wrote no report") from None
    except OSError as error:
        raise ReportError(f"its report cannot be read: {error.strerror}") from error
    try:
        root = ElementTree.fromstring(_legal(text))
    except ElementTree.ParseError as error:
        raise ReportError(f"its report is cut off or malformed: {error}") from error
    if root.tag != f"{NAMESPACE}testsuites":
        raise ReportError(f"its report is not one of Check's: the outermost element is {root.tag}")
    tests = root.findall(f"{NAMESPACE}suite/{NAMESPACE}test")
    try:
        records = iter(read_failures(failures))
    except ValueError as error:
        raise ReportError(str(error)) from error
    outcomes = [_read_test(test, suite, records) for test in tests]
    if next(records, None) is not None:
        raise ReportError("it wrote records of failures that its report does not have")
    return tuple(_with_unique_names(outcomes, [_field(test, "iteration") for test in tests]))


def _read_test(
    test: ElementTree.Element, suite: SuiteKind, records: Iterator[tuple[tuple[str, str, str], Failure]]
) -> Outcome:
    name = _field(test, "id")
    parts = _field(test, "description").split()
    if len(parts) != 2 or parts[1] not in ASPECTS:
        raise ReportError(f"test {name}: its TCase is named {' '.join(parts)!r}, not '<part> {'|'.join(ASPECTS)}'")
    part, aspect = parts
    result = test.get("result")
    failure: Failure | None = None
    if result == "success":
        status, message = Status.PASSED, ""
    elif result == "failure":
        of, failure = next(records, (None, None))
        if failure is None or of != (part, aspect, name):
            why = "of another test" if of else "missing"
            raise ReportError(f"test {name} failed, and its record is {why}")
        status, message = status_of(failure), words(failure)
    elif result == "error":  # the suite itself was killed, or exceeded Check's time limit
        status, message = Status.GRADER_FAULT, _field(test, "message").strip()
    else:
        raise ReportError(f"test {name}: its result is {result!r}")
    return Outcome(name, part, aspect, suite, status, message, _seconds(test), failure)


def _seconds(test: ElementTree.Element) -> float | None:
    try:
        seconds = float(_field(test, "duration"))
    except ValueError as error:
        raise ReportError(f"test {_field(test, 'id')}: its duration is not a number") from error
    return seconds if seconds >= 0 else None  # Check writes -1 for a failed test


def _field(test: ElementTree.Element, name: str) -> str:
    element = test.find(f"{NAMESPACE}{name}")
    if element is None:
        raise ReportError(f"a test has no <{name}>")
    return element.text or ""


def _with_unique_names(outcomes: list[Outcome], iterations: list[str]) -> list[Outcome]:
    """A looped test has one row for each iteration, so its names become name[iteration]."""
    keys = [(outcome.part, outcome.aspect, outcome.id) for outcome in outcomes]
    rows = Counter(keys)
    return [
        replace(outcome, id=f"{outcome.id}[{turn}]") if rows[key] > 1 else outcome
        for outcome, key, turn in zip(outcomes, keys, iterations, strict=True)
    ]


def _legal(text: str) -> str:
    """Replaces characters that XML cannot represent: a message may quote the output of a submission."""

    def legal_reference(match: re.Match[str]) -> str:
        code = int(match[1], 16) if match[1] else int(match[2])
        return match[0] if code <= sys.maxunicode and not _ILLEGAL.match(chr(code)) else "?"

    return _REFERENCE.sub(legal_reference, _ILLEGAL.sub("?", text))
