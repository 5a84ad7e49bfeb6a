"""Makes the students' versions of README.md and the handouts, without the text for instructors and without the labs and
parts that this class does not have. The text to remove is found by headings, commands, links and these marks:

    <!-- instructor -->  ...  <!-- end instructor -->   not for students
    <!-- student         ...  -->                       only for students
    <!-- student, lab 1  ...  -->                       for students of a class that has lab 1
    <!-- student, no lab 1 ... -->                      for students of other classes; {lab} is their first lab's number
    <!-- lab 1 -->       ...  <!-- end lab 1 -->        about a lab
    <!-- part mean -->   ...  <!-- end part mean -->    about a part, in addition to its section `## Part 4: mean`

Rows of tables and exercises need no mark: they are about the parts that they name. So are questions, but each keeps its
number, because answers and other pages refer to it.
"""

import re
from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import UsageError

_INSTRUCTOR = re.compile(r"^<!-- instructor -->\n.*?^<!-- end instructor -->\n", re.MULTILINE | re.DOTALL)
_STUDENT = re.compile(r"^<!-- student(?:, (no )?lab (\d+))?\n(.*?)^-->\n", re.MULTILINE | re.DOTALL)
_ONLY = re.compile(r"^<!-- (lab|part) (\w+) -->\n(.*?)^<!-- end \1 \2 -->\n", re.MULTILINE | re.DOTALL)
_ANY_MARK = re.compile(r"^<!-- (?:end )?(?:instructor|student|lab|part)\b.*$", re.MULTILINE)
_QUOTE = re.compile(
    r"^<!-- (?:said of .*|(?:numbers|rows) of .*|printed) -->\n", re.MULTILINE
)  # the conditions that a block is compared with
_SECTION = re.compile(r"^## Part \d+: (.+)\n(?:(?!## ).*\n)*", re.MULTILINE)
_COMMANDS = re.compile(  # a block of commands, and the block of their output
    r"^```sh\n(.*?)^```\n\n?(?:<!-- printed -->\n```text\n.*?^```\n\n?)?", re.MULTILINE | re.DOTALL
)
_FOLDER_ROW = re.compile(r"^\| `([^`]+/)` \|.*\n", re.MULTILINE)
_ENTRY = re.compile(r"^(?:\| .*\||- .*)\n", re.MULTILINE)  # a row of a table, or an item of a list
_ROW = re.compile(r"^\| *((?:`\w+`[,; ]*)+)\|.*\n", re.MULTILINE)  # a row whose first cell has only names
_EMPTY_TABLE = re.compile(r"^\|.*\n\|[-|: ]+\n(?:\n|\Z)", re.MULTILINE)
_EXERCISES = re.compile(r"^## (Questions|Answers|Going further)\n(?:(?!## ).*\n)*", re.MULTILINE)
_ITEM = re.compile(r"^(-|\d+\.) .*\n(?:(?: *\n)* {2,}\S.*\n)*", re.MULTILINE)  # an item of a list, with its paragraphs
_LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s]*)(#[^)\s]*)?\)")
_ASIDE = re.compile(rf"\s\({_LINK.pattern}\)")


@dataclass(frozen=True, slots=True)
class Taken:
    """The labs and parts that a class has."""

    labs: tuple[int, ...]  # numbers, the first lab first
    gone: Set[int] = frozenset()  # numbers of the other labs
    left_out: Set[str] = frozenset()  # names of the parts that are left out
    parts: Set[str] = frozenset()  # names of the others

    def lacks(self, text: str) -> bool:
        """True when the text names parts, and all of them are left out."""
        names = set(re.findall(r"`(\w+)`|\bPART=(\w+)", text))
        named = {name for pair in names for name in pair}
        return bool(named & self.left_out) and not named & self.parts


EVERYTHING = Taken((1,))


def for_students(text: str, taken: Taken = EVERYTHING) -> str:
    """The document as students get it, except for links. UsageError when a mark has no end."""

    def for_class(match: re.Match[str]) -> str:
        without, lab, inner = match.groups()
        shown = lab is None or (int(lab) in taken.gone) == bool(without)
        return inner.replace("{lab}", str(taken.labs[0])) if shown else ""

    def only(match: re.Match[str]) -> str:
        kind, name, inner = match.groups()
        return "" if (int(name) in taken.gone if kind == "lab" else name in taken.left_out) else inner

    text = _STUDENT.sub(for_class, _INSTRUCTOR.sub("", text))
    text = _ONLY.sub(only, text)
    left = _ANY_MARK.search(text)
    if left is not None:
        raise UsageError(f"a document has a mark without its counterpart: {left.group()}")
    text = _SECTION.sub(lambda match: "" if _is_out(match[1], taken) else match[0], text)
    if taken.left_out:
        text = _without_rows_and_exercises(text, taken)
    return _QUOTE.sub("", _COMMANDS.sub(lambda match: _commands(match, taken), text))


def _without_rows_and_exercises(text: str, taken: Taken) -> str:
    """Removes rows, questions, answers and exercises that are about parts that are left out."""
    gone: set[str] = set()  # numbers of questions

    def item(match: re.Match[str], heading: str) -> str:
        number = match[1]
        if heading == "Questions" and taken.lacks(match[0]):
            gone.add(number)
            return f"{number} This question is about a part that your class leaves out.\n"
        if heading == "Answers" and number in gone:
            return f"{number} Left out.\n"
        return "" if heading == "Going further" and taken.lacks(match[0]) else match[0]

    text = _ROW.sub(lambda row: "" if set(re.findall(r"\w+", row[1])) <= taken.left_out else row[0], text)
    text = _EXERCISES.sub(lambda part: _ITEM.sub(lambda match: item(match, part[1]), part[0]), text)
    return _EMPTY_TABLE.sub("", text)


def _is_out(heading: str, taken: Taken) -> bool:
    """True when all parts that a heading names are left out: `scan_in_place (Kogge-Stone)`, `histogram and lex`."""
    parts = re.sub(r"\s*\(.*\)", "", heading).split(" and ")
    return all(part in taken.left_out for part in parts)


def _commands(match: re.Match[str], taken: Taken) -> str:
    """The block without the commands for labs and parts that are left out. Empty when no other command remains."""

    def stays(line: str) -> bool:
        lab, part = re.search(r"\bLAB=(\d+)", line), re.search(r"\bPART=(\w+)", line)
        return not (lab and int(lab[1]) in taken.gone) and not (part and part[1] in taken.left_out)

    lines = match[1].splitlines(keepends=True)
    kept = [line for line in lines if stays(line)]
    if len(kept) == len(lines):
        return match[0]
    return f"```sh\n{''.join(kept)}```\n\n" if any(line.strip() for line in kept) else ""


def anchors(text: str) -> set[str]:
    """The anchors of the document's headings, as GitHub and the site make them."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def without_dead_links(document: Path) -> str:
    """The document with links to missing files and headings replaced by their text. Rows and items with only dead links
    are removed, and so are rows that describe a missing folder."""
    own = document.read_text(encoding="utf-8")

    def dead(place: str, anchor: str | None) -> bool:
        if "://" in place:
            return False
        target = document.parent / place if place else document
        if not target.exists():
            return True
        return bool(anchor) and target.suffix == ".md" and anchor not in {f"#{a}" for a in _anchors_of(target)}

    def entry(match: re.Match[str]) -> str:
        links = [dead(place, anchor) for _, place, anchor in _LINK.findall(match[0])]
        return "" if links and all(links) else match[0]

    text = _FOLDER_ROW.sub(lambda row: "" if dead(row[1], None) else row[0], own)
    text = _ENTRY.sub(entry, text)
    text = _ASIDE.sub(lambda link: "" if dead(link[2], link[3]) else link[0], text)
    return _LINK.sub(lambda link: link[1] if dead(link[2], link[3]) else link[0], text)


def _anchors_of(document: Path) -> set[str]:
    return anchors(document.read_text(encoding="utf-8"))
