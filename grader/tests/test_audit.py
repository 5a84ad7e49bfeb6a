"""The audit, on a small course whose suites do what a test tells them."""

import json
from dataclasses import replace

import pytest

from grader.audit.exhaustive import least_failing
from grader.audit.run import Options, find_trials
from grader.handin.discover import discover_labs
from grader.handin.submission import Submission
from grader.judge.suites import SuitePlan
from grader.model.types import Failure, SuiteKind
from grader.tests.planted import ALL_PASS, CALL, PlantedCourse, Row, as_program, failing, found, race
from grader.tests.real import COURSE

MUTANT = """\
parts: up

=== up-few
title: the whole thing with one argument too few
kind: race
variable: buffer
at: launch_the_whole_thing_one(1, 2);

@@ one
-    launch_the_whole_thing_one(1, 2, 3);
+    launch_the_whole_thing_one(1, 2);
"""

RACE = found(race())
PATH = "reference/trials/one/wrong/up.trials"


@pytest.fixture(autouse=True)
def _all_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORTION", "all")


@pytest.fixture
def course(planted: PlantedCourse) -> PlantedCourse:
    """The course with one mutant, for lab 1."""
    planted.write(PATH, MUTANT)
    return planted


def run(course: PlantedCourse, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str]:
    """The exit status and the output."""
    status = course.run("audit", "--lab", "1", "--name", "-", *options)
    said = capsys.readouterr()
    return status, said.out + said.err


