"""Makes student/*.cu from reference/*.cu by removing the solution regions.

student/.stubs.sha256, in the format of sha256sum, has a checksum of each stub at the time when it was made. A file that
still has this checksum may be replaced; any other file has been edited and is kept.
"""

import difflib
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from grader.judge.settings import FILE_NAME, class_labs
from grader.model.errors import UsageError, describe_os_error
from grader.model.layout import Course
from grader.model.results import write_atomically
from grader.release.regions import SourceLine, read_regions

RECORD = ".stubs.sha256"
LEFT_OUT = "/* Not part of this class: leave it as it is. */"


def make_stub(lines: list[SourceLine]) -> str:
    """The text outside of the regions. Removing a region leaves no double blank lines and no blank line at the edge of
    a block."""
    kept: list[str] = []
    region = 0
    for line in lines:
        if line.secret:
            continue
        after_cut = line.region != region
        region = line.region
        if (
            after_cut
            and not line.text.strip()
            and (not kept or not kept[-1].strip() or kept[-1].rstrip().endswith("{"))
        ):
            continue
        if after_cut and line.text.strip() == "}" and kept and not kept[-1].strip():
            kept.pop()
        kept.append(line.text)
    return "\n".join(kept) + "\n"


def generate_stubs(course: Course) -> dict[str, str]:
    """File name -> text of its stub, for all files. UsageError when a reference file's regions are wrong."""
    paths = sorted(course.reference.glob("*.cu"))
    if not paths:
        raise UsageError(f"there is no {course.reference}/*.cu to make stubs from")
    out = {lab.source: lab.left_out for lab in class_labs(course)} if (course.root / FILE_NAME).exists() else {}
    return {path.name: mark_left_out(make_stub(read_regions(path)), out.get(path.name, ())) for path in paths}


def mark_left_out(stub: str, parts: Iterable[str]) -> str:
    """The stub with a line before each of these parts which says that it need not be written."""
    for part in parts:
        stub = re.sub(rf"^(?=[a-z][\w \t*]*\b{part}\s*\()", f"{LEFT_OUT}\n", stub, count=1, flags=re.MULTILINE)
    return stub


def check_stubs(course: Course) -> str:
    """A diff from student/ to what it should be; empty when they are equal."""
    stubs = generate_stubs(course)
    names = sorted({*stubs, *(path.name for path in course.student.glob("*.cu"))})
    return "".join(_difference(course.student / name, stubs.get(name)) for name in names)


def write_stubs(course: Course, force: bool) -> tuple[list[Path], list[Path]]:
    """Updates student/. Returns the files that were written, and those that were kept because they had been edited."""
    pristine = _read_record(course)
    record: dict[str, str] = {}
    written: list[Path] = []
    kept: list[Path] = []
    for name, stub in generate_stubs(course).items():
        path = course.student / name
        digest = _digest(stub.encode())
        present = _digest(path.read_bytes()) if path.exists() else None
        if present == digest:
            record[name] = digest
        elif present is None or present == pristine.get(name) or force:
            write_atomically(path, stub.encode())
            written.append(path)
            record[name] = digest
        else:
            kept.append(path)
            record |= {name: pristine[name]} if name in pristine else {}
    if record != pristine:
        lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(record.items()))
        write_atomically(course.student / RECORD, lines.encode())
    return written, kept


def _difference(path: Path, stub: str | None) -> str:
    present = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    if stub is None:
        return f"{path}: has no file of that name in reference/\n"
    return "".join(
        difflib.unified_diff(
            present.splitlines(keepends=True),
            stub.splitlines(keepends=True),
            fromfile=f"student/{path.name}",
            tofile=f"student/{path.name} (made from reference/{path.name})",
        )
    )


def _read_record(course: Course) -> dict[str, str]:
    path = course.student / RECORD
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    except OSError as error:
        raise UsageError(f"cannot read {path}: {describe_os_error(error)}") from error
    pairs = (line.split(maxsplit=1) for line in lines)
    return {pair[1]: pair[0] for pair in pairs if len(pair) == 2}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
