"""`python3 -m grader export` and `report`: reads a results.json or a gradebook.json, writes one of the formats.
`python3 -m grader schema` describes these two files."""

import argparse
import json
import os
import sys
from pathlib import Path

from grader.export import FORMATS, Choices, OfClass
from grader.export.audience import Audience
from grader.export.choices import AFTER_DUE_DATE, VISIBILITIES
from grader.export.graded import Class, load, read_input
from grader.export.html_class import html as html_class
from grader.export.html_report import html as html_report
from grader.handin.discover import discover_labs
from grader.judge.settings import read_settings
from grader.model.errors import UsageError
from grader.model.gradebook import GRADEBOOK_VERSION, Gradebook
from grader.model.layout import Course
from grader.model.results import write_atomically
from grader.model.typed import schema_of
from grader.model.types import SCHEMA_VERSION, Results

STUDENTS, INSTRUCTORS = "reports", "instructor"  # folders of pages, next to the page of a class

_SCHEMAS = {"gradebook": (Gradebook, GRADEBOOK_VERSION), "results": (Results, SCHEMA_VERSION)}


def add_parsers(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the three commands to the grader's command line."""
    described = commands.add_parser("schema", help="print the JSON Schema of results.json or of gradebook.json")
    described.set_defaults(command=schema)
    described.add_argument("file", choices=sorted(_SCHEMAS), help="which of the two")

    formats = "\n".join(f"  {name:<16} {of.summary}" for name, of in FORMATS.items())
    of_class = [name for name, of in FORMATS.items() if isinstance(of, OfClass)]
    exported = commands.add_parser(
        "export",
        help="write results for people or for another system",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"formats:\n{formats}\n\n{', '.join(of_class)} read a gradebook.json, the others a results.json.",
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
        help="student (default: only the category of hidden tests) or instructor",
    )
    exported.add_argument("--files", type=Path, metavar="DIR", help="the graded files (default: src/ next to FILE)")
    exported.add_argument("--lab", type=int, action="append", default=[], metavar="N", help="Canvas, Moodle: this lab")
    exported.add_argument(
        "--column", type=_column, action="append", default=[], metavar="N=NAME", help="canvas: the assignment of lab N"
    )
    exported.add_argument(
        "--visibility",
        choices=VISIBILITIES,
        default=AFTER_DUE_DATE,
        help="gradescope: when points and categories of hidden tests are shown (default: %(default)s)",
    )
    exported.add_argument("--leaderboard", action="store_true", help="gradescope: add a ranking of the meters")
    exported.add_argument("--worksheet", type=Path, metavar="FILE", help="moodle: the downloaded worksheet to fill in")
    grades, remarks = Choices().headings
    exported.add_argument("--grade-column", default=grades, metavar="HEADING", help="moodle: default: %(default)s")
    exported.add_argument("--comment-column", default=remarks, metavar="HEADING", help="moodle: default: %(default)s")
    exported.add_argument("--prefix", default="", metavar="DIR/", help="problems: text before file names")

    reported = commands.add_parser("report", help="pages of a grading, or of a class and all its hand-ins")
    reported.set_defaults(command=report)
    reported.add_argument("source", type=Path, metavar="FILE", help="results.json or gradebook.json")
    reported.add_argument("--to", type=Path, metavar="DIR", help="where (default: report/ next to FILE)")


def schema(_course: Course, arguments: argparse.Namespace) -> int:
    """Prints the form of a file as a JSON Schema."""
    print(json.dumps(schema_of(*_SCHEMAS[arguments.file]), indent=2))
    return 0


def export(course: Course, arguments: argparse.Namespace) -> int:
    """Writes one format. UsageError when the input is of the wrong kind or cannot be read."""
    exporter = FORMATS[arguments.format]
    path: Path = Path.cwd() / arguments.source
    read, choices = read_input(path), _choices(arguments)
    if isinstance(exporter, OfClass):
        if not isinstance(read, Gradebook):
            raise UsageError(f"{arguments.format} is made of a gradebook.json, and {path} is a results.json")
        made = exporter.make(Class(read, path.parent, _shown(course)), choices)
    else:
        if isinstance(read, Gradebook):
            raise UsageError(f"{arguments.format} is made of a results.json, and {path} is a gradebook.json")
        files = Path.cwd() / arguments.files if arguments.files else path.parent / "src"
        made = exporter.write(load(read, files, arguments.audience, _shown(course)), choices)
    if arguments.to is not None:
        write_atomically(Path.cwd() / arguments.to, made.encode() if isinstance(made, str) else made)
    elif isinstance(made, str):
        sys.stdout.write(made)
    else:
        raise UsageError(f"{arguments.format} is no text: name its file with --to")
    return 0


def _choices(arguments: argparse.Namespace) -> Choices:
    worksheet: Path | None = arguments.worksheet
    try:
        text = (Path.cwd() / worksheet).read_bytes().decode() if worksheet else ""
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {worksheet}: {error}") from error
    return Choices(
        labs=tuple(arguments.lab),
        columns=tuple(arguments.column),
        visibility=arguments.visibility,
        leaderboard=arguments.leaderboard,
        prefix=arguments.prefix,
        worksheet=text,
        headings=(arguments.grade_column, arguments.comment_column),
        environment=os.environ,
    )


def report(course: Course, arguments: argparse.Namespace) -> int:
    """Writes pages. For a results.json they are student.html and instructor.html; for a gradebook.json, class.html and
    both kinds for each hand-in. A student is to get one file of reports/ and nothing else."""
    path: Path = Path.cwd() / arguments.source
    target = Path.cwd() / arguments.to if arguments.to else path.parent / "report"
    read, hidden = read_input(path), _shown(course)
    if not isinstance(read, Gradebook):
        for audience in Audience:
            page = html_report(load(read, path.parent / "src", audience, hidden))
            write_atomically(target / f"{audience}.html", page.encode())
        print(f"wrote {target}/student.html and {target}/instructor.html")
        return 0
    klass, written = Class(read, path.parent, hidden), 0
    for entry in read.entries:
        for audience, folder in ((Audience.STUDENT, STUDENTS), (Audience.INSTRUCTOR, INSTRUCTORS)):
            graded = klass.load(entry, audience)
            if graded is not None:
                write_atomically(target / folder / f"{entry.name}.html", html_report(graded).encode())
        written += entry.results is not None
    page = html_class(klass, Choices(reports=INSTRUCTORS))
    write_atomically(target / "class.html", page.encode())
    print(f"wrote {target}/class.html, {STUDENTS}/ and {INSTRUCTORS}/ of {written} hand-ins")
    return 0


def _shown(course: Course) -> str:
    """The value of course.toml's hidden_tests."""
    return read_settings(course, discover_labs(course)).hidden_tests


def _column(text: str) -> tuple[int, str]:
    lab, equals, name = text.partition("=")
    if not (lab.isdecimal() and equals and name):
        raise argparse.ArgumentTypeError(f"{text!r} is not N=NAME, such as '2=Lab 2 (4711)'")
    return int(lab), name
