"""Turns test outcomes into points. Pure: it uses no disk and no processes.

The points of an aspect are given when all its tests pass, public and hidden. Those of clean, efficient and fast also
need a correct part.
"""

from collections.abc import Sequence
from dataclasses import replace

from grader.handin.discover import Lab, Part
from grader.judge.suites import SuiteRun
from grader.model.types import ASPECTS, FAST, AspectResult, LabResult, Outcome, PartResult, Status, SuiteKind

_ALL = (*ASPECTS, FAST)

NOT_PROVED = "not proved: a test failed"


def score_lab(lab: Lab, runs: Sequence[SuiteRun]) -> LabResult:
    """The result of a lab whose suites ran."""
    outcomes = [outcome for run in runs for outcome in run.outcomes if outcome.part not in lab.left_out]
    # These words are shown to students and contain lengths, so only the public suite's are used; lengths of hidden
    # tests stay hidden.
    proofs = {part: words for run in runs if run.kind is SuiteKind.PUBLIC for part, words in run.proofs.items()}
    result = LabResult(
        number=lab.number,
        title=lab.title,
        source=lab.source,
        status=Status.PASSED,
        message="",
        suites=tuple(dict.fromkeys(run.kind for run in runs if not run.fault)),
        parts=tuple(
            replace(
                _score_part(part, outcomes, proofs.get(part.name, ("", ""))),
                meters=tuple(meter for run in runs for meter in run.meters.get(part.name, ())),
            )
            for part in lab.parts
        ),
    )
    faults = [run.fault for run in runs if run.fault] or list(_inconsistencies(lab, outcomes))
    if faults:
        return replace(result, status=Status.GRADER_FAULT, message="\n".join(faults), parts=_without_score(result))
    return result if result.score == result.max_score else replace(result, status=Status.FAILED)


def untested_lab(lab: Lab, status: Status, message: str) -> LabResult:
    """The result of a lab whose suites could not run: 0 points, or no score after a grader fault."""
    earned = None if status is Status.GRADER_FAULT else 0
    parts = tuple(
        PartResult(
            part.name,
            part.summary,
            tuple(AspectResult(a, part.points[a], earned, status, ()) for a in _ALL if part.points.get(a)),
        )
        for part in lab.parts
    )
    return LabResult(lab.number, lab.title, lab.source, status, message, (), parts)


def _score_part(part: Part, outcomes: Sequence[Outcome], proof: tuple[str, str]) -> PartResult:
    aspects: list[AspectResult] = []
    correct = False
    for name in _ALL:
        points = part.points.get(name, 0)
        tests = tuple(outcome for outcome in outcomes if (outcome.part, outcome.aspect) == (part.name, name))
        if not tests and not points:
            continue
        worst = next((test for test in tests if test.status is not Status.PASSED), None)
        status = Status.PASSED if worst is None else Status.FAILED if worst.left_out else worst.status
        passed = bool(tests) and status is Status.PASSED
        if name == "correct":
            correct = passed
        aspects.append(AspectResult(name, points, points if passed and correct else 0, status, tests))
    failed = any(aspect.status is not Status.PASSED for aspect in aspects if aspect.name not in ("efficient", FAST))
    if failed and proof[0].startswith("checked "):
        proof = NOT_PROVED, ""  # a hidden test can fail although the public suite reported a proof
    return PartResult(part.name, part.summary, tuple(aspects), proof[0], proof_lengths=proof[1])


def _inconsistencies(lab: Lab, outcomes: Sequence[Outcome]) -> list[str]:
    """The reasons, if any, why the suites' reports cannot be used for scoring."""
    parts = {part.name: part for part in lab.parts}
    wrong = [
        f"{outcome.suite} test {outcome.id}: {outcome.message or 'the suite broke off'}"
        for outcome in outcomes
        if outcome.status is Status.GRADER_FAULT
    ]
    if wrong:  # other suites did not run
        return wrong
    unknown = dict.fromkeys(outcome.part for outcome in outcomes if outcome.part not in parts)
    wrong = [f"the suite tests part {name!r}, which {lab.folder.name}/lab.toml does not list" for name in unknown]
    tested = {(outcome.part, outcome.aspect) for outcome in outcomes}
    wrong += [
        f"no test of the suites that ran is for {part.name} {aspect}, which is worth {part.points[aspect]} points"
        for part in lab.parts
        for aspect in _ALL
        if part.points.get(aspect) and (part.name, aspect) not in tested
    ]
    return wrong


def _without_score(result: LabResult) -> tuple[PartResult, ...]:
    return tuple(
        replace(part, aspects=tuple(replace(aspect, earned=None) for aspect in part.aspects)) for part in result.parts
    )
