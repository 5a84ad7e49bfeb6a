"""Hostile hand-ins: each file of cheats/ is a lab 2 that tries something, and says in its head what it tries and what
the grader must say. None gains a point, and none leaves a process, a file or a mount behind."""

import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from grader.cli import EXIT_POINTS_LOST
from grader.sandbox import FIRST_USER, Sandbox
from grader.shortcut import read_shortcut
from grader.tests.real import COURSE, Graded, grade

pytestmark = pytest.mark.slow

CHEATS = sorted((Path(__file__).parent / "cheats").glob("*.cu"))


def says(cheat: Path) -> Sequence[str]:
    """What the head of a cheat asks for, as a shortcut's does: `says: text`, once or more."""
    part = "scan_quadratic"
    return read_shortcut(cheat, cheat.read_text(), [part]).says[part]


def messages(graded: Graded) -> list[str]:
    tests = [test.message for part in graded.lab.parts for aspect in part.aspects for test in aspect.tests]
    return [graded.lab.message, *tests]


def strangers() -> list[str]:
    """Processes of the users that hand-ins run as."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and entry.stat().st_uid >= FIRST_USER:
                found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:  # it has just ended
            continue
    return found


def surroundings() -> dict[str, list[str]]:
    """What a hand-in could leave behind, but for its results."""
    return {
        "mounts": Path("/proc/self/mountinfo").read_text().splitlines(),
        "shared memory": sorted(path.name for path in Path("/dev/shm").iterdir()),
        "builds": sorted(path.name for path in (COURSE.build / "cpu").glob("grade-*")),
        "tree": sorted(path.name for path in COURSE.root.iterdir()),
    }


@pytest.fixture(scope="module", autouse=True)
def _nothing_is_left(sandbox: Sandbox) -> Iterator[None]:
    for path in (*COURSE.build.glob("grade/test-cheat-*"), *COURSE.build.glob("cpu/grade-test-cheat-*")):
        shutil.rmtree(path)  # of a run that was cut off
    assert sandbox is not None
    before = surroundings()
    yield
    assert surroundings() == before
    deadline = time.monotonic() + 10  # the kernel ends what a killed sandbox held, in its own time
    while strangers() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert strangers() == []


@pytest.mark.parametrize("cheat", CHEATS, ids=[cheat.stem for cheat in CHEATS])
def test_gains_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path, cheat: Path) -> None:
    shutil.copy(cheat, tmp_path / "naive_scan.cu")
    graded = grade(capsys, str(tmp_path), f"test-cheat-{cheat.stem}", "--lab", "2", "--public-only")
    assert (graded.status, graded.lab.score) == (EXIT_POINTS_LOST, 0), graded.output
    for text in says(cheat):
        assert any(text in message for message in messages(graded)), (text, messages(graded)[:3])
    assert "\033" not in graded.output


def test_there_are_enough_of_them() -> None:
    assert len(CHEATS) >= 60
    assert all(says(cheat) for cheat in CHEATS)
