"""Finds the hand-ins in a folder, in the layout of Gradescope, Canvas or Moodle, or as a person arranges them.

Only names and Gradescope's list of submissions are read here. grader/classes/intake.py reads the files of a hand-in.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any

import yaml

from grader.classes.clones import students_of_clones
from grader.export.canvas import ANONYMOUS
from grader.handin.archive import is_archive, is_clutter, is_other_archive
from grader.handin.submission import folder_name
from grader.model.errors import UsageError, describe_os_error, printable
from grader.model.gradebook import Form, Student

TIMES = "submitted.csv"  # a list in the same folder as the hand-ins, for downloads that do not give the times
METADATA = "submission_metadata.yml"  # the list of submissions in a Gradescope export
METADATA_CAP = 64 << 20  # limit for that list, in bytes

_GRADESCOPE = re.compile(r"submission_(?P<id>\d+)")
_MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?P<kind>[a-z]+)_?(?P<file>.*)", re.DOTALL)
# The names that lib/content_zipper.rb of canvas-lms gives to files. They have no student's name if the assignment is
# anonymous.
_CANVAS = re.compile(
    rf"(?:(?P<name>(?!LATE_).+?)_)??(?P<late>LATE_)?(?P<user>(?(name)\d+|{ANONYMOUS}[A-Za-z0-9]+))"
    r"_(?P<upload>\d+)_(?P<file>.+)",
    re.DOTALL,
)
# Lists that may be in the same folder as hand-ins
_NOT_HANDED_IN = (".csv", ".toml", ".yml", ".yaml", ".json", ".xlsx", ".ods")


@dataclass(frozen=True, slots=True)
class HandIn:
    """The hand-in of one student or one group; not yet opened."""

    name: str  # unique in its batch, and safe in paths
    students: tuple[Student, ...]
    form: Form
    origin: str  # path relative to the batch's folder, without unprintable characters
    paths: tuple[Path, ...]  # its folders, archives and files
    submission_id: str = ""
    submitted: datetime | None = None
    # Lab number -> time, for labs that came at another time
    submitted_labs: Mapping[int, datetime] = field(default_factory=dict)
    marked_late: bool = False
    twins: tuple[str, ...] = ()  # origins of further hand-ins of one of its students


def find_hand_ins(folder: Path, sources: Iterable[str]) -> list[HandIn]:
    """All hand-ins of a folder, sorted by name. UsageError when there is no such folder or it is empty."""
    top = _batch_folder(folder.absolute())
    entries = [path for path in _listing(top) if not path.name.startswith(".") and not is_clutter([path.name])]
    exported = (top / METADATA).is_file()
    found = list(_gradescope(top, entries) if exported else _others(entries, sorted(sources)))
    if not found:
        raise UsageError(
            f"there is no hand-in in {printable(str(folder))}\n"
            "    try: a folder that holds one folder, zip or tar file for each student, or an unpacked download of "
            "Gradescope, Canvas or Moodle"
        )
    times = _read_times(top / TIMES)
    timed = [_with_times(hand_in, times) for hand_in in found]
    _check_times(times, found)
    return _with_twins(_with_unique_names(timed))


@dataclass(frozen=True, slots=True)
class _Time:
    """A line of submitted.csv."""

    place: str  # file:line
    student: str  # id, address or name, or the name of what was handed in
    lab: int | None  # None for all labs
    moment: datetime


def _read_times(path: Path) -> list[_Time]:
    """Reads the times of hand-ins that the instructor has written: lines with student and time, or student, lab and
    time. Empty when the file does not exist; UsageError for a line that cannot be read."""
    if not path.is_file():
        return []
    try:
        rows = list(csv.reader(path.read_text(encoding="utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"cannot read {path}: {error}") from error
    times: list[_Time] = []
    with_labs = False
    for number, row in enumerate(rows, start=1):
        words = [word.strip() for word in row]
        if not row or (number == 1 and words == ["student", "submitted"]):
            continue
        if number == 1 and words == ["student", "lab", "submitted"]:
            with_labs = True
            continue
        lab = words.pop(1) if with_labs and len(words) == 3 else ""
        moment = _zoned(words[1]) if len(words) == 2 and (lab.isdecimal() or not lab) else None
        if moment is None:
            raise UsageError(
                f"{path}:{number}: {','.join(row)!r} is not a student{', a lab' if with_labs else ''} and a time with "
                f"its zone, such as ada@example.org,{'2,' if with_labs else ''}2026-11-01T23:59:00+01:00"
            )
        times.append(_Time(f"{path}:{number}", words[0], int(lab) if lab else None, moment))
    return times


def _zoned(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment if moment.tzinfo else None


def _names(hand_in: HandIn) -> set[str]:
    """All names by which submitted.csv may refer to it."""
    return {name for s in hand_in.students for name in (s.id, s.email, s.name) if name} | {hand_in.origin}


def _with_times(hand_in: HandIn, times: list[_Time]) -> HandIn:
    """A line that names the file itself takes precedence over a line that names its student, who may have several
    files."""
    named = [time for time in times if time.student == hand_in.origin]
    own = named or [time for time in times if time.student in _names(hand_in)]
    whole = [time.moment for time in own if time.lab is None]
    labs: dict[int, datetime] = {}
    for time in own:
        if time.lab is not None:
            labs[time.lab] = max(time.moment, labs.get(time.lab, time.moment))
    return replace(hand_in, submitted=max(whole) if whole else hand_in.submitted, submitted_labs=labs)


def _check_times(times: list[_Time], found: list[HandIn]) -> None:
    names = {name for hand_in in found for name in _names(hand_in)}
    unknown = [f"{time.place}: there is no hand-in of {time.student!r}" for time in times if time.student not in names]
    if unknown:
        raise UsageError("\n".join(unknown))


def _with_twins(found: list[HandIn]) -> list[HandIn]:
    """Adds to each hand-in the names of the other hand-ins of its students; a person must decide which one counts."""
    by_id: dict[str, list[HandIn]] = {}
    for hand_in in found:
        for student in hand_in.students:
            by_id.setdefault(student.id.casefold(), []).append(hand_in)
    twins: dict[str, set[str]] = {}
    for same in by_id.values():
        for hand_in in same:
            twins.setdefault(hand_in.name, set()).update(other.origin for other in same if other is not hand_in)
    return [replace(hand_in, twins=tuple(sorted(twins[hand_in.name]))) for hand_in in found]


def _batch_folder(folder: Path) -> Path:
    """The folder itself, or its only subfolder if that is an export of Gradescope."""
    if not folder.is_dir():
        what = "is a file: unpack it, and name the folder" if folder.exists() else "is not there"
        raise UsageError(f"SUBMISSIONS={printable(str(folder))} {what}")
    inner = [path for path in _listing(folder) if path.is_dir() and not is_clutter([path.name])]
    if not (folder / METADATA).exists() and len(inner) == 1 and (inner[0] / METADATA).is_file():
        return inner[0]
    return folder


def _listing(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise UsageError(f"cannot read {printable(str(folder))}: {describe_os_error(error)}") from error


def _with_unique_names(found: list[HandIn]) -> list[HandIn]:
    """Makes the names different even where upper and lower case are the same."""
    named: list[HandIn] = []
    seen: set[str] = set()
    for hand_in in sorted(found, key=lambda one: (one.name, one.origin)):
        name = hand_in.name
        if name.lower() in seen:
            name = folder_name(f"{name} {hand_in.origin}")
        seen.add(name.lower())
        named.append(replace(hand_in, name=name))
    return sorted(named, key=lambda one: one.name)


# ---- Gradescope -------------------------------------------------------------------------------------------------


class _Loader(yaml.SafeLoader):
    """Reads values that Ruby marks with its own types as plain data."""


def _plain(loader: yaml.SafeLoader, _suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node) if isinstance(node, yaml.ScalarNode) else None


_Loader.add_multi_constructor("", _plain)


def _gradescope(top: Path, entries: list[Path]) -> Iterator[HandIn]:
    listed = _read_metadata(top / METADATA)
    for path in entries:
        match = _GRADESCOPE.fullmatch(path.name)
        if match is None:
            continue
        table = listed.get(path.name)
        about = table if isinstance(table, dict) else {}
        students = tuple(_submitters(about)) or (Student(path.name, path.name, ""),)
        yield HandIn(
            name=path.name,
            students=students,
            form=Form.GRADESCOPE,
            origin=path.name,
            paths=(path,),
            submission_id=match["id"],
            submitted=_moment(about.get(":created_at")),
        )


def _read_metadata(path: Path) -> dict[Any, Any]:
    try:
        if path.stat().st_size > METADATA_CAP:
            raise UsageError(f"{path} is larger than {METADATA_CAP >> 20} MiB")
        table = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {describe_os_error(error)}") from error
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not what Gradescope writes: {error}") from error
    if not isinstance(table, dict):
        raise UsageError(f"{path} is not what Gradescope writes: it lists no submissions")
    return table


def _submitters(about: dict[Any, Any]) -> Iterator[Student]:
    listed = about.get(":submitters")
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, dict):
            name, email, number = (printable(str(one.get(key) or "")) for key in (":name", ":email", ":sid"))
            yield Student(number or email or name, name or email or number, email)


def _moment(value: Any) -> datetime | None:
    """Reads a YAML time, or a time given as text. Without a zone it is UTC, as Gradescope's times are."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip().replace(" Z", "+00:00"))
        except ValueError:
            return None
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=timezone.utc)
    return datetime(value.year, value.month, value.day, tzinfo=timezone.utc) if isinstance(value, date) else None


