"""Reads course.toml, which says how this class is graded. Without the file, all labs and parts count and nothing is
deducted.

The file is in the course's root folder. CLASS.md explains each entry.
"""

import itertools
import json
import math
import re
from collections.abc import Iterator, Set
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from grader.handin.discover import Lab, Part, discover_labs, read_toml
from grader.model.errors import UsageError
from grader.model.layout import Course
from grader.model.types import ASPECTS, FAST

FILE_NAME = "course.toml"

SHOWN = ("category", "message", "nothing")  # what a student gets to see of a hidden test that failed


@dataclass(frozen=True, slots=True)
class LateRules:
    """The deductions for handing in after the due date."""

    percent_a_day: float = 0.0  # share of the points for each begun day, in percent
    most_percent: float = 100.0  # upper limit of the deduction, in percent of the points
    grace_minutes: int = 0  # minutes after the due date that do not count as late
    allowance_days: int = 0  # free late days of each student, for all labs together
    last_day: int | None = None  # after this many days a hand-in gets no points; None for no limit


@dataclass(frozen=True, slots=True)
class Extension:
    """More time for one student."""

    student: str  # id, e-mail address or name
    lab: int | None  # None for every lab
    days: int = 0
    hours: int = 0  # in addition to the days
    line: int = field(default=0, compare=False)  # line number in course.toml

    @property
    def time(self) -> timedelta:
        return timedelta(days=self.days, hours=self.hours)

    @property
    def place(self) -> str:
        """Where it is written."""
        return f"{FILE_NAME}:{self.line}" if self.line else FILE_NAME

    def is_for(self, names: Set[str]) -> bool:
        """True for a student who has these names; upper and lower case are the same, as in a roster."""
        return self.student.strip().casefold() in {name.strip().casefold() for name in names}


@dataclass(frozen=True, slots=True)
class Cluster:
    """How jobs are submitted to Slurm."""

    partition: str = ""  # empty for the cluster's default
    minutes: int = 60  # time limit of one job
    memory_gb: int = 4
    cpus: int = 2
    gpus: int = 0
    at_once: int = 100  # largest number of jobs that run at once in one array
    labs_a_job: int = 16  # number of gradings (of one lab each) that one job does one after the other


@dataclass(frozen=True, slots=True)
class Settings:
    """The contents of course.toml."""

    title: str = ""
    address: str = ""  # the URL from which students clone the course; empty when there is none
    labs: tuple[int, ...] | None = None  # None for all
    due: dict[int, datetime] = field(default_factory=dict)  # due date of each lab
    left_out: dict[int, tuple[str, ...]] = field(default_factory=dict)  # names of parts that are left out, for each lab
    points: dict[int, dict[str, dict[str, int]]] = field(default_factory=dict)  # points by lab, part and aspect
    late: LateRules = field(default_factory=LateRules)
    drop_lowest: int = 0  # number of labs with the lowest scores that do not count
    extensions: tuple[Extension, ...] = ()
    hidden_tests: str = "category"  # one of SHOWN
    cluster: Cluster = field(default_factory=Cluster)

    def choose(self, labs: tuple[Lab, ...]) -> tuple[Lab, ...]:
        """The labs that count, with the parts that count and their points."""
        return tuple(self._chosen(lab) for lab in labs if self.labs is None or lab.number in self.labs)

    def _chosen(self, lab: Lab) -> Lab:
        out, points = self.left_out.get(lab.number, ()), self.points.get(lab.number, {})
        kept = (part for part in lab.parts if part.name not in out)
        parts = tuple(replace(part, points=part.points | points.get(part.name, {})) for part in kept)
        return replace(lab, parts=parts, left_out=out)

    def extension(self, names: Set[str], lab: int) -> timedelta:
        """The additional time for the lab of a student who has these names (id, address, name)."""
        given = (e.time for e in self.extensions if e.lab in (None, lab) and e.is_for(names))
        return max(given, default=timedelta())


def class_labs(course: Course) -> tuple[Lab, ...]:
    """The labs of this class; without course.toml, all labs."""
    labs = discover_labs(course)
    return read_settings(course, labs).choose(labs)


def read_settings(course: Course, labs: tuple[Lab, ...]) -> Settings:
    """Reads the class's course.toml and checks it against the existing labs. UsageError names the wrong entry."""
    path = course.root / FILE_NAME
    if not path.exists():
        return Settings()
    return _Reader(path, labs).settings(read_toml(path))


