"""Points for speed: a hand-in and the reference are timed in alternating turns of one run on one GPU.

The clock, the inputs and the comparison are in a process without code of the hand-in: labs/bench/race.cpp.

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
from grader.walls.sandbox import RUNNER_LIMITS, suite_argument

CONFIDENCE = 0.999
ROUNDS, CALLS = 12, 4  # number of processes of each of the two, and of the calls that each process makes
LENGTH = 28  # log2 of the number of elements; long enough that the cost of an exchange hardly matters

_REFERENCE, _HAND_IN = "reference", "hand-in"

# The fields of a row that are used
_FIELDS = {"who", "part", "input", "times", "right", "possible", "milliseconds", "ended"}

# Exit statuses of race (labs/bench/race.cpp). The others are faults of the machine.
_ALL_RIGHT, _SOME_WRONG = 0, 1

# What race says about a run that ended; all else is a crash.
_MISSING, _TOO_LONG = "missing", "its calls take too long to be timed"
_EARLY = "it answered before its work had ended"


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


def shares(hand_in: Sequence[float], reference: Sequence[float], calls: int = 1) -> list[float]:
    """The hand-in's share of the reference's speed, for each round that both have. Within a round, a changed clock rate
    or another program slows both alike. A round has so many calls, and counts with their median only, because the calls
    of one process are more alike than those of two."""
    rounds = (medians_of(hand_in, calls), medians_of(reference, calls))
    return [theirs / own for own, theirs in zip(*rounds, strict=False)]


def medians_of(times: Sequence[float], calls: int) -> list[float]:
    """The median of each round. The rest of an unfinished round does not count."""
    return [statistics.median(times[i : i + calls]) for i in range(0, len(times) - calls + 1, calls)]


def run_race(plan: SuitePlan, stop: threading.Event) -> SuiteRun:
    """Times the parts of the plan's lab that have points for speed. Race and the reference must be built."""
    outcomes: list[Outcome] = []
    log = plan.log.with_suffix(".speed.log")
    for part in plan.lab.parts:
        if not part.points.get(FAST):
            continue
        try:
            around = plan.sandbox.group(RUNNER_LIMITS[plan.device], plan.course) if plan.sandbox else nullcontext([])
            with around as group:
                argv = _command_line(plan, part, group)
                done = run_process(argv, cwd=plan.course.root, timeout=plan.timeout, stop=stop)
        except OSError as error:
            return SuiteRun(plan.kind, (), f"race cannot be run: {describe_os_error(error)}")
        write_log(log.with_stem(f"{plan.lab.stem}.{part.name}"), done.output)
        outcomes += judge_race(part, done)
    return SuiteRun(plan.kind, tuple(outcomes), "")


def judge_race(part: Part, done: Completed) -> list[Outcome]:
    """Makes one test for each kind of input that was timed. The program with the clock is trusted and limits the time
    of everything that a hand-in does. So it is the grader's fault if it does not end well."""
    if done.timed_out or done.status not in (_ALL_RIGHT, _SOME_WRONG):
        how = "it did not end" if done.timed_out else f"exit status {done.status}"
        why = f"{part.name} cannot be timed: {how}\n{last_lines(done.output)}"
        return [_outcome(part, "", Status.GRADER_FAULT, why)]
    rows = [row for row in _rows(done.output) if row["part"] == part.name]
    inputs = dict.fromkeys(row["input"] for row in rows)
    return [_judge_input(part, name, [row for row in rows if row["input"] == name]) for name in inputs]


def _judge_input(part: Part, kind: str, rows: list[dict[str, Any]]) -> Outcome:
    by_name = {row["who"]: row for row in rows}
    own, theirs = by_name.get(_HAND_IN), by_name.get(_REFERENCE)
    if theirs is None or own is None or theirs["ended"] or not theirs["right"]:
        return _outcome(part, kind, Status.GRADER_FAULT, "the reference was not timed, or its result is wrong")
    where = f"\n    in: {part.name} on 2^{LENGTH} elements" + (f", {kind}" if kind else "")
    if why := _no_time(part, own):
        status, message = why
        return _outcome(part, kind, status, message + (where if status is Status.FAILED else ""))
    share = median_interval(shares(own["times"], theirs["times"], CALLS))
    took, reference = own["milliseconds"], theirs["milliseconds"]
    if not (min(share.low, took, reference) > 0 and share.high < math.inf):
        return _outcome(part, kind, Status.GRADER_FAULT, "there are too few times")
    speed = Speed(kind, share.middle, share.low, share.high, took, reference)
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


def _no_time(part: Part, own: dict[str, Any]) -> tuple[Status, str] | None:
    """Why the hand-in has no time that counts, if it has none."""
    if own["ended"]:
        return {
            _MISSING: (Status.MISSING, f"missing: {part.name} is not there to be timed"),
            _TOO_LONG: (Status.TIMED_OUT, f"timed out: {_TOO_LONG}"),
            _EARLY: (Status.FAILED, _EARLY),
        }.get(own["ended"], (Status.CRASHED, f"crashed: while it was timed: {own['ended']}"))
    if not own["right"]:
        return Status.FAILED, "what it timed is wrong: a result is not CUB's"
    return None if own["possible"] else (Status.FAILED, "faster than a copy of the bytes that must move")


def _command_line(plan: SuitePlan, part: Part, group: Sequence[str]) -> list[str]:
    course, device = plan.course, plan.device
    argv = [
        *(course.relative(course.race(device)), "--part", part.name, "--length", str(LENGTH)),
        *("--rounds", str(ROUNDS), "--calls", str(CALLS), "--runner", course.relative(course.runner(device))),
        *("--empty", course.relative(course.empty(device))),
    ]
    for name, who in ((_REFERENCE, "reference"), (_HAND_IN, plan.submission.who)):
        if plan.sandbox:
            prefix = plan.sandbox.runner_prefix(course, device, who, int(plan.timeout))
            argv += ["--sandbox", suite_argument([*group, *prefix])]
        argv.append(f"{name}={course.relative(course.built(device, who))}")
    return argv


def _rows(output: str) -> list[dict[str, Any]]:
    """The rows of race's JSON, which has one row in each line. Other output is skipped."""
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
