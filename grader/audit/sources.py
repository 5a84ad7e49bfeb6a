"""Writes the sources of trials, for scripts that build them.

usage: python -m grader.audit.sources SORT FOLDER [LAB/NAME...]

Each trial of the sort that belongs to PORTION (portion.py), or each named trial, is written to FOLDER/LAB/NAME/LAB.cu.
A file that is already right is not touched. For each trial it prints a line of fields, separated by tabs: LAB/NAME; its
parts; the parts of the lab that it does not have, both separated by commas; the aspects that it loses; and a pattern of
grep -P for the expected message. An empty field is printed as `-`.
"""

import sys
from pathlib import Path

from grader.audit.portion import is_taken
from grader.audit.trials import Entry, find_trial, make_source, pattern_of, read_trials
from grader.handin.discover import discover_labs
from grader.model.errors import UsageError
from grader.model.layout import Course


def write_source(course: Course, entry: Entry, folder: Path) -> None:
    """Writes the source of a trial to a folder of its own."""
    file = folder / entry.lab / entry.name / f"{entry.lab}.cu"
    source = make_source(course.reference, entry).source
    if not file.exists() or file.read_text(encoding="utf-8") != source:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, encoding="utf-8")


def main() -> int:
    sort, folder, *names = sys.argv[1:]
    course = Course(Path.cwd())
    parts = {lab.stem: [part.name for part in lab.parts] for lab in discover_labs(course)}
    try:
        entries = [find_trial(course.reference, name, sort) for name in names] or [
            entry
            for lab in parts
            for entry in read_trials(course.reference, lab, sort)
            if is_taken(f"{entry.lab}/{entry.name}")
        ]
        for entry in entries:
            write_source(course, entry, Path(folder))
            missing = [part for part in parts[entry.lab] if part not in entry.parts]
            said = "".join(pattern_of(text) for text in entry.wanted("")[:1])
            fields = (
                f"{entry.lab}/{entry.name}",
                ",".join(entry.parts),
                ",".join(missing),
                " ".join(entry.loses),
                said,
            )
            print("\t".join(field or "-" for field in fields))
    except UsageError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
