"""Gradescope's autograder: makes the zip that an instructor uploads, and grades a submission in Gradescope's image.

The zip contains the students' tree and the hidden suites, but no solution. `setup.sh` builds it once. `run_autograder`
calls `python3 -m grader autograde`, which reads the submission and its metadata, grades it, and writes Gradescope's
results.json.
"""

import argparse
import json
import math
import os
import stat
import sys
import tempfile
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from rich.console import Console

from grader.classes.intake import Contents, read_hand_in
from grader.classes.roster import HandIn
from grader.export.audience import Audience, for_audience
from grader.export.choices import AFTER_DUE_DATE, VISIBILITIES, Choices
from grader.export.graded import Graded
from grader.export.gradescope import gradescope
from grader.export.report_terminal import TerminalReport, clean
from grader.handin.discover import choose_labs, discover_labs
from grader.judge.grade import Options, grade
from grader.judge.progress import PlainProgress
from grader.judge.settings import FILE_NAME, class_labs, read_settings, to_toml
from grader.model.errors import GraderError, GraderFault, UsageError, describe_os_error
from grader.model.gradebook import Form, Student
from grader.model.layout import Course
from grader.model.results import write_atomically, write_results
from grader.model.types import Results
from grader.release.pack import is_shipped
from grader.release.tracked import tracked_files
from grader.walls.machine import jobs_at_once
from grader.walls.sandbox import Fence, Sandbox, find_sandbox

NAME = "gradescope"  # name of the results folder in the image
COURSE = "course"  # name of the tree's folder in the zip
OPTIONS = "autograder.json"
GRADESCOPE_SECONDS = 600  # Gradescope's default time limit for a container
_START_SECONDS, _BUILD_SECONDS = 60, 20  # time to start and read the submission; time to compile a lab
_LEAST_SUITE_SECONDS = 40  # shortest time for both suites of a lab
METADATA_CAP = 64 << 20  # in bytes; the file contains the results of earlier submissions
# Settings that Gradescope's defaults (half a processor, 768 MB, 10 minutes) are too small for.
ADVICE = """Choose, in the assignment's autograder settings:
    image        Ubuntu 24.04, which has the Python that the grader needs
    container    2 processors and 4 GB of memory, or the next larger size; at least 2 GB
    timeout      20 minutes: the suites end within 10, and a slow machine may need more to compile
"""

_DATE = (1980, 1, 1, 0, 0, 0)  # time of all files, so that the same tree gives the same zip


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The contents of autograder.json: the choices made when the zip was made."""

    labs: list[int]
    visibility: str
    hidden_tests: str  # from the instructor's course.toml; the one in the zip does not contain it
    leaderboard: bool


def add_parsers(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the two commands to the grader's command line."""
    made = commands.add_parser("autograder", help="make the zip for Gradescope")
    made.set_defaults(command=make)
    made.add_argument("zip", type=Path, metavar="ZIP", help="what to write")
    made.add_argument(
        "--lab", type=int, action="append", default=[], metavar="N", help="only this lab; may be repeated"
    )
    made.add_argument(
        "--visibility", choices=VISIBILITIES, default=AFTER_DUE_DATE, help="when results of hidden tests are shown"
    )
    made.add_argument("--leaderboard", action="store_true", help="add a ranking of the meters of right parts")

    ran = commands.add_parser("autograde", help="grade the submission in Gradescope's /autograder")
    ran.set_defaults(command=autograde)
    ran.add_argument(
        "folder", type=Path, metavar="DIR", help="the folder with submission/, submission_metadata.json and results/"
    )
    ran.add_argument("--options", type=Path, required=True, metavar="FILE", help="autograder.json of the zip")


# ---- the zip -----------------------------------------------------------------------------------------------


