"""The rows of a trace: the contents of each array after each step, as tables in the literature show them. Uses only
the document that TRACE.md describes."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Value = int | float | str | None
Range = list[list[int]] | None
Document = dict[str, Any]

# Positions in the row of an event.
ID, KIND, BLOCK, THREAD, SITE, ARRAY, INDEX, VALUE, RANGE, BEFORE, HOW, SOURCES, FLAGS, POLLS = range(14)
READ, WROTE, COMBINED = "r", "w", "c"


@dataclass(frozen=True, slots=True, order=True)
class Lane:
    """A row of cells that is drawn as one line: an array, or a row of an array with dimensions. Shared memory has one
    for each block."""

    array: int
    launch: int  # -1: memory that all blocks share and that outlives a launch
    block: int
    row: int

    def name(self, document: Document) -> str:
        array = document["arrays"][self.array]
        name: str = array["name"]
        if len(array["shape"]) > 1:
            rest = self.row
            places: list[int] = []
            for extent in reversed(array["shape"][:-1]):
                rest, place = divmod(rest, extent)
                places.append(place)
            name += "".join(f"[{place}]" for place in reversed(places))
        if self.block >= 0 and _blocks(document["launches"][self.launch]) > 1:
            name += f" of block {self.block}"
        return name


def _blocks(launch: dict[str, Any]) -> int:
    x, y, z = launch["grid"]
    return int(x * y * z)


@dataclass(slots=True)
class Cell:
    value: Value
    range: Range = None


@dataclass(slots=True)
class Row:
    """The contents of a lane after a step."""

    lane: Lane
    first: int  # index of the first cell
    cells: list[Cell | None]  # None: never accessed
    changed: dict[int, list[Any]] = field(default_factory=dict)  # by index: the last event that wrote there


def lane_of(document: Document, row: list[Any], launch: int | None) -> tuple[Lane, int]:
    """The lane of a read or write in a launch, and the position in the lane."""
    array = document["arrays"][row[ARRAY]]
    width = array["shape"][-1] if len(array["shape"]) > 1 else array["count"]
    lane_row, place = divmod(row[INDEX], width)
    if array["space"] == "shared" and launch is not None:
        return Lane(row[ARRAY], launch, row[BLOCK], lane_row), place
    return Lane(row[ARRAY], -1, -1, lane_row), place


class Story:
    """All lanes and how they change."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.start: dict[Lane, dict[int, Cell]] = {}
        self.events: dict[int, list[Any]] = {}
        self.launch: dict[int, int | None] = {}  # for each event
        inputs: set[Lane] = set()
        for step in document["steps"]:
            for row in step["events"]:
                self.events[row[ID]] = row
                self.launch[row[ID]] = step["launch"]
        for number in sorted(self.events):
            row = self.events[number]
            if row[KIND] == COMBINED:
                continue
            lane, place = self.lane(row)
            cells = self.start.setdefault(lane, {})
            if place not in cells:
                read = row[KIND] == READ
                cells[place] = Cell(row[VALUE] if read else row[BEFORE], row[RANGE] if read else None)
                if read:
                    inputs.add(lane)
        self.inputs = sorted(lane for lane in inputs if any(c.value is not None for c in self.start[lane].values()))

    def lane(self, row: list[Any]) -> tuple[Lane, int]:
        return lane_of(self.document, row, self.launch[row[ID]])

    def extent(self, lane: Lane) -> tuple[int, int]:
        places = self.start[lane]
        return min(places), max(places) + 1

    def _row(self, lane: Lane, state: dict[int, Cell], changed: dict[int, list[Any]]) -> Row:
        first, end = self.extent(lane)
        return Row(lane, first, [state.get(place) for place in range(first, end)], changed)

    def beginning(self) -> list[Row]:
        """The contents of the input lanes before the first step."""
        return [self._row(lane, self.start[lane], {}) for lane in self.inputs if lane.block < 0]

    def steps(self) -> Iterator[list[Row]]:
        """For each step, the lanes that it writes, with their contents after it."""
        state = {lane: dict(cells) for lane, cells in self.start.items()}
        for step in self.document["steps"]:
            changed: dict[Lane, dict[int, list[Any]]] = {}
            for row in step["events"]:
                if row[KIND] != WROTE:
                    continue
                lane, place = self.lane(row)
                state[lane][place] = Cell(row[VALUE], row[RANGE])
                changed.setdefault(lane, {})[place] = row
            yield [self._row(lane, dict(state[lane]), changed[lane]) for lane in sorted(changed)]

    def sources(self, row: list[Any]) -> list[tuple[list[Any], bool]]:
        """The reads from which a write's value is made, left to right, each with whether it came through a combine."""
        found: list[tuple[list[Any], bool]] = []

        def visit(event: int | None, combined: bool) -> None:
            if event is None or len(found) >= 64:
                return
            source = self.events[event]
            if source[KIND] == COMBINED:
                for operand in source[SOURCES]:
                    visit(operand, True)
            elif source[HOW] != "constant" and all(source is not other for other, _ in found):
                found.append((source, combined))

        for event in row[SOURCES]:
            visit(event, False)
        return found


def range_text(made_of: Range) -> str:
    """ "[0..5]"; "[]" for the identity; "[4..5]+[0..3]" if the pieces are not adjacent; "?" if unknown."""
    if made_of is None:
        return "?"
    return "+".join(f"[{first}..{last}]" for first, last in made_of) or "[]"
