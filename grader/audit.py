"""The audit of the suites: every mutant must lose points, by the finding that it was made for, and every other right
solution must keep all of them.

A trial is graded as a submission is: built by the same make, judged by the same suites. Of a mutant only the part
that it spoils is tested, and the hidden suite only where the public one has not reported what the mutant asks for: so
the points that it loses are that part's, and at least so many. Nothing runs in the sandbox: mutants and alternatives
are the course's own code."""

import os
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path

from grader.build import Builder
from grader.discover import Lab, choose_labs, discover_labs
from grader.errors import GraderFault, UsageError, describe_os_error
from grader.findings import KINDS, NOT_JUDGED, Report, read_message
from grader.layout import Course
from grader.model import LabResult, Outcome, Status, SuiteKind
from grader.mutant import SUFFIX, Mutant, apply_mutant, read_mutant
from grader.score import score_lab
from grader.submission import Submission
from grader.suites import SUITE_SECONDS, SuitePlan, SuiteRun, run_suite

DEVICE = "cpu"  # findings and meters come from there
EXPECTED_SHARE = 0.98  # of the mutants are to be killed by the expected finding


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asks for."""

    labs: list[int]  # numbers; empty for all
    part: str  # empty: all
    names: str  # only mutants and alternatives whose name holds this
    kind: str  # only mutants that ask for this; empty: all
    sample: bool  # one mutant a part, and no alternatives
    seed: int
    jobs: int
    full: bool  # all suites, also of a mutant that the public one has killed as expected
    keep: bool  # what was built


@dataclass(frozen=True, slots=True)
class Trial:
    """One source to grade."""

    lab: Lab
    name: str  # mutant's or alternative's; `reference`
    source: str
    mutant: Mutant | None  # None: it is right, and must score everything
    lines: tuple[int, ...] = ()  # of the mutant, where it must be reported

    @property
    def who(self) -> str:
        kind = "mutant" if self.mutant else "right"
        return f"audit-{kind}-{self.lab.stem}-{self.name}"

    @property
    def expected(self) -> str:
        """`race @57 @60, buffer`."""
        if self.mutant is None:
            return "full score"
        places = "".join(f" @{line}" for line in self.lines)
        variable = f", {self.mutant.variable}" if self.mutant.variable else ""
        return f"{self.mutant.kind}{places}{variable}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a trial."""

    trial: Trial
    lost: int  # points; of a mutant, its part's
    worth: int  # most that can be lost
    reported: str  # by the first test that failed; empty when none did
    message: str  # of that test
    expected_seen: bool  # some failed test reports what the mutant asks for
    broken: str  # why it could not be judged; empty when it was

    @property
    def killed(self) -> bool:
        return self.lost > 0

    @property
    def good(self) -> bool:
        if self.broken:
            return False
        return self.killed and self.expected_seen if self.trial.mutant else self.lost == 0


@dataclass(frozen=True, slots=True)
class Audit:
    """All verdicts, in the order of the trials."""

    verdicts: tuple[Verdict, ...]

    @property
    def mutants(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if verdict.trial.mutant]

    @property
    def alternatives(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if not verdict.trial.mutant]

    @property
    def passed(self) -> bool:
        """All mutants killed, nearly all by the expected finding, and all that is right at full score."""
        mutants = self.mutants
        return (
            all(not verdict.broken for verdict in self.verdicts)
            and all(verdict.killed for verdict in mutants)
            and sum(verdict.good for verdict in mutants) >= EXPECTED_SHARE * len(mutants)
            and all(verdict.good for verdict in self.alternatives)
        )


def audit(
    course: Course,
    options: Options,
    begin: Callable[[int], None],
    seen: Callable[[Verdict], None],
    stop: threading.Event,
) -> Audit:
    """Runs the audit. begin gets the number of trials, seen each verdict as it comes. UsageError for mutants that
    cannot be read or applied, all of them in one message."""
    trials = find_trials(course, options)
    logs = course.workplace("audit") / "log"
    Builder(course, DEVICE, logs, options.jobs, stop).build_trusted()
    begin(len(trials))
    pool = ThreadPoolExecutor(max_workers=options.jobs)
    verdicts: dict[int, Verdict] = {}
    try:
        futures = {pool.submit(_judge, course, trial, options, stop): i for i, trial in enumerate(trials)}
        for future in as_completed(futures):
            verdicts[futures[future]] = future.result()
            seen(verdicts[futures[future]])
    except BaseException:
        stop.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return Audit(tuple(verdicts[i] for i in range(len(trials))))


def find_trials(course: Course, options: Options) -> list[Trial]:
    """The mutants and the right solutions that are meant, in order of labs and parts."""
    every = discover_labs(course)
    labs = choose_labs(every, options.labs)
    if not course.reference.is_dir():
        raise UsageError(f"there is no {course.reference}: an audit needs the reference solution and its mutants")
    stems = {lab.stem for lab in every}
    trials: list[Trial] = []
    broken = [
        f"{course.relative(folder)}: there is no lab of that name"
        for folder in sorted((course.reference / "mutants").glob("*/"))
        if folder.name not in stems
    ]
    for lab in labs:
        source = _read(course.reference / lab.source)
        mutants: list[Trial] = []
        for path in sorted((course.reference / "mutants" / lab.stem).glob(f"*{SUFFIX}")):
            try:
                mutants.append(_mutant_trial(lab, Path(course.relative(path)), path, source))
            except UsageError as error:
                broken.append(str(error))
        trials += _wanted_mutants(lab, mutants, options)
        trials += _wanted_right(course, lab, source, options)
    if broken:
        raise UsageError("\n".join(broken))
    if not trials:
        raise UsageError("nothing to audit: no mutant and no alternative is called that")
    return trials


