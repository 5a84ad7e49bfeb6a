"""Figures of traces, as SVG for slides and print: rows of cells with arrows, banks of shared memory, blocks over time.

The same trace gives the same bytes. Figures have no line numbers, so they change only when the kernel's work
changes."""

import html
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import published
import rows
import values
from events import TraceError

Document = dict[str, Any]

_CELL_HEIGHT, _GAP, _TOP, _LABEL, _MARGIN = 24, 38, 12, 118, 10
_CHARACTER = 7.3  # width of a character in pixels
_MOST_SOURCES = 2  # arrows to a cell; a row with a cell that has more gets none
_STYLE = """\
text{font:12px 'DejaVu Sans Mono',Menlo,Consolas,monospace;text-anchor:middle;fill:#1c1d21}
.l{text-anchor:start;font-family:'DejaVu Sans',Arial,sans-serif}
.s{font-size:10px;fill:#50545c;paint-order:stroke;stroke:#fff;stroke-width:3px}
.p{fill:#f4f5f7;stroke:#9aa0a8}
.combine{fill:#cfeedd;stroke:#0b6b3a}.copy{fill:#d6e4fb;stroke:#1d4fa8}
.constant,.atomic{fill:#eaddfa;stroke:#6d28b5}.computed{fill:#fbe7c8;stroke:#8a4b00}
.a{fill:none;stroke-width:1.4}.a.combine{stroke:#0b6b3a}.a.copy{stroke:#1d4fa8;stroke-dasharray:5 3}
.a.computed{stroke:#8a4b00;stroke-dasharray:2 3}
.h{stroke:none}.h.combine{fill:#0b6b3a}.h.copy{fill:#1d4fa8}.h.computed{fill:#8a4b00}
.race{fill:none;stroke:#b3121d;stroke-width:2.5}text.race{fill:#b3121d;stroke:none;font-size:10px;font-weight:700}
.on{fill:#0b6b3a;stroke:#0b6b3a}.off{fill:#fff;stroke:#9aa0a8}
.wait{stroke:#a13c00;stroke-width:3;stroke-dasharray:4 3;fill:none}
.way{fill:none;stroke:#b3121d;stroke-width:2.4}text.b{fill:#b3121d;font-weight:700}.a.stay{stroke:#d5d8dd;stroke-width:1}
.edge{stroke:#b3121d;stroke-width:1.2}"""


@dataclass(frozen=True, slots=True)
class Look:
    """The selection that a figure shows."""

    title: str
    ranges: bool = False  # show the range of inputs of a value instead of the value
    arrays: tuple[str, ...] = ()  # only these; empty: all
    steps: tuple[int, ...] = ()  # only these, from 0; empty: all
    threads: bool = False  # show the thread that wrote a cell, and the active lanes of the first warp
    first: bool = True  # show the inputs before the first step
    bits: int = 0  # show this many low bits of each key, under the rows that hold all keys
    phases: tuple[str, ...] = ()  # the purpose of each drawn step, shown under the name of its first row


@dataclass(slots=True)
class Drawing:
    """Pieces of SVG and their extent."""

    width: float = 0
    height: float = 0
    arrows: list[str] = field(default_factory=list)  # below the boxes: a long arrow passes behind rows
    under: list[str] = field(default_factory=list)
    over: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, words: str, name: str = "") -> None:
        kind = f' class="{name}"' if name else ""
        self.over.append(f'<text x="{_n(x)}" y="{_n(y)}"{kind}>{html.escape(words)}</text>')

    def box(self, x: float, y: float, width: float, height: float, name: str) -> None:
        self.under.append(f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" class="{name}"/>')

    def arrow(self, start: tuple[float, float], end: tuple[float, float], how: str) -> None:
        (x1, y1), (x2, y2) = start, end
        self.arrows.append(f'<path class="a {how}" d="M{_n(x1)} {_n(y1)}L{_n(x2)} {_n(y2 - 7)}"/>')
        self.arrows.append(f'<path class="h {how}" d="M{_n(x2)} {_n(y2)}l-4 -8h8z"/>')

    def svg(self, title: str) -> str:
        width, height = _n(self.width), _n(self.height)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        )
        body = "\n".join([*self.arrows, *self.under, *self.over])
        return (
            f'{head} role="img">\n<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n'
            f'<rect width="{width}" height="{height}" fill="#fff"/>\n{body}\n</svg>\n'
        )


