"""roster.csv: the students of a class, and all names under which their hand-ins may come."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.classes.tables import Problems, Row, read_table
from grader.model.errors import printable
from grader.model.gradebook import Student


@dataclass(frozen=True, slots=True)
class Roster:
    """The students in the order of the file, and the names by which they are found."""

    students: tuple[Student, ...]
    by_key: dict[str, str]  # id, e-mail address, further name, or full name if it is unique -> id
    names: dict[str, frozenset[str]]  # id -> all its names, as they are written

    def find(self, *words: str) -> str | None:
        """The id of the first word that names a student."""
        return next((self.by_key[key] for word in words if (key := _key(word)) in self.by_key), None)

    def id_of(self, student: Student) -> str | None:
        """The id of a person who handed in, from the data of a download."""
        return self.find(student.id, student.email, student.name)


def read_roster(path: Path, problems: Problems) -> Roster:
    """Reads the file. Its columns are id and name, and optionally email and also (further names, separated by blanks or
    semicolons)."""
    students: list[Student] = []
    firsts: dict[str, Row] = {}  # key -> the first row that has it
    by_key: dict[str, str] = {}
    names: dict[str, frozenset[str]] = {}
    full_names: dict[str, list[str]] = {}
    for row in read_table(path, ("id", "name"), ("email", "also"), problems):
        student = Student(*(printable(row[column]) for column in ("id", "name", "email")))
        if not student.id or not student.name:
            problems.add(row.place, "a student has an id and a name")
            continue
        own = {student.id, *filter(None, [student.email]), *_words(row["also"])}
        for key in sorted(map(_key, own)):
            if key in firsts:
                problems.add(row.place, f"{key} is also in {firsts[key].place}; each student has ids of their own")
        firsts |= {_key(word): row for word in own}
        by_key |= {_key(word): student.id for word in own}
        names[student.id] = frozenset(own | {student.name})
        full_names.setdefault(_key(student.name), []).append(student.id)
        students.append(student)
    if not students and not problems.found:
        problems.add(str(path), "there is no student in it")
    unique = {name: ids[0] for name, ids in full_names.items() if len(ids) == 1}
    return Roster(tuple(students), unique | by_key, names)


def _words(text: str) -> Iterator[str]:
    return (word for word in text.replace(";", " ").split() if word)


def _key(word: str) -> str:
    return word.strip().casefold()


def shown(students: Iterable[Student]) -> str:
    """The students as a message names them."""
    return ", ".join(s.id if s.id == s.name or not s.name else f"{s.name} ({s.id})" for s in students)
