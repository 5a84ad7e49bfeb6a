"""Runs make to build what the grader needs: first the trusted programs, then one lab of a submission."""

import math
import os
import re
import shutil
import threading
from dataclasses import dataclass, replace
from pathlib import Path

from grader.handin.discover import Lab
from grader.handin.submission import Submission
from grader.model.errors import GraderFault, describe_os_error, printable
from grader.model.layout import Course
from grader.walls.look import Source, look_at_built, look_at_preprocessed, look_at_source
from grader.walls.process import Completed, run_process
from grader.walls.room import full_folder
from grader.walls.sandbox import (
    BUILD_LIMITS,
    COMPILER_FILE_BYTES,
    COMPILER_MEMORY_BYTES,
    Sandbox,
    compiler_limits,
)
from grader.walls.turns import turn

TRUSTED_SECONDS = 1800  # time limit for all suites on a slow machine
LAB_SECONDS = 600  # time limit for one lab of the user's own code, compiled for all of its monoids
# When a hand-in is compiled a second time, alone, its limits are these multiples of what an empty file of the lab takes
# on this machine, if that is more than the first limits. Compiling an empty file for all monoids takes longer than any
# single compiler process for the reference, and a third of the reference's whole build.
EMPTY_FACTOR = 40
EMPTY_TOTAL_FACTOR = 10
EMPTY_WALL_FACTOR = 20  # more than that of CPU time, which ends the compilers of a busy machine first
ERRORS_SHOWN = 3
ERROR_LENGTH = 500  # in characters; the #error of a submission can be of any length
FAULT_LINES = 12

_ERROR_LINE = re.compile(  # g++ and cudac: file:31:5: error: ...; nvcc: file(31): error: ...
    r"^(?P<path>[^\s:(][^:(\n]*)(?::(?P<line>\d+(?::\d+)?)|\((?P<nvcc>\d+)\)): (?P<what>(?:fatal )?error\b.*)$"
    r"(?P<advice>\n    try: .*$)?",
    re.MULTILINE,
)
_TOOL_ERROR = re.compile(r"^(?:\S*/)?(?:g\+\+|cc1plus|nvcc|ptxas|cudac|ld|collect2)\s*(?:error\s*)?: .+$", re.MULTILINE)
_CPU_LIMIT = "CPU time limit exceeded"  # the words of compilers and make for SIGXCPU
_TIMES = re.compile(r"^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$")
# A shell that runs a command and at its end prints the processor time of the command and all its children.
_CLOCK = ("sh", "-c", '"$@"; status=$?; times; exit $status', "sh")
_BYTES = re.compile(r"(?<=out of memory) allocating \d+ bytes.*")  # this text differs from run to run
_SIMPLER = "make it simpler"
_NO_ROOM = "No space left on device"
_FILE_LIMIT = "File size limit exceeded"  # the words for SIGXFSZ
_NO_MEMORY = re.compile(r"out of memory|virtual memory exhausted|Cannot allocate memory")


@dataclass(frozen=True, slots=True)
class Bounds:
    """Time limits for the build of one lab, in seconds."""

    wall: int
    cpu: int = 0  # CPU time of each process; 0 for no limit
    total: int = 0  # CPU time of all processes together; 0 for no limit


OWN = Bounds(LAB_SECONDS)
# The limits of a hand-in's first build. The longest lab of the reference takes 12 s of CPU time, half a second of it in
# one process.
HAND_IN = {"cpu": Bounds(60, 10, 30), "cuda": Bounds(LAB_SECONDS, 120)}
EMPTY = Bounds(LAB_SECONDS, LAB_SECONDS)


@dataclass(frozen=True, slots=True)
class BuildOutcome:
    """Whether a lab of a submission compiles. If it does not, `errors` is the message for its author."""

    compiles: bool
    errors: str


