"""The contents of traces, compared with the literature's tables, with interval inputs and with planted races."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import document
import jsonschema
import published
import pytest
import rows
from conftest import LOOK_BACK, ROOT, Trace, Traced
from events import read_record
from parts import Call

HERE = ROOT / "simt/trace"
EXAMPLE = [3, 1, 7, 0, 4, 1, 6, 3]


def shown(trace: Trace, array: str) -> list[list[rows.Value]]:
    """Returns the array's contents after each step that writes it; for an array with dimensions, those of any of its
    rows."""
    story = rows.Story(trace)
    return [
        [cell.value if cell else None for cell in row.cells]
        for step in story.steps()
        for row in step
        if row.lane.name(trace).split("[")[0] == array
    ]


def table(text: str) -> list[list[int]]:
    return [[int(word) for word in line.split()] for line in text.strip().split("\n")]


def test_blelloch_is_the_table_of_the_literature(traced: Traced) -> None:
    trace = traced(Call(3, "scan_blelloch"))
    assert shown(trace, "tree") == table("""
        3 1 7  0  4 1  6  3
        3 4 7  7  4 5  6  9
        3 4 7 11  4 5  6 14
        3 4 7 11  4 5  6 25
        3 4 7 11  4 5  6  0
        3 4 7  0  4 5  6 11
        3 0 7  4  4 11 6 16
        0 3 4 11 11 15 16 22""")
    assert shown(trace, "out") == [[0, 3, 4, 11, 11, 15, 16, 22]]
    assert [step["stride"] for step in trace["steps"]] == [None, 1, 2, 4, None, 4, 2, 1, None]


def test_double_buffered_is_the_table_of_the_literature(traced: Traced) -> None:
    trace = traced(Call(2, "scan_double_buffered"))
    expected = table("""
        3 1  7  0  4  1  6  3
        3 4  8  7  4  5  7  9
        3 4 11 11 12 12 11 14
        3 4 11 11 15 16 22 25""")
    assert shown(trace, "buffer") == expected
    assert [step["stride"] for step in trace["steps"]] == [None, 1, 2, 4, None]


@pytest.mark.parametrize(("part", "mutant"), [("split", "split-unstable"), ("radix_sort_pairs", "pairs-unstable")])
def test_a_split_that_is_not_stable_shows_in_the_example(traced: Traced, part: str, mutant: str) -> None:
    """Keys that are the same read backwards, such as 3 1 7 1 3, would hide it."""
    array = "out" if part == "split" else "values_out"
    right, wrong = (
        shown(trace, array)[-1] for trace in (traced(Call(5, part)), traced(Call(5, part), f"radix_sort/{mutant}"))
    )
    assert right != wrong
    assert sorted(map(int, right)) == sorted(map(int, wrong))  # type: ignore[arg-type]


def test_up_sweep_copies_and_combines_are_told_apart(traced: Traced) -> None:
    trace = traced(Call(3, "scan_blelloch"))
    story = rows.Story(trace)
    level = trace["steps"][6]  # down-sweep, stride 2
    writes = {row[rows.INDEX]: row for row in level["events"] if row[rows.KIND] == rows.WROTE}
    assert {place: row[rows.HOW] for place, row in writes.items()} == {1: "copy", 3: "combine", 5: "copy", 7: "combine"}
    assert [source[rows.INDEX] for source, _ in story.sources(writes[5])] == [7]
    assert [source[rows.INDEX] for source, _ in story.sources(writes[7])] == [7, 5]


@pytest.mark.parametrize(
    ("lab", "part", "n"),
    [
        *[(2, "scan_quadratic", 8), (2, "scan_double_buffered", 8), (2, "scan_in_place", 13), (2, "scan_global", 21)],
        *[(3, "scan_blelloch", 16), (3, "scan_brent_kung", 32), (3, "scan_conflict_free", 32)],
        *[(3, "scan_coarsened", 70), (3, "scan_global_tree", 13)],
    ],
)
def test_ranges_are_those_of_interval_inputs(traced: Traced, lab: int, part: str, n: int) -> None:
    """For each event, the ranges computed for sums are those in the values of the interval run."""
    proof = traced(Call(lab, part, n, "interval"))
    judged = 0
    own = _written(traced(Call(lab, part, n)))
    for event, witness in zip(own, _written(proof), strict=True):
        assert rows.range_text(witness[rows.RANGE]) == witness[rows.VALUE]
        assert rows.range_text(event[rows.RANGE]) == witness[rows.VALUE]
        judged += 1
    assert judged >= n


def _written(trace: Trace) -> list[list[Any]]:
    return [row for step in trace["steps"] for row in step["events"] if row[rows.KIND] == rows.WROTE]


def test_a_race_is_at_both_accesses(traced: Traced) -> None:
    call = Call(2, "scan_in_place")
    assert traced(call)["findings"] == []
    trace = traced(call, "naive_scan/in_place-no-second-barrier")
    [finding] = trace["findings"]
    assert finding["kind"] == "race"
    story = rows.Story(trace)
    for event, other in finding["events"]:
        first, second = story.events[other], story.events[event]
        assert first[rows.INDEX] == second[rows.INDEX]
        assert first[rows.THREAD] != second[rows.THREAD]
        assert {first[rows.KIND], second[rows.KIND]} >= {"w"}
        assert {trace["sites"][row[rows.SITE]][1] for row in (first, second)} == {
            finding["line"],
            finding["other_line"],
        }
    assert len(finding["events"]) >= 7


def test_a_look_back_says_who_waited_for_whom(traced: Traced) -> None:
    trace = traced(LOOK_BACK)
    assert trace["case"]["verdict"] == "right"
    assert trace["waits"]
    story = rows.Story(trace)
    for wait in trace["waits"]:
        flag = story.events[wait["write"]]
        assert trace["arrays"][wait["array"]]["name"] == "flags"
        assert wait["from"] < wait["write"] < wait["to"]
        assert flag[rows.BLOCK] == wait["for"] != wait["block"]
        assert story.events[wait["to"]][rows.VALUE] == flag[rows.VALUE] != story.events[wait["from"]][rows.VALUE]


def test_what_blocks_hand_to_each_other_is_told_apart(traced: Traced, handing: Trace) -> None:
    """A flag's value and a volatile value are shown with what they publish; a lock is not taken for a ticket."""

    def told(trace: Trace) -> list[list[str]]:
        events = rows.Story(trace).events
        return [
            published.words_of(events[entry["event"]], entry["kind"], trace["arrays"], events.get(entry["value"]))
            for entry in trace["published"]
        ]

    assert [entry["launch"] for entry in handing["published"]] == [0] * 4 + [1] * 6
    assert sorted(told(handing)[:4]) == [
        ["data[0]=15", "ready[0]=1"],
        ["data[1]=21", "ready[1]=1"],
        ["ticket 0"],
        ["ticket 1"],
    ]
    assert sorted(told(handing)[4:]) == [
        *[["lock[0]: 0 to 1"]] * 2, *[["lock[0]: 1 to 0"]] * 2, ["total[0]: 0 to 5"], ["total[0]: 5 to 10"],
    ]  # fmt: skip
    words = told(traced(LOOK_BACK))
    assert ["ticket 3"] in words
    assert ["values[1]=1920 [512..1023]", "flags[1]=1"] in words
    assert ["values[5]=3840 [0..1023]", "flags[1]=2"] in words


