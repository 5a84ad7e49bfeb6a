"""One grading from start to end: the submission is staged, built, tested and scored."""

import contextlib
import ctypes
import fcntl
import random
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from platform import python_version

from grader import __version__
from grader.handin.discover import Lab, choose_labs
from grader.handin.submission import Staged, Submission, resolve_submission, stage
from grader.judge.build import Builder, BuildOutcome
from grader.judge.progress import Progress
from grader.judge.score import score_lab, untested_lab
from grader.judge.settings import class_labs
from grader.judge.speed import run_race
from grader.judge.suites import SuitePlan, SuiteRun, run_suite
from grader.model.errors import GraderFault, UsageError, describe_os_error, printable
from grader.model.layout import Course
from grader.model.types import BUBBLEWRAP, FAST, LabResult, Results, SandboxInfo, Status, SubmissionInfo, SuiteKind
from grader.walls.machine import jobs_at_once
from grader.walls.sandbox import DRIVER, Fence, Sandbox, find_sandbox

FIXED_SEED = 1  # for the user's own code, so that the verdict is the same every time
SEED_LIMIT = 1 << 31
# The number of failures after which an aspect of a part is no longer tested. The first one loses its points; two more
# may help to find the reason.
ENOUGH = 3

_VERSION_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Options:
    """The settings from the command line."""

    submission: list[str]
    labs: list[int]  # numbers; empty for all
    seed: int | str | None  # a number, "random", or None for the submission's default
    device: str
    public_only: bool
    sandbox: bool  # False: run without a sandbox, at the user's own risk
    name: str | None
    timeout: float  # time limit for one suite, in seconds
    jobs: int  # number of labs that build or test at the same time


@dataclass(frozen=True, slots=True)
class Grading:
    """The data that the labs of one grading share."""

    course: Course
    options: Options
    submission: Submission
    staged: Staged
    builder: Builder
    sandbox: Sandbox | None
    seed: int
    progress: Progress
    stop: threading.Event
    pool: ThreadPoolExecutor  # the threads that build labs and run suites


def grade(course: Course, options: Options, cwd: Path, progress: Progress, stop: threading.Event) -> Results:
    """Grades one submission. UsageError or GraderFault when nothing can be graded; a fault that affects only one lab is
    in the result of that lab. Raises Stopped when `stop` was set."""
    started, clock = datetime.now(timezone.utc), time.monotonic()
    all_labs = class_labs(course)
    labs = tuple(
        lab.judged_on(options.device, course.reference.exists()) for lab in choose_labs(all_labs, options.labs)
    )
    submission = resolve_submission(course, options.submission, options.name, cwd)
    if options.device == "cuda":
        require_gpu()
    sandbox, sandbox_info = decide_sandbox(submission, options.sandbox)
    seed = _decide_seed(submission, options)

    with hold_lock(course.workplace(submission.name) / "lock", submission.name):
        staged = stage(course, submission, all_labs)
        if submission.files is not None and not options.labs:  # with files named one by one, only their labs are graded
            labs = tuple(lab for lab in labs if any(file.name == lab.source for file in submission.files))
        logs, processors = course.workplace(submission.name) / "log", jobs_at_once()
        progress.say("building the suites")
        with hold_lock(course.build / "grade" / ".trusted.lock", None):
            Builder(course, options.device, logs, processors, stop).build_trusted()

        builder = Builder(course, options.device, logs, max(processors // min(options.jobs, len(labs)), 1), stop)
        pool = ThreadPoolExecutor(max_workers=options.jobs)
        grading = Grading(course, options, submission, staged, builder, sandbox, seed, progress, stop, pool)
        try:
            graded = _grade_labs(grading, labs)
        finally:
            if not submission.own:  # its code may be of any size, and is not run again
                shutil.rmtree(course.built(options.device, submission.who), ignore_errors=True)
        return Results(
            submission=SubmissionInfo(
                submission.name, printable(str(submission.path)), submission.kind, staged.files, staged.ignored
            ),
            device=options.device,
            seed=seed,
            sandbox=sandbox_info,
            versions=versions_of(course, options.device),
            started=started.isoformat(timespec="seconds"),
            labs=graded,
            duration=round(time.monotonic() - clock, 3),
        )


def _grade_labs(grading: Grading, labs: tuple[Lab, ...]) -> tuple[LabResult, ...]:
    """Each lab has a thread that waits for its build and its suites, and the pool limits how many of these run at once.
    So all processors stay busy until the last lab."""
    waiting = ThreadPoolExecutor(max_workers=len(labs))
    try:
        grading.progress.begin(labs)
        futures = [waiting.submit(_grade_lab, grading, lab) for lab in labs]
        return tuple(future.result() for future in futures)
    except BaseException:
        grading.stop.set()  # an error in one lab ends the child processes of the others too
        raise
    finally:
        grading.pool.shutdown(wait=True, cancel_futures=True)
        waiting.shutdown(wait=True, cancel_futures=True)


def _grade_lab(grading: Grading, lab: Lab) -> LabResult:
    try:
        result = judge_lab(grading, lab)
    except GraderFault as fault:
        result = untested_lab(lab, Status.GRADER_FAULT, str(fault))
    grading.progress.finish(lab, result)
    return result


def judge_lab(grading: Grading, lab: Lab) -> LabResult:
    """Builds and runs one lab in the grading's pool. GraderFault when that fails; Stopped when the grading was
    stopped."""
    if lab.source not in grading.staged.files:
        return untested_lab(lab, Status.MISSING, grading.staged.why_missing(lab))

    built = grading.pool.submit(_build, grading, lab).result()
    if not built.compiles:
        return untested_lab(lab, Status.DOES_NOT_COMPILE, built.errors)
    grading.progress.state(lab, "compiled")
    kinds = _suite_kinds(grading.course, lab, grading.options.public_only)
    done: list[SuiteRun] = []
    for kind in kinds:  # one after the other: the hidden suite skips what the public suite has already decided
        done.append(grading.pool.submit(_run, grading, lab, kind, _lost(done)).result())
        if done[-1].faulty:
            break
    if any(part.points.get(FAST) for part in lab.parts):
        done.append(_race(grading, lab))
    return score_lab(lab, done)


def _race(grading: Grading, lab: Lab) -> SuiteRun:
    """Times the parts of a lab. A lock lets only one lab use the GPU for that at a time."""
    options, course, submission = grading.options, grading.course, grading.submission
    grading.progress.state(lab, "timing")
    with hold_lock(course.build / "grade" / ".race.lock", None):
        grading.builder.build_race(lab)
        kind = SuiteKind.PUBLIC
        plan = SuitePlan(course, submission, lab, kind, options.device, grading.seed, grading.sandbox, options.timeout)
        return run_race(plan, grading.stop)


def _build(grading: Grading, lab: Lab) -> BuildOutcome:
    grading.progress.state(lab, "compiling")
    return grading.builder.build_lab(grading.submission, grading.staged.source, lab, grading.sandbox)


def _lost(runs: list[SuiteRun]) -> tuple[str, ...]:
    """The aspects that have failed already, as `part:aspect`."""
    failed = (outcome for run in runs for outcome in run.outcomes if outcome.status is not Status.PASSED)
    return tuple(dict.fromkeys(f"{outcome.part}:{outcome.aspect}" for outcome in failed))


def _run(grading: Grading, lab: Lab, kind: SuiteKind, lost: tuple[str, ...]) -> SuiteRun:
    grading.progress.state(lab, "testing")
    options, course, submission = grading.options, grading.course, grading.submission
    plan = SuitePlan(
        *(course, submission, lab, kind, options.device, grading.seed, grading.sandbox, options.timeout),
        enough=ENOUGH,
        lost=lost,
    )
    return run_suite(plan, lambda seen: grading.progress.tests(lab, kind, seen), grading.stop)


def _suite_kinds(course: Course, lab: Lab, public_only: bool) -> list[SuiteKind]:
    """The suites to run. A student's tree has no hidden suites, and a lab may have none."""
    hidden = not public_only and course.hidden_source(lab.stem).exists()
    return [SuiteKind.PUBLIC, SuiteKind.HIDDEN] if hidden else [SuiteKind.PUBLIC]


def require_gpu() -> None:
    """UsageError when this machine has no GPU that can be used."""
    try:
        driver = ctypes.CDLL(DRIVER)
    except OSError:
        found = f"there is no driver ({DRIVER})"
    else:
        count = ctypes.c_int(0)
        error = driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count))
        if error == 0 and count.value > 0:
            return
        found = f"its driver says error {error}" if error else "its driver sees none"
    raise UsageError(f"DEVICE=cuda: this machine has no GPU that can be used: {found}\n    try: DEVICE=cpu")