def _n(number: float) -> str:
    """Formats a number with few characters, the same on every machine."""
    return f"{number:.1f}".rstrip("0").rstrip(".")


def _cell_text(cell: rows.Cell, ranges: bool) -> str:
    if not ranges:
        return values.short(cell.value, 8)
    if cell.range and len(cell.range) == 1:
        first, last = cell.range[0]
        return f"Σ{first}..{last}" if first != last else str(first)
    return "id" if cell.range == [] else rows.range_text(cell.range)


class Steps:
    """The rows of a trace, one below another, with arrows from operands to results."""

    def __init__(self, document: Document, look: Look) -> None:
        self.document, self.look = document, look
        self.story = rows.Story(document)
        self.drawing = Drawing()
        self.place: dict[rows.Lane, float] = {}  # y of each lane's cells where it was drawn last
        self.writer: dict[int, list[Any]] = {}  # for each read: the write whose value it read
        last: dict[tuple[rows.Lane, int], list[Any]] = {}
        for number in sorted(self.story.events):
            row = self.story.events[number]
            if row[rows.KIND] == rows.COMBINED:
                continue
            key = self.story.lane(row)
            if row[rows.KIND] == rows.READ and key in last:
                self.writer[number] = last[key]
            elif row[rows.KIND] == rows.WROTE:
                last[key] = row

    def _is_drawn(self, lane: rows.Lane) -> bool:
        return not self.look.arrays or self.document["arrays"][lane.array]["name"] in self.look.arrays

    def _offset(self, lane: rows.Lane) -> int:
        """Lanes of one shared array in several blocks are drawn side by side."""
        others = [o for o in self.story.start if (o.array, o.launch, o.row) == (lane.array, lane.launch, lane.row)]
        extents = {other: self.story.extent(other) for other in others}
        return sum(end - first for other, (first, end) in extents.items() if other.block < lane.block)

    def _x(self, lane: rows.Lane, place: int) -> float:
        return _LABEL + (self._offset(lane) + place - self.story.extent(lane)[0]) * self.cell

    def draw(self) -> str:
        look = self.look
        shown = list(self.story.steps())
        chosen = list(look.steps) or list(range(len(shown)))
        beginning = [row for row in self.story.beginning() if self._is_drawn(row.lane)] if look.first else []
        picked = [(number, [row for row in shown[number] if self._is_drawn(row.lane)]) for number in chosen]
        every = [*beginning, *(row for _, step in picked for row in step)]
        if not every:
            raise TraceError(f"the figure {look.title!r} shows nothing: no step writes {', '.join(look.arrays)}")
        longest = max(len(_cell_text(c, look.ranges)) for row in every for c in row.cells if c)
        races = any(self._met(self.document["steps"][number]) for number in chosen)
        self.cell = max(36.0 if races else 26.0, longest * _CHARACTER + 8)
        y: float = _TOP
        for row in beginning:
            y = self._row(row, y, row.lane.name(self.document)) + 8
        phases = iter(look.phases)
        for number, step in picked:
            y = self._step(number, step, y)
            if look.phases and step:
                self.drawing.text(8, self.place[step[0].lane] + 29, next(phases, ""), "l s")
        columns = max(self._offset(row.lane) + len(row.cells) for row in every)
        self.drawing.width = max(self.drawing.width, _LABEL + columns * self.cell + _MARGIN)
        self.drawing.height = y + _MARGIN
        return self.drawing.svg(look.title)

    def _row(self, row: rows.Row, y: float, label: str) -> float:
        self.drawing.text(8, y + 16, label, "l")
        for offset, cell in enumerate(row.cells):
            if cell is None:
                continue
            event = row.changed.get(row.first + offset)
            x = self._x(row.lane, row.first + offset)
            self.drawing.box(x, y, self.cell, _CELL_HEIGHT, str(event[rows.HOW]) if event else "p")
            self.drawing.text(x + self.cell / 2, y + 16, _cell_text(cell, self.look.ranges))
            if self.look.bits and isinstance(cell.value, int) and len(row.cells) == self.document["case"]["n"]:
                bits = f"{cell.value % 2**self.look.bits:0{self.look.bits}b}"
                self.drawing.text(x + self.cell / 2, y + _CELL_HEIGHT + 11, bits, "s")
        self._tiles(row, y)
        self.place[row.lane] = y
        return y + _CELL_HEIGHT

    def _tiles(self, row: rows.Row, y: float) -> None:
        """Separates the tiles of a row."""
        case = self.document["case"]
        if case and len(row.cells) == case["n"]:
            for place in range(case["tile"], case["n"], case["tile"]):
                self.drawing.box(self._x(row.lane, row.first + place) - 1.5, y - 3, 3, _CELL_HEIGHT + 6, "on")

    def _step(self, number: int, written: list[rows.Row], y: float) -> float:
        """Draws the rows that a step writes, below `y`; returns the y where they end."""
        step = self.document["steps"][number]
        if not written:
            return y
        before = dict(self.place)
        y += _GAP if self.place else 0
        drawn: set[tuple[int, int, int]] = set()
        for row in written:
            # Blocks side by side share one line of cells.
            group = (row.lane.array, row.lane.launch, row.lane.row)
            top = (
                self.place[next(o for o in self.place if (o.array, o.launch, o.row) == group)] if group in drawn else y
            )
            name = row.lane.name(self.document).split(" of block")[0]
            label = name if step["stride"] is None else f"{name}, stride {step['stride']}"
            self._row(row, top, label if group not in drawn else "")
            y = max(y, top + _CELL_HEIGHT + 6)
            drawn.add(group)
            sources = {place: self._drawn_sources(event) for place, event in sorted(row.changed.items())}
            few = all(len(found) <= _MOST_SOURCES for found in sources.values())
            for place in sorted(row.changed):
                if few:
                    self._arrows(row, place, sources[place], before)
                if self.look.threads:
                    thread = f"t{row.changed[place][rows.THREAD]}"
                    self.drawing.text(self._x(row.lane, place) + self.cell / 2, top + _CELL_HEIGHT + 11, thread, "s")
            y = max(y, top + _CELL_HEIGHT + (14 if self.look.threads or self.look.bits else 6))
        if self.look.threads:
            self._lanes(step, written[0], y)
        self._races(step, before, y)
        return y + (20 if self._met(step) else 0)

    def _drawn_sources(self, row: list[Any], depth: int = 0) -> list[list[Any]]:
        """The sources that are reads of lanes in the figure. Sources that are not shown are followed to their own
        sources."""
        found: list[list[Any]] = []
        for source, _ in self.story.sources(row):
            lane, _ = self.story.lane(source)
            if self._is_drawn(lane):
                found.append(source)
            elif source[rows.ID] in self.writer and depth < 64:
                found += self._drawn_sources(self.writer[source[rows.ID]], depth + 1)
        return found

    def _arrows(self, row: rows.Row, place: int, sources: list[list[Any]], before: dict[rows.Lane, float]) -> None:
        event = row.changed[place]
        x, y = self._x(row.lane, place) + self.cell / 2, self.place[row.lane]
        for source in sources:
            lane, origin = self.story.lane(source)
            if lane in before:
                start = (self._x(lane, origin) + self.cell / 2, before[lane] + _CELL_HEIGHT)
                self.drawing.arrow(start, (x, y), event[rows.HOW])

    def _lanes(self, step: dict[str, Any], row: rows.Row, y: float) -> None:
        """Draws the lanes of the first warp that combine in this step as a strip next to the row."""
        masks = [request[4] for request in step["requests"] if request[1] == 0 and request[3] == "combine"]
        if not masks:
            return
        threads = min(32, self.document["launches"][step["launch"]]["block"][0])
        left = self._x(row.lane, row.first) + len(row.cells) * self.cell + 22
        mask = 0
        for one in masks:
            mask |= one
        for lane in range(threads):
            name = "on" if mask >> lane & 1 else "off"
            self.drawing.box(left + lane * 11, self.place[row.lane] + 6, 9, 12, name)
        self.drawing.text(left, self.place[row.lane], "lanes at work", "l s")
        self.drawing.width = max(self.drawing.width, left + max(threads * 11, 90) + _MARGIN)

    def _met(self, step: dict[str, Any]) -> list[tuple[list[Any], list[Any]]]:
        """The races that were found in this step, as pairs of accesses."""
        own = {row[rows.ID] for row in step["events"]}
        pairs = [pair for finding in self.document["findings"] for pair in finding["events"]]
        return [
            (self.story.events[a], self.story.events[b]) for a, b in pairs if a in own and b is not None and b in own
        ]

    def _races(self, step: dict[str, Any], before: dict[rows.Lane, float], y: float) -> None:
        for pair in self._met(step):
            lane, place = self.story.lane(pair[0])
            if lane not in self.place:
                continue
            x = self._x(lane, place)
            words = []
            for access in sorted(pair, key=lambda row: bool(row[rows.KIND] == rows.READ)):
                wrote = access[rows.KIND] == rows.WROTE
                top = self.place[lane] if wrote else before.get(lane, self.place[lane])
                self.drawing.over.append(
                    f'<rect x="{_n(x + 1)}" y="{_n(top + 1)}" width="{_n(self.cell - 2)}" '
                    f'height="{_CELL_HEIGHT - 2}" class="race"/>'
                )
                words.append(f"t{access[rows.THREAD]} {'w' if wrote else 'r'}")
            for number, word in enumerate(words):
                self.drawing.text(x + self.cell / 2, y + 6 + 11 * number, word, "race")


