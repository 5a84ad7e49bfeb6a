"""Points for speed: the effect of noise, and how race's rows are judged."""

import json
import random
import re
import stat
from dataclasses import replace
from math import exp, inf
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader.export.board import boards, name_on_board
from grader.front.cli import main
from grader.handin.discover import Part, discover_labs, read_lab, read_toml
from grader.judge.speed import CALLS, ROUNDS, judge_race, median_interval, shares
from grader.model.errors import UsageError
from grader.model.results import from_json, to_json
from grader.model.typed import schema_of
from grader.model.types import SCHEMA_VERSION, Outcome, Results, Speed, Status
from grader.tests import exported
from grader.tests.planted import ALL_PASS, LAB_TOML, PlantedCourse, as_program
from grader.tests.real import COURSE
from grader.walls.process import Completed

ROOT = Path(__file__).resolve().parents[2]
TIMES = ROUNDS * CALLS
PART = Part("up", "First half", {"correct": 30, "fast": 10}, fast_share=0.5)


def row(who: str, times: list[float], **other: Any) -> dict[str, Any]:
    """A row in race's format."""
    told = {"who": who, "part": "up", "input": "", "times": times, "milliseconds": 1.0, "right": True, "possible": True}
    told["ended"] = ""
    return told | other


def race_output(*rows: dict[str, Any]) -> str:
    return "[\n" + ",\n".join(json.dumps(one) for one in rows) + "\n]\n"


def judged(*rows: dict[str, Any], status: int = 0) -> list[Outcome]:
    return judge_race(PART, Completed(status, race_output(*rows), 1.0, False))


def noisy(chance: random.Random, mean: float, spread: float) -> list[float]:
    """Times with a skewed distribution like real ones: some calls take much longer, none much shorter."""
    return [mean * (1 + exp(chance.gauss(-3, 1)) * spread) for _ in range(TIMES)]


@pytest.mark.parametrize(("confidence", "least", "most"), [(0.999, 0, 9), (0.9, 40, 260)])
def test_the_interval_holds_the_median_as_often_as_it_says(confidence: float, least: int, most: int) -> None:
    chance = random.Random(7)
    misses = 0
    for _ in range(2000):
        interval = median_interval([exp(chance.gauss(0, 1)) for _ in range(TIMES)], confidence)
        misses += not interval.low <= 1 <= interval.high  # 1 is the median of this distribution
    assert least <= misses <= most


def test_the_interval_is_that_of_a_table_of_order_statistics() -> None:
    interval = median_interval(list(range(1, 41)), 0.95)  # n = 40: the 14th value from either end
    assert (interval.low, interval.middle, interval.high) == (14, 20.5, 27)


@pytest.mark.parametrize("count", [0, 1, 10])
def test_too_few_values_bound_nothing(count: int) -> None:
    interval = median_interval([0.1] * count)
    assert (interval.low, interval.high) == (0, inf)


def test_eleven_values_bound_something() -> None:
    assert median_interval([0.1] * 11).high == 0.1


def test_turns_are_compared_in_pairs() -> None:
    clock = [1.0, 3.0, 1.0, 10.0]  # at times the machine is slower, for both
    assert shares([2 * c for c in clock], [c * 1.0 for c in clock]) == [0.5] * 4


def test_a_round_counts_once() -> None:
    assert shares([2, 2, 2, 4, 4, 9, 7], [1, 1, 1, 1, 1, 1, 1], calls=3) == [0.5, 0.25]


def test_noise_takes_no_point_from_what_is_as_fast_as_wanted() -> None:
    chance = random.Random(1)
    for _ in range(500):
        (outcome,) = judged(row("reference", noisy(chance, 1, 2)), row("hand-in", noisy(chance, 2, 2)))
        assert outcome.status is Status.PASSED


def test_noise_gives_no_point_to_what_is_clearly_slower() -> None:
    chance = random.Random(2)
    for _ in range(500):
        (outcome,) = judged(row("reference", noisy(chance, 1, 1)), row("hand-in", noisy(chance, 3, 1)))
        assert outcome.status is Status.FAILED


def test_the_same_code_passes_at_a_share_of_one() -> None:
    chance = random.Random(3)
    strict = replace(PART, fast_share=1.0)
    for _ in range(500):
        rows = [row("reference", noisy(chance, 1, 2)), row("hand-in", noisy(chance, 1, 2))]
        assert judge_race(strict, Completed(0, race_output(*rows), 1.0, False))[0].status is Status.PASSED


def test_a_message_says_how_fast_and_how_sure() -> None:
    (outcome,) = judged(
        row("reference", [1.0] * TIMES, milliseconds=1.0), row("hand-in", [4.0] * TIMES, milliseconds=4.0)
    )
    assert outcome.aspect == "fast"
    assert outcome.message == (
        "0.25 of the reference's speed, at least 0.5 wanted\n"
        "    0.25 to 0.25 with a confidence of 99.9 %: not by chance\n"
        "    4.000 ms, the reference 1.000 ms\n"
        "    in: up on 2^28 elements"
    )


