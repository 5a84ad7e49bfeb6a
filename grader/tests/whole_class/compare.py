"""Compares the results of several gradings of a class, and counts the checks."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.model import gradebook
from grader.model.gradebook import Gradebook
from grader.model.layout import Course

COURSE = Course(Path(__file__).resolve().parents[3])

_TIMES = {"started", "duration", "seconds"}


@dataclass
class Tally:
    """Counts the checks."""

    passed: int = 0
    failed: int = 0

    def check(self, holds: bool, what: str, otherwise: str = "") -> None:
        """Counts one property and prints it."""
        self.passed += holds
        self.failed += not holds
        print(f"{'ok' if holds else 'NOT OK'}: {what}{'' if holds or not otherwise else f': {otherwise}'}", flush=True)


def book_path(name: str) -> Path:
    """The path of a batch's gradebook."""
    return COURSE.build / "class" / name / gradebook.JSON_NAME


def read_book(name: str) -> Gradebook:
    """The gradebook of a batch."""
    return gradebook.from_json(book_path(name).read_text(encoding="utf-8"))


def check_same(tally: Tally, name: str, other: str, how: str) -> None:
    """Checks that the gradebooks are equal to the byte, and all results.json except for times."""
    mine, theirs = (book_path(one).read_bytes() for one in (name, other))
    same = mine.replace(f'"batch": "{name}"'.encode(), f'"batch": "{other}"'.encode()) == theirs
    tally.check(same, f"{how}: the same gradebook", f"{book_path(name)} differs from {book_path(other)}")
    differ = [
        f"{path.parent.name}: {where}"
        for path in sorted(book_path(other).parent.glob("submissions/*/results.json"))
        for where in differences(
            _table(path), _table(book_path(name).parent / path.relative_to(book_path(other).parent))
        )
    ]
    tally.check(not differ, f"{how}: the same tests and messages", "\n".join(differ[:10]))


def differences(a: Any, b: Any, where: str = "") -> Iterator[str]:
    """The differences of two JSON tables, without times."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted({*a, *b} - _TIMES):
            yield from differences(a.get(key), b.get(key), f"{where}.{key}")
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            yield from differences(x, y, f"{where}[{i}]")
    elif a != b:
        yield f"{where}: {str(a)[:200]!r}, {str(b)[:200]!r}"


def _table(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
