"""Submits the tasks of a class to Slurm through submitit: one array of jobs, each of which does some tasks.

The course's folder must be on a file system that all nodes share. A job stores each verdict under its key, as a local
run does, so nothing that was graded is lost, whatever happens to a job or to this process. A job that ends without its
verdicts (killed, out of memory or time, a failed node) is submitted once more; if that fails too, its tasks become
faults of the grader.
"""

import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import submitit
from submitit.core.utils import FailedJobError, pickle_load

import grader
from grader.classes.executor import TICK_SECONDS, LocalExecutor, Watcher
from grader.classes.task import TRIES, Done, Task, read_done
from grader.judge.score import untested_lab
from grader.judge.settings import Cluster
from grader.model.errors import GraderFault, UsageError
from grader.model.layout import Course
from grader.model.types import Status
from grader.walls.process import Stopped

POLL_SECONDS = 2.0  # time between two queries of Slurm
# A job counts as ended when Slurm does not know it in so many queries in a row, because files may appear late
LOST_POLLS = 5
SILENT_SECONDS = 600.0  # time for which Slurm may be silent
_COMMAND_SECONDS = 60
_PACKAGES = str(Path(grader.__file__).resolve().parents[1])
_ENDED = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "OUT_OF_MEMORY", "NODE_FAIL", "BOOT_FAIL", "DEADLINE"}


@dataclass(slots=True)
class _Part:
    """One job of the array."""

    tasks: list[Task]  # tasks that have no verdict yet
    attempt: int = 1
    job: "submitit.Job[Any] | None" = None
    running: bool = False
    lost: int = 0  # number of queries in a row in which Slurm did not know it
    state: str = ""  # the last state that Slurm reported


@dataclass(slots=True)
class _Gatherer:
    """Receives the events of a job's own executor. It keeps only faults, because verdicts are stored as files."""

    faults: dict[str, Done] = field(default_factory=dict)

    def started(self, task: Task) -> None:
        pass

    def progress(self, task: Task, text: str) -> None:
        pass

    def ended(self, task: Task, done: Done) -> None:
        if done.faulty:
            self.faults[task.key] = done

    def tick(self) -> None:
        pass


def run_part(root: str, tasks: list[Task], at_once: int) -> dict[str, Done]:
    """The work of a job on its node. Returns key -> fault."""
    course, gatherer = Course(Path(root)), _Gatherer()
    left = [task for task in tasks if read_done(course, task.key) is None]
    LocalExecutor(at_once).run(course, left, gatherer, threading.Event())
    return gatherer.faults


