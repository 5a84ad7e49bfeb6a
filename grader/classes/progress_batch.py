"""Shows the progress of a batch on stderr: on a terminal bars and the running tasks, elsewhere a line for each
hand-in."""

import time
from contextlib import AbstractContextManager
from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text
from typing_extensions import Self

from grader.export.report_terminal import clean
from grader.model.gradebook import EntryStatus

_RUNNING_SHOWN = 16
_FRAMES_A_SECOND = 4
_TROUBLE = {EntryStatus.UNUSABLE: "yellow", EntryStatus.GRADER_FAULT: "magenta"}


class Count:
    """Counts hand-ins and tasks by state, and estimates the time left."""

    def __init__(self) -> None:
        self.total = self.done = self.tasks = self.tasks_done = 0
        self.by_status: dict[EntryStatus, int] = {}
        self._began = time.monotonic()

    def begin(self, total: int, done: int, tasks: int) -> None:
        self.total, self.done, self.tasks = total, done, tasks
        self._began = time.monotonic()

    def finished(self, status: EntryStatus) -> None:
        self.done += 1
        self.by_status[status] = self.by_status.get(status, 0) + 1

    def left(self, now: float) -> str:
        """A text such as "about 11 min left", from the tasks that are done; empty when none is."""
        if not self.tasks_done or self.tasks_done == self.tasks:
            return ""
        seconds = (now - self._began) / self.tasks_done * (self.tasks - self.tasks_done)
        return f"about {duration(seconds)} left"

    def trouble(self) -> str:
        """A text such as "2 unusable, 1 grader fault"; empty when there is none."""
        return ", ".join(f"{self.by_status[status]} {status}" for status in _TROUBLE if self.by_status.get(status))


def duration(seconds: float) -> str:
    """A text such as 45 s, 11 min, 2 h 05 min."""
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02} min"


class PlainBatchProgress:
    """Prints one line for each hand-in."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._count = Count()

    def say(self, text: str) -> None:
        self._console.out(clean(text), highlight=False)

    def begin(self, total: int, done: int, tasks: int) -> None:
        self._count.begin(total, done, tasks)
        self.say(f"{total} hand-ins: {done} done before, {tasks} labs' files to grade")

    def task_started(self, key: str, label: str) -> None:
        pass

    def task_progress(self, key: str, text: str) -> None:
        pass

    def task_ended(self, key: str) -> None:
        self._count.tasks_done += 1

    def finished(self, name: str, status: EntryStatus, text: str) -> None:
        self._count.finished(status)
        left = self._count.left(time.monotonic())
        state = f"{status}, {text}" if status is not EntryStatus.GRADED else text
        self.say(f"[{self._count.done}/{self._count.total}] {name}: {state}{f'; {left}' if left else ''}")

    def tick(self) -> None:
        pass


class LiveBatchProgress(AbstractContextManager["LiveBatchProgress"]):
    """Shows a bar, the counts and the running tasks, and redraws them several times a second. Use it as a context
    manager."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._count = Count()
        self._said = ""
        self._running: dict[str, tuple[str, str, float]] = {}  # key -> label, state and start time
        self._drawn = 0.0

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def say(self, text: str) -> None:
        self._said = clean(text)
        self._draw(time.monotonic())

    def begin(self, total: int, done: int, tasks: int) -> None:
        self._said = ""
        self._count.begin(total, done, tasks)
        self._draw(time.monotonic())

    def task_started(self, key: str, label: str) -> None:
        self._running[key] = (clean(label), "", time.monotonic())

    def task_progress(self, key: str, text: str) -> None:
        if key in self._running:
            label, _text, since = self._running[key]
            self._running[key] = (label, clean(text), since)

    def task_ended(self, key: str) -> None:
        self._running.pop(key, None)
        self._count.tasks_done += 1

    def finished(self, name: str, status: EntryStatus, text: str) -> None:
        self._count.finished(status)
        if status in _TROUBLE:  # these lines stay on the screen
            self._live.console.print(Text(f"{name}: {status}", _TROUBLE[status]))

    def tick(self) -> None:
        now = time.monotonic()
        if now >= self._drawn + 1 / _FRAMES_A_SECOND:
            self._draw(now)

    def _draw(self, now: float) -> None:
        self._drawn = now
        self._live.update(self.picture(now), refresh=True)

    def picture(self, now: float) -> Group:
        """The current picture."""
        if not self._count.total:
            return Group(Text(self._said))
        count = self._count
        waiting = max(count.tasks - count.tasks_done - len(self._running), 0)
        words = [f"{count.done} of {count.total} hand-ins", f"{len(self._running)} running", f"{waiting} waiting"]
        words += [word for word in (count.trouble(), count.left(now)) if word]
        bar = Table.grid(expand=True, padding=(0, 1))
        bar.add_column(ratio=1)
        bar.add_column(justify="right", no_wrap=True)
        bar.add_row(ProgressBar(total=max(count.tasks, 1), completed=count.tasks_done), Text(", ".join(words)))
        running = Table.grid(expand=True, padding=(0, 1))
        running.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
        running.add_column(justify="right", no_wrap=True)
        running.add_column(justify="right", no_wrap=True, min_width=6)
        for label, text, since in list(self._running.values())[:_RUNNING_SHOWN]:
            running.add_row(Text(f"  {label}"), Text(text), Text(duration(now - since)))
        return Group(bar, running)
