"""Settings from the command line for exporters that need some."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

VISIBILITIES = ("visible", "after_due_date", "after_published", "hidden")
AFTER_DUE_DATE = "after_due_date"


def _to_stderr(words: str) -> None:
    print(f"note: {words}", file=sys.stderr)


@dataclass(frozen=True, slots=True)
class Choices:
    """The settings. Each exporter reads the fields that it needs."""

    labs: tuple[int, ...] = ()  # labs of a gradebook; empty for all
    columns: tuple[tuple[int, str], ...] = ()  # lab number and Canvas's name of it
    visibility: str = AFTER_DUE_DATE  # when Gradescope shows results that depend on hidden tests
    leaderboard: bool = False  # Gradescope: make a ranking of the meters of right parts
    prefix: str = ""  # printed before the file names, for editors
    reports: str = ""  # folder of the students' pages, relative to the page of the class
    worksheet: str = ""  # text of the worksheet that Moodle wrote; if it is empty, one is made
    headings: tuple[str, str] = ("Grade", "Feedback comments")  # headings of the worksheet's two columns to fill in
    environment: Mapping[str, str] = field(default_factory=dict)  # variables of Classroom 50's runner
    note: Callable[[str], None] = _to_stderr  # called with remarks on the export for the user
