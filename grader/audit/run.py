"""The audit of the suites. Every mutant must lose points through the finding for which it was made. Every shortcut must
earn nothing, for the reason in its head. Every alternative, which is another right solution, must earn all points.

A trial is graded like a submission: it is built by the same make and judged by the same suites. For a mutant, only the
part that it breaks is tested, and the hidden suite runs only if the public one has not reported the expected finding.
So the number of lost points is a lower bound, and concerns only that part. For a shortcut, all parts that it claims are
tested, by the hidden suite too if the public one leaves it points. Nothing runs in the sandbox, because mutants and
alternatives are the course's own code.
"""

import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from grader.audit.draw import draw, entry_of, select
from grader.audit.exhaustive import least_failing
from grader.audit.portion import is_taken
from grader.audit.smallest import RaceShown, Smallest, find_smallest, race_shown
from grader.audit.trials import (
    CLOCK,
    HOSTILE,
    RIGHT,
    SHORTCUTS,
    WRONG,
    Entry,
    check_names,
    make_source,
    read_file,
    trial_files,
)
from grader.handin.discover import Lab, choose_labs, discover_labs
from grader.handin.submission import Submission
from grader.judge.build import Builder
from grader.judge.score import score_lab, untested_lab
from grader.judge.suites import SUITE_SECONDS, SuitePlan, SuiteRun, run_suite
from grader.model.errors import GraderFault, UsageError, describe_os_error
from grader.model.findings import FINDINGS, NOT_JUDGED
from grader.model.layout import Course
from grader.model.types import Failure, LabResult, Outcome, Status, SuiteKind
from grader.walls.machine import jobs_at_once

DEVICE = "cpu"  # findings and meters come from this device
RIGHT_SHARE = 10  # a right solution must get full score with its budget of work divided by this
EXPECTED_SHARE = 0.98  # share of the mutants that must be killed by the expected finding


@dataclass(frozen=True, slots=True)
class Options:
    """The settings from the command line."""

    labs: list[int]  # empty for all
    part: str  # empty for all
    names: str  # only mutants and alternatives with this text in their names
    kinds: list[str]  # only mutants that expect one of these kinds; empty for all
    sample: bool  # only one mutant of each kind, one shortcut of each name, and no alternatives
    made: int  # instead of all these, so many mutants that operators make, drawn with `seed`; 0 for none
    draw: int  # only so many mutants, drawn at random with `seed`; 0 for all
    seed: int
    jobs: int
    full: bool  # run all suites, even after the public one has killed a mutant as expected
    keep: bool  # keep what was built
    exhaustive: bool = False  # compare the smallest calls with those that a search through all calls finds


@dataclass(frozen=True, slots=True)
class Trial:
    """One source to grade."""

    lab: Lab
    name: str  # name of the entry, or `reference`
    source: str
    entry: Entry | None  # None for the reference
    lines: tuple[int, ...] = ()  # for a mutant, the lines at which it must be reported

    @property
    def mutant(self) -> Entry | None:
        return self.entry if self.entry and self.entry.sort == WRONG else None

    @property
    def shortcut(self) -> Entry | None:
        return self.entry if self.entry and self.entry.sort == SHORTCUTS else None

    @property
    def right(self) -> bool:
        """True for an alternative and for the reference."""
        return self.mutant is None and self.shortcut is None

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts by which it is judged."""
        return self.entry.parts if self.entry else tuple(part.name for part in self.lab.parts)

    @property
    def made(self) -> bool:
        """True for a mutant that an operator has made. Any finding may kill it, in any of its parts."""
        return self.mutant is not None and not self.mutant.kind

    @property
    def who(self) -> str:
        kind = "mutant" if self.mutant else "shortcut" if self.shortcut else "right"
        return f"audit-{kind}-{self.lab.stem}-{self.name}"

    @property
    def expected(self) -> str:
        """What must be reported, such as `race @57 @60, buffer`."""
        if self.shortcut is not None:
            return "no points"
        if self.mutant is None:
            return "full score"
        if self.made:
            return self.mutant.title.partition(":")[0]
        places = "".join(f" @{line}" for line in self.lines)
        variable = f", {self.mutant.variable}" if self.mutant.variable else ""
        return f"{self.mutant.kind}{places}{variable}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a trial."""

    trial: Trial
    lost: int  # points lost: of a mutant's part, or of all of a shortcut's parts
    worth: int  # the most points that can be lost
    reported: str  # finding of the first test that failed; empty when none did
    message: str  # message of that test
    # A failed test reports what the mutant expects; for a shortcut, each part has the expected message
    expected_seen: bool
    broken: str  # reason why it could not be judged; empty when it was
    smallest: Smallest | None = None  # None when no call failed by a wrong result or a race
    void: bool = False  # True for a drawn mutant that does not compile: it tests nothing
    race: RaceShown | None = None  # for a mutant that expects a race; None when no test reported one

    @property
    def killed(self) -> bool:
        return self.lost == self.worth if self.trial.shortcut else self.lost > 0

    @property
    def good(self) -> bool:
        if self.broken:
            return False
        if self.void:
            return True
        if self.trial.mutant or self.trial.shortcut:
            return self.killed and self.expected_seen
        return self.lost == 0


