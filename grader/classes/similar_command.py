"""`python3 -m grader similar`: makes a page, for the instructor, of hand-ins that are similar to each other or to those
of an earlier year or another section."""

import argparse
import csv
import hashlib
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.classes.intake import read_hand_in
from grader.classes.roster import find_hand_ins
from grader.export.graded import read_gradebook
from grader.export.page import render
from grader.handin.discover import Lab, choose_labs, discover_labs
from grader.model.errors import UsageError
from grader.model.layout import Course
from grader.model.results import write_atomically
from grader.release.stubs import generate_stubs
from grader.walls.tokens import without_comments

if TYPE_CHECKING:  # needs copydetect, which is rarely installed
    from grader.export.similar import Likeness

LEAST_PERCENT = 30
COMMON = 10
_NAMED = 5  # hand-ins that a line in the terminal names


@dataclass(frozen=True, slots=True)
class _Batch:
    """The hand-ins of one class: lab's file -> hand-in -> source."""

    name: str
    sources: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class _Lab:
    """One lab of the page."""

    number: int
    title: str
    of: "Likeness"


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command to the grader's command line."""
    parser = commands.add_parser("similar", help="make a page of similar hand-ins of a class")
    parser.set_defaults(command=similar)
    parser.add_argument("gradebook", type=Path, metavar="FILE", help="gradebook.json")
    parser.add_argument("--to", type=Path, metavar="FILE", help="the page (default: report/similar.html next to FILE)")
    parser.add_argument(
        "--against",
        type=Path,
        action="append",
        default=[],
        metavar="PATH",
        help="an earlier year or another section: its gradebook.json, or its folder of hand-ins; may be repeated",
    )
    parser.add_argument(
        "--no-names",
        action="store_true",
        help="show numbers instead of names, and no comments",
    )
    parser.add_argument(
        "--lab", type=int, action="append", default=[], metavar="N", help="only this lab; may be repeated"
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
        help="code in more than this many hand-ins of a batch does not count (default: %(default)s)",
    )


def similar(course: Course, arguments: argparse.Namespace) -> int:
    """Writes the page and prints how many pairs are on it."""
    try:
        from grader.export.similar import compare
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.startswith("grader"):
            raise
        raise UsageError(f"the Python package {missing.name} is not installed\n    try: make similar") from missing
    path: Path = Path.cwd() / arguments.gradebook
    book = read_gradebook(path, "hand-ins are compared within a class")
    chosen = choose_labs(discover_labs(course), arguments.lab or [column.number for column in book.labs])
    files = [lab.source for lab in chosen]
    own = _of_gradebook(path, files)
    others = [_named(_other(Path.cwd() / one, files), i) for i, one in enumerate(arguments.against, start=1)]
    target = Path.cwd() / arguments.to if arguments.to else path.parent / "report" / "similar.html"
    if arguments.no_names:
        own, *others = _without_names([own, *others], target.with_suffix(".names.csv"))
    labs: list[_Lab] = []
    for lab in chosen:
        found = compare(
            own.sources[lab.source],
            _stub(course, lab),
            others=[batch.sources[lab.source] for batch in others],
            least=arguments.least / 100,
            common=arguments.common,
        )
        labs.append(_Lab(lab.number, lab.title, found))
        if found.set_aside:
            print(_set_aside(lab.number, found.set_aside))
    page = render(
        "similar.html.j2",
        book=book,
        labs=labs,
        least=arguments.least,
        common=arguments.common,
        others=[batch.name for batch in others],
    )
    write_atomically(target, page.encode())
    pairs, compared = (sum(len(lab.of.pairs) for lab in labs), sum(lab.of.compared for lab in labs))
    print(f"wrote {target}: {pairs} pairs among {compared} sources")
    return 0


def _set_aside(lab: int, names: list[str]) -> str:
    """The warning that copies may be missing, for one lab."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return (
        f"lab {lab}: {len(names)} hand-ins had over half of their own code set aside as common code: "
        f"{', '.join(names[:_NAMED])}{more}\n    try: --common with a larger number"
    )


def _stub(course: Course, lab: Lab) -> str:
    """The file that students start from. If there is a reference, the stub is made from it: the files in student/ may
    be solved, and would then hide the code that they have in common with hand-ins."""
    if course.reference.is_dir():
        return generate_stubs(course).get(lab.source, "")
    path = course.student / lab.source
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _of_gradebook(path: Path, files: Iterable[str]) -> _Batch:
    book = read_gradebook(path, "a batch of hand-ins is named by its gradebook")
    folders = {entry.name: path.parent / entry.source for entry in book.entries if entry.source is not None}
    if not folders:
        raise UsageError(
            f"{path} has no sources to compare: the book of a term refers to its batches, and has no files of its own\n"
            "    try: the gradebook.json of each batch, with --against for earlier batches"
        )
    return _Batch(book.batch, {file: dict(_texts(folders, file)) for file in files})


def _texts(folders: Mapping[str, Path], file: str) -> Iterator[tuple[str, str]]:
    """The source of this file in each hand-in that has it."""
    for name, folder in folders.items():
        path = folder / file
        if path.is_file() and not path.is_symlink():
            yield name, path.read_text(encoding="utf-8", errors="replace")


def _other(path: Path, files: list[str]) -> _Batch:
    """Reads a gradebook, or a folder of hand-ins like those that `make grade` takes."""
    if not path.is_dir():
        return _of_gradebook(path, files)
    held = {hand_in.name: read_hand_in(hand_in, files).files for hand_in in find_hand_ins(path, files)}
    texts = {
        file: {name: found[file].decode("utf-8", "replace") for name, found in held.items() if file in found}
        for file in files
    }
    return _Batch(path.resolve().name, texts)


def _named(batch: _Batch, number: int) -> _Batch:
    """Gives each hand-in a name that is unique among all batches and tells its origin."""
    return _Batch(
        batch.name,
        {
            file: {f"{name} ({batch.name}, {number})": text for name, text in texts.items()}
            for file, texts in batch.sources.items()
        },
    )


def _without_names(batches: list[_Batch], key: Path) -> list[_Batch]:
    """Replaces names by numbers, in an order that does not depend on the names. The file `key` lists the names."""
    names = {name for batch in batches for texts in batch.sources.values() for name in texts}
    order = sorted(names, key=lambda name: hashlib.sha256(name.encode()).digest())
    numbers = {name: f"hand-in {number}" for number, name in enumerate(order, start=1)}
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(
        [("number", "hand-in"), *((numbers[name], name) for name in order)]
    )
    write_atomically(key, stream.getvalue().encode())
    return [
        _Batch(
            f"batch {i}",
            {
                file: {numbers[name]: without_comments(text) for name, text in texts.items()}
                for file, texts in batch.sources.items()
            },
        )
        for i, batch in enumerate(batches)
    ]