def _mutant_trial(lab: Lab, shown: Path, path: Path, source: str) -> Trial:
    mutant = replace(read_mutant(path), path=shown)
    if mutant.part not in {part.name for part in lab.parts}:
        parts = ", ".join(part.name for part in lab.parts)
        raise UsageError(f"{shown}: lab {lab.number} has no part {mutant.part!r}; its parts are {parts}")
    patched = apply_mutant(mutant, source)
    return Trial(lab, mutant.name, patched.source, mutant, patched.lines)


def _wanted_mutants(lab: Lab, mutants: list[Trial], options: Options) -> Iterator[Trial]:
    order = [part.name for part in lab.parts]
    sampled: set[str] = set()
    for part in order:
        for trial in mutants:
            if trial.mutant is None or trial.mutant.part != part or options.part not in ("", part):
                continue
            if options.names not in trial.name or options.kind not in ("", trial.mutant.kind):
                continue
            if options.sample and part in sampled:
                continue
            sampled.add(part)
            yield trial


def _wanted_right(course: Course, lab: Lab, source: str, options: Options) -> Iterator[Trial]:
    """The reference, and the alternatives."""
    if options.sample or options.part or options.kind:
        return
    if options.names in "reference":
        yield Trial(lab, "reference", source, None)
    for path in sorted((course.reference / "alternatives" / lab.stem).glob("*.cu")):
        if options.names in path.stem:
            yield Trial(lab, path.stem, _read(path), None)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {describe_os_error(error)}") from error


# ---- one trial ------------------------------------------------------------------------------------------


def _judge(course: Course, trial: Trial, options: Options, stop: threading.Event) -> Verdict:
    submission = Submission("hand-in", trial.who, course.root, None)
    place, built = course.workplace(trial.who), course.built(DEVICE, submission.who)
    try:
        verdict = _grade(course, trial, submission, options, stop)
    except GraderFault as fault:
        verdict = _broken(trial, str(fault))
    if verdict.good and not options.keep:
        shutil.rmtree(place, ignore_errors=True)
    if not options.keep:
        shutil.rmtree(built, ignore_errors=True)
    return verdict


def _grade(course: Course, trial: Trial, submission: Submission, options: Options, stop: threading.Event) -> Verdict:
    lab, part = trial.lab, trial.mutant.part if trial.mutant else ""
    place = course.workplace(trial.who)
    source = place / "src" / lab.source
    try:
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(trial.source, encoding="utf-8")
    except OSError as error:
        raise GraderFault(f"cannot write {source}: {describe_os_error(error)}") from error

    builder = Builder(course, DEVICE, place / "log", 1, stop)
    built = builder.build_lab(submission, source.parent, lab, None)
    if not built.compiles:
        return _broken(trial, f"it does not compile, so it tests nothing:\n{built.errors}")
    if part:
        lab = replace(lab, parts=tuple(p for p in lab.parts if p.name == part))
    kinds = [SuiteKind.PUBLIC] + [SuiteKind.HIDDEN] * course.hidden_source(lab.stem).exists()
    runs: list[SuiteRun] = []
    for kind in kinds:
        plan = SuitePlan(course, submission, trial.lab, kind, DEVICE, options.seed, None, SUITE_SECONDS, part)
        run = run_suite(plan, lambda _: None, stop)
        runs.append(replace(run, outcomes=tuple(o for o in run.outcomes if part in ("", o.part))))
        verdict = judge_result(trial, score_lab(lab, runs), [outcome for run in runs for outcome in run.outcomes])
        if verdict.broken or (trial.mutant and verdict.good and not options.full):
            break
    return verdict


def judge_result(trial: Trial, result: LabResult, outcomes: Sequence[Outcome]) -> Verdict:
    """The verdict on a trial whose suites ran."""
    if result.score is None:
        return _broken(trial, result.message)
    failed = [(outcome, read_message(outcome.message)) for outcome in outcomes if outcome.status is not Status.PASSED]
    telling = [(outcome, report) for outcome, report in failed if report.kind != NOT_JUDGED] or failed
    return Verdict(
        trial=trial,
        lost=result.max_score - result.score,
        worth=result.max_score,
        reported=telling[0][1].short if telling else "",
        message=telling[0][0].message if telling else "",
        expected_seen=any(is_expected(trial, report) for _, report in failed),
        broken="",
    )


def is_expected(trial: Trial, report: Report) -> bool:
    """Whether a message reports what the trial's mutant asks for."""
    mutant = trial.mutant
    if mutant is None or not all(text in report.text for text in mutant.says):
        return False
    if not KINDS[mutant.kind].has_place:
        return report.kind == mutant.kind and mutant.variable in ("", report.variable)
    return any(
        finding.kind == mutant.kind
        and not finding.warning
        and (not mutant.variable or finding.names(mutant.variable))
        and finding.lines.issuperset(trial.lines)
        for finding in report.findings
    )


def _broken(trial: Trial, why: str) -> Verdict:
    return Verdict(trial, 0, 0, "", "", False, why)


def default_jobs() -> int:
    return os.cpu_count() or 1
