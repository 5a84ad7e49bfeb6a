"""The fastest of a class, of those who agreed to be shown.

Who agrees says so in the hand-in, with the name that is to stand there: a line `// board: NAME` of the lab's file. Of
everybody else nothing is shown, nor how many they are. What is ranked was measured when the class was graded
(grader/judge/speed.py): a part's share of the reference's speed, on the kind of input that it is slowest on.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from grader.model.types import FAST, LabResult, Results, Speed, Status

NAME_CAP = 40  # characters that are shown

_CONSENT = re.compile(r"^[ \t]*(?://|/\*)[ \t]*board:[ \t]*(\S.*?)[ \t]*(?:\*/[ \t]*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Row:
    """One who agreed."""

    place: int  # 1 is the fastest; who cannot be told apart has the same
    name: str
    speed: Speed


@dataclass(frozen=True, slots=True)
class Board:
    """A part, and who was timed on it; fastest first."""

    lab: int
    title: str
    part: str
    rows: tuple[Row, ...]


def name_on_board(source: str) -> str:
    """What the first such line says; empty for who has not agreed."""
    found = _CONSENT.search(source.replace("\r\n", "\n"))
    return found[1][:NAME_CAP].strip() if found else ""


def boards(graded: Iterable[tuple[Results, dict[str, str]]]) -> list[Board]:
    """Of hand-ins' results and sources, these by their names: a board a part that somebody was timed on."""
    rows: dict[tuple[int, str, str], list[Row]] = {}
    for results, sources in graded:
        for lab in results.labs:
            name = name_on_board(sources.get(lab.source, ""))
            for part, speed in _timed(lab) if name else ():
                rows.setdefault((lab.number, lab.title, part), []).append(Row(0, name, speed))
    return [Board(*key, _placed(unplaced)) for key, unplaced in sorted(rows.items())]


def _timed(lab: LabResult) -> Iterator[tuple[str, Speed]]:
    """Parts that are right, each with the input on which it is slowest."""
    for part in lab.parts:
        aspects = {aspect.name: aspect for aspect in part.aspects}
        if FAST not in aspects or "correct" not in aspects or aspects["correct"].status is not Status.PASSED:
            continue
        speeds = [test.speed for test in aspects[FAST].tests]
        known = [speed for speed in speeds if speed is not None]
        if known and len(known) == len(speeds):
            yield part.name, min(known, key=lambda speed: speed.share)


def _placed(rows: list[Row]) -> tuple[Row, ...]:
    """In order. Who may be as fast as the first of a place, by both intervals, shares it."""
    placed: list[Row] = []
    first: Row | None = None  # of the place that is being filled
    for number, row in enumerate(sorted(rows, key=lambda row: (-row.speed.share, row.name)), start=1):
        if first is None or row.speed.high < first.speed.low:
            first = replace(row, place=number)
        placed.append(replace(row, place=first.place))
    return tuple(placed)
