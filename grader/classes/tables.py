"""Reads tables that an instructor writes by hand or saves from a spreadsheet: CSV with a header line, separated by
commas or semicolons. All errors of a table are reported together, with file and line."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grader.model.errors import UsageError, describe_os_error


@dataclass(slots=True)
class Problems:
    """Errors that must be corrected before a result can be trusted."""

    found: list[str] = field(default_factory=list)

    def add(self, place: str, what: str, hint: str = "") -> None:
        """place: a file, or file:line."""
        self.found.append(f"{place}: {what}" + (f"\n    try: {hint}" if hint else ""))

    def check(self, undone: str) -> None:
        """UsageError with all errors, if there are any; `undone` says what was not done because of them."""
        if self.found:
            count = f"{len(self.found)} mistake{'s' if len(self.found) > 1 else ''}"
            raise UsageError("\n".join([f"{undone}: {count} in its files", *self.found]))


@dataclass(frozen=True, slots=True)
class Row:
    """One line: a value for every column of the table, without blanks around it."""

    place: str  # file:line
    values: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.values[column]


def read_table(path: Path, needed: tuple[str, ...], further: tuple[str, ...], problems: Problems) -> Iterator[Row]:
    """The rows of a table. Its header must have all columns of `needed` and may have those of `further`, which are
    empty where they are missing. Lines without any value are skipped. UsageError when the file cannot be read at
    all."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {describe_os_error(error)}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 ({error})\n    try: save it as CSV UTF-8") from error
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text), delimiter=";" if ";" in first and "," not in first else ",", strict=True)
    head: list[str] | None = None
    try:
        for cells in reader:
            row, place = [cell.strip() for cell in cells], f"{path}:{reader.line_num}"
            if not any(row):
                continue
            if head is None:
                head = [name.lower() for name in row]
                _check_head(place, head, needed, further)
            elif len(row) > len(head) and any(row[len(head) :]):
                problems.add(place, f"{len(row)} values, and the head has {len(head)} columns")
            else:
                yield Row(place, dict.fromkeys(further, "") | dict(zip(head, row + [""] * len(head), strict=False)))
    except csv.Error as error:
        raise UsageError(f"{path}:{reader.line_num}: {error}") from error
    if head is None:
        raise UsageError(f"{path} is empty; its first line is {','.join(needed)}")


def _check_head(place: str, head: list[str], needed: tuple[str, ...], further: tuple[str, ...]) -> None:
    missing = [name for name in needed if name not in head]
    unknown = [name for name in head if name not in (*needed, *further)]
    optional = f", and may have {', '.join(further)}" if further else ""
    if missing or unknown or len(set(head)) != len(head):
        raise UsageError(f"{place}: the columns are {', '.join(head)}; they must be {', '.join(needed)}{optional}")
