"""The walls: what a runner cannot do inside although it can do it outside."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.errors import GraderFault
from grader.tests.escapes import ATTEMPTS, DEPENDS, MAY_ON_A_GPU, attempts, on_a_gpu, record_a_trace
from grader.tests.planted import PlantedCourse
from grader.walls.sandbox import DRIVER, FIRST_USER, INSIDE, USERS, Sandbox, find_sandbox, suite_argument


def test_the_runner_cannot_get_out(escape: PlantedCourse, sandbox: Sandbox) -> None:
    prefix = sandbox.runner_prefix(escape.course, "cpu", "grade-ada", cpu_seconds=10)
    # The prefix has only bubblewrap's walls; the runner's own filter of system calls forbids this too.
    allowed = {"make a user namespace"} if sandbox.setpriv or not sandbox.has_disable_userns else set()
    if os.geteuid() == 0 and not sandbox.setpriv:
        allowed.add("start 40 processes")  # this limit does not apply to root; the filter forbids even one process
    assert attempts(escape, prefix) <= allowed


@pytest.mark.parametrize("as_another", (False, True))
def test_on_a_gpu_the_runner_may_name_its_threads(escape: PlantedCourse, sandbox: Sandbox, as_another: bool) -> None:
    if as_another and not sandbox.setpriv:
        pytest.skip("only root can become somebody else")
    made = sandbox if as_another else replace(sandbox, setpriv="")
    allowed = MAY_ON_A_GPU if made.has_disable_userns and not as_another else MAY_ON_A_GPU | {"make a user namespace"}
    assert MAY_ON_A_GPU <= attempts(escape, on_a_gpu(escape, made)) <= allowed


def test_what_root_locks_in_is_a_user_of_its_own(escape: PlantedCourse, sandbox: Sandbox) -> None:
    if not sandbox.setpriv:
        pytest.skip("only root can become somebody else")
    runner = escape.write("user.c", '#include <stdio.h>\n#include <unistd.h>\nint main() { printf("%d", getuid()); }')
    subprocess.run(["gcc", str(runner), "-o", str(escape.root / "build/cpu/runner")], check=True)
    users = [
        subprocess.run(
            [*sandbox.runner_prefix(escape.course, "cpu", "grade-ada", cpu_seconds=10), "build/cpu/runner"],
            cwd=escape.root,
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        ).stdout
        for _ in range(2)
    ]
    assert all(FIRST_USER <= int(user) < FIRST_USER + USERS for user in users)
    assert users[0] != users[1]


def test_a_runner_sees_its_own_library_and_nothing_else(escape: PlantedCourse, sandbox: Sandbox) -> None:
    opens = '#include <stdio.h>\nint main(int n, char **w) { while (*++w) if (fopen(*w, "r")) puts(*w); return n < 1; }'
    runner = escape.course.runner("cpu")
    subprocess.run(["gcc", str(escape.write("opens.c", opens)), "-o", str(runner)], check=True)
    seen = ["build/cpu/grade-ada/one.sum.so"]
    unseen = ["build/cpu/reference/one.sum.so", "build/cpu/grade-bob/one.sum.so", "reference/one.cu"]
    unseen.append("build/grade/ada/results.json")
    for name in (*seen, *unseen):
        escape.write(name, "something")
    done = subprocess.run(
        [*sandbox.runner_prefix(escape.course, "cpu", "grade-ada", cpu_seconds=10), "build/cpu/runner", *seen, *unseen],
        cwd=escape.root,
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert done.stdout.splitlines() == seen


def test_behind_the_walls_a_record_can_be_written(escape: PlantedCourse, sandbox: Sandbox) -> None:
    record_a_trace(escape, sandbox)


def test_outside_the_same_runner_can_do_all_that(escape: PlantedCourse) -> None:
    try:
        assert ATTEMPTS <= attempts(escape, []) <= ATTEMPTS | DEPENDS
    finally:
        Path("/scan-labs-test-escape").unlink(missing_ok=True)


def test_a_suite_can_split_the_prefix(escape: PlantedCourse, sandbox: Sandbox, tmp_path: Path) -> None:
    spaced = tmp_path / "a course with spaces"
    escape.root.rename(spaced)
    moved = PlantedCourse(spaced)
    subprocess.run(["gcc", str(spaced / "escape.c"), "-o", str(spaced / "build/cpu/runner")], check=True)
    prefix = sandbox.runner_prefix(moved.course, "cpu", "grade-ada", cpu_seconds=10)
    assert suite_argument(prefix).split() == prefix
    assert f"{INSIDE}/build/cpu/runner" in prefix
    assert not any(str(spaced) in word for word in prefix)


def test_the_drivers_library_is_seen_inside_wherever_it_stands(tmp_path: Path) -> None:
    library = [str(tmp_path / DRIVER), "-shared", f"-Wl,-soname,{DRIVER}", "-x", "c", "/dev/null"]
    subprocess.run(["gcc", "-o", *library], check=True)
    words = "from grader.walls.sandbox import _gpu; print(*_gpu())"
    environment = os.environ | {"LD_LIBRARY_PATH": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", words], env=environment, capture_output=True, text=True, check=True)
    assert f"--ro-bind {tmp_path} {tmp_path} --setenv LD_LIBRARY_PATH {tmp_path}" in run.stdout


def test_a_word_that_would_be_split_is_refused() -> None:
    with pytest.raises(GraderFault, match="a word that a suite would split: 'two words'"):
        suite_argument(["bwrap", "two words"])


def test_a_machine_without_bubblewrap_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert find_sandbox() == "bubblewrap is not installed; try: make doctor, which says how to install it"


def test_a_module_s_compiler_is_seen_inside_with_its_libraries(
    escape: PlantedCourse, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clusters have compilers in folders of their own, which `module load` puts into PATH and LD_LIBRARY_PATH."""
    module = tmp_path / "modules" / "gcc" / "12"
    for name in ("bin/g++", "lib64/libstdc++.so.6"):
        path = module / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\necho g++ of a module, with $LD_LIBRARY_PATH\n")
        path.chmod(0o755)
    source = escape.write("hand-in/one.cu", "").parent
    escape.write("build/cpu/grade-ada/one.sum.so", "")
    monkeypatch.setenv("HOME", "/nowhere")
    monkeypatch.setenv("PATH", f"{module}/bin:/usr/bin:/bin")
    monkeypatch.setenv("LD_LIBRARY_PATH", f"/nowhere:{module}/lib64")
    build = [*sandbox.build_prefix(escape.course, "cpu", "grade-ada", source, 60), "g++"]
    said = subprocess.run(build, cwd=escape.root, capture_output=True, text=True, check=False)
    assert said.stdout == f"g++ of a module, with {module}/lib64\n", said.stderr
    assert f"{module}/lib64" in sandbox.runner_prefix(escape.course, "cpu", "grade-ada", 60)
    monkeypatch.setenv("HOME", str(tmp_path))  # what is in the home folder stays unseen
    assert str(module) not in " ".join(sandbox.build_prefix(escape.course, "cpu", "grade-ada", source, 60))