@dataclass(frozen=True, slots=True)
class Builder:
    """Runs make for one grading."""

    course: Course
    device: str
    logs: Path  # a folder for make's output
    jobs: int  # number of compilers at the same time
    stop: threading.Event

    def build_trusted(self) -> None:
        """Builds the translator, the runner and the suites. GraderFault when they do not build."""
        log = self.logs / "suites.make.log"
        done = self._make(["suites"], [], Bounds(TRUSTED_SECONDS), log)
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

    def build_race(self, lab: Lab) -> None:
        """Builds the program that times a lab's functions, and the reference that is timed with them. GraderFault when
        they do not build."""
        reference = [f"LAB={lab.number}", "WHO=reference", f"SRC={self.course.relative(self.course.reference)}"]
        for goal in (["race"], ["build-lab", *reference]):
            log = self.logs / f"{lab.stem}.race.make.log"
            done = self._make(goal, [], Bounds(TRUSTED_SECONDS), log)
            if done.status != 0:
                raise GraderFault(f"make {goal[0]} failed, so {lab.source} cannot be timed:\n{last_lines(done.output)}")

    def build_lab(
        self, submission: Submission, source: Path, lab: Lab, sandbox: Sandbox | None, *, proofs: bool = True
    ) -> BuildOutcome:
        """Compiles one lab for all monoids. A hand-in is inspected before it compiles and again afterwards. GraderFault
        when the build fails for a reason that is not in the source. Without `proofs`, what only a statement about a
        proof needs is not made."""
        inspected = not submission.own and self.device == "cpu"
        file = source / lab.source
        looked = look_at_source(file, self.stop) if inspected else Source([], plain=True)
        if looked.refusals:
            return BuildOutcome(False, "\n".join(looked.refusals))
        built = self.course.built(self.device, submission.who)
        if not looked.plain:  # what would be refused need not compile, which can take long
            outcome = self._compile(submission, source, lab, sandbox, "BUILD_TARGET=preprocess-lab")
            if not outcome.compiles:
                return outcome
            if refusals := look_at_preprocessed(self.course, built, file, self.stop):
                return BuildOutcome(False, "\n".join(refusals))
        outcome = self._compile(submission, source, lab, sandbox, *["BUILDS=unproved"] * (not proofs))
        if outcome.compiles and inspected:
            refusals = look_at_built(self.course, built, file, self.stop)
            return BuildOutcome(not refusals, "\n".join(refusals))
        return outcome

    def _compile(
        self, submission: Submission, source: Path, lab: Lab, sandbox: Sandbox | None, *extra: str
    ) -> BuildOutcome:
        bounds = OWN if submission.own else HAND_IN[self.device]
        with turn(self.stop):
            done = self._make_lab(submission.who, source, lab, sandbox, bounds, *extra)
        if not submission.own and _may_be_the_machine_s(done):
            self._require_room()
            one_by_one = replace(self, jobs=1)  # so that only one compiler meets a limit again
            with turn(self.stop, alone=True):
                again = one_by_one._bounds_alone(lab, sandbox, done)
                if not done.used_up or again.total > bounds.total:  # else it would meet the same limit
                    bounds = again
                    done = one_by_one._make_lab(submission.who, source, lab, sandbox, bounds, *extra)
        if why := self._limit_met(done, bounds):
            return BuildOutcome(False, f"{lab.source}: {why}")
        if done.status == 0:
            return BuildOutcome(True, "")
        self._require_room()
        errors = compile_errors(done.output, lab.source, "" if submission.own else f"{self.course.relative(source)}/")
        if not errors:
            if submission.own:
                self._build_empty(lab, sandbox, done)
            errors = f"{lab.source}: the compiler failed without naming a line:\n{last_lines(done.output)}"
        return BuildOutcome(False, printable(errors))

    def build_trace(self, submission: Submission, source: Path, lab: Lab, sandbox: Sandbox | None, build: str) -> None:
        """Compiles one build of a lab, such as sum.8, once more, so that it records a trace. `build_lab` must have
        compiled it before. GraderFault when that fails."""
        trusted = self._make(
            ["trace-parts", f"LAB={lab.number}", f"TRACE_BUILD={build}"],
            [],
            Bounds(TRUSTED_SECONDS),
            self.logs / "trace.make.log",
        )
        goal = ["BUILD_TARGET=trace-object", f"TRACE_BUILD={build}"]
        done = trusted
        if trusted.status == 0:
            with turn(self.stop):
                done = self._make_lab(submission.who, source, lab, sandbox, OWN, *goal, traced=True)
        if done.timed_out or done.status != 0:
            raise GraderFault(f"{lab.source} cannot be compiled for a trace:\n{last_lines(done.output)}")

    def _make_lab(
        self,
        who: str,
        source: Path,
        lab: Lab,
        sandbox: Sandbox | None,
        bounds: Bounds,
        *extra: str,
        traced: bool = False,
    ) -> Completed:
        target = self.course.built("trace" if traced else self.device, who)
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise GraderFault(f"cannot make {target}: {describe_os_error(error)}") from error
        # `make suites` has already compared the flags. Behind the walls, the file of the flags and the things that
        # depend on it do not exist.
        names = [f"LAB={lab.number}", f"WHO={who}", f"SRC={self.course.relative(source)}", "FLAGS="]
        goal = ["build-lab", *extra, *names]
        log = self.logs / f"{lab.stem}.make.log"
        clock = _CLOCK if bounds is EMPTY else ()
        if sandbox is None:
            prlimit = shutil.which("prlimit") if bounds.cpu else None
            limits = [prlimit, *compiler_limits(self.device, bounds.cpu), "--"] if prlimit else []
            return self._make(goal, [*limits, *clock], bounds, log)
        seconds = bounds.cpu or bounds.wall
        prefix = sandbox.build_prefix(self.course, self.device, who, source, seconds, traced=traced)
        with sandbox.group(BUILD_LIMITS, self.course) as group:
            return self._make(goal, [*group, *prefix, *clock], bounds, log, sandbox.has_tmp)

    def _bounds_alone(self, lab: Lab, sandbox: Sandbox | None, failed: Completed) -> Bounds:
        """The limits of a second build, from what an empty file takes now. GraderFault when the empty file does not
        compile."""
        done = self._build_empty(lab, sandbox, failed)
        first, took = HAND_IN[self.device], cpu_seconds(done.output)
        wall, cpu = math.ceil(EMPTY_WALL_FACTOR * done.seconds), math.ceil(EMPTY_FACTOR * took)
        total = max(first.total, math.ceil(EMPTY_TOTAL_FACTOR * took)) if first.total else 0
        return Bounds(max(wall, first.wall), max(cpu, first.cpu), total)

    def _limit_met(self, done: Completed, bounds: Bounds) -> str:
        """The limit that the build exceeded, as a message; empty when there is none."""
        said = done.output if done.status != 0 else ""
        without_line = said if _ERROR_LINE.search(said) is None else ""
        file, memory = COMPILER_FILE_BYTES >> 20, COMPILER_MEMORY_BYTES[self.device] >> 20
        met = (
            (done.timed_out, f"the compiler did not finish within {bounds.wall} s"),
            (done.used_up, f"its builds together take more than {bounds.total} s of CPU time to compile: {_SIMPLER}"),
            (_CPU_LIMIT in said, f"it takes more than {bounds.cpu} s of CPU time to compile: {_SIMPLER}"),
            (_FILE_LIMIT in without_line, f"its compiled code takes more than {file} MiB: make its arrays smaller"),
            (_NO_MEMORY.search(without_line), f"it takes more than {memory} MiB of memory to compile: {_SIMPLER}"),
        )
        return next((why for is_met, why in met if is_met), "")

    def _require_room(self) -> None:
        """GraderFault when the disk is full. This asks the system, because a source can make a compiler print
        anything."""
        folder = full_folder(self.course.build)
        if folder is not None:
            raise GraderFault(f"the disk of {folder} is full: free some space and grade again")

    def _build_empty(self, lab: Lab, sandbox: Sandbox | None, failed: Completed) -> Completed:
        """Compiles an empty file. GraderFault when that fails, because then no submission is to blame."""
        who = f"grade-empty-{self.logs.parent.name}"
        source = self.logs.parent / "empty"
        try:
            source.mkdir(parents=True, exist_ok=True)
            (source / lab.source).write_text("")
            done = self._make_lab(who, source, lab, sandbox, EMPTY)
        except OSError as error:
            raise GraderFault(f"cannot write {source}: {describe_os_error(error)}") from error
        finally:
            shutil.rmtree(source, ignore_errors=True)
            shutil.rmtree(self.course.built(self.device, who), ignore_errors=True)
        if done.status != 0:
            raise GraderFault(
                f"nothing compiles here, an empty {lab.source} neither; what was handed in ended with\n"
                + last_lines(failed.output)
            )
        return done

    def _make(self, goal: list[str], prefix: list[str], bounds: Bounds, log: Path, has_tmp: bool = True) -> Completed:
        """Without a folder for temporary files, make cannot keep the outputs of several compilers apart, so only one
        runs."""
        at_once = ["--output-sync=target", f"-j{self.jobs}"] if has_tmp else ["-j1"]
        # A sandbox shows no GPU, so make inside could not find its architecture.
        chosen = [f"CUDA_ARCH={os.environ['CUDA_ARCH']}"] if self.device == "cuda" and "CUDA_ARCH" in os.environ else []
        argv = [*prefix, "make", "--no-print-directory", *at_once, *goal, f"DEVICE={self.device}", *chosen]
        try:
            cpu = bounds.total or math.inf
            done = run_process(argv, cwd=self.course.root, timeout=bounds.wall, stop=self.stop, cpu=cpu)
        except OSError as error:
            raise GraderFault(f"cannot start {argv[0]}: {describe_os_error(error)}") from error
        write_log(log, done.output)
        return done


