"""`python3 -m grader similar`: a page of the hand-ins of a class that are like each other, for its instructor."""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.export.graded import read_gradebook
from grader.export.page import render
from grader.handin.discover import choose_labs, discover_labs
from grader.model.errors import UsageError
from grader.model.layout import Course
from grader.model.results import write_atomically

if TYPE_CHECKING:  # needs copydetect, which few need
    from grader.export.similar import Likeness

LEAST_PERCENT = 30
COMMON = 10


@dataclass(frozen=True, slots=True)
class _Lab:
    """One lab of the page."""

    number: int
    title: str
    of: "Likeness"


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command to the grader's command line."""
    parser = commands.add_parser("similar", help="a page of the hand-ins of a class that are like each other")
    parser.set_defaults(command=similar)
    parser.add_argument("gradebook", type=Path, metavar="FILE", help="gradebook.json")
    parser.add_argument("--to", type=Path, metavar="FILE", help="the page (default: report/similar.html beside FILE)")
    parser.add_argument(
        "--lab", type=int, action="append", default=[], metavar="N", help="only this lab; again for more"
    )
    parser.add_argument(
        "--least",
        type=int,
        default=LEAST_PERCENT,
        metavar="PERCENT",
        help="shared, to be listed (default: %(default)s)",
    )
    parser.add_argument(
        "--common",
        type=int,
        default=COMMON,
        metavar="N",
        help="what more hand-ins have is common (default: %(default)s)",
    )


def similar(course: Course, arguments: argparse.Namespace) -> int:
    """Writes the page, and says how many pairs are on it."""
    try:
        from grader.export.similar import compare, read_sources
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.startswith("grader"):
            raise
        raise UsageError(f"the Python package {missing.name} is not installed\n    try: make similar") from missing
    path: Path = Path.cwd() / arguments.gradebook
    book = read_gradebook(path, "hand-ins are compared within a class")
    folders = {entry.name: path.parent / entry.source for entry in book.entries if entry.source is not None}
    labs: list[_Lab] = []
    for lab in choose_labs(discover_labs(course), arguments.lab or [column.number for column in book.labs]):
        stub = course.student / lab.source
        found = compare(
            read_sources(folders, lab.source),
            stub.read_text(encoding="utf-8") if stub.is_file() else "",
            least=arguments.least / 100,
            common=arguments.common,
        )
        labs.append(_Lab(lab.number, lab.title, found))
    target = Path.cwd() / arguments.to if arguments.to else path.parent / "report" / "similar.html"
    page = render("similar.html.j2", book=book, labs=labs, least=arguments.least, common=arguments.common)
    write_atomically(target, page.encode())
    pairs, compared = (sum(len(lab.of.pairs) for lab in labs), sum(lab.of.compared for lab in labs))
    print(f"wrote {target}: {pairs} pairs among {compared} sources")
    return 0