def test_names_and_costs(traced: Traced) -> None:
    """Scratch memory has the name of its pointer, and a warp's requests have their costs."""
    trace = traced(Call(2, "scan_global"))
    assert {array["name"] for array in trace["arrays"]} >= {"in", "out", "scratch"}
    packed = traced(Call(3, "scan_blelloch", 64))
    padded = traced(Call(3, "scan_conflict_free", 64))

    def excess(trace: Trace) -> int:
        requests = [request for step in trace["steps"] for request in step["requests"]]
        return sum(needed - least for *_, kind, _, _, needed, least in requests if kind == "shared")

    assert excess(packed) > excess(padded) == 0


PARTS = [
    *[(1, "reduce"), (2, "scan_in_place"), (3, "scan_coarsened"), (4, "compact"), (5, "radix_sort")],
    *[(6, "scan_inclusive"), (7, "sat"), (8, "linear_recurrence")],
]


@pytest.mark.parametrize(("lab", "part"), PARTS)
def test_a_part_of_each_lab_fits_the_schema(traced: Traced, lab: int, part: str) -> None:
    options = ("--shape", "4x8") if lab == 7 else ()
    trace = traced(Call(lab, part, 8, options=options))
    schema = json.loads((HERE / "trace.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(json.loads(json.dumps(trace)))
    assert trace["case"]["verdict"] == "right"
    assert len(trace["steps"]) >= 2
    trace = {**trace, "version": 2}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(trace)


PROGRAM = """
#include <cstdio>
#include <cuda_runtime.h>
__device__ int total;
__global__ void fill(int *last, int *first)
{
    last[threadIdx.x] = 7;
    first[threadIdx.x] = last[threadIdx.x];
}
__global__ void add(const float *numbers, float *twice, int n)
{
    extern __shared__ float copy[];
    int i = threadIdx.x;
    copy[i] = numbers[i];
    __syncthreads();
    twice[i] = copy[n - 1 - i] * 2;
    atomicAdd(&total, 1);
}
int main()
{
    float host[4] = {1, 2, 3, 4.5f}, *numbers, *twice;
    cudaMalloc(&numbers, sizeof host);
    cudaMalloc(&twice, sizeof host);
    cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice);
    add<<<1, 4, 4 * sizeof(float)>>>(numbers, twice, 4);
    cudaMemcpy(host, twice, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemset(numbers, 7, sizeof host);
    for (int round = 0; round < 2; round++) {
        int *first, *unused, *last;
        cudaMalloc(&first, 8); cudaMalloc(&unused, 8); cudaMalloc(&last, 8);
        fill<<<1, 2>>>(last, first);
        cudaFree(first); cudaFree(unused); cudaFree(last);
    }
    cudaFree(numbers);
    cudaFree(twice);
    return host[0] != 9;
}
"""


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a CUDA program that is independent of the labs."""
    folder = tmp_path_factory.mktemp("program")
    source = folder / "add.cu"
    source.write_text(PROGRAM, encoding="ascii")
    rules = subprocess.run(
        ["make", "-s", "--eval", "flags:;@echo '$(SIMT_CXXFLAGS)@$(SIMT_LINK)'", "flags"],
        cwd=ROOT, check=True, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"},
    ).stdout.strip()  # fmt: skip
    compile_, link = rules.split("@")
    for words in (
        f"build/bin/cudac {source} -o {folder}/add.cpp",
        f"g++ {compile_} -w -c {folder}/add.cpp -o {folder}/add.o",
        f"g++ {folder}/add.o {link} -o {folder}/add",
    ):
        subprocess.run(words.split(), cwd=ROOT, check=True)
    return folder / "add"


def test_any_program_is_recorded_where_the_environment_says_so(program: Path, tmp_path: Path) -> None:
    subprocess.run([program], check=True, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []  # off by default
    record = tmp_path / "run.record"
    subprocess.run([program], check=True, env={"SIMT_TRACE": str(record)})
    out = tmp_path / "trace.json"
    show(record, "--source", str(program.with_suffix(".cu")), "--json", str(out), "--quiet")
    trace = json.loads(out.read_text(encoding="utf-8"))
    schema = json.loads((HERE / "trace.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(trace)
    assert shown(trace, "numbers")[0] == [1, 2, 3, 4.5]
    assert len(shown(trace, "numbers")) == 2  # the fill, seen though the array is freed right after it
    assert shown(trace, "twice") == [[9, 6, 4, 2]]
    assert shown(trace, "total")[-1] == [4]
    assert trace["case"] is None
    names = [array["name"] for array in trace["arrays"] if array["space"] == "global"]
    assert names == ["numbers", "twice", "last", "first", "last (2)", "first (2)"]  # though they share a line


def show(*words: object, status: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, str(HERE / "show.py"), *map(str, words)], capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def test_what_is_no_trace_is_said(program: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    for text, says in (
        ("", "neither a record nor a trace"),
        ("{}", "no trace"),
        ('{"format": "scan-labs-trace", "version": 7}', "version 7"),
        ('["simt record",9]\n', "version 9"),
        ('["simt record",1]\n["run"]\n', "no kernel was launched"),
        ('["simt record",1]\nnonsense\n', "no line of a record"),
    ):
        bad.write_text(text, encoding="ascii")
        assert says in show(bad, status=2)
    assert "cannot read" in show(tmp_path / "none", status=2)
    done = subprocess.run([program], env={"SIMT_TRACE": str(tmp_path / "no/such")}, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"SIMT_TRACE=" in done.stderr


def test_of_a_part_that_launches_nothing_it_is_said_what_to_do(tmp_path: Path) -> None:
    record, source = tmp_path / "sat.record", tmp_path / "summed_area_table.cu"
    record.write_text('["simt record",1]\n["run"]\n', encoding="ascii")
    source.write_text("", encoding="ascii")
    case = {"lab": 7, "part": "sat", "monoid": "sum", "n": 32, "seed": 1, "input": "example"}
    again = "make run LAB=7 PART=sat MONOID=sum {} SEED=1 INPUT=example"
    for shape, size in (({}, "N=32"), ({"rows": 4, "columns": 8}, "SHAPE=4x8")):
        Path(f"{record}.case").write_text(json.dumps({**case, **shape}), encoding="ascii")
        said = show(record, "--source", source, status=2).splitlines()
        assert said[0] == "trace: sat launched no kernel, so there is nothing to see"
        assert str(source) in said[1]
        assert said[2].strip() == again.format(size)


def test_a_record_that_ends_early_is_read_as_far_as_it_goes(program: Path, tmp_path: Path) -> None:
    record = tmp_path / "run.record"
    subprocess.run([program], check=True, env={"SIMT_TRACE": str(record)})
    text = record.read_text(encoding="ascii")
    record.write_text(text[: text.index('["end"')] + '["r",0,0', encoding="ascii")
    assert "the record ends early" in show(record)


def test_a_record_cannot_command_a_terminal(tmp_path: Path) -> None:
    """The record of a hand-in is written by a process that may write anything."""
    path = tmp_path / "record"
    name = r"\u001b[2J\u009b\u007f\u2028 \\u001b \u00e9"
    path.write_text(f'["simt record",1]\n["site",0,"one.cu",1,"{name}"]\n["launch"]\n')
    assert read_record(path).sites[0].function == "?[2J??? \\u001b \u00e9"


def test_operands_in_the_wrong_order_are_named_although_the_sum_is_right() -> None:
    def notes(pieces: list[tuple[int, int]], verdict: str = "right", telling: str = "interval") -> list[str]:
        row = [0, "c", 0, 0, 0, 0, 0, 0, pieces]
        return document._note_of_order([row], {"verdict": verdict, "monoid": "sum"}, telling)

    assert notes([(1, 1), (0, 0)]) == [
        "combine() gets the later inputs on its left: sum does not show that, MONOID=interval does"
    ]
    assert notes([(0, 1)]) == notes([(0, 0), (8, 8)]) == []
    assert notes([(1, 1), (0, 0)], verdict="wrong") == notes([(1, 1), (0, 0)], telling="") == []
