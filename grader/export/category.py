"""Describes a hidden test to a student: the kind of call that fails, but never which call.

All words come from the tables below, so they contain nothing from a hidden test's input or message, or from what the
submission printed in it. The categories are wide: each contains several tests.
"""

from collections.abc import Iterator

from grader.model.findings import MISMATCH, NOT_JUDGED
from grader.model.types import Call, Outcome, Status
from grader.model.words import UNJUDGED

USUAL_TILE = 512  # the same as in labs/include/lab.h
WARP = 32
HUGE = 1 << 31  # in elements

_VERBS = {Status.CRASHED: "crashes", Status.TIMED_OUT: "does not come back in time"}
_VALUES = {
    "sorted": "the values are sorted",
    "reversed": "the values are in falling order",
    "equal": "all values are equal",
    "negative": "the values are negative",
    "extreme": "the values are extreme",
    "sparse": "most values are zero",
    "series": "the values are real data",
    "marked": "a single place holds a mark",
}
_MONOIDS = {
    "float_sum": "the elements are floats",
    "affine": "the operator does not commute",
}
_SAID_BY_THE_VERB = {MISMATCH, "crashed", "timed out"}
_MISSING = "fails: the function is not defined"
_NAMES = {
    "over the bound": "a meter over its bound",
    NOT_JUDGED: UNJUDGED,
}


def category(test: Outcome) -> str:
    """For example `fails where the length is no multiple of the tile: race`. Empty when the test passed."""
    if test.status is Status.PASSED:
        return ""
    if test.status is Status.MISSING:
        return _MISSING
    if test.left_out:
        return test.status.value
    failure = test.failure
    if failure is None:
        return _VERBS.get(test.status, "fails")
    places = ", and ".join(_circumstances(failure.call)) if failure.call is not None else ""
    told = _NAMES.get(failure.kind, failure.kind)
    return (
        _VERBS.get(test.status, "fails")
        + (f" where {places}" if places else "")
        + ("" if failure.kind in _SAID_BY_THE_VERB else f": {told}")
    )


def _circumstances(call: Call) -> Iterator[str]:
    """What distinguishes the call from an ordinary one."""
    if call.history:
        yield "calls before it matter"
        return
    yield from filter(None, [_size(call)])
    if call.tile != USUAL_TILE:
        yield "the tile has an unusual size"
    yield from filter(None, [_MONOIDS.get(call.monoid, ""), _VALUES.get(call.input, "")])
    if call.in_place:
        yield "the call is in place"
    if call.shift:
        yield "arrays begin off a 256-byte boundary"
    if call.order != "forward":
        yield "blocks and threads run in another order"


def _size(call: Call) -> str:
    if call.n is not None:
        return _length(call.n, call.tile)
    rows, _, columns = call.shape.partition("x")
    return _shape(int(rows), int(columns))


def _shape(rows: int, columns: int) -> str:
    if min(rows, columns) < WARP:
        return "a side of the image is shorter than a warp"
    whole = rows % WARP == 0 and columns % WARP == 0
    return f"the sides of the image are {'' if whole else 'not all '}multiples of a warp"


def _length(n: int, tile: int) -> str:
    if n >= HUGE:
        return "the length is past 2^31"
    if n < WARP:
        return "the input is shorter than a warp"
    if n <= tile:
        return f"the length is {'a' if n & (n - 1) == 0 else 'no'} power of two, and within a tile"
    return f"the length is {'a' if n % tile == 0 else 'no'} multiple of the tile"