@dataclass(frozen=True, slots=True)
class Audit:
    """All verdicts, in the order of the trials."""

    verdicts: tuple[Verdict, ...]
    drawn_with: int | None = None  # the seed, when the trials are a random sample of those that were selected

    @property
    def mutants(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if verdict.trial.mutant and not verdict.void]

    @property
    def alternatives(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if not verdict.trial.mutant and not verdict.trial.shortcut]

    @property
    def shortcuts(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if verdict.trial.shortcut]

    @property
    def passed(self) -> bool:
        """True when all mutants are killed, nearly all by the expected finding, all shortcuts earn nothing, and all
        right solutions have full score."""
        mutants = self.mutants
        return (
            all(not verdict.broken for verdict in self.verdicts)
            and sum(verdict.void for verdict in self.verdicts) <= len(self.verdicts) / 2  # else the build is at fault
            and all(verdict.killed for verdict in mutants)
            and sum(verdict.good for verdict in mutants) >= EXPECTED_SHARE * len(mutants)
            and all(verdict.good for verdict in self.shortcuts)
            and all(verdict.good for verdict in self.alternatives)
        )


def audit(
    course: Course,
    options: Options,
    begin: Callable[[int], None],
    seen: Callable[[Verdict], None],
    stop: threading.Event,
) -> Audit:
    """Runs the audit. `begin` gets the number of trials, and `seen` gets each verdict when it is known. UsageError
    lists all trials that cannot be read or applied."""
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
    return Audit(tuple(verdicts[i] for i in range(len(trials))), options.seed if options.draw else None)


def find_trials(course: Course, options: Options) -> list[Trial]:
    """The mutants, shortcuts and right solutions that the options select, in the order of labs and parts."""
    every = discover_labs(course)
    labs = choose_labs(every, options.labs)
    if not course.reference.is_dir():
        raise UsageError(f"there is no {course.reference}: an audit needs the reference solution and its mutants")
    if options.made:
        made = [] if options.kinds else select(course, labs, options.part, options.names)
        if not made:
            raise UsageError("nothing to draw: operators make no mutant of that name, and none expects a kind")
        drawn = draw(made, options.made, options.seed)
        return [Trial(lab, one.name, one.source, entry_of(lab, one)) for lab, one in drawn]
    folders = course.reference / "trials"
    trials: list[Trial] = []
    broken = [
        f"{course.relative(folder)}: there is no lab of that name"
        for folder in sorted(folders.glob("*/"))
        if folder.name not in {HOSTILE, CLOCK, *(lab.stem for lab in every)}
    ]
    for lab in labs:
        mutants, shortcuts, right = (
            list(_read_trials(course, lab, sort, broken)) for sort in (WRONG, SHORTCUTS, RIGHT)
        )
        trials += _wanted_mutants(lab, mutants, options)
        if options.part or options.kinds or options.draw:
            continue
        reference = Trial(lab, "reference", _read(course.reference / lab.source), None)
        trials += _named(shortcuts, options)
        trials += [] if options.sample else _named([reference, *right], options)
    if broken:
        raise UsageError("\n".join(broken))
    if not trials:
        raise UsageError("nothing to audit: no mutant, shortcut or alternative is called that")
    if options.draw:
        numbers = sorted(Random(options.seed).sample(range(len(trials)), min(options.draw, len(trials))))
        return [trials[number] for number in numbers]
    return _sample(trials) if options.sample else trials


