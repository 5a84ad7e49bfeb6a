"""Finds the solution regions of a reference file, between `/* solution */` and `/* end solution */`.

Each mark is alone on its line, at any indentation. Regions do not nest.
"""

from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import UsageError, describe_os_error

BEGIN = "/* solution */"
END = "/* end solution */"


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line of a reference file. Lines with marks are left out."""

    number: int  # counted from 1
    text: str  # without its newline
    secret: bool  # True inside a region
    region: int  # number of regions that have begun before this line


def read_regions(path: Path) -> list[SourceLine]:
    """The lines of a reference file. UsageError names file and line of a mark that does not fit."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {describe_os_error(error)}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: {error}") from error
    return split_regions(text, str(path))


def split_regions(text: str, name: str) -> list[SourceLine]:
    """The same as read_regions, for a text; `name` is used in messages."""
    lines: list[SourceLine] = []
    begun: int | None = None  # line number of the open region's mark
    regions = 0
    for number, line in enumerate(text.splitlines(), start=1):
        mark = line.strip()
        if mark == BEGIN:
            if begun is not None:
                raise UsageError(f"{name}:{number}: a solution region inside that of line {begun}; end it first")
            begun = number
            regions += 1
        elif mark == END:
            if begun is None:
                raise UsageError(f"{name}:{number}: {END} without a {BEGIN} before it")
            begun = None
        elif BEGIN in line or END in line:
            raise UsageError(f"{name}:{number}: a solution mark must be alone on its line")
        else:
            lines.append(SourceLine(number, line, begun is not None, regions))
    if begun is not None:
        raise UsageError(f"{name}:{begun}: the solution region that begins here has no {END}")
    if regions == 0:
        raise UsageError(f"{name}: no {BEGIN} region: its stub would give the whole solution away")
    return lines
