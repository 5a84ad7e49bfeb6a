#!/usr/bin/env python3
"""Checks the graph of the device's rooms, of which simt/README.md has a map, for arrows that lead back.

usage: check_rooms.py OBJECTS

An arrow leads from a file to each file that it includes, and from an object in the folder OBJECTS (build/simt) to
each object that defines a symbol it needs. Arrows may stay within a room or lead to the rooms in ALLOWED. Files of
different rooms must not need each other, directly or through others; each file must be in a room; and none may be
longer than MOST_LINES. First the program makes a small device with one fault of each kind, and must find them all.
Prints what is wrong, and `rooms: N passed, N failed`. The exit status is 0, or 1 when something is wrong.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_LINES = 500
SOURCES = {".c", ".h", ".cu", ".cuh", ".py"}
FOLDERS = ("simt", "labs", "reference", "grader", "datasets", "handouts", ".ci")
# The solution of a lab is a single file, because a hand-in is.
LONG_SOLUTIONS = {"reference/applications.cu", "reference/radix_sort.cu"}

# Each room, and the other rooms that it may depend on. All may include the device's interface, simt.h, and the headers
# for CUDA code.
ALLOWED: dict[str, set[str]] = {
    "include": set(),
    "core": set(),
    "report": {"core"},
    "checks": {"core", "report"},
    "meters": {"core", "report"},
    "runtime": {"core", "report", "checks"},
    "trace": {"core", "report", "meters"},
    "debug": {"core", "report"},
    "device.c": {"core", "report", "checks", "meters", "runtime", "trace"},
    "cudac": set(),
    "thrust": set(),
}
FOR_ALL = {"include", "simt.h", "simt_explore.h", "simt_sample.h"}
APART = {"simt.h", "simt_explore.h", "simt_sample.h", "simtcc", "tests", "bench"}  # no part of the device

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)

Graph = dict[Path, set[Path]]


def room_of(file: Path) -> str:
    """Returns checks for checks/races/races.c, and device.c for device.c itself."""
    return file.parts[0]


def includes(simt: Path) -> Graph:
    """Returns what each file of the rooms includes, as paths within simt/."""
    graph: Graph = {}
    for file in sorted(simt.rglob("*.[ch]")):
        name = file.relative_to(simt)
        if room_of(name) not in ALLOWED:
            continue
        graph[name] = set()
        for wanted in INCLUDE.findall(file.read_text()):
            for found in (simt / wanted, file.parent / wanted):
                if found.is_file():
                    graph[name].add(found.resolve().relative_to(simt.resolve()))
                    break
    return graph


def symbols(object_file: Path) -> Iterator[tuple[str, bool]]:
    """Yields the global symbols of an object, and whether it defines them."""
    listed = subprocess.run(["nm", "-g", object_file], check=True, capture_output=True, text=True).stdout
    for line in listed.splitlines():
        *_, kind, symbol = line.split()
        yield symbol, kind not in {"U", "w", "v"}


def calls(simt: Path, objects: Path) -> Graph:
    """Returns which .c files need a symbol that another one defines."""
    defined: dict[str, Path] = {}
    needed: dict[Path, set[str]] = {}
    for object_file in sorted(objects.rglob("*.o")):
        name = object_file.relative_to(objects).with_suffix(".c")
        if room_of(name) not in ALLOWED or room_of(name) == "cudac" or not (simt / name).is_file():
            continue
        needed[name] = set()
        for symbol, here in symbols(object_file):
            if here:
                defined[symbol] = name
            else:
                needed[name].add(symbol)
    return {name: {defined[symbol] for symbol in wanted if symbol in defined} for name, wanted in needed.items()}


def arrows_back(graph: Graph, verb: str) -> list[str]:
    """Returns the arrows that lead to a room which theirs must not depend on."""
    return [
        f"simt/{file} {verb} simt/{other}: {room_of(file)} must not know {room_of(other)}"
        for file, reached in sorted(graph.items())
        for other in sorted(reached)
        if room_of(other) not in {room_of(file)} | ALLOWED[room_of(file)] | FOR_ALL
    ]


def homeless(simt: Path) -> list[str]:
    """Returns C files in a folder that is not a room."""
    names = (file.relative_to(simt) for file in sorted(simt.rglob("*.[ch]")))
    return [
        f"simt/{name} is in no room: name it in ALLOWED" for name in names if room_of(name) not in {*ALLOWED, *APART}
    ]


def circles(graph: Graph) -> list[str]:
    """Returns groups of files in different rooms that need each other: Tarjan's strongly connected components."""
    numbers: dict[Path, int] = {}
    low: dict[Path, int] = {}
    stack: list[Path] = []
    found: list[str] = []

    def visit(file: Path) -> None:
        numbers[file] = low[file] = len(numbers)
        stack.append(file)
        for other in sorted(graph.get(file, ())):
            if other not in numbers:
                visit(other)
                low[file] = min(low[file], low[other])
            elif other in stack:
                low[file] = min(low[file], numbers[other])
        if low[file] == numbers[file]:
            at = stack.index(file)
            circle = sorted(stack[at:])
            del stack[at:]
            if len({room_of(one) for one in circle}) > 1:
                found.append("a circle of rooms: " + ", ".join(f"simt/{one}" for one in circle))

    for file in sorted(graph):
        if file not in numbers:
            visit(file)
    return found