def _sample(trials: list[Trial]) -> list[Trial]:
    """Selects one mutant of each kind and one shortcut of each name. It takes the rarest kinds first, and for each the
    lab, and then the part, with the fewest trials so far. Of shortcuts it prefers those with few parts, and it judges
    each by one part, because each takes time. Of these kinds and names, it keeps those that belong to PORTION."""

    def of(trial: Trial) -> tuple[bool, str, str]:
        return trial.mutant is None, trial.lab.stem, trial.parts[0] if trial.mutant else ""

    kinds: dict[tuple[bool, str], list[Trial]] = {}
    for trial in trials:
        kinds.setdefault((trial.mutant is None, trial.mutant.kind if trial.mutant else trial.name), []).append(trial)
    taken: list[Trial] = []
    for (_, name), kind in sorted(kinds.items(), key=lambda item: len(item[1])):
        if not is_taken(name):
            continue
        labs, parts = Counter(of(trial)[:2] for trial in taken), Counter(of(trial) for trial in taken)
        claimed = [len(trial.shortcut.parts) if trial.shortcut else 0 for trial in kind]
        fewest = [(labs[of(t)[:2]], parts[of(t)], number) for t, number in zip(kind, claimed, strict=True)]
        taken.append(kind[fewest.index(min(fewest))])
    return [_of_one_part(trial, number) for number, trial in enumerate(trials) if trial in taken]


def _of_one_part(trial: Trial, number: int) -> Trial:
    """The trial, judged by one of its parts only."""
    if trial.shortcut is None:
        return trial
    part = trial.parts[number % len(trial.parts)]
    return replace(trial, entry=replace(trial.shortcut, parts=(part,)))


def _read_trials(course: Course, lab: Lab, sort: str, broken: list[str]) -> Iterator[Trial]:
    """The trials of one sort. Appends errors in their files to `broken`."""
    entries: list[Entry] = []
    for path in trial_files(course.reference, lab.stem, sort):
        try:
            entries += read_file(course.reference, path)
            check_names(entries)
        except UsageError as error:
            broken.append(str(error))
    for entry in entries:
        try:
            yield _make_trial(course, lab, entry)
        except UsageError as error:
            broken.append(str(error))


def _make_trial(course: Course, lab: Lab, entry: Entry) -> Trial:
    known = [part.name for part in lab.parts]
    for part in entry.parts:
        if part not in known:
            raise UsageError(f"{entry.where}: lab {lab.number} has no part {part!r}; its parts are {', '.join(known)}")
    patched = make_source(course.reference, entry)
    return Trial(lab, entry.name, patched.source, entry, patched.lines)


def _wanted_mutants(lab: Lab, mutants: list[Trial], options: Options) -> Iterator[Trial]:
    for part in (part.name for part in lab.parts):
        for trial in mutants:
            if trial.mutant is None or trial.parts != (part,) or options.part not in ("", part):
                continue
            if options.names not in trial.name or trial.mutant.kind not in (options.kinds or [trial.mutant.kind]):
                continue
            yield trial


def _named(trials: Sequence[Trial], options: Options) -> list[Trial]:
    return [trial for trial in trials if options.names in trial.name]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {describe_os_error(error)}") from error


# ---- one trial ------------------------------------------------------------------------------------------


def _judge(course: Course, trial: Trial, options: Options, stop: threading.Event) -> Verdict:
    # A name of its own, because tests take a sample while another audit may work on the same mutants.
    submission = Submission("hand-in", "sample-" * options.sample + trial.who, course.root, None)
    place, built = course.workplace(submission.name), course.built(DEVICE, submission.who)
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
    place = course.workplace(submission.name)
    source = place / "src" / trial.lab.source
    try:
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(trial.source, encoding="utf-8")
    except OSError as error:
        raise GraderFault(f"cannot write {source}: {describe_os_error(error)}") from error

    builder = Builder(course, DEVICE, place / "log", 1, stop)
    built = builder.build_lab(submission, source.parent, trial.lab, None, proofs=False)  # no test needs them
    if not built.compiles and trial.shortcut:
        untested = untested_lab(_with_parts(trial, trial.parts), Status.DOES_NOT_COMPILE, built.errors)
        return judge_shortcut(trial, trial.shortcut, untested)
    if not built.compiles and trial.made:
        return replace(_broken(trial, ""), reported="does not compile", void=True)
    if not built.compiles:
        return _broken(trial, f"it does not compile, so it tests nothing:\n{built.errors}")

    def run(kind: SuiteKind, only: str) -> SuiteRun:
        share = RIGHT_SHARE if trial.right else 1
        plan = SuitePlan(course, submission, trial.lab, kind, DEVICE, options.seed, None, SUITE_SECONDS, only, share)
        return run_suite(plan, lambda _: None, stop)

    kinds = [SuiteKind.PUBLIC] + [SuiteKind.HIDDEN] * course.hidden_source(trial.lab.stem).exists()
    for parts in [(part,) for part in trial.parts] if trial.mutant else [trial.parts]:
        verdict = _test(trial, parts, kinds, run, options.full)
        if verdict.broken or verdict.killed:
            break
    if options.exhaustive and verdict.smallest and verdict.smallest.wrong:
        one = SuitePlan(
            course, submission, trial.lab, SuiteKind.PUBLIC, DEVICE, options.seed, None, SUITE_SECONDS, parts[0]
        )
        least = least_failing(one, verdict.smallest.call)
        verdict = replace(verdict, smallest=replace(verdict.smallest, least=least))
    return verdict


