"""Live progress on stderr: a bar for each lab on a terminal, and plain lines elsewhere."""

import threading
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress
from typing_extensions import Self

from grader.handin.discover import Lab
from grader.judge.records import TestsSeen
from grader.model.types import LabResult, SuiteKind


class Progress(Protocol):
    """Receives the events of a grading while it runs. The methods are called from several threads."""

    def say(self, text: str) -> None:
        """Reports something that does not belong to a single lab."""

    def begin(self, labs: tuple[Lab, ...]) -> None:
        """Grading of these labs begins."""

    def state(self, lab: Lab, text: str) -> None:
        """Reports the current step of a lab."""

    def tests(self, lab: Lab, kind: SuiteKind, seen: TestsSeen) -> None:
        """One more test of this suite of the lab has ended. The lab's other suite may be running at the same time."""

    def finish(self, lab: Lab, result: LabResult) -> None:
        """Grading of the lab is finished."""


def score_text(result: LabResult) -> str:
    """The points of a lab, such as 76/100, or ?/100 when they are unknown."""
    score = "?" if result.score is None else str(result.score)
    return f"{score}/{result.max_score}"


class PlainProgress:
    """Prints one line for each step."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def say(self, text: str) -> None:
        self._console.out(text, highlight=False)

    def begin(self, labs: tuple[Lab, ...]) -> None:
        pass

    def state(self, lab: Lab, text: str) -> None:
        self.say(f"lab {lab.number}: {text}")

    def tests(self, lab: Lab, kind: SuiteKind, seen: TestsSeen) -> None:
        if seen.done == seen.total:
            self.say(f"lab {lab.number}: {seen.done} {kind} tests, {seen.failed} failed")

    def finish(self, lab: Lab, result: LabResult) -> None:
        self.say(f"lab {lab.number}: {result.status}, {score_text(result)}")


class LiveProgress(AbstractContextManager["LiveProgress"]):
    """Shows bars, which disappear when the grading is over. Use it as a context manager."""

    def __init__(self, console: Console) -> None:
        self._bars = RichProgress(
            SpinnerColumn(finished_text=" "),
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            TextColumn("{task.fields[state]}", justify="right"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            expand=True,
        )
        self._lock = threading.Lock()
        self._tasks: dict[int, TaskID] = {}
        self._seen: dict[int, dict[SuiteKind, TestsSeen]] = {}
        self._said: TaskID | None = None

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def say(self, text: str) -> None:
        with self._lock:
            if self._said is not None:
                self._bars.remove_task(self._said)
            self._said = self._bars.add_task(text, total=None, state="")

    def begin(self, labs: tuple[Lab, ...]) -> None:
        with self._lock:
            if self._said is not None:
                self._bars.remove_task(self._said)
                self._said = None
            for lab in labs:
                title = f"{lab.number} {lab.title}"
                self._tasks[lab.number] = self._bars.add_task(title, total=1, state="waiting", start=False)

    def state(self, lab: Lab, text: str) -> None:
        with self._lock:
            if lab.number in self._seen:  # the bar already counts tests
                return
            task = self._tasks[lab.number]
            self._bars.start_task(task)
            self._bars.update(task, total=None, completed=0, state=text)

    def tests(self, lab: Lab, kind: SuiteKind, seen: TestsSeen) -> None:
        with self._lock:
            suites = self._seen.setdefault(lab.number, {})
            suites[kind] = seen
            total = sum(suite.total for suite in suites.values())
            done = sum(suite.done for suite in suites.values())
            failures = sum(suite.failed for suite in suites.values())
            failed = f", {failures} failed" if failures else ""
            state = f"{done} of {total} tests{failed}"
            self._bars.update(self._tasks[lab.number], total=total, completed=done, state=state)

    def finish(self, lab: Lab, result: LabResult) -> None:
        with self._lock:
            task = self._tasks[lab.number]
            self._bars.start_task(task)
            self._bars.update(task, total=1, completed=1, state=score_text(result))
            self._bars.stop_task(task)
