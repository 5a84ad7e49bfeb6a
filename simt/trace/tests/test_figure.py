"""Figures: their contents, that they are the same each time, and that those of the handouts are up to date."""

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import figure
import pictures
import pytest
from conftest import ROOT, Traced
from events import TraceError
from figure import Look
from parts import Call

sys.path.insert(0, str(ROOT / "reference"))
import figures

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


def test_a_figure_is_the_literature_s_picture(traced: Traced) -> None:
    svg = figure.steps(
        traced(Call(3, "scan_blelloch")), Look("down-sweep", arrays=("tree",), steps=(5, 6), first=False)
    )
    assert [text for text in texts(svg) if text.isdigit()] == [
        "3",
        "4",
        "7",
        "0",
        "4",
        "5",
        "6",
        "11",
        "3",
        "0",
        "7",
        "4",
        "4",
        "11",
        "6",
        "16",
    ]
    assert "tree, stride 2" in texts(svg)
    arrows = [element.get("class") for element in ET.fromstring(svg).iter(f"{SVG}path")]
    assert (arrows.count("a combine"), arrows.count("a copy")) == (4, 2)
    assert ET.fromstring(svg).findtext(f"{SVG}title") == "down-sweep"


def test_a_figure_of_a_race_marks_both_accesses(traced: Traced) -> None:
    call = Call(2, "scan_in_place")
    look = Look("race", arrays=("buffer",), steps=(0, 1))
    assert 'class="race"' not in figure.steps(traced(call), look)
    svg = figure.steps(traced(call, "naive_scan/in_place-no-second-barrier"), look)
    assert svg.count('height="22" class="race"') == 2 * 7
    assert {"t0 w", "t1 r"} <= set(texts(svg))


def test_what_a_figure_cannot_show_is_said(traced: Traced) -> None:
    trace = traced(Call(3, "scan_blelloch"))
    with pytest.raises(TraceError, match="shows nothing"):
        figure.steps(trace, Look("none", arrays=("no such",)))
    with pytest.raises(TraceError, match="several blocks"):
        figure.blocks(trace, "none")


def test_the_handouts_figures_are_fresh_and_each_is_shown(tmp_path: Path) -> None:
    drawn = figures.draw_all()
    assert figures.stale(drawn, figures.FOLDER) == []
    shown = set()
    for handout in sorted((ROOT / "handouts").glob("*.md")):
        for alt, target in re.findall(r"!\[([^]]*)\]\(figures/([^)]+)\)", handout.read_text(encoding="utf-8")):
            shown.add(target)
            assert len(alt) >= 30, f"{handout.name}: what does {target} show?"
    assert shown == drawn.keys()
    for name, text in drawn.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "up-sweep.svg").write_text(drawn["up-sweep.svg"].replace(">25<", ">26<"), encoding="utf-8")
    (tmp_path / "tiles.svg").rename(tmp_path / "old.svg")
    assert figures.stale(drawn, tmp_path) == [
        "tiles.svg is missing",
        "old.svg is no figure any more",
        "up-sweep.svg is stale",
    ]


def test_a_figure_of_any_trace_is_written(traced: Traced, tmp_path: Path) -> None:
    for call in (
        Call(4, "compact"),
        Call(7, "sat", options=("--shape", "4x8")),
        Call(6, "scan_inclusive", 64, tile=16),
    ):
        svg = figure.steps(traced(call), Look("any"))
        assert svg == figure.steps(traced(call), Look("any"))
        assert ET.fromstring(svg).tag == f"{SVG}svg"


def test_a_tree_stands_over_the_places_of_its_nodes(traced: Traced) -> None:
    found = texts(pictures.tree(traced(Call(3, "scan_blelloch")), "tree", "tree"))
    nodes = [text for text in found if text.isdigit()]
    assert nodes[:8] == ["3", "1", "7", "0", "4", "1", "6", "3"]
    assert nodes[8:15] == ["4", "7", "5", "9", "11", "14", "25"]
    assert nodes[15::2] == ["3", "4", "7", "11", "4", "5", "6", "25"]
    with pytest.raises(TraceError, match="combined"):
        pictures.tree(traced(Call(4, "compact")), "none", "out")


