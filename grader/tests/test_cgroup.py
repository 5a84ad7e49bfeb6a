"""Control groups: limits are written before anything runs, and no process outlives its group."""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.walls.cgroup import CONTROLLERS, Cgroups, Limits, end, find_cgroups
from grader.walls.process import run_process
from grader.walls.sandbox import Sandbox, find_sandbox

LIMITS = Limits(memory=1 << 30, processes=20)


@pytest.fixture
def real() -> Cgroups:
    found = find_cgroups()
    if not isinstance(found, Cgroups):
        pytest.skip(found)
    return found


def tree(tmp_path: Path, group: str, handing_on: bool) -> Path:
    """A folder like /proc/self, which says that this process is in `group`, in a tree of ordinary folders."""
    mount = tmp_path / "tree"
    (mount / group.lstrip("/")).mkdir(parents=True)
    proc = tmp_path / "proc"
    proc.mkdir()
    (proc / "mountinfo").write_text(f"30 20 0:26 / {mount} rw,nosuid shared:9 - cgroup2 cgroup2 rw\n")
    (proc / "cgroup").write_text(f"0::{group}\n")
    for folder in (mount, *mount.rglob("*")):
        (folder / "cgroup.procs").write_text("")
        (folder / "cgroup.subtree_control").write_text("memory pids\n" if handing_on else "\n")
    return proc


class Kernel:
    """Plays the kernel for folders below `mount`: a new folder gets the files of a control group, which disappear with
    it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]) -> None:
        self.written: dict[str, dict[str, str]] = {}
        make, remove = Path.mkdir, Path.rmdir

        def mkdir(path: Path, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
            make(path, mode, parents, exist_ok)
            if path.name.startswith("scan-labs-"):
                for name in ("cgroup.procs", "cgroup.kill", *names):
                    (path / name).write_text("")

        def rmdir(path: Path) -> None:
            self.written[path.name] = {file.name: file.read_text() for file in path.iterdir()}
            for file in path.iterdir():
                file.unlink()
            remove(path)

        monkeypatch.setattr(Path, "mkdir", mkdir)
        monkeypatch.setattr(Path, "rmdir", rmdir)


def test_bounds_stand_before_anything_runs_and_the_end_kills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(monkeypatch, ("memory.max", "memory.swap.max", "memory.oom.group", "pids.max"))
    found = find_cgroups(tree(tmp_path, "/user.slice/mine", handing_on=True))
    assert isinstance(found, Cgroups)
    assert found == Cgroups(tmp_path / "tree" / "user.slice" / "mine", CONTROLLERS)
    with found.group(LIMITS, tmp_path) as words:
        path = Path(words[1])
        assert (path / "memory.max").read_text() == str(1 << 30)
        assert (path / "pids.max").read_text() == "20"
        assert not (path / "cgroup.kill").read_text()
    assert kernel.written[path.name]["cgroup.kill"] == "1"
    assert not path.exists()


def test_without_controllers_a_group_is_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Kernel(monkeypatch, ())
    found = find_cgroups(tree(tmp_path, "/", handing_on=False))
    assert found == Cgroups(tmp_path / "tree", frozenset())


def test_where_no_group_may_be_made_that_is_said(tmp_path: Path) -> None:
    found = find_cgroups(tree(tmp_path, "/user.slice", handing_on=False))  # the folders get no cgroup.kill
    assert isinstance(found, str)
    assert "may be written" in found


def test_where_no_tree_is_mounted_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "mountinfo").write_text("")
    (tmp_path / "cgroup").write_text("4:memory:/x\n")
    assert find_cgroups(tmp_path) == "no cgroup v2 is mounted here"


def test_nothing_outlives_its_group(real: Cgroups, tmp_path: Path) -> None:
    mark = tmp_path / "alive"
    script = f"setsid sh -c 'while :; do date +%s%N >{mark}; sleep 0.05; done' >/dev/null 2>&1 & sleep 0.3"
    with real.group(LIMITS, tmp_path) as words:
        assert words
        run_process([*words, "sh", "-c", script], cwd=tmp_path, timeout=20, stop=threading.Event())
        said = mark.read_text()
        time.sleep(0.3)
        assert mark.read_text() != said  # it has left the process group and is still running
    said = mark.read_text()
    time.sleep(0.3)
    assert mark.read_text() == said
    assert not Path(words[1]).exists()


def test_a_killed_grader_s_groups_are_removed_by_the_next(real: Cgroups) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    left = real.parent / f"scan-labs-{ended.pid}-0"
    left.mkdir()
    find_cgroups()
    assert not left.exists()


ROOT = Path(__file__).parents[2]

# Makes a group, starts a process in it, prints the group's path, and waits to be killed.
GRADER = """
import subprocess, sys, time
from pathlib import Path
from grader.walls.cgroup import Limits, find_cgroups
with find_cgroups().group(Limits(1 << 30, 20), Path.cwd()) as words:
    process = subprocess.Popen([*words, *sys.argv[1:]])
    print(words[1], flush=True)
    sys.stdin.read()
    print(process.poll(), flush=True)
    process.kill()