class SlurmExecutor:
    """Runs tasks as an array of jobs on a cluster."""

    def __init__(self, cluster: Cluster, folder: Path) -> None:
        """folder: for the scripts and logs of the jobs, on the shared file system. UsageError when Slurm is not
        installed."""
        for command in ("sbatch", "squeue", "scancel"):
            if shutil.which(command) is None:
                raise UsageError(
                    f"--executor slurm: there is no {command} here\n    try: run it where jobs are handed in, or leave "
                    "--executor out"
                )
        self._cluster, self._folder = cluster, folder

    def run(self, course: Course, tasks: Sequence[Task], watcher: Watcher, stop: threading.Event) -> None:
        """See Executor.run. Jobs are cancelled when it ends early."""
        size = self._cluster.labs_a_job
        parts = [_Part(list(tasks[i : i + size])) for i in range(0, len(tasks), size)]
        shutil.rmtree(self._folder, ignore_errors=True)  # removes the logs of earlier calls
        asked = heard = time.monotonic()
        try:
            self._submit(course, parts)
            while any(part.tasks for part in parts):
                if stop.is_set():
                    raise Stopped
                watcher.tick()
                time.sleep(TICK_SECONDS)
                if time.monotonic() < asked + POLL_SECONDS:
                    continue
                asked = time.monotonic()
                states = _states(parts)
                heard = asked if states is not None else heard
                if asked - heard > SILENT_SECONDS:
                    raise GraderFault(f"squeue has not answered for {SILENT_SECONDS:.0f} s; what was graded is kept")
                for part in parts:
                    self._look(course, part, states, watcher)
        finally:
            _cancel(parts)

    def _submit(self, course: Course, parts: list[_Part]) -> None:
        cluster = self._cluster
        executor = submitit.SlurmExecutor(folder=self._folder)
        more = {"partition": cluster.partition} if cluster.partition else {}
        executor.update_parameters(
            job_name="scan-labs",
            time=cluster.minutes,
            mem=f"{cluster.memory_gb}GB",
            cpus_per_task=cluster.cpus,
            gpus_per_node=cluster.gpus or None,
            array_parallelism=cluster.at_once,
            signal_delay_s=30,
            setup=[f"cd {shlex.quote(str(course.root))}", f"export PYTHONPATH={shlex.quote(_PACKAGES)}"],
            **more,
        )
        waiting = [part for part in parts if part.tasks]
        try:
            jobs = executor.map_array(
                run_part,
                [str(course.root)] * len(waiting),
                [part.tasks for part in waiting],
                [cluster.cpus] * len(waiting),
            )
        except (RuntimeError, OSError, subprocess.SubprocessError, FailedJobError) as error:
            raise GraderFault(f"Slurm does not take the jobs: {error}") from error
        for part, job in zip(waiting, jobs, strict=True):
            part.job, part.running, part.lost = job, False, 0

    def _look(self, course: Course, part: _Part, states: dict[str, str] | None, watcher: Watcher) -> None:
        """Collects the verdicts that the job has stored since the last call, and checks whether it has ended."""
        if part.job is None or not part.tasks:
            return
        state = None if states is None else states.get(part.job.job_id, "")
        if state == "RUNNING" and not part.running:
            part.running = True
            for task in part.tasks:
                watcher.started(task)
        ended = state in _ENDED
        part.lost = 0 if state is None or (state and not ended) else part.lost + 1
        part.state = state or part.state
        faults = _returned(part.job)
        for task in list(part.tasks):
            done = read_done(course, task.key) or (faults or {}).get(task.key)
            if done is not None:
                part.tasks.remove(task)
                watcher.ended(task, done)
        if part.tasks and part.lost >= LOST_POLLS:
            self._lost(course, part, watcher)

    def _lost(self, course: Course, part: _Part, watcher: Watcher) -> None:
        """Handles a job that is over although verdicts are missing."""
        assert part.job is not None
        if part.attempt < TRIES:
            part.attempt += 1
            self._submit(course, [part])
            return
        how = f"job {part.job.job_id} of Slurm ended without a verdict ({part.state.lower() or 'unknown reason'})"
        logs = f"see {course.relative(self._folder)}/{part.job.job_id}_*"
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        for task in part.tasks:
            result = untested_lab(task.lab, Status.GRADER_FAULT, f"{how}, twice; {logs}")
            watcher.ended(task, Done(result, now, 0.0))
        part.tasks = []


def _returned(job: "submitit.Job[Any]") -> dict[str, Done] | None:
    """The faults that the job returned; None unless it has ended properly."""
    if not job.paths.result_pickle.exists():
        return None
    try:
        outcome, value = pickle_load(job.paths.result_pickle)  # job.result() would query Slurm's accounting
    except (OSError, EOFError, ValueError, AttributeError, ImportError, UnpicklingError):  # the file is being written
        return None
    return value if outcome == "success" and isinstance(value, dict) else None


def _states(parts: list[_Part]) -> dict[str, str] | None:
    """Job -> state, as Slurm reports it. A job that Slurm has forgotten is missing. None when Slurm does not answer."""
    ids = sorted({str(part.job.job_id).partition("_")[0] for part in parts if part.job is not None})
    states: dict[str, str] = {}
    for number in ids:
        argv = ["squeue", "--noheader", "--array", "--states=all", "--format=%i %T", f"--jobs={number}"]
        try:
            done = subprocess.run(argv, capture_output=True, text=True, timeout=_COMMAND_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return None
        if done.returncode != 0 and "Invalid job id" not in done.stderr:
            return None
        states |= dict(_pairs(done.stdout))
    return states


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        number, space, state = line.strip().partition(" ")
        if space:
            yield number, state


def _cancel(parts: list[_Part]) -> None:
    """Cancels all jobs that were submitted here."""
    ids = sorted({str(part.job.job_id).partition("_")[0] for part in parts if part.job is not None and part.tasks})
    for number in ids:
        argv = ["scancel", number]
        try:
            subprocess.run(argv, capture_output=True, timeout=_COMMAND_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired):
            continue
