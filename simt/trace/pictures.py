"""Figures of one subject each, as SVG: a tree over its array, levels of a merge sort, images, sectors, automata.

As in figure.py, the same trace gives the same bytes."""

from collections.abc import Iterable
from typing import Any

import rows
import values
from events import TraceError
from figure import Drawing, Look, Steps

Document = dict[str, Any]
Event = list[Any]

_CELL, _HEIGHT, _LEFT, _MARGIN = 30.0, 24.0, 8.0, 10.0


def _events(document: Document, launch: int | None = None) -> Iterable[Event]:
    for step in document["steps"]:
        if launch is None or step["launch"] == launch:
            yield from step["events"]


def _named(document: Document, name: str) -> int:
    for number, array in enumerate(document["arrays"]):
        if array["name"] == name:
            return number
    raise TraceError(f"no array of this trace is called {name}")


# ---- the tree over the array ----------------------------------------------------------------------------------------


def tree(document: Document, title: str, array: str) -> str:
    """The combines of an array's first steps as nodes above the elements that receive the results. A node is above the
    middle of the inputs that it sums. Raises TraceError when no elements of the array are combined."""
    number = _named(document, array)
    levels: list[list[Event]] = []
    leaves: dict[int, Event] = {}
    for step in document["steps"]:
        wrote = [e for e in step["events"] if e[rows.KIND] == rows.WROTE and e[rows.ARRAY] == number]
        if not levels and all(e[rows.HOW] == "copy" for e in wrote):
            leaves.update({e[rows.INDEX]: e for e in wrote})
        elif wrote and all(e[rows.HOW] == "combine" for e in wrote):
            levels.append(wrote)
        elif levels:
            break
    if not levels:
        raise TraceError(f"nothing of {array} is combined")
    drawing = Drawing()
    cell, rise, left = 56.0, 58.0, _LEFT + 40
    bottom = 16 + rise * len(levels)
    at: dict[int, tuple[float, float]] = {}  # for each element: position of the last node drawn for it

    def node(event: Event, y: float, kind: str) -> None:
        (first, _), (_, last) = event[rows.RANGE][0], event[rows.RANGE][-1]
        x = left + ((first + last) / 2 + 0.5) * cell
        drawing.box(x - 19, y, 38, _HEIGHT, kind)
        drawing.text(x, y + 16, values.short(event[rows.VALUE]))
        at[event[rows.INDEX]] = (x, y)

    for place in sorted(leaves):
        node(leaves[place], bottom, "p")
    story = rows.Story(document)
    for height, level in enumerate(levels, 1):
        y = bottom - rise * height
        for event in level:
            below = [at[source[rows.INDEX]] for source, _ in story.sources(event)]
            node(event, y, "combine")
            x = at[event[rows.INDEX]][0]
            for child in below:
                drawing.arrows.append(f'<path class="a combine" d="M{child[0]:g} {child[1]:g}L{x:g} {y + _HEIGHT:g}"/>')
        drawing.text(4, y + 16, f"d = {len(levels) - height}", "l")
    drawing.text(4, bottom + 16, f"d = {len(levels)}", "l")
    row = bottom + 62
    last: dict[int, Event] = {**leaves, **{e[rows.INDEX]: e for level in levels for e in level}}
    for place, event in sorted(last.items()):
        x = left + place * cell
        drawing.box(x, row, cell, _HEIGHT, "combine" if event[rows.HOW] == "combine" else "p")
        drawing.text(x + cell / 2, row + 16, values.short(event[rows.VALUE]))
        drawing.text(x + cell / 2, row + 38, str(place), "s")
        start = at[place]
        drawing.arrows.insert(
            0, f'<path class="a copy" d="M{start[0]:g} {start[1] + _HEIGHT:g}L{x + cell / 2:g} {row:g}"/>'
        )
    drawing.text(4, row + 16, array, "l")
    drawing.width, drawing.height = left + len(last) * cell + _MARGIN, row + 48
    return drawing.svg(title)


# ---- whole arrays, one after the other -----------------------------------------------------------------------------


