"""How many jobs run at once: never more than the processors, their quota and the memory allow."""

import os
from pathlib import Path

import pytest

from grader.walls.machine import JOB_BYTES, jobs_at_once, memory, processors

PLENTY = 64 * JOB_BYTES


class Machine:
    """A folder like /proc with this much memory, and control groups `outer` and `outer/inner`, of which the second
    contains this process."""

    def __init__(self, folder: Path, available: int = PLENTY) -> None:
        self.proc, self.outer = folder / "proc", folder / "tree" / "outer"
        self.inner = self.outer / "inner"
        self.inner.mkdir(parents=True)
        (self.proc / "self").mkdir(parents=True)
        (self.proc / "meminfo").write_text(f"MemTotal: {PLENTY >> 10} kB\nMemAvailable:   {available >> 10} kB\n")
        (self.proc / "self" / "mountinfo").write_text(f"30 20 0:26 / {folder / 'tree'} rw - cgroup2 cgroup2 rw\n")
        (self.proc / "self" / "cgroup").write_text("0::/outer/inner\n")

    @staticmethod
    def bound(group: Path, most: int, used: int, files: int) -> None:
        (group / "memory.max").write_text(f"{most}\n")
        (group / "memory.current").write_text(f"{used}\n")
        (group / "memory.stat").write_text(f"anon 5\ninactive_file {files}\n")


@pytest.fixture(autouse=True)
def _eight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: set(range(8)))
    monkeypatch.setattr(os, "cpu_count", lambda: 64)


def test_affinity_counts_and_not_the_machine(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    assert processors(machine.proc) == 8
    assert jobs_at_once(more=1, proc=machine.proc) == 9
    assert jobs_at_once(least=12, proc=machine.proc) == 12
    assert jobs_at_once(most=4, proc=machine.proc) == 4


@pytest.mark.parametrize(
    ("inner", "outer", "count"),
    [
        ("max 100000", "250000 100000", 2),
        ("300000 100000", "max 100000", 3),
        ("50000 100000", "400000 100000", 1),
        ("1600000 100000", "max 100000", 8),
    ],
)
def test_the_least_quota_up_the_tree_counts(tmp_path: Path, inner: str, outer: str, count: int) -> None:
    machine = Machine(tmp_path)
    (machine.inner / "cpu.max").write_text(f"{inner}\n")
    (machine.outer / "cpu.max").write_text(f"{outer}\n")
    assert processors(machine.proc) == count


def test_memory_counts(tmp_path: Path) -> None:
    assert jobs_at_once(proc=Machine(tmp_path / "a", 3 * JOB_BYTES).proc) == 3
    assert jobs_at_once(least=4, proc=Machine(tmp_path / "b", JOB_BYTES // 2).proc) == 1


def test_a_container_s_memory_counts_and_files_are_no_use_of_it(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.bound(machine.outer, 6 * JOB_BYTES, 5 * JOB_BYTES, 4 * JOB_BYTES)
    assert memory(machine.proc) == 5 * JOB_BYTES
    machine.bound(machine.inner, 4 * JOB_BYTES, 2 * JOB_BYTES, 0)
    assert jobs_at_once(proc=machine.proc) == 2


def test_this_machine_runs_a_job() -> None:
    assert jobs_at_once() >= 1