def steps(document: Document, look: Look) -> str:
    """The rows of a trace's steps. Raises TraceError when the look shows nothing."""
    return Steps(document, look).draw()


# ---- banks ----------------------------------------------------------------------------------------------------------


def banks(document: Document, number: int, title: str) -> str:
    """The words that the lanes of the first warp access in shared memory, in the most expensive request of a step: a
    column for each bank, with the words of one bank above each other. Raises TraceError when no request of the step
    is to shared memory."""
    step = document["steps"][number]
    requests = [r for r in step["requests"] if r[3] == "shared" and r[0] == 0 and r[1] == 0]
    if not requests:
        raise TraceError(f"step {number + 1} asks nothing of shared memory")
    dearest = max(requests, key=lambda request: (request[6], -request[2]))
    reached: dict[int, list[tuple[int, int]]] = {}
    array = None
    for row in step["events"]:
        if row[rows.SITE] == dearest[2] and row[rows.BLOCK] == 0 and row[rows.THREAD] < 32:
            array = document["arrays"][row[rows.ARRAY]]
            reached.setdefault(row[rows.INDEX] * array["size"] // 4 % 32, []).append(
                (row[rows.INDEX], row[rows.THREAD])
            )
    drawing = Drawing()
    width, height = 27.0, 18.0
    most = max(len(words) for words in reached.values())
    drawing.text(8, 18, title, "l")
    name = array["name"] if array else ""
    drawing.text(8, 34, f"wavefronts: {dearest[6]}; each row is one; cells are indices of {name}", "l s")
    for bank in range(32):
        x = 8 + bank * width
        drawing.text(x + width / 2, 54, str(bank), "s")
        for level in range(most):
            words = sorted(reached.get(bank, []))
            name = ("combine" if most == 1 else "race-cell") if level < len(words) else "off"
            drawing.box(x, 60 + level * height, width, height, "combine" if name == "combine" else
                        "computed" if name == "race-cell" else "off")  # fmt: skip
            if level < len(words):
                drawing.text(x + width / 2, 60 + level * height + 13, str(words[level][0]), "s")
    drawing.width, drawing.height = 16 + 32 * width, 60 + most * height + _MARGIN
    return drawing.svg(title)


