"""What a message reports."""

from pathlib import Path

import pytest

from grader.findings import KINDS, classify, read_message

EXPECTED = sorted((Path(__file__).parents[2] / "simt" / "tests" / "findings").glob("*.expected"))

RACE = """\
slot 2 holds [0..1], expected [0..2]
    in: up on interval, 3 elements
one.cu:31  up_kernel: race on shared buffer[17] (4 times)
    thread 18 reads it at line 29, thread 17 writes it at line 31, and no barrier stands between them
    try: a second __syncthreads()
other.cu:7  up_kernel: warning: lane 8 takes the value of lane 24, which takes no part in __shfl_down_sync
replay: make run LAB=1 PART=up MONOID=interval N=33 SEED=7"""


def test_a_mismatch_comes_first_and_findings_follow() -> None:
    report = read_message(RACE)
    assert (report.kind, report.line) == ("mismatch", None)
    assert [(finding.kind, finding.line, finding.warning) for finding in report.findings] == [
        ("race", 31, False),
        ("warp misuse", 7, True),
    ]
    assert report.short == "mismatch, race @31"


def test_a_finding_names_both_of_its_lines_and_its_variable() -> None:
    race = read_message(RACE).findings[0]
    assert race.lines == {29, 31}
    assert race.names("buffer") and not race.names("buff") and not race.names("shared_buffer")


def test_a_finding_that_stands_first_gives_the_kind_and_the_place() -> None:
    report = read_message("one.cu:5  up: write out of bounds: out[3]\n    thread 2 of block 0 writes 4 bytes")
    assert (report.kind, report.line, report.short) == ("out of bounds", 5, "out of bounds @5")


def test_a_write_to_an_input_is_a_kind_whichever_way_it_is_written() -> None:
    for title in ("write to in[0], which is an input (2 times)", "cudaMemset writes to in, which is an input"):
        report = read_message(f"one.cu:5  up: {title}\n    try: scratch memory")
        assert (report.kind, report.line) == ("write to an input", 5)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("combines: 9 counted, at least 11 are needed", "too few additions"),
        (
            "combines: 9 counted, and they joined 2 different ranges of the input; at least 8 are needed",
            "too few additions",
        ),
        ("one thread does all the work: 9 of 9 memory accesses and combines, at most half allowed", "work not shared"),
        ("one block does the work: 9 of 9 memory accesses and combines, at most nine tenths", "work not shared"),
        ("the work is one after the other: span 9 counted, at most 8 allowed", "work not shared"),
        ("the host gets the data: 9 bytes went from the device to it, at most 8 allowed", "work of the host"),
        ("the host makes the result: it copied 9 bytes into outputs; more than one value", "work of the host"),
        ("in[3] was changed from 1 to 2: an input must stay as it is", "input changed"),
        ("the call ended with cudaErrorInvalidValue: invalid argument", "error"),
        ("timed out: no answer after 60 s", "timed out"),
        ("crashed: the submission ended the process (exit status 0)", "crashed"),
        ("missing: one.cu does not define up", "missing"),
        ("not judged while the result is wrong: slot 3 holds 1, expected 2", "not judged"),
        ("slot 3 holds 1, expected 2", "mismatch"),
        ("the count is 7, expected 8", "mismatch"),
    ],
)
def test_statements(message: str, kind: str) -> None:
    report = read_message(message)
    assert (report.kind, report.line, report.findings) == (kind, None, ())


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("one.cu:5  race on table[0]", "race"),
        ("one.cu:5  up<int, pair<a, b>>: race on table[0]", "race"),
        ("one.cu:5  warning: leak: 16 bytes of sums are never freed", "leak"),
        ("one.cu:5  leak: 16 bytes of sums are never freed", "leak"),
        ("one.cu:5  main: warning: cudaMemcpy: src is device memory", "runtime call"),
    ],
)
def test_findings_with_and_without_a_function(line: str, kind: str) -> None:
    finding = read_message(line).findings[0]
    assert (finding.kind, finding.line, finding.warning) == (kind, 5, "warning" in line)


def test_the_meter_over_its_bound_is_named() -> None:
    report = read_message("divergent branches: 40 counted, at most 8 allowed\nthe bound is 8")
    assert (report.kind, report.variable) == ("over the bound", "divergent branches")


@pytest.mark.parametrize("path", EXPECTED, ids=lambda path: path.stem)
def test_every_finding_of_the_device_has_a_kind(path: Path) -> None:
    for finding in read_message(path.read_text(encoding="utf-8")).findings:
        assert finding.kind != "unknown", finding.title


def test_kinds_are_told_apart() -> None:
    titles = {
        "race on shared buffer[17]": "race",
        "read of uninitialized shared tile[3]": "uninitialized",
        "20 of 32 threads reach this barrier": "barrier divergence",
        "leak: 16 bytes of sums are never freed": "leak",
        "read of freed memory: byte 3 of an allocation": "use after free",
        "read of host memory in a kernel": "host pointer",
        "host code reads device memory: out[0]": "device pointer",
        "cudaMemcpy: dst has 8 bytes left, and 12 are asked for": "runtime call",
        "sort_tile calls stock_sort, and its contract allows only stock_block_scan": "function not allowed",
        "something else entirely": "unknown",
    }
    assert {title: classify(title) for title in titles} == titles
    assert all(kind in KINDS for kind in titles.values() if kind != "unknown")
