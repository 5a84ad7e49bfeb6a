"""The mutants that operators make, and how some of them are drawn."""

from collections import Counter
from pathlib import Path

import pytest

from grader.audit.draw import candidates, draw
from grader.audit.operators import OPERATORS, code_of, make, without_comments
from grader.handin.discover import discover_labs
from grader.model.errors import UsageError
from grader.tests.planted import PlantedCourse
from grader.tests.real import COURSE

SOURCE = """\
/* up() waits; __syncthreads(); */
__device__ void add(int *out, size_t n)
{{
    /* solution */
    {code}
    /* end solution */
}}

void unused(int n)
{{
    /* solution */
    wait();
    /* end solution */
}}

__global__ void up_kernel(int *out)
{{
    out[0] = 1;
    add(out, 1);
}}

void up(int *out)
{{
    up_kernel<<<1, 32>>>(out);
}}

void all(int *out)
{{
    up(out);
}}
"""


def made(code: str) -> dict[str, list[str]]:
    """What each operator writes in the place of a line in the solution of a function."""
    lines: dict[str, list[str]] = {}
    for one in make(SOURCE.format(code=code), ["all", "up"]):
        assert (one.function, one.parts, one.line, one.old) == ("add", ("up", "all"), 5, code.partition("\n")[0])
        lines.setdefault(one.operator.name, []).append(one.new)
    return lines


CASES = {
    "barrier deleted": ("__syncthreads();", [";"]),
    "fence deleted": ("__threadfence_block();", [";"]),
    "order relaxed": ("use(cuda::memory_order_acquire);", ["use(cuda::memory_order_relaxed);"]),
    "not freed": ("cudaFree(out);", [";"]),
    "statement deleted": ("out[i] += n;", [";"]),
    "return deleted": ("if (n == 0)\n        return;", [";"]),
    "condition holds": ("if (f(n))", ["if (true)"]),
    "condition negated": ("if (f(n) && n)", ["if (!(f(n) && n))"]),
    "other relation": ("while (a <= b >> 1)", ["while (a < b >> 1)"]),
    "other sign": ("unsigned x = a * -b || c;", ["unsigned x = a / -b || c;", "unsigned x = a * -b && c;"]),
    "edge forgotten": ("int last = n - 1 - 16;", ["int last = n - 16;"]),
    "neighbour": ("use(out[n - 1]);", ["use(out[n - 1 + 1]);", "use(out[n - 1 - 1]);"]),
    "other constant": (
        "use(0, 7u, x1, 2.5f);",
        ["use(1, 7u, x1, 2.5f);", "use(0, 8u, x1, 2.5f);", "use(0, 6u, x1, 2.5f);"],
    ),
    "faster stride": ("stride /= 2;", ["stride /= 4;"]),
    "32 bits": ("size_t i = sizeof(int);", ["unsigned i = sizeof(int);", "int i = sizeof(int);"]),
    "not converted": ("use((size_t)n * (unsigned)m);", ["use(n * (unsigned)m);"]),
    "zero for IDENTITY": ("elem_t sum = IDENTITY;", ["elem_t sum = elem_t{};"]),
    "operands swapped": ("sum = combine(sum, f(a, b));", ["sum = combine(f(a, b), sum);"]),
}


def test_each_operator_has_a_case() -> None:
    assert list(CASES) == [operator.name for operator in OPERATORS]


@pytest.mark.parametrize("name", CASES)
def test_what_an_operator_makes(name: str) -> None:
    code, expected = CASES[name]
    assert made(code)[name] == expected


def test_comments_are_left_alone_and_what_no_part_calls() -> None:
    assert made("/* a < b, __syncthreads(); */") == {}
    assert list(make(SOURCE.format(code="wait();"), ["unused_part"])) == []


def test_comments_and_empty_statements_make_no_difference() -> None:
    assert code_of("a();\n    ;  // b\n/* c\n */ {;}") == code_of("a(); {}")
    assert without_comments("a /* b\n */ c") == "a     \n    c"


def test_every_mutant_of_the_course_has_a_name_of_its_own_and_every_operator_has_places() -> None:
    operators: set[str] = set()
    for lab in discover_labs(COURSE):
        source = (COURSE.reference / lab.source).read_text()
        mutants = list(make(source, [part.name for part in lab.parts]))
        assert len({one.name for one in mutants}) == len(mutants) >= 200
        assert {part for one in mutants for part in one.parts} == {part.name for part in lab.parts}
        operators |= {one.operator.name for one in mutants}
    assert operators == set(CASES) - {"order relaxed"}  # the solutions use fences


def test_a_draw_takes_from_all_operators_and_labs_what_its_seed_says() -> None:
    mutants = [(lab, one) for lab in discover_labs(COURSE) for one in candidates(COURSE, lab)]
    drawn = draw(mutants, 34, 7)
    assert drawn == draw(mutants, 34, 7)
    assert drawn != draw(mutants, 34, 8)
    shares = Counter(one.operator.name for _, one in drawn).values()
    assert max(shares) - min(shares) <= 1
    assert max(Counter(lab.number for lab, _ in drawn).values()) <= 6
    assert [lab.number for lab, _ in drawn] == sorted(lab.number for lab, _ in drawn)


MUTANT = "=== {name}\ntitle: it is\n{more}\n@@ up\n-    launch(1);\n"


@pytest.fixture
def course(planted: PlantedCourse) -> PlantedCourse:
    """The course with a solution of one statement."""
    planted.write(
        "reference/one.cu", "void up(int n)\n{\n    /* solution */\n    launch(1);\n    /* end solution */\n}\n"
    )
    return planted


def names(course: PlantedCourse) -> list[str]:
    return [one.operator.name for one in candidates(course.course, discover_labs(course.course)[0])]


def test_what_a_trial_describes_is_not_drawn(course: PlantedCourse) -> None:
    assert names(course) == ["statement deleted", "other constant", "other constant"]
    course.write("reference/trials/one/equivalent/up.trials", MUTANT.format(name="no-launch", more=""))
    assert names(course) == ["other constant", "other constant"]
    course.write(
        "reference/trials/one/wrong/up.trials",
        MUTANT.format(name="x", more="parts: up\nkind: race\n") + "+    launch(2);\n",
    )
    assert names(course) == ["other constant"]


def test_an_equivalent_change_that_no_operator_makes_is_an_error(course: PlantedCourse) -> None:
    path = Path("reference/trials/one/equivalent/up.trials")
    course.write(str(path), MUTANT.format(name="stale", more="") + "+    launch(n);\n")
    with pytest.raises(UsageError, match=rf"{path}:1: no operator makes stale"):
        names(course)
