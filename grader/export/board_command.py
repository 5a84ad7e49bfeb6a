"""`python3 -m grader board`: makes a page, for the whole class, with the fastest students who agreed to be shown."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from grader.export.audience import Audience
from grader.export.board import boards
from grader.export.graded import Class, load, read_gradebook
from grader.export.page import render
from grader.model.layout import Course
from grader.model.results import write_atomically
from grader.model.types import Results


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command to the grader's command line."""
    parser = commands.add_parser("board", help="make a page with the fastest parts of a class, of students who agree")
    parser.set_defaults(command=board)
    parser.add_argument("gradebook", type=Path, metavar="FILE", help="gradebook.json")
    parser.add_argument("--to", type=Path, metavar="FILE", help="the page (default: report/board.html next to FILE)")


def board(_course: Course, arguments: argparse.Namespace) -> int:
    """Writes the page and prints how many rows it has. UsageError when FILE is not a gradebook."""
    path: Path = Path.cwd() / arguments.gradebook
    book = read_gradebook(path, "a board is of a class")
    found = boards(_graded(Class(book, path.parent)))
    target = Path.cwd() / arguments.to if arguments.to else path.parent / "report" / "board.html"
    write_atomically(target, render("board.html.j2", book=book, boards=found).encode())
    print(f"wrote {target}: {sum(len(one.rows) for one in found)} rows, {len(found)} parts")
    if not found:
        print("  it is empty: it needs parts with points for speed, graded with DEVICE=cuda, and `// board: NAME`")
    return 0


def _graded(of: Class) -> Iterator[tuple[Results, dict[str, str]]]:
    """Yields the hand-ins one at a time, because a class may be large."""
    for entry, results in of.graded():
        if results is not None and entry.source is not None:
            yield results, load(results, of.folder / entry.source, Audience.INSTRUCTOR).sources