def decide_sandbox(submission: Submission, wanted: bool) -> tuple[Sandbox | None, SandboxInfo]:
    if not wanted:
        return None, SandboxInfo(False, "switched off by --no-sandbox")
    found = find_sandbox()
    if isinstance(found, Fence):
        return found, SandboxInfo(True, found.note)
    if isinstance(found, Sandbox):
        return found, SandboxInfo(True, BUBBLEWRAP)
    if submission.own:
        return None, SandboxInfo(False, found)
    raise UsageError(
        f"a hand-in is not run without a sandbox: {found}\n"
        "    or, if you trust its author with this account: --no-sandbox"
    )


def _decide_seed(submission: Submission, options: Options) -> int:
    if isinstance(options.seed, int):
        return options.seed
    if options.seed is None and submission.own:
        return FIXED_SEED
    return random.SystemRandom().randrange(1, SEED_LIMIT)


@contextlib.contextmanager
def hold_lock(path: Path, name: str | None) -> Iterator[None]:
    """Holds a file's lock. Without a name it waits for the lock; with a name it raises UsageError when another process
    has it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = open(path, "w", encoding="utf-8")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise GraderFault(f"cannot write {path}: {describe_os_error(error)}") from error
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | (0 if name is None else fcntl.LOCK_NB))
        except BlockingIOError:
            raise UsageError(
                f"{name} is being graded by another process; wait for it, or give this grading a --name"
            ) from None
        yield


def versions_of(course: Course, device: str) -> dict[str, str]:
    """The versions of the programs that affect a verdict, as far as they can be found out."""
    compiler = ["nvcc", "--version"] if device == "cuda" else ["g++", "--version"]
    asked = {"compiler": compiler}
    if (course.root / ".git").exists():
        asked["course"] = ["git", "-C", str(course.root), "describe", "--always", "--dirty"]
    versions = {"grader": __version__, "python": python_version()}
    for name, argv in asked.items():
        if shutil.which(argv[0]) is None:
            continue
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            said = subprocess.run(argv, capture_output=True, text=True, timeout=_VERSION_SECONDS, check=True).stdout
            lines = said.strip().splitlines()
            versions[name] = lines[-1 if device == "cuda" and name == "compiler" else 0] if lines else ""
    return versions