def test_a_mutant_killed_by_the_expected_finding(course: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    course.suite("one", failing("up", "clean", RACE))
    status, said = run(course, capsys)
    assert status == 0
    assert said.splitlines()[-1] == (
        "1 mutants: 1 killed, 1 by the expected finding; 0 shortcuts: 0 without points; 0 alternatives: 0 at 100 %"
    )
    assert "up-few  race @5, buffer  race @5         15 of 60  killed" in said


def test_only_the_part_is_tested_and_the_mutated_source_is(course: PlantedCourse) -> None:
    course.run("audit", "--lab", "1", "--name", "-", "--seed", "9", "--keep")
    assert course.argv_of("one_hidden")["--part"] == "up"
    assert course.argv_of("one_hidden")["--seed"] == "9"
    source = course.root / "build/grade/audit-mutant-one-up-few/src/one.cu"
    assert "(1, 2);" in source.read_text()


@pytest.mark.parametrize(("option", "both"), [([], False), (["--full"], True)])
def test_the_hidden_suite_runs_where_the_public_one_does_not_do(
    course: PlantedCourse, option: list[str], both: bool
) -> None:
    course.suite("one", failing("up", "clean", RACE))
    assert course.run("audit", "--lab", "1", "--name", "-", *option) == 0
    assert (course.root / "build/bin/check_one_hidden.argv").exists() == both


def test_a_survivor_fails_the_audit(course: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    status, said = run(course, capsys)
    assert status == 1
    assert f"SURVIVED: {PATH}:3, up-few" in said
    assert "1 mutants: 0 killed, 0 by the expected finding" in said


@pytest.mark.parametrize(
    "message",
    [
        "slot 3 holds 1, expected 2",
        found(race(variable="shared tile[17]")),
        found(race(6, 6)),
        found(race(warning=True)),
        found(race(kind="uninitialized")),
    ],
)
def test_another_finding_kills_but_is_not_the_expected_one(
    course: PlantedCourse, capsys: pytest.CaptureFixture[str], message: str | Failure
) -> None:
    course.suite("one", failing("up", "correct", message))
    status, said = run(course, capsys)
    assert status == 1
    assert f"KILLED BY ANOTHER FINDING: {PATH}:3, up-few" in said
    assert "1 mutants: 1 killed, 0 by the expected finding" in said


def test_the_expected_finding_may_come_with_any_failed_test(
    course: PlantedCourse, capsys: pytest.CaptureFixture[str]
) -> None:
    course.suite("one", failing("up", "correct", "slot 3 holds 1, expected 2"))
    course.suite(
        "one_hidden", failing("up", "clean", replace(RACE, kind="mismatch", said=("slot 3 holds 1, expected 2",)))
    )
    status, said = run(course, capsys)
    assert status == 0
    assert "mismatch        60 of 60  killed" in said


@pytest.mark.parametrize(
    ("failure", "shown", "line"),
    [
        (
            replace(
                RACE, context=("wrong if thread 3 comes late to line 5:", "    slot 3 ...", "    see it: make run")
            ),
            "an order with a wrong result",
            "wrong if thread 3 comes late to line 5: slot 3 ...",
        ),
        (
            replace(RACE, context=("both write the same value, so ...",)),
            "why there is none",
            "both write the same value, so ...",
        ),
        (
            replace(RACE, kind="mismatch", said=("slot 3 holds 1, expected 2",)),
            "a wrong result",
            "slot 3 holds 1, expected 2",
        ),
        (replace(RACE, context=()), "why there is none", ""),
    ],
)
def test_what_the_message_of_a_race_shows(
    course: PlantedCourse, capsys: pytest.CaptureFixture[str], failure: Failure, shown: str, line: str
) -> None:
    course.suite("one", failing("up", "clean", replace(failure, call=CALL)))
    assert f"  messages about races show {shown}: 1\n" in run(course, capsys)[1]
    page = (course.root / "build/grade/audit/smallest.md").read_text(encoding="utf-8")
    assert f"The messages about races show {shown}: 1.\n" in page
    assert f"| 1 | up | up-few | {CALL.n} | {shown} |" in page
    assert f"| {shown} | {line} |\n" in page


def test_the_smallest_calls_are_summed_up(course: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    course.write(PATH, MUTANT + MUTANT.partition("\n")[2].replace("up-few", "up-fewer"))
    course.suite("one", failing("up", "clean", replace(RACE, call=replace(CALL, n=513, tile=512))))
    said = run(course, capsys)[1]
    assert "  smallest failing calls found: median, 95th percentile\n" in said
    assert "  lab  mutants  elements  tiles  seconds of the test\n  1    2        513, 513  2, 2   " in said
    assert "  all  2        513, 513  2, 2   " in said


# Wrong from 5 elements on, and from 3 on in random order. The seed must be that of the call.
SHOW = """\
import sys
words = dict(zip(sys.argv, sys.argv[1:]))
least = 3 if words["--order"] == "random" else 5
good = words["--seed"] == "7" and "--show" in sys.argv
print("the call\\nwrong: slot 0" if good and int(words["--n"]) >= least else "the call\\nright")
"""


@pytest.mark.parametrize(("builds", "least"), [(("one.interval.so",), 3), ((), 33)])
def test_every_call_is_made_to_find_the_smallest(course: PlantedCourse, builds: tuple[str, ...], least: int) -> None:
    """Without a build no call can be made, so none is smaller."""
    for name in builds:
        course.write(f"build/cpu/grade-ada/{name}", "")
    course.write("build/bin/check_one", as_program(SHOW)).chmod(0o755)
    ada = Submission("hand-in", "ada", course.root, None)
    lab = discover_labs(course.course)[0]
    plan = SuitePlan(course.course, ada, lab, SuiteKind.PUBLIC, "cpu", 1, None, 60, "up")
    assert least_failing(plan, CALL) == least


def test_calls_that_are_not_the_smallest_are_listed(
    course: PlantedCourse, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.audit.run.least_failing", lambda plan, call: 3)
    course.suite("one", failing("up", "clean", replace(RACE, kind="mismatch", said=("slot 3",), call=CALL)))
    said = run(course, capsys, "--exhaustive")[1]
    assert "Of 1 mutants with a wrong result, 0 (0 %) are shown with as few elements as any wrong call has" in said
    page = (course.root / "build/grade/audit/smallest.md").read_text(encoding="utf-8")
    assert "| 1 | up | up-few | 33 | 3 |" in page


def test_mutants_are_drawn_at_random(course: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    """The same seed draws the same ones, and the table names it. Shortcuts and right solutions are left out."""
    text = MUTANT + "".join(MUTANT.partition("\n")[2].replace("up-few", f"up-few-{i}") for i in range(20))
    course.write(PATH, text)
    course.suite("one", failing("up", "clean", replace(RACE, call=CALL)))

    def drawn(seed: str) -> list[str]:
        said = run(course, capsys, "--draw", "4", "--seed", seed)[1]
        assert f"95th percentile; mutants drawn with seed {seed}\n" in said
        assert "4 mutants: 4 killed, 4 by the expected finding; 0 shortcuts: 0 without points; 0 alternatives" in said
        return [line.split()[0] for line in said.splitlines() if line.strip().startswith("up-few")]

    assert drawn("7") == drawn("7") != drawn("8")


def test_a_text_that_must_be_said(course: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    course.write(PATH, MUTANT.replace("kind:", "says: a second barrier\nkind:"))
    course.suite("one", failing("up", "clean", RACE))
    assert run(course, capsys)[0] == 1
    course.suite("one", failing("up", "clean", found(race(hint="a second barrier"))))
    assert run(course, capsys)[0] == 0


def test_failures_of_other_parts_do_not_count(course: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    course.suite("one", failing("down", "correct", RACE))
    assert "SURVIVED" in run(course, capsys)[1]


def test_right_solutions_keep_all_points(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    planted.write("reference/trials/one/right/other.cu", "/* Other.\n *\n * parts: up down */\nvoid one(void) {}\n")
    assert planted.run("audit", "--lab", "1") == 0
    assert "; 0 shortcuts: 0 without points; 2 alternatives: 2 at 100 %" in capsys.readouterr().out
    planted.suite("one", failing("down", "correct", "slot 3 holds 1, expected 2"))
    assert planted.run("audit", "--lab", "1", "--name", "other") == 1
    assert "LOST POINTS: reference/trials/one/right/other.cu:1, other" in capsys.readouterr().out


def test_the_matrix_is_summed_up_by_class(course: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    entry = MUTANT.partition("\n\n")[2]
    big = entry.replace("few", "n").replace("kind: race\n", "class: large n\nkind: mismatch\n")
    big = "".join(line for line in big.splitlines(True) if not line.startswith(("at", "var")))
    course.write(PATH, "\n".join((MUTANT, entry.replace("few", "m"), big)))
    course.suite("one", failing("up", "clean", RACE))
    said = run(course, capsys)[1].splitlines()
    head = said.index("  class    mutants  killed  as expected")
    assert said[head + 1 : head + 3] == [
        "  large n  1        1       0            !",
        "  barrier  2        2       2",
    ]
    rows = json.loads((course.root / "build/grade/audit/audit.json").read_text())
    assert [row["class"] for row in rows] == ["barrier", "barrier", "large n"]


SHORTCUT = "reference/trials/one/shortcuts/serial.cu"
SERIAL = (
    "/* serial: one thread.\n *\n * parts: up down\n * says: span:\n * says down: one thread */\nvoid one(void) {}\n"
)
SPAN = "span: 900 counted, at most 90 allowed"


def audit_shortcut(course: PlantedCourse, capsys: pytest.CaptureFixture[str], text: str = SERIAL) -> tuple[int, str]:
    """Audits only the shortcut of lab 1. Returns the exit status and the output."""
    course.write(SHORTCUT, text)
    status = course.run("audit", "--lab", "1", "--name", "serial")
    said = capsys.readouterr()
    return status, said.out + said.err


def test_a_shortcut_earns_nothing_and_each_part_says_why(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str]
) -> None:
    rest = [row for row in ALL_PASS if row.aspect != "correct"]
    said_why = [Row("up", "correct", message=SPAN), Row("down", "correct", message="one thread did it")]
    planted.suite("one", [*said_why, *rest])
    status, said = audit_shortcut(planted, capsys)
    assert status == 0
    assert "serial  no points  2 of 2 parts    100 of 100  no points" in said
    assert "1 shortcuts: 1 without points" in said


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ([Row("up", "correct", message=SPAN), Row("down", "correct")], "down keeps 40 of 40 points"),
        (
            [Row("up", "correct", message=SPAN), Row("down", "correct", message="slot 3 holds 1\nmore")],
            "down loses all, and no message says 'one thread'; the first: slot 3 holds 1",
        ),
        (
            [Row("up", "correct"), Row("up", "clean", message=SPAN), Row("down", "correct", message="one thread")],
            "up keeps 45 of 60 points",
        ),
    ],
)
def test_a_shortcut_that_earns_points_or_goes_unexplained_fails_the_audit(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str], rows: list[Row], complaint: str
) -> None:
    rest = [row for row in ALL_PASS if (row.part, row.aspect) not in {(r.part, r.aspect) for r in rows}]
    planted.suite("one", [*rows, *rest])
    status, said = audit_shortcut(planted, capsys)
    assert status == 1
    assert complaint in said


def test_a_shortcut_is_judged_by_the_parts_that_it_claims(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str]
) -> None:
    planted.suite("one", failing("up", "correct", SPAN))
    status, said = audit_shortcut(
        planted, capsys, SERIAL.replace("parts: up down", "parts: up").replace(" * says down: one thread", " *")
    )
    assert status == 0
    assert "1 of 1 parts" in said


def test_a_shortcut_may_be_refused_by_the_build(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    refused = SERIAL.replace("span:", "expected ';'").replace(" * says down: one thread", " *") + "SYNTAX\n"
    assert audit_shortcut(planted, capsys, refused)[0] == 0
    status, said = audit_shortcut(planted, capsys, refused.replace("expected ';'", "no stock functions"))
    assert status == 1
    assert f"DOES NOT SAY WHY: {SHORTCUT}:1, serial" in said


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("void one(void) {}\n", "it does not begin with a comment"),
        ("/* serial\n * parts: up down\n */\n", "no `says:` for up, down"),
        ("/* serial\n * says:\n */\n", "says has no value"),
        ("/* serial\n * parts: sideways\n * says: x\n */\n", "lab 1 has no part 'sideways'; its parts are up, down"),
    ],
)
def test_a_broken_shortcut_is_an_error_that_names_the_file(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str], text: str, complaint: str
) -> None:
    status, said = audit_shortcut(planted, capsys, text)
    assert status == 2
    assert SHORTCUT in said and complaint in said


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("=== x\ntitle: x\n\n@@ one\n-    x;\n", f"{PATH}:1: there is no `parts:`"),
        (
            MUTANT.replace("parts: up", "parts: sideways"),
            f"{PATH}:3: lab 1 has no part 'sideways'; its parts are up, down",
        ),
        (MUTANT.replace("1, 2, 3", "3, 2, 1"), f"{PATH}:3: the old lines are not in one()"),
    ],
)
def test_a_broken_mutant_is_an_error_that_names_the_file(
    course: PlantedCourse, capsys: pytest.CaptureFixture[str], text: str, complaint: str
) -> None:
    course.write(PATH, text)
    status, said = run(course, capsys)
    assert status == 2
    assert complaint in said


