"""The book of a term: one entry for each student, over all batches of all labs.

term.toml names the batches, the roster and the points by hand; dates, late days, extensions and dropped labs come from
course.toml. The book is computed from these files and the batches' gradebooks each time, so after a regraded batch, a
further hand-in or a changed line it is enough to call it again. If a file has an error, there is no book.
"""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from grader.classes.late import Attempt, Graded, grade_attempts
from grader.classes.students import Roster, read_roster, shown
from grader.classes.tables import Problems, read_table
from grader.handin.discover import Lab, Part, read_toml
from grader.handin.submission import folder_name
from grader.judge.settings import Settings
from grader.model.errors import UsageError, describe_os_error
from grader.model.gradebook import (
    JSON_NAME,
    OVERRIDES,
    TO_FILL_IN,
    ByHand,
    Entry,
    EntryStatus,
    Form,
    Gradebook,
    LabColumn,
    LabGrade,
    Origin,
    PartColumn,
    Student,
    from_json,
)
from grader.model.types import Status

LAST, BEST = "last", "best"
_KEYS = {"roster", "overrides", "batches", "counts", "ignore", "written"}
_MOST_POINTS = 1000


@dataclass(frozen=True, slots=True)
class Written:
    """Work of a lab that a person judges, such as an answer on paper or a talk."""

    lab: int
    name: str
    points: int


