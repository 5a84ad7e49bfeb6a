"""The format of trials, and how their changes are applied."""

import re
from collections import Counter
from pathlib import Path

import pytest

from grader.audit.patch import Patched, apply_changes
from grader.audit.trials import (
    CLOCK,
    CLOCK_LAB,
    HOSTILE,
    HOSTILE_LAB,
    SORTS,
    WRONG,
    Entry,
    make_source,
    parse_trials,
    read_trials,
)
from grader.handin.discover import discover_labs
from grader.model.errors import UsageError
from grader.model.layout import Course

PATH = Path("reference/trials/one/wrong/up.trials")

SOURCE = """\
/* void up(int) is the first part */
__global__ void up_kernel(int *out)
{
    /* TODO: fill
     * it; wait(); */
    /* solution */
    fill(out);                          /* everyone */
    wait();

    out[0] = 1;
    wait();
    /* end solution */
}

void up(int *out)
{
    up_kernel<<<1, 32>>>(out);
    wait();
}
"""

FILE = "parts: up\n\n=== no-barrier\n"
HEAD = FILE + "title: no barrier\nkind: race\nvariable: out\nat: out[0] = 1;\n"
HUNK = "@@ up_kernel\n     fill(out);\n-    wait();\n"


def read(text: str, sort: str = WRONG, path: Path = PATH) -> list[Entry]:
    return parse_trials(path, sort, "one", text)


def parse(text: str) -> Patched:
    (entry,) = read(text)
    return apply_changes(Path(entry.where), entry.changes, entry.spots, SOURCE)


def test_a_trial_is_what_its_head_says() -> None:
    (entry,) = read(f"# a remark\n{HEAD}says: between\n\n{HUNK}")
    assert (entry.name, entry.lab, entry.title, entry.base) == ("no-barrier", "one", "no barrier", "reference/one.cu")
    assert (entry.parts, entry.kind, entry.variable) == (("up",), "race", "out")
    assert [spot.text for spot in entry.spots] == ["out[0] = 1;"]
    assert entry.wanted("up") == ("between",)
    assert entry.where == f"{PATH}:4"


def test_a_file_holds_many_and_its_head_is_of_all_of_them() -> None:
    second = "=== second\ntitle: two\nkind: leak\nparts: down\nbase: other.cu\n"
    first, other = read(f"{HEAD}{HUNK}\n{second}{HUNK}")
    assert (first.name, first.parts, first.kind, len(first.changes)) == ("no-barrier", ("up",), "race", 1)
    assert (other.name, other.parts, other.kind, other.base) == ("second", ("down",), "leak", "other.cu")
    assert (other.spots, other.variable) == ((), "")


def test_what_must_be_said_of_a_part_is_in_place_of_what_is_said_of_all() -> None:
    head = "=== serial\nparts: up down\nparts: left\nsays: span\nsays down: one thread\nsays down: alone\n"
    (entry,) = read(head + HUNK, "shortcuts")
    assert (entry.parts, entry.wanted("up")) == (("up", "down", "left"), ("span",))
    assert entry.unsaid("down", ["one thread", "span"]) == ["alone"]


def test_three_dots_are_any_text_of_a_line() -> None:
    (entry,) = read(f"=== x\ntitle: x\nparts: up\nloses: clean\nsays: span: ... (counted)\n{HUNK}", "costly")
    assert (entry.loses, entry.unsaid("up", ["span: 12 (counted)"])) == (("clean",), [])
    assert entry.unsaid("up", ["span:\n12 (counted)", "span: 12 counted"]) == ["span: ... (counted)"]


def test_a_whole_file_has_its_head_in_its_comment() -> None:
    path = PATH.with_name("serial.cu")
    text = "/* One thread goes\n * through all.\n *\n * parts: up\n * says: span */\nvoid up() {}\n"
    (entry,) = read(text, "shortcuts", path)
    assert (entry.name, entry.title, entry.base) == ("serial", "One thread goes through all.", str(path))
    assert (entry.parts, entry.wanted("up"), entry.changes) == (("up",), ("span",), ())


def test_a_class_is_named_or_follows_from_the_kind() -> None:
    assert read(HEAD + HUNK)[0].group == "barrier"
    assert read(f"{HEAD}class: large n\n{HUNK}")[0].group == "large n"
    with pytest.raises(UsageError, match="class 'big' is none of: wrong result, serial"):
        read(f"{HEAD}class: big\n{HUNK}")


def test_the_change_is_made_and_nothing_else() -> None:
    patched = parse(HEAD + HUNK)
    assert patched.source == SOURCE.replace("/* everyone */\n    wait();\n", "/* everyone */\n")
    assert patched.lines == (9,)


def test_blanks_comments_and_lines_without_code_do_not_count() -> None:
    hunk = "@@ up_kernel\n   fill(out);   // all\n-wait();\n+    /* no barrier */\n     out[0]  = 1;  /* first */\n"
    expected = SOURCE.replace("    wait();\n\n    out[0]", "    /* no barrier */\n\n    out[0]", 1)
    assert parse(HEAD + hunk).source == expected


def test_a_hunk_without_a_name_looks_in_the_whole_file() -> None:
    patched = parse(
        HEAD + "@@\n void up(int *out)\n {\n-    up_kernel<<<1, 32>>>(out);\n+    up_kernel<<<2, 32>>>(out);\n"
    )
    assert "<<<2, 32>>>" in patched.source and "<<<1, 32>>>" not in patched.source