def test_a_picture_of_a_box_has_its_four_corners(traced: Traced) -> None:
    trace = traced(Call(7, "box_filter", options=("--shape", "5x7", "--seed", "9")))
    found = texts(pictures.corners(trace, "box", 17))
    assert "D - B - C + A = 72 - 15 - 26 + 4 = 35" in found
    assert "9 pixels; their mean, rounded: 4" in found
    with pytest.raises(TraceError, match="reads 1 elements"):
        pictures.corners(trace, "box", 0)


def test_a_picture_of_sectors_tells_columns_side_by_side_from_those_apart(traced: Traced) -> None:
    call = Call(7, "scan_columns", options=("--shape", "2x96"))
    apart = traced(call, "summed_area_table/columns-lie-apart")
    found = texts(pictures.sectors([(traced(call), "beside"), (apart, "apart")], "sectors"))
    assert found == ["beside: 4 sectors for 32 lanes", "apart: 12 sectors for 32 lanes"]


def test_a_picture_of_an_automaton_shows_the_states_that_the_part_returns(traced: Traced) -> None:
    trace = traced(Call(8, "lex", 7, options=("--input", "random", "--seed", "3")))
    root = ET.fromstring(pictures.maps(trace, "maps", 13))
    ends = [element.text for element in root.iter(f"{SVG}text") if element.get("class") == "b"]
    number = next(i for i, array in enumerate(trace["arrays"]) if array["name"] == "states")
    states = {e[6]: str(e[7]) for step in trace["steps"] for e in step["events"] if e[1] == "w" and e[5] == number}
    assert ends == 2 * [states[i] for i in range(7)]


def test_a_figure_of_digits_shows_the_bits_of_each_key_and_what_each_step_does() -> None:
    found = texts((figures.FOLDER / "digits.svg").read_text(encoding="utf-8"))
    keys = [int(word) for word in found[1:30] if len(word) <= 2][::2][:10]
    bits = [word for word in found if re.fullmatch("[01][01]", word)]
    assert bits[:10] == [f"{key % 4:02b}" for key in keys]
    assert bits[10:] == sorted(bits[:10])
    assert [word for word in found if word in ("count", "scan", "move")] == ["count", "scan", "move"]


def test_the_figure_of_a_look_back_has_the_skeleton_s_names_and_a_legend() -> None:
    found = " ".join(texts((figures.FOLDER / "look-back.svg").read_text(encoding="utf-8")))
    skeleton = (ROOT / "student/arbitrary_length_scan.cu").read_text(encoding="utf-8")
    names = set(re.findall(r"(\w+)\[\d\]", found))
    assert names == {"status", "sums", "prefixes"}
    assert all(f" *{name};" in skeleton for name in names)
    assert {"status[2]=SUM", "status[2]=PREFIX", "sums[1]=1920", "prefixes[0]=1920"} <= set(found.split())
    assert all(words in found for words in ("takes a ticket", "publishes", "reads again and again", "ends the wait"))


def test_each_key_of_a_merge_sort_has_an_arrow_into_each_row() -> None:
    """This includes the sorted tiles, where the keys come through shared memory and a scan."""
    svg = (figures.FOLDER / "merge-sort.svg").read_text(encoding="utf-8")
    ends = re.findall(r'<path class="a copy" d="M[\d.]+ [\d.]+L([\d.]+) ([\d.]+)"/>', svg)
    rows_reached = {y: sorted(float(x) for x, other in ends if other == y) for _, y in ends}
    assert [len(set(places)) for places in rows_reached.values()] == [16, 16, 16]


def test_keys_of_the_example_are_small(traced: Traced) -> None:
    """Keys of 32 bits would hide what a split does."""
    assert {"3", "1", "7", "0"} <= set(texts(figure.steps(traced(Call(5, "split")), Look("split"))))


def test_the_readme_opens_with_a_picture_and_the_message_of_the_same_run(traced: Traced) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"!\[[^]]*\]\(([^)]+)\)", readme)[0] == "handouts/figures/kogge-stone-race.svg"
    trace = traced(Call(2, "scan_in_place"), "naive_scan/in_place-no-second-barrier")
    finding = trace["findings"][0]
    kernel = next(name for file, line, name in trace["sites"] if (file, line) == (finding["file"], finding["line"]))
    assert re.findall(r"^```text\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)[0] == (
        f"{finding['file']}:{finding['line']}  {kernel}: {finding['title']}\n"
        f"    {finding['detail']}\n    try: {finding['hint']}\n"
    )
