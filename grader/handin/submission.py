"""Finds the submission that a path means, and copies its files to a pristine tree.

A hand-in must be expected to be hostile. Only regular files with the name of a lab's file are copied, never through a
symbolic link, and only up to SIZE_CAP bytes. All other files are left out and reported.
"""

import codecs
import hashlib
import os
import re
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.handin.archive import SIZE_CAP
from grader.handin.discover import Lab
from grader.model.errors import GraderFault, UsageError, describe_os_error, printable
from grader.model.layout import Course
from grader.model.types import IgnoredFile

IGNORED_CAP = 100  # limit for reported entries of a folder
SEARCH_CAP = 2000  # limit for entries that are searched for a hint

OWN_KINDS = ("student", "reference")


@dataclass(frozen=True, slots=True)
class Submission:
    """What the command line names; nothing is opened yet."""

    kind: str  # student | reference | hand-in
    name: str  # a valid name for a folder
    path: Path  # the folder, or the folder of the named files
    files: tuple[Path, ...] | None  # the named files; None for a whole folder

    @property
    def own(self) -> bool:
        """True when it is the code of the user who runs the grader."""
        return self.kind in OWN_KINDS

    @property
    def who(self) -> str:
        """Name of its folder below build/<device>/. It differs from the folder of `make build`, so that neither run of
        make takes the other's output as up to date."""
        return f"grade-{self.name}"


@dataclass(frozen=True, slots=True)
class Staged:
    """The files of a submission, copied to a pristine tree."""

    source: Path  # build/grade/<name>/src
    files: tuple[str, ...]
    ignored: tuple[IgnoredFile, ...]

    def why_missing(self, lab: Lab) -> str:
        """The message for a lab whose file was not taken."""
        for entry in self.ignored:
            if Path(entry.path).name == lab.source:
                return f"{lab.source} was handed in, but not taken: {entry.reason}"
        return f"{lab.source} is not in the submission"


def resolve_submission(course: Course, arguments: list[str], name: str | None, cwd: Path) -> Submission:
    """The submission that the arguments mean: none or `student`, `reference`, a folder, or .cu files."""
    if not arguments:
        arguments = ["student"]
    if len(arguments) == 1 and not os.path.lexists(cwd / arguments[0]):
        # Make passes several files as one argument: SUBMISSION="one.cu two.cu"
        arguments = arguments[0].split() or arguments
    if len(arguments) == 1:
        argument = arguments[0]
        path = cwd / argument
        for kind in OWN_KINDS:
            own = course.root / kind
            # Links are not followed, so that nothing handed in is ever taken for the course's own files.
            if argument == kind or os.path.normpath(path) == os.path.normpath(own):
                if not own.is_dir():
                    hint = "\n    try: make stubs" if kind == "student" and course.reference.is_dir() else ""
                    raise UsageError(f"there is no {own}: this tree has no {kind} solution to grade{hint}")
                return Submission(kind, folder_name(name or kind), own, None)
        if path.is_dir():
            return Submission("hand-in", _hand_in_name(name or path.resolve().name), path, None)

    files = tuple(cwd / argument for argument in arguments)
    for argument, file in zip(arguments, files, strict=True):
        if not os.path.lexists(file):
            raise UsageError(
                f"there is no submission {argument!r}\n"
                "    try: student, reference, the path of a folder, or the paths of .cu files"
            )
        if file.is_dir():
            raise UsageError(f"{argument} is a folder: grade one folder at a time, or name .cu files only")
    return Submission("hand-in", _hand_in_name(name or files[0].parent.resolve().name), files[0].parent, files)


