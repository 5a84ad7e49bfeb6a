"""The page of a class: its numbers, and a page for everybody."""

import re
from pathlib import Path

import html5lib
import pytest

from grader.export.graded import Class
from grader.export.summary import Summary, summarize
from grader.front.cli import main


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
    assert hardest["scan_in_place", "is_a_secret_sentence"] == (27, 27)  # once a hand-in, whatever its turns
    found = {(one.part, one.kind): one.hand_ins for one in summary.findings}
    assert found["scan_in_place", "race"] == 27
    assert found["scan_quadratic", "mismatch"] == 6


def test_a_report_of_a_class_has_a_page_for_everybody(klass: Class, tmp_path: Path) -> None:
    assert main(["report", str(klass.folder / "gradebook.json"), "--to", str(tmp_path)]) == 0
    pages = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.html")}
    names = {entry.name for entry in klass.gradebook.entries if entry.results}
    assert pages == {"class.html", *(f"{folder}/{name}.html" for folder in ("reports", "instructor") for name in names)}
    text = (tmp_path / "class.html").read_text(encoding="utf-8")
    assert set(re.findall(r'href="(instructor/[^"]*)"', text)) == {f"instructor/{name}.html" for name in names}
    assert "<script>alert(1)" not in text