def test_each_kind_of_input_is_a_test() -> None:
    rows = [row(who, [1.0] * TIMES, input=kind) for kind in ("0 %", "50 %") for who in ("CUB", "reference", "hand-in")]
    assert [outcome.id for outcome in judged(*rows)] == [
        "is_as_fast_as_is_wanted_0_percent",
        "is_as_fast_as_is_wanted_50_percent",
    ]


FAST_ENOUGH = [1.0] * TIMES
TOO_LONG, EARLY = "its calls take too long to be timed", "it answered before its work had ended"


@pytest.mark.parametrize(
    ("rows", "status", "said"),
    [
        ([row("reference", FAST_ENOUGH), row("hand-in", FAST_ENOUGH, right=False)], Status.FAILED, "wrong"),
        ([row("reference", FAST_ENOUGH), row("hand-in", FAST_ENOUGH, possible=False)], Status.FAILED, "faster than"),
        ([row("reference", FAST_ENOUGH), row("hand-in", [], ended="missing")], Status.MISSING, "missing: up"),
        ([row("reference", FAST_ENOUGH), row("hand-in", [9e3], ended=TOO_LONG)], Status.TIMED_OUT, "take too long"),
        ([row("reference", FAST_ENOUGH), row("hand-in", FAST_ENOUGH, ended=EARLY)], Status.FAILED, EARLY),
        ([row("reference", FAST_ENOUGH), row("hand-in", [], ended="exit status 0")], Status.CRASHED, "exit status 0"),
        ([row("reference", FAST_ENOUGH), row("hand-in", FAST_ENOUGH[:20])], Status.GRADER_FAULT, "too few times"),
        ([row("reference", FAST_ENOUGH)], Status.GRADER_FAULT, "the reference was not timed"),
        ([row("reference", [], ended="missing"), row("hand-in", FAST_ENOUGH)], Status.GRADER_FAULT, "was not timed"),
        ([row("hand-in", FAST_ENOUGH)], Status.GRADER_FAULT, "the reference was not timed"),
        ([row("reference", FAST_ENOUGH, right=False), row("hand-in", FAST_ENOUGH)], Status.GRADER_FAULT, "is wrong"),
    ],
)
def test_what_is_not_right_has_no_speed(rows: list[dict[str, Any]], status: Status, said: str) -> None:
    (outcome,) = judged(*rows, status=1)
    assert outcome.status is status
    assert said in outcome.message


@pytest.mark.parametrize(
    ("done", "said"),
    [
        (Completed(3, "race: scan_inclusive: no process\n", 1.0, False), "exit status 3\n    race: scan_inclusive"),
        (Completed(-9, "[\n", 1.0, True), "it did not end"),
    ],
)
def test_a_clock_that_fails_is_the_graders_fault(done: Completed, said: str) -> None:
    (outcome,) = judge_race(PART, done)
    assert outcome.status is Status.GRADER_FAULT
    assert f"up cannot be timed: {said}" in outcome.message


def test_what_was_measured_is_kept_whether_it_earns_the_points_or_not() -> None:
    for took, status in ((1.25, Status.PASSED), (4.0, Status.FAILED)):
        rows = [row("reference", [1.0] * TIMES, milliseconds=1.0), row("hand-in", [took] * TIMES, milliseconds=took)]
        (outcome,) = judged(*rows)
        assert outcome.status is status
        assert outcome.speed == Speed("", 1 / took, 1 / took, 1 / took, took, 1.0)
    for rows in (  # too few, wrong, impossible
        [row("reference", FAST_ENOUGH[:5]), row("hand-in", FAST_ENOUGH[:5])],
        [row("reference", FAST_ENOUGH), row("hand-in", FAST_ENOUGH, right=False)],
        [row("reference", FAST_ENOUGH), row("hand-in", FAST_ENOUGH, possible=False)],
    ):
        assert judged(*rows)[0].speed is None


# ---- the board --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("/* Lab 2 */\n// board: Ada Lovelace\nint x;\n", "Ada Lovelace"),
        ("  /* board: Ada */\r\n", "Ada"),
        ("//board:Ada\n// board: Eve\n", "Ada"),
        (f"// board: {'x' * 100}\n", "x" * 40),
        ("// board:\nint board;\n", ""),
        ("// The board: who wants to be on it?\n", ""),
        ('puts("// board: Ada");\n', ""),
        ("", ""),
    ],
)
def test_who_agrees_says_so_in_a_line(source: str, name: str) -> None:
    assert name_on_board(source) == name


