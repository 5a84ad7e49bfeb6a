"""A class through Slurm: a real one with a single node, if Debian's slurm-wlm and munge are installed."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.model.gradebook import EntryStatus
from grader.tests.classes.test_batch import Class, started
from grader.tests.planted import PlantedCourse

SCRIPT = Path(__file__).parents[1] / "slurm_here"
NEEDED = ("slurmctld", "slurmd", "munged", "sbatch", "squeue")


@pytest.fixture(scope="module")
def slurm() -> Iterator[None]:
    """SLURM_CONF belongs to a Slurm on this machine's loopback."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing or os.geteuid() != 0:
        pytest.skip(f"a real Slurm: needs root and {', '.join(missing or NEEDED)}; apt-get install slurm-wlm munge")
    # Munge refuses a folder in which others may write
    folder = Path(tempfile.mkdtemp(prefix=".slurm-", dir=Path.home()))
    try:
        said = subprocess.run([SCRIPT, "start", folder], capture_output=True, text=True, timeout=60, check=False)
        if said.returncode != 0:
            pytest.skip(f"a real Slurm does not start here: {said.stderr.strip().splitlines()[-1:]}")
        os.environ["SLURM_CONF"] = said.stdout.strip().removeprefix("SLURM_CONF=")
        yield
    finally:
        os.environ.pop("SLURM_CONF", None)
        subprocess.run([SCRIPT, "stop", folder], check=False, timeout=60)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def group(planted: PlantedCourse, tmp_path: Path) -> Class:
    planted.write("course.toml", '[slurm]\npartition = "labs"\nlabs_a_job = 2\nmemory_gb = 1\ncpus = 1\n')
    for stem in ("one", "one_hidden", "two", "two_hidden"):
        planted.suite(stem, count=str(planted.root / "runs"))
    return Class(planted, tmp_path / "lab")


def jobs() -> list[str]:
    argv = ["squeue", "--noheader", "--format=%i"]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.usefixtures("slurm")
def test_the_same_gradebook_as_without(group: Class) -> None:
    for i, student in enumerate("abc"):
        group.hand_in(student, one=f"{i}", two="SYNTAX" if i == 1 else "good")
    assert group.grade("--seed", "7", "--executor", "slurm") == 0
    assert group.runs == 8  # the correct second lab is graded once
    through = (group.place / "gradebook.json").read_bytes()
    assert (group.place / "slurm").is_dir()
    assert group.grade("--seed", "7") == 0
    assert group.runs == 8
    shutil.rmtree(group.planted.root / "build" / "class")
    assert group.grade("--seed", "7") == 0
    assert (group.place / "gradebook.json").read_bytes() == through


@pytest.mark.usefixtures("slurm")
def test_a_job_that_dies_is_handed_in_once_more_and_then_a_fault(
    group: Class, capsys: pytest.CaptureFixture[str]
) -> None:
    group.planted.suite("two", kill_grader=True, count=str(group.planted.root / "runs"))
    group.hand_in("ada", one="a", two="")
    group.hand_in("bob", one="b", two="")
    group.hand_in("carl", one="", two="c")
    assert group.grade("--executor", "slurm") == 3
    assert [(entry.status, entry.score) for entry in group.book.entries] == [
        (EntryStatus.GRADED, 100),
        (EntryStatus.GRADED, 100),
        (EntryStatus.GRADER_FAULT, None),
    ]
    assert group.runs == 4 + 2
    assert "of Slurm ended without a verdict" in (group.place / "submissions" / "carl" / "results.json").read_text()
    capsys.readouterr()


@pytest.mark.usefixtures("slurm")
def test_ctrl_c_takes_the_jobs_back(group: Class) -> None:
    group.planted.suite("one", sleep=60, count=str(group.planted.root / "runs"))
    group.hand_in("ada", two="")
    child = started(group, "--executor", "slurm")
    deadline = time.monotonic() + 30
    while group.runs < 1 and time.monotonic() < deadline:
        time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    said = child.communicate(timeout=120)[1].decode()
    assert child.returncode == 130, said
    assert "0 of 1 hand-ins are graded and kept" in said
    while jobs() and time.monotonic() < deadline + 30:
        time.sleep(0.2)
    assert jobs() == []


def test_where_slurm_is_not(group: Class, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    group.hand_in("ada")
    monkeypatch.setenv("PATH", "/nowhere")
    assert group.grade("--executor", "slurm") == 2
    assert "there is no sbatch here" in capsys.readouterr().err
