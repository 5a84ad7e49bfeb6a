"""Tests of check.py, with planted targets."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import check
import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("lines", "status", "passed", "fault"),
    [
        (["a: 3 passed, 0 failed", "b: 2 passed, 0 failed"], 0, 5, None),
        (["a: 3 passed, 0 failed"], 0, 3, "b: it came to its end 0 times, not 1"),
        (["a: 3 passed, 0 failed", "b: 2 passed, 0 fail"], 0, 3, "b: it came to its end 0 times, not 1"),
        (
            ["a: 3 passed, 0 failed", "b: 2 passed, 0 failed", "b: 2 passed, 0 failed"],
            0,
            7,
            "b: it closed 2 times, not 1",
        ),
        (["a: 3 passed, 0 failed", "b: 0 passed, 0 failed"], 0, 3, "b: it ran no test"),
        (
            ["a: 3 passed, 0 failed", "b: 2 passed, 0 failed", "c: 1 passed, 0 failed"],
            0,
            6,
            "c: .ci/tests.toml does not list it",
        ),
        (["a: 3 passed, 0 failed", "b: 2 passed, 0 failed"], 2, 5, "exit status 2"),
    ],
)
def test_lines_are_held_against_the_plan(lines: list[str], status: int, passed: int, fault: str | None) -> None:
    tally = check.add_up(lines, {"a": 1, "b": 1}, status)
    assert tally.passed == passed
    assert tally.faults == ([fault] if fault else [])
    assert tally.failed == len(tally.faults)


def test_a_counted_failure_is_counted_once() -> None:
    assert check.add_up(["a: 3 passed, 1 failed"], {"a": 1}, 2).failed == 1


DIES = """
good:
\t@echo "first: 2 passed, 0 failed"; echo "second: 1 passed, 0 failed"
dies:
\t@echo "first: 2 passed, 0 failed"
\t@echo "one is right"; exit 0; echo "second: 1 passed, 0 failed"
"""


def test_a_program_that_ends_before_its_plan_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Makefile").write_text(DIES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MAKEFLAGS", raising=False)
    plan = {"first": 1, "second": 1}
    assert check.main(["good", "dies"], {"good": plan, "dies": plan}) == 1
    said = capsys.readouterr().out.splitlines()
    assert "dies failed: second: it came to its end 0 times, not 1" in said
    assert said[-1] == "5 passed, 1 failed"


WAITS = """
first second:
\t@touch $@; until [ -e $(filter-out $@,first second) ]; do sleep 0.1; done
\t@echo "$@: 1 passed, 0 failed"; sleep 0.2; echo "other: 1 passed, 0 failed"
"""


def test_two_lists_run_side_by_side_and_each_target_is_shown_in_one_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each target waits until the other has begun."""
    (tmp_path / "Makefile").write_text(WAITS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MAKEFLAGS", raising=False)
    plans = {target: {target: 1, "other": 1} for target in ("first", "second")}
    assert check.main(["first", "--", "second"], plans) == 0
    said = capsys.readouterr().out.splitlines()
    for target in plans:
        at = said.index(f"== {target}")
        assert said[at + 1 : at + 3] == [f"{target}: 1 passed, 0 failed", "other: 1 passed, 0 failed"]
        assert said[at + 3].startswith(f"== {target}: ")
    assert said[-1] == "4 passed, 0 failed"


def test_the_last_list_comes_before_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Makefile").write_text('first last:\n\t@echo "$@ $$(nice)"; echo "$@: 1 passed, 0 failed"\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MAKEFLAGS", raising=False)
    assert check.main(["first", "--", "last"], {target: {target: 1} for target in ("first", "last")}) == 0
    said = dict(re.findall(r"^(first|last) (\d+)$", capsys.readouterr().out, re.MULTILINE))
    assert int(said["first"]) - int(said["last"]) == check.NICE


def test_the_targets_get_a_ninth_of_the_trials_or_what_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Makefile").write_text('one:\n\t@echo "PORTION $$PORTION"; echo "one: 1 passed, 0 failed"\n')
    for name in ("MAKEFLAGS", "PORTION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(HERE)
    assert check.portion() in [f"{portion}/9" for portion in range(9)]
    monkeypatch.chdir(tmp_path)
    assert check.portion() == "0/9"  # where there is no commit
    monkeypatch.setenv("PORTION", "all")
    assert check.main(["one"], {"one": {"one": 1}}) == 0
    assert "PORTION all" in capsys.readouterr().out.splitlines()


def test_every_target_of_make_check_has_a_plan() -> None:
    rules = (HERE / "project.mk").read_text()
    targets = re.findall(r"^CHECKS[A-Z_]* := (.+)$", rules, re.MULTILINE)
    assert len(targets) == 3
    assert sorted(check.read_plans(HERE / "tests.toml")) == sorted(" ".join(targets).split())


def test_what_the_map_names_is_there() -> None:
    root = HERE.parent
    places = [
        place
        for tests in tomllib.loads((HERE / "tests.toml").read_text()).values()
        for test in tests.values()
        for place in test.get("where", "").split(", ")
        if "/" in place
    ]
    assert len(places) > 20
    assert [place for place in places if not list(root.glob(place))] == []


def test_the_closing_line_of_pytest(tmp_path: Path) -> None:
    (tmp_path / "test_two.py").write_text("def test_good():\n    pass\n\n\ndef test_bad():\n    assert 0\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "closing_line", "--closing", "two", "."]
    environment = os.environ | {"PYTHONPATH": str(HERE)}
    said = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False).stdout
    assert "two: 1 passed, 1 failed" in said.splitlines()
