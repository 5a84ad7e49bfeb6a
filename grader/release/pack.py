"""Makes the students' tree: the course without its solutions and hidden suites.

Files are copied by a list of what to ship, and the student's files are made from the reference. Then the finished tree
is searched for solutions (grader/release/leaks.py), and a solution in any shipped file stops the release.
"""

import gzip
import hashlib
import io
import json
import shutil
import tarfile
import tempfile
from pathlib import Path, PurePosixPath

from grader.handin.discover import discover_labs
from grader.judge.settings import FILE_NAME, read_settings, to_toml
from grader.model.errors import GraderFault, UsageError, describe_os_error
from grader.model.layout import Course
from grader.model.results import write_atomically
from grader.release.documents import Taken, for_students, without_dead_links
from grader.release.leaks import Leak, find_leaks
from grader.release.stubs import generate_stubs
from grader.release.tracked import tracked_files

MARKER = ".scan-labs-release"  # distinguishes an earlier release from another folder

SHIPPED_FILES = {
    *("Makefile", "README.md", "LICENSE", ".clang-format", ".gitattributes", ".gitignore", "pyproject.toml"),
    "Containerfile",
}
SHIPPED_FOLDERS = {".devcontainer", ".vscode", "labs", "simt", "grader", "datasets", "handouts"}
# The course's tests contain working scans and planted mistakes, and the device's own benchmark is a scan.
LEFT_OUT_FOLDERS = {"tests", "__pycache__", "reference", "build"}
LEFT_OUT = {
    *("simt/bench", "labs/README.md", "grader/instructor.mk"),
    *(
        "grader/CLASS.md",
        "grader/EXPORT.md",
        "grader/INSTRUCTORS.md",
        "grader/PLANNING.md",
        "grader/PROOFS.md",
        "grader/TEACHING.md",
    ),
}
STUDENT_ARCHIVE, INSTRUCTOR_ARCHIVE = "scan-labs-student.tar.gz", "scan-labs-instructor.tar.gz"

_LEAKS_SHOWN = 10


def make_release(course: Course, target: Path) -> int:
    """Makes the release in `target`, which must be new, empty or an earlier release. Returns its number of files.
    GraderFault when something secret would be shipped; then `target` is unchanged."""
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


def _check_target(course: Course, target: Path) -> None:
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise UsageError(f"{target} is not a folder; name a new one")
    if target.is_dir() and any(target.iterdir()) and not (target / MARKER).is_file():
        raise UsageError(f"{target} is neither empty nor an earlier release; name a new folder")
    place = target.resolve()
    if course.root.is_relative_to(place) or (
        place.is_relative_to(course.root) and not place.is_relative_to(course.build)
    ):
        raise UsageError(f"{target} is inside the course's own tree; name a folder outside it or in build/")


def _fill(course: Course, work: Path) -> int:
    count = 0
    gone = _left_out(course)
    for name in tracked_files(course):
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
    _rewrite_documents(course, work)
    if (course.root / FILE_NAME).exists():
        settings = read_settings(course, discover_labs(course))
        (work / FILE_NAME).write_text(to_toml(settings), encoding="utf-8")
        _fill_in_address(work / "handouts" / "scan-labs.ipynb", settings.address)
        count += 1
    (work / MARKER).write_text(
        f"The tree that students get. Made by: make release\n{_digest(work)}\n", encoding="utf-8"
    )
    return count


def _rewrite_documents(course: Course, work: Path) -> None:
    """Rewrites the documents for students and for this class. Text is removed first, and then links to removed text."""
    labs = discover_labs(course)
    kept = read_settings(course, labs).choose(labs)
    numbers = tuple(lab.number for lab in kept)
    gone = frozenset(lab.number for lab in labs) - frozenset(numbers)
    left_out = frozenset(part for lab in kept for part in lab.left_out)
    taken = Taken(numbers, gone, left_out, frozenset(part.name for lab in kept for part in lab.parts) - left_out)
    trust = work / "grader" / "TRUST.md"
    shown = [path for path in (work / "README.md", trust, *sorted((work / "handouts").glob("*.md"))) if path.is_file()]
    for document in shown:
        document.write_text(for_students(document.read_text(encoding="utf-8"), taken), encoding="utf-8")
    for document, text in [(document, without_dead_links(document)) for document in shown]:
        document.write_text(text, encoding="utf-8")