def test_a_mutant_that_does_not_compile_tests_nothing(
    course: PlantedCourse, capsys: pytest.CaptureFixture[str]
) -> None:
    course.write(PATH, MUTANT.replace("(1, 2);", "(1, 2); SYNTAX"))
    status, said = run(course, capsys)
    assert status == 2
    assert f"BROKEN: {PATH}:3, up-few" in said
    assert "it does not compile, so it tests nothing:" in said
    assert "one.cu:5:5: error: expected ';'" in said


def test_a_suite_that_dies_is_no_kill(course: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    course.suite("one", signal=9)
    status, said = run(course, capsys)
    assert status == 2
    assert "was killed by signal 9" in said


def test_a_folder_that_is_no_lab_is_an_error(course: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    course.write("reference/trials/three/wrong/x.trials", MUTANT)
    status, said = run(course, capsys)
    assert status == 2
    assert "reference/trials/three: there is no lab of that name" in said


def test_the_sample_has_one_mutant_of_each_kind(course: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    """The rarest kind comes first, and then one of a part that has none yet."""
    of_down = MUTANT.replace("parts: up", "parts: down").replace("up-few", "down-a")
    rare = of_down.partition("\n\n")[2].replace("down-a", "down-rare").replace("kind: race", "kind: leak")
    course.write(PATH.replace("up", "down"), f"{of_down}\n{rare}")
    course.suite("one", failing("up", "clean", RACE))
    course.run("audit", "--sample")
    rows = json.loads((course.root / "build/grade/audit/audit.json").read_text())
    assert [row["name"] for row in rows] == ["up-few", "down-rare"]
    assert capsys.readouterr().out.splitlines()[-1] == "audit: 1 passed, 1 failed"


def test_the_sample_has_each_shortcut_once(course: PlantedCourse) -> None:
    head = "/* All of it.\n *\n * parts: {}\n * says: the host */\n"
    for lab, part in (("one", "up"), ("two", "up")):
        for name in ("a", "b", f"of_{lab}"):
            course.write(f"reference/trials/{lab}/shortcuts/{name}.cu", head.format(part))
    options = Options([], "", "", [], sample=True, draw=0, made=0, seed=1, jobs=1, full=False, keep=False)
    shortcuts = [(trial.lab.stem, trial.name) for trial in find_trials(course.course, options) if trial.shortcut]
    assert shortcuts == [("one", "a"), ("one", "of_one"), ("two", "b"), ("two", "of_two")]


def test_the_sample_of_the_course_has_each_lab_and_each_kind() -> None:
    options = Options([], "", "", [], sample=False, draw=0, made=0, seed=1, jobs=1, full=False, keep=False)
    every = find_trials(COURSE, options)
    sample = find_trials(COURSE, replace(options, sample=True))
    assert {t.mutant.kind for t in sample if t.mutant} == {t.mutant.kind for t in every if t.mutant}
    assert {t.name for t in sample if t.shortcut} == {t.name for t in every if t.shortcut}
    for which in ([t for t in sample if t.mutant], [t for t in sample if t.shortcut]):
        assert {t.lab.number for t in which} == {t.lab.number for t in every}


SOLUTION = """\
void up(int n)
{
    /* solution */
    wait(n);
    /* end solution */
}

void down(int n)
{
    up(n);
}
"""


def drawn(planted: PlantedCourse, capsys: pytest.CaptureFixture[str], solution: str = SOLUTION) -> tuple[int, str]:
    """Audits what operators make of lab 1: of this solution, that the statement is deleted."""
    planted.write("reference/one.cu", solution)
    status = planted.run("audit", "--lab", "1", "--made", "3")
    return status, capsys.readouterr().out


def test_any_finding_in_any_of_its_parts_kills_a_drawn_mutant(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str]
) -> None:
    planted.suite("one", failing("down", "correct", RACE))
    status, said = drawn(planted, capsys)
    assert status == 0
    assert "    up-statement-deleted-4-5a  statement deleted  race @5         40 of 40  killed\n" in said
    assert said.splitlines()[-1] == "audit: 1 passed, 0 failed"


def test_a_drawn_mutant_that_survives_is_shown_with_its_change(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = drawn(planted, capsys)
    assert status == 1
    assert (
        "SURVIVED: reference/one.cu:4, up-statement-deleted-4-5a\n    statement deleted: `;` for `wait(n);`\n" in said
    )
    assert "reference/trials/one/equivalent/" in said


def test_a_drawn_mutant_that_does_not_compile_counts_as_none(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = drawn(planted, capsys, f"{SOLUTION}/* SYNTAX */\n")
    assert status == 1  # because no mutant compiles at all
    assert "does not compile" in said
    assert "\n0 mutants: 0 killed" in said


def test_the_portions_of_a_sample_are_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    options = Options([], "", "", [], sample=True, draw=0, made=0, seed=1, jobs=1, full=False, keep=False)
    kinds = {t.mutant.kind for t in find_trials(COURSE, options) if t.mutant}
    parts = []
    for portion in ("0/3", "1/3", "2/3"):
        monkeypatch.setenv("PORTION", portion)
        parts.append({t.mutant.kind for t in find_trials(COURSE, options) if t.mutant})
        assert 0 < len(parts[-1]) < len(kinds)
    assert set.union(*parts) == kinds
    assert sum(map(len, parts)) == len(kinds)


def test_nothing_of_that_name(course: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    assert course.run("audit", "--name", "nonsense") == 2
    assert "nothing to audit" in capsys.readouterr().err
    assert course.run("audit", "--lab", "1", "--made", "1", "--name", "nonsense") == 2
    assert "nothing to draw" in capsys.readouterr().err
