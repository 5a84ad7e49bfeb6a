"""Reads a record, the file that the device writes when SIMT_TRACE names one. RECORD.md describes the format.

A record has only facts: accesses, combines, barriers, in the order of the run. The other modules derive the rest,
such as where a value came from."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

VERSION = 1

# The escape of a character that a terminal could take for a command. The record of a hand-in can hold any name.
_CONTROL = re.compile(r"(?<!\\)((?:\\\\)*)\\u(?:00[0189][0-9a-f]|007f|[^0].{3}|0[^0].{2})", re.IGNORECASE)

WRITE, VOLATILE, ATOMIC = 1, 2, 4  # bits of an access's kind: enum access_kind


class TraceError(Exception):
    """A record, trace or source that cannot be used. The text says what to do."""


class NothingLaunched(TraceError):
    """A record of a program, or of a part, that launched no kernel."""


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the source."""

    file: str  # base name; empty if unknown
    line: int
    function: str
    number: int = -1


@dataclass(slots=True)
class RawArray:
    """An array as the device describes it."""

    space: str
    name: str  # may be empty
    size: int  # bytes
    element: int  # bytes of an element; 0: unknown
    kind: str  # of an element: i, u, f, s, or ? if unknown
    shape: list[int]
    site: Site | None  # where it was allocated


@dataclass(slots=True)
class Record:
    """One run: its lines, and what they refer to."""

    sites: list[Site] = field(default_factory=list)
    arrays: list[RawArray] = field(default_factory=list)
    allocations: list[Site] = field(default_factory=list)  # one for each code address, in the order of the run
    lines: list[list[Any]] = field(default_factory=list)
    before: list[list[Any]] = field(default_factory=list)  # lines of earlier runs: where inputs were copied in
    complete: bool = False  # the process ended regularly


def _parse(lines: Iterable[str], path: Path) -> Iterable[list[Any]]:
    number = 0
    for number, text in enumerate(lines, 1):
        try:
            line = json.loads(_CONTROL.sub(r"\1?", text) if "\\u" in text else text)
        except json.JSONDecodeError as error:
            if text.endswith("\n"):
                raise TraceError(f"{path}:{number}: this is no line of a record") from error
            return  # the process was killed while it wrote this line
        if not isinstance(line, list) or not line:
            raise TraceError(f"{path}:{number}: this is no line of a record")
        yield line
    if number == 0:
        raise TraceError(f"{path} is empty: the program ran no translated code")


def read_record(path: Path) -> Record:
    """The last run in the record that launched a kernel. Raises TraceError when there is none."""
    record = Record()
    runs: list[list[list[Any]]] = [[]]
    allocating: dict[int, None] = {}  # numbers of sites
    try:
        with path.open(encoding="ascii") as file:
            for number, line in enumerate(_parse(file, path)):
                if number == 0:
                    _check_head(line, path)
                elif line[0] == "site":
                    record.sites.append(Site(line[2], line[3], line[4], line[1]))
                elif line[0] == "array":
                    site = None if line[8] is None else record.sites[line[8]]
                    record.arrays.append(RawArray(line[2], line[3], line[4], line[5], line[6], line[7], site))
                elif line[0] == "allocation":
                    allocating[line[1]] = None
                elif line[0] == "run":
                    runs.append([])
                elif line[0] == "close":
                    record.complete = True
                else:
                    runs[-1].append(line)
    except OSError as error:
        raise TraceError(f"cannot read {path}: {error.strerror}") from error
    except (UnicodeDecodeError, IndexError, TypeError) as error:
        raise TraceError(f"{path} is no record of the device's") from error
    record.allocations = [record.sites[number] for number in allocating]
    launching = [i for i, run in enumerate(runs) if any(line[0] == "launch" for line in run)]
    if not launching:
        raise NothingLaunched(f"{path}: no kernel was launched, so there is nothing to see")
    record.lines = runs[launching[-1]]
    record.before = [line for run in runs[: launching[-1]] for line in run if line[0] == "copy"]
    return record


def _check_head(line: list[Any], path: Path) -> None:
    if len(line) != 2 or line[0] != "simt record":
        raise TraceError(f"{path} is no record of the device's: a program writes one with SIMT_TRACE={path} ./program")
    if line[1] != VERSION:
        raise TraceError(f"{path} is a record of version {line[1]}, and this reads version {VERSION}: record it again")
