"""gdb commands for kernels on the CPU device. `make debug` starts gdb with this file, and editors source it.

  at LINE [thread T] [block B]    stop when that thread of that block reaches the line, before the line runs
  who                             print the current thread and block
  shared                          print the current shared arrays of the block
  threads                         print where all threads of the block are
  findings off | on               stop at each finding of the device (on)

T and B are numbers as in threadIdx.x, or x,y or x,y,z. threadIdx, blockIdx, blockDim and gridDim can be used in
expressions: `print threadIdx.x`, `break 148 if blockIdx.x == 2`.

A program on the CPU device is one process with one thread, in which CUDA's threads take turns. `next` and `finish`
stay with the current CUDA thread, although others may run in between, for example at a barrier.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import gdb

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "trace"))
import values

Extent = tuple[int, int]  # an address and a length in bytes


def said(text: str) -> None:
    """Prints a line."""
    gdb.write(text + "\n")


# ---- asking the device ----------------------------------------------------------------------------------


def ask(expression: str) -> str:
    """A text from simt/debug/debugger.c."""
    return str(gdb.parse_and_eval(expression).string())


class Calls:
    """gdb 13 cannot call functions of a program on processors whose registers take more room than it expects (AMX)."""

    fail = False


CALLS_FAIL = (
    "this gdb cannot call functions of a program on this processor, so it cannot find out which CUDA thread is here;\n"
    "a newer gdb may"
)


def in_kernel() -> bool:
    """Is the program stopped in a CUDA thread?"""
    try:
        return int(gdb.parse_and_eval("(unsigned long)debugger_thread()")) != 0
    except gdb.error as error:  # the device is not loaded, or it has ended
        Calls.fail |= "extended state" in str(error)
        return False


def need_kernel() -> None:
    if not in_kernel():
        raise gdb.GdbError(CALLS_FAIL if Calls.fail else "this is host code, or nothing runs: no CUDA thread is here")


def is_students(frame: gdb.Frame) -> bool:
    """Is its line in a .cu or .cuh file?"""
    symtab = frame.find_sal().symtab
    return symtab is not None and symtab.filename.endswith((".cu", ".cuh"))


def students_frames() -> list[gdb.Frame]:
    """The frames of the current thread in the student's files, innermost first."""
    frames = []
    frame: gdb.Frame | None = gdb.newest_frame()
    while frame is not None:
        if is_students(frame):
            frames.append(frame)
        frame = frame.older()
    return frames


# ---- shared arrays --------------------------------------------------------------------------------------


def shared_extents() -> list[Extent]:
    """The static and the dynamic shared memory of the block."""
    layout = gdb.parse_and_eval("shared_layout")
    return [(int(layout[f"{kind}_begin"]), int(layout[f"{kind}_bytes"])) for kind in ("static", "dynamic")]


def shared_variables(frame: gdb.Frame) -> Iterator[tuple[str, gdb.Value]]:
    """Names and values of the shared variables that the frame's function and file declare."""
    static, dynamic = shared_extents()
    block: gdb.Block | None = frame.block()
    while block is not None:
        for symbol in block:
            if not symbol.is_variable or symbol.is_argument or symbol.name.startswith("simt_"):
                continue
            try:
                value = symbol.value(frame)
                address = address_of(value.referenced_value() if is_reference(value) else value)
            except (gdb.error, TypeError):  # it has no address: a constant, or it does not exist yet
                continue
            if static[0] <= address < static[0] + static[1]:
                yield symbol.name, value
            elif dynamic[0] <= address < dynamic[0] + dynamic[1]:
                element = value.referenced_value().type.target()
                count = (dynamic[0] + dynamic[1] - address) // element.sizeof
                if count > 0:
                    yield symbol.name, gdb.Value(address).cast(element.array(count - 1).pointer()).dereference()
        if block.function is not None:
            block = block.static_block
        elif block.is_static:
            return
        else:
            block = block.superblock


def address_of(value: gdb.Value) -> int:
    """Raises TypeError if the value has no address."""
    if value.address is None:
        raise TypeError
    return int(value.address)


def is_reference(value: gdb.Value) -> bool:
    return value.type.code == gdb.TYPE_CODE_REF


