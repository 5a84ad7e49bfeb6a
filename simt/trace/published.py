"""The values that blocks pass to each other through flags and atomics: flags with the value that they publish,
tickets, and counters to which several blocks add."""

from collections.abc import Iterable
from typing import Any

import values

Row = list[Any]
Arrays = list[dict[str, Any]]  # of a trace

_KIND, _BLOCK, _THREAD, _ARRAY, _INDEX, _VALUE, _BEFORE, _HOW, _FLAGS = 1, 2, 3, 5, 6, 7, 9, 10, 12
_ATOMIC = 2


def _counters(rows: Iterable[Row]) -> dict[tuple[int, int], str]:
    """Cells that several blocks change by atomics. A cell that grows by 1, so that each block gets its own number,
    hands out tickets. A lock, which is taken again and again, does not."""
    changes: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        if row[_FLAGS] & _ATOMIC:
            changes.setdefault((row[_ARRAY], row[_INDEX]), []).append(row)
    kinds = {}
    for cell, own in changes.items():
        if len({row[_BLOCK] for row in own}) < 2 or not all(isinstance(row[_BEFORE], int) for row in own):
            continue
        numbers = [row[_BEFORE] for row in own]
        steps = all(row[_VALUE] in (row[_BEFORE] + 1, 0) for row in own)  # atomicInc wraps to 0
        kinds[cell] = "ticket" if steps and len(set(numbers)) == len(numbers) else "counter"
    return kinds


def of_launch(rows: Iterable[Row], shared: set[int]) -> list[dict[str, Any]]:
    """For the events of one launch in order: each volatile or atomic write to memory of all blocks, with its kind
    (flag, ticket, counter). For a flag, also the last write of its block before it, which it publishes, if there is
    one. `shared` has the numbers of the arrays in shared memory."""
    wrote = [row for row in rows if row[_KIND] == "w" and row[_BLOCK] is not None and row[_ARRAY] not in shared]
    counters = _counters(wrote)
    found: dict[int, dict[str, Any]] = {}
    unpublished: dict[int, Row] = {}  # for each block: its last value before a flag follows
    for row in wrote:
        block, kind = row[_BLOCK], counters.get((row[_ARRAY], row[_INDEX]), "flag")
        if not row[_FLAGS]:
            unpublished[block] = row
            continue
        entry = {"event": row[0], "kind": kind, "value": None}
        found[row[0]] = entry
        if kind != "flag":
            continue
        value = unpublished.pop(block, None)
        if value is not None and value[_ARRAY] != row[_ARRAY]:
            entry["value"] = value[0]
            found.pop(value[0], None)  # a volatile value is listed with its flag
        elif not row[_FLAGS] & _ATOMIC and row[_HOW] != "constant":
            unpublished[block] = row  # may be a value or a flag; a later write decides
    return list(found.values())


def words_of(row: Row, kind: str, arrays: Arrays, value: Row | None) -> list[str]:
    """The lines of a label: "ticket 3"; "total[0]: 5 to 7"; "sums[1]=34 [8..15]" and "flags[1]=1" below."""
    if kind == "ticket":
        return [f"ticket {values.short(row[_BEFORE])}"]
    cell = _cell(row, arrays)
    if kind == "counter":
        return [f"{cell}: {values.short(row[_BEFORE])} to {values.short(row[_VALUE])}"]
    said = f"{cell}={values.short(row[_VALUE])}"
    return [f"{_cell(value, arrays)}={_with_range(value)}", said] if value else [said]


def _cell(row: Row, arrays: Arrays) -> str:
    return f"{arrays[row[_ARRAY]]['name']}[{row[_INDEX]}]"


def _with_range(row: Row) -> str:
    made_of = row[8]
    if not made_of:
        return values.short(row[_VALUE])
    ranges = "+".join(f"[{first}..{last}]" for first, last in made_of)
    return ranges if row[_VALUE] == ranges else f"{values.short(row[_VALUE])} {ranges}"
