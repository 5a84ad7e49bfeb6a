"""Points for speed: a hand-in and the reference are timed in alternating turns of one run on one GPU.

If a lab.toml gives `fast` points to a part, they are earned by reaching `fast_share` of the reference's speed. Measured
times vary, so the grader computes a confidence interval, which misses the true share in one grading of a thousand. The
points are lost only when the whole interval is below the wanted share.
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
ROUNDS = 40  # number of calls of each of the two
LENGTH = 24  # log2 of the number of elements; long enough that the cost of a launch hardly matters

_REFERENCE, _HAND_IN = "reference", "hand-in"

_FIELDS = {"who", "part", "input", "times", "right", "possible", "milliseconds"}  # the fields of a row that are used

# Exit statuses of bench. It stops when a call of CUDA fails.
_ALL_RIGHT, _SOME_WRONG, _BROKE_OFF = 0, 1, 3


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval that contains the true median of the sampled quantity with the chosen confidence."""

    low: float
    middle: float  # the median of the sample
    high: float


def median_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Computes the interval from order statistics, so it holds for every distribution: the probability that the true
    median is below the k-th smallest value is that of fewer than k heads among n fair coins. With too few values the
    interval is unbounded."""
    ordered, n = sorted(values), len(values)
    below, k = 0.0, 0  # `below` is the probability of at most k - 1 heads
    while (more := below + math.comb(n, k) / 2**n) <= (1 - confidence) / 2:
        below, k = more, k + 1
    middle = statistics.median(ordered) if ordered else math.nan
    return Interval(ordered[k - 1], middle, ordered[n - k]) if k > 0 else Interval(0.0, middle, math.inf)


def shares(hand_in: Sequence[float], reference: Sequence[float]) -> list[float]:
    """The hand-in's share of the reference's speed, for each turn that both have. Within a turn, a changed clock rate
    or another program slows both calls alike."""
    return [theirs / own for own, theirs in zip(hand_in, reference, strict=False)]


def run_race(plan: SuitePlan, stop: threading.Event) -> SuiteRun:
    """Times the parts of the plan's lab that have points for speed. Bench and the reference must be built."""
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
    """Makes one test for each kind of input that bench timed. If the run broke off, the hand-in is to blame, because
    the reference and CUB are known to finish."""
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
    """The rows of bench's JSON, which has one row in each line. Other output is skipped."""
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
