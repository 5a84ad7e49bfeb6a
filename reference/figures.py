"""Draws the figures of the handouts. Each comes from a run of the reference or of a mutant, or from a table of times that
a GPU took; none is drawn by hand.

usage: figures.py [--check]

Writes handouts/figures/NAME.svg. With --check, it lists those that are stale and writes nothing.
"""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "simt/trace"), str(ROOT / "reference"), str(ROOT)]

import figure  # noqa: E402
import pictures  # noqa: E402
import prediction  # noqa: E402
import roofline  # noqa: E402
import sorts  # noqa: E402
from events import TraceError  # noqa: E402
from figure import Look  # noqa: E402
from parts import Call, Tracer, trace_program  # noqa: E402

from grader.audit.trials import find_trial, make_source  # noqa: E402

FOLDER = ROOT / "handouts/figures"
Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """One file: the program or part, the submissions, and the drawing function."""

    name: str
    call: Call | None  # None: the program with this name in reference/programs
    draw: Callable[..., str]  # takes one trace for each of `whose`
    whose: tuple[str, ...] = ("",)  # mutants, as LAB/NAME; empty for the reference


def _steps(**look: Any) -> Callable[[Document], str]:
    return lambda document: figure.steps(document, Look(**look))


def _banks(stride: int, title: str) -> Callable[[Document], str]:
    def draw(document: Document) -> str:
        number = next(
            i for i, step in enumerate(document["steps"]) if step["requests"] and _reach(document, i) == stride
        )
        return figure.banks(document, number, title)

    return draw


def _reach(document: Document, number: int) -> int:
    """The stride of an up-sweep's step, computed from the number of lanes that combine: at stride 1 there are 128
    elements for each pair."""
    active = sum(int(r[4]).bit_count() for r in document["steps"][number]["requests"] if r[3] == "combine")
    return 128 // active if active else 0


def _of_the_skeleton(label: str) -> str:
    """Renames arrays: the reference has one array for status and ticket and one for sums and prefixes, and the stub has
    four names."""
    status = ("NOTHING", "SUM", "PREFIX")
    label = re.sub(r"flags\[(\d+)\]=(\d)", lambda m: f"status[{m[1]}]={status[int(m[2])]}", label)
    return re.sub(r"values\[(\d+)\]", lambda m: _sum_or_prefix(int(m[1])), label)


def _sum_or_prefix(index: int) -> str:
    return f"sums[{index}]" if index < LOOK_BACK_TILES else f"prefixes[{index - LOOK_BACK_TILES}]"


LOOK_BACK_TILES = 4
LOOK_BACK = Call(6, "scan_single_pass", 1600, tile=32, options=("--order", "random", "--seed", "6"))
FIGURES = (
    Figure("reduction-divergent", Call(1, "reduce_tile", 16),
           _steps(title="Interleaved reduction: neighbours add, and idle lanes stand between those at work", arrays=("tile",), threads=True)),
    Figure("reduction-packed", Call(1, "reduce_tile_packed", 16),
           _steps(title="Packed reduction: the threads at work are neighbours", arrays=("tile",), threads=True)),
    Figure("hillis-steele", Call(2, "scan_double_buffered"),
           _steps(title="Hillis–Steele scan with two buffers: each step reads one and writes the other")),
    Figure("kogge-stone-race", Call(2, "scan_in_place"),
           _steps(title="Kogge–Stone scan in place without the second barrier: one thread writes what another has yet to read",
                  arrays=("in", "buffer"), steps=(0, 1)),
           ("naive_scan/in_place-no-second-barrier",)),
    Figure("kogge-stone", Call(2, "scan_in_place"),
           _steps(title="Kogge–Stone scan in place with two barriers a step", arrays=("in", "buffer"))),
    Figure("up-sweep", Call(3, "scan_blelloch"),
           _steps(title="Up-sweep: every node becomes the sum of its two children", arrays=("tree",), steps=(0, 1, 2, 3))),
    Figure("down-sweep", Call(3, "scan_blelloch"),
           _steps(title="Down-sweep: the left child receives a copy of the parent, the right one the parent and the left child combined",
                  arrays=("tree",), steps=(4, 5, 6, 7), first=False)),
    Figure("tree", Call(3, "scan_blelloch"),
           lambda document: pictures.tree(document, "The tree that an up-sweep thinks of, and the array that is there", "tree")),
    Figure("brent-kung", Call(3, "scan_brent_kung", 16),
           _steps(title="Brent–Kung scan of 16 elements: which inputs each place has summed", arrays=("tree",), ranges=True)),
    Figure("banks-before", Call(3, "scan_blelloch", 256), _banks(4, "Stride 4 without padding: 32 lanes share 4 banks")),
    Figure("banks-after", Call(3, "scan_conflict_free", 256), _banks(4, "Stride 4 with padding: each lane has a bank of its own")),
    Figure("compaction", Call(4, "compact"), _steps(title="Compaction: map to 0 and 1, scan, scatter")),
    Figure("split", Call(5, "split", options=("--input", "random", "--seed", "163")),
           _steps(title="Split by bit 0: zeros first, and both keep their order", arrays=("in", "out"), bits=1)),
    Figure("bitonic-merge", Call(5, "merge_tiles", tile=4, options=("--input", "random", "--seed", "8")),
           _steps(title="Bitonic merge: the right tile stands turned round; then strides 4, 2 and 1")),
    Figure("merge-sort", None,
           lambda document: pictures.levels(document, "Merge sort of tiles: pairs are merged until one tile is left",
                                            (("in", 16), ("sort_tile", 4), ("merge_tiles", 8), ("merge_tiles", 16)))),
    Figure("digits", Call(5, "radix_sort_digits", 10, options=("--input", "random", "--seed", "1033")),
           _steps(title="A pass by digits of two bits: counts, their scan, and the keys where the scan sends them",
                  arrays=("in", "counts", "scratch"), steps=(2, 3, 9), bits=2, phases=("count", "scan", "move"))),
    Figure("tiles", Call(6, "scan_inclusive", 32, tile=8),
           _steps(title="Tiles are scanned, their sums are scanned, and the sum before each tile is added",
                  arrays=("in", "out", "sums"), phases=("1. scan each tile", "2. scan the sums", "3. add to each tile"))),
    Figure("look-back", LOOK_BACK,
           lambda document: figure.blocks(document, "A look-back over time: what each block published, and who waited for whom",
                                          _of_the_skeleton)),
    Figure("rows-and-columns", Call(7, "sat", options=("--shape", "4x6")),
           lambda document: pictures.image_passes(document, "A summed-area table: scan the rows, then the columns of the result")),
    Figure("sectors", Call(7, "scan_columns", options=("--shape", "2x96")),
           lambda own, apart: pictures.sectors([(own, "neighbours take neighbouring columns"), (apart, "neighbours take columns a grid apart")],
                                               "The sectors that move for a warp's first request"),
           ("", "summed_area_table/columns-lie-apart")),
    Figure("corners", Call(7, "box_filter", options=("--shape", "5x7", "--seed", "9")),
           lambda document: pictures.corners(document, "The four corners of a box", 17)),
    Figure("automaton", Call(8, "lex", 7, options=("--input", "random", "--seed", "3")),
           lambda document: pictures.maps(document, "The maps of an automaton, and their scan", 13)),
)  # fmt: skip