def joined(included: Graph, called: Graph) -> Graph:
    """Joins both kinds of arrows, as arrows between modules: a .h and its .c are one."""
    graph: Graph = {}
    for part in (included, called):
        for file, reached in part.items():
            graph.setdefault(file.with_suffix(""), set()).update(other.with_suffix("") for other in reached)
    return graph


def lengths(root: Path, folders: tuple[str, ...]) -> list[str]:
    """Returns the files that are too long."""
    sources = (file for folder in folders for file in sorted((root / folder).rglob("*")))
    counts = {
        file.relative_to(root): len(file.read_text().splitlines())
        for file in sources
        if file.is_file() and file.suffix in SOURCES and str(file.relative_to(root)) not in LONG_SOLUTIONS
    }
    return [
        f"{name} has {count} lines, more than {MOST_LINES}: split it"
        for name, count in counts.items()
        if count > MOST_LINES
    ]


def judge(root: Path, objects: Path, folders: tuple[str, ...]) -> dict[str, list[str]]:
    """Returns the violations of each rule."""
    included, called = includes(root / "simt"), calls(root / "simt", objects)
    return {
        "rooms": homeless(root / "simt"),
        "includes": arrows_back(included, "includes"),
        "symbols": arrows_back(called, "needs a symbol of"),
        "circles": circles(joined(included, called)),
        "lengths": lengths(root, folders),
    }


def planted_faults() -> list[str]:
    """Makes a device with one fault of each kind, and returns the rules that did not find theirs."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        files = {
            "simt/core/run.c": '#include "checks/look.h"\nvoid run(void)\n{\n    look();\n}\n',
            "simt/core/run.h": "void run(void);\n",
            "simt/core/quiet.c": "void look(void);\nvoid quiet(void)\n{\n    look();\n}\n",
            "simt/checks/look.c": '#include "core/run.h"\nvoid look(void)\n{\n    run();\n}\n',
            "simt/checks/look.h": "void look(void);\n",
            "simt/attic/old.c": "",
            "simt/checks/long.c": "\n" * (MOST_LINES + 1),
        }
        for name, content in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(content)
        for source in sorted((root / "simt").rglob("*.c")):
            target = root / "build" / source.relative_to(root / "simt").with_suffix(".o")
            target.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["gcc", "-I", root / "simt", "-c", source, "-o", target], check=True)
        found = judge(root, root / "build", ("simt", "labs/support"))
    expected = {
        "rooms": ["simt/attic/old.c is in no room: name it in ALLOWED"],
        "includes": ["simt/core/run.c includes simt/checks/look.h: core must not know checks"],
        "symbols": [
            "simt/core/quiet.c needs a symbol of simt/checks/look.c: core must not know checks",
            "simt/core/run.c needs a symbol of simt/checks/look.c: core must not know checks",
        ],
        "circles": ["a circle of rooms: simt/checks/look, simt/core/run"],
        "lengths": [f"simt/checks/long.c has {MOST_LINES + 1} lines, more than {MOST_LINES}: split it"],
    }
    return [
        f"{rule}, planted: {found[rule]}, not {wanted}" for rule, wanted in expected.items() if found[rule] != wanted
    ]


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: check_rooms.py OBJECTS", file=sys.stderr)
        return 2
    results = {"planted": planted_faults(), **judge(ROOT, Path(sys.argv[1]), FOLDERS)}
    for wrong in results.values():
        print("".join(f"not ok: {line}\n" for line in wrong), end="")
    failed = sum(bool(wrong) for wrong in results.values())
    print(f"rooms: {len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
