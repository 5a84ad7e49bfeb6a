"""Runs a lab's suites on a built submission. A suite is trusted code: if it dies, that is a fault of the grader."""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from grader.handin.discover import Lab
from grader.handin.submission import Submission
from grader.judge.build import last_lines, write_log
from grader.judge.check_xml import ReportError, read_report
from grader.model.errors import describe_os_error
from grader.model.layout import Course
from grader.model.types import Meter, Outcome, Status, SuiteKind
from grader.walls.process import Completed, run_process
from grader.walls.sandbox import RUNNER_LIMITS, Sandbox, suite_argument

SUITE_SECONDS = 1200  # default time limit of one suite
SHARE_OF_CALLS = 0.8  # no call is made after this share of the time limit

# Exit statuses of a suite (labs/support/suite/suite.h).
_ALL_PASSED, _SOME_FAILED = 0, 1


@dataclass(frozen=True, slots=True)
class SuitePlan:
    """The settings of one run of one suite."""

    course: Course
    submission: Submission
    lab: Lab
    kind: SuiteKind
    device: str
    seed: int
    sandbox: Sandbox | None
    timeout: float  # time limit in seconds
    part: str = ""  # test this part only
    budget_share: int = 1  # a call may execute its budget of instructions divided by this number
    enough: int = 0  # after this many failures, an aspect of a part is no longer tested; 0 for no limit
    lost: tuple[str, ...] = ()  # `part:aspect` entries whose points are already lost, so that no test of them runs

    @property
    def program(self) -> Path:
        return self.course.suite(self.lab.stem, self.kind)

    @property
    def log(self) -> Path:
        return self.course.workplace(self.submission.name) / "log" / f"{self.lab.stem}.{self.kind}.log"

    @property
    def report(self) -> Path:
        return self.log.with_suffix(".xml")

    @property
    def failures(self) -> Path:
        return self.log.with_suffix(".failures")

    @property
    def proofs(self) -> Path:
        return self.log.with_suffix(".proofs")

    @property
    def counts(self) -> Path:
        return self.log.with_suffix(".counts")

    def command_line(self, group: Sequence[str] = (), shown: Sequence[str] = ()) -> list[str]:
        """The command, to be started in the course's root. `group` is put in front of the command that starts a runner.
        `shown` holds options for a person who reads the output: then no files are written and there is no time
        limit."""
        course, lab = self.course, self.lab
        lab_file = f"student/{lab.source}" if self.submission.kind == "student" else lab.source
        argv = [
            *(
                course.relative(self.program),
                "--submission",
                course.relative(course.built(self.device, self.submission.who)),
            ),
            *("--runner", course.relative(course.runner(self.device)), "--device", self.device),
            *("--seed", str(self.seed), "--lab-file", lab_file),
        ]
        argv += shown or [
            *("--xml", course.relative(self.report), "--failures", course.relative(self.failures)),
            *("--proofs", course.relative(self.proofs), "--counts", course.relative(self.counts)),
            # A suite that is stopped by its time limit reports nothing. Before that happens, it reports the remaining
            # tests as a fault of the grader.
            *("--seconds", str(max(1, int(self.timeout * SHARE_OF_CALLS)))),
        ]
        if lab.left_out:
            argv += ["--leave-out", ",".join(lab.left_out)]
        if self.enough:
            argv += ["--enough", str(self.enough)]
        if self.lost:
            argv += ["--lost", ",".join(self.lost)]
        if self.part:
            argv += ["--part", self.part]
        if self.budget_share != 1:
            argv += ["--budget-share", str(self.budget_share)]
        if self.sandbox is not None:
            prefix = self.sandbox.runner_prefix(course, self.device, self.submission.who, int(self.timeout))
            argv += ["--sandbox", suite_argument([*group, *prefix])]
        if group and (events := Path(group[-1], "memory.events")).exists():
            argv += ["--events", str(events)]
        return argv


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """The result of running a suite. After a fault, outcomes are those that the report still had, perhaps none."""

    kind: SuiteKind
    outcomes: tuple[Outcome, ...]
    fault: str  # empty when the suite ran properly
    # For each part: the suite's words on its proof, and all lengths
    proofs: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    meters: Mapping[str, tuple[Meter, ...]] = field(default_factory=dict)  # for each part


@dataclass(frozen=True, slots=True)
class TestsSeen:
    """The progress of a running suite."""

    total: int
    done: int
    failed: int


