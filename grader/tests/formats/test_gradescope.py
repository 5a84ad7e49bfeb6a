"""Gradescope: its format, points that are withheld until the due date, and a leaderboard that reveals nothing of hidden
tests."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from grader.export.audience import Audience
from grader.export.choices import VISIBILITIES, Choices
from grader.model.types import Results
from grader.tests import exported
from grader.tests.formats import graded, of_one

GRADESCOPE = json.loads((Path(__file__).parent / "gradescope.schema.json").read_text(encoding="utf-8"))


def valid(made: str | bytes) -> None:
    jsonschema.validate(json.loads(made), GRADESCOPE)


@pytest.mark.parametrize("visibility", VISIBILITIES)
@pytest.mark.parametrize("audience", list(Audience))
@pytest.mark.parametrize("results", [exported.results(), exported.faulty()], ids=["graded", "fault"])
def test_gradescope_gets_its_own_form(tmp_path: Path, results: Results, audience: Audience, visibility: str) -> None:
    table = json.loads(of_one("gradescope", graded(tmp_path, results, audience), Choices(visibility=visibility)))
    jsonschema.Draft202012Validator.check_schema(GRADESCOPE)
    jsonschema.validate(table, GRADESCOPE)
    for row in table.get("tests", ()):
        assert set(re.findall(r"\x1b[^m]*m", row["output"])) <= {"\x1b[31m", "\x1b[32m", "\x1b[0m"}


def test_the_schema_of_gradescope_refuses_what_it_should() -> None:
    for wrong in ({"tests": [{"visibility": "secret"}]}, {"tests": [{"score": "7"}]}, {"output_format": "rtf"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, GRADESCOPE)


def test_gradescopes_points_add_up_and_wait_where_hidden_tests_decide(tmp_path: Path) -> None:
    table = json.loads(of_one("gradescope", graded(tmp_path, exported.results())))
    rows = {row["name"]: row for row in table["tests"]}
    assert sum(row.get("score", 0) for row in table["tests"]) == exported.results().score == 50
    assert sum(row.get("max_score", 0) for row in table["tests"]) == 300
    assert rows["scan_quadratic: correct"]["visibility"] == "visible"
    assert rows["scan_quadratic: correct"]["score"] == 30
    assert "score" not in rows["scan_in_place: correct"]
    assert rows["scan_in_place: correct"]["visibility"] == "visible"
    waiting = rows["scan_in_place: correct, with hidden tests"]
    assert (waiting["score"], waiting["max_score"], waiting["visibility"]) == (0, 20, "after_due_date")
    assert "fails where the length is no multiple of the tile" in waiting["output"]


def test_only_an_instructors_row_quotes_a_hidden_test(tmp_path: Path) -> None:
    """The row is hidden from students even if they see everything else."""
    of = graded(tmp_path, exported.results(), Audience.INSTRUCTOR)
    table = json.loads(of_one("gradescope", of, Choices(visibility="visible")))
    telling = [row for row in table["tests"] if any(canary in json.dumps(row) for canary in exported.CANARIES)]
    assert len(telling) == len(exported.HIDDEN_FAILURES) + 2
    assert {row["visibility"] for row in telling} == {"hidden"}
    assert "CANARY" not in table["output"]


def test_a_leaderboard_ranks_what_right_parts_counted_and_nothing_hidden(tmp_path: Path) -> None:
    of = graded(tmp_path, exported.results())
    made = of_one("gradescope", of, Choices(leaderboard=True))
    valid(made)
    assert json.loads(made)["leaderboard"] == [{"name": "scan_quadratic: combines", "value": 130816, "order": "asc"}]
    assert "leaderboard" not in json.loads(of_one("gradescope", of))
