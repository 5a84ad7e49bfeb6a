"""Where the tasks of a class run: on the processors here, or handed to a cluster (grader/classes/slurm.py)."""

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
    """What an executor tells while it runs. Called from one thread."""

    def started(self, task: Task) -> None:
        """The task is being done now."""

    def told(self, task: Task, text: str) -> None:
        """How far it is."""

    def ended(self, task: Task, done: Done) -> None:
        """It is done."""

    def tick(self) -> None:
        """Called several times a second."""


class Executor(Protocol):
    """Does tasks, in whatever order and place."""

    def run(self, course: Course, tasks: Sequence[Task], watcher: Watcher, stop: threading.Event) -> None:
        """Does all of them, or until stop is set, and then leaves nothing running. GraderFault when it cannot go
        on at all."""


_Event = Callable[[Watcher], None]

TICK_SECONDS = 0.2


class LocalExecutor:
    """So many tasks at a time on this machine. A task's work is done by its children: here are threads that wait."""

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
            stop.set()  # Ctrl-C, say: the children go before we do
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
        except (
            GraderFault
        ) as fault:  # a result that cannot be kept: the disk is full, and the others' would be lost too
            broken.append(fault)
            stop.set()


def _do(course: Course, task: Task, events: "queue.SimpleQueue[_Event]", stop: threading.Event) -> None:
    events.put(lambda watcher: watcher.started(task))
    done = run_task(course, task, lambda text: events.put(lambda watcher: watcher.told(task, text)), stop)
    events.put(lambda watcher: watcher.ended(task, done))
