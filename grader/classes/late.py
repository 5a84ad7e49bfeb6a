"""Turns points into grades: late days, penalties, extensions, points by hand and dropped labs. Pure.

A batch is graded by itself, and a term over all its batches. Both use grade_attempts; a batch has one attempt at each
lab.
"""

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from grader.handin.discover import Lab
from grader.judge.settings import Settings
from grader.model.gradebook import ByHand, Gradebook, LabGrade, Origin, Student
from grader.model.types import LabResult, Status

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Graded:
    """The labs of a hand-in or of a student, and their total."""

    labs: tuple[LabGrade, ...]
    score: float | None
    max_score: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """One hand-in for one lab, with its verdict."""

    status: Status | None  # None while it waits
    raw: int | None
    parts: dict[str, int | None]
    submitted: datetime | None
    names: frozenset[str]  # ids, addresses and names of all students who handed it in
    origin: Origin | None = None


NOTHING = Attempt(Status.MISSING, 0, {}, None, frozenset())


def grade_labs(
    settings: Settings,
    labs: Sequence[Lab],
    results: Mapping[int, LabResult],  # lab number -> result, for the known ones
    students: Sequence[Student],
    submitted: datetime | None,
    *,
    submitted_labs: Mapping[int, datetime] | None = None,  # only when the labs of a hand-in came at different times
) -> Graded:
    """Computes the grades of one hand-in. In a group, everyone gets the longest extension that one of them has."""
    names = names_of(students)
    times = submitted_labs or {}
    attempts: dict[int, list[Attempt]] = {}
    for lab in labs:
        result, came = results.get(lab.number), times.get(lab.number, submitted)
        if result is None:
            attempts[lab.number] = [Attempt(None, None, {}, came, names)]
        else:
            parts = {part.name: part.score for part in result.parts}
            attempts[lab.number] = [Attempt(result.status, result.score, parts, came, names)]
    return grade_attempts(settings, labs, attempts)


def names_of(students: Sequence[Student]) -> frozenset[str]:
    """All names by which course.toml may refer to these students."""
    return frozenset(name for student in students for name in (student.id, student.email, student.name) if name)


def unused_extensions(settings: Settings, book: Gradebook) -> list[str]:
    """A note for each extension for a lab of this batch whose student has no hand-in in it: absent, or misspelt."""
    names = names_of([student for entry in book.entries for student in entry.students])
    labs = {None, *(lab.number for lab in book.labs)}
    return [
        f"{one.place}: no hand-in of this batch is of {one.student!r}, who has an extension"
        for one in settings.extensions
        if one.lab in labs and not one.is_for(names)
    ]


def grade_attempts(
    settings: Settings,
    labs: Sequence[Lab],
    attempts: Mapping[int, Sequence[Attempt]],  # lab number -> attempts, in the order in which they came
    by_hand: Mapping[int, Sequence[ByHand]] | None = None,  # lab number -> points; `was` is filled in here
    best: bool = False,
) -> Graded:
    """Computes the grades of one student. Late days are used up in the order of the due dates. Of several attempts at a
    lab the last one counts, or with `best` the one that has most points after the penalty for being late."""
    allowance = settings.late.allowance_days
    grades: dict[int, LabGrade] = {}
    for lab in sorted(labs, key=lambda one: _due_order(settings, one)):
        hand = (by_hand or {}).get(lab.number, ())
        tried = attempts.get(lab.number) or (NOTHING,)
        judged = [_grade(settings, lab, attempt, allowance, hand) for attempt in tried]
        grade = max(judged, key=_worth) if best else judged[-1]
        allowance -= grade.late_days_used
        grades[lab.number] = grade
    return _total(_with_drops([grades[lab.number] for lab in labs], settings.drop_lowest))


def _due_order(settings: Settings, lab: Lab) -> tuple[bool, float, int]:
    due = settings.due.get(lab.number)
    return due is None, due.timestamp() if due is not None else 0.0, lab.number


