"""Prints the kill matrix on the terminal and the progress of the audit."""

import json
import statistics
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress
from typing_extensions import Self

from grader.audit.exhaustive import MOST
from grader.audit.run import Audit, Verdict
from grader.audit.trials import CLASSES

_MESSAGE_LINES = 6
_INDENT = 8
_LINE_EVERY = 20  # print a line after so many trials, when the output is not a terminal


def verdict_word(verdict: Verdict) -> str:
    """One word for a verdict, in capitals when a person must act."""
    if verdict.broken or verdict.void:
        return "BROKEN" if verdict.broken else "does not compile"
    if verdict.trial.shortcut is not None and not verdict.good:
        return "EARNS POINTS" if not verdict.killed else "DOES NOT SAY WHY"
    if verdict.trial.shortcut is not None:
        return "no points"
    if verdict.trial.mutant is None:
        return "full score" if verdict.good else "LOST POINTS"
    if not verdict.killed:
        return "SURVIVED"
    return "killed" if verdict.expected_seen else "KILLED BY ANOTHER FINDING"


def print_matrix(console: Console, audit: Audit) -> None:
    """Prints the kill matrix, the details of what went wrong, and the closing line."""
    widths = [
        max([len(text) for verdict in audit.verdicts for text in [_columns(verdict)[i]]] + [len(head)])
        for i, head in enumerate(_HEADS)
    ]
    lab = part = ""
    for verdict in audit.verdicts:
        trial = verdict.trial
        if trial.lab.title != lab:
            lab, part = trial.lab.title, ""
            _out(console, f"\nLab {trial.lab.number}  {lab}")
            _out(console, "  " + _row(_HEADS, widths))
        now = trial.parts[0] if trial.mutant else _SHORTCUTS if trial.shortcut else _RIGHT
        if now != part:
            part = now
            _out(console, f"  {part}")
        _out(console, "  " + _row(_columns(verdict), widths))
    for verdict in audit.verdicts:
        if not verdict.good:
            _explain(console, verdict)
    _print_classes(console, audit)
    _print_smallest(console, audit)
    _out(console, "")
    _out(console, closing_line(audit))


def _print_classes(console: Console, audit: Audit) -> None:
    """Prints how many mutants of each class were killed."""
    rows = [_CLASS_HEADS]
    for name in CLASSES:
        mutants = [verdict for verdict in audit.mutants if verdict.trial.mutant and verdict.trial.mutant.group == name]
        if mutants:
            killed, expected = sum(v.killed for v in mutants), sum(v.good for v in mutants)
            rows.append((name, str(len(mutants)), str(killed), str(expected), "" if expected == len(mutants) else "!"))
    if len(rows) == 1:
        return
    widths = [max(len(row[i]) for row in rows) for i in range(len(_CLASS_HEADS))]
    _out(console, "")
    for row in rows:
        _out(console, "  " + _row(row, widths))


def _print_smallest(console: Console, audit: Audit) -> None:
    """Prints, for each lab and for all, how small the calls are that messages about wrong results and races show, and
    what they show of races."""
    if sum(verdict.smallest is not None for verdict in audit.mutants) > 1:
        drawn = f"; mutants drawn with seed {audit.drawn_with}" if audit.drawn_with is not None else ""
        _out(console, f"\n  smallest failing calls found: median, 95th percentile{drawn}")
        shown = _smallest_lines(audit)
        widths = [max(len(line[i]) for line in shown) for i in range(len(_SMALLEST_HEADS))]
        for line in shown:
            _out(console, "  " + _row(line, widths))
    for sentence in _compared(audit)[:1]:
        _out(console, "  " + sentence)
    if any(verdict.race for verdict in audit.mutants):
        _out(console, "  " + _races_line(audit))


def _smallest_lines(audit: Audit) -> list[tuple[str, ...]]:
    labs = sorted({verdict.trial.lab.number for verdict in audit.mutants})
    rows = [(str(lab), [v for v in audit.mutants if v.trial.lab.number == lab]) for lab in labs]
    lines = [_smallest_line(name, of) for name, of in [*rows, ("all", audit.mutants)]]
    return [_SMALLEST_HEADS, *(line for line in lines if line[1] != "0")]


