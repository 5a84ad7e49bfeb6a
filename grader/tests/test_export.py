"""Exporters: each keeps to the form of the system that reads it, and what a submission says is only text."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader.export import FORMATS, Choices, OfOne
from grader.export.annotate import remarks
from grader.export.audience import Audience
from grader.export.graded import Class, Graded, load, read_input
from grader.export.gradescope import VISIBILITIES
from grader.export.html_report import html
from grader.export.summary import Summary, summarize
from grader.export.summary import TestRate as Rate
from grader.front.cli import main
from grader.model.gradebook import Gradebook
from grader.model.types import Results, Status
from grader.tests import exported

GRADESCOPE = json.loads((Path(__file__).parent / "gradescope.schema.json").read_text(encoding="utf-8"))
MATCHER = json.loads((Path(__file__).parents[1] / "export" / "problem-matcher.json").read_text(encoding="utf-8"))


def graded(tmp_path: Path, results: Results, audience: Audience = Audience.STUDENT) -> Graded:
    return load(results, exported.write_graded(tmp_path, results).parent / "src", audience)


def written(name: str, of: Graded, **choices: Any) -> str:
    exporter = FORMATS[name]
    assert isinstance(exporter, OfOne)
    return exporter.write(of, Choices(**choices))


# ---- Gradescope --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("visibility", VISIBILITIES)
@pytest.mark.parametrize("audience", list(Audience))
@pytest.mark.parametrize("results", [exported.results(), exported.faulty()], ids=["graded", "fault"])
def test_gradescope_gets_its_own_form(tmp_path: Path, results: Results, audience: Audience, visibility: str) -> None:
    table = json.loads(written("gradescope", graded(tmp_path, results, audience), visibility=visibility))
    jsonschema.Draft202012Validator.check_schema(GRADESCOPE)
    jsonschema.validate(table, GRADESCOPE)
    for row in table.get("tests", ()):
        assert set(re.findall(r"\x1b[^m]*m", row["output"])) <= {"\x1b[31m", "\x1b[32m", "\x1b[0m"}


def test_the_schema_of_gradescope_refuses_what_it_should() -> None:
    for wrong in ({"tests": [{"visibility": "secret"}]}, {"tests": [{"score": "7"}]}, {"output_format": "rtf"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, GRADESCOPE)


def test_gradescopes_points_add_up_and_wait_where_hidden_tests_decide(tmp_path: Path) -> None:
    table = json.loads(written("gradescope", graded(tmp_path, exported.results())))
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
    """It is hidden from students even where they see everything else."""
    of = graded(tmp_path, exported.results(), Audience.INSTRUCTOR)
    table = json.loads(written("gradescope", of, visibility="visible"))
    telling = [row for row in table["tests"] if any(canary in json.dumps(row) for canary in exported.CANARIES)]
    assert len(telling) == len(exported.HIDDEN_FAILURES) + 2
    assert {row["visibility"] for row in telling} == {"hidden"}
    assert "CANARY" not in table["output"]


def test_a_fault_of_the_grader_is_nobodys_zero(tmp_path: Path) -> None:
    of = graded(tmp_path, exported.faulty())
    table = json.loads(written("gradescope", of))
    assert "score" not in table
    assert "tests" not in table
    assert "not your fault" in table["output"]
    with pytest.raises(ValueError, match="Expecting value"):
        json.loads(written("autolab", of).splitlines()[-1])
    classroom = json.loads(written("classroom", of))
    assert classroom["status"] == "error"


# ---- Autolab, GitHub, editors ------------------------------------------------------------------------------


def test_autolabs_last_line_has_the_scores(tmp_path: Path) -> None:
    lines = written("autolab", graded(tmp_path, exported.results())).splitlines()
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
    lines = written("autolab", graded(tmp_path, exported.results("eve", lab))).splitlines()
    assert json.loads(lines[-1])["scores"] == {"part_of_4": 0}


def test_the_summary_of_a_job_cannot_be_broken_out_of(tmp_path: Path) -> None:
    fence = "````\n</details>\n# 100 of 100 points\n<script>alert(1)</script>\n```"
    lab = exported.untested(4, Status.DOES_NOT_COMPILE, fence)
    text = written("github", graded(tmp_path, exported.results("eve", lab)))
    assert text.startswith("# 0 of 100 points\n")
    assert "\n`````text\n" in text
    outside = re.sub(r"^(`{3,})text\n.*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert "script" not in outside
    assert "100 of 100" not in outside


def test_a_summary_that_is_too_long_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.export.github.SUMMARY_CAP", 1500)
    text = written("github", graded(tmp_path, exported.results()))
    assert len(text) < 1600
    assert re.search(r"\n\d+ more sections do not fit here\.\n$", text)


def test_classroom_gets_a_test_for_each_part(tmp_path: Path) -> None:
    table = json.loads(written("classroom", graded(tmp_path, exported.results())))
    assert (table["version"], table["status"], table["max_score"]) == (1, "fail", 300)
    assert [(test["name"], test["status"], test["score"]) for test in table["tests"]][:2] == [
        ("scan_quadratic", "pass", 30),
        ("scan_in_place", "fail", 0),
    ]
    assert table["tests"][1]["test_code"] == "make run LAB=2 PART=scan_in_place MONOID=sum N=600 SEED=7"
    assert table["tests"][0]["test_code"] == "make test LAB=2 PART=scan_quadratic"


def test_every_problem_is_a_line_that_the_matcher_reads(tmp_path: Path) -> None:
    text = written("problems", graded(tmp_path, exported.results()), prefix="student/")
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


# ---- pages -------------------------------------------------------------------------------------------------


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
    assert "{{7*7}}" in body  # not worked out
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
    assert text.count('<th scope="row">barriers') == 1  # what hidden calls counted is not there


# ---- a class -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def klass(tmp_path_factory: pytest.TempPathFactory) -> Class:
    path = exported.write_class(tmp_path_factory.mktemp("class"), 30)
    book = read_input(path)
    assert isinstance(book, Gradebook)
    return Class(book, path.parent)


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
    assert [one.kind for one in summary.findings if one.part == "scan_in_place"] == ["race"], (
        "each part is counted once"
    )
    (wrong,) = [one.who for one in summary.findings if one.part == "scan_quadratic"]
    assert [entry.name for entry in wrong] == [f"hand-in-{i:03}" for i in (0, 5, 10, 15, 20, 25)]


def test_a_test_s_discrimination_is_its_correlation_with_the_other_parts() -> None:
    """Worked out by hand: ten hand-ins, of which those with 6 to 10 points elsewhere pass, and then those with 1 to 5.
    The points have mean 5.5 and standard deviation sqrt(8.25), so r = (8 - 3) sqrt(0.25) / sqrt(8.25) = 0.8704."""
    good = Rate(2, "scan", "correct", "is_right", False, 10, [], [(points > 5, points) for points in range(1, 11)])
    bad = Rate(2, "scan", "correct", "is_right", False, 10, [], [(points <= 5, points) for points in range(1, 11)])
    assert good.discrimination == pytest.approx(0.8704, abs=1e-4)
    assert bad.discrimination == pytest.approx(-0.8704, abs=1e-4)
    few = Rate(2, "scan", "correct", "is_right", False, 9, [], good.judged[1:])
    alike = Rate(2, "scan", "correct", "is_right", False, 10, [], [(False, points) for points in range(10)])
    assert (few.discrimination, alike.discrimination) == (None, None)


def test_the_points_of_a_test_s_own_part_are_not_in_its_discrimination(klass: Class) -> None:
    """scan_quadratic's are left out: scan_global's 20 remain, and those that every second has for scan_in_place."""
    (test,) = [one for one in in_numbers(klass).tests if one.part == "scan_quadratic"]
    assert {points for _, points in test.judged} == {20, 40}
    assert len(test.judged) == 27


def test_canvas_and_moodle_get_their_columns(klass: Class) -> None:
    book = klass.gradebook
    canvas = list(csv.reader(io.StringIO(FORMATS["canvas"].write(klass, Choices(columns=((2, "Lab 2 (4711)"),))))))  # type: ignore[arg-type]
    assert canvas[0] == [
        *("Student", "ID", "SIS User ID", "SIS Login ID", "Section"),
        *("Lab 2 (4711)", "Lab 3: Lab number 3", "Lab 4: Lab number 4"),
    ]
    assert canvas[1] == ["Points Possible", "", "", "", "", "100", "100", "100"]
    assert canvas[2][0].startswith("'=HYPERLINK")  # only text to a spreadsheet
    assert not set("\x1b\x07\u202e") & set(canvas[2][0])
    assert canvas[3][5:] == ["", "0", "0"]  # the grader's fault leaves the cell as it was
    assert canvas[4][1] == "1002"
    moodle = list(csv.DictReader(io.StringIO(FORMATS["moodle"].write(klass, Choices()))))  # type: ignore[arg-type]
    assert [(row["Identifier"], row["Grade"], row["Maximum Grade"]) for row in moodle[:2]] == [
        ("Participant 1000", "20", "300"),
        ("Participant 1001", "", "300"),
    ]
    one = list(csv.DictReader(io.StringIO(FORMATS["moodle"].write(klass, Choices(labs=(3,))))))  # type: ignore[arg-type]
    assert (one[1]["Grade"], one[1]["Maximum Grade"]) == ("0", "100")
    assert len(moodle) == len(book.entries)


# ---- the command line --------------------------------------------------------------------------------------


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


def test_a_report_of_one_has_both_forms(tmp_path: Path) -> None:
    exported.write_graded(tmp_path, exported.results())
    assert main(["report", str(tmp_path / "results.json")]) == 0
    student, instructor = ((tmp_path / "report" / f"{who}.html").read_text() for who in ("student", "instructor"))
    assert "CANARY" not in student
    assert "CANARY" in instructor


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["html", "--from", "nowhere.json"], "it is not there\n    try: make grade first"),
        (["html", "--from", "text"], "is not JSON"),
        (["html", "--from", "other.json"], "try: a results.json or a gradebook.json"),
        (["class", "--from", "results.json"], "class is made of a gradebook.json"),
        (["canvas", "--from", "results.json"], "canvas is made of a gradebook.json"),
        (["html", "--from", "class/gradebook.json"], "html is made of a results.json"),
        (["canvas", "--from", "class/gradebook.json", "--lab", "9"], "the gradebook has no lab 9; it has 2, 3, 4"),
    ],
)
def test_a_wrong_call_says_what_to_do(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    exported.write_graded(tmp_path, exported.results())
    (tmp_path / "class").mkdir()
    exported.write_class(tmp_path / "class", 3)
    (tmp_path / "text").write_text("no JSON")
    (tmp_path / "other.json").write_text('{"schema": 1}')
    monkeypatch.chdir(tmp_path)
    assert main(["export", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_source_that_is_a_link_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("the instructor's secret")
    exported.write_graded(tmp_path, exported.results())
    (tmp_path / "src/naive_scan.cu").unlink()
    (tmp_path / "src/naive_scan.cu").symlink_to(tmp_path / "secret")
    of = replace(
        exported.results(), submission=replace(exported.results().submission, files=("naive_scan.cu", "../secret"))
    )
    assert load(of, tmp_path / "src", Audience.STUDENT).sources == {}
