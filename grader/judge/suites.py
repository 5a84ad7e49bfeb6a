"""Runs a lab's suites on a built submission. A suite is trusted code: if it dies, that is a fault of the grader."""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from grader.handin.discover import Lab
from grader.handin.submission import Submission
from grader.judge.build import last_lines, write_log
from grader.judge.records import Records, TestsSeen
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
    record: Path | None = None  # an empty file for the record of a trace

    @property
    def program(self) -> Path:
        return self.course.suite(self.lab.stem, self.kind)

    @property
    def log(self) -> Path:
        return self.course.workplace(self.submission.name) / "log" / f"{self.lab.stem}.{self.kind}.log"

    def command_line(self, group: Sequence[str] = (), shown: Sequence[str] = ()) -> list[str]:
        """The command, to be started in the course's root. `group` is put in front of the command that starts a runner.
        `shown` holds options for a person who reads the output: then there is no time limit."""
        course, lab = self.course, self.lab
        lab_file = f"student/{lab.source}" if self.submission.kind == "student" else lab.source
        argv = [
            *(
                course.relative(self.program),
                "--submission",
                course.relative(course.built("trace" if self.record else self.device, self.submission.who)),
            ),
            *("--runner", course.relative(course.runner(self.device)), "--device", self.device),
            *("--seed", str(self.seed), "--lab-file", lab_file),
        ]
        if self.record:
            argv += ["--trace", course.relative(self.record)]  # then --tile may be any number
        # A suite that is stopped by its time limit does not end its records. Before that happens, it reports the
        # remaining tests as a fault of the grader.
        argv += shown or ["--seconds", str(max(1, int(self.timeout * SHARE_OF_CALLS)))]
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
            seconds = int(self.timeout)
            prefix = self.sandbox.runner_prefix(course, self.device, self.submission.who, seconds, self.record)
            argv += ["--sandbox", suite_argument([*group, *prefix])]
        if group and (events := Path(group[-1], "memory.events")).exists():
            argv += ["--events", str(events)]
        return argv


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """The result of running a suite. After a fault, outcomes are those of the records before it, perhaps none."""

    kind: SuiteKind
    outcomes: tuple[Outcome, ...]
    fault: str  # empty when the suite ran properly
    # For each part: the suite's words on its proof, and all lengths
    proofs: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    meters: Mapping[str, tuple[Meter, ...]] = field(default_factory=dict)  # for each part

    @property
    def faulty(self) -> bool:
        """True after a fault of the grader: then the lab has no score, whatever else its suites say."""
        return bool(self.fault) or any(outcome.status is Status.GRADER_FAULT for outcome in self.outcomes)


def run_suite(plan: SuitePlan, seen: Callable[[TestsSeen], None], stop: threading.Event) -> SuiteRun:
    """Runs one suite to its end or its time limit. `seen` is called after each test."""
    records = Records(plan.kind, seen)
    try:
        plan.log.parent.mkdir(parents=True, exist_ok=True)
        around = plan.sandbox.group(RUNNER_LIMITS[plan.device], plan.course) if plan.sandbox else nullcontext([])
        with around as group:
            argv = plan.command_line(group)
            done = run_process(argv, cwd=plan.course.root, timeout=plan.timeout, stop=stop, records=records.take)
    except OSError as error:
        return SuiteRun(
            plan.kind, (), f"{plan.course.relative(plan.program)} cannot be run: {describe_os_error(error)}"
        )
    write_log(plan.log, done.output)
    meters = {part: tuple(of_part) for part, of_part in records.meters.items()}
    return SuiteRun(plan.kind, records.outcomes, _fault(plan, done, records), records.proofs, meters)


def _fault(plan: SuitePlan, done: Completed, records: Records) -> str:
    """Empty for a run that counts: it ended well, with complete records that agree with its exit status."""
    fault = _early_end(plan, done)
    failed = any(outcome.failed for outcome in records.outcomes)
    if not fault and records.fault:
        fault = f"ended with exit status {done.status}, but {records.fault}"
    elif not fault and failed != (done.status == _SOME_FAILED):
        fault = f"reported {'a failure' if failed else 'no failure'}, but its exit status is {done.status}"
    if not fault:
        return ""
    course = plan.course
    said = f"\n{last_lines(done.output)}" if done.output.strip() else ""
    return f"{course.relative(plan.program)} {fault}; see {course.relative(plan.log)}{said}"


def _early_end(plan: SuitePlan, done: Completed) -> str:
    if done.timed_out:
        return f"did not end within {plan.timeout:g} s"
    if done.status < 0:
        return f"was killed by signal {-done.status}"
    if done.status not in (_ALL_PASSED, _SOME_FAILED):
        return f"could not run (exit status {done.status})"
    return ""
