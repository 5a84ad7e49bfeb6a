"""A trace in the terminal: the table of the literature with a row for each step, and a walk through the steps by
key."""

import contextlib
import os
import re
import sys
import termios
import textwrap
import tty
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import rows
import values
from events import TraceError
from rich.console import Console
from rich.text import Text

_MOST_OPERATIONS = 16  # lines of a step in the walk
_MOST_WHOLE = 64  # elements of an argument that is shown with its unaccessed slots
_MOST_WRONG = 4  # lines of an output that contain something wrong
_MOST_LINES = 16  # lines of one row of the table; the page shows the rest
_EQUAL_LINES = 3  # consecutive lines of equal cells that become one line
_LONGEST_CYCLE = 16  # steps that are printed once if the next ones repeat them
_WHICH = re.compile(r" \(\d+\)")  # in a name: which of several arrays
_AROUND = 3  # source lines before and after the current one
_STYLES = {"combine": "bold green", "copy": "bold cyan", "computed": "bold yellow", "constant": "bold magenta"}
WIDE = 100  # maximum of columns, for readability
ENDLESS = 1 << 20  # columns of a console that breaks no lines

Document = dict[str, Any]
Lines = list[Text]


def console_of(width: int | None, environment: Mapping[str, str] = os.environ) -> Console:
    """The console to print on. Its width is `width`, or else COLUMNS, or else the terminal's, or else 80 columns. With
    0, lines are as long as they need to be."""
    said = environment.get("COLUMNS", "")
    if width is None and said.isdecimal():
        width = int(said)
    return Console(highlight=False, width=ENDLESS if width == 0 else width)


def _width_of(console: Console) -> int:
    return console.width if console.width == ENDLESS else min(console.width, WIDE)


def cell_text(cell: rows.Cell | None, ranges: bool) -> str:
    if cell is None:
        return ""
    return rows.range_text(cell.range) if ranges else values.short(cell.value, 10)


