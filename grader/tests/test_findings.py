"""The report of a failed test: its kinds, its data, and the text made from it."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from grader.judge.records import Records
from grader.judge.shown import show_suite
from grader.model.findings import FINDINGS, KINDS, STATEMENTS
from grader.model.typed import from_table, to_table
from grader.model.types import Failure, Side, SuiteKind
from grader.model.words import message, own_words, printed_words
from grader.tests.planted import ALL_PASS, as_program, finding, found, race, stream

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build" / "bin"
WARNING = finding("warp misuse", 7, "lane 8 takes the value of lane 24", warning=True)
BOTH = replace(
    found(race(31, 29, hint="a second __syncthreads()", count=4), WARNING, replay="make run LAB=1"),
    kind="mismatch",
    said=("slot 2 holds [0..1], expected [0..2]", "1 of 33 slots is wrong"),
    context=("up to 2 elements all is right",),
    more=2,
    printed=("hello",),
)


def table_of(path: Path, prefix: str) -> set[str]:
    """The names of the kinds in the table of a C header."""
    return set(re.findall(r'^    KIND\(\w+, "([^"]+)"\)', path.read_text(), re.MULTILINE)) - {prefix}


def test_the_kinds_are_those_of_the_device_and_of_the_suites() -> None:
    assert table_of(ROOT / "simt" / "simt.h", "") == set(FINDINGS)
    assert table_of(ROOT / "labs" / "support" / "suite" / "suite.h", "finding") == set(STATEMENTS)
    assert set(KINDS) == {*FINDINGS, *STATEMENTS}


def test_a_mismatch_is_the_kind_though_a_finding_stands_first() -> None:
    assert BOTH.line is None
    assert BOTH.short == "mismatch, race @31"
    assert found(race(31, 29)).short == "race @31"


def test_a_finding_names_both_of_its_lines_and_its_variable() -> None:
    both = race(31, 29, "shared buffer[17]")
    assert both.lines == {29, 31}
    assert both.names("buffer")
    assert not both.names("buff")
    assert not both.names("shared_buffer")


def test_the_words_of_a_failure() -> None:
    assert message(BOTH) == (
        "one.cu:31  up: race on shared buffer[17] (4 times)\n"
        "    thread 18 reads it at line 29, thread 17 writes it at line 31, and no barrier stands between\n"
        "    try: a second __syncthreads()\n"
        "slot 2 holds [0..1], expected [0..2]\n"
        "    in: up on interval, 33 elements\n"
        "    1 of 33 slots is wrong\n"
        "    up to 2 elements all is right\n"
        "one.cu:7  up: warning: lane 8 takes the value of lane 24\n"
        "    ... and 2 more findings\n"
        "it printed:\n"
        "    hello\n"
        "replay: make run LAB=1"
    )
    assert "replay" not in own_words(BOTH)
    assert "hello" not in own_words(BOTH)
    assert printed_words(replace(BOTH, printed=())) == ""


def test_a_finding_with_the_cause_of_an_earlier_one_is_a_line() -> None:
    first = race(31, 29, "shared buffer[17]")
    junk = finding("uninitialized", 31, "read of uninitialized shared buffer[17]", variable="shared buffer[17]")
    elsewhere = replace(junk, line=40)
    other = finding("uninitialized", 31, "read of uninitialized sums[2]", variable="sums[2]")
    explained = own_words(found(first, junk, other, replace(other, line=50)))
    assert "    also one.cu:31  up: read of uninitialized shared buffer[17]" in explained.splitlines()
    assert "\none.cu:31  up: read of uninitialized sums[2]" in explained
    assert "    also one.cu:50  up: read of uninitialized sums[2]" in explained.splitlines()
    assert "\none.cu:40  up: read of uninitialized" in own_words(found(first, elsewhere))
    assert "also" not in own_words(found(replace(first, warning=True), junk))


def test_the_words_of_groups_of_threads() -> None:
    groups = (
        Side("threads 0-15 of block 0", "wait at the block's barrier", "one.cu", 4),
        Side("threads 16-31 of block 0", "spin", "other.cuh", 9),
        Side("thread 32 of block 0", "has returned", "", 0),
    )
    stuck = finding("deadlock", 4, "deadlock", sides=groups, detail=("and 2 more blocks",), consequence=True)
    assert own_words(found(stuck)).splitlines()[1:6] == [
        "    threads 0-15 of block 0 wait at the block's barrier at line 4",
        "    threads 16-31 of block 0 spin at other.cuh:9",
        "    thread 32 of block 0 has returned",
        "    and 2 more blocks",
        "    an earlier finding may be the reason",
    ]


@pytest.mark.parametrize("failure", [BOTH, found(WARNING), Failure("missing", said=("missing: up",)), Failure("race")])
def test_a_failure_comes_back_as_it_was(failure: Failure) -> None:
    assert from_table(Failure, json.loads(json.dumps(to_table(failure)))) == failure


# ---- the records of a suite ----------------------------------------------------------------------------

MODES = (
    *("swapped", "skips-13", "untouched", "keeps-state", "spoils-input", "race", "race-and-wrong", "fault", "error"),
    *(
        "endless",
        "exit0",
        "garbage",
        "missing",
        "other-parameters",
        "not-loaded",
        "refused",
        "five-findings",
        "warning",
    ),
    *("leak", "print", "one-thread-joins", "one-thread-writes", "groups", "forges"),
)


def run_toy_suite(mode: str, tmp_path: Path, *words: str) -> list[str]:
    """The lines that the suite prints, or that a program prints which `words` put in front of the suite's command."""
    if not (BUILT / "toy_suite").exists() or not (BUILT / "fake_runner").exists():
        pytest.skip("make check-support builds the toy suite")
    submission = tmp_path / mode
    submission.mkdir()
    for build in ("sum", "float_sum", "interval", "interval.64", "interval.1024", "sum.64", "sum.1024"):
        (submission / f"toy.{build}.so").touch()
    options = ["--submission", submission, "--runner", BUILT / "fake_runner", "--part", "scan_toy"]
    command = [*words, str(BUILT / "toy_suite"), *map(str, options)]
    done = subprocess.run(command, check=False, timeout=120, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
    return done.stdout.splitlines()


def test_the_tests_of_a_part_leave_a_line_for_make_progress(tmp_path: Path) -> None:
    lines = tmp_path / "toy.tests"
    said = run_toy_suite("race", tmp_path, sys.executable, "-m", "grader.judge.shown", "--tally", str(lines))
    failed = sum(line.startswith("  FAILED ") for line in said)
    passed = sum(line.startswith("  ok ") for line in said)
    assert failed and passed
    assert lines.read_text().split("\t")[1:] == ["scan_toy", "test", str(passed), str(failed), "none\n"]


def test_a_suite_that_does_not_end_is_no_success(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "check_one"
    suite.write_text(as_program('import os, sys\nos.write(int(sys.argv[2]), open("records", "rb").read())\n'))
    suite.chmod(0o755)
    (tmp_path / "records").write_text(stream(ALL_PASS))
    assert show_suite([str(suite)], tmp_path) == 0
    assert capfd.readouterr().out.endswith("  ok     correct    it works\n\none: 4 passed, 0 failed\n")
    (tmp_path / "records").write_text(stream(ALL_PASS).rpartition('{"record"')[0])
    assert show_suite([str(suite)], tmp_path) == 2
    said = capfd.readouterr()
    assert "passed" not in said.out
    assert "its records end after 4 of 4 tests" in said.err


@pytest.mark.parametrize("mode", MODES)
def test_a_suite_writes_every_field_of_a_failure_and_no_other(mode: str, tmp_path: Path) -> None:
    records, written = Records(SuiteKind.PUBLIC), run_toy_suite(mode, tmp_path)
    for line in written:
        records.take(line)
    assert not records.fault
    failures = [outcome.failure for outcome in records.outcomes if outcome.failure]
    tables = [record["failure"] for record in map(json.loads, written) if record["record"] == "failed"]
    assert tables == [to_table(failure) for failure in failures]
    assert bool(failures) == (mode not in ("warning", "print"))
    assert {failure.kind for failure in failures} == {"assertion failed"} or mode != "forges"
    assert mode != "race" or any(finding.sides for failure in failures for finding in failure.findings)


_WORD = re.compile(r'strcmp\(word, "(\w+)"\)')


def test_each_message_is_about_facts_that_there_are() -> None:
    pages = ("rules", "notes", "sides", "hints", "facts")
    table = "\n".join((ROOT / f"simt/report/messages/{page}.def").read_text() for page in pages)
    facts = {name.lower() for name in re.findall(r"^FACT\((\w+)\)", table, re.MULTILINE)}
    shown = (ROOT / "simt/report/finding_text.c").read_text()
    of_sides = shown[shown.index("static void add_of_side(") : shown.index("static void add_template(")]
    others = set(_WORD.findall(shown.replace(of_sides, "")))
    formats = set(re.findall(r'strcmp\(format, "(\w+)"\)', shown)) | {"element"}
    sides = table.partition("#ifdef ACTOR")[2].partition("#ifdef MISSING")[0]
    assert set(re.findall(r"\{(\w+)\}", sides)) == set(_WORD.findall(of_sides))
    messages = table.partition("#ifdef RULE")[2].partition("#ifdef FACT")[0].replace(sides, "")
    wanted = re.findall(r"\{(\w+)(?::(\w+))?\}", messages)
    assert {word for word, _ in wanted} - others <= facts
    assert {form for _, form in wanted} <= formats | {""}
    assert facts <= {word for word, _ in wanted}
    assert not facts & others - {"thread", "address"}
