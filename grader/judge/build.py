"""Has make build what the grader needs: first what is trusted, then one lab of a submission."""

import math
import re
import shutil
import threading
from dataclasses import dataclass
from pathlib import Path

from grader.handin.discover import Lab
from grader.handin.submission import Submission
from grader.model.errors import GraderFault, describe_os_error, printable
from grader.model.layout import Course
from grader.walls.look import Source, look_at_built, look_at_source
from grader.walls.process import Completed, run_process
from grader.walls.room import full_folder
from grader.walls.sandbox import BUILD_LIMITS, Sandbox, compiler_limits
from grader.walls.turns import turn

TRUSTED_SECONDS = 1800  # to build every suite on a slow machine
LAB_SECONDS = 600  # to compile one lab of one's own for all of its monoids
# Tried again alone, a hand-in has so many times what an empty file of the lab takes here, where that is more. An empty
# file takes, for all monoids, longer than any one compiler takes for the reference, and a third of its whole build.
EMPTY_FACTOR = 30
EMPTY_WALL_FACTOR = 20
ERRORS_SHOWN = 3
ERROR_LENGTH = 500  # characters of one; a submission's #error can be of any length
FAULT_LINES = 12

_ERROR_LINE = re.compile(  # g++ and cudac: file:31:5: error: ...; nvcc: file(31): error: ...
    r"^(?P<path>[^\s:(][^:(\n]*)(?::(?P<line>\d+(?::\d+)?)|\((?P<nvcc>\d+)\)): (?P<what>(?:fatal )?error\b.*)$"
    r"(?P<advice>\n    try: .*$)?",
    re.MULTILINE,
)
_TOOL_ERROR = re.compile(r"^(?:\S*/)?(?:g\+\+|cc1plus|nvcc|ptxas|cudac|ld|collect2)\s*(?:error\s*)?: .+$", re.MULTILINE)
_CPU_LIMIT = "CPU time limit exceeded"  # as compilers and make name SIGXCPU
_TIMES = re.compile(r"^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$")
# A shell around a command, which prints at its end what the command and all that it started have taken.
_CLOCK = ("sh", "-c", '"$@"; status=$?; times; exit $status', "sh")
_BYTES = re.compile(r"(?<=out of memory) allocating \d+ bytes.*")  # which differ from run to run
_NO_ROOM = "No space left on device"


@dataclass(frozen=True, slots=True)
class Bounds:
    """Of the build of one lab, in seconds."""

    wall: int
    cpu: int = 0  # of each process; 0: none