def _races_line(audit: Audit) -> str:
    races = Counter(verdict.race.what for verdict in audit.mutants if verdict.race)
    return "messages about races show " + ", ".join(f"{what}: {n}" for what, n in races.most_common())


def to_table(audit: Audit) -> str:
    """The smallest calls, and what is shown of each race, as a page in Markdown."""
    drawn = f", of mutants drawn with seed {audit.drawn_with}" if audit.drawn_with is not None else ""
    page = [f"# The smallest failing calls{drawn}", "", "Two numbers are the median and the 95th percentile.", ""]
    page += _markdown(_smallest_lines(audit))
    compared = _compared(audit)
    page += ["", *compared] if compared else []
    races = [_race_columns(v) for v in audit.mutants if v.trial.mutant and v.trial.mutant.kind == "race"]
    if races:
        page += ["", "# Races", "", f"The {_races_line(audit)}.", "", *_markdown([_RACE_HEADS, *races])]
    return "\n".join(page) + "\n"


def _compared(audit: Audit) -> list[str]:
    """How many of the calls found are as small as the smallest of all calls, and the others; nothing if these were not
    made."""
    compared = [(v, v.smallest, v.smallest.least) for v in audit.mutants if v.smallest and v.smallest.least]
    larger = [
        (str(verdict.trial.lab.number), verdict.trial.parts[0], verdict.trial.name, str(found.elements), str(least))
        for verdict, found, least in compared
        if found.elements > least
    ]
    if not compared:
        return []
    smallest = len(compared) - len(larger)
    line = (
        f"Of {len(compared)} mutants with a wrong result, {smallest} ({100 * smallest / len(compared):.0f} %) are "
        f"shown with as few elements as any wrong call has, of all calls with up to {MOST} elements."
    )
    return [line, *(["", *_markdown([_LARGER_HEADS, *larger])] if larger else [])]


def _race_columns(verdict: Verdict) -> tuple[str, ...]:
    race = verdict.race
    size = f"{verdict.smallest.elements}" if verdict.smallest else ""
    what, line = (race.what, race.line) if race else ("no race is reported", verdict.broken.partition("\n")[0])
    return str(verdict.trial.lab.number), verdict.trial.parts[0], verdict.trial.name, size, what, line


def _markdown(rows: list[tuple[str, ...]]) -> list[str]:
    lines = ["| " + " | ".join(text.replace("|", "\\|") for text in row) + " |" for row in rows]
    return [lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]]


def _smallest_line(name: str, verdicts: list[Verdict]) -> tuple[str, ...]:
    sizes = [verdict.smallest for verdict in verdicts if verdict.smallest]
    return (
        name,
        str(len(sizes)),
        _spread([size.elements for size in sizes]),
        _spread([size.tiles for size in sizes]),
        _spread([size.seconds for size in sizes]),
    )


def _spread(values: Sequence[float]) -> str:
    """The median and the 95th percentile."""
    if len(values) < 2:
        return ", ".join(f"{value:g}" for value in values)
    return f"{statistics.median(values):g}, {statistics.quantiles(values, n=20, method='inclusive')[-1]:.4g}"


def closing_line(audit: Audit) -> str:
    """`N mutants: N killed, N by the expected finding; K shortcuts: K without points; M alternatives: M at 100 %`."""
    mutants, alternatives = audit.mutants, audit.alternatives
    killed, expected = (sum(v.killed for v in mutants), sum(v.good for v in mutants))
    full, empty = sum(v.good for v in alternatives), sum(v.good for v in audit.shortcuts)
    return (
        f"{len(mutants)} mutants: {killed} killed, {expected} by the expected finding; "
        f"{len(audit.shortcuts)} shortcuts: {empty} without points; "
        f"{len(alternatives)} alternatives: {full} at 100 %"
    )


def count_line(audit: Audit) -> str:
    """The line `audit: N passed, N failed`, which `make check` adds up."""
    good = sum(verdict.good for verdict in audit.verdicts)
    return f"audit: {good} passed, {len(audit.verdicts) - good} failed"


def to_json(audit: Audit) -> str:
    """All verdicts as JSON, for other tools."""
    return json.dumps([_as_data(verdict) for verdict in audit.verdicts], indent=1, ensure_ascii=False) + "\n"


