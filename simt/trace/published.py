"""What blocks hand to each other through flags and atomics: flags with the value that they publish, tickets, and
counters that several blocks add to."""

from collections.abc import Iterable
from typing import Any

import values

Row = list[Any]
Arrays = list[dict[str, Any]]  # of a trace

_KIND, _BLOCK, _THREAD, _ARRAY, _INDEX, _VALUE, _BEFORE, _HOW, _FLAGS = 1, 2, 3, 5, 6, 7, 9, 10, 12
_ATOMIC = 2


def _counters(rows: Iterable[Row]) -> dict[tuple[int, int], str]:
    """Cells that several blocks change by atomics. One that grows by 1, and so gives each a number of its own, hands
    out tickets; a lock, which is taken again and again, does not."""
    changes: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        if row[_FLAGS] & _ATOMIC:
            changes.setdefault((row[_ARRAY], row[_INDEX]), []).append(row)
    kinds = {}
    for cell, own in changes.items():
        if len({row[_BLOCK] for row in own}) < 2 or not all(isinstance(row[_BEFORE], int) for row in own):
            continue
        numbers = [row[_BEFORE] for row in own]
        steps = all(row[_VALUE] in (row[_BEFORE] + 1, 0) for row in own)  # atomicInc goes back to 0
        kinds[cell] = "ticket" if steps and len(set(numbers)) == len(numbers) else "counter"
    return kinds


def of_launch(rows: Iterable[Row], shared: set[int]) -> list[dict[str, Any]]:
    """Of one launch's events in their order: each volatile or atomic write to memory of all blocks, its kind (flag,
    ticket, counter), and for a flag the last write of its block before it that it publishes, if there is one.
    `shared` are the numbers of arrays in shared memory."""
    wrote = [row for row in rows if row[_KIND] == "w" and row[_BLOCK] is not None and row[_ARRAY] not in shared]
    counters = _counters(wrote)
    found: dict[int, dict[str, Any]] = {}
    unpublished: dict[int, Row] = {}  # of each block: its last value, until a flag follows
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
            found.pop(value[0], None)  # a volatile one is told with its flag
        elif not row[_FLAGS] & _ATOMIC and row[_HOW] != "constant":
            unpublished[block] = row  # a value as well as a flag, until it is known which
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