def run_suite(plan: SuitePlan, seen: Callable[[TestsSeen], None], stop: threading.Event) -> SuiteRun:
    """Runs one suite to its end or its time limit. `seen` is called after each test."""
    counter = _Counter(seen)
    try:
        plan.log.parent.mkdir(parents=True, exist_ok=True)
        plan.report.unlink(missing_ok=True)
        plan.failures.unlink(missing_ok=True)
        plan.proofs.unlink(missing_ok=True)
        plan.counts.unlink(missing_ok=True)
        around = plan.sandbox.group(RUNNER_LIMITS[plan.device], plan.course) if plan.sandbox else nullcontext([])
        with around as group:
            argv = plan.command_line(group)
            done = run_process(argv, cwd=plan.course.root, timeout=plan.timeout, stop=stop, progress=counter.take)
    except OSError as error:
        return SuiteRun(
            plan.kind, (), f"{plan.course.relative(plan.program)} cannot be run: {describe_os_error(error)}"
        )
    write_log(plan.log, done.output)
    return _judge(plan, done, counter.total)


def _judge(plan: SuitePlan, done: Completed, announced: int) -> SuiteRun:
    """Accepts a run only when exit status, report and announced number of tests agree."""
    outcomes: tuple[Outcome, ...] = ()
    fault = _early_end(plan, done)
    if not fault:
        try:
            outcomes = read_report(plan.report, plan.failures, plan.kind)
            fault = _contradiction(outcomes, done.status, announced)
        except ReportError as error:
            fault = f"ended with exit status {done.status}, but {error}"
    if fault:
        course = plan.course
        said = f"\n{last_lines(done.output)}" if done.output.strip() else ""
        fault = f"{course.relative(plan.program)} {fault}; see {course.relative(plan.log)}{said}"
    return SuiteRun(plan.kind, outcomes, fault, _read_proofs(plan.proofs), _read_counts(plan.counts, plan.kind))


def _read_proofs(path: Path) -> dict[str, tuple[str, str]]:
    """Reads what the suite wrote with --proofs: a line for each part, with three fields separated by tabs. Empty when
    it wrote nothing; a line that a full disk truncated is ignored."""
    lines = (line.split("\t") for line in _lines(path))
    return {fields[0]: (fields[1], fields[2]) for fields in lines if len(fields) == 3}


def _read_counts(path: Path, kind: SuiteKind) -> dict[str, tuple[Meter, ...]]:
    """Reads what the suite wrote with --counts: a line for each meter of a part, with six fields separated by tabs.
    Empty when it wrote nothing; a line that a full disk truncated is ignored."""
    meters: dict[str, list[Meter]] = {}
    for line in _lines(path):
        match line.split("\t"):
            case [part, name, counted, most, size, formula] if counted.isdecimal() and most.isdecimal():
                meters.setdefault(part, []).append(Meter(name, kind, int(counted), int(most), size, formula))
    return {part: tuple(of_part) for part, of_part in meters.items()}


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def _early_end(plan: SuitePlan, done: Completed) -> str:
    if done.timed_out:
        return f"did not end within {plan.timeout:g} s"
    if done.status < 0:
        return f"was killed by signal {-done.status}"
    if done.status not in (_ALL_PASSED, _SOME_FAILED):
        return f"could not run (exit status {done.status})"
    return ""


def _contradiction(outcomes: tuple[Outcome, ...], status: int, announced: int) -> str:
    if announced and announced != len(outcomes):
        return f"announced {announced} tests and reported {len(outcomes)}"
    failed = any(outcome.status is not Status.PASSED for outcome in outcomes)
    if failed != (status == _SOME_FAILED):
        return f"reported {'a failure' if failed else 'no failure'}, but its exit status is {status}"
    return ""


class _Counter:
    """Counts a suite's --progress lines: first `total\t<N>`, then one line `<passed|failed|not run>\t<TCase>\t<test>`
    for each test."""

    def __init__(self, seen: Callable[[TestsSeen], None]) -> None:
        self._seen = seen
        self.total = 0
        self._done = 0
        self._failed = 0

    def take(self, line: str) -> None:
        first, _, rest = line.partition("\t")
        if first == "total" and rest.isdecimal():
            self.total = int(rest)
        elif first in ("passed", "failed", "not run"):
            self._done += 1
            self._failed += first == "failed"
        else:
            return
        self._seen(TestsSeen(self.total, self._done, self._failed))