# ---- Moodle, Canvas, and what people make themselves --------------------------------------------------------------


def _others(entries: list[Path], sources: list[str]) -> Iterator[HandIn]:
    moodle: dict[str, list[tuple[Path, re.Match[str]]]] = {}
    canvas: dict[str, list[tuple[Path, re.Match[str]]]] = {}
    folders = {path for path in entries if path.is_dir() and not path.is_symlink()}
    clones = students_of_clones(entries[0].parent, (path.name for path in folders)) if entries else {}
    for path in entries:
        folder = path in folders
        if (match := _MOODLE.fullmatch(path.name)) is not None:
            moodle.setdefault(match["id"], []).append((path, match))
        elif not folder and (match := _CANVAS.fullmatch(path.name)) is not None:
            canvas.setdefault(match["user"], []).append((path, match))
        elif path.name in clones:
            student = clones[path.name]
            yield HandIn(folder_name(student.id), (student,), Form.CLASSROOM50, printable(path.name), (path,))
        elif folder:
            yield _own(path, path.name, Form.FOLDER)
        elif is_archive(path.name) or is_other_archive(path.name):
            yield _own(path, _less_suffix(path.name), Form.ARCHIVE)
        elif not path.name.lower().endswith(_NOT_HANDED_IN):
            yield _own(path, _student_of(path.name, sources), Form.FILE)
    for number, group in moodle.items():
        yield _of_moodle(number, group)
    for user, group in canvas.items():
        yield _of_canvas(user, group)


