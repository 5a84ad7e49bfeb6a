"""What a failed test shows: the smallest call that the suite found to fail, and for a race the order of threads that
gives a wrong result, or the reason why it is a race although none does."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from grader.audit.exhaustive import elements_of
from grader.model.types import Call, Failure, Outcome

# What the messages show of a race
RACE_WRONG = "a wrong result"  # the tests' own schedule gives a wrong result
RACE_ORDER = "an order with a wrong result"  # the suite has searched for it
RACE_WHY = "why there is none"

_ORDER_LINES = ("wrong if ", "wrong in ")  # as suite_race.c begins the story of such an order
_WHY_LINES = ("both write ", "no order ", "this device ")  # as its reasons begin


@dataclass(frozen=True, slots=True)
class Smallest:
    """The smallest call that the suite found to fail."""

    elements: int
    tiles: int  # that its elements fill, the last one perhaps in part
    seconds: float  # of the test, with the search
    call: Call
    wrong: bool  # its result is wrong; otherwise it has a race
    least: int | None = None  # elements of the smallest wrong call of all; None when they were not made


@dataclass(frozen=True, slots=True)
class RaceShown:
    """What the messages show of a mutant's race."""

    what: str  # one of the RACE_ words
    line: str  # the lines of the message that show it, as one line


def find_smallest(failed: Sequence[tuple[Outcome, Failure]]) -> Smallest | None:
    """The smallest call in these failures by a wrong result or a race; None when there is no such failure."""
    sizes: list[Smallest] = []
    for outcome, failure in failed:
        call = failure.call
        if call is None or failure.kind not in ("mismatch", "race"):
            continue
        elements, wrong = elements_of(call), failure.kind == "mismatch"
        sizes.append(Smallest(elements, math.ceil(elements / call.tile), outcome.seconds or 0, call, wrong))
    return min(sizes, key=lambda size: size.elements, default=None)


def race_shown(failed: Sequence[tuple[Outcome, Failure]]) -> RaceShown | None:
    """The strongest that the messages show of a race in these failures; None when no failure has a race."""
    races = [failure for _, failure in failed if any(finding.kind == "race" for finding in failure.findings)]
    for failure in races:
        if failure.kind == "mismatch":
            return RaceShown(RACE_WRONG, failure.said[0] if failure.said else "")
    for what, begins in ((RACE_ORDER, _ORDER_LINES), (RACE_WHY, _WHY_LINES)):
        for failure in races:
            for i, line in enumerate(failure.context):
                if line.startswith(begins):
                    story = takewhile(lambda told: not told.startswith("see it:"), map(str.strip, failure.context[i:]))
                    return RaceShown(what, " ".join(story) if what == RACE_ORDER else line)
    return RaceShown(RACE_WHY, "") if races else None
