"""The format of mutants, and how they apply."""

from pathlib import Path

import pytest

from grader.audit.mutant import Patched, apply_mutant, parse_mutant, read_mutant
from grader.handin.discover import discover_labs
from grader.model.errors import UsageError
from grader.model.layout import Course

PATH = Path("reference/mutants/one/no-barrier.mutant")

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

HEAD = "title: no barrier\npart: up\nkind: race\nvariable: out\nat: out[0] = 1;\n"
HUNK = "@@ up_kernel\n     fill(out);\n-    wait();\n"


def parse(text: str) -> Patched:
    return apply_mutant(parse_mutant(PATH, text), SOURCE)


def test_a_mutant_is_what_its_head_says() -> None:
    mutant = parse_mutant(PATH, f"# a remark\n{HEAD}says: between\n\n{HUNK}")
    assert (mutant.name, mutant.lab, mutant.title) == ("no-barrier", "one", "no barrier")
    assert (mutant.part, mutant.kind, mutant.variable) == ("up", "race", "out")
    assert [spot.text for spot in mutant.spots] == ["out[0] = 1;"]
    assert mutant.says == ("between",)


def test_a_class_is_named_or_follows_from_the_kind() -> None:
    assert parse_mutant(PATH, HEAD + HUNK).group == "barrier"
    assert parse_mutant(PATH, f"class: large n\n{HEAD}{HUNK}").group == "large n"
    with pytest.raises(UsageError, match="class 'big' is none of: wrong result, serial"):
        parse_mutant(PATH, f"class: big\n{HEAD}{HUNK}")


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


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (HUNK, "there is no `title:`"),
        (HEAD, "there is no change"),
        (HEAD.replace("race", "rice") + HUNK, "kind 'rice' is none of: out of bounds,"),
        (HEAD.replace("race", "mismatch") + HUNK, "`at:` means nothing for mismatch"),
        (HEAD + "part: down\n" + HUNK, ":6: part stands there twice"),
        (HEAD + "colour: red\n" + HUNK, ":6: not `key: value`"),
        (HEAD + "says:\n" + HUNK, ":6: says has no value"),
        (HEAD + "@@ up_kernel\n     wait();\n", "nothing changes"),
        (HEAD + "@@ up_kernel\n+    wait();\n", "no line to find the place by"),
        (HEAD + "@@ up_kernel\n*    wait();\n", ":7: a line of a change begins with a blank, `-` or `+`"),
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


def test_all_mutants_of_the_course_apply() -> None:
    course = Course(Path(__file__).parents[2])
    paths = sorted(course.reference.glob("mutants/*/*.mutant"))
    assert len(paths) >= 200
    for path in paths:
        mutant = read_mutant(path)
        apply_mutant(mutant, (course.reference / f"{mutant.lab}.cu").read_text(encoding="utf-8"))


def test_every_part_of_the_course_has_five_mutants() -> None:
    course = Course(Path(__file__).parents[2])
    mutants = [read_mutant(path) for path in course.reference.glob("mutants/*/*.mutant")]
    few = {
        part.name: count
        for lab in discover_labs(course)
        for part in lab.parts
        if (count := sum((m.lab, m.part) == (lab.stem, part.name) for m in mutants)) < 5
    }
    assert few == {}
