"""What a student is told of a hidden test: what kind of call fails, never which.

The words come from the tables below and from nowhere else, so nothing of a hidden test's input, of its message or of
what the submission printed in it can be among them. Classes are wide: none has a single member.
"""

import re
from collections.abc import Iterator

from grader.findings import KINDS, MISMATCH, NOT_JUDGED, read_message
from grader.model import Outcome, Status

USUAL_TILE = 512  # labs/include/lab.h
WARP = 32
HUGE = 1 << 31  # elements

_REPLAY = re.compile(r"^replay: make run (.*)$", re.MULTILINE)
_HISTORY = re.compile(r"^replay: make test ", re.MULTILINE)
_PRINTED = "\nit printed:\n"
_SHAPE = re.compile(r"([0-9]{1,10})x([0-9]{1,10})")

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
    NOT_JUDGED: "not judged while the result is wrong",
}


def category(test: Outcome) -> str:
    """`fails where the length is no multiple of the tile: race`. Empty when the test passed."""
    if test.status is Status.PASSED:
        return ""
    if test.status is Status.MISSING:
        return _MISSING
    message = test.message.partition(_PRINTED)[0]
    kind = read_message(message).kind
    places = ", and ".join(_circumstances(test.message))
    told = _NAMES.get(kind, kind) if kind in KINDS else "another finding"
    return (
        _VERBS.get(test.status, "fails")
        + (f" where {places}" if places else "")
        + ("" if kind in _SAID_BY_THE_VERB else f": {told}")
    )


def _circumstances(message: str) -> Iterator[str]:
    """What sets the call apart, by its replay line. The suite writes that line, always as the last."""
    last = message[message.rfind("\nreplay: ") + 1 :] if "\nreplay: " in message else message
    if _HISTORY.match(last):
        yield "calls before it matter"
        return
    match = _REPLAY.match(last)
    if match is None:
        return
    call = dict(word.split("=", 1) for word in match[1].split() if "=" in word)
    tile = _number(call.get("TILE", "")) or USUAL_TILE
    yield from filter(None, [_size(call, tile)])
    if "TILE" in call:
        yield "the tile has an unusual size"
    yield from filter(None, [_MONOIDS.get(call.get("MONOID", "")), _VALUES.get(call.get("INPUT", ""))])
    if "IN_PLACE" in call:
        yield "the call is in place"
    if "SHIFT" in call:
        yield "arrays begin off a 256-byte boundary"
    if "ORDER" in call:
        yield "blocks and threads run in another order"


def _size(call: dict[str, str], tile: int) -> str:
    shape = _SHAPE.fullmatch(call.get("SHAPE", ""))
    if shape is not None:
        return _shape(int(shape[1]), int(shape[2]))
    n = _number(call.get("N", ""))
    return "" if n is None else _length(n, tile)


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


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 20 else None