def dimensions(kind: gdb.Type) -> tuple[list[int], gdb.Type]:
    """[2, 512] and int for int [2][512]; [] if the type is not an array."""
    extents = []
    while kind.strip_typedefs().code == gdb.TYPE_CODE_ARRAY:
        kind = kind.strip_typedefs()
        extents.append(kind.range()[1] + 1)
        kind = kind.target()
    return extents, kind


def element_text(value: gdb.Value) -> str:
    """The text of an element, formatted as in traces."""
    kind = value.type.strip_typedefs()
    name = str(kind).removesuffix("_t")
    if name not in values.SIZES or kind.code != gdb.TYPE_CODE_STRUCT:
        letters = {gdb.TYPE_CODE_FLT: "f", gdb.TYPE_CODE_STRUCT: "s"}
        signed = kind.code == gdb.TYPE_CODE_INT and kind.is_signed
        name = values.element_of(letters.get(kind.code, "i" if signed else "u"), kind.sizeof)
    data = gdb.selected_inferior().read_memory(address_of(value), kind.sizeof)
    return values.short(values.value_of(name, bytes(data)))


def rows_of(name: str, value: gdb.Value) -> list[str]:
    """The array as rows of slots, up to the last written one; a dot for an unwritten slot."""
    extents, element = dimensions(value.type)
    count = math.prod(extents)
    first = gdb.Value(address_of(value)).cast(element.pointer())
    cells = []
    for i in range(count):
        at = first + i
        written = int(gdb.parse_and_eval(f"debugger_is_written((void *){int(at)})"))
        cells.append(element_text(at.dereference()) if written else ".")
    shape = "".join(f"[{extent}]" for extent in extents)
    head = f"{name}{shape}"
    if all(cell == "." for cell in cells):
        return [f"{head}  nothing is written yet"]
    if not extents:
        return [f"{head}  {cells[0]}"]
    rows = [head]
    inner = extents[-1]
    for start in range(0, count, inner):
        row = cells[start : start + inner]
        while row and row[-1] == ".":
            row.pop()
        prefix = "".join(f"[{index}]" for index in outer_indices(start // inner, extents[:-1]))
        rows += table(row, prefix)
    return rows


def outer_indices(number: int, extents: list[int]) -> list[int]:
    indices = []
    for extent in reversed(extents):
        indices.append(number % extent)
        number //= extent
    return indices[::-1]


def table(cells: list[str], prefix: str) -> list[str]:
    """As many cells in a row as fit, rounded down to a power of two. Each row begins with the number of its first
    slot."""
    if not cells:
        return []
    width = max(map(len, cells))
    room = shutil.get_terminal_size((80, 24)).columns - len(prefix) - 10
    per_row = 1 << max(0, (room // (width + 1)).bit_length() - 1)
    return [
        f"{prefix:>4}{start:>6}: " + " ".join(f"{cell:>{width}}" for cell in cells[start : start + per_row])
        for start in range(0, len(cells), per_row)
    ]


# ---- commands -------------------------------------------------------------------------------------------


class Here(gdb.Breakpoint):
    """A breakpoint at a line, for one thread of one block."""

    def __init__(self, place: str, thread: list[int] | None, block: list[int] | None):
        super().__init__(place)
        self.wanted = (("simt_thread_index", thread), ("simt_block_index", block))

    def stop(self) -> bool:
        return all(
            wanted is None or (in_kernel() and [int(gdb.parse_and_eval(f"{index}.{axis}")) for axis in "xyz"] == wanted)
            for index, wanted in self.wanted
        )


def parse_index(word: str) -> list[int]:
    """[3, 0, 0] for 3; [1, 2, 0] for 1,2."""
    if not re.fullmatch(r"\d+(,\d+){0,2}", word):
        raise gdb.GdbError(f"{word}: a thread and a block are a number, or x,y or x,y,z")
    numbers = [int(number) for number in word.split(",")]
    return numbers + [0] * (3 - len(numbers))


class At(gdb.Command):
    """at LINE [thread T] [block B]: stop there when that thread of that block comes, before the line runs."""

    def __init__(self) -> None:
        super().__init__("at", gdb.COMMAND_BREAKPOINTS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        match = re.fullmatch(r"(\S+)(?:\s+thread\s+(\S+))?(?:\s+block\s+(\S+))?\s*", argument)
        if not match:
            raise gdb.GdbError("at LINE [thread T] [block B]")
        thread, block = (parse_index(word) if word else None for word in match.groups()[1:])
        place = match[1]
        file = os.environ.get("SCAN_LABS_STOP", "").split(":")[0]  # a line without a file is in the lab's file
        Here(f"{file}:{place}" if place.isdigit() and file else place, thread, block)


class Begin(gdb.Command):
    """begin: run up to the place that make debug names, and say who is there."""

    def __init__(self) -> None:
        super().__init__("begin", gdb.COMMAND_RUNNING)

    def invoke(self, argument: str, from_tty: bool) -> None:
        place = os.environ["SCAN_LABS_STOP"]
        gdb.execute(f"at {place}", to_string=True)
        gdb.events.stop.disconnect(on_stop)
        gdb.execute("run", to_string=True)  # discards gdb's messages about its own threads
        gdb.events.stop.connect(on_stop)
        if Calls.fail:
            said(CALLS_FAIL)
        elif gdb.selected_inferior().pid == 0:
            said(f"nothing came to {' '.join(place.split())}, and nothing was found: is there code on that line?")
        else:
            tell_stop()


class Who(gdb.Command):
    """who: which thread of which block is here."""

    def __init__(self) -> None:
        super().__init__("who", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        need_kernel()
        said(ask("debugger_where()"))


class Shared(gdb.Command):
    """shared: the shared arrays of the block, as they are now; a dot where nothing is written yet."""

    def __init__(self) -> None:
        super().__init__("shared", gdb.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> None:
        need_kernel()
        found: dict[str, gdb.Value] = {}
        for frame in students_frames():
            for name, value in shared_variables(frame):
                found.setdefault(name, value)
        if not found:
            said("no shared variable is in sight here")
        for name, value in found.items():
            said("\n".join(rows_of(name, value)))


class Threads(gdb.Command):
    """threads: where all threads of the block are."""

    def __init__(self) -> None:
        super().__init__("threads", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        need_kernel()
        gdb.write(ask("debugger_threads()"))


class Found:
    """The breakpoint at findings, and the address of the finding at which it stopped until that is printed."""

    breakpoint: gdb.Breakpoint | None = None
    finding = 0


class AtFinding(gdb.Breakpoint):
    """Stops at each new finding of the device. For an access, that is before the access happens."""

    def __init__(self) -> None:
        super().__init__("finding_made", internal=True)
        self.silent = True

    def stop(self) -> bool:
        Found.finding = int(gdb.parse_and_eval("finding"))
        return True


class Findings(gdb.Command):
    """findings off | on: stop where the device finds something."""

    def __init__(self) -> None:
        super().__init__("findings", gdb.COMMAND_BREAKPOINTS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        if argument not in ("on", "off"):
            raise gdb.GdbError("findings on, or findings off")
        if Found.breakpoint is not None:
            Found.breakpoint.enabled = argument == "on"


def on_stop(event: gdb.StopEvent) -> None:
    """After a step, gdb's own output is enough."""
    if isinstance(event, (gdb.BreakpointEvent, gdb.SignalEvent)):
        tell_stop()


def tell_stop() -> None:
    """Prints the finding and the current thread, and selects the student's innermost frame, because the device's
    frames are further in."""
    frames = students_frames()
    if frames and frames[0] != gdb.newest_frame():
        frames[0].select()
    if Found.finding:
        said(ask(f"debugger_finding((const struct simt_finding *){Found.finding})"))
        Found.finding = 0
        if frames:
            gdb.execute("frame")
    if in_kernel():
        said(ask("debugger_where()"))


for setting in (
    "breakpoint pending on",  # the part is in a library that is loaded later
    "follow-fork-mode child",  # the suite starts the process that loads it
    "startup-with-shell off",
    "disable-randomization off",  # containers forbid it
    "confirm off",
    "print inferior-events off",
    "print thread-events off",
    "debuginfod enabled off",
):
    gdb.execute(f"set {setting}", to_string=True)
for name in ("thread", "block"):
    gdb.execute(f"macro define {name}Idx simt_{name}_index")
for name in ("block", "grid"):
    gdb.execute(f"macro define {name}Dim simt_{name}_dim")

for command in (At, Begin, Who, Shared, Threads, Findings):
    command()
gdb.execute("python Found.breakpoint = AtFinding()", to_string=True)  # its function is not loaded yet
gdb.events.stop.connect(on_stop)
