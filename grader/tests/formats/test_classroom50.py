"""Classroom 50: a result.json that fits its schema, with one test for each part."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from grader.export import Choices
from grader.model.errors import UsageError
from grader.tests import exported
from grader.tests.formats import RUNNER, graded, of_one

SCHEMA = json.loads((Path(__file__).parent / "classroom50.schema.json").read_text(encoding="utf-8"))


def valid(made: str | bytes) -> None:
    """A rule of the collector that the schema cannot express: no score exceeds the points to earn."""
    table = json.loads(made)
    jsonschema.validate(table, SCHEMA)
    assert all(of["score"] <= of["max-score"] for of in (table, *table["tests"]))


def test_each_part_is_a_test_with_its_points(tmp_path: Path) -> None:
    table = json.loads(of_one("classroom50", graded(tmp_path, exported.results())))
    valid(json.dumps(table))
    assert (table["score"], table["max-score"], table["owner"]) == (50, 300, "ada")
    assert (table["datetime"], table["review"]) == ("2026-11-21T20:00:00Z", RUNNER["COMMIT_URL"])
    first = table["tests"][0]
    assert (first["test-name"], first["passed"], first["score"]) == ("2: scan_quadratic", True, 30)
    assert "race on shared buffer" in table["tests"][1]["message"]


def test_a_fault_of_the_grader_is_the_runner_s_form_of_an_error(tmp_path: Path) -> None:
    table = json.loads(of_one("classroom50", graded(tmp_path, exported.faulty())))
    valid(json.dumps(table))
    assert (table["score"], table["max-score"], table["tests"]) == (0, 0, [])


@pytest.mark.parametrize("variable", RUNNER)
def test_a_variable_that_the_runner_did_not_set_is_named(tmp_path: Path, variable: str) -> None:
    choices = Choices(environment=RUNNER | {variable: ""})
    with pytest.raises(UsageError, match=f"{variable} is not set"):
        of_one("classroom50", graded(tmp_path, exported.results()), choices)


def test_the_schema_refuses_what_it_should(tmp_path: Path) -> None:
    of = graded(tmp_path, exported.results())
    good = json.loads(of_one("classroom50", of))
    for key, value in (
        ("schema", "classroom50/result/v2"),
        ("score", 4.5),
        ("usernames", ["ada"]),
        ("submission", "x"),
    ):
        with pytest.raises(jsonschema.ValidationError):
            valid(json.dumps(good | {key: value}))
    with pytest.raises(UsageError, match="is no time"):
        of_one("classroom50", replace(of, results=replace(of.results, started="yesterday")))
