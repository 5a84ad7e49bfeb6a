"""Hostile hand-ins: each trial of reference/trials/hostile/ is a lab 2 that tries something. Its head describes the
attempt and the grader's message. None may gain a point, and none may leave a process, a file or a mount behind."""

import csv
import hashlib
import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from functools import partialmethod
from pathlib import Path

import pytest

from grader.audit.portion import is_taken
from grader.audit.trials import HOSTILE, HOSTILE_LAB, Entry, make_source, read_trials
from grader.front.cli import EXIT_POINTS_LOST
from grader.judge.build import Builder
from grader.model.results import from_json
from grader.model.types import Status
from grader.tests.real import COURSE, Graded, grade
from grader.walls.confine import landlock_version
from grader.walls.sandbox import FIRST_USER, Sandbox

pytestmark = pytest.mark.slow

NO_COPY = 77  # exit status of as_user
CACHES = {".git", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"}

# The files of the cheats that meet the walls around processes and files. For an ordinary user they are built in another
# way than for root. The others meet the device, the suites or an inspection: the same programs for every user.
OF_ITS_USER = ("files", "processes", "resources")

CHEATS = sorted(read_trials(COURSE.reference, HOSTILE_LAB, HOSTILE), key=lambda cheat: cheat.name)
TAKEN = [cheat for cheat in CHEATS if is_taken(cheat.name)]


def write(cheat: Entry, folder: Path) -> None:
    (folder / "naive_scan.cu").write_text(make_source(COURSE.reference, cheat).source)


def messages(graded: Graded) -> list[str]:
    tests = [test.message for part in graded.lab.parts for aspect in part.aspects for test in aspect.tests]
    return [graded.lab.message, *tests]


def strangers() -> list[str]:
    """Processes of the users under which hand-ins run."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and entry.stat().st_uid >= FIRST_USER:
                found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:  # it has just ended
            continue
    return found


def tree() -> list[str]:
    """All files of the course except build/ and caches, with their content and time."""
    found = []
    for folder, folders, files in os.walk(COURSE.root):
        folders[:] = [name for name in folders if name not in CACHES and Path(folder, name) != COURSE.build]
        for path in sorted(Path(folder, name) for name in files):
            info = path.lstat()
            content = str(path.readlink()) if path.is_symlink() else hashlib.sha256(path.read_bytes()).hexdigest()
            found.append(f"{path} {info.st_mode:o} {info.st_uid} {info.st_size} {info.st_mtime_ns} {content}")
    return found


def surroundings() -> dict[str, list[str]]:
    """Everything that a hand-in could leave behind, except its results."""
    return {
        "IPC": [line for path in sorted(Path("/proc/sysvipc").iterdir()) for line in path.read_text().splitlines()],
        "mounts": Path("/proc/self/mountinfo").read_text().splitlines(),
        "shared memory": sorted(path.name for path in Path("/dev/shm").iterdir()),
        "builds": sorted(path.name for path in (COURSE.build / "cpu").glob("grade-*test-cheat-*")),
        "tree": tree(),
    }


@pytest.fixture(scope="module", autouse=True)
def _nothing_is_left(sandbox: Sandbox) -> Iterator[None]:
    for path in (*COURSE.build.glob("grade/test-cheat-*"), *COURSE.build.glob("cpu/grade-test-cheat-*")):
        shutil.rmtree(path)  # remains of a run that was interrupted
    assert sandbox is not None
    before = surroundings()
    yield
    after = surroundings()
    assert [line for what in before for line in set(before[what]) ^ set(after[what])] == []
    deadline = time.monotonic() + 10  # the kernel ends the processes of a killed sandbox with a delay
    while strangers() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert strangers() == []


@pytest.fixture(autouse=True)
def _no_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is made that only proofs read: it is half of a build, and no point depends on it. The class that an
    ordinary user grades has all."""
    monkeypatch.setattr(Builder, "build_lab", partialmethod(Builder.build_lab, proofs=False))


@pytest.mark.parametrize("cheat", TAKEN, ids=[cheat.name for cheat in TAKEN])
def test_gains_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path, cheat: Entry) -> None:
    write(cheat, tmp_path)
    graded = grade(capsys, str(tmp_path), f"test-cheat-{cheat.name}", "--lab", "2", "--public-only")
    assert (graded.status, graded.lab.score) == (EXIT_POINTS_LOST, 0), graded.output
    assert cheat.unsaid("", messages(graded)) == [], messages(graded)[:3]
    assert "\033" not in graded.output