def _may_be_the_machine_s(done: Completed) -> bool:
    """True when a build failed in a way that a busy machine can cause: a time limit, no space, or an end without an
    error at a line of a file, as when the compiler is killed. A source can make a compiler print such words; the only
    effect is one more compilation."""
    if done.timed_out or done.used_up or any(words in done.output for words in (_CPU_LIMIT, _NO_ROOM)):
        return True
    return done.status != 0 and _ERROR_LINE.search(done.output) is None


def cpu_seconds(output: str) -> float:
    """The processor time that the shell of _CLOCK printed at the end."""
    match = _TIMES.match((output.rstrip().splitlines() or [""])[-1])
    if match is None:
        raise GraderFault(f"a shell's `times` printed what is no time:\n{last_lines(output)}")
    user_minutes, user, minutes, system = map(float, match.groups())
    return 60 * (user_minutes + minutes) + user + system


def compile_errors(output: str, source: str, folder: str = "") -> str:
    """The first errors in a compiler's output; empty when there are none. File names are those that the author used,
    without the folder of the staged copy, and text that differs from run to run is removed."""
    found: dict[str, None] = {}  # used as an ordered set
    for match in _ERROR_LINE.finditer(output):
        name = source if Path(match["path"]).name == source else match["path"]
        line = f"{name}:{match['line'] or match['nvcc']}: {match['what']}{match['advice'] or ''}"
        line = line.replace(folder, "") if folder else line
        found[line] = None
    if not found:
        found = dict.fromkeys(_BYTES.sub("", match.group()) for match in _TOOL_ERROR.finditer(output))
    shown = [line[:ERROR_LENGTH] for line in list(found)[:ERRORS_SHOWN]]
    more = len(found) - ERRORS_SHOWN
    return "\n".join(shown + ([f"... and {more} more errors"] if more > 0 else []))


def last_lines(output: str) -> str:
    """The last lines of an output, indented."""
    lines = output.rstrip().splitlines()[-FAULT_LINES:]
    return "\n".join(f"    {line}" for line in lines) or "    (no output)"


def write_log(log: Path, text: str) -> None:
    """Stores the output of a child process. GraderFault when it cannot be written."""
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(text, encoding="utf-8")
    except OSError as error:
        raise GraderFault(f"cannot write {log}: {describe_os_error(error)}") from error