# ---- blocks over time -----------------------------------------------------------------------------------------------


def blocks(document: Document, title: str, reword: Callable[[str], str] = str) -> str:
    """When the blocks of a launch ran, what they published through flags, and which block waited for which. `reword`
    changes the labels of what is published. Raises TraceError when no launch has several blocks."""
    grids = [number for number, launch in enumerate(document["launches"]) if math.prod(launch["grid"]) > 1]
    if not grids:
        raise TraceError("no launch of this trace has several blocks")
    handing = {entry["launch"] for entry in document["published"]}
    launch = next((number for number in grids if number in handing), grids[0])
    own = [row for row in document["blocks"] if row["launch"] == launch]
    begin = min(turn[0] for row in own for turn in row["turns"])
    end = max(turn[1] for row in own for turn in row["turns"])
    line, left, width = 62, 70, 680

    def x(event: float) -> float:
        return float(left + (event - begin) / max(end - begin, 1) * width)

    drawing = Drawing()
    tops = {row["block"]: 34 + position * line for position, row in enumerate(own)}
    drawing.text(left, 16, "the run's events, from left to right", "l s")
    for row in own:
        top = tops[row["block"]]
        drawing.text(8, top + 14, f"block {row['block']}", "l")
        for first, last in row["turns"]:
            drawing.box(x(first), top, max(x(last) - x(first), 1), 20, "p")
    for wait in document["waits"]:
        if not begin <= wait["from"] < end:
            continue
        top = tops[wait["block"]] + 10
        drawing.over.append(f'<path class="wait" d="M{_n(x(wait["from"]))} {top}H{_n(x(wait["to"]))}"/>')
        middle = (x(wait["from"]) + x(wait["to"])) / 2
        drawing.text(middle, top - 13, f"waits for block {wait['for']}", "s")
        if wait["for"] is not None:
            start, stop = tops[wait["for"]], tops[wait["block"]]
            down = start < stop
            origin = (x(wait["write"]), float(start + (20 if down else 0)))
            drawing.under.append(
                f'<path class="a combine" d="M{_n(origin[0])} {_n(origin[1])}'
                f'L{_n(x(wait["to"]))} {stop + (0 if down else 20)}"/>'
            )
    events = {row[rows.ID]: row for step in document["steps"] for row in step["events"]}
    free: dict[int, float] = {}
    for entry in document["published"]:
        if entry["launch"] != launch:
            continue
        row, kind = events[entry["event"]], entry["kind"]
        top, at = tops[row[rows.BLOCK]], x(row[rows.ID])
        look = "constant" if kind == "flag" else "copy"
        drawing.over.append(f'<circle cx="{_n(at)}" cy="{top + 10}" r="4.5" class="{look}"/>')
        value = None if entry["value"] is None else events[entry["value"]]
        words = [reword(part) for part in published.words_of(row, kind, document["arrays"], value)]
        half = max(map(len, words)) * 3.1
        place = max(at, free.get(row[rows.BLOCK], left - 4.0) + half)
        for number, part in enumerate(words):
            drawing.text(place, top + 31 + 12 * number, part, "s")
        free[row[rows.BLOCK]] = place + half + 8
        drawing.width = max(drawing.width, place + half + _MARGIN)
    drawing.width = max(drawing.width, left + width + _MARGIN)
    drawing.height = 34 + len(own) * line + _legend_of_blocks(drawing, left, 44 + len(own) * line)
    return drawing.svg(title)


def _legend_of_blocks(drawing: Drawing, left: int, top: int) -> int:
    """What boxes, circles and lines mean. Returns its height."""
    entries = (
        ("runs", 96),
        ("takes a ticket", 126),
        ("publishes", 106),
        ("reads again and again", 176),
        ("ends the wait", 0),
    )
    at = left
    for words, width in entries:
        middle = top + 8
        if words == "runs":
            drawing.box(at, top, 22, 16, "p")
        elif words in ("takes a ticket", "publishes"):
            look = "copy" if words == "takes a ticket" else "constant"
            drawing.over.append(f'<circle cx="{at + 11}" cy="{middle}" r="4.5" class="{look}"/>')
        elif words == "reads again and again":
            drawing.over.append(f'<path class="wait" d="M{at} {middle}H{at + 22}"/>')
        else:
            drawing.over.append(f'<path class="a combine" d="M{at} {middle}L{at + 22} {middle}"/>')
        drawing.text(at + 28, top + 12, words, "l s")
        at += width
    return 30