def test_of_errors_without_end_a_few_are_kept(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = "".join(f"int a{i} = nothing;\n" for i in range(40000))
    (tmp_path / "naive_scan.cu").write_text(f'#include "naive_scan.h"\n{text}')
    graded = grade(capsys, str(tmp_path), "test-cheat-errors", "--lab", "2", "--public-only")
    assert (graded.status, graded.lab.score) == (EXIT_POINTS_LOST, 0), graded.output
    assert len(graded.output) < 5000
    kept = COURSE.workplace("test-cheat-errors")
    assert sum(path.stat().st_size for path in kept.rglob("*") if path.is_file()) < len(text) + (1 << 20)


def test_what_is_left_in_the_tree_is_seen() -> None:
    before, left = tree(), COURSE.root / "left.by.a.test"
    left.write_text("something")
    try:
        assert [line.startswith(f"{left} ") for line in set(tree()) ^ set(before)] == [True]
    finally:
        left.unlink()


def test_what_takes_its_time_is_no_fault_of_the_grader(capsys: pytest.CaptureFixture[str]) -> None:
    slow = str(Path(__file__).parent / "submissions" / "slow_calls")
    graded = grade(capsys, slow, "test-cheat-slow", "--lab", "2", "--public-only")
    assert (graded.status, graded.lab.score) == (EXIT_POINTS_LOST, 0), graded.output
    assert any("dawdle: host code does not end" in text for text in messages(graded)), messages(graded)


def graded_by_an_ordinary_user(cheats: Sequence[Entry], bubblewrap: bool = True) -> tuple[dict[str, float], str]:
    """Grades these cheats, and one hand-in with a finished part among them. Returns the scores and the output. When
    root runs this, another user grades a copy of the tree: grader/tests/as_user."""
    here = Path(__file__).parent
    batch = COURSE.build / f"batch-{os.getpid()}"  # a place that an ordinary user may read
    for cheat in cheats:
        (batch / cheat.name).mkdir(parents=True)
        write(cheat, batch / cheat.name)
    shutil.copytree(here / "submissions" / "one_part_done", batch / "one_part_done")
    programs = batch.with_suffix(".bin")
    programs.mkdir()
    if not bubblewrap:
        (programs / "bwrap").symlink_to("/bin/false")
    name = shlex.quote(batch.name)
    script = f"PATH=$PWD/build/{name}.bin:$PATH; build/venv/bin/python3 -m grader class build/{name} --lab 2 --seed 3"
    script += " --public-only >&2 || :"
    script += f"; cat build/class/{name}/gradebook.csv; rm -rf build/class/{name}"
    argv = [*([str(here / "as_user")] if os.geteuid() == 0 else []), "sh", "-c", script]
    try:
        done = subprocess.run(argv, cwd=COURSE.root, capture_output=True, text=True, check=False, timeout=1200)
    finally:
        shutil.rmtree(batch)
        shutil.rmtree(programs)
    if done.returncode == NO_COPY:
        pytest.skip(done.stderr.strip())
    return {row["id"]: float(row["score"]) for row in csv.DictReader(done.stdout.splitlines())}, done.stderr


def refused_when_compiled(cheat: Entry) -> bool:
    """True when an earlier test refused the cheat for its compiled code. Then no part of it ever runs, for any user."""
    place = COURSE.workplace(f"test-cheat-{cheat.name}")
    results, log = place / "results.json", place / "log" / "naive_scan.make.log"
    if not results.exists() or not log.exists() or "error:" in log.read_text():
        return False
    return from_json(results.read_text()).labs[0].status is Status.DOES_NOT_COMPILE


def test_a_batch_of_an_ordinary_user_is_complete_and_right() -> None:
    """Takes all cheats that reach the walls of a user, and a fifth of the others."""
    others = [cheat for cheat in TAKEN if cheat.path.stem not in OF_ITS_USER or refused_when_compiled(cheat)]
    cheats = [cheat for cheat in TAKEN if cheat not in others or cheat in others[::5]]
    rows, said = graded_by_an_ordinary_user(cheats)
    assert rows == {**dict.fromkeys((cheat.name for cheat in cheats), 0), "one_part_done": 10}, said


def test_an_ordinary_user_without_bubblewrap_grades_behind_a_fence(sandbox: Sandbox) -> None:
    assert sandbox is not None
    if landlock_version() == 0:
        pytest.skip("this kernel has no Landlock")
    cheats = [cheat for cheat in CHEATS if cheat.name in ("includes_passwords", "remembers")]
    rows, said = graded_by_an_ordinary_user(cheats, bubblewrap=False)
    assert rows == {"includes_passwords": 0, "remembers": 0, "one_part_done": 10}, said
    assert "weaker walls (Landlock): no namespaces" in said
    assert "no other user" in said


def test_root_without_bubblewrap_grades_behind_a_fence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if landlock_version() == 0:
        pytest.skip("this kernel has no Landlock")
    (tmp_path / "bwrap").symlink_to("/bin/false")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    done = str(Path(__file__).parent / "submissions" / "one_part_done")
    graded = grade(capsys, done, "test-cheat-fence", "--lab", "2", "--public-only")
    assert (graded.status, graded.lab.score) == (EXIT_POINTS_LOST, 10), graded.output
    assert graded.results.sandbox.used
    assert graded.results.sandbox.note.startswith("weaker walls (Landlock)")


def test_there_are_enough_of_them() -> None:
    assert len(CHEATS) >= 60
