"""The summary of a job on GitHub: text of a submission cannot leave its block."""

import re
from pathlib import Path

import pytest

from grader.model.types import Status
from grader.tests import exported
from grader.tests.formats import graded, of_one


def valid(made: str | bytes) -> None:
    assert isinstance(made, str)
    assert made.count("\n```") % 2 == 0, "a block of code is left open"


def test_the_summary_of_a_job_cannot_be_broken_out_of(tmp_path: Path) -> None:
    fence = "````\n</details>\n# 100 of 100 points\n<script>alert(1)</script>\n```"
    lab = exported.untested(4, Status.DOES_NOT_COMPILE, fence)
    text = of_one("github", graded(tmp_path, exported.results("eve", lab)))
    assert text.startswith("# 0 of 100 points\n")
    assert "\n`````text\n" in text
    outside = re.sub(r"^(`{3,})text\n.*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert "script" not in outside
    assert "100 of 100" not in outside


def test_a_summary_that_is_too_long_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.export.github.SUMMARY_CAP", 1500)
    text = of_one("github", graded(tmp_path, exported.results()))
    assert len(text) < 1600
    assert re.search(r"\n\d+ more sections do not fit here\.\n$", text)
