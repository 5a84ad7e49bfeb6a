"""Each lab's page is complete: why, idea, proof, and for each part contract, checkpoint, traps and hints."""

import re
import tomllib
from pathlib import Path

import pytest

from grader.release.documents import for_students

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "handouts").glob("[1-9]-*.md"))
SECTIONS = ("Why", "The idea", "Work and depth", "Part 1", "Grade", "Questions", "Answers", "Going further", "Sources")
EXAMPLE = ["3", "1", "7", "0", "4", "1", "6", "3"]


def sections(page: Path) -> dict[str, str]:
    """Heading -> text of the section, for each section of a page."""
    found = re.split(r"^## (.+)\n", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2], strict=True))


def one(page: Path, name: str) -> str:
    return next(text for heading, text in sections(page).items() if heading.startswith(name))


def parts_of(page: Path) -> list[str]:
    lab = tomllib.loads((ROOT / "labs" / page.stem / "lab.toml").read_text(encoding="utf-8"))
    return [part["name"] for part in lab["part"]]


@pytest.fixture(params=PAGES, ids=lambda page: page.stem)
def page(request: pytest.FixtureRequest) -> Path:
    return Path(str(request.param))


def test_a_page_has_each_section_in_order(page: Path) -> None:
    headings = list(sections(page))
    places = [next(i for i, heading in enumerate(headings) if heading.startswith(name)) for name in SECTIONS]
    assert places == sorted(places)


def test_the_idea_is_shown_on_the_same_eight_numbers(page: Path) -> None:
    blocks = re.findall(r"^```text\n(.*?)^```$", one(page, "The idea"), re.MULTILINE | re.DOTALL)
    numbers = [re.findall(r"\d+", block) for block in blocks]
    halves = (EXAMPLE[:4], EXAMPLE[4:])  # an image has two rows of four
    assert any(all(_stands_in(half, row) for half in halves) for row in numbers)


def _stands_in(wanted: list[str], row: list[str]) -> bool:
    return any(row[i : i + len(wanted)] == wanted for i in range(len(row)))


def test_work_and_depth_are_proved(page: Path) -> None:
    text = one(page, "Work and depth")
    assert re.search(r"\*\*(?:Work|Proof|Why)", text)
    assert "depth" in text.lower()


def test_each_part_has_question_contract_checkpoint_traps_and_two_hints(page: Path) -> None:
    tested = set()
    for heading, text in sections(page).items():
        if not heading.startswith("Part "):
            continue
        assert text.lstrip().startswith("**Where is the parallelism?**"), heading
        assert re.search(r"^\*\*Contract\.\*\* |^The contract", text, re.MULTILINE), heading
        shown = set(re.findall(r"^make test LAB=\d PART=(\w+)$", text, re.MULTILINE))
        assert shown, heading
        tested |= shown
        assert "<!-- said of " in text, heading
        hints = re.findall(r"^<details>\n<summary>(Hint \d)</summary>\n\n(.+?)\n\n</details>$", text, re.M | re.S)
        assert [name for name, _ in hints] == ["Hint 1", "Hint 2"], heading
    assert tested >= set(parts_of(page))


def test_every_page_shows_a_figure_of_a_run_and_names_its_sources(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.search(r"!\[[^]]+\]\(figures/[\w-]+\.svg\)", text)
    assert len(re.findall(r"^- .*(?:\n  .*)*?\d{4}", one(page, "Sources"), re.MULTILINE)) >= 3
    assert len(re.findall(r"^- ", one(page, "Going further"), re.MULTILINE)) >= 3


def test_the_questions_have_as_many_answers_and_runs_that_check_them(page: Path) -> None:
    asked = re.findall(r"^(\d+)\. ", one(page, "Questions"), re.MULTILINE)
    assert asked == re.findall(r"^(\d+)\. ", one(page, "Answers"), re.MULTILINE)
    assert len(asked) >= 6
    assert re.search(r"^make (?:run|meters) LAB=", one(page, "Questions"), re.MULTILINE)


def test_the_start_page_says_which_lab_when_and_where_to_work() -> None:
    start = ROOT / "handouts" / "README.md"
    text = start.read_text(encoding="utf-8")
    assert all(f"]({page.name})" in text for page in PAGES)
    assert all(page.stem[0] in re.findall(r"\d", one(start, "Which lab when")) for page in PAGES)
    ways = ("Without a GPU", "With a GPU", "On Colab or Kaggle")
    assert [way for way in ways if f"**{way}" not in one(start, "Where to work")] == []
    assert "](machines.md)" in one(start, "Where to work")  # Windows, macOS, containers and clusters


# The short way leads from an unpacked release to a lab 1 that passes. These are the speeds of a reader who also types;
# the time of the tools is below.
WORDS_A_MINUTE, KEYS_A_MINUTE = 230, 200
SAID = 140  # number of words in the tools' output: after the first test all are read, after the others only the end
TOOLS = 1.5  # in minutes, measured on a fresh machine with two processors: packages, the first build, five tests
QUARTER = 15


def _words(text: str) -> int:
    return len(re.findall(r"\S*\w\S*", re.sub(r"!\[[^]]*\]", "", text)))


def _up_to(text: str, end: str) -> str:
    assert text.count(end) == 1, end
    return text[: text.index(end)]


def _typed(lines: list[str]) -> int:
    """Number of keys. The editor makes the indents, and a line that is already in the file is copied."""
    return sum(len(line) + 1 for line in dict.fromkeys(line.strip() for line in lines) if line)


def short_way() -> tuple[list[str], list[str]]:
    """The texts that are read on the short way, and the lines that are typed: commands, and code like the
    reference's."""
    readme = for_students((ROOT / "README.md").read_text(encoding="utf-8"))
    page = for_students((ROOT / "handouts/1-reduction.md").read_text(encoding="utf-8"))
    pages = [_up_to(readme, "What is installed: "), _up_to(page, "You have passed.")]
    file = (ROOT / "student/reduction.cu").read_text(encoding="utf-8")
    holes = re.sub(r"/\* -{4} (?:The loop|Parts? \d).*?\*/", "", file[file.index("/* ---- Part 1") :], flags=re.DOTALL)
    solved = (ROOT / "reference/reduction.cu").read_text(encoding="utf-8")
    code = re.findall(r"/\* solution \*/\n(.*?)/\* end solution \*/", solved, re.DOTALL)
    typed = re.findall(r"^make .*$", "".join(pages), re.MULTILINE)
    typed += re.sub(r"/\*.*?\*/", "", "".join(code), flags=re.DOTALL).splitlines()
    return [*pages, holes], typed


def test_the_short_way_to_a_passing_lab_1_takes_less_than_a_quarter_of_an_hour() -> None:
    read, typed = short_way()
    assert "(handouts/1-reduction.md#the-short-way)" in read[0]
    assert [part for part in parts_of(PAGES[0]) if f"`{part}`" not in one(PAGES[0], "The short way")] == []
    assert len(re.findall("TODO", read[2])) == 8  # no hole is left out
    minutes = (sum(map(_words, read)) + SAID) / WORDS_A_MINUTE + _typed(typed) / KEYS_A_MINUTE + TOOLS
    assert minutes < QUARTER, f"{minutes:.1f} minutes"


def test_the_short_way_counts_words_and_keys() -> None:
    assert _words("![not read](a.svg) one ⊕ `two` | 3") == 3 + 1  # and the picture's name
    assert _typed(["    a = b;", "a = b;", "", "}"]) == 7 + 2