def make(course: Course, arguments: argparse.Namespace) -> int:
    """Writes the zip. UsageError when there are no hidden suites, because this is then a student's tree."""
    labs = choose_labs(class_labs(course), arguments.lab)
    for lab in labs:
        if not course.hidden_source(lab.stem).is_file():
            raise UsageError(f"there is no {course.relative(course.hidden_source(lab.stem))}: an autograder needs it")
    target = Path.cwd() / arguments.zip
    options = {
        "labs": [lab.number for lab in labs] if arguments.lab else [],
        "visibility": arguments.visibility,
        "hidden_tests": read_settings(course, discover_labs(course)).hidden_tests,
        "leaderboard": arguments.leaderboard,
    }
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
            count = _fill(archive, course, options)
        temporary.replace(target)
    except OSError as error:
        raise GraderFault(f"cannot write {target}: {describe_os_error(error)}") from error
    finally:
        temporary.unlink(missing_ok=True)
    worth = sum(lab.max_score for lab in labs)
    print(f"wrote {arguments.zip}: {count} files, no solution")
    print(f"set the assignment to {worth} points. {ADVICE}", end="")
    return 0


def _fill(archive: zipfile.ZipFile, course: Course, options: dict[str, Any]) -> int:
    scripts = Path(__file__).parents[1] / "export" / "autograder"
    for name in ("setup.sh", "run_autograder"):  # Gradescope expects these in the zip's root
        _add(archive, name, (scripts / name).read_bytes(), executable=True)
    _add(archive, "SETTINGS.txt", ADVICE.encode(), executable=False)
    _add(archive, OPTIONS, (json.dumps(options) + "\n").encode(), executable=False)
    count = 4
    if (course.root / FILE_NAME).exists():  # the labs and parts that count, without extensions
        settings = to_toml(read_settings(course, discover_labs(course)))
        _add(archive, f"{COURSE}/{FILE_NAME}", settings.encode(), executable=False)
        count += 1
    for name in sorted(_needed(course)):
        path = course.root / name
        if not path.is_symlink() and path.is_file():
            _add(archive, f"{COURSE}/{name}", path.read_bytes(), bool(path.stat().st_mode & stat.S_IXUSR))
            count += 1
    return count


