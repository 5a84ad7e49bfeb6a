"""Exporters: each produces its reader's format, and a wrong call gets a message with advice."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from grader.export import FORMATS, OfClass, OfOne
from grader.export.audience import Audience
from grader.export.graded import Class, load
from grader.front.cli import main
from grader.model.types import Results
from grader.tests import exported, formats, real
from grader.tests.whole_class.valid import check

ONE = [name for name, of in FORMATS.items() if isinstance(of, OfOne)]
CLASS = {name: of for name, of in FORMATS.items() if isinstance(of, OfClass)}


def test_each_file_that_a_format_was_checked_against_has_its_commit() -> None:
    """A page on the web has none."""
    text = (real.COURSE.root / "grader/EXPORT.md").read_text(encoding="utf-8").partition("## What the formats were")[2]
    rows = [
        [cell.strip() for cell in row.split("|")[1:-1]]
        for row in re.findall(r"^\| .*", text.partition("\n## ")[0], re.M)
    ]
    head, *rows = rows
    assert head[2] == "version"
    assert len(rows) > 8
    for name, source, version, _ in rows:
        files = re.findall(r"`(?!grader/)[\w/.-]+\.(?:rb|php|json|py|go)`", source)
        commits = re.findall(r"`[0-9a-f]{10}`", version)
        assert len(commits) == len(files), name
        assert version == (", ".join(commits) or "none"), name
        assert files or "<https://" in source, name


@pytest.mark.parametrize("audience", list(Audience))
@pytest.mark.parametrize("results", [exported.results(), exported.results(exported.HOSTILE)], ids=["plain", "hostile"])
@pytest.mark.parametrize("name", ONE)
def test_what_is_written_is_what_its_reader_takes(
    name: str, results: Results, audience: Audience, tmp_path: Path
) -> None:
    formats.valid(name, formats.of_one(name, formats.graded(tmp_path, results, audience)))


@pytest.mark.parametrize("name", CLASS)
def test_what_is_written_of_a_class_is_what_its_reader_takes(name: str, klass: Class) -> None:
    form = CLASS[name].only
    formats.valid(name, formats.of_class(name, klass if form is None else formats.downloaded(klass, form)))


def test_the_check_of_a_whole_class_judges_every_format(tmp_path: Path) -> None:
    """For the hand-in that the grader could not judge, Autolab gets no scores, as intended. All other exports are
    valid."""
    told: dict[str, str] = {}

    def tell(good: bool, what: str, words: str) -> None:
        told[what.removeprefix("valid: ")] = "" if good else words

    check(tell, exported.write_class(tmp_path / "class", 5), tmp_path / "made")
    of_one = {f"{name} for {who}" for name in ONE for who in ("a student", "an instructor")}
    assert of_one | {name for name, of in CLASS.items() if of.only is None} <= set(told)
    wrong = {what: words for what, words in told.items() if words}
    assert set(wrong) == {"autolab for a student", "autolab for an instructor"}
    assert all(words.startswith("hand-in-001: ") and "\n" not in words for words in wrong.values())


def test_a_format_without_a_test_is_no_format() -> None:
    with pytest.raises(ModuleNotFoundError, match="test_unheard_of"):
        formats.valid("unheard-of", "")


def test_a_fault_of_the_grader_is_nobodys_zero(tmp_path: Path) -> None:
    of = formats.graded(tmp_path, exported.faulty())
    table = json.loads(formats.of_one("gradescope", of))
    assert "score" not in table
    assert "tests" not in table
    assert "not your fault" in table["output"]
    with pytest.raises(ValueError, match="Expecting value"):
        json.loads(formats.of_one("autolab", of).splitlines()[-1])


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
        (["moodle-feedback", "--from", "class/gradebook.json"], "hand-in-000 was not downloaded from moodle"),
        (["moodle", "--from", "class/gradebook.json", "--worksheet", "nowhere.csv"], "cannot read nowhere.csv"),
        (["classroom50", "--from", "results.json"], "CLASSROOM is not set"),
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