def speed(share: float, spread: float = 0.01, kind: str = "") -> Speed:
    return Speed(kind, share, share - spread, share + spread, 1 / share, 1.0)


def on_board(*hand_ins: tuple[str, Results]) -> list[tuple[int, str, float]]:
    """Place, name and share of each hand-in on the board, from their sources and results."""
    found = boards((replace(results, labs=results.labs[:1]), {"naive_scan.cu": source}) for source, results in hand_ins)
    assert [board.part for board in found] == (["scan_quadratic"] if found else [])
    return [(row.place, row.name, row.speed.share) for board in found for row in board.rows]


def test_a_board_shows_those_who_agreed_and_are_right_fastest_first() -> None:
    right = exported.results()
    wrong = exported.raced(right, speed(2.0))
    part = wrong.labs[0].parts[0]
    part = replace(part, aspects=(replace(part.aspects[0], status=Status.FAILED), *part.aspects[1:]))
    wrong = replace(wrong, labs=(replace(wrong.labs[0], parts=(part,)),))
    cut_short = exported.raced(right, speed(0.9), speed(0.9))
    part = cut_short.labs[0].parts[0]
    tests = (part.aspects[1].tests[0], replace(part.aspects[1].tests[1], speed=None))
    part = replace(part, aspects=(part.aspects[0], replace(part.aspects[1], tests=tests)))
    cut_short = replace(cut_short, labs=(replace(cut_short.labs[0], parts=(part,)),))
    assert on_board(
        ("// board: slow", exported.raced(right, speed(0.5))),
        ("// board: wrong", wrong),
        ("// board: cut short", cut_short),
        ("// board: never timed", right),
        ("nobody asked", exported.raced(right, speed(1.5))),
        ("// board: quick", exported.raced(right, speed(0.9))),
        ("// board: uneven", exported.raced(right, speed(1.2, kind="0 %"), speed(0.7, kind="50 %"))),
    ) == [(1, "quick", 0.9), (2, "uneven", 0.7), (3, "slow", 0.5)]
    assert on_board(("nobody asked", exported.raced(right, speed(1.5)))) == []


def test_who_cannot_be_told_apart_shares_a_place() -> None:
    hand_ins = [("a", 0.90), ("b", 0.89), ("c", 0.875), ("d", 0.5)]
    shown = on_board(*((f"// board: {name}", exported.raced(exported.results(), speed(x))) for name, x in hand_ins))
    assert [row[:2] for row in shown] == [(1, "a"), (1, "b"), (3, "c"), (4, "d")]


