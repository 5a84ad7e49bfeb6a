"""Problems for editors: each is a line that a problem matcher reads."""

import json
import re
from pathlib import Path

import grader.export
from grader.export.choices import Choices
from grader.tests import exported
from grader.tests.formats import graded, of_one

MATCHER = json.loads(Path(grader.export.__file__ or "").with_name("problem-matcher.json").read_text(encoding="utf-8"))
_PROBLEM = re.compile(r"[^:\n]+:\d+:\d+: (?:error|warning|note): .+")


def valid(made: str | bytes) -> None:
    assert isinstance(made, str)
    for line in made.splitlines():
        assert _PROBLEM.fullmatch(line), f"no problem: {line!r}"


def test_every_problem_is_a_line_that_the_matcher_reads(tmp_path: Path) -> None:
    text = of_one("problems", graded(tmp_path, exported.results()), Choices(prefix="student/"))
    pattern = re.compile(MATCHER["problemMatcher"][0]["pattern"][0]["regexp"])
    lines = text.splitlines()
    matches = [pattern.match(line) for line in lines]
    assert all(matches), text
    found = {(m[1], m[2], m[3], m[4]): m[5] for m in matches if m}
    race = found["student/naive_scan.cu", "3", "1", "error"]
    assert race.startswith("race on shared buffer[17] (4 times): thread 18 reads it at line 2, thread 17 writes")
    assert race.endswith("[scan_in_place]")
    assert found["student/lab_4.cu", "2", "5", "error"].startswith("expected ';' before <script>")
    assert found["student/lab_4.cu", "1", "1", "warning"] == "w"
    assert "forged" not in "".join(line for line in lines if ":4:" in line)