OWN = Bounds(LAB_SECONDS)
# Of a hand-in, before it is tried again alone. g++ takes 5 s of wall time for the longest of the reference, and half a
# second of CPU time in any one process.
HAND_IN = {"cpu": Bounds(30, 10), "cuda": Bounds(LAB_SECONDS, 120)}
EMPTY = Bounds(LAB_SECONDS, LAB_SECONDS)


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

    def build_race(self, lab: Lab) -> None:
        """What times a lab's functions, and the reference that they are timed beside. GraderFault when they do not
        build."""
        bench = self.course.relative(self.course.bench)
        reference = [f"LAB={lab.number}", "WHO=reference", f"SRC={self.course.relative(self.course.reference)}"]
        for goal in ([bench], ["build-lab", *reference]):
            log = self.logs / f"{lab.stem}.race.make.log"
            done = self._make(goal, [], TRUSTED_SECONDS, log)
            if done.status != 0:
                raise GraderFault(f"make {goal[0]} failed, so {lab.source} cannot be timed:\n{last_lines(done.output)}")

    def build_lab(self, submission: Submission, source: Path, lab: Lab, sandbox: Sandbox | None) -> BuildOutcome:
        """Compiles one lab for all monoids. What somebody handed in is looked through before it compiles as well as
        after. GraderFault when it fails for a reason that is not in the source."""
        inspected = not submission.own and self.device == "cpu"
        file = source / lab.source
        looked = look_at_source(file, self.stop) if inspected else Source([], plain=True)
        if looked.refusals:
            return BuildOutcome(False, "\n".join(looked.refusals))
        extra = [] if looked.plain else ["preprocess-lab"]
        bounds = OWN if submission.own else HAND_IN[self.device]
        with turn(self.stop):
            done = self._make_lab(submission.who, source, lab, sandbox, bounds, *extra)
        if not submission.own and _may_be_the_machine_s(done):
            self._require_room()
            with turn(self.stop, alone=True):
                bounds = self._bounds_alone(lab, sandbox, done)
                done = self._make_lab(submission.who, source, lab, sandbox, bounds, *extra)
        if why := _limit_met(done, bounds):
            return BuildOutcome(False, f"{lab.source}: {why}")
        if done.status == 0:
            built = self.course.built(self.device, submission.who)
            refusals = look_at_built(self.course, built, file, self.stop) if inspected else []
            return BuildOutcome(not refusals, "\n".join(refusals))
        self._require_room()
        errors = compile_errors(done.output, lab.source, "" if submission.own else f"{self.course.relative(source)}/")
        if not errors:
            if submission.own:
                self._build_empty(lab, sandbox, done)
            errors = f"{lab.source}: the compiler failed without naming a line:\n{last_lines(done.output)}"
        return BuildOutcome(False, printable(errors))

    def _make_lab(
        self, who: str, source: Path, lab: Lab, sandbox: Sandbox | None, bounds: Bounds, *extra: str
    ) -> Completed:
        target = self.course.built(self.device, who)
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise GraderFault(f"cannot make {target}: {describe_os_error(error)}") from error
        # make suites has compared the flags. Behind the walls there is neither their file nor what else it guards.
        names = [f"LAB={lab.number}", f"WHO={who}", f"SRC={self.course.relative(source)}", "FLAGS="]
        goal = ["build-lab", *extra, *names]
        log = self.logs / f"{lab.stem}.make.log"
        clock = _CLOCK if bounds is EMPTY else ()
        if sandbox is None:
            prlimit = shutil.which("prlimit") if bounds.cpu else None
            limits = [prlimit, *compiler_limits(self.device, bounds.cpu), "--"] if prlimit else []
            return self._make(goal, [*limits, *clock], bounds.wall, log)
        prefix = sandbox.build_prefix(self.course, self.device, who, source, bounds.cpu or bounds.wall)
        with sandbox.group(BUILD_LIMITS, self.course) as group:
            return self._make(goal, [*group, *prefix, *clock], bounds.wall, log, sandbox.has_tmp)

    def _bounds_alone(self, lab: Lab, sandbox: Sandbox | None, failed: Completed) -> Bounds:
        """Of a second try, from what an empty file takes now. GraderFault when that does not compile."""
        done = self._build_empty(lab, sandbox, failed)
        wall, cpu = math.ceil(EMPTY_WALL_FACTOR * done.seconds), math.ceil(EMPTY_FACTOR * cpu_seconds(done.output))
        return Bounds(max(wall, HAND_IN[self.device].wall), max(cpu, HAND_IN[self.device].cpu))

    def _require_room(self) -> None:
        """GraderFault when the disk is full. Asked of the system: a compiler prints what a source tells it to."""
        folder = full_folder(self.course.build)
        if folder is not None:
            raise GraderFault(f"the disk of {folder} is full: free some space and grade again")

    def _build_empty(self, lab: Lab, sandbox: Sandbox | None, failed: Completed) -> Completed:
        """GraderFault when an empty file does not compile either: then no submission is to blame."""
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

    def _make(self, goal: list[str], prefix: list[str], timeout: float, log: Path, has_tmp: bool = True) -> Completed:
        """Without a folder for temporary files make cannot keep the words of several compilers apart."""
        at_once = ["--output-sync=target", f"-j{self.jobs}"] if has_tmp else ["-j1"]
        argv = [*prefix, "make", "--no-print-directory", *at_once, *goal]
        try:
            done = run_process([*argv, f"DEVICE={self.device}"], cwd=self.course.root, timeout=timeout, stop=self.stop)
        except OSError as error:
            raise GraderFault(f"cannot start {argv[0]}: {describe_os_error(error)}") from error
        write_log(log, done.output)
        return done


def _may_be_the_machine_s(done: Completed) -> bool:
    """True when a build has failed as it may where others use the machine: by a limit of time, for want of room, or
    without an error at a line of a file, as when something ends the compiler. A source can make a compiler print any
    words; then it is compiled once more in vain."""
    if done.timed_out or any(words in done.output for words in (_CPU_LIMIT, _NO_ROOM)):
        return True
    return done.status != 0 and _ERROR_LINE.search(done.output) is None


def _limit_met(done: Completed, bounds: Bounds) -> str:
    """What of its bounds the build has met; empty when none."""
    if done.timed_out:
        return f"the compiler did not finish within {bounds.wall} s"
    if done.status != 0 and _CPU_LIMIT in done.output:
        return f"it takes more than {bounds.cpu} s of CPU time to compile: make it simpler"
    return ""


def cpu_seconds(output: str) -> float:
    """What the shell of _CLOCK printed last."""
    match = _TIMES.match((output.rstrip().splitlines() or [""])[-1])
    if match is None:
        raise GraderFault(f"a shell's `times` printed what is no time:\n{last_lines(output)}")
    user_minutes, user, minutes, system = map(float, match.groups())
    return 60 * (user_minutes + minutes) + user + system


def compile_errors(output: str, source: str, folder: str = "") -> str:
    """The first errors of a compiler's output, with the file as its author knows it: without the folder that it was put
    into, and without what differs from run to run. Empty when it has none."""
    found: dict[str, None] = {}  # in their order
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