def _worth(grade: LabGrade) -> tuple[bool, float, int]:
    """A sort key for max, which returns the first of equal ones. An unknown score could be the best one, so it is the
    greatest, and the lab's score is unknown."""
    return grade.score is None, grade.score or 0.0, -grade.late_days_used


def _grade(settings: Settings, lab: Lab, attempt: Attempt, allowance: int, hand: Sequence[ByHand]) -> LabGrade:
    days = _days_late(settings, lab, attempt.names, attempt.submitted)
    came = attempt.submitted.isoformat() if attempt.submitted is not None else None
    if attempt.status is None:
        return LabGrade(lab.number, None, None, 0, None, lab.max_score, days, 0, False, {}, came, (), attempt.origin)
    missing = attempt.status is Status.MISSING  # nothing was handed in, so nothing is late
    used = 0 if missing else min(days, allowance)
    raw, parts, given = _by_hand(lab, attempt, hand)
    penalty = 0.0 if raw is None or missing else _penalty(settings, raw, days, days - used)
    return LabGrade(
        number=lab.number,
        status=attempt.status,
        raw=raw,
        penalty=penalty,
        score=None if raw is None else round(raw - penalty, 2),
        max_score=lab.max_score,
        days_late=0 if missing else days,
        late_days_used=used,
        dropped=False,
        parts=parts,
        submitted=came,
        by_hand=given,
        origin=attempt.origin,
    )


def _by_hand(
    lab: Lab, attempt: Attempt, hand: Sequence[ByHand]
) -> tuple[int | None, dict[str, int | None], tuple[ByHand, ...]]:
    """The points of the lab and of its parts, and the points by hand, each with the grader's own points."""
    if not hand:
        return attempt.raw, attempt.parts, ()
    whole = next((one for one in hand if not one.part), None)
    if whole is not None:
        return whole.points, attempt.parts, (replace(whole, was=attempt.raw),)
    parts = {part.name: attempt.parts.get(part.name, 0) for part in lab.parts}
    given = tuple(replace(one, was=attempt.parts.get(one.part)) for one in hand)
    parts |= {one.part: one.points for one in given}
    known = [points for points in parts.values() if points is not None]
    return sum(known) if len(known) == len(parts) else None, parts, given


def _days_late(settings: Settings, lab: Lab, names: AbstractSet[str], submitted: datetime | None) -> int:
    due = settings.due.get(lab.number)
    if due is None or submitted is None:
        return 0
    last = due + settings.extension(names, lab.number)
    if submitted <= last + timedelta(minutes=settings.late.grace_minutes):
        return 0
    return math.ceil((submitted - last) / _DAY)


def _penalty(settings: Settings, raw: int, days: int, charged: int) -> float:
    """The points to deduct: all of them after the last day, else a share for each day that no allowance covers."""
    rules = settings.late
    if rules.last_day is not None and days > rules.last_day:
        return float(raw)
    return round(raw * min(charged * rules.percent_a_day, rules.most_percent) / 100, 2)


def _with_drops(grades: list[LabGrade], lowest: int) -> list[LabGrade]:
    """Drops the labs with the lowest share of their points. Of equal ones, the one with the lowest number goes first.
    One lab always stays, and nothing is dropped while a score is unknown."""
    if any(grade.score is None for grade in grades):
        return grades
    order = sorted(grades, key=lambda grade: ((grade.score or 0) / max(grade.max_score, 1), grade.number))
    dropped = {grade.number for grade in order[: min(lowest, len(grades) - 1)]}
    return [replace(grade, dropped=grade.number in dropped) for grade in grades]


def _total(grades: list[LabGrade]) -> Graded:
    counted = [grade for grade in grades if not grade.dropped]
    scores = [grade.score for grade in counted]
    known = [score for score in scores if score is not None]
    score = round(sum(known), 2) if len(known) == len(scores) else None
    return Graded(tuple(grades), score, sum(grade.max_score for grade in counted))