def _fill_in_address(notebook: Path, address: str) -> None:
    """Writes the address of the course into the notebook, so that it can clone the course on machines such as Colab."""
    if notebook.is_file():
        line = json.dumps(f"ADDRESS = {json.dumps(address)}\n")
        text = notebook.read_text(encoding="utf-8").replace(json.dumps('ADDRESS = ""\n'), line)
        notebook.write_text(text, encoding="utf-8")


def _digest(tree: Path) -> str:
    """A digest of the tree. The Makefile compares it, because files of an archive have no timestamps: make alone could
    not notice that a corrected release was unpacked over the one that it has built."""
    digest = hashlib.sha256()
    for path in sorted(path for path in tree.rglob("*") if path.is_file()):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(tree)}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def write_archives(course: Course, release: Path, folder: Path) -> tuple[Path, Path]:
    """Writes the student's archive, from a release, and the instructor's, from the course's own files. The same trees
    give the same bytes. GraderFault when they cannot be written."""
    tops = (STUDENT_ARCHIVE.removesuffix(".tar.gz"), INSTRUCTOR_ARCHIVE.removesuffix(".tar.gz"))
    shipped = sorted(str(path.relative_to(release)) for path in release.rglob("*") if path.is_file())
    own = [name for name in tracked_files(course) if not name.startswith("build/")]
    student, instructor = folder / STUDENT_ARCHIVE, folder / INSTRUCTOR_ARCHIVE
    _pack(release, shipped, tops[0], student)
    _pack(course.root, own, tops[1], instructor)
    return student, instructor


def _pack(root: Path, names: list[str], top: str, archive: Path) -> None:
    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = entry.mtime = 0
        entry.uname = entry.gname = ""
        entry.mode = 0o755 if entry.mode & 0o100 else 0o644
        return entry

    buffer = io.BytesIO()
    try:
        with (
            gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as packed,
            tarfile.open(fileobj=packed, mode="w") as tar,
        ):
            for name in names:
                if (root / name).exists():  # git may list a deleted file
                    tar.add(root / name, f"{top}/{name}", recursive=False, filter=plain)
    except OSError as error:
        raise GraderFault(f"cannot pack {root}: {describe_os_error(error)}") from error
    write_atomically(archive, buffer.getvalue())


def _left_out(course: Course) -> set[str]:
    """Folders and files of the labs that this class does not have."""
    labs = discover_labs(course)
    kept = {lab.number for lab in read_settings(course, labs).choose(labs)}
    gone: set[str] = set()
    for lab in labs:
        if lab.number not in kept:
            gone |= {course.relative(lab.folder), f"student/{lab.source}", f"handouts/{lab.folder.name}.md"}
    return gone


def is_shipped(path: PurePosixPath) -> bool:
    """True when a file of the course, given by its path from the root, is shipped to students."""
    if len(path.parts) == 1:
        return path.name in SHIPPED_FILES
    return (
        path.parts[0] in SHIPPED_FOLDERS
        and not LEFT_OUT.intersection(map(str, (path, *path.parents)))
        and not LEFT_OUT_FOLDERS.intersection(path.parts[:-1])
        and not path.stem.endswith("_hidden")
    )


def _describe(leaks: list[Leak]) -> str:
    lines = [f"    {leak.shipped}: {leak.text}   (from {leak.origin})" for leak in leaks[:_LEAKS_SHOWN]]
    if len(leaks) > _LEAKS_SHOWN:
        lines.append(f"    ... and {len(leaks) - _LEAKS_SHOWN} more")
    return (
        "nothing was released: solutions would leak\n"
        + "\n".join(lines)
        + "\n    try: take the line out of the shipped file, or move it out of the solution region"
    )