def _own(path: Path, student: str, form: Form) -> HandIn:
    shown = printable(student)
    return HandIn(folder_name(student), (Student(shown, shown, ""),), form, printable(path.name), (path,))


def _of_moodle(number: str, group: list[tuple[Path, re.Match[str]]]) -> HandIn:
    """Moodle makes a folder for each kind of answer, or with that switched off a file with a long name. Text that was
    typed in is not a file."""
    name = printable(group[0][1]["name"])
    paths = tuple(path for path, match in group if match["kind"] == "file")
    origin = printable((paths[0] if paths else group[0][0]).name)
    return HandIn(folder_name(f"{name}_{number}"), (Student(number, name, ""),), Form.MOODLE, origin, paths)


def _of_canvas(user: str, group: list[tuple[Path, re.Match[str]]]) -> HandIn:
    """When a file was uploaded again, Canvas adds a number, as in naive_scan-1.cu. The last upload counts."""
    latest: dict[str, tuple[int, Path]] = {}
    for path, match in group:
        key = re.sub(r"-\d+(?=\.[^.]+$)", "", match["file"])
        latest[key] = max(latest.get(key, (-1, path)), (int(match["upload"]), path))
    name = printable(group[0][1]["name"] or user)
    paths = tuple(sorted(path for _upload, path in latest.values()))
    late = any(match["late"] for _path, match in group)
    return HandIn(
        folder_name(user if name == user else f"{name}_{user}"),
        (Student(user, name, ""),),
        Form.CANVAS,
        printable(paths[0].name),
        paths,
        marked_late=late,
    )


def _less_suffix(name: str) -> str:
    stem = Path(name).stem
    return Path(stem).stem if Path(stem).suffix.lower() == ".tar" else stem


def _student_of(name: str, sources: list[str]) -> str:
    """The student's name in a file name: ada for ada_naive_scan.cu, and for ada_naive_scan.cu.txt, which some browsers
    make of it."""
    return _student_and_source(name, sources)[0]


def _student_and_source(name: str, sources: list[str]) -> tuple[str, str]:
    for source in sources:
        stem = source.removesuffix(".cu")
        end = r"\.cu(?:\.txt)?"
        match = re.fullmatch(rf"(.+?)[-_ .]+{stem}{end}", name) or re.fullmatch(rf"{stem}[-_ .]+(.+?){end}", name)
        if match is not None:
            return match[1], source
    return name, name


def name_in_hand_in(form: Form, path: Path, sources: list[str]) -> str:
    """The name that the student gave to a file, without what the download or a collector has added."""
    if form is Form.FILE:
        return _student_and_source(path.name, sources)[1]
    pattern = {Form.CANVAS: _CANVAS, Form.MOODLE: _MOODLE}.get(form)
    match = pattern.fullmatch(path.name) if pattern is not None else None
    return match["file"] if match is not None and match["file"] else path.name
