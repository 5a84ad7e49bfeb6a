"""Every clause of a contract is decided by a test, a bound or something else that exists. labs/clauses.toml explains
the list."""

import re
import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from grader.handin.discover import Lab, discover_labs
from grader.model.findings import FINDINGS, STATEMENTS
from grader.tests.real import COURSE

_COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
_PROTOTYPE = re.compile(r"^\w[\w ]*?[ *]+(\w+)\(([^()]*)\);", re.MULTILINE)
_ROW = re.compile(r"^(\w[\w, ]*?)  +(?=\S)")  # matches "in, out   device pointers to ..."
_BETWEEN = re.compile(r"(?:[\s,;.:]|\band\b)*")
_UNDECIDED = ("word", "given", "refused")


@dataclass(frozen=True)
class Listed:
    """The clauses and what decides them, from labs/clauses.toml or from the file of a lab."""

    all: dict[str, list[str]]
    tables: dict[str, dict[str, list[str]]]
    groups: dict[str, list[str]]


@dataclass
class Judges:
    """The tests and bounds of a lab's suites, for each part."""

    tests: dict[str, set[str]] = field(default_factory=dict)
    bounds: dict[str, set[str]] = field(default_factory=dict)


def read_lists(lab: Lab, root: Path = COURSE.root) -> Listed:
    common = tomllib.loads((root / "labs" / "clauses.toml").read_text(encoding="utf-8"))
    own = tomllib.loads((lab.folder / "clauses.toml").read_text(encoding="utf-8"))
    return Listed(common["all"], own, common["groups"])


def normal(text: str) -> str:
    return " ".join(text.split())


def texts_of(header: str) -> dict[str, str]:
    """The text of each comment. The opening comment has the key `contract` and is without its first two sentences,
    which name files. The comment of a part is without its name and the names of its parameters."""
    texts, end = {}, 0
    for prototype in _PROTOTYPE.finditer(header):
        name, parameters = prototype[1], set(re.findall(r"(\w+)(?:,|$)", prototype[2]))
        comment = [*_COMMENT.finditer(header, end, prototype.start())][-1][1]
        end = prototype.end()
        lines = [line.removeprefix(" * ") for line in comment.removeprefix(f" {name}:").splitlines()]
        texts[name] = normal("\n".join(_without_label(line, parameters) for line in lines if line != " *"))
    opening = _COMMENT.search(header)
    assert opening is not None
    lines = [line.removeprefix(" *") for line in opening[1].splitlines()]
    return {"contract": normal("\n".join(lines)).split(". ", 2)[2], **texts}


def _without_label(line: str, parameters: set[str]) -> str:
    row = _ROW.match(line)
    if row and set(re.split(r",\s*", row[1])) <= parameters | {"Graded", "returns"}:
        return f"; {line[row.end() :]}"
    return line


def cover(text: str, clauses: list[str]) -> tuple[list[str], str]:
    """The clauses that the text consists of, and the rest from the first words that are in no clause."""
    used: list[str] = []
    longest_first = sorted(clauses, key=len, reverse=True)
    at = 0
    while True:
        between = _BETWEEN.match(text, at)
        if between and not any(text.startswith(clause, at) for clause in longest_first):
            at = between.end()
        found = next(
            (c for c in longest_first if text.startswith(c, at) and not text[at + len(c) :][:1].isalnum()), None
        )
        if found is None:
            return used, text[at:]
        used.append(found)
        at += len(found)


def judges_of(lab: Lab) -> Judges:
    judges = Judges()
    for suite in (lab.stem, f"{lab.stem}_hidden"):
        listed = subprocess.run(
            [COURSE.root / f"build/bin/check_{suite}", "--list"], capture_output=True, text=True, check=True
        )
        for line in listed.stdout.splitlines():
            part, what, _, name = line.split("\t")
            (judges.tests if what == "test" else judges.bounds).setdefault(part, set()).add(name)
    return judges