def to_toml(settings: Settings) -> str:
    """The part of the settings that students may see, as a course.toml: without extensions and the cluster."""
    lines = [f"title = {_quoted(settings.title)}", f"address = {_quoted(settings.address)}"]
    late = settings.late
    for number in settings.labs or ():
        lines += ["", "[[lab]]", f"number = {number}"]
        if number in settings.due:
            lines.append(f"due = {settings.due[number].isoformat()}")
        if settings.left_out.get(number):
            lines.append(f"leave_out = [{', '.join(map(_quoted, settings.left_out[number]))}]")
        for part, aspects in settings.points.get(number, {}).items():
            table = ", ".join(f"{aspect} = {points}" for aspect, points in aspects.items())
            lines.append(f"points.{part} = {{ {table} }}")
    lines += ["", "[late]"]
    lines += [f"{key} = {value}" for key, value in asdict(late).items() if value is not None]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    # Apart from this, TOML and JSON write strings alike
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


class _Reader:
    """Reads the tables and reports errors with file and entry."""

    def __init__(self, path: Path, labs: tuple[Lab, ...]) -> None:
        self._path = path
        self._labs = {lab.number: lab for lab in labs}
        self._zone: ZoneInfo | None = None

    def settings(self, table: dict[str, Any]) -> Settings:
        known = {"title", "address", "time_zone", "lab", "late", "drop_lowest", "extension", "hidden_tests", "slurm"}
        self._keys("the file", table, known)
        zone = self._text("the file", table, "time_zone", "")
        try:
            self._zone = ZoneInfo(zone) if zone else None
        except (OSError, ValueError, KeyError) as error:
            raise self._wrong(f"time_zone = {zone!r} is no zone such as 'Europe/Berlin'") from error
        hidden = self._text("the file", table, "hidden_tests", "category")
        if hidden not in SHOWN:
            raise self._wrong(f"hidden_tests = {hidden!r}; it is one of {', '.join(SHOWN)}")
        read = Settings(
            title=self._text("the file", table, "title", ""),
            address=self._text("the file", table, "address", ""),
            late=self._late(self._table(table, "late")),
            drop_lowest=self._whole("the file", table, "drop_lowest", 0),
            extensions=tuple(map(self._extension, self._tables(table, "extension"), self._lines_of("[[extension]]"))),
            hidden_tests=hidden,
            cluster=self._cluster(self._table(table, "slurm")),
        )
        entries = self._tables(table, "lab")
        if not entries:
            return read
        for entry in entries:
            self._lab(entry, read)
        numbers = tuple(self._number("lab", entry) for entry in entries)
        if len(set(numbers)) != len(numbers):
            raise self._wrong("a lab is listed twice")
        return replace(read, labs=tuple(sorted(numbers)))

    def _lab(self, entry: dict[str, Any], into: Settings) -> None:
        number = self._number("lab", entry)
        where, lab = f"lab {number}", self._labs[number]
        self._keys(where, entry, {"number", "due", "leave_out", "points"})
        names = {part.name: part for part in lab.parts}
        out = entry.get("leave_out", [])
        if not isinstance(out, list) or not all(isinstance(name, str) for name in out):
            raise self._wrong(f"{where}: leave_out is a list of parts' names")
        for name in out:
            self._part(where, name, names)
        if len(set(out)) == len(names):
            raise self._wrong(f"{where}: no part is left; leave the whole lab out instead")
        into.left_out[number] = tuple(out)
        if "due" in entry:
            into.due[number] = self._date(where, entry["due"])
        points: dict[str, dict[str, int]] = {}
        for name, aspects in self._table(entry, "points").items():
            self._part(where, name, names)
            if not isinstance(aspects, dict):
                raise self._wrong(f"{where}: points.{name} is a table such as {{ correct = 10, clean = 5 }}")
            self._keys(f"{where}: points.{name}", aspects, {*ASPECTS, FAST})
            points[name] = {a: self._whole(f"{where}: points.{name}", aspects, a, 0) for a in aspects}
            self._worth(where, names[name], points[name])
        into.points[number] = points

    def _worth(self, where: str, part: Part, points: dict[str, int]) -> None:
        """Refuses points for an aspect that no test judges: no hand-in could earn them."""
        for aspect, worth in points.items():
            if worth and not part.points.get(aspect):
                raise self._wrong(f"{where}: {part.name} has no {aspect} tests, so it has no points for them")
        if points.get("correct") == 0:
            raise self._wrong(f"{where}: {part.name}: correct = 0; leave the part out instead")

    def _late(self, table: dict[str, Any]) -> LateRules:
        known = {"percent_a_day", "most_percent", "grace_minutes", "allowance_days", "last_day"}
        self._keys("late", table, known)
        return LateRules(
            percent_a_day=self._percent(table, "percent_a_day", 0.0),
            most_percent=self._percent(table, "most_percent", 100.0),
            grace_minutes=self._whole("late", table, "grace_minutes", 0),
            allowance_days=self._whole("late", table, "allowance_days", 0),
            last_day=self._whole("late", table, "last_day", 0) if "last_day" in table else None,
        )

    def _lines_of(self, head: str) -> Iterator[int]:
        """The line numbers at which tables of this name begin, then zeros, for tables that are written in another
        form."""
        lines = self._path.read_text(encoding="utf-8").splitlines()
        yield from (number for number, line in enumerate(lines, start=1) if line.replace(" ", "").startswith(head))
        yield from itertools.repeat(0)

    def _extension(self, entry: dict[str, Any], line: int) -> Extension:
        self._keys("extension", entry, {"student", "lab", "days", "hours"})
        student = self._text("extension", entry, "student", "")
        if not student:
            raise self._wrong("an extension names its student: an id, an e-mail address or a name")
        lab = self._number("extension", entry, "lab") if "lab" in entry else None
        where = f"extension of {student}"
        days, hours = (self._whole(where, entry, name, 0) for name in ("days", "hours"))
        if not days and not hours:
            raise self._wrong(f"{where}: give it days or hours")
        return Extension(student, lab, days, hours, line)

    def _cluster(self, table: dict[str, Any]) -> Cluster:
        numbers = {"minutes", "memory_gb", "cpus", "gpus", "at_once", "labs_a_job"}
        self._keys("slurm", table, numbers | {"partition"})
        default = Cluster()
        given = {name: self._whole("slurm", table, name, getattr(default, name)) for name in numbers}
        for name in numbers - {"gpus"}:
            if given[name] < 1:
                raise self._wrong(f"slurm: {name} must be 1 or more")
        partition = self._text("slurm", table, "partition", "")
        if not re.fullmatch(r"[A-Za-z0-9_.,-]*", partition):
            raise self._wrong(f"slurm: partition = {partition!r} is not the name of a partition")
        return Cluster(partition=partition, **given)

    # ---- values ------------------------------------------------------------------------------------------

    def _wrong(self, what: str) -> UsageError:
        return UsageError(f"{self._path}: {what}")

    def _keys(self, where: str, table: dict[str, Any], known: set[str]) -> None:
        for key in table:
            if key not in known:
                raise self._wrong(f"{where} has an unknown entry {key!r}; known are {', '.join(sorted(known))}")

    def _part(self, where: str, name: str, names: dict[str, Part]) -> None:
        if name not in names:
            raise self._wrong(f"{where} has no part {name!r}; its parts are {', '.join(names)}")

    def _number(self, where: str, table: dict[str, Any], key: str = "number") -> int:
        number = self._whole(where, table, key, 0)
        if number not in self._labs:
            raise self._wrong(f"{where}: there is no lab {number}; the labs are {', '.join(map(str, self._labs))}")
        return number

    def _text(self, where: str, table: dict[str, Any], key: str, default: str) -> str:
        value = table.get(key, default)
        if not isinstance(value, str):
            raise self._wrong(f"{where}: {key} must be a text in quotes, not {value!r}")
        return value

    def _whole(self, where: str, table: dict[str, Any], key: str, default: int) -> int:
        value = table.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 31:
            raise self._wrong(f"{where}: {key} must be a whole number from 0 up, not {value!r}")
        return value

    def _percent(self, table: dict[str, Any], key: str, default: float) -> float:
        value = table.get(key, default)
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 100 or math.isnan(value):
            raise self._wrong(f"late: {key} must be a number from 0 to 100, not {value!r}")
        return float(value)

    def _date(self, where: str, value: Any) -> datetime:
        if not isinstance(value, datetime):
            raise self._wrong(f"{where}: due is a date with its time, such as 2026-11-01T23:59:00")
        if value.tzinfo is None and self._zone is None:
            raise self._wrong(f"{where}: due has no time zone: add one (2026-11-01T23:59:00+01:00), or set time_zone")
        return value if value.tzinfo else value.replace(tzinfo=self._zone)

    def _table(self, table: dict[str, Any], key: str) -> dict[str, Any]:
        value = table.get(key, {})
        if not isinstance(value, dict):
            raise self._wrong(f"{key} is a table: [{key}]")
        return value

    def _tables(self, table: dict[str, Any], key: str) -> list[dict[str, Any]]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            raise self._wrong(f"{key} is a list of tables: [[{key}]]")
        return value