@dataclass(frozen=True, slots=True)
class Term:
    """The contents of term.toml; the files that it names are not read yet."""

    path: Path
    roster: Path
    overrides: Path | None
    batches: tuple[str, ...]  # folders of gradebooks, relative to term.toml's folder, in the order in which they came
    best: bool  # True: of several hand-ins of a lab the best one counts, instead of the last
    ignore: frozenset[str]  # people who hand in but are not students of the class
    written: tuple[Written, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """A finished book."""

    gradebook: Gradebook
    notes: tuple[str, ...]  # remarks for the instructor, one line each


def read_term(path: Path) -> Term:
    """Reads term.toml. UsageError names the file and the wrong entry."""
    table = read_toml(path)

    def texts(key: str) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
            raise UsageError(f"{path}: {key} is a list of texts in quotes")
        return tuple(value)

    def file(key: str) -> Path | None:
        value = table.get(key, "")
        if not isinstance(value, str):
            raise UsageError(f"{path}: {key} is the name of a file in quotes")
        return path.parent / value if value else None

    for key in table:
        if key not in _KEYS:
            raise UsageError(f"{path}: unknown entry {key!r}; known are {', '.join(sorted(_KEYS))}")
    roster, batches, counts = file("roster"), texts("batches"), table.get("counts", LAST)
    if roster is None:
        raise UsageError(f'{path}: a term has a roster: roster = "roster.csv"')
    if not batches or len(set(batches)) != len(batches):
        raise UsageError(f'{path}: batches names each batch once: batches = ["build/class/lab2", "build/class/lab3"]')
    if counts not in (LAST, BEST):
        raise UsageError(f"{path}: counts = {counts!r}; it is {LAST} or {BEST}")
    written = table.get("written", [])
    if not isinstance(written, list):
        raise UsageError(f"{path}: written is a list of tables: [[written]]")
    ignore = frozenset(word.casefold() for word in texts("ignore"))
    works = tuple(_written(path, entry) for entry in written)
    return Term(path, roster, file("overrides"), batches, counts == BEST, ignore, works)


def _written(path: Path, entry: Any) -> Written:
    """Reads one table of written work."""
    if isinstance(entry, dict) and set(entry) == {"lab", "name", "points"}:
        lab, name, points = entry["lab"], entry["name"], entry["points"]
        whole = all(isinstance(one, int) and not isinstance(one, bool) for one in (lab, points))
        if whole and isinstance(name, str) and name.isidentifier() and 0 < points <= _MOST_POINTS:
            return Written(lab, name, points)
    raise UsageError(
        f'{path}: written work has a lab, a name and points, such as lab = 2, name = "why_two_barriers", points = 10'
    )


def make_book(term: Term, settings: Settings, labs: tuple[Lab, ...], folder: Path) -> Book:
    """Makes the book that is stored in `folder`. `labs` are those that count, from course.toml. UsageError lists all
    errors in the files, and then there is no book."""
    problems = Problems()
    roster = read_roster(term.roster, problems)
    books = [(batch, term.path.parent / batch, _read_book(term.path.parent / batch)) for batch in term.batches]
    maker = _Maker(term, settings, roster, problems, folder)
    maker.labs = _labs_of(term, labs, [(batch, book) for batch, _, book in books], problems)
    maker.extensions()
    hand = maker.by_hand()
    for batch, place, book in books:
        maker.batch(batch, place, book)
    maker.ask_about_twins()
    problems.check(f"{term.path} makes no book")
    return maker.book(hand, books[0][2].device)


def _read_book(folder: Path) -> Gradebook:
    path = folder / JSON_NAME
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UsageError(f"there is no {path}\n    try: make grade SUBMISSIONS=... first, which writes it") from error
    except OSError as error:
        raise UsageError(f"cannot read {path}: {describe_os_error(error)}") from error
    except ValueError as error:
        raise UsageError(f"cannot read {path}: {error}") from error


def _labs_of(
    term: Term, labs: tuple[Lab, ...], books: list[tuple[str, Gradebook]], problems: Problems
) -> tuple[Lab, ...]:
    """The labs of the batches, with written work added as parts. A batch that was graded with other points than
    course.toml has now is an error."""
    device = books[0][1].device
    by_number = {lab.number: lab.judged_on(device) for lab in labs}
    there: set[int] = set()
    for batch, book in books:
        if book.device != device:
            problems.add(batch, f"graded with DEVICE={book.device}, and {books[0][0]} with DEVICE={device}")
        if any(entry.form is Form.ROSTER for entry in book.entries):
            problems.add(batch, "the book of a term, and no batch")
        for column in book.labs:
            lab = by_number.get(column.number)
            if lab is None:
                problems.add(batch, f"has lab {column.number}, and by course.toml that lab does not count")
            elif {part.name: part.max_score for part in column.parts} != _points_of(lab):
                again = "grade it again with the same command as before"
                problems.add(batch, f"lab {lab.number} was graded for other parts or points than now", again)
            else:
                there.add(lab.number)
    chosen = {number: lab for number, lab in by_number.items() if number in there}
    for work in term.written:
        lab = chosen.get(work.lab)
        if lab is None:
            problems.add(str(term.path), f"written work {work.name} is of lab {work.lab}, and no batch has that lab")
        elif work.name in _points_of(lab):
            problems.add(str(term.path), f"lab {work.lab} has a part {work.name} already")
        else:
            part = Part(work.name, "Written work", {"correct": work.points})
            chosen[work.lab] = replace(lab, parts=(*lab.parts, part))
    return tuple(chosen[number] for number in sorted(chosen))


def _points_of(lab: Lab) -> dict[str, int]:
    return {part.name: sum(part.points.values()) for part in lab.parts}


@dataclass(slots=True)
class _Maker:
    """Collects what each student handed in, and makes the entries."""

    term: Term
    settings: Settings
    roster: Roster
    problems: Problems
    folder: Path
    labs: tuple[Lab, ...] = ()
    attempts: dict[tuple[str, int], list[Attempt]] = field(default_factory=dict)  # (student id, lab number) -> attempts
    said: dict[str, list[str]] = field(default_factory=dict)  # student id -> messages of the batches
    # Lab number -> number of hand-ins with unknown time, for labs with a due date
    untimed: Counter[int] = field(default_factory=Counter)

    # ---- files -------------------------------------------------------------------------------------------------

    def extensions(self) -> None:
        """The extensions of course.toml, by the ids of the roster."""
        known = []
        for extension in self.settings.extensions:
            student = self.roster.find(extension.student)
            if student is None:
                self.problems.add(
                    extension.place, f"an extension for {extension.student!r}, who is not in {self.term.roster}"
                )
            else:
                known.append(replace(extension, student=student))
        self.settings = replace(self.settings, extensions=tuple(known))

    def by_hand(self) -> dict[tuple[str, int], list[ByHand]]:
        """Overrides and points of written work: (student id, lab number) -> points."""
        found: dict[tuple[str, int], list[ByHand]] = {}
        places: dict[tuple[str, int], dict[str, str]] = {}
        if self.term.overrides is None:
            return found
        by_number = {str(lab.number): lab for lab in self.labs}
        written = {(work.lab, work.name) for work in self.term.written}
        for row in read_table(self.term.overrides, OVERRIDES, (), self.problems):
            student, lab, part = self.roster.find(row["student"]), by_number.get(row["lab"]), row["part"]
            if student is None:
                self.problems.add(row.place, f"{row['student']!r} is not in {self.term.roster}")
            elif lab is None:
                self.problems.add(row.place, f"no batch has lab {row['lab']!r}; there are {', '.join(by_number)}")
            elif part not in (points := {"": lab.max_score} | _points_of(lab)):
                parts = ", ".join(filter(None, points))
                self.problems.add(row.place, f"lab {lab.number} has no part {part!r}; its parts are {parts}")
            elif {row["reason"], row["by"]} & set(TO_FILL_IN):
                self.problems.add(row.place, f"{', '.join(TO_FILL_IN)} of a copied line are to be filled in")
            elif not row["by"] or not (row["reason"] or (lab.number, part) in written):
                self.problems.add(row.place, "points by hand have a reason and the name of the person who gave them")
            elif not _is_points(row["points"], points[part]):
                self.problems.add(row.place, f"{row['points']!r} is no whole number of points from 0 to {points[part]}")
            else:
                earlier = places.setdefault((student, lab.number), {})
                for other, place in earlier.items():
                    if not part or other in ("", part):
                        self.problems.add(row.place, f"{place} sets the points of {other or 'the whole lab'} already")
                earlier[part] = row.place
                given = ByHand(part, int(row["points"]), None, row["reason"], row["by"])
                found.setdefault((student, lab.number), []).append(given)
        return found

    # ---- batches -----------------------------------------------------------------------------------------------

    def batch(self, name: str, place: Path, book: Gradebook) -> None:
        """Collects what a batch's students handed in."""
        for entry in book.entries:
            ids = [(self._student(name, entry, student), student.id) for student in entry.students]
            known = {one: there for one, there in ids if one is not None}
            for lab in entry.labs:
                attempt = self._attempt(name, place, entry, lab, frozenset(known))
                if attempt is None:
                    continue
                for student, there in known.items():
                    origin = attempt.origin and replace(attempt.origin, student=there)
                    self.attempts.setdefault((student, lab.number), []).append(replace(attempt, origin=origin))
            if entry.message or entry.marked_late:
                for student in known:
                    said = entry.message.partition("\n")[0] or "late, says the download"
                    self.said.setdefault(student, []).append(f"{name}: {entry.name}: {said}")

    def _student(self, batch: str, entry: Entry, student: Student) -> str | None:
        found = self.roster.id_of(student)
        words = {word.casefold() for word in (student.id, student.name, student.email)}
        if found is None and not words & self.term.ignore:
            self.problems.add(
                batch,
                f"the hand-in {entry.origin or entry.name} is of {shown([student])}, who is not in {self.term.roster}",
                "add the id to the column `also` of the student whose it is, or to `ignore` in term.toml",
            )
        return found

    def _attempt(self, batch: str, place: Path, entry: Entry, lab: LabGrade, ids: frozenset[str]) -> Attempt | None:
        """The attempt at a lab in an entry; None when the entry has none."""
        if lab.status is Status.MISSING:
            return None
        text = lab.submitted or entry.submitted
        came = datetime.fromisoformat(text) if text else None
        if came is None and lab.number in self.settings.due:
            self.untimed[lab.number] += 1
        results = os.path.relpath(place / entry.results, self.folder) if entry.results else None
        origin = Origin(batch, entry.name, results, (), entry.form)
        parts: dict[str, int | None] = lab.parts | dict.fromkeys(
            work.name for work in self.term.written if work.lab == lab.number
        )
        raw = lab.raw if len(parts) == len(lab.parts) else None  # unknown until a person has judged the other parts
        return Attempt(lab.status, raw, parts, came, ids, origin)

    def ask_about_twins(self) -> None:
        """Reports two hand-ins of a student in one batch, unless their times tell which came later. Then sorts all
        attempts by time. If a time is unknown, the batches keep their order, and each batch is sorted by itself."""
        for (student, lab), tried in self.attempts.items():
            times = [attempt.submitted for attempt in tried]
            for i, attempt in enumerate(tried):
                for other in tried[:i]:
                    one, two = other.origin, attempt.origin
                    if one is None or two is None or one.batch != two.batch:
                        continue
                    if other.submitted is None or attempt.submitted in (None, other.submitted):
                        self.problems.add(
                            one.batch,
                            f"{one.hand_in} and {two.hand_in} are both of {student}, lab {lab}; which one counts?",
                            "remove one and grade again, or say in submitted.csv when each came, by the names of "
                            "their files",
                        )
            groups = [tried]
            if None in times:
                groups = [list(of) for _, of in groupby(tried, key=lambda one: one.origin and one.origin.batch)]
            tried[:] = [attempt for group in groups for attempt in sorted(group, key=_moment)]

    # ---- the book ----------------------------------------------------------------------------------------------

    def book(self, hand: dict[tuple[str, int], list[ByHand]], device: str) -> Book:
        entries = [self._entry(student, hand) for student in self.roster.students]
        name = folder_name(self.term.path.stem)
        columns = tuple(self._column(lab) for lab in self.labs)
        book = Gradebook(name, self.settings.title, device, None, columns, tuple(entries))
        return Book(book, tuple(self._notes(book)))

    def _column(self, lab: Lab) -> LabColumn:
        due = self.settings.due.get(lab.number)
        parts = tuple(PartColumn(name, points) for name, points in _points_of(lab).items())
        return LabColumn(lab.number, lab.title, lab.source, lab.max_score, due.isoformat() if due else None, parts)

    def _entry(self, student: Student, hand: dict[tuple[str, int], list[ByHand]]) -> Entry:
        numbers = [lab.number for lab in self.labs]
        tried = {number: self.attempts.get((student.id, number), []) for number in numbers}
        given = {number: hand.get((student.id, number), []) for number in numbers}
        graded = grade_attempts(self.settings, self.labs, tried, given, self.term.best)
        grades = tuple(_with_others(grade, tried[grade.number]) for grade in graded.labs)
        said = self.said.get(student.id, [])
        return Entry(
            name=folder_name(student.id),
            status=_status(graded),
            message="\n".join(said),
            students=(student,),
            form=Form.ROSTER,
            origin="",
            submission_id="",
            submitted=None,
            marked_late=False,
            files=(),
            ignored=(),
            content="",
            results=None,
            source=None,
            score=graded.score,
            max_score=graded.max_score,
            labs=grades,
        )

    def _notes(self, book: Gradebook) -> Iterator[str]:
        absent = [entry for entry in book.entries if entry.status is EntryStatus.MISSING]
        for unusable, words in ((False, "nothing"), (True, "nothing that can be graded")):
            who = [entry.students[0] for entry in absent if bool(entry.message) == unusable]
            if who:
                yield f"{len(who)} handed in {words}: {shown(who)}"
        for i, lab in enumerate(book.labs):
            others = [entry for entry in book.entries if entry.status is not EntryStatus.MISSING]
            who = [entry.students[0] for entry in others if _is_missing(entry.labs[i])]
            if who:
                more = " more" if absent else ""
                yield f"lab {lab.number}: {len(who)}{more} handed in nothing that can be graded: {shown(who)}"
        for number, count in sorted(self.untimed.items()):
            yield f"lab {number} has a date, and of {count} hand-ins no time is known: they count as in time"
        for work in self.term.written:
            waits = [e for e in book.entries for g in e.labs if g.number == work.lab and _waits(g, work.name)]
            if waits:
                names = shown(entry.students[0] for entry in waits)
                yield f"lab {work.lab}: {len(waits)} have no points for {work.name} yet: {names}"
        for entry in book.entries:
            for grade in entry.labs:
                for one in grade.by_hand:
                    if one.was is not None and one.points < one.was:
                        place = f"lab {grade.number}{f' {one.part}' if one.part else ''}"
                        words = f"{one.points} points by hand, and the grader gives {one.was}"
                        yield f"{shown(entry.students)}: {place} has {words}"


def _moment(attempt: Attempt) -> float:
    return attempt.submitted.timestamp() if attempt.submitted is not None else 0.0


def _is_points(text: str, most: int) -> bool:
    return text.isascii() and text.isdecimal() and int(text) <= most


def _is_missing(grade: LabGrade) -> bool:
    return grade.status is Status.MISSING and not grade.by_hand


def _waits(grade: LabGrade, part: str) -> bool:
    return part in grade.parts and grade.parts[part] is None


def _with_others(grade: LabGrade, tried: list[Attempt]) -> LabGrade:
    """The grade, with the names of the hand-ins that do not count added."""
    if grade.origin is None:
        return grade
    chosen = (grade.origin.batch, grade.origin.hand_in)
    origins = [attempt.origin for attempt in tried if attempt.origin is not None]
    others = tuple(f"{o.batch}/{o.hand_in}" for o in origins if (o.batch, o.hand_in) != chosen)
    return replace(grade, origin=replace(grade.origin, others=others))


def _status(graded: Graded) -> EntryStatus:
    unknown = [grade for grade in graded.labs if grade.score is None]
    if any(grade.status is Status.GRADER_FAULT for grade in unknown):
        return EntryStatus.GRADER_FAULT
    if unknown:
        return EntryStatus.WAITING
    nothing = all(map(_is_missing, graded.labs))
    return EntryStatus.MISSING if nothing else EntryStatus.GRADED
