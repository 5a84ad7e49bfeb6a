"""Has make build what the grader needs: first what is trusted, then one lab of a submission."""

import re
import threading
from dataclasses import dataclass
from pathlib import Path

from grader.discover import Lab
from grader.errors import GraderFault, describe_os_error
from grader.layout import Course
from grader.process import Completed, run_process
from grader.sandbox import Sandbox
from grader.submission import Submission

TRUSTED_SECONDS = 1800  # to build every suite on a slow machine
LAB_SECONDS = 600  # to compile one lab for all of its monoids
ERRORS_SHOWN = 3
ERROR_LENGTH = 500  # characters of one; a submission's #error can be of any length
FAULT_LINES = 12

_ERROR_LINE = re.compile(  # g++ and cudac: file:31:5: error: ...; nvcc: file(31): error: ...
    r"^(?P<path>[^\s:(][^:(\n]*)(?::(?P<line>\d+(?::\d+)?)|\((?P<nvcc>\d+)\)): (?P<what>(?:fatal )?error\b.*)$",
    re.MULTILINE,
)
_TOOL_ERROR = re.compile(r"^(?:\S*/)?(?:g\+\+|cc1plus|nvcc|ptxas|cudac|ld|collect2)\s*(?:error\s*)?: .+$", re.MULTILINE)
_OUT_OF_SPACE = ("No space left on device", "Disk quota exceeded")


@dataclass(frozen=True, slots=True)
class BuildOutcome:
    """Whether a lab of a submission compiles. Without, errors holds what its author has to know."""

    compiles: bool
    errors: str


@dataclass(frozen=True, slots=True)
class Builder:
    """Make, as one grading uses it."""

    course: Course
    device: str
    logs: Path  # a folder
    jobs: int  # compilers at the same time
    stop: threading.Event

    def build_trusted(self) -> None:
        """The translator, the runner and the suites. GraderFault when they do not build."""
        log = self.logs / "suites.make.log"
        done = self._make(["suites"], [], TRUSTED_SECONDS, log)
        if done.timed_out:
            raise GraderFault(f"make suites did not end within {TRUSTED_SECONDS} s; see {self.course.relative(log)}")
        if done.status != 0:
            raise GraderFault(
                f"make suites failed, so nothing can be graded (DEVICE={self.device}); the end of "
                f"{self.course.relative(log)}:\n{last_lines(done.output)}"
            )
        runner = self.course.runner(self.device)
        if not runner.exists():
            raise GraderFault(f"make suites built no {self.course.relative(runner)}")

    def build_lab(self, submission: Submission, source: Path, lab: Lab, sandbox: Sandbox | None) -> BuildOutcome:
        """Compiles one lab for all monoids. GraderFault when it fails for a reason that is not in the source."""
        target = self.course.built(self.device, submission.who)
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise GraderFault(f"cannot make {target}: {describe_os_error(error)}") from error
        prefix = sandbox.build_prefix(self.course, self.device, submission.who, source) if sandbox is not None else []
        goal = ["build-lab", f"LAB={lab.number}", f"WHO={submission.who}", f"SRC={self.course.relative(source)}"]
        log = self.logs / f"{lab.stem}.make.log"
        done = self._make(goal, prefix, LAB_SECONDS, log)
        if done.timed_out:
            return BuildOutcome(False, f"{lab.source}: the compiler did not finish within {LAB_SECONDS} s")
        if done.status == 0:
            return BuildOutcome(True, "")
        errors = compile_errors(done.output, lab.source)
        if any(phrase in done.output for phrase in _OUT_OF_SPACE):
            raise GraderFault(f"the disk is full: free some space and grade again\n{last_lines(done.output)}")
        if not errors:
            raise GraderFault(
                f"make {' '.join(goal)} failed without naming an error in {lab.source}; "
                f"the end of {self.course.relative(log)}:\n{last_lines(done.output)}"
            )
        return BuildOutcome(False, errors)

    def _make(self, goal: list[str], prefix: list[str], timeout: float, log: Path) -> Completed:
        argv = [*prefix, "make", "--no-print-directory", "--output-sync=target", f"-j{self.jobs}", *goal]
        try:
            done = run_process([*argv, f"DEVICE={self.device}"], cwd=self.course.root, timeout=timeout, stop=self.stop)
        except OSError as error:
            raise GraderFault(f"cannot start {argv[0]}: {describe_os_error(error)}") from error
        write_log(log, done.output)
        return done


def compile_errors(output: str, source: str) -> str:
    """The first errors of a compiler's output, with the file as its author knows it. Empty when it has none."""
    found: list[str] = []
    for match in _ERROR_LINE.finditer(output):
        name = source if Path(match["path"]).name == source else match["path"]
        line = f"{name}:{match['line'] or match['nvcc']}: {match['what']}"
        if line not in found:
            found.append(line)
    if not found:
        found = [match.group() for match in _TOOL_ERROR.finditer(output)]
    shown = [line[:ERROR_LENGTH] for line in found[:ERRORS_SHOWN]]
    more = len(found) - ERRORS_SHOWN
    return "\n".join(shown + ([f"... and {more} more errors"] if more > 0 else []))


def last_lines(output: str) -> str:
    """The end of some output, indented."""
    lines = output.rstrip().splitlines()[-FAULT_LINES:]
    return "\n".join(f"    {line}" for line in lines) or "    (no output)"


def write_log(log: Path, text: str) -> None:
    """Keeps what a child printed. GraderFault when it cannot be written."""
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(text, encoding="utf-8")
    except OSError as error:
        raise GraderFault(f"cannot write {log}: {describe_os_error(error)}") from error
