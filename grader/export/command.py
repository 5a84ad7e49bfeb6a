"""`python3 -m grader export` and `report`: reads a results.json or a gradebook.json, writes one of the formats."""

import argparse
import sys
from pathlib import Path

from grader.export import FORMATS, Choices, OfClass
from grader.export.audience import Audience
from grader.export.graded import Class, load, read_input, read_results
from grader.export.gradescope import AFTER_DUE_DATE, VISIBILITIES
from grader.export.html_class import html as html_class
from grader.export.html_report import html as html_report
from grader.handin.discover import discover_labs
from grader.judge.settings import read_settings
from grader.model.errors import UsageError
from grader.model.gradebook import Gradebook
from grader.model.layout import Course
from grader.model.results import write_atomically

STUDENTS, INSTRUCTORS = "reports", "instructor"  # folders of pages, beside the page of a class


def add_parsers(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the two commands to the grader's command line."""
    formats = "\n".join(f"  {name:<11} {of.summary}" for name, of in FORMATS.items())
    exported = commands.add_parser(
        "export",
        help="write results for people or for another system",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"formats:\n{formats}\n\nclass, canvas and moodle read a gradebook.json, the others a results.json.",
    )
    exported.set_defaults(command=export)
    exported.add_argument("format", choices=FORMATS, metavar="FORMAT", help=", ".join(FORMATS))
    exported.add_argument("--from", dest="source", type=Path, required=True, metavar="FILE", help="what to read")
    exported.add_argument("--to", type=Path, metavar="FILE", help="what to write (default: stdout)")
    exported.add_argument(
        "--for",
        dest="audience",
        type=Audience,
        choices=list(Audience),
        default=Audience.STUDENT,
        metavar="WHO",
        help="student (default: of hidden tests the category only) or instructor",
    )
    exported.add_argument("--files", type=Path, metavar="DIR", help="the graded files (default: src/ beside FILE)")
    exported.add_argument("--lab", type=int, action="append", default=[], metavar="N", help="canvas, moodle: this lab")
    exported.add_argument(
        "--column", type=_column, action="append", default=[], metavar="N=NAME", help="canvas: the assignment of lab N"
    )
    exported.add_argument(
        "--visibility",
        choices=VISIBILITIES,
        default=AFTER_DUE_DATE,
        help="gradescope: when points and categories of hidden tests are shown (default: %(default)s)",
    )
    exported.add_argument("--prefix", default="", metavar="DIR/", help="problems: what stands before file names")

    reported = commands.add_parser("report", help="pages of a grading, or of a class and everybody in it")
    reported.set_defaults(command=report)
    reported.add_argument("source", type=Path, metavar="FILE", help="results.json or gradebook.json")
    reported.add_argument("--to", type=Path, metavar="DIR", help="where (default: report/ beside FILE)")


def export(course: Course, arguments: argparse.Namespace) -> int:
    """Writes one format. UsageError when the input is of the other kind or cannot be read."""
    exporter = FORMATS[arguments.format]
    path: Path = Path.cwd() / arguments.source
    read = read_input(path)
    choices = Choices(tuple(arguments.lab), tuple(arguments.column), arguments.visibility, arguments.prefix)
    if isinstance(exporter, OfClass):
        if not isinstance(read, Gradebook):
            raise UsageError(f"{arguments.format} is made of a gradebook.json, and {path} is a results.json")
        text = exporter.write(Class(read, path.parent), choices)
    else:
        if isinstance(read, Gradebook):
            raise UsageError(f"{arguments.format} is made of a results.json, and {path} is a gradebook.json")
        files = Path.cwd() / arguments.files if arguments.files else path.parent / "src"
        text = exporter.write(load(read, files, arguments.audience, _shown(course)), choices)
    if arguments.to is None:
        sys.stdout.write(text)
    else:
        write_atomically(Path.cwd() / arguments.to, text.encode())
    return 0


def report(course: Course, arguments: argparse.Namespace) -> int:
    """Pages: of a results.json, student.html and instructor.html; of a gradebook.json, class.html and for each hand-in
    one of both. A student gets one file of reports/, and nothing else."""
    path: Path = Path.cwd() / arguments.source
    target = Path.cwd() / arguments.to if arguments.to else path.parent / "report"
    read, hidden = read_input(path), _shown(course)
    if not isinstance(read, Gradebook):
        for audience in Audience:
            page = html_report(load(read, path.parent / "src", audience, hidden))
            write_atomically(target / f"{audience}.html", page.encode())
        print(f"wrote {target}/student.html and {target}/instructor.html")
        return 0
    written = 0
    for entry in read.entries:
        if entry.results is None:
            continue
        results = read_results(path.parent / entry.results)
        files = path.parent / (entry.source or "")
        for audience, folder in ((Audience.STUDENT, STUDENTS), (Audience.INSTRUCTOR, INSTRUCTORS)):
            page = html_report(load(results, files, audience, hidden))
            write_atomically(target / folder / f"{entry.name}.html", page.encode())
        written += 1
    page = html_class(Class(read, path.parent), INSTRUCTORS)
    write_atomically(target / "class.html", page.encode())
    print(f"wrote {target}/class.html, {STUDENTS}/ and {INSTRUCTORS}/ of {written} hand-ins")
    return 0


def _shown(course: Course) -> str:
    """What course.toml lets a student be told of a hidden test."""
    return read_settings(course, discover_labs(course)).hidden_tests


def _column(text: str) -> tuple[int, str]:
    lab, equals, name = text.partition("=")
    if not (lab.isdecimal() and equals and name):
        raise argparse.ArgumentTypeError(f"{text!r} is not N=NAME, such as '2=Lab 2 (4711)'")
    return int(lab), name
