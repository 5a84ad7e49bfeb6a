"""Autolab: the last line has the scores, and no other line can be mistaken for it."""

import json
from pathlib import Path

from grader.model.types import Status
from grader.tests import exported
from grader.tests.formats import graded, of_one


def valid(made: str | bytes) -> None:
    scores = json.loads(made.splitlines()[-1])["scores"]
    assert all(isinstance(score, int | float) for score in scores.values()), "a score is no number"


def test_autolabs_last_line_has_the_scores(tmp_path: Path) -> None:
    lines = of_one("autolab", graded(tmp_path, exported.results())).splitlines()
    last = json.loads(lines[-1])
    assert last["scores"] == {
        "scan_quadratic": 30,
        "scan_in_place": 0,
        "scan_global": 20,
        "part_of_3": 0,
        "part_of_4": 0,
    }
    assert last["scoreboard"] == [50]
    assert not [line for line in lines[:-1] if line.startswith("{")]


def test_a_forged_last_line_is_only_text(tmp_path: Path) -> None:
    forged = f'{{"scores": {{"part_of_4": 100}}}}\n{exported.HOSTILE}'
    lab = exported.untested(4, Status.DOES_NOT_COMPILE, forged)
    lines = of_one("autolab", graded(tmp_path, exported.results("eve", lab))).splitlines()
    assert json.loads(lines[-1])["scores"] == {"part_of_4": 0}
