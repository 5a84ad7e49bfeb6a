"""The table in the terminal, and the keys that walk through the steps."""

import io
import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
import terminal
from conftest import LOOK_BACK, ROOT, Trace, Traced
from parts import Call
from rich.console import Console

BLELLOCH = """\
scan_blelloch, sum, n = 8
* written in this step
step line stride  array
                  in     3   1   7   0   4   1   6   3
scan_blelloch_kernel: 1 block of 4 threads
   1    A         tree   3*  1*  7*  0*  4*  1*  6*  3*
   2    B      1  tree   3   4*  7   7*  4   5*  6   9*
   3    B      2  tree   3   4   7  11*  4   5   6  14*
   4    B      4  tree   3   4   7  11   4   5   6  25*
   5    C         tree   3   4   7  11   4   5   6   0*
   6    D      4  tree   3   4   7   0*  4   5   6  11*
   7    D      2  tree   3   0*  7   4*  4  11*  6  16*
   8    D      1  tree   0*  3*  4* 11* 11* 15* 16* 22*
   9    E         out    0*  3*  4* 11* 11* 15* 16* 22*
right on this input
"""


def printed(trace: Trace, width: int = 80, ranges: bool = False, colour: bool = False) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, highlight=False, force_terminal=colour)
    terminal.print_table(trace, console, ranges)
    return out.getvalue()


def test_the_table_is_that_of_the_literature(traced: Traced) -> None:
    text = printed(traced(Call(3, "scan_blelloch")))
    lines: dict[str, str] = {}

    def letter(match: re.Match[str]) -> str:
        name = lines.setdefault(match[2], "ABCDE"[len(lines)])
        return f"{match[1]}{name:>4}"

    assert re.sub(r"^( +\d )( +\d+)(?= )", letter, text, flags=re.M) == BLELLOCH


@pytest.mark.parametrize("ranges", [False, True])
@pytest.mark.parametrize(
    "call",
    [
        *[Call(3, "scan_blelloch"), Call(2, "scan_in_place", 13), Call(3, "scan_coarsened", 70), Call(4, "compact")],
        *[Call(7, "sat", options=("--shape", "4x8")), Call(6, "scan_inclusive", 64, tile=16)],
        *[Call(8, "linear_recurrence"), Call(3, "scan_brent_kung", 16, "interval")],
    ],
)
def test_lines_fit_eighty_columns(traced: Traced, call: Call, ranges: bool) -> None:
    text = printed(traced(call), 80, ranges)
    assert max(len(line) for line in text.split("\n")) <= 80
    assert all(line == line.rstrip() for line in text.split("\n"))


def test_a_row_begins_with_slot_0(traced: Traced) -> None:
    """Although nothing is written to slot 0 of `out`, its row begins there, so an inclusive scan looks wrong."""
    text = printed(traced(Call(4, "compact"), mutant="compaction/compact-inclusive-scan"))
    before, after = (re.search(rf"^ .* {name} +(.*)$", text, re.M) for name in ("in", "out"))
    assert before and after
    assert before[1].split() == ["3", "1", "7", "0", "4", "1", "6", "3"]
    assert after[1].split() == [".", "3*", "1*", "7*", "4*", "1*", "6*", "3*"]


def test_wrong_slots_are_marked_below_what_they_must_hold(traced: Traced) -> None:
    text = printed(traced(Call(4, "compact"), mutant="compaction/compact-inclusive-scan"))
    assert text.endswith(
        "out       .! 3! 1! 7! 4! 1! 6! 3!\nexpected  3  1  7  4  1  6  3  .\nthe count is 8, expected 7\nwrong\n"
    )


def test_a_slot_that_no_thread_touches_is_shown_as_it_is(traced: Traced) -> None:
    """scatter does not read the slots of dropped elements."""
    text = printed(traced(Call(4, "scatter")))
    slots = re.search(r"^ +slots +(.*)$", text, re.M)
    assert slots and len(slots[1].split()) == 8
    assert text.endswith("right on this input\n")


MISTAKES = [
    (Call(4, "scatter"), "compaction/scatter-asks-the-predicate", "slot 1 holds 7, expected 0"),
    (Call(7, "box_filter", options=("--shape", "4x8")), "summed_area_table/box-corner-not-given-back", "expected"),
    (Call(8, "lex"), "applications/lex-composed-backwards", "expected"),
]


@pytest.mark.parametrize(("call", "mutant", "words"), MISTAKES, ids=str)
def test_the_example_shows_a_natural_mistake(traced: Traced, call: Call, mutant: str, words: str) -> None:
    trace = traced(call, mutant=mutant)
    assert trace["case"]["verdict"] == "wrong"
    assert words in printed(trace) and "! " in printed(trace)
    assert traced(call)["case"]["verdict"] == "right"


def test_slots_and_steps_that_are_equal_are_told_once(traced: Traced) -> None:
    """A sort of eight keys by digits uses at most eight of its 256 counters, and its last passes change nothing."""
    digits = printed(traced(Call(5, "radix_sort_digits")))
    assert len(digits.split("\n")) <= 120
    assert re.search(r"counts +(\d\* ){15}\d\*\n +slots 16 to 255: 0\*\n", digits)
    assert "before[1] to before[7]: the same" in digits
    tile = printed(traced(Call(5, "sort_tile")))
    assert "steps 7 to 64 repeat steps 5 to 6" in tile and "\n  65 " in tile
    assert "repeat" not in printed(traced(Call(3, "scan_blelloch")))


