"""Finds the labs: reads and checks labs/*/lab.toml."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader.model.errors import UsageError, describe_os_error
from grader.model.layout import Course
from grader.model.older_python import parse_toml
from grader.model.types import ASPECTS, FAST

LAB_POINTS = 100

# The aspects that each device judges: findings and meters come from the CPU device, and times from a GPU.
_JUDGED = {"cpu": ASPECTS, "cuda": ("correct", FAST)}

_LAB_KEYS = {"title", "number", "source", "monoids", "telling", "proved", "part"}
_PART_KEYS = {"name", "summary", *ASPECTS, FAST, "fast_share", "stock", "monoids", "timed"}
_STOCK = ("scan", "reduce", "sort", "block_scan")  # the same names as STOCK_SCAN and so on in labs/support/call/parts.h
_SOURCE = re.compile(r"[a-z][a-z0-9_]*\.cu")
_PART_NAME = re.compile(r"[a-z][a-z0-9_]*")
_MONOID = re.compile(r"[a-z_]+")


@dataclass(frozen=True, slots=True)
class Part:
    """One function to implement, with its points."""

    name: str
    summary: str
    # Aspect -> points; each of ASPECTS has an entry, 0 when it is not graded; FAST only if it has points
    points: dict[str, int]
    fast_share: float = 1.0  # the share of the reference's speed that earns the points of FAST
    stock: tuple[str, ...] = ()  # the stock functions that the part may call


@dataclass(frozen=True, slots=True)
class Lab:
    """The contents of one lab.toml."""

    number: int
    title: str
    source: str
    parts: tuple[Part, ...]
    folder: Path
    left_out: tuple[str, ...] = ()  # parts that the suites test but this class is not graded on

    @property
    def stem(self) -> str:
        return self.source.removesuffix(".cu")

    @property
    def max_score(self) -> int:
        return sum(sum(part.points.values()) for part in self.parts)

    def judged_on(self, device: str, reference: bool = True) -> "Lab":
        """The lab with only the points that this device can judge. `reference`: there is a reference, with which speed
        can be compared."""
        judged = [aspect for aspect in _JUDGED[device] if aspect != FAST or reference]
        parts = (
            replace(part, points={aspect: points if aspect in judged else 0 for aspect, points in part.points.items()})
            for part in self.parts
        )
        return replace(self, parts=tuple(parts))


def discover_labs(course: Course) -> tuple[Lab, ...]:
    """All labs, sorted by number. UsageError when a lab.toml is wrong or there is none."""
    labs = sorted((read_lab(path) for path in sorted(course.labs.glob("*/lab.toml"))), key=lambda lab: lab.number)
    if not labs:
        raise UsageError(f"no labs: there is no {course.labs}/*/lab.toml\n    try: run this in a course's root")
    for attribute in ("number", "source"):
        seen: dict[Any, Lab] = {}
        for lab in labs:
            other = seen.setdefault(getattr(lab, attribute), lab)
            if other is not lab:
                raise UsageError(
                    f"{lab.folder / 'lab.toml'}: {attribute} = {getattr(lab, attribute)!r} "
                    f"is also that of {other.folder.name}; each lab has its own"
                )
    return tuple(labs)


def choose_labs(labs: tuple[Lab, ...], numbers: list[int]) -> tuple[Lab, ...]:
    """The labs with these numbers, or all for an empty list. UsageError for a number that no lab has."""
    by_number = {lab.number: lab for lab in labs}
    for number in numbers:
        if number not in by_number:
            names = "\n".join(f"    {lab.number}  {lab.title}" for lab in labs)
            raise UsageError(f"there is no lab {number}; the labs are\n{names}")
    return tuple(lab for lab in labs if not numbers or lab.number in numbers)


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file. UsageError names the file and the error."""
    try:
        return parse_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {describe_os_error(error)}") from error
    except ValueError as error:
        raise UsageError(f"{path} is not valid TOML: {error}") from error


