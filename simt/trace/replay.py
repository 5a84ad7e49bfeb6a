"""Replays a record from the first line to the last and tracks the value of each element and where it came from."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import flow
import pointers
import values
from events import ATOMIC, VOLATILE, WRITE, RawArray, Record, Site

READ, WROTE, COMBINED = "r", "w", "c"

Case = dict[str, Any]
Row = list[Any]


@dataclass(slots=True)
class Cell:
    """The contents of one element, as far as the record shows."""

    data: bytearray
    known: bytearray  # 1 for each byte whose value is known
    range: flow.Range | None = None
    writer: int = -1  # the event that wrote it
    block: int = -1  # the block that wrote it
    line: int = -1
    step: int = -1
    phase: int = 0


@dataclass(slots=True)
class Array:
    """An array of the trace."""

    name: str
    space: str
    element: str
    size: int  # bytes of an element
    count: int
    shape: list[int]
    is_input: bool = False


@dataclass(slots=True)
class Step:
    """The work of all blocks of a launch between two barriers, or a part of it if a cell is written twice."""

    kind: str  # kernel or copy
    launch: int | None
    epoch: int
    phase: int
    events: list[Row] = field(default_factory=list)
    requests: list[list[Any]] = field(default_factory=list)
    barriers: Counter[int] = field(default_factory=Counter)  # sites of the barriers that end it


@dataclass(slots=True)
class BlockState:
    """One block of the running launch."""

    epoch: int = 0
    phase: dict[int, int] = field(default_factory=dict)  # by thread, in this epoch
    site_phase: dict[int, int] = field(default_factory=dict)
    flows: dict[int, flow.ThreadFlow] = field(default_factory=dict)
    last: dict[int, Row] = field(default_factory=dict)  # the last event of each thread
    turns: list[list[int]] = field(default_factory=list)
    met: set[int] = field(default_factory=set)  # warps whose lanes may share values
    partial: dict[int, int] = field(default_factory=dict)  # by thread: bytes of a last event shorter than an element


class Builder:
    """Replays a record once, from the first line to the last."""

    def __init__(self, record: Record, case: Case | None, sources: dict[str, str]) -> None:
        self.record, self.case, self.sources = record, case, sources
        self.monoid = str(case["monoid"]) if case else ""
        self.identity = values.IDENTITY_OF_MONOID.get(self.monoid)
        self.arrays = self._describe_arrays()
        self.cells: dict[tuple[int, int, int], Cell] = {}  # key: array, block if shared, index
        self.steps: list[Step] = []
        self.by_place: dict[tuple[int | None, int, int], Step] = {}
        self.launches: list[dict[str, Any]] = []
        self.blocks: dict[int, BlockState] = {}
        self.block_rows: list[dict[str, Any]] = []
        self.findings: dict[int, dict[str, Any]] = {}
        self.finding_lines: list[tuple[int, int | None, int | None]] = []
        self.waiting: list[tuple[int, int, int]] = []  # findings whose access is the next event
        self.rows: dict[int, Row] = {}
        self.next_id = 0
        self.cut = False
        for line in record.before:
            self._copy_in(line)

    # ---- arrays ---------------------------------------------------------------------------------------------------

    def _describe_arrays(self) -> list[Array]:
        sizes: dict[int, Counter[int]] = {}
        for line in self.record.lines:
            if line[0] in ("r", "w"):
                sizes.setdefault(line[4], Counter())[line[6]] += 1
        named = {array["name"]: array for array in (self.case or {}).get("arrays", [])}
        inputs = [a["name"] for a in named.values() if a["kind"] in ("in", "in_out")]
        described: list[Array] = []
        taken: Counter[str] = Counter()
        by_helper = pointers.arrays_of_helpers(self.record, self.sources)
        for number, raw in enumerate(self.record.arrays):
            source = self.sources.get(raw.site.file, "") if raw.site else ""
            helped, where = by_helper.get(number, ("", 0))
            name = raw.name or helped
            name = name or (pointers.pointer_at(source, raw.site.line, self._which(raw.site)) if raw.site else "")
            name = name or f"global {number}"
            declared = pointers.declared(source, name.rsplit(".", maxsplit=1)[-1], where) if source else ""
            element = self._element(raw, named.get(raw.name), declared, sizes.get(number, Counter()))
            size = values.SIZES.get(element) or raw.element or 4
            taken[name] += 1
            shown = name if taken[name] == 1 else f"{name} ({taken[name]})"
            is_input = bool(inputs) and raw.name == inputs[0]
            count = max(raw.size // size, 1)
            described.append(Array(shown, raw.space, element, size, count, raw.shape or [count], is_input))
        return described

    def _which(self, site: Site) -> int:
        """The index of an allocation's code address among those at the same line of a function."""
        there = (site.file, site.line, site.function)
        same = [s.number for s in self.record.allocations if (s.file, s.line, s.function) == there]
        return same.index(site.number) if site.number in same else 0

    def _element(self, raw: RawArray, named: dict[str, Any] | None, declared: str, sizes: Counter[int]) -> str:
        own = values.ELEMENT_OF_MONOID.get(self.monoid, self.monoid)
        if named:
            return str(named["element"])
        if raw.kind in "iuf":
            return values.element_of(raw.kind, raw.element)
        size = raw.element if raw.element > 1 else (sizes.most_common(1)[0][0] if sizes else 4)
        if raw.kind == "s":
            return own if values.SIZES.get(own) == size else "bytes"
        if values.SIZES.get(declared := pointers.C_TYPES.get(declared, declared)) == size:
            return declared
        if values.SIZES.get(own) == size and declared in ("", "elem_t"):
            return own
        return {1: "byte", 2: "unsigned_short", 4: "int", 8: "long"}.get(size, "int")

    def _cell(self, array: int, block: int, index: int) -> Cell:
        key = (array, block if self.arrays[array].space == "shared" else -1, index)
        cell = self.cells.get(key)
        if cell is None:
            size = self.arrays[array].size
            cell = self.cells[key] = Cell(bytearray(size), bytearray(size))
            if self.arrays[array].is_input:
                cell.range = ((index, index),)
        return cell

    def _spread(self, array: int, offset: int, data: bytes) -> Iterable[tuple[int, int, bytes]]:
        """Splits an access into parts of elements: index, first byte in the element, bytes."""
        size, at = self.arrays[array].size, 0
        while at < len(data):
            index, first = divmod(offset + at, size)
            take = min(size - first, len(data) - at)
            yield index, first, data[at : at + take]
            at += take

    def _store(self, cell: Cell, first: int, data: bytes) -> None:
        cell.data[first : first + len(data)] = data
        cell.known[first : first + len(data)] = b"\1" * len(data)

    def _copy_in(self, line: list[Any]) -> None:
        for index, first, part in self._spread(line[4], line[5], bytes.fromhex(line[7])):
            self._store(self._cell(line[4], -1, index), first, part)

    # ---- events ---------------------------------------------------------------------------------------------------

    def _site(self, number: int) -> Site:
        return self.record.sites[number]

    def _step(self, launch: int | None, epoch: int, phase: int, kind: str = "kernel") -> Step:
        key = (launch, epoch, phase) if kind == "kernel" else (None, -1, self.next_id)
        step = self.by_place.get(key)
        if step is None:
            step = self.by_place[key] = Step(kind, launch, epoch, phase)
            self.steps.append(step)
        return step

    def _add(self, step: Step, row: Row) -> Row:
        row[0] = self.next_id
        self.rows[self.next_id] = row
        self.next_id += 1
        step.events.append(row)
        return row

    def _flows(self, block: BlockState, thread: int) -> list[flow.ThreadFlow]:
        warp = thread // 32 * 32
        own = block.flows.setdefault(thread, flow.ThreadFlow())
        if warp // 32 not in block.met:
            return [own]
        return [own, *(block.flows[lane] for lane in range(warp, warp + 32) if lane != thread and lane in block.flows)]

    def _value(self, array: int, data: bytes | bytearray) -> values.Value:
        return values.value_of(self.arrays[array].element, bytes(data))

    def _meet_findings(self, block: int, thread: int, row: Row) -> None:
        left = []
        for number, in_block, of_thread in self.waiting:
            if (in_block, of_thread) == (block, thread):
                self.findings[number]["events"].append([row[0], self._partner(number, row)])
            else:
                left.append((number, in_block, of_thread))
        self.waiting = left

    def _partner(self, number: int, row: Row) -> int | None:
        """The other access of a race: another thread's last access to that cell, at one of the finding's lines."""
        lines = (self.findings[number]["line"], self.findings[number]["other_line"])
        shared = self.arrays[row[5]].space == "shared"
        for event in range(row[0] - 1, max(row[0] - 20000, -1), -1):
            before = self.rows[event]
            same = before[5] == row[5] and before[6] == row[6] and (not shared or before[2] == row[2])
            apart = same and (before[2], before[3]) != (row[2], row[3]) and before[1] != COMBINED
            if apart and WROTE in (before[1], row[1]) and self._site(before[4]).line in lines:
                return event
        return None

    def _access(self, line: list[Any]) -> None:
        _, block, thread, site, array, offset, _, kind, *hexes = line
        state = self.blocks.setdefault(block, BlockState())
        datas = [bytes.fromhex(text) for text in hexes]
        flags = (1 if kind & VOLATILE else 0) | (2 if kind & ATOMIC else 0)
        parts = zip(*(self._spread(array, offset, data) for data in datas), strict=True)
        for part in parts:
            index, first, _ = part[0]
            cell = self._cell(array, block, index)
            if kind & WRITE:
                row = self._write(
                    state, block, thread, site, array, index, first, (part[0][2], part[1][2]), cell, flags
                )
            else:
                row = self._read(state, block, thread, site, array, index, first, part[0][2], cell, flags)
            self._meet_findings(block, thread, row)
            state.last[thread] = row

    def _continues(self, state: BlockState, thread: int, kind: str, site: int, cell: tuple[int, int]) -> Row | None:
        """The last event of the thread, if this access is to the rest of the same element, because the compiler may
        access the members of a struct one by one."""
        row = state.last.get(thread)
        if row is None or thread not in state.partial or row[1] != kind or (row[5], row[6]) != cell:
            return None
        return row if self._site(row[4]).line == self._site(site).line else None

    def _read(self, state: BlockState, block: int, thread: int, site: int, array: int, index: int,
              first: int, data: bytes, cell: Cell, flags: int) -> Row:  # fmt: skip
        if bytes(cell.data[first : first + len(data)]) != data:
            cell.range = None  # it was changed by an access that is not in the record
        self._store(cell, first, data)
        whole = bytes(cell.data) if all(cell.known) else data
        line = self._site(site).line
        row = self._continues(state, thread, READ, site, (array, index))
        if row is None:
            phase = state.phase.get(thread, 0)
            if cell.step == self._launch_epoch(state) and cell.block == block and cell.line != line:
                phase = max(phase, cell.phase)
            state.phase[thread] = phase
            row = self._add(
                self._step(len(self.launches) - 1, state.epoch, phase),
                [0, READ, block, thread, site, array, index, None, None, None, None, [], flags, 0],
            )
            state.site_phase.setdefault(site, phase)
        row[7], row[8] = self._value(array, whole), listed(cell.range)
        self._flows(state, thread)[0].learn(flow.Known(row[0], whole, cell.range, False, line, state.epoch))
        self._note_partial(state, thread, array, data)
        return row

    def _note_partial(self, state: BlockState, thread: int, array: int, data: bytes) -> None:
        if len(data) < self.arrays[array].size:
            state.partial[thread] = len(data)
        else:
            state.partial.pop(thread, None)

    def _launch_epoch(self, state: BlockState) -> int:
        return len(self.launches) << 24 | state.epoch

    def _write(self, state: BlockState, block: int, thread: int, site: int, array: int, index: int,
               first: int, datas: tuple[bytes, bytes], cell: Cell, flags: int) -> Row:  # fmt: skip
        before, data = datas
        line = self._site(site).line
        self._store(cell, first, before)
        was = self._value(array, cell.data)
        self._store(cell, first, data)
        flows = self._flows(state, thread)
        element = self.arrays[array].element
        how, sources, made_of = self._origin(flows, before, bytes(cell.data), line, state.epoch, flags, element)
        if how == "constant" and made_of is None and len(data) < self.arrays[array].size:
            how, sources, made_of = self._origin(flows, before, data, line, state.epoch, flags, element)
            made_of = None
        cell.range = made_of
        row = self._continues(state, thread, WROTE, site, (array, index))
        if row is None:
            phase = self._phase_of_write(state, block, thread, cell, line, sources)
            row = self._add(
                self._step(len(self.launches) - 1, state.epoch, phase),
                [0, WROTE, block, thread, site, array, index, None, None, was, None, [], flags, 0],
            )
            state.phase[thread] = phase
            state.site_phase.setdefault(site, phase)
            cell.phase = phase
        row[7], row[8], row[10], row[11] = self._value(array, cell.data), listed(made_of), how, sources
        cell.writer, cell.block, cell.line = row[0], block, line
        cell.step = self._launch_epoch(state)
        if flags & 2:
            flows[0].learn(flow.Known(row[0], before, None, False, line, state.epoch))
        elif how == "constant" and made_of == ():  # an identity in a register, which the thread may use again
            flows[0].known.append(flow.Known(row[0], bytes(cell.data), (), False, line, state.epoch))
        flows[0].reads_at.clear()
        self._note_partial(state, thread, array, data)
        return row

    def _phase_of_write(
        self, state: BlockState, block: int, thread: int, cell: Cell, line: int, sources: list[int]
    ) -> int:
        """A step ends where a cell is written again by another line, and where a line stores a value that another line
        has just written. The part before that gets its own row."""
        phase = state.phase.get(thread, 0)
        here = self._launch_epoch(state)
        if cell.step == here and cell.block == block and cell.line != line:
            phase = max(phase, cell.phase + 1)
        for source in sources:
            row = self.rows[source]
            if row[1] != READ:
                continue
            origin = self._cell(row[5], row[2], row[6])
            if origin.step == here and origin.block == block and origin.line != line and origin.writer < source:
                phase = max(phase, origin.phase + 1)
        return phase

    def _origin(self, flows: list[flow.ThreadFlow], before: bytes, data: bytes, line: int, epoch: int, flags: int,
                element: str) -> tuple[str, list[int], flow.Range | None]:  # fmt: skip
        if flags & 2:
            return "atomic", [], None
        if self.launches[-1]["harness"]:
            return "computed", [], None  # the inside of a stock function is not shown
        known = flow.written(flows, data, line, epoch)
        if known is not None and self._may_be(known, flags, element):
            return ("combine" if known.made else "copy"), [known.event], known.range
        reads = [entry for entry in flows[0].reads_at if entry.line == line]
        if reads:
            return "computed", sorted({entry.event for entry in reads[-16:]}), None
        return "constant", [], () if data == self.identity else None

    def _may_be(self, known: flow.Known, flags: int, element: str) -> bool:
        """Can the write store this known value? A flag that equals one that was read is still a constant. A value of
        another type is computed from the one that was read, even if it is equal: `flags[i] = in[i] != 0`."""
        row = self.rows[known.event]
        if flags & row[12] & 1:
            return False
        return known.made or row[5] is None or self.arrays[row[5]].element == element

    def _combine(self, line: list[Any]) -> None:
        _, block, thread, site, *operands = line
        state = self.blocks.setdefault(block, BlockState())
        sources: list[int | None] = []
        made_of: flow.Range | None = None
        value: values.Value = None
        if operands:
            left, right, made = (bytes.fromhex(text) for text in operands)
            flows = self._flows(state, thread)
            found = flow.operands(flows, (left, right), state.epoch, self.identity)
            sides: list[flow.Range | None] = []
            for entry, data in zip(found, (left, right), strict=True):
                sources.append(entry.event if entry else None)
                sides.append(entry.range if entry else () if data == self.identity else None)
            made_of = flow.join(sides[0], sides[1])
            own = values.ELEMENT_OF_MONOID.get(self.monoid, self.monoid)
            element = own if values.SIZES.get(own) == len(made) else "long" if len(made) == 8 else "int"
            value = values.value_of(element, made)
        row = self._add(
            self._step(len(self.launches) - 1, state.epoch, state.phase.get(thread, 0)),
            [0, COMBINED, block, thread, site, None, None, value, listed(made_of), None, None, sources, 0, 0],
        )
        if operands:
            entry = flow.Known(row[0], made, made_of, True, self._site(site).line, state.epoch)
            flows[0].learn(entry)

    def _copy(self, line: list[Any]) -> None:
        _, site, source, from_offset, target, to_offset, _, data = line
        raw = bytes.fromhex(data)
        step = self._step(None, -1, 0, "copy")
        size = self.arrays[target].size
        for index, first, part in self._spread(target, to_offset, raw):
            cell = self._cell(target, -1, index)
            was = self._value(target, cell.data) if all(cell.known) else None
            sources: list[int] = []
            if source is not None and self.arrays[source].size == size:
                origin = self._cell(source, -1, index + (from_offset - to_offset) // size)
                cell.range = origin.range
                row = [0, READ, None, None, site, source, index + (from_offset - to_offset) // size,
                       self._value(target, part) if len(part) == size else None,
                       listed(origin.range), None, None, [], 0, 0]  # fmt: skip
                sources = [self._add(step, row)[0]]
            elif not self.arrays[target].is_input:
                cell.range = None
            self._store(cell, first, part)
            cell.block = cell.step = -1
            how = "copy" if source is not None else "constant"
            row = self._add(step, [0, WROTE, None, None, site, target, index, self._value(target, cell.data),
                                   listed(cell.range), was, how, sources, 0, 0])  # fmt: skip
            cell.writer = row[0]

    # ---- everything else ------------------------------------------------------------------------------------------

    def _finding(self, line: list[Any]) -> None:
        _, number, block, thread, kind, warning, file, at, other, variable, title, detail, hint = line
        if number not in self.findings:
            self.findings[number] = {
                **{"kind": kind, "warning": warning, "file": file, "line": at, "other_line": other},
                **{"variable": variable, "title": title, "detail": detail, "hint": hint},
                **{"count": 0, "events": []},
            }
        self.findings[number]["count"] += 1
        if block is not None and kind in ("race", "uninitialized"):
            self.waiting.append((number, block, thread))

    def _launch(self, line: list[Any]) -> None:
        site = self._site(line[3])
        self.blocks = {}
        self.cells = {key: cell for key, cell in self.cells.items() if key[1] < 0}
        self.launches.append(
            {
                **{"kernel": line[2], "file": site.file, "line": site.line, "grid": line[4], "block": line[5]},
                **{"shared_bytes": line[6], "harness": line[7], "faulted": False},
            }
        )

    def _end_launch(self, faulted: bool) -> None:
        self.launches[-1]["faulted"] = faulted
        self.block_rows += [
            {"launch": len(self.launches) - 1, "block": block, "turns": state.turns}
            for block, state in sorted(self.blocks.items())
        ]

    def _request(self, line: list[Any]) -> None:
        _, block, warp, site, kind, lanes, width, needed, least = line
        state = self.blocks.setdefault(block, BlockState())
        step = self._step(len(self.launches) - 1, state.epoch, state.site_phase.get(site, 0))
        step.requests.append([block, warp, site, kind, lanes, width, needed, least])

    def _next_epoch(self, state: BlockState, site: int | None) -> None:
        if site is not None:
            phase = max(state.phase.values(), default=0)
            self._step(len(self.launches) - 1, state.epoch, phase).barriers[site] += 1
        state.epoch += 1
        state.phase, state.site_phase = {}, {}

    def _other(self, line: list[Any]) -> None:
        word = line[0]
        if word == "barrier":
            self._next_epoch(self.blocks.setdefault(line[1], BlockState()), line[2])
        elif word == "grid":
            for state in self.blocks.values():
                self._next_epoch(state, None)
        elif word == "turn":
            self.blocks.setdefault(line[1], BlockState()).turns.append([self.next_id, self.next_id])
        elif word == "leave":
            self.blocks[line[1]].turns[-1][1] = self.next_id
        elif word == "warp":
            self.blocks.setdefault(line[1], BlockState()).met.add(line[2])
        elif word == "p":
            row = self.blocks[line[1]].last.get(line[2])
            if row is not None:
                row[13] += line[3]
        elif word == "cut":
            self.cut = True

    def run(self) -> None:
        handlers = {
            **{"r": self._access, "w": self._access, "c": self._combine, "copy": self._copy},
            **{"finding": self._finding, "launch": self._launch, "request": self._request},
        }
        for line in self.record.lines:
            if line[0] == "end":
                self._end_launch(line[1])
            else:
                handlers.get(line[0], self._other)(line)


def listed(made_of: flow.Range | None) -> list[list[int]] | None:
    return None if made_of is None else [list(piece) for piece in made_of]
