"""Garbage for readers: valid inputs with damaged pieces."""

import copy
import json
import os
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

T = TypeVar("T")
SECONDS = float(os.environ.get("FUZZ_SECONDS", "2"))

ODD_VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 1.5, 1e308, 10**400, float("nan"), float("inf"), "", "x", "\ud800", "\x00", "a\nb" * 200),
    *("2026-11-01T23:59:00+01:00", "0001-01-01T00:00:00+23:59", "../x", [], {}, [[]], [None], {"a": 1}, ["", ""]),
)


def damaged(good: list[bytes]) -> st.SearchStrategy[bytes]:
    """A valid input with pieces changed, cut out, repeated or taken from another one; or random bytes."""
    pieces = st.one_of(st.binary(max_size=12), st.sampled_from(good).flatmap(lambda other: st.just(other[-40:])))
    edits = st.lists(st.tuples(st.integers(0, 1 << 14), st.integers(0, 30), pieces), max_size=6)

    def edit(start: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
        for place, length, piece in changes:
            at = place % (len(start) + 1)
            start = start[:at] + piece + start[at + length :]
        return start

    return st.one_of(st.builds(edit, st.sampled_from(good), edits), st.binary(max_size=200))


def damaged_json(good: list[Any]) -> st.SearchStrategy[str]:
    """A valid document in which values are wrong, have another type, are missing or occur twice."""
    edits = st.lists(
        st.tuples(st.integers(0, 1 << 16), st.sampled_from(("gone", "odd", "moved")), st.integers(0, 1 << 16)),
        min_size=1,
        max_size=4,
    )

    def edit(start: int, changes: list[tuple[int, str, int]]) -> str:
        table = [copy.deepcopy(good[start])]
        for where, how, what in changes:
            places = list(_places(table))
            holder, key = places[where % len(places)]
            if how == "gone" and holder is not table:
                del holder[key]
            elif how == "moved":
                other, name = places[what % len(places)]
                holder[key] = copy.deepcopy(other[name])
            else:
                holder[key] = copy.deepcopy(ODD_VALUES[what % len(ODD_VALUES)])
        return json.dumps(table[0])

    return st.builds(edit, st.integers(0, len(good) - 1), edits)


def _places(table: Any) -> Iterator[tuple[Any, Any]]:
    """Each value of the document, as its container and its key there."""
    for key, value in list(table.items() if isinstance(table, dict) else enumerate(table)):
        yield table, key
        if isinstance(value, (dict, list)):
            yield from _places(value)


def feed(inputs: st.SearchStrategy[T], take: Callable[[T], None]) -> None:
    """Feeds inputs to `take` for SECONDS."""
    until = time.monotonic() + SECONDS
    rounds = 0
    while rounds == 0 or time.monotonic() < until:
        rounds += 1

        @settings(
            max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck), print_blob=False
        )
        @given(inputs)
        def once(data: T) -> None:
            take(data)

        once()