def levels(document: Document, title: str, shown: tuple[tuple[str, int], ...]) -> str:
    """The arrays of global memory with their final contents, in the order of their first use, with lines from each
    element to the element to which it was copied. `shown` has a label and a tile length for each array."""
    arrays = [n for n, array in enumerate(document["arrays"]) if array["space"] == "global"]
    if len(arrays) != len(shown):
        raise TraceError(f"{len(shown)} arrays are described, and this trace has {len(arrays)}")
    steps = Steps(document, Look(title, arrays=tuple(document["arrays"][n]["name"] for n in arrays)))
    drawing, left, rise = Drawing(), 130.0, 62.0
    for level, (number, (words, tile)) in enumerate(zip(arrays, shown, strict=True)):
        y = 12 + rise * level
        drawing.text(_LEFT, y + 16, words, "l")
        cells = dict(steps.story.start[rows.Lane(number, -1, -1, 0)])
        wrote = {e[rows.INDEX]: e for e in _events(document) if e[rows.KIND] == rows.WROTE and e[rows.ARRAY] == number}
        for place in range(document["arrays"][number]["count"]):
            event = wrote.get(place)
            x = left + place * _CELL
            drawing.box(x, y, _CELL, _HEIGHT, "copy" if event and level else "p")
            drawing.text(x + _CELL / 2, y + 16, values.short(event[rows.VALUE] if event else cells[place].value))
            if place % tile == 0 and place:
                drawing.box(x - 1.5, y - 3, 3, _HEIGHT + 6, "on")
            for source in steps._drawn_sources(event) if event else []:
                start = left + source[rows.INDEX] * _CELL + _CELL / 2
                drawing.arrow((start, y - rise + _HEIGHT), (x + _CELL / 2, y), "copy")
    drawing.width = left + max(document["arrays"][n]["count"] for n in arrays) * _CELL + _MARGIN
    drawing.height = 12 + rise * (len(shown) - 1) + _HEIGHT + _MARGIN
    return drawing.svg(title)


# ---- images ---------------------------------------------------------------------------------------------------------


class _Grid:
    """An image as cells, with a label above."""

    def __init__(self, drawing: Drawing, case: Document, x: float, y: float, words: str, cell: float = 30) -> None:
        self.drawing, self.columns, self.lines = drawing, int(case["columns"]), int(case["rows"])
        self.x, self.y, self.cell = x, y + 24, cell
        drawing.text(x, y + 12, words, "l")
        drawing.width = max(drawing.width, x + self.columns * cell + _MARGIN)
        drawing.height = max(drawing.height, self.y + self.lines * _HEIGHT + _MARGIN)

    def place(self, index: int) -> tuple[float, float]:
        row, column = divmod(index, self.columns)
        return self.x + column * self.cell, self.y + row * _HEIGHT

    def fill(self, index: int, value: Any, kind: str = "p") -> None:
        x, y = self.place(index)
        self.drawing.box(x, y, self.cell, _HEIGHT, kind)
        self.drawing.text(x + self.cell / 2, y + 16, values.short(value))

    def frame(self, first: int, last: int, name: str) -> None:
        """Frames the cells from one corner to the other."""
        (x1, y1), (x2, y2) = self.place(first), self.place(last)
        self.drawing.over.append(
            f'<rect x="{x1 + 1:g}" y="{y1 + 1:g}" width="{x2 - x1 + self.cell - 2:g}" '
            f'height="{y2 - y1 + _HEIGHT - 2:g}" class="{name}"/>'
        )


_KINDS = ("combine", "copy", "constant", "computed")


def image_passes(document: Document, title: str) -> str:
    """A summed-area table: the image, the table after the launch for the rows, and after the one for the columns. The
    cells that one block writes, or in the last launch one thread, have one colour."""
    image, table = _named(document, "image"), _named(document, "table")
    launches = sorted({step["launch"] for step in document["steps"] if step["launch"] is not None})
    if len(launches) != 2:
        raise TraceError(f"a launch for the rows and one for the columns are shown, and this trace has {len(launches)}")
    drawing, case = Drawing(), document["case"]
    wide = case["columns"] * 30 + 34.0
    first = _Grid(drawing, case, _LEFT, 0, "image")
    for event in _events(document):
        if event[rows.ARRAY] == image and event[rows.KIND] == rows.READ:
            first.fill(event[rows.INDEX], event[rows.VALUE])
    for number, (launch, words, who) in enumerate(
        zip(
            launches,
            ("after the rows: a block each", "after the columns: a thread each"),
            (rows.BLOCK, rows.THREAD),
            strict=True,
        )
    ):
        grid = _Grid(drawing, case, _LEFT + wide * (number + 1), 0, words)
        for event in _events(document, launch):
            if event[rows.ARRAY] == table and event[rows.KIND] == rows.WROTE:
                grid.fill(event[rows.INDEX], event[rows.VALUE], _KINDS[event[who] % len(_KINDS)])
    drawing.width += 40
    return drawing.svg(title)


