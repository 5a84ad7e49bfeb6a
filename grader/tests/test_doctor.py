"""make doctor: what it finds on this machine and on simulated poorer ones, and its exit status."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.front.doctor import CHECK, GRADE, HAS, LACKS, WALLS, WEAKER, Item, look, verdict
from grader.walls.sandbox import Sandbox

ROOT = Path(__file__).resolve().parents[2]


def doctor(path: str) -> subprocess.CompletedProcess[str]:
    """Runs it as the Makefile does, with only the programs of these folders on the PATH."""
    environment = {**os.environ, "PATH": path}
    argv = [sys.executable, "-m", "grader.front.doctor"]
    return subprocess.run(argv, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_a_machine_that_runs_these_tests_can_run_both_commands() -> None:
    done = doctor(os.environ["PATH"])
    assert done.returncode == 0, done.stdout
    assert f"  {GRADE}: can work\n  {CHECK}: can work\n" in done.stdout
    assert "LACKS" not in done.stdout


def test_without_programs_and_without_apt_get_neither_works(tmp_path: Path) -> None:
    done = doctor(str(tmp_path))
    assert done.returncode == 2
    assert "  MISSING  g++                        try: apt-get install g++, as root\n" in done.stdout
    assert f"  {GRADE}: cannot work without: python3, gcc, g++, make" in done.stdout


def test_in_what_students_get_no_command_is_named_that_is_not_there(tmp_path: Path) -> None:
    """The students' tree has neither tests nor reference, so nothing may be asked for that only the tests need."""
    (tmp_path / "grader").mkdir()
    for name in ("__init__.py", "setup", "requirements.txt", "model", "walls", "front"):
        (tmp_path / "grader" / name).symlink_to(ROOT / "grader" / name)
    argv = [sys.executable, "-c", "import sys; sys.path.insert(0, '.'); from grader.front import doctor; "]
    argv[-1] += "from pathlib import Path; doctor.ROOT = Path('.'); sys.exit(doctor.main())"
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "  make test and make grade: can work\n" in done.stdout
    assert GRADE not in done.stdout and CHECK not in done.stdout
    assert "clang-format" not in done.stdout and "requirements-dev.txt" not in done.stdout
    assert "bubblewrap" in done.stdout and "system read-only" not in done.stdout  # no wall is tried: the code is theirs


def test_what_setup_installs_stands_in_nobodys_way(tmp_path: Path) -> None:
    for name in ("apt-get", "sudo"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    done = doctor(str(tmp_path))
    assert done.returncode == 0, done.stdout
    assert "  MISSING  g++                        try: make setup, which installs g++\n" in done.stdout


@pytest.mark.parametrize(
    ("tool", "told", "package"),
    [
        ("dnf", "dnf install", "elfutils-devel"),
        ("pacman", "pacman -S", "libelf"),
        ("zypper", "zypper install", "libdw-devel"),
    ],
)
def test_without_apt_get_packages_have_the_names_of_the_machines_own_tool(
    tmp_path: Path, tool: str, told: str, package: str
) -> None:
    """Both make doctor and make setup name the missing packages, and neither calls the tool."""
    calls = tmp_path / "called"
    (tmp_path / tool).write_text(f"#!/bin/sh\ntouch {calls}\n")
    for name in ("bash", "dirname"):
        (tmp_path / name).symlink_to(f"/usr/bin/{name}")
    (tmp_path / tool).chmod(0o755)
    script = (ROOT / "grader" / "setup").read_text().replace("/usr/include/", "/no/such/")
    environment = {**os.environ, "PATH": str(tmp_path)}
    argv = ["bash", "-c", script, "grader/setup", str(tmp_path / "build")]
    done = subprocess.run(argv, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"setup: run as root: {told} ")
    assert package in done.stderr.split() and "gcc" in done.stderr.split() and "g++" not in done.stderr
    item = f"  weaker   bubblewrap                 try: {told} bubblewrap, as root\n"
    assert item in doctor(str(tmp_path)).stdout
    assert not calls.exists()


@pytest.mark.parametrize(("stops", "status"), [((), 0), ((CHECK,), 1), ((GRADE, CHECK), 2), ((GRADE,), 2)])
def test_the_exit_status_says_which_command_cannot_work(stops: tuple[str, ...], status: int) -> None:
    assert verdict([Item("g", "a", HAS), Item("g", "b", LACKS, stops=stops)]) == status


def test_packages_that_are_not_those_asked_for_are_named(tmp_path: Path) -> None:
    (tmp_path / "grader").mkdir()
    (tmp_path / "grader" / "setup").write_text("needs=(no-such-program:nothing /no/such*/file.h:libnothing-dev)\n")
    (tmp_path / "grader" / "requirements.txt").write_text("rich==0.0.1\n")
    items = {item.name: item for item in look(tmp_path)}
    assert items["nothing"].state == items["libnothing-dev"].state == LACKS
    assert items["requirements.txt"].state == WEAKER
    assert "rich 0.0.1" in items["requirements.txt"].fix


@pytest.mark.parametrize("wall", WALLS)
def test_a_wall_stands(sandbox: Sandbox, wall: str) -> None:
    words = f"OUTSIDE='{ROOT}' CALLER={os.geteuid()}; {WALLS[wall]}"
    done = subprocess.run(sandbox.shell(words), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("wall", ["no other process", "no file of yours", "another user"])
def test_where_there_is_no_wall_that_is_seen(wall: str) -> None:
    """Runs the same attempt in a shell without walls."""
    words = f"OUTSIDE='{ROOT}' CALLER={os.geteuid()}; {WALLS[wall]}"
    assert subprocess.run(["sh", "-c", words], capture_output=True, check=False).returncode == 1


def test_a_network_that_is_not_taken_away_is_seen(sandbox: Sandbox) -> None:
    """Removes just this wall. On a machine without a network, nothing would be seen."""
    interfaces = [line.split(":")[0].strip() for line in Path("/proc/net/dev").read_text().splitlines()[2:]]
    if interfaces == ["lo"]:
        pytest.skip("this machine has no network")
    argv = sandbox.shell(WALLS["no network"])
    argv.remove("--unshare-net")
    assert subprocess.run(argv, capture_output=True, check=False).returncode == 1


@pytest.mark.parametrize(("user", "advice"), [(0, "grade in a virtual"), (1000, "grade as root, or in `systemd")])
def test_nobody_is_told_to_become_what_they_are(user: int, advice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: user)
    monkeypatch.setattr("grader.walls.cgroup.find_cgroups", lambda: "no cgroup v2 is mounted here")
    fixes = [item.fix for item in look(ROOT) if item.name in ("ends by a control group", "memory and processes bound")]
    assert len(fixes) == 2
    assert all(fix.startswith(advice) for fix in fixes)


def test_where_there_is_no_cluster_none_is_to_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.front.doctor._said", lambda *_, **__: "")
    (slurm,) = [item for item in look(ROOT) if item.name == "Slurm"]
    assert "sbatch" in slurm.fix and "apt-get" not in slurm.fix