def _cells_of_a_line(cells: int, room: int, width: int, columns: int) -> int:
    """The number of cells in a line: all of them, or a power of two, or the columns of an image."""
    most = max((room + 1) // (width + 2), 1)
    if 0 < columns <= most:
        return columns
    return most if cells <= most else 1 << (most.bit_length() - 1)


def _columns(document: Document, array: int) -> int:
    """The columns of an array that contains an image; 0 for any other array."""
    case = document["case"] or {}
    size = case.get("rows", 0) * case.get("columns", 0)
    return int(case["columns"]) if size and size == document["arrays"][array]["count"] else 0


def _untouched(document: Document, array: int) -> list[str]:
    """The slots of a short argument before any access: the input's values, or dots for unwritten ones."""
    name, count = document["arrays"][array]["name"], document["arrays"][array]["count"]
    if document["arrays"][array]["space"] == "shared":
        return []
    for argument in (document["case"] or {}).get("arrays", []):
        if argument["name"] == name and argument["count"] == count <= _MOST_WHOLE:
            before: list[str] = argument.get("before", ["."] * count)
            is_float = argument["element"].startswith("float")
            return [values.short(float(text)) for text in before] if is_float and before[:1] != ["."] else before
    return []


def _cells(
    row: rows.Row, ranges: bool, room: int, width: int, columns: int = 0, untouched: Sequence[str] = ()
) -> list[Text]:
    """The cells of a row in as many lines as they need, each `room` characters wide; changed ones have a `*`. They
    begin with slot 0, whether it was touched or not, so that slots are below each other in all rows."""
    cells: list[rows.Cell | None] = [*([None] * row.first), *row.cells]
    cells += [None] * (len(untouched) - len(cells))
    a_line = _cells_of_a_line(len(cells), room, width, columns)
    lines = []
    begins = range(0, len(cells), a_line)
    for begin in begins:
        line = Text()
        for offset, cell in enumerate(cells[begin : begin + a_line], begin):
            event = row.changed.get(offset)
            style = _STYLES.get(event[rows.HOW], "bold") if event else ""
            rest = untouched[offset] if cell is None and offset < len(untouched) and not ranges else ""
            line.append((rest or cell_text(cell, ranges)).rjust(width), style=style)
            line.append("* " if event else "  ", style=style)
        line.rstrip()
        lines.append(line)
    return lines if columns else _fold_equal(lines, begins, len(cells))


def _fold_equal(lines: list[Text], begins: range, count: int) -> list[Text]:
    """The lines; several whose cells are all equal become one: "slots 16 to 255: 0*"."""
    only = [cells.pop() if len(cells := set(line.plain.split())) == 1 else "" for line in lines]
    folded, at = [], 0
    while at < len(lines):
        end = at + 1
        while end < len(lines) and only[end] == only[at] != "":
            end += 1
        if end - at < _EQUAL_LINES:
            folded += lines[at:end]
        else:
            last = begins[end] - 1 if end < len(lines) else count - 1
            folded.append(Text(f"slots {begins[at]} to {last}: ", style="dim").append(only[at], style="not dim"))
        at = end
    return folded


def _idle(step: dict[str, Any]) -> tuple[int, int]:
    """Idle lanes of the step's requests, of how many."""
    idle = sum(32 - int(request[4]).bit_count() for request in step["requests"])
    return idle, 32 * len(step["requests"])


def notes_of(document: Document, step: dict[str, Any]) -> list[str]:
    """What a step's warps cost beyond the least, and what was found in it: a sentence each."""
    notes = []
    excess: Counter[tuple[str, int]] = Counter()
    needed: Counter[tuple[str, int]] = Counter()
    for _, _, site, kind, _, _, took, least in step["requests"]:
        line = document["sites"][site][1]
        needed[kind, line] += took
        excess[kind, line] += took - least
    for (kind, line), more in sorted(excess.items(), key=lambda item: (item[0][1], item[0][0])):
        if more > 0 and kind == "shared":
            notes.append(f"bank conflicts at line {line}: {needed[kind, line]} wavefronts, {more} more than needed")
        elif more > 0:
            notes.append(f"line {line}: {needed[kind, line]} sectors, {more} more than the bytes fill")
    own = {row[rows.ID] for row in step["events"]}
    met = [f for f in document["findings"] if any(event in own for event, _ in f["events"])]
    return [*notes, *(finding["title"] for finding in met)]


def print_table(document: Document, console: Console, ranges: bool = False) -> None:
    """The whole trace. Fits the console's width."""
    story = rows.Story(document)
    shown = list(story.steps())
    every = [row for step in [story.beginning(), *shown] for row in step]
    common = [row for row in every if ranges or not _is_packed(document, row.lane.array)]
    width = max((len(cell_text(c, ranges)) for row in common for c in row.cells), default=1)
    if not ranges:
        width = max([width, *(len(t) for row in every for t in _untouched(document, row.lane.array))])
    names = max((len(row.lane.name(document)) for row in every), default=0)
    names = min(names, 20)
    head = f"{'step':>4} {'line':>4} {'stride':>6}  {'array':<{names}}  "
    room = max(_width_of(console) - len(head), width + 2)

    widths = (names, room, width)
    console.print(Text(document["title"], style="bold"))
    _print_legend(document, console, ranges)
    console.print(Text(head.rstrip(), style="dim"))
    for line in _lines_of_rows(document, ["", ""], story.beginning(), widths, ranges):
        console.print(line, soft_wrap=True)
    steps: list[tuple[Text | None, Lines]] = []
    launch = -1
    for step, written in zip(document["steps"], shown, strict=True):
        begins = step["launch"] is not None and step["launch"] != launch
        launch = step["launch"] if begins else launch
        lines = _lines_of_step(document, step, written, widths, ranges)
        steps.append((_launch_line(document, launch) if begins else None, lines))
    _print_steps(steps, console)
    _print_waits(document, console)
    _print_findings(document, console)
    for note in document["notes"]:
        console.print(Text(f"note: {note}", style="yellow"))


def _lines_of_step(document: Document, step: dict[str, Any], written: list[rows.Row], widths: tuple[int, int, int],
                   ranges: bool) -> Lines:  # fmt: skip
    """The lines of one step, with a blank in the place of its number."""
    first = [str(document["sites"][step["site"]][1] or ""), "" if step["stride"] is None else str(step["stride"])]
    lines = _lines_of_rows(document, first, written, widths, ranges)
    if not written:
        lines = [Text(f"{'':4} {first[0]:>4} {'':6}  reads, and writes nothing", style="dim")]
    for note in notes_of(document, step):
        lines.append(Text(f"{'':4} {note}", style="red" if "race" in note else "yellow"))
    return lines


def _print_steps(steps: list[tuple[Text | None, Lines]], console: Console) -> None:
    """Prints the steps. Steps that repeat the ones before them become one line: a sort goes on when its keys are in
    order. Arrays of one name may be several allocations, one after the other."""
    keys = [
        [_WHICH.sub("", line.plain).split() for line in [*([launch] if launch else []), *lines]]
        for launch, lines in steps
    ]
    at = 0
    while at < len(steps):
        launch, lines = steps[at]
        if launch:
            console.print(launch)
        for part, line in enumerate(lines):
            console.print(Text(f"{at + 1:>4}").append_text(line[4:]) if part == 0 else line, soft_wrap=True)
        at += 1
        for cycle in range(1, min(_LONGEST_CYCLE, at) + 1):
            told, end = keys[at - cycle : at], at
            while keys[end : end + cycle] == told:
                end += cycle
            if end - at > 1:
                which = f"step {at}" if cycle == 1 else f"steps {at - cycle + 1} to {at}"
                console.print(Text(f"{'':4} steps {at + 1} to {end} repeat {which}", style="dim"))
                at = end
                break


def _print_findings(document: Document, console: Console) -> None:
    for finding in document["findings"]:
        place = f"{finding['file']}:{finding['line']}  " if finding["file"] else ""
        warning = "warning: " if finding["warning"] else ""
        title = finding["title"] if finding["kind"] in finding["title"] else f"{finding['kind']}: {finding['title']}"
        console.print(Text(f"{place}{warning}{title}", style="bold red"))
        for line in [*finding["detail"].split("\n"), *([f"try: {finding['hint']}"] if finding["hint"] else [])]:
            console.print(textwrap.fill(line, _width_of(console), initial_indent=" " * 4, subsequent_indent=" " * 8))
    if document["case"]:
        _print_verdict(document, console)


def _print_comparison(array: dict[str, Any], columns: int, console: Console) -> None:
    """What an output holds, below it what it must hold, and a `!` at each slot that differs."""
    values_of = {key: ["." if text == "unwritten" else text for text in array[key]] for key in ("got", "expected")}
    count, wrong = len(array["got"]), set(array["wrong"])
    width = max(len(text) for text in [*values_of["got"], *values_of["expected"]])
    head = max(len(array["name"]), len("expected"))
    a_line = _cells_of_a_line(count, _width_of(console) - head - 2, width, columns)
    lines = [range(begin, min(begin + a_line, count)) for begin in range(0, count, a_line)]
    shown = [line for line in lines if not wrong.isdisjoint(line)][:_MOST_WRONG]
    for line in shown:
        where = f"  from slot {line.start} on" if len(lines) > 1 else ""
        got = "".join(values_of["got"][i].rjust(width) + ("! " if i in wrong else "  ") for i in line)
        expected = "".join(values_of["expected"][i].rjust(width) + "  " for i in line)
        if where:
            console.print(Text(where.strip(), style="dim"))
        console.print(Text(f"{array['name']:<{head}}  {got.rstrip()}", style="bold red"), soft_wrap=True)
        console.print(Text(f"{'expected':<{head}}  {expected.rstrip()}"), soft_wrap=True)


def _print_verdict(document: Document, console: Console) -> None:
    case = document["case"]
    result = case.get("result")
    for array in case["arrays"]:
        if array.get("wrong"):
            columns = case.get("columns", 0) if array["image"] else 0
            _print_comparison(array, columns, console)
    if result and case["verdict"] != "stopped":
        console.print(f"{result['name']} is {result['got']}, expected {result['expected']}")
    said = f": {case['said']}" if case.get("said") and not (result and case["said"].startswith(result["name"])) else ""
    begin = "the result is " if document["findings"] else ""
    verdict = "right on this input" if case["verdict"] == "right" else case["verdict"]
    console.print(textwrap.fill(f"{begin}{verdict}{said}", _width_of(console), subsequent_indent="    "))


def _print_legend(document: Document, console: Console, ranges: bool) -> None:
    what = "[a..b]: the inputs a to b, combined in order; " if ranges else ""
    legend = Text(f"{what}* written in this step", style="dim")
    if console.color_system:
        legend.append(":")
        for how in ("combine", "copy", "constant"):
            legend.append(" ")
            legend.append(how, style=_STYLES[how])
    console.print(legend)


def _launch_line(document: Document, number: int) -> Text:
    launch = document["launches"][number]
    grid = " x ".join(str(extent) for extent in launch["grid"] if extent > 1) or "1"
    threads = " x ".join(str(extent) for extent in launch["block"] if extent > 1) or "1"
    words = f"{launch['kernel']}: {grid} block{'s' if grid != '1' else ''} of {threads}"
    return Text(f"{words} thread{'s' if threads != '1' else ''}", style="bold blue")


def _lines_of_rows(document: Document, head: list[str], written: Sequence[rows.Row], widths: tuple[int, int, int],
                   ranges: bool) -> Lines:  # fmt: skip
    """The lines of the rows; the first one begins with the line and the stride of `head`. Rows of an array that equal
    the one above them share a line."""
    lines: Lines = []
    above: Lines = []
    equal: list[str] = []

    def tell_equal() -> None:
        if equal:
            which = equal[0] if len(equal) == 1 else f"{equal[0]} to {equal[-1]}"
            lines.append(Text(f"{'':4} {'':4} {'':6}  {which}: the same", style="dim"))
        equal.clear()

    for number, row in enumerate(written):
        cells = _lines_of_row(document, row, widths, ranges)
        same = number > 0 and row.lane.array == written[number - 1].lane.array
        if same and [line.plain for line in cells] == [line.plain for line in above] and len(row.cells) > 1:
            equal.append(row.lane.name(document))
            continue
        tell_equal()
        above = cells
        first = head if number == 0 else ["", ""]
        for part, line in enumerate(cells):
            name = _short_name(row.lane.name(document), widths[0]) if part == 0 else ""
            text = Text(f"{'':4} {first[0]:>4} {first[1]:>6}  {name:<{widths[0]}}  " if part == 0 else "")
            if part > 0:
                text.append(" " * (4 + 1 + 4 + 1 + 6 + 2 + widths[0] + 2))
            text.append_text(line)
            text.rstrip()
            lines.append(text)
    tell_equal()
    return lines


def _short_name(name: str, most: int) -> str:
    """The name, cut if it is too long, but never within the number of a block."""
    array, of, block = name.partition(" of block ")
    left = most - len(of + block) - 2
    return name if len(name) <= most else f"{array[: max(left, 1)]}..{of}{block}"


def _is_packed(document: Document, array: int) -> bool:
    """Do its cells need a width of their own?"""
    return bool(document["arrays"][array]["element"] == "digits")


def _lines_of_row(document: Document, row: rows.Row, widths: tuple[int, int, int], ranges: bool) -> Lines:
    _, room, width = widths
    array = row.lane.array
    if _is_packed(document, array) and not ranges:
        width = 2 * values.SIZES["digits"]
    lines = _cells(row, ranges, room, width, _columns(document, array), _untouched(document, array))
    if len(lines) > _MOST_LINES:
        left = len(lines) - _MOST_LINES + 1
        lines[_MOST_LINES - 1 :] = [Text(f"... {left} more lines; HTML=FILE shows all"[:room], style="dim")]
    return lines


def _print_waits(document: Document, console: Console) -> None:
    if not document["waits"]:
        return
    console.print(Text("who waited for whom", style="bold"))
    for wait in document["waits"]:
        array = document["arrays"][wait["array"]]["name"]
        whom = f"block {wait['for']}" if wait["for"] is not None else "nobody who wrote it"
        console.print(
            f"  block {wait['block']} waited for {whom}: read {array}[{wait['index']}] {wait['polls'] + 1} times"
        )


# ---- step by step ---------------------------------------------------------------------------------------------------


def describe(document: Document, story: rows.Story, row: list[Any]) -> str:
    """The text of a write: "tree[3] = tree[1] + tree[3]   11 = 4 + 7   thread 0"."""
    lane, place = story.lane(row)
    left, right = [], []
    for source, _ in story.sources(row):
        from_lane, from_place = story.lane(source)
        left.append(f"{from_lane.name(document)}[{from_place}]")
        right.append(values.short(source[rows.VALUE]))
    sign = " + " if row[rows.HOW] == "combine" else ", "
    value = values.short(row[rows.VALUE])
    target = f"{lane.name(document)}[{place}]"
    if not left:
        return f"{target} = {value}"
    if row[rows.HOW] == "computed":
        return f"{target} = {value}, from {sign.join(left)}"
    return f"{target} = {sign.join(left)}   {value}" + (f" = {sign.join(right)}" if len(right) > 1 else "")


def print_step(document: Document, story: rows.Story, number: int, written: list[rows.Row], console: Console,
               ranges: bool) -> None:  # fmt: skip
    """One step with its operations and its lines of the source."""
    step = document["steps"][number]
    file, line, function = document["sites"][step["site"]]
    place = f"{function}, {file}:{line}" if file else "a copy by the host"
    title = f"step {number + 1} of {len(document['steps'])}   {place}"
    if step["stride"] is not None:
        title += f"   stride {step['stride']}"
    console.print(Text(title, style="bold"))
    width = max((len(cell_text(c, ranges)) for row in written for c in row.cells), default=1)
    names = max((len(row.lane.name(document)) for row in written), default=0)
    for row in written:
        room, array = max(_width_of(console) - names - 2, width + 2), row.lane.array
        lines = _cells(row, ranges, room, width, _columns(document, array), _untouched(document, array))
        for part, cells in enumerate(lines):
            text = Text((row.lane.name(document) if part == 0 else "").ljust(names + 2), style="dim")
            console.print(text.append_text(cells), soft_wrap=True)
    writes = [row for row in step["events"] if row[rows.KIND] == rows.WROTE]
    for row in writes[:_MOST_OPERATIONS]:
        who = "" if row[rows.THREAD] is None else f"   thread {row[rows.THREAD]}"
        if any(lane.block > 0 for lane in story.start) and row[rows.BLOCK] is not None:
            who += f" of block {row[rows.BLOCK]}"
        console.print(Text(f"  {describe(document, story, row)}{who}", style=_STYLES.get(row[rows.HOW], "")))
    if len(writes) > _MOST_OPERATIONS:
        console.print(Text(f"  and {len(writes) - _MOST_OPERATIONS} more", style="dim"))
    idle, lanes = _idle(step)
    if lanes:
        console.print(f"  {idle} of {lanes} lanes of the warps' instructions take no part")
    for note in notes_of(document, step):
        console.print(Text(f"  {note}", style="red" if "race" in note else "yellow"))
    for source in document["sources"]:
        if source["file"] == file:
            _print_source(source["text"].split("\n"), line, console)


def _print_source(lines: list[str], at: int, console: Console) -> None:
    for number in range(max(at - _AROUND, 1), min(at + _AROUND, len(lines)) + 1):
        mark = ">" if number == at else " "
        style = "bold" if number == at else "dim"
        console.print(Text(f"{mark}{number:5}  {lines[number - 1]}"[: console.width], style=style), soft_wrap=True)


_FORWARD, _BACK = {"n", "j", "l", " ", "\r", "\x1b[C", "\x1b[B"}, {"p", "k", "h", "b", "\x7f", "\x1b[D", "\x1b[A"}
_HOME, _END, _RANGES, _QUIT = {"g", "\x1b[H", "\x1b[1~"}, {"G", "\x1b[F", "\x1b[4~"}, {"r"}, {"q", "\x04"}


@contextlib.contextmanager
def _keys() -> Iterator[Iterator[str]]:
    """The keys that are pressed, read immediately and without echo. The terminal is restored afterwards."""
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor, termios.TCSADRAIN)  # keeps input that was typed ahead
    try:
        yield iter(lambda: os.read(descriptor, 8).decode("utf-8", "replace"), "")
    except KeyboardInterrupt:
        print()
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def walk(document: Document, console: Console, ranges: bool, keys: Iterable[str] | None = None) -> None:
    """Goes forwards and backwards by key. Raises TraceError when there is no terminal."""
    if keys is not None:
        _walk(document, console, ranges, iter(keys))
        return
    if not sys.stdin.isatty():
        raise TraceError("STEP=1 needs a terminal to read keys from; without it, the whole table is printed")
    with _keys() as pressed:
        _walk(document, console, ranges, pressed)


def _walk(document: Document, console: Console, ranges: bool, keys: Iterator[str]) -> None:
    story = rows.Story(document)
    shown = list(story.steps())
    at = 0
    while True:
        console.clear()
        print_step(document, story, at, shown[at], console, ranges)
        console.print(Text("\nright, left: a step; g, G: first, last; r: values or ranges; q: end", style="dim"))
        key = next(keys, "q")
        if key in _QUIT:
            return
        if key in _FORWARD:
            at = min(at + 1, len(shown) - 1)
        elif key in _BACK:
            at = max(at - 1, 0)
        elif key in _HOME or key in _END:
            at = 0 if key in _HOME else len(shown) - 1
        elif key in _RANGES:
            ranges = not ranges