def _tracer(mutant: str) -> Tracer:
    if not mutant:
        return Tracer()
    lab, name = mutant.split("/")
    folder = ROOT / "build/trace/sources" / name
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{lab}.cu"
    text = make_source(ROOT / "reference", find_trial(ROOT / "reference", mutant)).source
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")
    return Tracer(f"mutant-{name}", folder)


def _trace_program(name: str) -> Document:
    """The trace of a program that calls the parts of lab 5, with tiles of 8 keys."""
    folders = (
        "reference",
        "labs/include",
        "labs/stock",
        "labs/support/stock",
        "labs/support/call",
        "labs/5-radix-sort",
        "simt",
    )
    words = ["-DSIMT_TRACE", "-DTILE=8", "-DMONOID=MONOID_SUM", *(f"-I{folder}" for folder in folders)]
    return trace_program(ROOT / f"reference/programs/{name}.cu", [*words, "labs/support/stock/stock_cpu.c"])


def draw_all() -> dict[str, str]:
    """File name -> text of the figure, for all figures."""
    tracers: dict[str, Tracer] = {}
    drawn = {}
    for one in FIGURES:
        if one.call is None:
            traces = [_trace_program(one.name)]
        else:
            traces = [tracers.setdefault(who, _tracer(who)).trace(one.call) for who in one.whose]
        drawn[f"{one.name}.svg"] = one.draw(*traces)
    page = (ROOT / "handouts/speed-of-light.md").read_text(encoding="utf-8")
    drawn["roofline.svg"] = roofline.draw(page, "How far each scan is below the roof of its bytes")
    drawn["sorts.svg"] = sorts.draw(page, "CUB's time divided by that of three sorts, over 28 kinds of keys")
    drawn["prediction.svg"] = prediction.draw("The times of all parts, measured and predicted from the other parts")
    return drawn


def stale(drawn: dict[str, str], folder: Path) -> list[str]:
    """The files of a folder that are missing, are no longer figures, or differ from what is drawn now."""
    there = {path.name for path in folder.glob("*.svg")}
    missing = [f"{name} is missing" for name in sorted(drawn.keys() - there)]
    left = [f"{name} is no figure any more" for name in sorted(there - drawn.keys())]
    other = [
        f"{name} is stale"
        for name in sorted(drawn.keys() & there)
        if (folder / name).read_text(encoding="utf-8") != drawn[name]
    ]
    return [*missing, *left, *other]


def main() -> int:
    try:
        drawn = draw_all()
    except TraceError as error:
        print(f"figures: {error}", file=sys.stderr)
        return 2
    if sys.argv[1:] == ["--check"]:
        wrong = stale(drawn, FOLDER)
        print("\n".join([*wrong, *(["make figures draws them anew"] if wrong else [])]))
        return 1 if wrong else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in stale(drawn, FOLDER):
        if name.endswith("no figure any more"):
            (FOLDER / name.split(" ")[0]).unlink()
    for name, text in drawn.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(FOLDER.relative_to(ROOT) / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
