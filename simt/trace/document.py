"""Makes a trace from a record: steps, events with their sources, findings, blocks over time. TRACE.md describes it."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import published
from events import Record, TraceError
from replay import COMBINED, READ, WROTE, Array, Builder, Case, Row, Step

FORMAT = "scan-labs-trace"
VERSION = 1
COLUMNS = [
    *("id", "kind", "block", "thread", "site", "array", "index", "value"),
    *("range", "before", "how", "sources", "flags", "polls"),
]


def _order(builder: Builder) -> list[Step]:
    """Steps in the order in which they are shown: launch by launch, by epoch and phase."""
    first: dict[int | None, int] = {}
    for position, step in enumerate(builder.steps):
        if step.kind == "kernel":
            first.setdefault(step.launch, position)

    def key(item: tuple[int, Step]) -> tuple[int, int, int]:
        position, step = item
        return (first[step.launch] if step.kind == "kernel" else position, step.epoch, step.phase)

    return [step for _, step in sorted(enumerate(builder.steps), key=key) if step.events]


def cells_of(rows: dict[int, Row], event: int) -> list[Row]:
    """The reads from which an event's value was made. The operands of a combine are followed down to reads."""
    found: list[Row] = []
    stack, seen = [event], set()
    while stack and len(found) < 64:
        number = stack.pop()
        if number in seen:
            continue
        seen.add(number)
        row = rows[number]
        if row[1] == COMBINED:
            stack.extend(source for source in reversed(row[11]) if source is not None)
        elif row[10] != "constant":
            found.append(row)
    return found


def stride_of(step: Step, rows: dict[int, Row], arrays: list[Array]) -> int | None:
    """The distance from operand to result if it is the same for all combines of a step. In an array with dimensions,
    the distance within its rows."""

    def place(row: Row) -> int:
        array = arrays[row[5]]
        return int(row[6]) % (array.shape[-1] if len(array.shape) > 1 else array.count)

    distances: Counter[int] = Counter()
    for row in step.events:
        if row[1] != WROTE or row[10] != "combine":
            continue
        for source in row[11]:
            for read in cells_of(rows, source):
                if place(read) != place(row):
                    distances[abs(place(read) - place(row))] += 1
    return next(iter(distances)) if len(distances) == 1 else None


def _waits(builder: Builder, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Threads that read a flag until another block changed it."""
    found: list[dict[str, Any]] = []
    last: dict[tuple[int, int, int, int], Row] = {}
    writers: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        if row[1] == WROTE and row[5] is not None:
            writers.setdefault((row[5], row[6]), []).append(row)
        if row[1] != READ or not row[12] or row[2] is None:
            continue
        key = (row[2], row[3], row[5], row[6])
        before = last.get(key)
        if before is not None and before[13] > 0 and before[7] != row[7]:
            made = [w for w in writers.get((row[5], row[6]), []) if before[0] < w[0] < row[0]]
            found.append(
                {
                    **{"block": row[2], "thread": row[3], "array": row[5], "index": row[6]},
                    **{"from": before[0], "to": row[0], "polls": before[13]},
                    **{"for": made[-1][2] if made else None, "write": made[-1][0] if made else None},
                }
            )
        last[key] = row
    return found


def _published(builder: Builder) -> list[dict[str, Any]]:
    """The publications in launches of several blocks, in the order of the run."""
    shared = {number for number, array in enumerate(builder.arrays) if array.space == "shared"}
    launches: dict[int, list[Row]] = {}
    for step in builder.steps:
        if step.launch is not None and math.prod(builder.launches[step.launch]["grid"]) > 1:
            launches.setdefault(step.launch, []).extend(step.events)
    return [
        {"launch": launch, **entry}
        for launch, events in sorted(launches.items())
        for entry in published.of_launch(sorted(events, key=lambda row: int(row[0])), shared)
    ]


def _note_of_lone_threads(launches: Sequence[dict[str, Any]], case: Case | None) -> list[str]:
    """A race needs two threads. With a small TILE, a kernel whose threads have several elements may have one."""
    own = [launch for launch in launches if not launch["harness"]]
    if not case or not own or any(math.prod(launch["block"]) > 1 for launch in own):
        return []
    return [f"each block has one thread, so no race can show: TILE={4 * case['tile']} has more threads"]


def _note_of_order(rows: Sequence[Row], case: Case | None, telling: str) -> list[str]:
    """Swapped operands give a right sum. Then many combines join later inputs to earlier ones. Where equal values make
    it uncertain which of them a combine joined, one may look like that in a right kernel, too."""
    if not case or not telling or case["verdict"] != "right":
        return []
    made_of = [row[8] for row in rows if row[1] == COMBINED and row[8]]
    swapped = sum(any(a[0] > b[0] for a, b in pairwise(pieces)) for pieces in made_of)
    if 6 * swapped <= len(made_of):
        return []
    return [f"combine() gets the later inputs on its left: {case['monoid']} does not show that, MONOID={telling} does"]


def build(record: Record, case: Case | None, sources: dict[str, str], telling: str = "") -> dict[str, Any]:
    """The trace, ready to be written as JSON. `telling` is a monoid of the part that shows the order of operands.
    Raises TraceError when the record's lines are inconsistent."""
    try:
        return _build(record, case, sources, telling)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise TraceError(f"this record was changed or is damaged ({error!r}): record it again") from error


def _build(record: Record, case: Case | None, sources: dict[str, str], telling: str) -> dict[str, Any]:
    builder = Builder(record, case, sources)
    builder.run()
    steps = []
    for step in _order(builder):
        sites = Counter(row[4] for row in step.events if row[1] == WROTE) or Counter(row[4] for row in step.events)
        steps.append(
            {
                **{"kind": step.kind, "launch": step.launch, "epoch": step.epoch, "phase": step.phase},
                **{"site": sites.most_common(1)[0][0], "stride": stride_of(step, builder.rows, builder.arrays)},
                "barrier": step.barriers.most_common(1)[0][0] if step.barriers else None,
                "events": step.events,
                "requests": step.requests,
            }
        )
    rows = [builder.rows[number] for number in sorted(builder.rows)]
    notes = _note_of_lone_threads(builder.launches, case) + _note_of_order(rows, case, telling)
    if builder.cut:
        notes.append("the record is cut: the run made more events than a record holds; trace a shorter input")
    if not record.complete:
        notes.append("the record ends early: the process was killed before it was done")
    title = f"{case['part']}, {case['monoid']}, n = {case['n']}" if case else builder.launches[0]["kernel"]
    return {
        **{"format": FORMAT, "version": VERSION, "title": title, "case": case, "notes": notes},
        "sources": [{"file": name, "text": text} for name, text in sorted(sources.items())],
        "sites": [[site.file, site.line, site.function] for site in record.sites],
        "arrays": [
            {
                **{"name": array.name, "space": array.space, "element": array.element, "size": array.size},
                **{"count": array.count, "shape": array.shape, "input": array.is_input},
            }
            for array in builder.arrays
        ],
        **{"launches": builder.launches, "columns": COLUMNS, "steps": steps},
        "findings": list(builder.findings.values()),
        **{"blocks": builder.block_rows, "waits": _waits(builder, rows), "published": _published(builder)},
    }
