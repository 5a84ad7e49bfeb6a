"""Reads the clones that `gh teacher download` makes (foundation50/classroom50,
cli/gh-teacher/internal/download/download.go): a folder CLASSROOM-ASSIGNMENT-USERNAME for each student, and scores.csv
with names and addresses.

Only the names and addresses are taken from scores.csv. Its points and times come from the student's own repository,
which the student controls, and a clone may contain later work than the submission that has this time.
"""

import csv
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from grader.model.errors import UsageError, printable
from grader.model.gradebook import Student

SCORES = "scores.csv"
_HEAD = ["username", "first_name", "last_name", "email", "section"]


def students_of_clones(folder: Path, names: Iterable[str]) -> dict[str, Student]:
    """Folder name -> the student whose clone it is. Empty when this is not such a download. UsageError when scores.csv
    cannot be read."""
    try:
        text = (folder / SCORES).read_text(encoding="utf-8-sig") if (folder / SCORES).is_file() else ""
        rows = list(csv.reader(text.splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"cannot read {folder / SCORES}: {error}") from error
    if not rows or rows[0][: len(_HEAD)] != _HEAD:
        return {}
    by_login = {row[0].lower(): _student(row) for row in rows[1:] if len(row) >= len(_HEAD) and row[0]}
    # All clones of an assignment begin with the same words. With this beginning, only one of the logins `ada` and
    # `b-ada` fits cs-hello-b-ada.
    ends = [(name, login) for name in names for login in by_login if name.lower().endswith(f"-{login}")]
    starts = Counter(name.lower().removesuffix(f"-{login}") for name, login in ends)
    start = max(starts, key=lambda words: (starts[words], -len(words)), default="")
    return {name: by_login[login] for name, login in ends if name.lower() == f"{start}-{login}"}


def _student(row: list[str]) -> Student:
    login, first, last, email = (printable(word) for word in row[:4])
    return Student(login, f"{first} {last}".strip() or login, email)
