"""The page of a class: its numbers, and a link to each student's page."""

import re
from dataclasses import replace
from pathlib import Path

import html5lib
import pytest

from grader.export.choices import Choices
from grader.export.graded import Class, read_gradebook, read_results
from grader.export.html_class import HARDEST, html
from grader.export.summary import Summary, summarize
from grader.export.summary import TestRate as Rate
from grader.front.cli import main
from grader.model.results import to_json
from grader.model.types import PartResult, Status
from grader.tests import exported
from grader.tests.formats import of_class


def valid(made: str | bytes) -> None:
    html5lib.HTMLParser(strict=True).parse(made)


def in_numbers(klass: Class) -> Summary:
    return summarize(klass.gradebook, klass.graded())


def test_a_class_in_numbers(klass: Class) -> None:
    """Thirty hand-ins: one faulty, one unusable, one waiting; every fifth has a wrong scan_quadratic."""
    summary = in_numbers(klass)
    assert (summary.scored, sum(one.count for one in summary.bins)) == (28, 28)
    scores = [entry.score for entry in klass.gradebook.entries if entry.score is not None]
    assert summary.mean == pytest.approx(sum(scores) / len(scores) / 3)
    assert [one.count for one in summary.bins][:3] == [sum(a <= s / 3 < a + 10 for s in scores) for a in (0, 10, 20)]
    quadratic = next(part for part in summary.parts if part.name == "scan_quadratic")
    assert (quadratic.tried, quadratic.full, quadratic.points) == (27, 21, 630)
    hardest = {(test.part, test.id): (test.failed, test.tried) for test in summary.tests}
    assert hardest["scan_quadratic", "is_right_at_every_length"] == (6, 27)
    assert hardest["scan_in_place", "is_a_secret_sentence_0"] == (27, 27)
    found = {(one.part, one.kind): one.hand_ins for one in summary.findings}
    assert found["scan_in_place", "race"] == 27
    assert found["scan_quadratic", "mismatch"] == 6
    assert [one.kind for one in summary.findings if one.part == "scan_in_place"] == ["race"], (
        "each part is counted once"
    )
    (wrong,) = [one.who for one in summary.findings if one.part == "scan_quadratic"]
    assert [entry.name for entry in wrong] == [f"hand-in-{i:03}" for i in (0, 5, 10, 15, 20, 25)]


def test_a_lab_that_was_not_handed_in_is_missing_and_not_plain_zero(klass: Class) -> None:
    made = str(of_class("class", klass))
    cells = [lab.status is Status.MISSING for entry in klass.gradebook.entries for lab in entry.labs]
    assert made.count('<span class="status missing">missing</span>') == sum(cells) > 0


def test_a_test_s_discrimination_is_its_correlation_with_the_other_parts() -> None:
    """The expected value was computed by hand. There are ten hand-ins with 1 to 10 points in other parts; those with 6
    to 10 pass, and then those with 1 to 5. The points have mean 5.5 and standard deviation sqrt(8.25), so r = (8 - 3)
    sqrt(0.25) / sqrt(8.25) = 0.8704."""
    good = Rate(2, "scan", "correct", "is_right", False, 10, [], [(points > 5, points) for points in range(1, 11)])
    bad = Rate(2, "scan", "correct", "is_right", False, 10, [], [(points <= 5, points) for points in range(1, 11)])
    assert good.discrimination == pytest.approx(0.8704, abs=1e-4)
    assert bad.discrimination == pytest.approx(-0.8704, abs=1e-4)
    few = Rate(2, "scan", "correct", "is_right", False, 9, [], good.judged[1:])
    alike = Rate(2, "scan", "correct", "is_right", False, 10, [], [(False, points) for points in range(10)])
    assert (few.discrimination, alike.discrimination) == (None, None)


def test_the_points_of_a_test_s_own_part_are_not_in_its_discrimination(klass: Class) -> None:
    """The points of scan_quadratic are left out. What remains are scan_global's 20 points, and those for scan_in_place
    that every second hand-in has."""
    (test,) = [one for one in in_numbers(klass).tests if one.part == "scan_quadratic"]
    assert {points for _, points in test.judged} == {20, 40}
    assert len(test.judged) == 27


def test_a_test_that_only_good_hand_ins_fail_is_on_the_page_and_marked(tmp_path: Path) -> None:
    """Everyone fails as many tests as the page shows at once, and two good hand-ins fail one more. A bad test is often
    one that few fail."""
    path = exported.write_class(tmp_path)
    for results in sorted(tmp_path.glob("submissions/*/results.json")):
        graded = read_results(results)
        failed = graded.submission.name in {"hand-in-003", "hand-in-007"}
        tests = [exported.outcome(f"is_hard_{i}", exported.PRINTED, part="more") for i in range(HARDEST)]
        tests.append(exported.outcome("is_backwards", exported.PRINTED if failed else None, part="more"))
        first = graded.labs[0]
        more = PartResult("more", "More", (exported.aspect("correct", 5, 0, *tests),))
        labs = (replace(first, parts=(*first.parts, more)), *graded.labs[1:])
        results.write_text(to_json(replace(graded, labs=labs)), encoding="utf-8")
    klass = Class(read_gradebook(path, ""), tmp_path)
    (backwards,) = [one for one in in_numbers(klass).tests if one.id == "is_backwards"]
    assert backwards.failed == 2
    assert backwards.is_doubtful
    page = html(klass, Choices())
    valid(page)
    shown, _, folded = page.partition("<aside")
    assert "is backwards" not in shown
    assert '>is backwards <span class="tag">look at this test</span>' in folded
    for one in in_numbers(klass).tests:
        assert one.id.replace("_", " ") in page


def test_a_report_of_a_class_has_a_page_for_everybody(klass: Class, tmp_path: Path) -> None:
    assert main(["report", str(klass.folder / "gradebook.json"), "--to", str(tmp_path)]) == 0
    pages = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.html")}
    names = {entry.name for entry in klass.gradebook.entries if entry.results}
    assert pages == {"class.html", *(f"{folder}/{name}.html" for folder in ("reports", "instructor") for name in names)}
    text = (tmp_path / "class.html").read_text(encoding="utf-8")
    links = set(re.findall(r'href="(instructor/[^"#]*)(#[^"]*)?"', text))
    assert {page for page, _ in links} == {f"instructor/{name}.html" for name in names}
    assert {place for _, place in links} == {"", "#lab2"}
    assert all(f'id="{place[1:]}"' in (tmp_path / page).read_text(encoding="utf-8") for page, place in links if place)
    assert "<script>alert(1)" not in text