def test_several_hunks_apply_one_after_another() -> None:
    patched = parse(HEAD + HUNK + "\n@@ up\n-    wait();\n     }\n")
    assert patched.source.count("    wait();") == 1


def test_a_spot_may_lie_in_another_function_and_be_one_of_several() -> None:
    head = HEAD.replace("at: out[0] = 1;", "at up: wait();\nat up_kernel: wait(); #1")
    assert parse(head + "@@ up_kernel\n-    out[0] = 1;\n").lines == (17, 8)


def test_a_definition_is_replaced_with_the_comment_above_it() -> None:
    text = "/* as long as it takes */\nvoid up(int *out)\n{\n}"
    commented = SOURCE.replace("void up(int *out)\n", "/* the\n * second */\nvoid up(int *out)\n")
    (entry,) = read(f"{HEAD}{HUNK}@= up\n\n{text}\n\n")
    source = apply_changes(PATH, entry.changes, entry.spots, commented).source
    assert source.endswith(f"}}\n\n{text}\n") and "second" not in source
    assert parse(f"{HEAD}@=\nvoid all()\n{{\n    out[0] = 1;\n}}\n").lines == (3,)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (FILE + HUNK, "there is no `title:`"),
        (HEAD, "there is no change"),
        (HEAD.replace("parts: up", "parts: up down") + HUNK, "a mistake is about one part"),
        (HEAD + "says down: no\n" + HUNK, "`says down:`, but its parts are up"),
        ("=== \n" + HUNK, ":1: a trial begins with `=== NAME`"),
        (HEAD.replace("race", "rice") + HUNK, "kind 'rice' is none of: out of bounds,"),
        (HEAD.replace("race", "mismatch") + HUNK, "`at:` means nothing for mismatch"),
        (HEAD + "kind: race\n" + HUNK, ":8: kind is given twice"),
        (HEAD + "colour: red\n" + HUNK, ":8: not `key: value`"),
        (HEAD + "says:\n" + HUNK, ":8: says has no value"),
        (HEAD + "@@ up_kernel\n     wait();\n", "nothing changes"),
        (HEAD + "@@ up_kernel\n+    wait();\n", "no line to find the place by"),
        (HEAD + "@@ up_kernel\n*    wait();\n", ":9: a line of a hunk begins with a blank, `-` or `+`"),
        (HEAD + "@@ up_kernel()\n-    wait();\n", "a change begins with `@@ FUNCTION`"),
        (HEAD + "@@ down_kernel\n-    wait();\n", "defines no function down_kernel()"),
        (
            HEAD + "@@ up_kernel\n-    await();\n",
            "the old lines are not in up_kernel(); the reference may have changed",
        ),
        (HEAD + "@@ up_kernel\n-    wait();\n", "the old lines stand 2 times in up_kernel()"),
        (HEAD.replace("[0]", "[1]") + HUNK, "at: no line of the patched up_kernel() is `out[1] = 1;`"),
        (HEAD.replace("out[0] = 1;", "wait();") + "@@ up_kernel\n-    fill(out);\n", "at: 2 lines of up_kernel() are"),
    ],
)
def test_what_is_wrong_is_said_with_the_file(text: str, complaint: str) -> None:
    with pytest.raises(UsageError) as error:
        parse(text)
    assert complaint in str(error.value)
    assert str(error.value).startswith(str(PATH))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("=== x\nparts: up\n" + HUNK, "no `says:` for up"),
        ("=== x\nparts: up\nsays: y\nkind: race\n" + HUNK, "`kind:` is of mistakes only"),
        ("=== x\nsays: y\n" + HUNK, "there is no `parts:`"),
    ],
)
def test_what_is_wrong_with_a_shortcut_is_said(text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        read(text, "shortcuts")


def test_two_of_the_same_name_are_refused(tmp_path: Path) -> None:
    for file in ("a", "b"):
        path = tmp_path / "reference/trials/one/wrong" / f"{file}.trials"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEAD + HUNK)
    with pytest.raises(UsageError, match=r"b\.trials:3: there is a trial 'no-barrier' already, at .*a\.trials:3"):
        read_trials(tmp_path / "reference", "one", WRONG)


COURSE = Course(Path(__file__).parents[2])
LABS = discover_labs(COURSE)


def test_all_trials_of_the_course_have_a_source_and_no_two_of_a_part_the_same() -> None:
    """Comments and white space make no difference."""
    entries = [
        entry
        for lab in LABS
        for sort in SORTS
        if lab.stem == {HOSTILE: HOSTILE_LAB, CLOCK: CLOCK_LAB}.get(sort, lab.stem)
        for entry in read_trials(COURSE.reference, lab.stem, sort)
    ]
    assert len(entries) >= 1000
    names: dict[tuple[str, str, tuple[str, ...], str], list[str]] = {}
    for entry in entries:
        code = re.sub(r"/\*.*?\*/|//[^\n]*|\s+", "", make_source(COURSE.reference, entry).source, flags=re.DOTALL)
        names.setdefault((entry.sort, entry.lab, entry.parts, code), []).append(entry.name)
    assert [same for same in names.values() if len(same) > 1] == []


def test_the_mistakes_of_a_part_are_in_its_file_and_at_least_five() -> None:
    for lab in LABS:
        entries = read_trials(COURSE.reference, lab.stem, WRONG)
        assert [entry.where for entry in entries if entry.parts != (entry.path.stem,)] == []
        count = Counter(entry.parts[0] for entry in entries)
        assert [part.name for part in lab.parts if count[part.name] < 5] == []
