"""Runs the tasks of a class on the processors of this machine. grader/classes/slurm.py submits them to a cluster
instead."""

import contextlib
import queue
import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from grader.classes.task import Done, Task, run_task
from grader.model.errors import GraderFault
from grader.model.layout import Course
from grader.walls.process import Stopped


class Watcher(Protocol):
    """Receives the events of an executor while it runs. The methods are called from one thread."""

    def started(self, task: Task) -> None:
        """The task has begun."""

    def progress(self, task: Task, text: str) -> None:
        """Reports the progress of a task."""

    def ended(self, task: Task, done: Done) -> None:
        """The task has ended."""

    def tick(self) -> None:
        """Called several times a second."""


class Executor(Protocol):
    """Does tasks, in any order and on any machine."""

    def run(self, course: Course, tasks: Sequence[Task], watcher: Watcher, stop: threading.Event) -> None:
        """Does all tasks, or stops when `stop` is set; it leaves nothing running. GraderFault when it cannot continue
        at all."""


_Event = Callable[[Watcher], None]

TICK_SECONDS = 0.2


class LocalExecutor:
    """Does several tasks at a time on this machine. The work of a task is done by child processes; the threads here
    only wait for them."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once

    def run(self, course: Course, tasks: Sequence[Task], watcher: Watcher, stop: threading.Event) -> None:
        waiting: queue.SimpleQueue[Task] = queue.SimpleQueue()
        events: queue.SimpleQueue[_Event] = queue.SimpleQueue()
        for task in tasks:
            waiting.put(task)
        broken: list[GraderFault] = []
        workers = [
            threading.Thread(target=_work, args=(course, waiting, events, stop, broken), name=f"grader-{i}")
            for i in range(min(self._at_once, len(tasks)))
        ]
        for worker in workers:
            worker.start()
        try:
            while any(worker.is_alive() for worker in workers) or not events.empty():
                _deliver(events, watcher)
        except BaseException:
            stop.set()  # for example after Ctrl-C: the children must end first
            raise
        finally:
            for worker in workers:
                worker.join()
        if broken:
            raise broken[0]


def _deliver(events: "queue.SimpleQueue[_Event]", watcher: Watcher) -> None:
    with contextlib.suppress(queue.Empty):
        events.get(timeout=TICK_SECONDS)(watcher)
    watcher.tick()


def _work(
    course: Course,
    waiting: "queue.SimpleQueue[Task]",
    events: "queue.SimpleQueue[_Event]",
    stop: threading.Event,
    broken: list[GraderFault],
) -> None:
    while not stop.is_set():
        try:
            task = waiting.get_nowait()
        except queue.Empty:
            return
        try:
            _do(course, task, events, stop)
        except Stopped:
            return
        except GraderFault as fault:
            # A result cannot be stored, for example on a full disk. The results of other tasks would be lost too.
            broken.append(fault)
            stop.set()


def _do(course: Course, task: Task, events: "queue.SimpleQueue[_Event]", stop: threading.Event) -> None:
    events.put(lambda watcher: watcher.started(task))
    done = run_task(course, task, lambda text: events.put(lambda watcher: watcher.progress(task, text)), stop)
    events.put(lambda watcher: watcher.ended(task, done))
