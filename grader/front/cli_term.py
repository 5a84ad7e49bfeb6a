"""The command line of a term: `python3 -m grader term term.toml`."""

import argparse
import shlex
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.classes.term import Book, make_book, read_term
from grader.export.report_terminal import clean
from grader.export.term_pages import Facts, write_pages
from grader.front.cli_class import EXIT_FAULT, EXIT_GRADED, console_of
from grader.handin.discover import discover_labs
from grader.handin.submission import folder_name
from grader.judge.settings import read_settings
from grader.model.gradebook import CSV_NAME, EntryStatus, Gradebook, number, write_gradebook
from grader.model.layout import Course
from grader.model.types import Status

_EPILOG = """\
term.toml names the roster, the batches and the points that were given by hand. The book is
build/term/NAME/gradebook.csv and .json, and term.html with a page for each student. Exit status: 0 the book is written,
2 a file has a mistake and no book is written, 3 the grader failed on a hand-in."""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command to the grader's command line."""
    parser = commands.add_parser("term", help="make the book of a term from all its batches", epilog=_EPILOG)
    parser.set_defaults(command=term)
    parser.add_argument("file", type=Path, metavar="FILE", help="term.toml")


def term(course: Course, arguments: argparse.Namespace) -> int:
    """Writes the book and its pages, or reports all errors in the files."""
    read = read_term(Path.cwd() / arguments.file)
    folder = course.build / "term" / folder_name(read.path.stem)
    every = discover_labs(course)
    settings = read_settings(course, every)
    book = make_book(read, settings, settings.choose(every), folder)
    write_gradebook(folder, book.gradebook)
    hand = course.relative(read.overrides) if read.overrides else ""
    facts = Facts(settings.late.allowance_days, hand, shlex.quote(course.relative(read.path)))
    write_pages(folder, book.gradebook, facts)
    _print(console_of(sys.stdout), book, course.relative(folder))
    faults = any(entry.status is EntryStatus.GRADER_FAULT for entry in book.gradebook.entries)
    return EXIT_FAULT if faults else EXIT_GRADED


def _print(console: Console, book: Book, folder: str) -> None:
    entries = book.gradebook.entries
    console.print(Text(f"{book.gradebook.course or 'Term'}: {len(entries)} students", "bold"))
    console.print(_table(book.gradebook))
    for note in book.notes:
        console.print(Text(f"note: {clean(note)}"), soft_wrap=True)
    console.print(Text(f"book: {folder}/{CSV_NAME}\npages: {folder}/term.html"), soft_wrap=True)


def _table(book: Gradebook) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("lab", no_wrap=True)
    for name in ("handed in", "median", "late", "late days used", "by hand"):
        table.add_column(name, justify="right")
    for i, column in enumerate(book.labs):
        grades = [entry.labs[i] for entry in book.entries]
        there = [grade for grade in grades if grade.status is not Status.MISSING]
        scores = sorted(grade.score for grade in there if grade.score is not None)
        table.add_row(
            f"{column.number}  {column.title}",
            str(len(there)),
            number((scores[(len(scores) - 1) // 2] + scores[len(scores) // 2]) / 2) if scores else "",
            str(sum(grade.days_late > 0 for grade in there)),
            str(sum(grade.late_days_used for grade in grades)),
            str(sum(bool(grade.by_hand) for grade in grades)),
        )
    return table
