"""Output for people fits their terminal: tests, findings and meters wrap between words, and a replay line is never
broken."""

import os
import pty
import re
import subprocess
import sys
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
            assert shown.split() == whole  # only line breaks differ


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


# ---- colours ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command of a suite with one race, and of a runner that reports it."""
    programs = [f"build/bin/{name}" for name in ("toy_suite", "fake_runner")]
    subprocess.run(["make", *programs], cwd=ROOT, timeout=300, check=True)
    folder = tmp_path_factory.mktemp("toy") / "race"
    folder.mkdir()
    for build in ("sum", "float_sum", "interval", "sum.64", "sum.1024", "interval.64", "interval.1024"):
        (folder / f"toy.{build}.so").touch()
    return [
        sys.executable,
        "-m",
        "grader.judge.shown",
        programs[0],
        "--runner",
        programs[1],
        "--submission",
        str(folder),
        "--part",
        "scan_toy",
        "--fold",
    ]


def on_terminal(command: list[str], **settings: str) -> str:
    """The output on a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment |= {"TERM": "xterm", "COLUMNS": "80", **settings}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=theirs) as running:
        os.close(theirs)
        said = b""
        try:
            while piece := os.read(ours, 1 << 16):
                said += piece
        except OSError:  # the other side is closed
            pass
        finally:
            os.close(ours)
        running.wait(timeout=60)
    return said.decode().replace("\r\n", "\n")


def test_a_terminal_shows_verdicts_and_places_in_colour(toy: list[str]) -> None:
    said = on_terminal(toy)
    for coloured in (
        "  \x1b[31mFAILED\x1b[0m clean      is clean at every length\n",
        "  \x1b[32mok\x1b[0m     correct    joins the right inputs at every length\n",
        "      \x1b[1mtoy.cu:31\x1b[0m  scan_kernel: race on shared buffer[17]\n",
        "          \x1b[1mtry:\x1b[0m if both accesses are meant, a second __syncthreads() after every\n",
        "      \x1b[1mreplay:\x1b[0m make run LAB=9 PART=scan_toy ",
    ):
        assert coloured in said, said
    plain = re.sub(r"\x1b\[\d+m", "", said)
    for setting in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert on_terminal(toy, **setting) == plain  # broken at the same words
    piped = subprocess.run(
        toy, cwd=ROOT, env={**os.environ, "COLUMNS": "80", "TERM": "xterm"}, capture_output=True, text=True, check=False
    )
    assert piped.stdout == plain
    narrow = on_terminal(toy, COLUMNS="60")
    assert max(len(line) for line in re.sub(r"\x1b\[\d+m", "", narrow).splitlines() if "replay:" not in line) <= 60
    assert re.sub(r"\x1b\[\d+m", "", narrow) == on_terminal(toy, COLUMNS="60", NO_COLOR="1")
