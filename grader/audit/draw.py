"""Draws mutants from those that operators make of the labs' solutions (grader/audit/operators.py).

Two kinds are never drawn: those that a trial in reference/trials/LAB/wrong/ describes, and those in
reference/trials/LAB/equivalent/, which are right. An entry there that no operator makes is an error: the solution has
changed, so the entry says nothing any more.
"""

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from grader.audit.operators import Made, code_of, functions, make
from grader.audit.trials import EQUIVALENT, WRONG, Entry, make_source, read_trials
from grader.handin.discover import Lab
from grader.model.errors import UsageError
from grader.model.layout import Course


def candidates(course: Course, lab: Lab) -> list[Made]:
    """The mutants that operators make of a lab's solution and that no trial describes. UsageError names a stale entry
    of equivalent/."""
    source = (course.reference / lab.source).read_text(encoding="utf-8")
    right = _codes(source)
    made: dict[tuple[str, str], Made] = {}
    for one in make(source, [part.name for part in lab.parts]):
        if one.code != right[one.function]:
            made.setdefault((one.function, one.code), one)
    for sort in (EQUIVALENT, WRONG):
        for entry in read_trials(course.reference, lab.stem, sort):
            codes = _codes(make_source(course.reference, entry).source) if len(entry.changes) == 1 else {}
            changed = [key for key in codes.items() if key not in right.items()]
            known = made.pop(changed[0], None) if len(changed) == 1 else None
            if known is None and sort == EQUIVALENT:
                raise UsageError(f"{entry.where}: no operator makes {entry.name}\n    try: delete it, or copy it again")
    return list(made.values())


def _codes(source: str) -> dict[str, str]:
    """The code of each function."""
    return {name: code_of(source[first:end]) for name, (first, end) in functions(source).items()}


def select(course: Course, labs: Sequence[Lab], part: str, name: str) -> list[tuple[Lab, Made]]:
    """The candidates of these labs whose names contain `name`, and whose function this part calls unless it is
    empty."""
    return [
        (lab, made)
        for lab in labs
        for made in candidates(course, lab)
        if part in ("", *made.parts) and name in made.name
    ]


def draw(mutants: Sequence[tuple[Lab, Made]], count: int, seed: int) -> list[tuple[Lab, Made]]:
    """At most `count` mutants, in the order of the labs. Operators get equal shares as far as they have places, and so
    do labs, and then functions."""
    rest = list(mutants)
    random.Random(seed).shuffle(rest)
    drawn: list[tuple[Lab, Made]] = []
    shares = Counter[str]()
    while rest and len(drawn) < count:
        chosen = min(rest, key=lambda one: [shares[share] for share in _shares(*one)])
        shares.update(_shares(*chosen))
        rest.remove(chosen)
        drawn.append(chosen)
    return sorted(drawn, key=lambda one: (one[0].number, one[1].line, one[1].name))


def _shares(lab: Lab, made: Made) -> tuple[str, str, str]:
    return made.operator.name, lab.stem, f"{lab.stem}.{made.function}"


def entry_of(lab: Lab, made: Made) -> Entry:
    """The mutant as a trial. Any finding in any of its parts may kill it."""
    return Entry(
        path=Path("reference", lab.source),
        line=made.line,
        sort=WRONG,
        lab=lab.stem,
        name=made.name,
        title=f"{made.operator.name}: `{made.new}` for `{made.old}`",
        base=f"reference/{lab.source}",
        parts=made.parts,
        kind="",
        group=made.operator.group,
        variable="",
        loses=(),
        spots=(),
        says={},
        changes=(),
    )
