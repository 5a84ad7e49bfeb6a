"""Looks a hand-in's source and compiled code through before anything of it runs. The grader has this done in a process
of its own: see grader/walls/look.py."""

import re
import subprocess
import sys
from pathlib import Path

from grader.model.errors import GraderFault, describe_os_error
from grader.model.layout import Course
from grader.walls.apart import main_apart
from grader.walls.inspect_calls import inspect_calls
from grader.walls.inspect_object import inspect_object, read_names, uncalled
from grader.walls.inspect_source import inspect_preprocessed, inspect_raw, is_plain

CALLS_BYTES = 4 << 20  # of g++'s dump for one object; the largest of the reference has a thirtieth of that
REFUSALS_SHOWN = 5
REFUSALS_CAP = 1000  # of one object, and of all; no more are counted
# What of C++'s library a source may use that the device cannot look into, as it is spelt there.
_LIBRARY = re.compile(
    r"^(?!\s*#).*\b(?:cout|cerr|clog|cin|endl|string|to_string|string_view|[io]?stringstream|[io]?fstream|(?:unordered_)?(?:multi)?"
    r"(?:map|set)|list|deque|regex|function|shared_ptr|async)\b"
)
_SYSTEM_FOLDERS = ("/usr/", "/opt/cuda")


def inspect_source(file: Path) -> list[str]:
    """Refusals of the file as it was handed in, as a compiler would print errors."""
    text = _read(file)
    return _words(file.name, {(refusal.line, refusal.what) for refusal in inspect_raw(text)}, text)


def needs_preprocessor(file: Path) -> bool:
    """Has the file to be looked at after the preprocessor, too? Most need not."""
    return not is_plain(_read(file))


def inspect_built(course: Course, folder: Path, file: Path) -> list[str]:
    """Refusals of what a build made of `file`: LAB.*.ii, preprocessed, where that is needed, LAB.*.o and LAB.*.calls.
    GraderFault when a file of either kind is missing: then nothing was looked at."""
    stem, source = file.stem, _read(file)
    plain = is_plain(source)
    objects = sorted(folder.glob(f"{stem}.*.o"))
    preprocessed = [] if plain else sorted(folder.glob(f"{stem}.*.ii"))
    if not objects or (not plain and len(preprocessed) != len(objects)):
        raise GraderFault(f"{folder} holds {len(preprocessed)} preprocessed and {len(objects)} object files of {stem}")

    labs = (f"{course.relative(path)}/" for path in course.root.glob("labs/[0-9]*/"))
    roots = (*_SYSTEM_FOLDERS, "simt/include/", "labs/include/", "labs/stock/", *labs, f"{course.relative(folder)}/")
    found: set[tuple[int, str]] = set()
    for path in preprocessed:
        for refusal in inspect_preprocessed(_read(path), file.name, roots):
            found.add((refusal.line, refusal.what))
    names, lines = read_names(), _Lines(source)
    for path in objects:
        inspected = inspect_object(path, names)
        for what in sorted({*inspected.wrong} or unseen_calls(path, inspected.variables))[:REFUSALS_CAP]:
            found.add((lines.of(what.split()[0]), what))
    ordered = sorted(found)[:REFUSALS_CAP]
    demangled = _demangled([what for _, what in ordered])
    return _words(file.name, set(zip((line for line, _ in ordered), demangled, strict=True)), source)


def unseen_calls(path: Path, variables: set[str]) -> list[str]:
    """What is wrong with the calls in an object file of these variables, by the dump that lies beside it."""
    dump = path.with_suffix(".calls")
    if dump.stat().st_size > CALLS_BYTES:
        return [f"{path.name} has more statements than a lab's code can have: write less code"]
    found = list(inspect_calls(_read(dump), variables))
    never = uncalled(path) if found else set()  # few files need it, and it takes as long as the rest
    return [sentence for symbol, sentence in found if symbol not in never]


def _words(name: str, found: set[tuple[int, str]], source: str) -> list[str]:
    last = source.count("\n") + 1
    shown = [
        f"{name}:{line}: error: {what}" if 0 < line <= last else f"{name}: error: {what}"
        for line, what in sorted(found)
    ]
    more = len(shown) - REFUSALS_SHOWN
    return shown[:REFUSALS_SHOWN] + ([f"... and {more} more"] if more > 0 else [])


class _Lines:
    """Finds lines of a source."""

    def __init__(self, source: str) -> None:
        self._source = source
        lines = enumerate(source.split("\n"), start=1)
        self._library = next((number for number, line in lines if _LIBRARY.search(line)), 0)

    def of(self, symbol: str) -> int:
        """Where a symbol's name stands first; 0 when it does not."""
        at = self._source.find(symbol)
        named = self._source.count("\n", 0, at) + 1 if at >= 0 else 0
        if not symbol.startswith("_Z"):
            return named
        # No source spells it so: then the line that brought it in.
        return min((line for line in (named, self._library) if line), default=0)


def _demangled(sentences: list[str]) -> list[str]:
    """With the names of C++ functions as people write them. As they are where c++filt is missing."""
    if not any("_Z" in sentence for sentence in sentences):
        return sentences
    try:
        done = subprocess.run(
            ["c++filt", "-p"], input="\n".join(sentences), capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return sentences
    lines = done.stdout.splitlines()
    return lines if len(lines) == len(sentences) else sentences


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", errors="replace")  # a lone \r is no newline to a compiler
    except OSError as error:
        raise GraderFault(f"cannot read {path}: {describe_os_error(error)}") from error


def _source_job(file: str) -> tuple[list[str], bool]:
    refusals = inspect_source(Path(file))
    return refusals, not refusals and not needs_preprocessor(Path(file))


def _built_job(root: str, folder: str, file: str) -> list[str]:
    return inspect_built(Course(Path(root)), Path(folder), Path(file))


def main() -> int:
    """python -m grader.walls.inspection FILE FOLDER: the refusals of a FILE that make has built in FOLDER, a line each.
    With files in the place of both it does a job of grader/walls/apart.py."""
    file, folder = Path(sys.argv[1]), Path(sys.argv[2])
    if not folder.is_dir():
        return main_apart({"source": _source_job, "built": _built_job}, sys.argv)
    refusals = inspect_source(file) or inspect_built(Course(Path.cwd()), folder.resolve(), file)
    print("\n".join(refusals))
    return 1 if refusals else 0


if __name__ == "__main__":
    sys.exit(main())
