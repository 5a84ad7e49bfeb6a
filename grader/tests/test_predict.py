"""make predict: how counts grow with the length, the fit of its constants, and the recorded table."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "labs/support/tools"), str(ROOT / "reference")]

import predict  # noqa: E402
import prediction  # noqa: E402

N = (1 << 14, 1 << 16, 1 << 24)


@pytest.mark.parametrize(
    ("growth", "short", "long", "expected"),
    [
        (predict.FIXED, 2, 2, 2),
        (predict.LEVELS, 28, 32, 32 + 4 * 4),  # a launch for each level, up and down
        (predict.LEVELS, 3, 3, 3),
        (predict.POWER, 128, 256, 256 * 2**4),  # a chain as long as a square image is high
        (predict.POWER, 50, 50, 50),
        (predict.LINEAR, 8 << 14, 8 << 16, 8 << 24),
        (predict.LINEAR, 14 << 14, 16 << 16, 24 << 24),  # n log n
    ],
)
def test_a_count_grows_as_its_term_does(growth: str, short: float, long: float, expected: float) -> None:
    assert predict.grown(growth, N, short, long) == pytest.approx(expected)


def test_a_long_size_is_shortened_by_halving_its_longest_side() -> None:
    assert str(predict.Size.read("100x3000").shorter(6)) == "50x94"
    assert predict.Size.read("4096x4096").shorter(8).sides == (256, 256)
    assert predict.Size.read("1000").shorter(1).sides == (500,)


def test_arrays_that_share_a_piece_of_memory_are_not_mapped() -> None:
    assert predict.mapped(2, 2 * predict.LARGE) == 2
    assert predict.mapped(2, 2 * predict.LARGE - 1) == 0


@pytest.mark.parametrize(
    ("nanoseconds", "words"), [(3571, "3.57 µs"), (42e3, "42.0 µs"), (961e3, "961 µs"), (1.06e6, "1.06 ms")]
)
def test_a_duration_has_three_digits(nanoseconds: float, words: str) -> None:
    assert predict.duration(nanoseconds) == words


def rows_of(constants: list[float]) -> list[prediction.Row]:
    counts = [[k % 3 + 1.0, float(k % 2), k * 7.0 % 50, float(10**k)] for k in range(1, 9)]
    times = [constants[0] + sum(c * x for c, x in zip(constants[1:], line, strict=True)) for line in counts]
    return [
        prediction.Row(f"part{k % 4}", "1", t, t, t, line)
        for k, (t, line) in enumerate(zip(times, counts, strict=True))
    ]


def test_the_fit_finds_the_constants_of_made_times() -> None:
    constants = [3000.0, 4000.0, 60000.0, 8.0, 0.0005]
    assert prediction.constants_of(rows_of(constants)) == pytest.approx(constants)


def test_a_term_that_explains_nothing_gets_no_negative_constant() -> None:
    rows = rows_of([3000.0, 4000.0, 60000.0, 0.0, 0.0005])
    for row in rows:
        row.median -= 0.001 * row.counts[2]
    assert min(prediction.constants_of(rows)) >= 0


def test_each_part_is_predicted_from_the_others_alone() -> None:
    rows = rows_of([3000.0, 4000.0, 60000.0, 8.0, 0.0005])
    before = prediction.fit("a card", rows).others
    for row in rows:
        row.median *= 100 if row.part == "part1" else 1
    after = prediction.fit("a card", rows).others
    assert [b for row, b in zip(rows, before, strict=True) if row.part == "part1"] == pytest.approx(
        [a for row, a in zip(rows, after, strict=True) if row.part == "part1"]
    )


def test_predict_json_is_fitted_to_the_recorded_table() -> None:
    card = prediction.fit(*prediction.read_table()).card
    written = json.loads(predict.CARD.read_text(encoding="utf-8"))
    assert card.each == pytest.approx(written["each"]) and card.call == pytest.approx(written["call"])
    assert (card.low, card.high) == pytest.approx((written["low"], written["high"]))


@pytest.mark.slow
def test_a_stub_is_not_predicted() -> None:
    words = ["make", "--no-print-directory", "predict", "LAB=6", "PART=scan_inclusive", "N=100", "SUBMISSION=student"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "is not right yet" in done.stdout and "predicted" not in done.stdout
