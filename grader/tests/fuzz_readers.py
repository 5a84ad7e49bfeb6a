"""Garbage for the readers of the grader: each must accept its input, or refuse it with the one error that it promises.

FUZZ_SECONDS is the time for each reader. Inputs begin as valid ones; then pieces are changed, removed or repeated.
"""

import contextlib
import io
import tarfile
import zipfile
from pathlib import Path

from grader.audit.trials import HOSTILE, HOSTILE_LAB, make_source, read_trials
from grader.handin.archive import read_archive
from grader.handin.discover import discover_labs, read_lab
from grader.judge.settings import read_settings
from grader.model.errors import Refused, UsageError
from grader.model.layout import Course
from grader.tests.garbage import damaged, feed
from grader.walls.inspect_calls import inspect_calls
from grader.walls.inspect_object import inspect_object, read_names
from grader.walls.inspect_source import inspect_preprocessed, inspect_raw, is_plain

ROOT = Path(__file__).parents[2]
NAMES = (
    "a.txt",
    "naive_scan.cu",
    "../naive_scan.cu",
    "/x/naive_scan.cu",
    "x/Naive-Scan (1).cu",
    "a\\b.cu",
    "\u202e.cu",
)


def archives() -> list[bytes]:
    made = []
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", method) as packed:
            for name in NAMES:
                packed.writestr(name, b"int a;\n" * 9)
        made.append(stream.getvalue())
    modes: tuple[tuple[str, int], ...] = (
        ("w", tarfile.PAX_FORMAT),
        ("w:gz", tarfile.GNU_FORMAT),
        ("w", tarfile.USTAR_FORMAT),
    )
    for mode, kind in modes:
        stream = io.BytesIO()
        with tarfile.open(fileobj=stream, mode=mode, format=kind) as tar:  # type: ignore[call-overload]
            for name in NAMES[:5]:
                entry = tarfile.TarInfo(name)
                entry.size = 7
                tar.addfile(entry, io.BytesIO(b"int a;\n"))
            link = tarfile.TarInfo("link")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            tar.addfile(link)
        made.append(stream.getvalue())
    return made


def test_archives_are_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "hand-in"

    def take(data: bytes) -> None:
        path.write_bytes(data)
        with contextlib.suppress(Refused):
            for found in read_archive(str(path), ["naive_scan.cu"]).found:
                assert found.source == "naive_scan.cu"

    feed(damaged(archives()), take)
    assert [entry.name for entry in tmp_path.iterdir()] == ["hand-in"]


def test_a_lab_toml_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "lab.toml"

    def take(data: bytes) -> None:
        path.write_bytes(data)
        with contextlib.suppress(UsageError):
            assert read_lab(path).max_score == 100

    feed(damaged([found.read_bytes() for found in sorted(ROOT.glob("labs/*/lab.toml"))]), take)


def test_a_course_toml_is_read_or_refused(tmp_path: Path) -> None:
    labs = discover_labs(Course(ROOT))
    path = tmp_path / "course.toml"

    def take(data: bytes) -> None:
        path.write_bytes(data)
        with contextlib.suppress(UsageError):
            read_settings(Course(tmp_path), labs)

    good = (
        b'name = "Parallel"\nseed = 7\nlabs = [2, 3]\nhide = true\n[dates]\n2 = 2026-10-01T23:59:00+02:00\n'
        b'[late]\ndays = 3\npenalty = 10\n[[extension]]\nid = "ada"\nlab = 2\ndays = 4\n[points]\n2 = 50\n'
    )
    feed(damaged([good, *(found.read_bytes() for found in sorted(ROOT.glob("grader/tests/**/course.toml")))]), take)


def test_sources_are_judged_whatever_they_hold() -> None:
    reference = ROOT / "reference"
    cheats = [make_source(reference, cheat).source.encode() for cheat in read_trials(reference, HOSTILE_LAB, HOSTILE)]

    def take(data: bytes) -> None:
        text = data.decode("utf-8", errors="replace")
        lines = text.count("\n") + 1
        for refusal in inspect_raw(text):
            assert 1 <= refusal.line <= lines
        is_plain(text)
        list(inspect_preprocessed('# 1 "x.cu"\n' + text, "x.cu", ("/usr/",)))

    feed(damaged(cheats), take)


def test_objects_and_dumps_are_judged_whatever_they_hold(tmp_path: Path) -> None:
    objects = sorted((ROOT / "build" / "cpu" / "reference").glob("*.o"))[:3]
    path = tmp_path / "lab.o"
    names = read_names()

    def take(data: bytes) -> None:
        path.write_bytes(data)
        inspect_object(path, names)
        list(inspect_calls(data.decode("utf-8", errors="replace"), {"table"}))

    dump = (
        b";; Function f (_Z1f, funcdef_no=4)\n\nint f (int a)\n{\n  int b;\n  _2 = first (*p_19(D), MEM[(s *)_1]);\n}\n"
    )
    feed(damaged([dump, *(found.read_bytes() for found in objects)]), take)