def stage(course: Course, submission: Submission, labs: tuple[Lab, ...]) -> Staged:
    """Copies the labs' files of the submission to build/grade/<name>/src. A file that has not changed keeps its time,
    so that make builds only what changed. UsageError when there is nothing to copy."""
    allowed = {lab.source for lab in labs}
    target = course.workplace(submission.name) / "src"
    taken: dict[str, bytes] = {}
    ignored: list[IgnoredFile] = []
    for path in _entries(submission):
        label = printable(path.name if submission.files is None else str(path))
        if path.name not in allowed:
            reason = "a folder" if path.is_dir() and not path.is_symlink() else "not the name of a lab's file"
            ignored.append(IgnoredFile(label, reason))
            continue
        if path.name in taken:
            raise UsageError(f"{path.name} is named twice; hand in one of them")
        content = read_guarded(path)
        if isinstance(content, str):
            ignored.append(IgnoredFile(label, content))
        else:
            taken[path.name] = in_utf8(content)

    if not taken and not any(Path(entry.path).name in allowed for entry in ignored):
        raise UsageError(
            f"nothing to grade in {printable(str(submission.path))}: it has none of {', '.join(sorted(allowed))}"
            + _hint(submission, allowed)
        )
    write_tree(target, taken)
    return Staged(target, tuple(sorted(taken)), tuple(_reported(submission, ignored)))


def _entries(submission: Submission) -> list[Path]:
    if submission.files is not None:
        return list(submission.files)
    try:
        return sorted(submission.path.iterdir())
    except OSError as error:
        raise UsageError(f"cannot read {submission.path}: {describe_os_error(error)}") from error


def read_guarded(path: Path) -> bytes | str:
    """The content of a handed-in file, or the reason for leaving it out."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        return "a symbolic link" if path.is_symlink() else f"cannot be read: {error.strerror}"
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return "not a regular file"
        with open(handle, "rb", closefd=False) as stream:
            content = stream.read(SIZE_CAP + 1)
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    finally:
        os.close(handle)
    if len(content) > SIZE_CAP:
        return f"larger than {SIZE_CAP >> 10} KiB"
    return content


def in_utf8(content: bytes) -> bytes:
    """Converts UTF-16 with a byte order mark, which some Windows editors write and no compiler reads, to UTF-8. Other
    content is returned unchanged."""
    if not content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content
    try:
        return content.decode("utf-16").encode()
    except UnicodeError:
        return content


def write_tree(target: Path, files: dict[str, bytes]) -> None:
    """Makes a folder contain exactly these files. GraderFault when that is not possible."""
    try:
        target.mkdir(parents=True, exist_ok=True)
        for old in target.iterdir():
            if old.is_dir() and not old.is_symlink():
                shutil.rmtree(old)
            elif old.is_symlink() or old.name not in files:
                old.unlink()
        for name, content in files.items():
            path = target / name
            if not path.exists() or path.read_bytes() != content:
                path.write_bytes(content)
    except OSError as error:
        raise GraderFault(f"cannot write {target}: {describe_os_error(error)}") from error


def _reported(submission: Submission, ignored: list[IgnoredFile]) -> Iterator[IgnoredFile]:
    """The ignored files that are worth reporting: not the reference's other files, and no dot files of the student's
    folder."""
    if submission.kind == "reference":
        return
    shown = [entry for entry in ignored if not (submission.own and entry.path.startswith("."))]
    yield from shown[:IGNORED_CAP]
    if len(shown) > IGNORED_CAP:
        yield IgnoredFile("...", f"and {len(shown) - IGNORED_CAP} more")


def _hint(submission: Submission, allowed: set[str]) -> str:
    """Says where the files are, when they are deeper in the folder."""
    if submission.files is not None:
        return "\n    try: give the file the lab's own name"
    for path in _walk(submission.path):
        if path.name in allowed:
            return f"\n    try: grade {path.parent}, where {path.name} is"
    return ""


def _walk(top: Path) -> Iterator[Path]:
    budget = SEARCH_CAP
    for folder, _folders, names in os.walk(top):
        for name in names:
            budget -= 1
            if budget < 0:
                return
            yield Path(folder) / name


def _hand_in_name(name: str) -> str:
    """A name that keeps a hand-in's results apart from the course's own submissions."""
    safe = folder_name(name)
    return f"hand-in-{safe}" if safe in OWN_KINDS else safe


def folder_name(name: str) -> str:
    """A name that is safe in paths, in make and in a shell. Different names stay different."""
    safe = re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._-")[:60]
    if safe == name:
        return safe
    return f"{safe or 'submission'}-{hashlib.sha256(os.fsencode(name)).hexdigest()[:6]}"
