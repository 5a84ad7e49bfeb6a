"""What the command line asks of exporters that leave something open."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

VISIBILITIES = ("visible", "after_due_date", "after_published", "hidden")
AFTER_DUE_DATE = "after_due_date"


def _to_stderr(words: str) -> None:
    print(f"note: {words}", file=sys.stderr)


@dataclass(frozen=True, slots=True)
class Choices:
    """Each exporter reads the fields that it needs."""

    labs: tuple[int, ...] = ()  # of a gradebook; empty: all
    columns: tuple[tuple[int, str], ...] = ()  # Canvas's names of labs
    visibility: str = AFTER_DUE_DATE  # when Gradescope shows what hidden tests decide
    leaderboard: bool = False  # Gradescope: rank what the meters of right parts counted
    prefix: str = ""  # printed before the file names that editors read
    reports: str = ""  # folder of the students' pages, from the page of the class
    worksheet: str = ""  # text of the worksheet that Moodle wrote; empty: one is made
    headings: tuple[str, str] = ("Grade", "Feedback comments")  # of the worksheet's two columns that are filled in
    environment: Mapping[str, str] = field(default_factory=dict)  # variables of Classroom 50's runner
    note: Callable[[str], None] = _to_stderr  # called with what a person should know about the export
