"""The fence that replaces bubblewrap's walls where users may not make namespaces: what a runner cannot do behind it."""

import os
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from typing import IO

import pytest

from grader.tests.escapes import MAY_ON_A_GPU, attempts, on_a_gpu, record_a_trace
from grader.tests.planted import PlantedCourse
from grader.walls.confine import CLOSES_TCP, landlock_version
from grader.walls.sandbox import Fence, find_sandbox

# What bubblewrap prints, and what the kernel's settings are, where users may not make namespaces.
IN_A_CONTAINER = "bwrap: No permissions to create new namespace"
ON_UBUNTU_24_04 = "bwrap: setting up uid map: Permission denied"


@pytest.fixture(params=[IN_A_CONTAINER])
def _without_bubblewrap(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulates a system on which users may not make namespaces; the parameter is what bubblewrap prints there."""
    broken = tmp_path / "broken" / "bwrap"
    broken.parent.mkdir()
    broken.write_text(f"#!/bin/sh\necho '{request.param}' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{broken.parent}:/usr/bin:/bin")


@pytest.mark.usefixtures("_without_bubblewrap")
def test_a_bubblewrap_that_does_not_work_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.walls.confine.landlock_version", lambda: 0)
    monkeypatch.setattr("grader.walls.sandbox._SYSCTLS", Path("/nowhere"))
    found = find_sandbox()
    assert found == (
        f"bubblewrap does not work here: {IN_A_CONTAINER}; this may be a container without the right to make "
        "namespaces, which its host grants"
    )


@pytest.mark.usefixtures("_without_bubblewrap")
@pytest.mark.parametrize("_without_bubblewrap", [ON_UBUNTU_24_04], indirect=True)
def test_on_ubuntu_24_04_a_report_names_the_weaker_walls_in_one_line(
    planted: PlantedCourse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """There AppArmor forbids namespaces to users; a hand-in is graded behind Landlock's walls."""
    if landlock_version() == 0:
        pytest.skip("this kernel has no Landlock")
    name = "kernel.apparmor_restrict_unprivileged_userns"
    (tmp_path / "kernel").mkdir()
    (tmp_path / name.replace(".", "/")).write_text("1\n")
    monkeypatch.setattr("grader.walls.sandbox._SYSCTLS", tmp_path)
    found = find_sandbox()
    assert isinstance(found, Fence)
    assert found.missing == (
        f"bubblewrap does not work here: {ON_UBUNTU_24_04}; AppArmor forbids namespaces to users; "
        f"as root: sysctl -w {name}=0"
    )
    planted.grade("--lab", "1")
    assert f"note: {found.note}" in capsys.readouterr().out.splitlines()


@pytest.fixture
def fence(_without_bubblewrap: None) -> Fence:
    """The fence that replaces bubblewrap."""
    if landlock_version() == 0:
        pytest.skip("this kernel has no Landlock")
    found = find_sandbox()
    assert isinstance(found, Fence)
    return found


def test_what_is_weaker_is_said(fence: Fence) -> None:
    assert fence.note.startswith("weaker walls (Landlock): no namespaces")
    assert ("TCP is open" in fence.note) == (landlock_version() < CLOSES_TCP)
    assert ("no other user" in fence.note) == (not fence.setpriv)
    assert fence.note.endswith("; why: make doctor")


def test_the_runner_cannot_get_past_the_fence(escape: PlantedCourse, fence: Fence) -> None:
    prefix = replace(fence, setpriv="").runner_prefix(escape.course, "cpu", "grade-ada", cpu_seconds=10)
    allowed = {"make a user namespace", "LACKS /tmp"}
    if os.geteuid() == 0:
        # The runner's filter forbids the first, and this fence does not change the user.
        allowed |= {"start 40 processes", "be root"}
    if landlock_version() < CLOSES_TCP:
        allowed.add("connect to a server")
    assert attempts(escape, prefix) <= allowed


def test_behind_the_fence_too_a_record_can_be_written(escape: PlantedCourse, fence: Fence) -> None:
    record_a_trace(escape, replace(fence, setpriv=""))  # another user cannot enter the folder of this test


@pytest.mark.parametrize("as_another", (False, True))
def test_behind_the_fence_too_it_may_name_its_threads(escape: PlantedCourse, fence: Fence, as_another: bool) -> None:
    if as_another and not fence.setpriv:
        pytest.skip("only root can become somebody else")
    made = fence if as_another else replace(fence, setpriv="")
    got = attempts(escape, on_a_gpu(escape, made))
    assert got >= MAY_ON_A_GPU
    assert not got & {"read the secret", "read /etc/passwd", "change the library", "set how the system dumps cores"}


def test_a_compiler_writes_to_its_own_folder_and_nowhere_else(escape: PlantedCourse, fence: Fence) -> None:
    source = escape.write("hand-in/one.cu", "").parent
    prefix = replace(fence, setpriv="").build_prefix(escape.course, "cpu", "grade-ada", source, 60)
    script = (
        'for f in build/cpu/grade-ada build/cpu/reference hand-in /tmp .; do echo >"$f/new" && echo "wrote $f"; done;'
        'cat reference/one.cu && echo "read"; [ "$TMPDIR" = "$PWD/build/cpu/grade-ada" ] && echo "scratch"'
    )
    done = subprocess.run(
        [*prefix, "/bin/sh", "-c", script], cwd=escape.root, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == ["wrote build/cpu/grade-ada", "scratch"], done.stderr


# Prints the numbers of its own process, of a child, and of one that has left the session and lost its parent.
FAMILY = """
echo $$
sleep 1000 & echo $!
setsid sh -c 'sleep 1000 & echo $!'
"""


def family(output: IO[str]) -> list[int]:
    numbers = [int(output.readline()) for _ in range(3)]
    assert [number for number in numbers if lives(number)] == numbers
    return numbers


def lives(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def assert_all_end(numbers: list[int]) -> None:
    deadline = time.monotonic() + 10
    while any(map(lives, numbers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [number for number in numbers if lives(number)]


@pytest.mark.parametrize("by_parent", [False, True], ids=["what starts it is killed", "who starts that is killed"])
def test_what_is_fenced_in_ends_with_what_started_it(fence: Fence, by_parent: bool) -> None:
    argv = fence.shell(FAMILY + "exec sleep 1000")
    if by_parent:
        argv = ["sh", "-c", '"$@" & wait', "sh", *argv]
    with subprocess.Popen(argv, stdout=-1, text=True) as process:
        assert process.stdout is not None
        numbers = family(process.stdout)
        process.kill()
        assert_all_end(numbers)


def test_what_is_fenced_in_ends_with_its_group(fence: Fence) -> None:
    argv = fence.shell(FAMILY + "exec sleep 1000")
    with subprocess.Popen(argv, stdout=-1, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        numbers = family(process.stdout)
        os.killpg(process.pid, signal.SIGKILL)
        assert_all_end(numbers)


def test_what_is_fenced_in_leaves_nothing_behind(fence: Fence) -> None:
    argv = fence.shell(FAMILY + "read line; exit 7")
    with subprocess.Popen(argv, stdin=-1, stdout=-1, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        numbers = family(process.stdout)
        process.stdin.write("now\n")
        process.stdin.flush()
        assert process.wait(timeout=10) == 7
        assert not [number for number in numbers if lives(number)]


def test_a_fence_tells_how_the_program_ended(fence: Fence) -> None:
    statuses = {"exit 3": 3, "kill -SEGV $$": 128 + signal.SIGSEGV, "kill -PIPE $$; exit 3": 128 + signal.SIGPIPE}
    assert {script: subprocess.run(fence.shell(script), check=False).returncode for script in statuses} == statuses
    # A descriptor that was passed to the program is closed when the program closes it, although the keeper still runs.
    reader, writer = os.pipe()
    with subprocess.Popen(fence.shell(f"exec {writer}>&-; sleep 1000"), pass_fds=[writer]) as process:
        os.close(writer)
        assert os.read(reader, 1) == b""
        assert process.poll() is None
        process.kill()
    os.close(reader)