def test_arrays_of_a_helper_have_the_names_of_those_who_write_them(traced: Traced) -> None:
    """Lab 8 allocates by one function. Its maps of states are hexadecimal digits, one for each state."""
    text = printed(traced(Call(8, "lex")))
    assert re.search(r"^ +1 +\d+ +maps +0001aa8866511211\* ", text, re.M)
    assert [name for name in ("flags", "numbers", "begins") if f" {name} " not in text] == []


def test_a_block_of_one_thread_is_said_to_show_no_race(traced: Traced) -> None:
    mutant = "arbitrary_length_scan/tiles-second-barrier-missing"
    one, four = (traced(Call(6, "scan_tiles", 32, tile=tile), mutant=mutant) for tile in (8, 32))
    assert one["case"]["verdict"] == "right" and "TILE=32 has more threads" in printed(one)
    assert four["case"]["verdict"] == "wrong" and "race on shared" in printed(four)
    assert "has more threads" not in printed(four)


def test_a_long_name_keeps_the_number_of_its_block(traced: Traced) -> None:
    text = printed(traced(Call(6, "scan_tiles", 60, tile=32)))
    assert "section.. of block 0" in text and "section.. of block 1" in text


def test_a_long_row_is_cut(traced: Traced) -> None:
    text = printed(traced(Call(3, "scan_blelloch", 512)))
    assert text.count("more lines; HTML=FILE shows all") == 1 + 21
    assert len(text.split("\n")) < 22 * 17 + 40
    assert max(len(line) for line in text.split("\n")) <= 80


def test_without_a_width_lines_are_as_long_as_they_are(traced: Traced, tmp_path: Path) -> None:
    """COLUMNS=0 has this meaning everywhere in the course."""
    for width, environment in ((None, {"COLUMNS": "0"}), (0, {"COLUMNS": "60"})):
        out = io.StringIO()
        console = terminal.console_of(width, environment)
        console.file = out
        terminal.print_table(traced(Call(3, "scan_blelloch", 64)), console)
        rows_ = [line for line in out.getvalue().split("\n") if " tree " in line]
        assert len(rows_) == 1 + 6 + 1 + 6
        assert all(len(line.split()) >= 64 for line in rows_)
        assert all(line == line.rstrip() for line in out.getvalue().split("\n"))
    assert terminal.console_of(None, {"COLUMNS": "60"}).width == 60
    file = tmp_path / "trace.json"
    file.write_text(json.dumps(traced(Call(3, "scan_blelloch", 64))), encoding="utf-8")
    words = [sys.executable, str(ROOT / "simt/trace/show.py"), str(file)]
    done = subprocess.run(words, env={"COLUMNS": "0"}, capture_output=True, text=True, check=True)
    assert done.stdout == out.getvalue()


def test_colour_only_where_there_is_some(traced: Traced) -> None:
    trace = traced(Call(3, "scan_blelloch"))
    plain, coloured = printed(trace), printed(trace, colour=True)
    assert "\x1b[" not in plain
    assert "\x1b[1;32m11" in coloured.replace(" ", "")  # a combine
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured).split("\n")[4:] == plain.split("\n")[4:]


def test_races_and_waits_are_told(traced: Traced) -> None:
    text = printed(traced(Call(2, "scan_in_place"), "naive_scan/in_place-no-second-barrier"))
    assert "race on shared buffer[0]" in text
    assert "and no barrier stands between" in " ".join(text.split())
    text = printed(traced(LOOK_BACK))
    assert re.search(r"block \d waited for block \d: read flags\[\d\] \d+ times", text)


def test_steps_go_forwards_and_backwards(traced: Traced) -> None:
    out = io.StringIO()
    trace = traced(Call(3, "scan_blelloch"))
    keys = ["\x1b[C", "n", "\x1b[D", "G", "n", "g", "p", "r", "q", "never"]
    terminal.walk(trace, Console(file=out, width=80, highlight=False), False, keys)
    assert re.findall(r"^step (\d) of 9", out.getvalue(), flags=re.M) == list("123299111")
    assert "tree[1] = tree[0] + tree[1]   4 = 3 + 1   thread 0" in out.getvalue()
    assert "[0..0]" in out.getvalue().split("step 1 of 9")[-1]


def test_keys_come_from_a_terminal(traced: Traced, tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    file.write_text(json.dumps(traced(Call(3, "scan_blelloch"))), encoding="utf-8")
    words = [sys.executable, str(ROOT / "simt/trace/show.py"), str(file), "--step"]
    refused = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "needs a terminal" in refused.stderr

    child, terminal_ = pty.fork()
    if child == 0:
        os.execve(words[0], words, {"TERM": "xterm", "COLUMNS": "80", "PATH": "/usr/bin:/bin"})
    seen = ""
    for wanted, key in (("step 1 of 9", b"\x1b[C"), ("step 2 of 9", b"\x1b[D"), ("step 1 of 9", b"q")):
        seen = read_until(terminal_, wanted)
        os.write(terminal_, key)
    assert wanted in seen
    assert os.waitpid(child, 0)[1] == 0


def read_until(descriptor: int, wanted: str) -> str:
    seen, deadline = "", time.monotonic() + 60
    while not ("q: end" in seen and wanted in seen):
        assert time.monotonic() < deadline, seen
        if select.select([descriptor], [], [], 1)[0]:
            seen += os.read(descriptor, 65536).decode("utf-8", "replace")
    return seen
