"""Inspects the source and the compiled code of a hand-in before any of it runs. The grader does this in a separate
process: see grader/walls/look.py."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grader.model.errors import GraderFault, describe_os_error
from grader.model.layout import Course
from grader.walls.apart import main_apart
from grader.walls.inspect_calls import inspect_calls
from grader.walls.inspect_object import inspect_object, read_names, uncalled
from grader.walls.inspect_source import inspect_preprocessed, inspect_raw, is_plain

CALLS_BYTES = 4 << 20  # limit for g++'s dump of one object; the largest of the reference has a thirtieth of it
REFUSALS_SHOWN = 5
REFUSALS_CAP = 1000  # limit for the refusals of one object, and of all objects
# Parts of C++'s library, as a source writes them, that the device cannot look into.
_LIBRARY = re.compile(
    r"^(?!\s*#).*(?:\b(?:cout|cerr|clog|cin|endl|string|to_string|string_view|[io]?stringstream|[io]?fstream|(?:unordered_)?(?:multi)?"
    r"(?:map|set)|list|deque|regex|function|shared_ptr|async|throw)\b|\bstd::(?:exception|\w+_error|thread|mutex)\b)"
)
# LAB.BUILD.checked.o is made from the same text after the preprocessor as LAB.BUILD.o, only with more checks.
_SAME_TEXT = ".checked"
_SYSTEM_FOLDERS = ("/usr/", "/opt/cuda")


def inspect_source(file: Path) -> list[str]:
    """The refusals of the file as it was handed in, in the form of compiler errors."""
    text = _read(file)
    return _words(file.name, {(refusal.line, refusal.what) for refusal in inspect_raw(text)}, text)


def needs_preprocessor(file: Path) -> bool:
    """True when the file must be inspected after the preprocessor as well. Most files need not."""
    return not is_plain(_read(file))


def inspect_texts(course: Course, folder: Path, file: Path) -> list[str]:
    """The refusals of the preprocessed sources, LAB.*.ii, that a build made from `file`. Most files need none."""
    if not needs_preprocessor(file):
        return []
    labs = (f"{course.relative(path)}/" for path in course.root.glob("labs/[0-9]*/"))
    roots = (*_SYSTEM_FOLDERS, "simt/include/", "labs/include/", "labs/stock/", *labs, f"{course.relative(folder)}/")
    found: set[tuple[int, str]] = set()
    for path in sorted(folder.glob(f"{file.stem}.*.ii")):
        for refusal in inspect_preprocessed(_read(path), file.name, roots):
            found.add((refusal.line, refusal.what))
    return _words(file.name, set(sorted(found)[:REFUSALS_CAP]), _read(file))


def inspect_built(course: Course, folder: Path, file: Path) -> list[str]:
    """The refusals of what a build made from `file`: LAB.*.o and LAB.*.calls. GraderFault when one of them is
    missing, or a LAB.*.ii if the file needs it, because then nothing was inspected."""
    stem, source = file.stem, _read(file)
    plain = is_plain(source)
    objects = sorted(folder.glob(f"{stem}.*.o"))
    preprocessed = [] if plain else sorted(folder.glob(f"{stem}.*.ii"))
    texts = {path.with_suffix(".ii") for path in objects if path.suffixes[-2] != _SAME_TEXT}
    if not objects or (not plain and texts != {*preprocessed}):
        raise GraderFault(f"{folder} holds {len(preprocessed)} preprocessed and {len(objects)} object files of {stem}")

    found: set[tuple[int, str]] = set()
    names, lines = read_names(), _Lines(source)
    for path in objects:
        inspected = inspect_object(path, names)
        for what in sorted({*inspected.wrong} or unseen_calls(path, inspected.variables))[:REFUSALS_CAP]:
            found.add((lines.of(what.split()[0]), what))
    ordered = sorted(found)[:REFUSALS_CAP]
    demangled = _demangled([what for _, what in ordered])
    return _words(file.name, set(zip((line for line, _ in ordered), demangled, strict=True)), source)


def unseen_calls(path: Path, variables: set[str]) -> list[str]:
    """The faults of the calls in an object file with these variables, found in the dump next to it."""
    dump = path.with_suffix(".calls")
    if dump.stat().st_size > CALLS_BYTES:
        return [f"{path.name} has more statements than a lab's code can have: write less code"]
    found = list(inspect_calls(_read(dump), variables))
    never = uncalled(path) if found else set()  # few files need this, and it takes as long as all other checks
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
    """Finds the lines of a source that contain a name."""

    def __init__(self, source: str) -> None:
        self._source = source
        lines = enumerate(source.split("\n"), start=1)
        self._library = next((number for number, line in lines if _LIBRARY.search(line)), 0)

    def of(self, symbol: str) -> int:
        """The first line with the symbol's name; 0 when there is none."""
        at = self._source.find(symbol)
        named = self._source.count("\n", 0, at) + 1 if at >= 0 else 0
        if not symbol.startswith("_Z"):
            return named
        # The source does not contain the name: then the line that uses the library is reported.
        return min((line for line in (named, self._library) if line), default=0)


def _demangled(sentences: list[str]) -> list[str]:
    """Writes C++ names in the sentences as people write them. Without c++filt the sentences stay unchanged."""
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
        return path.read_bytes().decode("utf-8", errors="replace")  # for a compiler, a lone \r does not end a line
    except OSError as error:
        raise GraderFault(f"cannot read {path}: {describe_os_error(error)}") from error


def _source_job(file: str) -> tuple[list[str], bool]:
    refusals = inspect_source(Path(file))
    return refusals, not refusals and not needs_preprocessor(Path(file))


def _preprocessed_job(root: str, folder: str, file: str) -> list[str]:
    return inspect_texts(Course(Path(root)), Path(folder), Path(file))


def _built_job(root: str, folder: str, file: str) -> list[str]:
    return inspect_built(Course(Path(root)), Path(folder), Path(file))


_JOBS: dict[str, Callable[..., Any]] = {
    "source": _source_job,
    "preprocessed": _preprocessed_job,
    "built": _built_job,
}


def main() -> int:
    """python -m grader.walls.inspection FILE FOLDER prints the refusals of a FILE that make has built in FOLDER, one a
    line. With the arguments of grader/walls/apart.py it does a job for it."""
    file, folder = Path(sys.argv[1]), Path(sys.argv[2])
    if not folder.is_dir():
        return main_apart(_JOBS, sys.argv)
    what = Course(Path.cwd()), folder.resolve(), file
    refusals = inspect_source(file) or inspect_texts(*what) or inspect_built(*what)
    print("\n".join(refusals))
    return 1 if refusals else 0


if __name__ == "__main__":
    sys.exit(main())
