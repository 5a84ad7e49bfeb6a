"""A bound of a part is stated three times: as a sentence of the contract, as the formula that messages show, and as the
C function that judges. They must agree."""

import math
import re
import subprocess
from dataclasses import dataclass
from functools import cache

import pytest

from grader.handin.discover import Lab, discover_labs
from grader.tests.real import COURSE

LABS = {lab.stem: lab for lab in discover_labs(COURSE)}

# Words of formulas, and what they mean.
WORDS = (
    (
        r", and (\d+) for each warp of each row and column",
        r" + \1 * (rows * ceil(columns / 32) + columns * ceil(rows / 32))",
    ),
    (r", and (\d+) for each warp of each row", r" + \1 * rows * ceil(columns / 32)"),
    (r", and (\d+) for each column", r" + \1 * columns"),
    (r"^(.*) for each tile of each row", r"(\1) * rows * ceil(columns / TILE)"),
    (r"^(.*) for each tile", r"\1 * ceil(n / TILE)"),
    (r"^(.*) in each of (.*) rounds", r"(\1) * \2"),
    (r"^(.*), at least (\d+)", r"max(\1, \2)"),
    (r"^(\d+), and (\d+) up to (\d+) elements", r"\1 + (\2 - \1) * (n < \3 + 1)"),
)
NO_FORMULA = {"those of scan_rows and of scan_columns"}

# How contracts state a bound, where it is not `FORMULA METER`: for some meters, and for some parts.
NAMES = {
    "span": "span of at most {}",
    "host bytes": "{} bytes to the host",
    "blocks": "{} block",
    "launches": "{} launch",
    "global sectors": "{} sectors",
    "instructions by one thread": "{}",  # the opening comment has them for all parts
}
STATED = {
    ("compact_warp", "barriers"): "no barrier",
    ("sort_tile", "local accesses by one thread"): "and at most as many accesses of one thread to its local arrays",
    ("merge_tiles", "span"): "span of at most left_n + right_n + 64",
    ("merge_tiles", "global elements"): "3(left_n + right_n) + 64 global elements",
    ("scan_tiles", "combines"): "16 * TILE combines a tile",
    ("sat", "combines"): "the combines of both scans",
    ("quicksort", "host bytes"): "4096 bytes to the host, or 32768 up to 512 elements",
}


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound, and its value at some lengths or shapes."""

    part: str
    meter: str
    formula: str
    values: tuple[tuple[int, int, int], ...]  # rows, columns, value


@cache
def bounds_of(lab: str) -> list[Bound]:
    program = COURSE.build / "bin" / f"bounds_{lab}"
    subprocess.run(["make", "-s", str(program.relative_to(COURSE.root))], cwd=COURSE.root, check=True)
    rows: dict[tuple[str, str, str], list[tuple[int, int, int]]] = {}
    for line in subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines():
        part, meter, formula, *numbers = line.split("\t")
        rows.setdefault((part, meter, formula), []).append(tuple(map(int, numbers)))  # type: ignore[arg-type]
    return [Bound(*key, tuple(values)) for key, values in rows.items()]


def core(formula: str) -> str:
    """The formula without its explanation."""
    return re.sub(r" (additions|combines)\b", "", re.split(r":|, (?=which|where|for|m the)", formula)[0])


def value(formula: str, rows: int, columns: int) -> float:
    """Evaluates a formula such as `2 ceil(log2 n) + 1`."""
    for words, meaning in WORDS:
        formula = re.sub(words, meaning, formula)
    tokens = re.findall(r"\d+|\w+|\S", formula)
    product = [
        a + (" *" if re.fullmatch(r"\d+|n|m|P|bits|rows|columns|TILE|\)", a) and re.fullmatch(r"\w+|\(", b) else "")
        for a, b in zip(tokens, [*tokens[1:], ""], strict=True)
    ]
    code = " ".join(product).replace("^", "**")
    code = re.sub(r"log2 (n|TILE)", r"log2(\1)", code)
    n = rows * columns
    known = {"n": n, "m": 0, "rows": rows, "columns": columns, "TILE": 512, "bits": 8, "ceil": math.ceil, "max": max}
    known |= {"W": work_of_steps, "P": 1 << (n - 1).bit_length(), "log2": math.log2}
    return float(eval(code, {"__builtins__": {}}, known))  # noqa: S307


def work_of_steps(n: int) -> int:
    return sum(n - (1 << i) for i in range((n - 1).bit_length()))


def squashed(text: str) -> str:
    """A comment without the white space and asterisks of its line breaks."""
    return re.sub(r"\s+", "", re.sub(r"\n \* *", "\n", text))


def sentences(lab: Lab, part: str) -> str:
    """The contract's comment about a part."""
    contract = (lab.folder / f"{lab.stem}.h").read_text(encoding="utf-8")
    before = contract[: re.search(rf"^\w[\w ]*[ *]{part}\(", contract, re.MULTILINE).start()]  # type: ignore[union-attr]
    return squashed(before[before.rindex("/*") :])


@pytest.mark.parametrize("lab", LABS)
def test_a_formula_has_the_value_that_the_suite_judges_by(lab: str) -> None:
    bounds = [bound for bound in bounds_of(lab) if bound.formula not in NO_FORMULA]
    assert len(bounds) >= 10
    wrong = [
        (bound.part, bound.meter, bound.formula, rows, columns, judged, expected)
        for bound in bounds
        for rows, columns, judged in bound.values
        if abs((expected := max(value(core(bound.formula), rows, columns), 0)) - judged) >= 1
    ]
    assert wrong == []


@pytest.mark.parametrize("lab", LABS)
def test_the_contract_states_the_formula(lab: str) -> None:
    opening = squashed((LABS[lab].folder / f"{lab}.h").read_text(encoding="utf-8").partition("*/")[0])
    missing = []
    for bound in bounds_of(lab):
        of_part = sentences(LABS[lab], bound.part)
        missing += [
            (bound.part, bound.meter, text)
            for text in statements(bound)
            if squashed(text) not in of_part and squashed(text) not in opening
        ]
    assert missing == []


def statements(bound: Bound) -> list[str]:
    """What the contract must say about a bound. The meter stands between a number and words such as `for each tile`."""
    if (bound.part, bound.meter) in STATED:
        return [STATED[bound.part, bound.meter]]
    number, *words = re.split(r",? (?=and \d+ for each|for each|in each)", core(bound.formula), maxsplit=1)
    meter = "additions" if " additions" in bound.formula.partition(":")[0] else bound.meter
    return [NAMES.get(meter, f"{{}} {meter}").format(number), *words]


def test_another_formula_has_another_value() -> None:
    assert value("2(n - 1) + ceil(log2 n)", 1, 1000) == 2008
    assert value("6 * TILE + 2 for each tile of each row", 3, 513) == (6 * 512 + 2) * 3 * 2
    assert value("n, at least 64", 1, 8) == 64
    assert value("W(n)", 1, 8) == 17