def corners(document: Document, title: str, thread: int) -> str:
    """The table of a box filter, with the four elements that one thread reads and the window whose corners they are.
    Raises TraceError when the thread does not read exactly four."""
    table = _named(document, "table")
    cells = {e[rows.INDEX]: e[rows.VALUE] for e in _events(document) if e[rows.ARRAY] == table}
    read = sorted(
        {
            e[rows.INDEX]
            for e in _events(document)
            if e[rows.ARRAY] == table and e[rows.THREAD] == thread and not e[rows.BLOCK]
        }
    )
    mean = [
        e[rows.VALUE]
        for e in _events(document)
        if e[rows.KIND] == rows.WROTE and (e[rows.BLOCK], e[rows.THREAD]) == (0, thread)
    ]
    if len(read) != 4 or not mean:
        raise TraceError(f"thread {thread} reads {len(read)} elements of the table; a window inside has four corners")
    drawing = Drawing()
    grid = _Grid(drawing, document["case"], _LEFT, 0, f"table; thread {thread} reads A, B, C and D", 44)
    for index in range(document["case"]["n"]):
        grid.fill(index, cells.get(index), "combine" if index == read[3] else "computed" if index in read else "p")
    for name, index in zip("ABCD", read, strict=True):
        x, y = grid.place(index)
        drawing.text(x + 7, y + 9, name, "s")
    grid.frame(read[0] + grid.columns + 1, read[3], "race")
    a, b, c, d = (int(cells[index]) for index in read)
    count = (read[2] // grid.columns - read[0] // grid.columns) * (read[1] - read[0])
    y = grid.y + grid.lines * _HEIGHT + 20
    drawing.text(_LEFT, y, f"D - B - C + A = {d} - {b} - {c} + {a} = {d - b - c + a}", "l")
    drawing.text(_LEFT, y + 18, f"{count} pixels; their mean, rounded: {mean[0]}", "l")
    drawing.width, drawing.height = max(drawing.width, 340), y + 28
    return drawing.svg(title)


# ---- sectors --------------------------------------------------------------------------------------------------------


def sectors(documents: list[tuple[Document, str]], title: str, array: str = "in") -> str:
    """The elements of an image that the first warp's first request reads, one image below another: the cells of the
    lanes, and the sectors of 32 bytes that are moved for them."""
    drawing, top = Drawing(), 0.0
    for document, words in documents:
        number, case = _named(document, array), document["case"]
        request = next(
            r for step in document["steps"] for r in step["requests"] if r[3] == "global" and (r[0], r[1]) == (0, 0)
        )
        lanes: dict[int, int] = {}  # for each thread: the first element that it accesses there
        for event in _events(document):
            if event[rows.ARRAY] == number and event[rows.SITE] == request[2] and not event[rows.BLOCK]:
                lanes.setdefault(event[rows.THREAD], event[rows.INDEX])
        reached = {place for thread, place in lanes.items() if thread < 32}
        size = 32 // document["arrays"][number]["size"]
        grid = _Grid(drawing, case, _LEFT, top, f"{words}: {request[6]} sectors for {len(reached)} lanes", 10)
        for index in range(case["n"]):
            x, y = grid.place(index)
            moved = any(place // size == index // size for place in reached)
            drawing.box(x, y, grid.cell, _HEIGHT, "on" if index in reached else "computed" if moved else "off")
            if index % size == 0 and index % grid.columns:
                drawing.over.append(f'<path class="edge" d="M{x:g} {y:g}v{_HEIGHT:g}"/>')
        top = drawing.height
    return drawing.svg(title)


# ---- automata -------------------------------------------------------------------------------------------------------


def maps(document: Document, title: str, states: int) -> str:
    """The maps of an automaton, stored with 4 bits for each state. The upper ones are those of single bytes, the lower
    ones those of all bytes so far. Lines lead from the state before to the state after; the start is state 0."""
    text = _named(document, "text")
    letters = {e[rows.INDEX]: e[rows.VALUE] for e in _events(document) if e[rows.ARRAY] == text}
    found: list[dict[int, int]] = []
    array = None
    for step in document["steps"]:
        wrote = [e for e in step["events"] if e[rows.KIND] == rows.WROTE and e[rows.ARRAY] is not None]
        if wrote and array in (None, wrote[0][rows.ARRAY]) and len(found) < 2:
            array = wrote[0][rows.ARRAY]
            found.append({e[rows.INDEX]: int(str(e[rows.VALUE]), 16) for e in wrote})
    if len(found) < 2:
        raise TraceError("this trace has no maps and no scan of them")
    drawing, wide, rise, left = Drawing(), 84.0, 13.0, 96.0
    state = 0
    for row, (kind, words) in enumerate((("each byte", "a map each"), ("their scan", "from the start"))):
        top = 40 + row * (states * rise + 46)
        drawing.text(_LEFT, top + 20, kind, "l")
        drawing.text(_LEFT, top + 36, words, "l s")
        for number in range(states):
            drawing.text(left - 14, top + number * rise + 4, str(number), "s")
        for index, letter in sorted(letters.items()):
            x = left + index * wide
            if not row:
                drawing.text(x + 25, top - 16, letter if isinstance(letter, str) else str(letter))
            for before in range(states):
                after = found[row][index] >> 4 * before & 15
                on = before == (0 if row else state)
                name = "way" if on else "a copy" if before != after else "a stay"
                line = f'<path class="{name}" d="M{x:g} {top + before * rise:g}L{x + 50:g} {top + after * rise:g}"/>'
                (drawing.over if on else drawing.arrows).append(line)
            here = found[row][index] >> 4 * (0 if row else state) & 15
            drawing.text(x + 60, top + here * rise + 4, str(here), "b")
            if not row:
                state = here
    drawing.width = left + len(letters) * wide
    drawing.height = 40 + 2 * (states * rise + 46)
    return drawing.svg(title)
