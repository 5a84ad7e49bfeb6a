"""Points for speed: a hand-in beside the reference on one GPU, turn by turn in one run.

Where a lab.toml gives a part `fast` points, all of them are earned at `fast_share` of the reference's speed. Times are
noisy, so what is judged is an interval that holds the true share but for one grading in a thousand: the points are lost
only when all of it lies below what is wanted.
"""

import json
import math
import statistics
import threading
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from typing import Any

from grader.handin.discover import Part
from grader.judge.build import last_lines, write_log
from grader.judge.suites import SuitePlan, SuiteRun
from grader.model.errors import describe_os_error
from grader.model.types import FAST, Failure, Outcome, Speed, Status, SuiteKind
from grader.walls.process import Completed, run_process
from grader.walls.sandbox import RUNNER_LIMITS

CONFIDENCE = 0.999
ROUNDS = 40  # calls of each
LENGTH = 24  # log2 of the elements of an input: long enough that launches weigh little

_REFERENCE, _HAND_IN = "reference", "hand-in"

_FIELDS = {"who", "part", "input", "times", "right", "possible", "milliseconds"}  # of a row that is read

# Exit statuses of bench. It breaks off when a call of CUDA fails.
_ALL_RIGHT, _SOME_WRONG, _BROKE_OFF = 0, 1, 3


@dataclass(frozen=True, slots=True)
class Interval:
    """Holds the true median of what was sampled, with the confidence that was asked for."""

    low: float
    middle: float  # the sample's median
    high: float


def median_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """From order statistics, so whatever the distribution: the true median lies above the k-th smallest value unless
    fewer than k of n fair coins show heads. Unbounded where there are too few values for that."""
    ordered, n = sorted(values), len(values)
    below, k = 0.0, 0  # probability that at most k - 1 coins show heads
    while (more := below + math.comb(n, k) / 2**n) <= (1 - confidence) / 2:
        below, k = more, k + 1
    middle = statistics.median(ordered) if ordered else math.nan
    return Interval(ordered[k - 1], middle, ordered[n - k]) if k > 0 else Interval(0.0, middle, math.inf)


def shares(hand_in: Sequence[float], reference: Sequence[float]) -> list[float]:
    """Of the reference's speed that the hand-in has, a value for each turn that both took: a clock that changes, or
    another program, is felt by the two calls of a turn alike."""
    return [theirs / own for own, theirs in zip(hand_in, reference, strict=False)]


def run_race(plan: SuitePlan, stop: threading.Event) -> SuiteRun:
    """Times the parts of the plan's lab that have points for it. Bench and the reference are built."""
    outcomes: list[Outcome] = []
    log = plan.log.with_suffix(".speed.log")
    for part in plan.lab.parts:
        if not part.points.get(FAST):
            continue
        try:
            around = plan.sandbox.group(RUNNER_LIMITS[plan.device], plan.course) if plan.sandbox else nullcontext([])
            with around as group:
                argv = [*group, *_command_line(plan, part)]
                done = run_process(argv, cwd=plan.course.root, timeout=plan.timeout, stop=stop)
        except OSError as error:
            return SuiteRun(plan.kind, (), f"bench cannot be run: {describe_os_error(error)}")
        write_log(log.with_stem(f"{plan.lab.stem}.{part.name}"), done.output)
        outcomes += judge_race(part, done)
    return SuiteRun(plan.kind, tuple(outcomes), "")


def judge_race(part: Part, done: Completed) -> list[Outcome]:
    """A test for each kind of input that bench timed. A run that broke off is the hand-in's: the reference and CUB are
    known to come to their end."""
    if done.timed_out:
        return [_outcome(part, "", Status.TIMED_OUT, "timed out: it was not timed to the end")]
    if done.status not in (_ALL_RIGHT, _SOME_WRONG):
        how = f"by signal {-done.status}" if done.status < 0 else f"exit status {done.status}"
        what = "a call of CUDA failed" if done.status == _BROKE_OFF else how
        return [_outcome(part, "", Status.CRASHED, f"crashed: while it was timed: {what}\n{last_lines(done.output)}")]
    rows = [row for row in _rows(done.output) if row["part"] == part.name]
    inputs = dict.fromkeys(row["input"] for row in rows)
    return [_judge_input(part, name, [row for row in rows if row["input"] == name]) for name in inputs]


def _judge_input(part: Part, kind: str, rows: list[dict[str, Any]]) -> Outcome:
    by_name = {row["who"]: row for row in rows}
    own, theirs = by_name.get(_HAND_IN), by_name.get(_REFERENCE)
    if theirs is None or not theirs["right"]:
        return _outcome(part, kind, Status.GRADER_FAULT, "the reference was not timed, or its result is wrong")
    if own is None:
        return _outcome(part, kind, Status.MISSING, f"missing: {part.name} is not there to be timed")
    where = f"\n    in: {part.name} on 2^{LENGTH} elements" + (f", {kind}" if kind else "")
    if not own["right"]:
        return _outcome(part, kind, Status.FAILED, f"what it timed is wrong: the result is not CUB's{where}")
    if not own["possible"]:
        return _outcome(part, kind, Status.FAILED, f"faster than a copy of the bytes that must move{where}")
    share = median_interval(shares(own["times"], theirs["times"]))
    took, reference = own["milliseconds"], theirs["milliseconds"]
    bounded = min(share.low, took, reference) > 0 and share.high < math.inf
    speed = Speed(kind, share.middle, share.low, share.high, took, reference) if bounded else None
    if share.high >= part.fast_share:
        return replace(_outcome(part, kind, Status.PASSED, ""), speed=speed)
    failed = _outcome(
        part,
        kind,
        Status.FAILED,
        f"{share.middle:.2f} of the reference's speed, at least {part.fast_share:g} wanted\n"
        f"    {share.low:.2f} to {share.high:.2f} with a confidence of {100 * CONFIDENCE:g} %: not by chance\n"
        f"    {took:.3f} ms, the reference {reference:.3f} ms{where}",
    )
    return replace(failed, speed=speed)


def _command_line(plan: SuitePlan, part: Part) -> list[str]:
    course, who = plan.course, plan.submission.who
    prefix = plan.sandbox.race_prefix(course, plan.device, who, int(plan.timeout)) if plan.sandbox else []
    folders = {_REFERENCE: course.built(plan.device, "reference"), _HAND_IN: course.built(plan.device, who)}
    return [
        *prefix,
        course.relative(course.bench),
        *("--part", part.name, "--from", str(LENGTH), "--to", str(LENGTH)),
        *("--runs", str(ROUNDS), "--seconds", "0.5", "--json", "-"),
        *(f"{name}={course.relative(folder)}" for name, folder in folders.items()),
    ]


def _rows(output: str) -> list[dict[str, Any]]:
    """Of bench's JSON, which has a line for each. What else a program printed is passed over."""
    rows: list[dict[str, Any]] = []
    for line in output.splitlines():
        with suppress(ValueError):
            row = json.loads(line.removesuffix(","))
            if isinstance(row, dict) and row.keys() >= _FIELDS:
                rows.append(row)
    return rows


def _outcome(part: Part, kind: str, status: Status, message: str) -> Outcome:
    name = "_".join(["is_as_fast_as_is_wanted", *kind.replace("%", "percent").split()])
    slow = Failure("over the bound", "speed", tuple(message.splitlines())) if status is Status.FAILED else None
    return Outcome(name, part.name, FAST, SuiteKind.PUBLIC, status, message, None, slow)
