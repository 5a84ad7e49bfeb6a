"""The page of one grading: text of a submission stays text, and each finding is at its line."""

import re
from dataclasses import replace
from pathlib import Path

import html5lib
import pytest

from grader.export.annotate import remarks
from grader.export.audience import Audience
from grader.export.graded import Class
from grader.export.html_report import html
from grader.tests import exported
from grader.tests.formats import graded


def valid(made: str | bytes) -> None:
    html5lib.HTMLParser(strict=True).parse(made)


@pytest.mark.parametrize("audience", list(Audience))
def test_all_of_a_submission_is_escaped(tmp_path: Path, audience: Audience) -> None:
    text = html(graded(tmp_path, exported.results(exported.HOSTILE), audience))
    body = text[text.index("<body>") : text.rindex("<script>")]
    for raw in (
        "<script",
        "<img",
        "</pre></code>",
        "\x1b",
        "\x07",
        "\u202e",
        "&lt;script&gt;alert(1)&lt;/script&gt;\\",
    ):
        assert raw not in body, raw
    assert body.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 5
    assert "{{7*7}}" in body  # the template did not evaluate it
    assert not re.search(r"""(?:href|src|style|on\w+)\s*=\s*["'](?!#)""", body)


def test_a_finding_stands_once_on_its_line_with_the_tests_that_say_so() -> None:
    lab = exported.lab_two()
    (race,) = [remark for remark in remarks(lab) if remark.line == 3]
    assert (race.title, race.parts, race.tests) == ("race on shared buffer[17] (4 times)", ("scan_in_place",), 1)
    assert not [remark for remark in remarks(lab) if "forged" in remark.title]


def test_a_long_source_is_shown_around_its_findings(tmp_path: Path) -> None:
    of = graded(tmp_path, exported.results())
    of.sources["naive_scan.cu"] = "x\n" * 100_000
    text = html(of)
    assert text.count('<li id="lab2-L') == 3 + 8
    assert "lines 12 to 100000 are left out" in text


def test_meters_stand_beside_their_bounds(tmp_path: Path) -> None:
    text = html(graded(tmp_path, exported.results()))
    row = text[text.index('<th scope="row">barriers') :].partition("</tr>")[0]
    assert re.findall(r'class="number">([^<]*)<', row) == ["18", "10", "512"]
    assert "past the bound" in row
    assert "ceil(log2 n) + 1" in row
    assert text.count('<th scope="row">barriers') == 1  # counts of hidden calls are left out


def test_a_page_of_a_class_has_the_name_and_the_lateness_of_the_gradebook(klass: Class) -> None:
    """The third hand-in is two days late. The name of its folder is on no page."""
    entry = klass.gradebook.entries[2]
    grade = replace(entry.labs[0], late_days_used=1, penalty=4.5, score=40.5)
    of = klass.load(replace(entry, labs=(grade, *entry.labs[1:]), score=40.5), Audience.STUDENT)
    assert of is not None
    body = html(of).partition("<body>")[2]
    assert "<h1>Student 002</h1>" in body
    assert "2 days late, 1 of the late days used, 4.5 points taken off: 40.5 of 100" in body
    assert "In the gradebook: 40.5 of 300" in body
    assert entry.name not in body
