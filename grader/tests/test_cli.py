"""The command line, and its output at a terminal."""

import json
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.types import Status
from grader.tests.planted import ALL_PASS, REPLAY, PlantedCourse, Row, failing, found, race

RACE = (
    "one.cu:31  up: race on shared buffer[17]\n"
    "    thread 18 reads it at line 29, thread 17 writes it at line 31, and no barrier stands between the two of them\n"
    "    try: a second __syncthreads() after every thread has read its operand\n" + REPLAY
)


def printed(planted: PlantedCourse, capsys: pytest.CaptureFixture[str], *argv: str) -> list[str]:
    """The lines on stdout, without the note about a missing sandbox."""
    planted.run("grade", *argv)
    return [line for line in capsys.readouterr().out.splitlines() if not line.startswith("note: not sandboxed")]


@pytest.fixture(autouse=True)
def _eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("FORCE_COLOR", raising=False)


def test_the_report_at_80_columns(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    planted.suite("one", failing("up", "clean", RACE))
    planted.suite("two_hidden", failing("up", "correct", "slot 3 holds [1..3], expected [0..3]"))
    assert "\n".join(printed(planted, capsys)) == (
        "student  on the cpu device, seed 1, public and hidden tests\n"
        "\n"
        "Lab 1  Lab one                                                            85/100\n"
        "  part                                        correct     clean efficient   lost\n"
        "  up                                            30/30      0/15     15/15    -15\n"
        "    clean: 1 of 2 tests failed; the first: it works\n"
        "      one.cu:31  up: race on shared buffer[17]\n"
        "          thread 18 reads it at line 29, thread 17 writes it at line 31, and no\n"
        "            barrier stands between the two of them\n"
        "          try: a second __syncthreads() after every thread has read its operand\n"
        "      replay: make run LAB=1 PART=up MONOID=interval N=33 SEED=7\n"
        "  down                                          40/40\n"
        "\n"
        "Lab 2  Lab two                                                            40/100\n"
        "  part                                        correct     clean efficient   lost\n"
        "  up                                             0/30      0/15      0/15    -60\n"
        "    correct: 1 of 2 tests failed; the first: it works, hidden\n"
        "      slot 3 holds [1..3], expected [0..3]\n"
        "    clean, efficient: passed; counts once the part is correct\n"
        "  down                                          40/40\n"
        "\n"
        "Total                                                                    125/200\n"
        "results: build/grade/student/results.json"
    )


def test_a_wide_terminal_has_room_for_summaries(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "110")
    up, down = (line for line in printed(planted, capsys, "--lab", "1") if line.startswith(("  up", "  down")))
    assert up == f"  up                        First half{'':>35}     30/30     15/15     15/15"
    assert down == f"  down                      Second half{'':>34}     40/40"


def test_nothing_but_a_replay_line_is_wider_than_the_terminal(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = REPLAY.replace("N=33", "N=1048577") + " INPUT=negative ORDER=reverse RESIDENT=2"
    planted.suite("one", failing("up", "correct", "x" * 300 + "\n" + RACE + "\n" + replay))
    planted.write("student/a_stray_file_with_quite_a_long_name_that_nobody_has_asked_for_at_all.cu", "")
    lines = printed(planted, capsys)
    assert [line.strip() for line in lines if len(line) > 80] == [replay]
    assert any(line.startswith("ignored: a_stray_file") for line in lines)


def test_a_submission_cannot_steer_the_terminal(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    planted.suite("one", failing("up", "correct", "it printed:\n\u009b2J\u202egnorw[red]\tok\n" + REPLAY))
    text = "\n".join(printed(planted, capsys))
    assert "?2J?gnorw[red]  ok" in text
    assert not set(text) & {"\x1b", "\u009b", "\u202e"}


def test_a_long_message_is_cut_in_the_middle(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    planted.suite("one", failing("up", "correct", "\n".join(f"line {n}" for n in range(99)) + "\n" + REPLAY))
    lines = [line.strip() for line in printed(planted, capsys)]
    assert "line 11" in lines
    assert "line 12" not in lines
    assert REPLAY in lines


def test_the_same_abrupt_end_is_told_once_a_part(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    hang = "timed out: up did not come back within 10 s"
    rows = [Row(r.part, r.aspect, r.id, hang if r.part == "up" else "", kind="timed out") for r in ALL_PASS]
    planted.suite("one", rows)
    text = "\n".join(printed(planted, capsys, "--lab", "1"))
    assert text.count(hang) == 1
    assert "clean: 1 of 2 tests failed, timed out, as above" in text


def test_the_same_finding_is_told_once_a_part(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [Row(r.part, r.aspect, r.id, RACE.replace("N=33", f"N={n}")) for n, r in enumerate(ALL_PASS)]
    planted.suite("one", rows)
    text = "\n".join(printed(planted, capsys, "--lab", "1"))
    assert text.count("race on shared buffer[17]") == 2  # once in up, once in down
    assert "clean: 1 of 2 tests failed, as above" in text


def test_a_finding_alike_is_named_and_not_explained_again(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = race(hint="a barrier"), race(variable="shared buffer[0]", hint="a barrier")
    wrong = replace(found(first), said=("slot 2 holds [0..1], expected [0..2]",))
    other = found(race(variable="in[0]", hint="a barrier"))
    rows = [Row("up", "correct", message=wrong), Row("up", "clean", message=found(second))]
    rows += [Row("up", "efficient", message=other), Row("down", "correct")]
    planted.suite("one", rows)
    text = "\n".join(printed(planted, capsys, "--lab", "1"))
    assert [text.count(f"race on {which}") for which in ("shared buffer[17]", "shared buffer[0]", "in[0]")] == [1, 1, 1]
    assert text.count("try: a barrier") == 2  # for the first and the last


def test_what_was_not_judged_is_told_in_one_line(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = "slot 0 was not written, expected [0..0]\n" + REPLAY
    unjudged = f"not judged while the result is wrong: {wrong}"
    rows = [Row("up", "correct", message=wrong), Row("down", "correct")]
    rows += [Row("up", aspect, message=unjudged, kind="not judged") for aspect in ("clean", "efficient")]
    planted.suite("one", rows)
    text = "\n".join(printed(planted, capsys, "--lab", "1"))
    assert text.count("slot 0 was not written") == 1
    assert "    clean, efficient: not judged while the result is wrong\n" in text


def test_a_fault_has_no_total(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    planted.suite("one", status=2, print="check_one: no runner")
    text = "\n".join(printed(planted, capsys))
    assert re.search(r"^Lab 1  Lab one +\?/100$", text, re.MULTILINE)
    assert re.search(r"^Total +\?/200$", text, re.MULTILINE)
    assert "  grader fault\n      build/bin/check_one could not run (exit status 2)" in text
    assert "This is not the\n  submission's fault" in text


def test_plain_progress_goes_to_stderr(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    planted.suite("one_hidden", failing("up", "clean", "x"))
    planted.run("grade", "--lab", "1")
    lines = capsys.readouterr().err.splitlines()
    assert lines[:3] == ["building the suites", "lab 1: compiling", "lab 1: compiled"]
    side_by_side = ["lab 1: 4 hidden tests, 1 failed", "lab 1: 4 public tests, 0 failed", "lab 1: testing"]
    assert sorted(lines[3:-1]) == [*side_by_side, "lab 1: testing"]
    assert lines[-1] == "lab 1: failed, 85/100"


def test_json_on_stdout_leaves_the_table_to_stderr(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert planted.run("grade", "--json", "-") == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["score"] == 200
    assert "Total" in said.err
    copy = tmp_path / "copy.json"
    assert planted.run("grade", "--json", str(copy)) == 0
    assert json.loads(copy.read_text())["score"] == 200


def test_seeds(planted: PlantedCourse) -> None:
    hand_in = planted.root.parent / "ada"
    hand_in.mkdir()
    (hand_in / "one.cu").write_text("")
    assert planted.grade("--lab", "1")[1].seed == 1
    assert planted.grade("--lab", "1", of="reference")[1].seed == 1
    assert planted.grade("--lab", "1", "--seed", "0")[1].seed == 0
    fresh = {planted.grade("--lab", "1", "--no-sandbox", of=str(hand_in))[1].seed for _ in range(3)}
    fresh.add(planted.grade("--lab", "1", "--seed", "random")[1].seed)
    assert len(fresh) == 4
    assert planted.argv_of("one")["--seed"] in {str(seed) for seed in fresh}


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["grade", "--lab", "9"], "there is no lab 9; the labs are\n    1  Lab one\n    2  Lab two"),
        (["grade", "nobody"], "there is no submission 'nobody'"),
        (["grade", "--lab", "two"], "'two' is not a lab's number"),
        (["grade", "--seed", "-1"], "--seed"),
        (["grade", "--seed", "4294967296"], "is neither `random` nor a number from 0 to 2147483647"),
        (["grade", "--timeout", "0"], "'0' is not a positive number"),
        (["grade", "--timeout", "nan"], "'nan' is not a positive number"),
        (["grade", "--jobs", "0"], "'0' is not a whole number from 1 up"),
        (["grade", "--device", "tpu"], "invalid choice: 'tpu'"),
        ([], "required: COMMAND"),
    ],
)
def test_wrong_usage(planted: PlantedCourse, capsys: pytest.CaptureFixture[str], argv: list[str], said: str) -> None:
    try:
        status = planted.run(*argv)
    except SystemExit as end:  # argparse ends in this way
        assert isinstance(end.code, int)
        status = end.code
    assert status == 2
    assert said in capsys.readouterr().err


def test_labs_in_one_word(planted: PlantedCourse) -> None:
    planted.lab(3, "three")
    planted.write("student/three.cu", "")
    assert [lab.number for lab in planted.grade("--lab", "3,1")[1].labs] == [1, 3]
    assert [lab.number for lab in planted.grade("--lab", "2", "--lab", "3")[1].labs] == [2, 3]


def test_a_second_grading_of_the_same_submission_waits_its_turn(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str]
) -> None:
    planted.suite("one", sleep=3)
    first = started(planted)
    lock = planted.root / "build/bin/check_one.argv"
    while not lock.exists():
        assert first.poll() is None
        time.sleep(0.02)
    assert planted.run("grade", "--lab", "1") == 2
    assert "student is being graded by another process" in capsys.readouterr().err
    assert planted.run("grade", "--lab", "2", "--name", "again") == 0
    assert first.wait() == 0


def test_stopping_ends_the_suites_and_writes_nothing(planted: PlantedCourse) -> None:
    planted.suite("one", sleep=60)
    running = started(planted)
    while not (planted.root / "build/bin/check_one.argv").exists():
        assert running.poll() is None
        time.sleep(0.02)
    running.terminate()
    _out, said = running.communicate(timeout=20)
    assert running.returncode == 130
    assert "grader: stopped; no results were written" in said
    assert not (planted.root / "build/grade/student/results.json").exists()
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(planted.root / "build/bin/check_one") not in listed


def started(planted: PlantedCourse) -> subprocess.Popen[str]:
    """A grading of lab 1 in a separate process."""
    script = "import sys, pathlib; from grader.front.cli import main; "
    script += "sys.exit(main(sys.argv[2:], pathlib.Path(sys.argv[1])))"
    return subprocess.Popen(
        [sys.executable, "-c", script, str(planted.root), "grade", "--lab", "1"],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("reason", ["bubblewrap is not installed; try: make doctor, which says how to install it"])
def test_without_a_sandbox_only_ones_own_code_runs(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    monkeypatch.setattr("grader.judge.grade.find_sandbox", lambda: reason)
    hand_in = planted.root.parent / "ada"
    hand_in.mkdir()
    (hand_in / "one.cu").write_text("")
    assert planted.run("grade", str(hand_in), "--lab", "1") == 2
    said = capsys.readouterr().err
    assert f"a hand-in is not run without a sandbox: {reason}" in said
    assert "--no-sandbox" in said
    assert not (planted.root / "build/bin/check_one.argv").exists()

    status, results = planted.grade("--lab", "1", "--no-sandbox", of=str(hand_in))
    assert (status, results.sandbox.used) == (0, False)
    assert results.sandbox.note == "switched off by --no-sandbox"
    assert "--sandbox" not in planted.argv_of("one")

    status, results = planted.grade("--lab", "1")
    assert (status, results.sandbox.used, results.sandbox.note) == (0, False, reason)
    assert f"note: not sandboxed: {reason}"[:70] in capsys.readouterr().out
    assert results.labs[0].status is Status.PASSED


def test_without_rich_the_way_to_get_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "rich").mkdir()
    (tmp_path / "rich/__init__.py").write_text("raise ModuleNotFoundError('no rich', name='rich')")
    done = subprocess.run(
        [sys.executable, "-m", "grader", "grade"],
        cwd=Path(__file__).parents[2],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert done.stderr.startswith("grader: the Python package rich is not installed\n    try: make setup")