def _as_data(verdict: Verdict) -> dict[str, Any]:
    trial = verdict.trial
    return {
        "lab": trial.lab.number,
        "part": trial.parts[0] if trial.mutant else None,
        "name": trial.name,
        "title": trial.mutant.title if trial.mutant else None,
        "class": trial.mutant.group if trial.mutant else None,
        "expected": trial.expected,
        "reported": verdict.reported,
        "lost": verdict.lost,
        "worth": verdict.worth,
        "verdict": verdict_word(verdict),
        "message": verdict.broken or verdict.message,
        "smallest": asdict(verdict.smallest) if verdict.smallest else None,
        "race": asdict(verdict.race) if verdict.race else None,
    }


_SHORTCUTS, _RIGHT = "shortcuts, all parts", "right solutions, all parts"
_SMALLEST_HEADS = ("lab", "mutants", "elements", "tiles", "seconds of the test")
_LARGER_HEADS = ("lab", "part", "mutant", "elements found", "of the smallest")
_RACE_HEADS = ("lab", "part", "mutant", "elements", "the message shows", "as")
_CLASS_HEADS = ("class", "mutants", "killed", "as expected", "")
_HEADS = ("", "expected", "reported first", "lost", "")


def _columns(verdict: Verdict) -> tuple[str, ...]:
    lost = f"{verdict.lost} of {verdict.worth}" if verdict.worth else ""
    return (f"  {verdict.trial.name}", verdict.trial.expected, verdict.reported or "-", lost, verdict_word(verdict))


def _row(columns: tuple[str, ...], widths: list[int]) -> str:
    return "  ".join(f"{text:<{width}}" for text, width in zip(columns, widths, strict=True)).rstrip()


def _explain(console: Console, verdict: Verdict) -> None:
    trial = verdict.trial
    where = f"{trial.entry.where}, {trial.name}" if trial.entry else f"lab {trial.lab.number}, {trial.name}"
    _out(console, f"\n{verdict_word(verdict)}: {where}")
    if trial.mutant:
        _out(console, f"    {trial.mutant.title}")
        if not verdict.broken:
            _out(
                console,
                f"    expected: {trial.expected}"
                + "".join(f", saying {text!r}" for text in trial.mutant.wanted(trial.parts[0])),
            )
    said = (verdict.broken or verdict.message).splitlines()
    for line in said if trial.shortcut else said[:_MESSAGE_LINES]:
        _out(console, f"{'':{_INDENT}}{line}")
    if trial.mutant and not verdict.broken and not verdict.killed:
        _out(console, "    try: a test that tells it from the reference, or is it right after all?")
    if trial.made and not verdict.killed:
        _out(console, f"    what is right belongs in reference/trials/{trial.lab.stem}/equivalent/")


def _out(console: Console, text: str) -> None:
    console.out(text, highlight=False)


class AuditProgress(AbstractContextManager["AuditProgress"]):
    """Shows a bar on a terminal, or prints lines elsewhere."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None
        self._bad = 0
        self._done = 0
        self._all = 0

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._bar = RichProgress(
                TextColumn("{task.description}"),
                BarColumn(bar_width=None),
                MofNCompleteColumn(),
                TextColumn("{task.fields[state]}"),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
                console=self._console,
                transient=True,
                expand=True,
            )
            self._bar.start()
            self._task = self._bar.add_task("building the suites", total=None, state="")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def begin(self, trials: int) -> None:
        self._all = trials
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, total=trials, description="audit")

    def seen(self, verdict: Verdict) -> None:
        self._bad += not verdict.good
        self._done += 1
        if self._bar is not None and self._task is not None:
            state = f"{verdict.trial.lab.stem}/{verdict.trial.name}"
            self._bar.update(self._task, advance=1, state=f"{state}, {self._bad} bad" if self._bad else state)
            return
        if not verdict.good:
            _out(self._console, f"{verdict_word(verdict)}: {verdict.trial.lab.stem}/{verdict.trial.name}")
        if self._done % _LINE_EVERY == 0:
            _out(self._console, f"{self._done} of {self._all}")
