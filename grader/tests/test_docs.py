"""Every command that README.md, CONTRIBUTING.md, the grader's pages and the handouts show works as it stands there."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 300

# These run everything, this test included, and are run by whoever starts the tests.
ALL = {"make check", "make grade SUBMISSION=reference"}


def commands(document: Path) -> list[str]:
    """The lines of the document's ```sh blocks, continued lines joined."""
    found: list[str] = []
    for block in re.findall(r"^```sh\n(.*?)^```$", document.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            command = line.split(" #")[0].strip()
            if command:
                found.append(command)
    return found


DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "grader" / "CLASS.md",
    ROOT / "grader" / "EXPORT.md",
    ROOT / "grader" / "INSTRUCTORS.md",
    *sorted((ROOT / "handouts").glob("*.md")),
]
SHOWN = sorted({command for document in DOCUMENTS for command in commands(document)} - ALL)


@pytest.mark.slow
@pytest.mark.parametrize("command", SHOWN)
def test_a_command_of_the_documents_works(command: str) -> None:
    """As for a student whose solution is complete; a hand-in that loses points ends with 1 as documented."""
    environment = {**os.environ, "SUBMISSION": "reference"}
    if "build/grade/reference/results.json" in command:  # what an earlier grading left
        subprocess.run(["make", "grade", "LAB=2"], cwd=ROOT, env=environment, capture_output=True, check=True)
    if "build/class/class/" in command:
        grade_class = ["make", "grade", "SUBMISSIONS=grader/tests/class", "LAB=2"]
        subprocess.run(grade_class, cwd=ROOT, env=environment, capture_output=True, check=True)
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    expected = 2 if "SUBMISSION=grader/tests" in command else 0  # make turns every failure into 2
    assert done.returncode == expected, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("test LAB=2 n=33", "n=33 does nothing in make test. It takes:"),
        ("test lab=2", "lab=2 does nothing in make test; try: LAB=2."),
        ("run LAB=2 part=scan_in_place", "part=scan_in_place does nothing in make run; try: PART=scan_in_place."),
        ("run LAB=2 PART=scan_in_place n=33", "n=33 does nothing in make run; try: N=33."),
        ("grade PART=scan_in_place", "PART=scan_in_place does nothing in make grade. It takes:"),
        ("test LAB=2 N=5", "N=5 does nothing in make test. It takes:"),
    ],
)
def test_a_setting_that_does_nothing_is_an_error(words: str, said: str) -> None:
    command = ["make", "--no-print-directory", *words.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_the_settings_that_documents_show_are_taken() -> None:
    """Asked of make itself, which builds nothing for a list of its targets."""
    settings = (ROOT / "labs/settings.mk").read_text(encoding="utf-8")
    shown: dict[str, set[str]] = {}
    for command in SHOWN:
        words = command.split()
        if words[0] == "make" and f"SETTINGS.{words[1]} " in settings:
            shown.setdefault(words[1], set()).update(word.split("=")[0] for word in words[2:] if "=" in word)
    assert {"test", "run", "trace", "meters", "grade", "audit"} <= shown.keys()
    for goal, names in shown.items():
        words = [f"{name}=1" for name in sorted(names - {"DEVICE"})]
        done = subprocess.run(
            ["make", "--question", "help", goal, *words], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert "does nothing" not in done.stderr, done.stderr


def test_every_document_shows_commands() -> None:
    """The pattern above still finds what it is for."""
    for document in DOCUMENTS:
        assert commands(document), document


def test_every_link_leads_somewhere() -> None:
    """Relative links only; the others are somebody else's."""
    for document in [*DOCUMENTS, ROOT / "grader" / "PLANNING.md", *sorted(ROOT.glob("*/README.md"))]:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (document.parent / target).exists(), f"{document}: {target}"


def anchors(document: Path) -> set[str]:
    """Of its headings, as GitHub and the site make them."""
    heads = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_every_topic_of_the_lectures_leads_to_its_heading() -> None:
    topics = ROOT / "handouts" / "topics.md"
    rows = re.findall(r"^\| (?!topic|-)(.+?) \| (.+) \|$", topics.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) >= 30
    for topic, where in rows:
        links = re.findall(r"\]\(([^)#]+)#?([^)]*)\)", where)
        assert links, topic
        for name, anchor in links:
            assert not anchor or anchor in anchors(topics.parent / name), f"{topic}: {name}#{anchor}"
