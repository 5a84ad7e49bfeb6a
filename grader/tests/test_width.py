"""What people read fits their terminal: tests, findings and meters wrap between words, a replay line never."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow
WIDTHS = (60, 80, 120)
NO_TERMINAL = -1


def said(width: int, *words: str, **settings: str) -> str:
    command = ["make", "--no-print-directory", *words]
    environment = {**os.environ, "SUBMISSION": "reference", "COLUMNS": str(width), **settings}
    if width == NO_TERMINAL:
        del environment["COLUMNS"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode in (0, 2), done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("test", "LAB=2", "PART=scan_quadratic"),
        ("meters", "LAB=3"),
        ("meters", "LAB=3", "PART=scan_blelloch", "N=512"),
        ("run", "LAB=2", "PART=scan_in_place", "N=33"),
    ],
    ids=" ".join,
)
def test_no_line_is_wider_than_the_terminal(words: tuple[str, ...]) -> None:
    whole = said(0, *words).split()
    for width in WIDTHS:
        shown = said(width, *words)
        assert max(map(len, shown.splitlines())) <= width
        if words[0] in ("test", "run"):
            assert shown.split() == whole  # nothing but line breaks differs


def test_without_a_terminal_lines_have_80_characters() -> None:
    words = ("test", "LAB=2", "PART=scan_quadratic")
    assert said(NO_TERMINAL, *words) == said(80, *words) != said(120, *words)


def test_a_failure_wraps_and_its_replay_line_does_not() -> None:
    for width in WIDTHS:
        shown = said(width, "test", "LAB=1", "PART=reduce_tile", SUBMISSION="student").splitlines()
        replays = [line for line in shown if "replay: " in line]
        assert replays and all("SEED=1" in line for line in replays)
        assert all(len(line) <= width for line in shown if line not in replays)


@pytest.mark.parametrize("source", sorted((ROOT / "student").glob("*.cu")), ids=lambda source: source.stem)
def test_stubs_are_told_in_a_few_lines_with_what_to_write_first(source: Path) -> None:
    shown = said(80, "test", f"LAB={source.stem}", SUBMISSION="student")
    lines = shown.splitlines()
    assert len(lines) <= 20
    assert f"  no result yet: begin here, in student/{source.name}" in lines
    assert shown.count("  FAILED ") == 1
    assert re.search(
        r"^no result yet either: [\w,\s]+\(\d+\s+tests\s+fail;\s+V=1\s+shows\s+them\)$", shown, re.MULTILINE
    )
    assert "not proved" not in shown


def test_every_failure_of_a_stub_is_there_to_be_seen() -> None:
    whole = said(80, "test", "LAB=1", SUBMISSION="student", V="1")
    assert whole.count("  FAILED ") > 40


def test_the_meters_of_a_part_are_there_in_either_form() -> None:
    table = said(0, "meters", "LAB=3", "PART=scan_blelloch", "N=512")
    narrow = said(60, "meters", "LAB=3", "PART=scan_blelloch", "N=512")
    assert "---- shared memory ---" in table and "---- shared memory ---" not in narrow
    assert "combines 511, shared requests 60, shared wavefronts" in narrow
    for form in (table, narrow):
        assert "combines 1022, exactly 2(n - 1)" in form
        assert "<- bank conflicts: 4.8 wavefronts for 1.0" in " ".join(form.split())