def _test(
    trial: Trial, parts: tuple[str, ...], kinds: list[SuiteKind], run: Callable[[SuiteKind, str], SuiteRun], full: bool
) -> Verdict:
    """Runs the suites of a trial that is built, and judges it by these parts. The hidden suite of a mutant or shortcut
    runs only with `full`, or if the public one does not decide."""
    lab = _with_parts(trial, parts)
    runs: list[SuiteRun] = []
    for kind in kinds:
        done = run(kind, parts[0] if len(parts) == 1 and not trial.right else "")
        runs.append(replace(done, outcomes=tuple(o for o in done.outcomes if o.part in parts)))
        verdict = judge_result(trial, score_lab(lab, runs), [outcome for one in runs for outcome in one.outcomes])
        if verdict.broken or (not trial.right and verdict.good and not full):
            break
    return verdict


def _with_parts(trial: Trial, parts: Sequence[str]) -> Lab:
    return replace(trial.lab, parts=tuple(part for part in trial.lab.parts if part.name in parts))


def judge_result(trial: Trial, result: LabResult, outcomes: Sequence[Outcome]) -> Verdict:
    """The verdict on a trial whose suites ran."""
    if result.score is None:
        return _broken(trial, result.message)
    if trial.shortcut is not None:
        return judge_shortcut(trial, trial.shortcut, result)
    failed = [(outcome, outcome.failure) for outcome in outcomes if outcome.failure is not None]
    telling = [(outcome, failure) for outcome, failure in failed if failure.kind != NOT_JUDGED] or failed
    return Verdict(
        trial=trial,
        lost=result.max_score - result.score,
        worth=result.max_score,
        reported=telling[0][1].short if telling else "",
        message=telling[0][0].message if telling else "",
        expected_seen=any(is_expected(trial, outcome.message, failure) for outcome, failure in failed),
        broken="",
        smallest=find_smallest(telling),
        race=race_shown(failed) if trial.mutant and trial.mutant.kind == "race" else None,
    )


def judge_shortcut(trial: Trial, shortcut: Entry, result: LabResult) -> Verdict:
    """The verdict on a shortcut: each of its parts must have 0 points and the expected message."""
    parts = [part for part in result.parts if part.name in shortcut.parts]
    complaints: dict[str, str] = {}  # part -> what is wrong
    for part in parts:
        messages = [test.message for aspect in part.aspects for test in aspect.tests if test.message]
        missing = shortcut.unsaid(part.name, messages or [result.message])
        if part.score:
            complaints[part.name] = f"{part.name} keeps {part.score} of {part.max_score} points"
        elif missing:
            first = (messages or [result.message])[0].partition("\n")[0]
            complaints[part.name] = f"{part.name} loses all, and no message says {missing[0]!r}; the first: {first}"
    worth, kept = sum(part.max_score for part in parts), sum(part.score or 0 for part in parts)
    return Verdict(
        trial=trial,
        lost=worth - kept,
        worth=worth,
        reported=f"{len(parts) - len(complaints)} of {len(parts)} parts",
        message="\n".join(complaints.values()),
        expected_seen=not complaints,
        broken="",
    )


def is_expected(trial: Trial, message: str, failure: Failure) -> bool:
    """True when a failed test reports what the trial's mutant expects."""
    mutant = trial.mutant
    if trial.made:
        return True
    if mutant is None or mutant.unsaid(mutant.parts[0], [message]):
        return False
    if mutant.kind not in FINDINGS:
        return failure.kind == mutant.kind and mutant.variable in ("", failure.meter)
    return any(
        finding.kind == mutant.kind
        and not finding.warning
        and (not mutant.variable or finding.names(mutant.variable))
        and finding.lines.issuperset(trial.lines)
        for finding in failure.findings
    )


def _broken(trial: Trial, why: str) -> Verdict:
    return Verdict(trial, 0, 0, "", "", False, why)


def default_jobs() -> int:
    return jobs_at_once()
