"""Reads the XML report of a Check program (0.15): one Outcome for each <test>."""

import re
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

from grader.model import ASPECTS, Outcome, Status, SuiteKind

NAMESPACE = "{http://check.sourceforge.net/ns}"
SIZE_CAP = 64 << 20  # bytes of one report

_MESSAGE_STATUS = (
    ("timed out:", Status.TIMED_OUT),
    ("crashed:", Status.CRASHED),
    ("missing:", Status.MISSING),
    ("the harness itself failed:", Status.GRADER_FAULT),
    ("cannot start a runner:", Status.GRADER_FAULT),
)
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_REFERENCE = re.compile(r"&#(?:x([0-9A-Fa-f]+)|([0-9]+));")


class ReportError(Exception):
    """The report is not one that a suite of ours writes."""


def read_report(path: Path, suite: SuiteKind) -> tuple[Outcome, ...]:
    """The tests in the order in which they ran. ReportError says what is wrong with the report."""
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
    outcomes = [_read_test(test, suite) for test in tests]
    return tuple(_with_unique_names(outcomes, [_field(test, "iteration") for test in tests]))


def _read_test(test: ElementTree.Element, suite: SuiteKind) -> Outcome:
    name = _field(test, "id")
    words = _field(test, "description").split()
    if len(words) != 2 or words[1] not in ASPECTS:
        raise ReportError(f"test {name}: its TCase is named {' '.join(words)!r}, not '<part> {'|'.join(ASPECTS)}'")
    result = test.get("result")
    message = _field(test, "message").strip()
    if result == "success":
        status, message = Status.PASSED, ""
    elif result == "failure":
        status = _status_of(message)
        message = message or "failed without a message"
    elif result == "error":  # the suite itself was killed or ran out of Check's time
        status = Status.GRADER_FAULT
    else:
        raise ReportError(f"test {name}: its result is {result!r}")
    return Outcome(name, words[0], words[1], suite, status, message, _seconds(test))


def _status_of(message: str) -> Status:
    return next((status for start, status in _MESSAGE_STATUS if message.startswith(start)), Status.FAILED)


def _seconds(test: ElementTree.Element) -> float | None:
    try:
        seconds = float(_field(test, "duration"))
    except ValueError as error:
        raise ReportError(f"test {_field(test, 'id')}: its duration is not a number") from error
    return seconds if seconds >= 0 else None  # Check writes -1 for a test that failed


def _field(test: ElementTree.Element, name: str) -> str:
    element = test.find(f"{NAMESPACE}{name}")
    if element is None:
        raise ReportError(f"a test has no <{name}>")
    return element.text or ""


def _with_unique_names(outcomes: list[Outcome], iterations: list[str]) -> list[Outcome]:
    """A looped test is one row for each turn: name[turn]."""
    keys = [(outcome.part, outcome.aspect, outcome.id) for outcome in outcomes]
    rows = Counter(keys)
    return [
        replace(outcome, id=f"{outcome.id}[{turn}]") if rows[key] > 1 else outcome
        for outcome, key, turn in zip(outcomes, keys, iterations, strict=True)
    ]


def _legal(text: str) -> str:
    """Without the characters that XML has no way to hold: a message may quote what a submission printed."""

    def legal_reference(match: re.Match[str]) -> str:
        code = int(match[1], 16) if match[1] else int(match[2])
        return match[0] if code <= sys.maxunicode and not _ILLEGAL.match(chr(code)) else "?"

    return _REFERENCE.sub(legal_reference, _ILLEGAL.sub("?", text))
