"""From points to a grade: late days, penalties, extensions and dropped labs, as course.toml has them. Pure."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from grader.handin.discover import Lab
from grader.judge.settings import Settings
from grader.model.gradebook import LabGrade, Student
from grader.model.types import LabResult, Status

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Graded:
    """The labs of a hand-in, and what they come to."""

    labs: tuple[LabGrade, ...]
    score: float | None
    max_score: int


def grade_labs(
    settings: Settings,
    labs: Sequence[Lab],
    results: Mapping[int, LabResult],  # by lab's number; those that are known
    students: Sequence[Student],
    submitted: datetime | None,
) -> Graded:
    """The grades of one hand-in. Of a group each has the extension of the one with the longest."""
    names = {name for student in students for name in (student.id, student.email, student.name) if name}
    allowance = settings.late.allowance_days
    grades: list[LabGrade] = []
    for lab in labs:
        result = results.get(lab.number)
        days = _days_late(settings, lab, names, submitted)
        if result is None:
            grades.append(LabGrade(lab.number, None, None, 0, None, lab.max_score, days, 0, False, {}))
            continue
        missing = result.status is Status.MISSING  # nothing was handed in, so nothing was late
        used = 0 if missing else min(days, allowance)
        allowance -= used
        raw = result.score
        penalty = 0.0 if raw is None or missing else _penalty(settings, raw, days, days - used)
        grades.append(
            LabGrade(
                number=lab.number,
                status=result.status,
                raw=raw,
                penalty=penalty,
                score=None if raw is None else round(raw - penalty, 2),
                max_score=lab.max_score,
                days_late=0 if missing else days,
                late_days_used=used,
                dropped=False,
                parts={part.name: part.score for part in result.parts},
            )
        )
    return _total(_with_drops(grades, settings.drop_lowest))


def _days_late(settings: Settings, lab: Lab, names: set[str], submitted: datetime | None) -> int:
    due = settings.due.get(lab.number)
    if due is None or submitted is None:
        return 0
    last = due + settings.extension(names, lab.number) * _DAY
    if submitted <= last + timedelta(minutes=settings.late.grace_minutes):
        return 0
    return math.ceil((submitted - last) / _DAY)


def _penalty(settings: Settings, raw: int, days: int, charged: int) -> float:
    """Points taken off: all of them after the last day, else so much for each day that no allowance covers."""
    rules = settings.late
    if rules.last_day is not None and days > rules.last_day:
        return float(raw)
    return round(raw * min(charged * rules.percent_a_day, rules.most_percent) / 100, 2)


def _with_drops(grades: list[LabGrade], lowest: int) -> list[LabGrade]:
    """The labs with the lowest share of their points are dropped, of equal ones the first; never the last one. While
    a score is not known, none is."""
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
