"""Makes the hand-ins of a class from everything in the tree: references, alternatives, mutants, stubs, shortcuts,
cheats, and files that cannot be graded. They are packed as students pack them, and as Canvas, Moodle and Gradescope
would.

The choice depends only on the seed and the size. Each file ends with a comment of its own, so that its verdict is not
known from another file. Every second stub is an exception, because many students who did nothing hand in the same file.
"""

import io
import random
import shutil
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from grader.audit.trials import HOSTILE, HOSTILE_LAB, RIGHT, SHORTCUTS, WRONG, make_source, read_trials
from grader.handin.discover import Lab, discover_labs
from grader.model.layout import Course
from grader.release.stubs import generate_stubs

# The number of files of each kind among 20.
MIX = {"reference": 3, "alternative": 4, "mutant": 6, "stub": 2, "shortcut": 1, "cheat": 2, "broken": 1, "nothing": 1}
FIRST_USER = 4000  # first of the numbers that downloads give to students

BROKEN: tuple[bytes, ...] = (
    b"",
    b"void scan(\n",
    b"\x80\xff\x00not text\x00",  # without a byte order mark, which would make it UTF-16
    b"#include <no_such_file.h>\n",
    b"int main(void) { return 0; }\n",
    b"{" * 5000 + b"\n",
)


@dataclass(frozen=True, slots=True)
class Made:
    """One hand-in."""

    number: int
    student: str
    kinds: tuple[str, ...]  # the kinds of its files, such as "cheat fork"
    files: dict[str, bytes]  # lab's file name -> content; empty when nothing can be graded

    @property
    def key(self) -> str:
        """A text that only this hand-in's name contains, in any gradebook."""
        return f"hand{self.number:04d}"


def make_class(course: Course, size: int, whole: bool, seed: int) -> list[Made]:
    """Makes this many hand-ins, each with all labs, or with one lab in turn."""
    draw = random.Random(seed)
    labs = discover_labs(course)
    shelves = {lab.stem: _shelves(course, lab) for lab in labs}
    made: list[Made] = []
    for number in range(size):
        chosen = labs if whole else (labs[number % len(labs)],)
        files: dict[str, bytes] = {}
        kinds: list[str] = []
        for lab in chosen:
            kind = draw.choices(list(MIX), list(MIX.values()))[0]
            if kind == "cheat" and lab.stem != HOSTILE_LAB and not whole:
                lab = next(other for other in labs if other.stem == HOSTILE_LAB)  # noqa: PLW2901
            elif kind == "cheat" and lab.stem != HOSTILE_LAB:
                kind = "mutant"
            shelf = shelves[lab.stem][kind]
            if not shelf:
                kinds.append("nothing")
                continue
            name, content = draw.choice(shelf)
            kinds.append(f"{kind} {name}")
            alike = kind == "stub" and number % 2 == 0
            files[lab.source] = content if alike or not content else content + f"\n/* hand-in {number} */\n".encode()
        made.append(Made(number, f"hand{number:04d} {draw.choice(_NAMES)}", tuple(kinds), files))
    return made


_NAMES = ("Ada", "José Ñ", "O'Brien", "李 雷", "van der Berg", "anna-lena", "x" * 40)


def _shelves(course: Course, lab: Lab) -> dict[str, list[tuple[str, bytes]]]:
    """Kind -> the possible files of this lab, as name and content."""
    source = (course.reference / lab.source).read_text(encoding="utf-8")
    return {
        "reference": [("", source.encode())],
        "alternative": _trials(course, lab, RIGHT),
        "mutant": _trials(course, lab, WRONG),
        "stub": [("", generate_stubs(course)[lab.source].encode())],
        "shortcut": _trials(course, lab, SHORTCUTS),
        "cheat": _trials(course, lab, HOSTILE) if lab.stem == HOSTILE_LAB else [],
        "broken": [(str(i), content) for i, content in enumerate(BROKEN)],
        "nothing": [],
    }


def _trials(course: Course, lab: Lab, sort: str) -> list[tuple[str, bytes]]:
    """The trials of a sort. A right one that lacks parts of the lab is left out, because it does not get all points."""
    entries = read_trials(course.reference, lab.stem, sort)
    if sort == RIGHT:
        entries = [entry for entry in entries if len(entry.parts) == len(lab.parts)]
    return [(entry.name, make_source(course.reference, entry).source.encode()) for entry in entries]


# ---- as students pack them -------------------------------------------------------------------------------------