def read_lab(path: Path) -> Lab:
    """Reads and checks one lab.toml. UsageError names the file and the entry."""
    table = read_toml(path)
    _check_keys(path, "the lab", table, _LAB_KEYS)
    _check_for_make(path, "the lab", table)
    source = _text(path, "the lab", table, "source")
    if not _SOURCE.fullmatch(source):
        raise UsageError(f"{path}: source = {source!r} is not a file name such as naive_scan.cu")
    entries = table.get("part")
    if not isinstance(entries, list) or not entries:
        raise UsageError(f"{path}: there is no [[part]]; a lab has one for each function to implement")
    lab = Lab(
        number=_whole_number(path, "the lab", table, "number", least=1),
        title=_text(path, "the lab", table, "title"),
        source=source,
        parts=tuple(_read_part(path, index, entry) for index, entry in enumerate(entries, start=1)),
        folder=path.parent,
    )
    names = [part.name for part in lab.parts]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"{path}: part {name!r} is listed {names.count(name)} times")
    if lab.max_score != LAB_POINTS:
        raise UsageError(
            f"{path}: the parts' points add up to {lab.max_score}, not {LAB_POINTS}\n"
            + "\n".join(f"    {sum(part.points.values()):3}  {part.name}" for part in lab.parts)
        )
    return lab


def _read_part(path: Path, index: int, entry: object) -> Part:
    where = f"part {index}"
    if not isinstance(entry, dict):
        raise UsageError(f"{path}: {where} is not a table; write it as [[part]]")
    _check_keys(path, where, entry, _PART_KEYS)
    name = _text(path, where, entry, "name")
    if not _PART_NAME.fullmatch(name):
        raise UsageError(f"{path}: {where}: name = {name!r} is not the name of a C function")
    points = {aspect: _whole_number(path, f"part {name}", entry, aspect, least=0, default=0) for aspect in ASPECTS}
    if points["correct"] == 0:
        raise UsageError(f"{path}: part {name}: correct = 0; a part must be worth something when it is right")
    _check_for_make(path, f"part {name}", entry)
    share = 1.0
    if FAST in entry or "fast_share" in entry:
        points[FAST] = _whole_number(path, f"part {name}", entry, FAST, least=1)
        share = _fast_share(path, name, entry)
    summary = _text(path, where, entry, "summary", default="")
    return Part(name, summary, points, share, _stock(path, name, entry.get("stock", [])))


def _stock(path: Path, name: str, functions: object) -> tuple[str, ...]:
    if not isinstance(functions, list) or any(function not in _STOCK for function in functions):
        raise UsageError(f"{path}: part {name}: stock = {functions!r} is no list of {', '.join(_STOCK)}")
    return tuple(functions)


def _check_for_make(path: Path, where: str, table: dict[str, Any]) -> None:
    """Checks the entries that only make reads."""
    for key in ("monoids", "telling"):
        names = table.get(key, [])
        if not isinstance(names, list) or not all(isinstance(n, str) and _MONOID.fullmatch(n) for n in names):
            raise UsageError(f'{path}: {where}: {key} = {names!r} is no list of monoids such as ["sum", "max"]')
    for key in ("proved", "timed"):
        if table.get(key, True) is not True:
            raise UsageError(f"{path}: {where}: {key} is true or left out, not {table[key]!r}")


def _fast_share(path: Path, name: str, entry: dict[str, Any]) -> float:
    share = entry.get("fast_share")
    if not entry.get("timed"):
        raise UsageError(f"{path}: part {name} has fast points, but nothing times it: it is not `timed = true`")
    if not isinstance(share, int | float) or isinstance(share, bool) or not 0 < share <= 1:
        raise UsageError(
            f"{path}: part {name}: fast_share must be a number above 0, at most 1, not {share!r}; it is the share "
            "of the reference's speed that earns the fast points"
        )
    return float(share)


def _check_keys(path: Path, where: str, table: dict[str, Any], known: set[str]) -> None:
    for key in table:
        if key not in known:
            raise UsageError(f"{path}: {where} has an unknown entry {key!r}; known are {', '.join(sorted(known))}")


def _text(path: Path, where: str, table: dict[str, Any], key: str, default: str | None = None) -> str:
    value = table.get(key, default)
    if not isinstance(value, str) or (not value and default is None):
        raise UsageError(f"{path}: {where}: {key} must be a text in quotes, not {value!r}")
    return value


def _whole_number(
    path: Path, where: str, table: dict[str, Any], key: str, *, least: int, default: int | None = None
) -> int:
    value = table.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise UsageError(f"{path}: {where}: {key} must be a whole number from {least} up, not {value!r}")
    return value
