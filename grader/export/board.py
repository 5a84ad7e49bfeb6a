"""The fastest parts of a class, among students who agreed to be shown.

A student agrees by a line `// board: NAME` in the lab's file; NAME is shown. Nothing is shown about other students, not
even their number. The ranking uses the times that were measured when the class was graded (grader/judge/speed.py): a
part's share of the reference's speed, on the kind of input for which it is slowest.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from grader.model.types import FAST, LabResult, Results, Speed, Status

NAME_CAP = 40  # characters of a name that are shown

_CONSENT = re.compile(r"^[ \t]*(?://|/\*)[ \t]*board:[ \t]*(\S.*?)[ \t]*(?:\*/[ \t]*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Row:
    """A student who agreed."""

    place: int  # 1 is the fastest; students whose speeds cannot be distinguished share a place
    name: str
    speed: Speed


@dataclass(frozen=True, slots=True)
class Board:
    """A part and the students who were timed on it, the fastest first."""

    lab: int
    title: str
    part: str
    rows: tuple[Row, ...]


def name_on_board(source: str) -> str:
    """The name in the first such line; empty when the student has not agreed."""
    found = _CONSENT.search(source.replace("\r\n", "\n"))
    return found[1][:NAME_CAP].strip() if found else ""


def boards(graded: Iterable[tuple[Results, dict[str, str]]]) -> list[Board]:
    """Makes a board for each part on which someone was timed. Each hand-in has its results and its sources (file name
    -> text)."""
    rows: dict[tuple[int, str, str], list[Row]] = {}
    for results, sources in graded:
        for lab in results.labs:
            name = name_on_board(sources.get(lab.source, ""))
            for part, speed in _timed(lab) if name else ():
                rows.setdefault((lab.number, lab.title, part), []).append(Row(0, name, speed))
    return [Board(*key, _placed(unplaced)) for key, unplaced in sorted(rows.items())]


def _timed(lab: LabResult) -> Iterator[tuple[str, Speed]]:
    """Yields the parts that are right, each with its speed on the input for which it is slowest."""
    for part in lab.parts:
        aspects = {aspect.name: aspect for aspect in part.aspects}
        if FAST not in aspects or "correct" not in aspects or aspects["correct"].status is not Status.PASSED:
            continue
        speeds = [test.speed for test in aspects[FAST].tests]
        known = [speed for speed in speeds if speed is not None]
        if known and len(known) == len(speeds):
            yield part.name, min(known, key=lambda speed: speed.share)


def _placed(rows: list[Row]) -> tuple[Row, ...]:
    """Sorts the rows. A row shares a place if its confidence interval overlaps that of the first row of the place."""
    placed: list[Row] = []
    first: Row | None = None  # first row of the current place
    for number, row in enumerate(sorted(rows, key=lambda row: (-row.speed.share, row.name)), start=1):
        if first is None or row.speed.high < first.speed.low:
            first = replace(row, place=number)
        placed.append(replace(row, place=first.place))
    return tuple(placed)
