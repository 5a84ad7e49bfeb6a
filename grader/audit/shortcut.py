"""Shortcuts: whole-lab hand-ins whose results are right without the work that a part is about. Pure, but for
read_shortcut.

A shortcut is a file reference/shortcuts/<lab>/<name>.cu: one thread does everything (serial), the host does (host), the
harness does (stock) ... Each part that it solves so must score 0, and a message must say why: of a test that failed, or
of the build. What must be said stands in the comment that opens the file:

    /* serial: one thread goes through the whole array.
     *
     * parts: scan_quadratic scan_in_place
     * says: span:
     * says scan_in_place: one thread */

    parts        those that it solves so; without the line: all of the lab
    says         text that a message about each of those parts holds; again for more
    says PART    the same for one part, in place of what is said of all
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import UsageError

SUFFIX = ".cu"
HELP = "grader/audit/shortcut.py describes the format"

_LINE = re.compile(r"\s*\*?\s*(?P<key>parts|says)(?: (?P<part>\w+))?:\s*(?P<value>.*)")


@dataclass(frozen=True, slots=True)
class Shortcut:
    """What the head of one file says."""

    parts: tuple[str, ...]  # never empty
    says: dict[str, tuple[str, ...]]  # by part, each with one text at least


def read_shortcut(path: Path, source: str, lab_parts: Sequence[str]) -> Shortcut:
    """The shortcut that the source's first comment describes. UsageError names the file and what is wrong."""
    if not source.startswith("/*") or "*/" not in source:
        raise _wrong(path, "it does not begin with a comment that says what must be said about it")
    parts: tuple[str, ...] = tuple(lab_parts)
    general: list[str] = []
    special: dict[str, list[str]] = {}
    for line in source[2 : source.index("*/")].splitlines():
        match = _LINE.fullmatch(line.rstrip())
        if match is None:
            continue
        if not match["value"]:
            raise _wrong(path, f"{match['key']}: has no value")
        if match["key"] == "parts":
            parts = tuple(match["value"].split())
        elif match["part"]:
            special.setdefault(match["part"], []).append(match["value"])
        else:
            general.append(match["value"])
    for part in (*parts, *special):
        if part not in lab_parts:
            raise _wrong(path, f"the lab has no part {part!r}; its parts are {', '.join(lab_parts)}")
    says = {part: tuple(special.get(part, general)) for part in parts}
    silent = [part for part in parts if not says[part]]
    if silent:
        raise _wrong(path, f"no `says:` for {', '.join(silent)}")
    return Shortcut(parts, says)


def unsaid(shortcut: Shortcut, part: str, messages: Sequence[str]) -> list[str]:
    """The texts about a part that none of the messages holds."""
    return [text for text in shortcut.says[part] if not any(text in message for message in messages)]


def _wrong(path: Path, what: str) -> UsageError:
    return UsageError(f"{path}: {what}\n    {HELP}")