def test_a_board_is_asked_of_a_class(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gradebook = exported.write_class(tmp_path, 4)
    assert main(["board", str(gradebook)]) == 0
    assert "0 rows, 0 parts\n  it is empty" in capsys.readouterr().out
    assert "No one is on it yet" in (tmp_path / "report/board.html").read_text()
    assert main(["board", str(tmp_path / "submissions/hand-in-000/results.json")]) == 2
    assert "a board is of a class" in capsys.readouterr().err


# ---- lab.toml -------------------------------------------------------------------------------------------


def lab_toml(folder: Path, was: str, becomes: str) -> Path:
    text = LAB_TOML.format(title="Lab one", number=1, stem="one").replace('"down"', '"down"\ntimed = true')
    path = folder / "lab.toml"
    path.write_text(text.replace(was, becomes))
    return path


def test_a_part_may_have_points_for_speed(tmp_path: Path) -> None:
    lab = read_lab(lab_toml(tmp_path, "correct = 40", "correct = 30\nfast = 10\nfast_share = 0.6"))
    assert (lab.parts[1].points["fast"], lab.parts[1].fast_share, lab.max_score) == (10, 0.6, 100)
    assert "fast" not in lab.parts[0].points
    assert lab.judged_on("cpu").max_score == 90
    assert lab.judged_on("cuda").max_score == 70
    assert lab.judged_on("cuda", reference=False).max_score == 60


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ("correct = 40", "correct = 30\nfast = 10", "fast_share must be a number above 0, at most 1, not None"),
        ("correct = 40", "correct = 30\nfast = 10\nfast_share = 1.5", "at most 1, not 1.5"),
        ("correct = 40", "correct = 40\nfast_share = 0.5", "fast must be a whole number from 1 up, not None"),
        ("clean = 15", "clean = 5\nfast = 10\nfast_share = 0.5", "part up has fast points, but nothing times it"),
    ],
)
def test_points_for_speed_need_a_share_and_a_clock(tmp_path: Path, was: str, becomes: str, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        read_lab(lab_toml(tmp_path, was, becomes))


def test_the_parts_that_can_be_timed_are_those_of_bench() -> None:
    table = (ROOT / "labs/bench/rows.cpp").read_text().partition("rows[] = {")[2].partition("};")[0]
    parts = set(re.findall(r'\{[A-Z_]+, "\w+", "(\w+)"', table))
    entries = [part for lab in discover_labs(COURSE) for part in read_toml(lab.folder / "lab.toml")["part"]]
    timed = {entry["name"] for entry in entries if "timed" in entry}
    assert parts - {"radix_sort_long"} == timed  # this one is not a part of a lab


# ---- a whole grading -------------------------------------------------------------------------------------

RACE = """\
import json, pathlib, sys
plan = json.loads(pathlib.Path(__file__).with_suffix(".json").read_text())
pathlib.Path(__file__).with_suffix(".argv").write_text(json.dumps(sys.argv[1:]))
print(plan["output"], end="")
sys.exit(plan["status"])
"""


@pytest.fixture
def raced(planted: PlantedCourse, monkeypatch: pytest.MonkeyPatch) -> PlantedCourse:
    """A course on a GPU, whose first part has 10 points for half of the reference's speed."""
    monkeypatch.setattr("grader.judge.grade.require_gpu", lambda: None)
    toml = LAB_TOML.format(title="Lab one", number=1, stem="one")
    planted.write(
        "labs/1-one/lab.toml", toml.replace("clean = 15", "clean = 5\ntimed = true\nfast = 10\nfast_share = 0.5")
    )
    planted.write("build/cuda/runner", "a runner")
    planted.write("Makefile", (planted.root / "Makefile").read_text() + "\nrace:\n\t@test -e build/cuda/race\n")
    planted.write("build/cuda/reference/one.sum.so", "built")
    for suite in ("one", "one_hidden"):
        planted.suite(suite, [one for one in ALL_PASS if one.aspect == "correct"])
    return planted


def plant_race(planted: PlantedCourse, milliseconds: float) -> None:
    """Plants a race that measures this time for the hand-in, and one millisecond for the reference."""
    program = planted.write("build/cuda/race", as_program(RACE))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    rows = [row("reference", [1.0] * TIMES), row("hand-in", [milliseconds] * TIMES, milliseconds=milliseconds)]
    planted.write("build/cuda/race.json", json.dumps({"output": race_output(*rows), "status": 0}))


def test_speed_earns_its_points_on_a_gpu(raced: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    plant_race(raced, 1.9)
    status, results = raced.grade("--lab", "1", "--device", "cuda", "--no-sandbox")
    assert (status, results.score, results.max_score) == (0, 80, 80)
    assert [aspect.name for aspect in results.labs[0].parts[0].aspects] == ["correct", "fast"]
    assert results.labs[0].suites == ("public", "hidden")
    said = capsys.readouterr().out
    assert "a GPU judges correct and fast" in said
    assert re.search(r"part +correct +clean +efficient +fast", said)
    asked = json.loads((raced.root / "build/cuda/race.argv").read_text())
    assert asked[:2] == ["--part", "up"]
    assert asked[-2:] == ["reference=build/cuda/reference", "hand-in=build/cuda/grade-student"]
    kept = results.labs[0].parts[0].aspects[1].tests[0].speed
    assert kept is not None and (kept.milliseconds, kept.reference) == (1.9, 1.0)
    jsonschema.validate(json.loads(to_json(results)), schema_of(Results, SCHEMA_VERSION))
    assert from_json(to_json(results)) == results


def test_slowness_costs_no_other_points(raced: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    plant_race(raced, 2.1)
    status, results = raced.grade("--lab", "1", "--device", "cuda", "--no-sandbox")
    assert (status, results.score, results.max_score) == (1, 70, 80)
    assert "0.48 of the reference's speed, at least 0.5 wanted" in capsys.readouterr().out


def test_speed_counts_only_once_the_part_is_correct(raced: PlantedCourse) -> None:
    plant_race(raced, 1.0)
    raced.suite("one", [replace(one, message="wrong") for one in ALL_PASS if one.aspect == "correct"])
    assert raced.grade("--lab", "1", "--device", "cuda", "--no-sandbox")[1].score == 0


def test_without_a_reference_nobody_is_raced(raced: PlantedCourse) -> None:
    (raced.root / "reference").rename(raced.root / "elsewhere")
    assert raced.grade("--lab", "1", "--device", "cuda", "--no-sandbox")[1].max_score == 70


def test_the_cpu_device_has_no_time(raced: PlantedCourse) -> None:
    for suite in ("one", "one_hidden"):
        raced.suite(suite)
    _status, results = raced.grade("--lab", "1")
    assert (results.score, results.max_score) == (90, 90)
    assert not (raced.root / "build/cuda/race.argv").exists()


def test_a_race_that_cannot_be_built_is_the_graders_fault(raced: PlantedCourse) -> None:
    _status, results = raced.grade("--lab", "1", "--device", "cuda", "--no-sandbox")
    assert results.labs[0].status is Status.GRADER_FAULT
    assert "one.cu cannot be timed" in results.labs[0].message