def _add(archive: zipfile.ZipFile, name: str, content: bytes, executable: bool) -> None:
    info = zipfile.ZipInfo(name, _DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
    archive.writestr(info, content)


def _needed(course: Course) -> Iterator[str]:
    """The files that students get, and the hidden suites with their headers, but nothing else of the reference."""
    for name in tracked_files(course):
        path = PurePosixPath(name)
        secret = path.parts[0] == "reference" and len(path.parts) == 2
        if is_shipped(path) or (secret and (path.name.endswith("_hidden.c") or path.suffix == ".h")):
            yield name


# ---- in the image ------------------------------------------------------------------------------------------


def autograde(course: Course, arguments: argparse.Namespace) -> int:
    """Grades one submission. Returns 0 when results.json has a score, whatever it is, and 3 after a fault of the
    grader, with a results.json that has no score."""
    top: Path = Path.cwd() / arguments.folder
    target = top / "results" / "results.json"
    chosen = _options(arguments.options)
    metadata = _metadata(top / "submission_metadata.json")
    try:
        contents = _read(course, chosen, top / "submission", _student(metadata))
        if not contents.files:
            write_atomically(target, _nothing(contents))
            print(contents.trouble)
            return 0
        results = _grade(course, chosen, contents)
    except GraderError as error:  # a UsageError too, because the error can only be in the image
        write_atomically(target, _failed())
        print(f"grader: {error}")
        return GraderFault.exit_status
    write_results(course.workplace(NAME) / "results.json", results)
    hidden = chosen.hidden_tests
    seen = Graded(for_audience(results, Audience.STUDENT, hidden), Audience.STUDENT, {}, hidden)
    choices = Choices(visibility=chosen.visibility, leaderboard=chosen.leaderboard)
    write_atomically(target, _with_notes(gradescope(seen, choices), contents.notes))
    _for_instructors(results, metadata)
    return 0 if results.score is not None else GraderFault.exit_status


def _options(path: Path) -> _Chosen:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        numbers = [int(number) for number in table["labs"]]
        return _Chosen(numbers, str(table["visibility"]), str(table["hidden_tests"]), bool(table["leaderboard"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"cannot read {path}: {error}\n    try: make autograder, and upload its zip") from error


def _metadata(path: Path) -> dict[str, Any]:
    """The contents of submission_metadata.json. Grading does not need it, so a file that cannot be read leads only to a
    note."""
    try:
        with open(path, "rb") as stream:
            table = json.loads(stream.read(METADATA_CAP))
    except (OSError, ValueError) as error:
        print(f"note: {path.name} cannot be read: {error}")
        return {}
    return table if isinstance(table, dict) else {}


def _student(metadata: dict[str, Any]) -> Student:
    users = metadata.get("users")
    first = users[0] if isinstance(users, list) and users and isinstance(users[0], dict) else {}
    return Student(str(first.get("id", "")), str(first.get("name", "")), str(first.get("email", "")))


def _read(course: Course, chosen: _Chosen, folder: Path, student: Student) -> Contents:
    """Reads the labs' files of the submission, in any of its folders: uploads, zips and clones from GitHub."""
    labs = class_labs(course)
    hand_in = HandIn(NAME, (student,), Form.FOLDER, folder.name, (folder,))
    sources = [lab.source for lab in choose_labs(labs, chosen.labs)]
    return read_hand_in(hand_in, sources, [lab.source for lab in labs])


def _grade(course: Course, chosen: _Chosen, contents: Contents) -> Results:
    found = find_sandbox()
    if not isinstance(found, Sandbox):
        print(
            f"note: no sandbox in this image ({found}). The submission is held by the filter of system calls and by "
            "the container, which is its alone and is thrown away."
        )
    elif isinstance(found, Fence):
        print(f"note: {found.note}")
    jobs = jobs_at_once()
    with tempfile.TemporaryDirectory(prefix="submission.") as folder:
        for name, content in contents.files.items():
            (Path(folder) / name).write_bytes(content)
        options = Options(
            submission=[folder],
            labs=chosen.labs,
            seed=None,
            device="cpu",
            public_only=False,
            sandbox=isinstance(found, Sandbox),
            name=NAME,
            timeout=suite_seconds(len(contents.files), jobs),
            jobs=jobs,
        )
        progress = PlainProgress(_console())
        return grade(course, options, Path(folder), progress, threading.Event())


def suite_seconds(labs: int, jobs: int) -> float:
    """The time limit of each suite, chosen so that all suites end before Gradescope stops the container, for any
    submission. The two suites of a lab run one after the other, and `jobs` labs run at once."""
    turns = math.ceil(max(labs, 1) / jobs)
    return max(_LEAST_SUITE_SECONDS, (GRADESCOPE_SECONDS - _START_SECONDS) / turns - _BUILD_SECONDS) / 2


def _console() -> Console:
    return Console(file=sys.stdout, width=120, highlight=False, markup=False, emoji=False)


def _nothing(contents: Contents) -> bytes:
    """The result of an empty or misnamed submission: 0 points, with the reason."""
    return _json({"score": 0, "output": clean(contents.trouble), "output_format": "text"})


def _failed() -> bytes:
    words = "The autograder failed. That is not your fault, and takes no points from you."
    return _json({"output": words, "output_format": "text"})


def _with_notes(text: str, notes: tuple[str, ...]) -> bytes:
    table = json.loads(text)
    table["output"] = "\n".join(filter(None, [*map(clean, notes), table["output"]]))
    return _json(table)


def _json(table: dict[str, Any]) -> bytes:
    return (json.dumps(table, indent=1, ensure_ascii=False) + "\n").encode()


def _for_instructors(results: Results, metadata: dict[str, Any]) -> None:
    """Prints the full report, with hidden tests, and an error in the assignment's settings if there is one."""
    TerminalReport(_console()).print(results, "build/grade/gradescope/results.json")
    assignment = metadata.get("assignment")
    points = assignment.get("total_points") if isinstance(assignment, dict) else None
    try:
        agreed = points is None or float(points) == results.max_score
    except (TypeError, ValueError):
        agreed = False
    if not agreed:
        print(f"note: the assignment is worth {points} points at Gradescope, and {results.max_score} here")