"""


def in_its_own_namespace(*program: str) -> list[str]:
    """A command that runs a program as process 1 of a PID namespace, in which processes outside are not visible."""
    if shutil.which("unshare") is None or os.geteuid() != 0:
        pytest.skip("a namespace of processes needs unshare and root")
    return ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", *program]


def until(condition: Callable[[], object], seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture(params=["here", "in a namespace of its own"])
def grader(request: pytest.FixtureRequest, real: Cgroups) -> Iterator["subprocess.Popen[str]"]:
    """A grader with a process in a group."""
    argv = [sys.executable, "-c", GRADER, "sleep", "1000"]
    if request.param != "here":
        argv = in_its_own_namespace(*argv)
    with subprocess.Popen(argv, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        yield running


@pytest.mark.parametrize("where", ["here", "in a namespace of its own"])
def test_a_grader_ends_no_other_s_groups(grader: "subprocess.Popen[str]", where: str) -> None:
    assert grader.stdin is not None
    assert grader.stdout is not None
    group = Path(grader.stdout.readline().strip())
    assert until((group / "cgroup.procs").read_text)
    looks = [sys.executable, "-c", "from grader.walls.cgroup import find_cgroups; find_cgroups()"]
    subprocess.run(looks if where == "here" else in_its_own_namespace(*looks), cwd=ROOT, check=True)
    assert group.exists()
    grader.stdin.close()
    assert grader.stdout.readline() == "None\n"  # the process in the group is still running
    assert until(lambda: not group.exists())


def test_a_living_grader_s_empty_group_stays(real: Cgroups, tmp_path: Path) -> None:
    with real.group(LIMITS, tmp_path) as words:
        find_cgroups()
        assert Path(words[1]).exists()


def test_what_a_killed_grader_started_dies_with_it(real: Cgroups) -> None:
    sandbox = find_sandbox()
    assert isinstance(sandbox, Sandbox)
    argv = [sys.executable, "-c", GRADER, *sandbox.shell("setsid sleep 1000 & sleep 1000")]
    with subprocess.Popen(argv, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        group = Path(running.stdout.readline().strip())
        assert until(lambda: len((group / "cgroup.procs").read_text().split()) > 3)
        running.kill()
    assert until(lambda: not (group / "cgroup.procs").read_text())
    find_cgroups()
    assert not group.exists()


def test_memory_is_bound(real: Cgroups, tmp_path: Path) -> None:
    if "memory" not in real.controllers:
        pytest.skip("no controller `memory` is handed on here")
    program = "python3 -c 'x = bytearray(1 << 28)'"
    with real.group(Limits(1 << 26, 20), tmp_path) as words:
        done = run_process([*words, "sh", "-c", program], cwd=tmp_path, timeout=20, stop=threading.Event())
    assert done.status != 0


def test_a_group_that_is_gone_ends_quietly(tmp_path: Path) -> None:
    end(tmp_path / "gone")
