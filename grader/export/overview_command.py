"""`python3 -m grader progress`, which is `make progress`: prints how far one's own work is, and writes a page of it."""

import argparse

from rich.console import Console
from rich.text import Text

from grader.export.overview import LabState, Overview, PartState, look
from grader.export.page import render
from grader.model.layout import Course
from grader.model.results import write_atomically

_NAME = 24  # width of the names of parts, and of other columns
_WORDS = 30
_PROOF = 12
_POINTS = 9
_PROVED = {"holds": "proved", "fails": "not proved", "": ""}


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command to the grader's command line."""
    parser = commands.add_parser("progress", help="show how far the work in student/ is, from earlier results")
    parser.set_defaults(command=progress)


def progress(course: Course, _arguments: argparse.Namespace) -> int:
    """Prints the overview and writes it as a page."""
    overview = look(course)
    path = course.build / "progress" / "index.html"
    write_atomically(path, render("progress.html.j2", overview=overview, proved=_PROVED).encode())
    _print(Console(highlight=False, markup=False, emoji=False), overview)
    print(f"As a page: {course.relative(path)}")
    return 0


def _print(console: Console, overview: Overview) -> None:
    for lab in overview.labs:
        console.print(_head(lab), no_wrap=True, overflow="ignore", crop=False)
        for part in () if lab.unknown else lab.parts:
            console.print(_row(part), no_wrap=True, overflow="ignore", crop=False)
    words, command = overview.following
    console.print(f"\n{overview.passed} of {overview.parts} parts pass. Next: {words}\n    {command}", soft_wrap=True)


def _head(lab: LabState) -> Text:
    if lab.unknown:
        return Text(f"Lab {lab.number}  {lab.title}: {len(lab.parts)} parts, none tested", style="bold")
    proved = f", {lab.proved} proved" if lab.proved else ""
    style = "bold green" if lab.passed == len(lab.parts) else "bold"
    return Text(f"Lab {lab.number}  {lab.title}: {lab.passed} of {len(lab.parts)} parts pass{proved}", style=style)


def _row(part: PartState) -> Text:
    points = f"{part.score}/{part.max_score}" if part.score is not None else ""
    time = f"{part.milliseconds:.3f} ms" if part.milliseconds is not None else ""
    columns = (
        f"{part.name:<{_NAME}}",
        f"{part.words:<{_WORDS}}",
        f"{_PROVED[part.proof]:<{_PROOF}}",
        f"{points:>{_POINTS}}",
        time,
    )
    style = "green" if part.passed and not part.changed else "red" if part.failed else ""
    return Text("  " + " ".join(columns).rstrip(), style=style)