def write_mixed(folder: Path, made: Sequence[Made]) -> None:
    """Writes folders, archives and single files; each hand-in has another form than its neighbours."""
    _empty(folder)
    for one in made:
        if one.files:
            _FORMS[one.number % len(_FORMS)](folder, one)
        else:
            _NOTHING[one.number % len(_NOTHING)](folder, one)


def _as_folder(top: Path, one: Made, below: str = "") -> None:
    folder = top / one.student / below
    folder.mkdir(parents=True)
    for name, content in one.files.items():
        (folder / name).write_bytes(content)


def _as_deep_folder(top: Path, one: Made) -> None:
    _as_folder(top, one, "Scan Labs (final)/src")
    (top / one.student / ".DS_Store").write_bytes(b"\0")
    (top / one.student / "notes.txt").write_text("please be kind\n")


def _as_renamed(top: Path, one: Made) -> None:
    folder = top / one.student
    folder.mkdir()
    for name, content in one.files.items():
        (folder / f"Copy of {name}").write_bytes(content)


def _zipped(one: Made, above: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in one.files.items():
            archive.writestr(above + name, content)
            archive.writestr(f"__MACOSX/{above}._{name}", b"\0")
    return buffer.getvalue()


def _as_zip(top: Path, one: Made) -> None:
    (top / f"{one.student}.zip").write_bytes(_zipped(one, "student/"))


def _as_zip_in_folder(top: Path, one: Made) -> None:
    (top / one.student).mkdir()
    (top / one.student / "abgabe.zip").write_bytes(_zipped(one, ""))


def _as_tar(top: Path, one: Made) -> None:
    with tarfile.open(top / f"{one.student}.tar.gz", "w:gz") as archive:
        for name, content in one.files.items():
            entry = tarfile.TarInfo(f"./scan/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


def _as_loose_file(top: Path, one: Made) -> None:
    if len(one.files) > 1:
        _as_folder(top, one)
        return
    ((name, content),) = one.files.items()
    (top / f"{one.student}_{name}").write_bytes(content)


_FORMS: tuple[Callable[[Path, Made], None], ...] = (
    *(_as_folder, _as_zip, _as_deep_folder, _as_tar, _as_loose_file, _as_zip_in_folder, _as_renamed),
)


def _no_file(top: Path, one: Made) -> None:
    (top / one.student).mkdir()


def _damaged(top: Path, one: Made) -> None:
    (top / f"{one.student}.zip").write_bytes(b"PK\x03\x04" + bytes(40))


def _misnamed(top: Path, one: Made) -> None:
    (top / one.student).mkdir()
    (top / one.student / "main.cu").write_text("int x;\n")


_NOTHING: tuple[Callable[[Path, Made], None], ...] = (_no_file, _damaged, _misnamed)


# ---- as the platforms hand them out ----------------------------------------------------------------------------


def write_canvas(folder: Path, made: Sequence[Made]) -> None:
    """Writes Canvas's flat list of files. A student who handed in nothing is missing."""
    _empty(folder)
    for one in made:
        for number, (name, content) in enumerate(one.files.items()):
            stem = Path(name).stem
            again = "-1" if one.number % 3 == 0 else ""
            late = "LATE_" if one.number % 5 == 0 else ""
            user = f"{one.key}_{late}{FIRST_USER + one.number}"
            (folder / f"{user}_{10_000 + 10 * one.number + number}_{stem}{again}.cu").write_bytes(content)


def write_moodle(folder: Path, made: Sequence[Made]) -> None:
    """Writes Moodle's folders. A student who handed in nothing has an empty one."""
    _empty(folder)
    for one in made:
        place = folder / f"{one.student}_{FIRST_USER + one.number}_assignsubmission_file_"
        place.mkdir()
        for name, content in one.files.items():
            (place / name).write_bytes(content)


def write_gradescope(folder: Path, made: Sequence[Made]) -> None:
    """Writes Gradescope's export with its list of submissions."""
    _empty(folder)
    listed: dict[str, object] = {}
    for one in made:
        name = f"submission_{FIRST_USER + one.number}"
        (folder / name).mkdir()
        for file, content in one.files.items():
            (folder / name / file).write_bytes(content)
        who = {":name": one.student, ":sid": one.key, ":email": f"{one.key}@example.org"}
        listed[name] = {":submitters": [who], ":created_at": "2026-11-01 20:00:00 Z"}
    (folder / "submission_metadata.yml").write_text(yaml.safe_dump(listed, allow_unicode=True), encoding="utf-8")


DOWNLOADS = {"canvas": write_canvas, "moodle": write_moodle, "gradescope": write_gradescope}


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