def undecided(deciders: list[str], part: str, judges: Judges, groups: dict[str, list[str]]) -> list[str]:
    """The deciders that do not exist."""
    own = judges.tests[part] | judges.bounds[part]
    exists = {
        **dict.fromkeys((*own, *_UNDECIDED), True),
        **{f"finding: {kind}": True for kind in FINDINGS},
        **{f"failure: {kind}": True for kind in STATEMENTS},
        **{group: bool(own & set(tests)) for group, tests in groups.items()},
    }
    return [name for name in deciders if not exists.get(name, False)]


LABS = discover_labs(COURSE)


def header_of(lab: Lab) -> str:
    return (lab.folder / f"{lab.stem}.h").read_text(encoding="utf-8")


def faults_of(lab: Lab, who: str, text: str, judges: Judges, listed: Listed) -> list[str]:
    """The errors of the list for one comment. Clauses of the opening comment may apply to some parts only."""
    own = listed.tables.get(who, {})
    clauses = {**listed.all, **own}
    found, rest = cover(text, list(clauses))
    faults = [f"no clause has these words: {rest[:120]}"] if rest else []
    faults += [f"the contract does not say: {clause}" for clause in own if clause not in found]
    for clause in found:
        parts = [part.name for part in lab.parts] if who == "contract" else [who]
        missing = [undecided(clauses[clause], part, judges, listed.groups) for part in parts]
        if all(missing):
            faults.append(f"{clause}: there is no {', no '.join(missing[0])}")
    return [f"{who}: {fault}" for fault in faults]


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.stem)
def test_every_clause_of_the_contract_is_listed_and_decided(lab: Lab) -> None:
    listed, judges, texts = read_lists(lab), judges_of(lab), texts_of(header_of(lab))
    assert set(texts) == {"contract", *(part.name for part in lab.parts)}
    faults = [fault for who, text in texts.items() for fault in faults_of(lab, who, text, judges, listed)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.stem)
def test_every_bound_is_in_the_contract(lab: Lab) -> None:
    listed, judges, texts = read_lists(lab), judges_of(lab), texts_of(header_of(lab))
    for part in lab.parts:
        stated: set[str] = set()
        for who in ("contract", part.name):
            clauses = {**listed.all, **listed.tables.get(who, {})}
            stated |= {name for clause in cover(texts[who], list(clauses))[0] for name in clauses[clause]}
        assert not judges.bounds[part.name] - stated


def test_every_common_clause_is_in_some_contract() -> None:
    used: set[str] = set()
    for lab in LABS:
        listed = read_lists(lab)
        for who, text in texts_of(header_of(lab)).items():
            used |= set(cover(text, [*listed.all, *listed.tables.get(who, {})])[0])
    assert not set(read_lists(LABS[0]).all) - used


HEADER = """/* one.h: the contract of lab 1. You implement it in one.cu. Work is counted.
 */

/* add: adds two numbers; keeps the order.
 *
 * in, out   device pointers to n elements; may be the same
 * n         any length, n >= 0
 * Graded    correct; clean */
void add(const int *in, int *out, size_t n);
"""


def test_a_text_is_covered_by_its_clauses_word_for_word() -> None:
    texts = texts_of(HEADER)
    assert texts == {
        "contract": "Work is counted.",
        "add": "adds two numbers; keeps the order. ; device pointers to n elements; may be the same"
        " ; any length, n >= 0 ; correct; clean",
    }
    clauses = [
        "adds two numbers",
        "keeps the order",
        "device pointers to n elements",
        "may be the same",
        "any length, n >= 0",
        "clean",
    ]
    assert cover(texts["add"], [*clauses, "correct"]) == ([*clauses[:-1], "correct", "clean"], "")
    assert cover(texts["add"], clauses)[1] == "correct; clean"
    assert cover("cleaner", clauses)[1] == "cleaner"


def test_a_decider_that_does_not_exist_is_named() -> None:
    judges = Judges({"add": {"is_right"}}, {"add": {"span"}})
    groups: dict[str, Any] = {"right": ["is_right", "is_wrong"], "empty": ["is_wrong"]}
    deciders = ["is_right", "span", "right", "word", "finding: race", "is_wrong", "empty", "finding: luck", "blocks"]
    assert undecided(deciders, "add", judges, groups) == ["is_wrong", "empty", "finding: luck", "blocks"]
