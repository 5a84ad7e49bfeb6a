"""Makes the tree that students get: the course without its solutions and hidden suites.

Files are taken by a list of what to ship, and the student's files are made anew from the reference. Then the
finished tree is searched: a line of a solution that stands in any shipped file stops the release, unless the
line also stands outside of the solution regions.
"""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from grader.discover import discover_labs
from grader.errors import GraderFault, UsageError, describe_os_error
from grader.layout import Course
from grader.regions import SourceLine, read_regions
from grader.settings import FILE_NAME, read_settings, to_toml
from grader.stubs import generate_stubs

MARKER = ".scan-labs-release"  # tells an earlier release from a folder of somebody's

SHIPPED_FILES = {"Makefile", "README.md", "LICENSE", ".clang-format", ".gitignore", "pyproject.toml"}
SHIPPED_FOLDERS = {"labs", "simt", "grader", "datasets", "handouts"}
# Tests of ours hold working scans and planted mistakes.
LEFT_OUT_FOLDERS = {"tests", "__pycache__", "reference", "build"}

LEAST_SIGNIFICANT = 24  # characters without white space; shorter lines give nothing away

_GIT_SECONDS = 60
_LEAKS_SHOWN = 10
_COMMENT = re.compile(r"/\*.*?\*/|//.*")


@dataclass(frozen=True, slots=True)
class Leak:
    """A solution's line in a file to be shipped."""

    shipped: str  # path and line in the release
    origin: str  # path and line in reference/
    text: str


def make_release(course: Course, target: Path) -> int:
    """Makes the release in target, which must be new, empty or an earlier release. Returns how many files it
    holds. GraderFault when something secret would be shipped: then target is left as it was."""
    if not course.reference.is_dir():
        raise UsageError(f"there is no {course.reference}: a release is made from the instructor's tree")
    _check_target(course, target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:
        raise GraderFault(f"cannot write {target.parent}: {describe_os_error(error)}") from error
    try:
        count = _fill(course, work)
        leaks = find_leaks(course, work)
        if leaks:
            raise GraderFault(_describe(leaks))
        if target.exists():
            shutil.rmtree(target)
        work.chmod(0o755)
        work.rename(target)
    except OSError as error:
        raise GraderFault(f"cannot write the release: {describe_os_error(error)}") from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return count


def find_leaks(course: Course, tree: Path) -> list[Leak]:
    """Every solution line, and every whole file of reference/, that stands in the tree."""
    secret = solution_lines(course)
    whole = {p.read_bytes(): p for p in sorted(course.reference.rglob("*")) if p.is_file() and p.stat().st_size}
    leaks: list[Leak] = []
    for path in sorted(path for path in tree.rglob("*") if path.is_file()):
        content = path.read_bytes()
        shown = path.relative_to(tree)
        if content in whole:
            leaks.append(Leak(str(shown), course.relative(whole[content]), "the whole file"))
            continue
        for number, line in enumerate(content.decode(errors="replace").splitlines(), start=1):
            origin = secret.get(essence(line))
            if origin is not None:
                leaks.append(Leak(f"{shown}:{number}", origin, line.strip()))
    return leaks


def solution_lines(course: Course) -> dict[str, str]:
    """The essence of each line that gives something away, with where it stands."""
    files = {path: read_regions(path) for path in sorted(course.reference.glob("*.cu"))}
    public = {essence(line.text) for lines in files.values() for line in lines if not line.secret}
    return {
        key: f"{course.relative(path)}:{line.number}"
        for path, lines in files.items()
        for key, line in _significant(lines)
        if key not in public
    }


def essence(line: str) -> str:
    """A line without white space and comments."""
    return "".join(_COMMENT.sub("", line).split())


def _significant(lines: list[SourceLine]) -> Iterator[tuple[str, SourceLine]]:
    for line in lines:
        key = essence(line.text)
        if line.secret and len(key) >= LEAST_SIGNIFICANT:
            yield key, line


def _check_target(course: Course, target: Path) -> None:
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise UsageError(f"{target} is not a folder; name a new one")
    if target.is_dir() and any(target.iterdir()) and not (target / MARKER).is_file():
        raise UsageError(f"{target} is neither empty nor an earlier release; name a new folder")
    place = target.resolve()
    if course.root.is_relative_to(place) or (
        place.is_relative_to(course.root) and not place.is_relative_to(course.build)
    ):
        raise UsageError(f"{target} lies inside the course's own tree; name a folder outside it or in build/")


def _fill(course: Course, work: Path) -> int:
    count = 0
    gone = _left_out(course)
    for name in _tracked(course):
        path = PurePosixPath(name)
        if not is_shipped(path) or gone.intersection(map(str, (path, *path.parents))):
            continue
        source = course.root / name
        if source.is_symlink() or not source.is_file():
            continue
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, work / name)
        count += 1
    (work / "student").mkdir()
    for name, stub in generate_stubs(course).items():
        if f"student/{name}" in gone:
            continue
        (work / "student" / name).write_text(stub, encoding="utf-8")
        count += 1
    _unlink_handouts(work / "handouts" / "README.md", gone)
    if (course.root / FILE_NAME).exists():
        text = to_toml(read_settings(course, discover_labs(course)))
        (work / FILE_NAME).write_text(text, encoding="utf-8")
        count += 1
    (work / MARKER).write_text("The tree that students get. Made by: make release\n", encoding="utf-8")
    return count


def _left_out(course: Course) -> set[str]:
    """Folders and files of the labs that this class does not have."""
    labs = discover_labs(course)
    kept = {lab.number for lab in read_settings(course, labs).choose(labs)}
    gone: set[str] = set()
    for lab in labs:
        if lab.number not in kept:
            gone |= {course.relative(lab.folder), f"student/{lab.source}", f"handouts/{lab.folder.name}.md"}
    return gone


def _unlink_handouts(index: Path, gone: set[str]) -> None:
    """Takes the rows of what is not there out of the handouts' list."""
    names = [PurePosixPath(name).name for name in gone if name.startswith("handouts/")]
    if names and index.is_file():
        lines = index.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = (line for line in lines if not any(f"]({name})" in line for name in names))
        index.write_text("".join(kept), encoding="utf-8")


def is_shipped(path: PurePosixPath) -> bool:
    """Whether a file of the course, named from its root, goes to students."""
    if len(path.parts) == 1:
        return path.name in SHIPPED_FILES
    return (
        path.parts[0] in SHIPPED_FOLDERS
        and not LEFT_OUT_FOLDERS.intersection(path.parts[:-1])
        and not path.stem.endswith("_hidden")
    )


def _tracked(course: Course) -> list[str]:
    """The course's files: git's, so that nothing lying about is shipped; without git, all there are."""
    if not (course.root / ".git").exists():
        return sorted(str(path.relative_to(course.root)) for path in course.root.rglob("*") if path.is_file())
    argv = ["git", "-C", str(course.root), "ls-files", "-z"]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=_GIT_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise GraderFault(f"git cannot list the course's files: {error}") from error
    return sorted(filter(None, done.stdout.split("\0")))


def _describe(leaks: list[Leak]) -> str:
    lines = [f"    {leak.shipped}: {leak.text}   (from {leak.origin})" for leak in leaks[:_LEAKS_SHOWN]]
    if len(leaks) > _LEAKS_SHOWN:
        lines.append(f"    ... and {len(leaks) - _LEAKS_SHOWN} more")
    return (
        "nothing was released: solutions would leak\n"
        + "\n".join(lines)
        + "\n    try: take the line out of the shipped file, or move it out of the solution region"
    )
