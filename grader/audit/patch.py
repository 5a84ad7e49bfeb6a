"""Applies changes to a source without line numbers: hunks, and replacements of definitions. Pure.

    @@ rotate_kernel
             mine = ring[t + 1];
    -        __syncthreads();
             ring[t] = mine;

    @= rotate
    void rotate(int *ring)
    {
        rotate_kernel<<<1, 32>>>(ring);
    }

A hunk, `@@`, applies in the function or struct whose name follows it, or anywhere in the file when no name follows.
The first character of each of its lines is a blank (the line stays), `-` (it is removed) or `+` (it is added). Lines
are compared by their code only: the amount of white space and comments do not count, and lines without code may be left
out. A hunk must fit in exactly one place.

The text after `@=` replaces the named definition together with the comment directly above it. An empty text removes the
definition. Without a name, the text is the whole source. Blank lines at both ends of the text are ignored.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import UsageError

_BLOCK = re.compile(r"(?P<mark>@@|@=)\s*(?P<name>\w*)\s*")


@dataclass(frozen=True, slots=True)
class Spot:
    """A line of the patched file, given by its text."""

    function: str  # the function to search; empty for the functions that the patch changes
    text: str
    number: int  # number of the line among several with this text, from 1; 0 when there is only one


@dataclass(frozen=True, slots=True)
class Hunk:
    """One change."""

    function: str  # empty when the hunk may fit anywhere in the file
    lines: tuple[tuple[str, str], ...]  # (mark, line) with one of the marks " ", "-" and "+"


@dataclass(frozen=True, slots=True)
class Replacement:
    """A definition that is replaced."""

    name: str  # empty for the whole source
    text: tuple[str, ...]


Change = Hunk | Replacement


@dataclass(frozen=True, slots=True)
class Patched:
    """The changed source, and the lines that a finding must name."""

    source: str
    lines: tuple[int, ...]  # line numbers of the mutant's spots, from 1


def begins_change(line: str) -> bool:
    """True when this line begins the changes of an entry."""
    return line.startswith(("@@", "@="))


def parse_changes(path: Path, lines: Sequence[str], first: int) -> Iterator[Change]:
    """Parses changes from these lines. `first` is the line number of the first of them. UsageError names the file and
    the line."""
    starts = [i for i, line in enumerate(lines) if begins_change(line)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=False):
        match = _BLOCK.fullmatch(lines[start])
        if match is None:
            raise _wrong(
                path, start + first, "a change begins with `@@ FUNCTION` or `@= FUNCTION`, and nothing follows"
            )
        body = lines[start + 1 : end]
        if match["mark"] == "@=":
            yield Replacement(match["name"], tuple("\n".join(body).strip("\n").split("\n")))
        else:
            yield _parse_hunk(path, match["name"], body, start + first)


def apply_changes(path: Path, changes: Sequence[Change], spots: Sequence[Spot], source: str) -> Patched:
    """Applies the changes to the source. UsageError when a change or a spot fits nowhere, or in several places."""
    lines = source.splitlines()
    for change in changes:
        lines = _apply_hunk(path, lines, change) if isinstance(change, Hunk) else _replace(path, lines, change)
    names = tuple(dict.fromkeys(change.function if isinstance(change, Hunk) else change.name for change in changes))
    return Patched(
        source="\n".join(lines) + "\n",
        lines=tuple(_find_spot(path, lines, spot, names) for spot in spots),
    )


def _parse_hunk(path: Path, function: str, lines: Sequence[str], first: int) -> Hunk:
    body: list[tuple[str, str]] = []
    for number, line in enumerate(lines, start=first + 1):
        if line and line[0] not in " -+":
            raise _wrong(path, number, "a line of a hunk begins with a blank, `-` or `+`")
        body.append((line[:1] or " ", line[1:]))
    if all(mark == " " for mark, _ in body):
        raise _wrong(path, first, "nothing changes: no line begins with `-` or `+`")
    if not any(mark != "+" and code for (mark, _), code in zip(body, _code([t for _, t in body]), strict=True)):
        raise _wrong(path, first, "no line to find the place by: leave one that stays")
    return Hunk(function, tuple(body))


def _replace(path: Path, lines: list[str], change: Replacement) -> list[str]:
    if not change.name:
        return list(change.text)
    region, code = _region(path, lines, change.name), list(_code(lines))
    start = region.start
    while start > 0 and lines[start - 1].strip() and not code[start - 1]:
        start -= 1
    stop = region.stop
    if change.text == ("",):  # removes the definition and the blank line after it
        return lines[:start] + lines[stop + (stop < len(lines) and not lines[stop].strip()) :]
    return lines[:start] + list(change.text) + lines[stop:]


def _apply_hunk(path: Path, lines: list[str], hunk: Hunk) -> list[str]:
    body = list(zip(hunk.lines, _code([text for _, text in hunk.lines]), strict=True))
    wanted = [code for (mark, _), code in body if mark != "+" and code]
    code = list(_code(lines))
    inside = [i for i in _region(path, lines, hunk.function) if code[i]]
    where = f"{hunk.function}()" if hunk.function else "the file"
    places = [
        inside[i : i + len(wanted)]
        for i in range(len(inside) - len(wanted) + 1)
        if [code[line] for line in inside[i : i + len(wanted)]] == wanted
    ]
    if not places:
        raise UsageError(
            f"{path}: the old lines are not in {where}; the reference may have changed\n"
            f"    looked for: {wanted[0]}\n    try: copy them from the reference again"
        )
    if len(places) > 1:
        raise UsageError(f"{path}: the old lines stand {len(places)} times in {where}\n    try: more lines around them")

    place = iter(places[0])
    result: list[str] = []
    copied = places[0][0]  # all lines before this one are in the result
    result += lines[:copied]
    for (mark, text), content in body:
        if mark == "+":
            result.append(text)
        elif content:
            at = next(place)
            result += lines[copied:at]
            if mark == " ":
                result.append(lines[at])
            copied = at + 1
    return result + lines[copied:]


def _find_spot(path: Path, lines: list[str], spot: Spot, functions: tuple[str, ...]) -> int:
    code, wanted = list(_code(lines)), next(_code([spot.text]))
    names = (spot.function,) if spot.function else functions
    found = sorted({i for name in names for i in _region(path, lines, name) if code[i] == wanted})
    where = " and ".join(f"{name}()" if name else "the file" for name in names)
    if not found or spot.number > len(found):
        raise UsageError(
            f"{path}: at: no line of the patched {where} is `{wanted}`"
            + (f" for the {spot.number}. time" if found else "")
            + "\n    try: `at FUNCTION: text` for a line of another function"
        )
    if len(found) > 1 and not spot.number:
        raise UsageError(f"{path}: at: {len(found)} lines of {where} are `{wanted}`\n    try: #1, #2 ... at its end")
    return found[max(spot.number, 1) - 1] + 1


def _region(path: Path, lines: Sequence[str], function: str) -> range:
    """The lines of a function or a struct, from its name to a `}` in the first column. Without a name: all lines."""
    if not function:
        return range(len(lines))
    code = list(_code(lines))
    name = re.compile(rf"\b{re.escape(function)}\(|^struct {re.escape(function)}\b")
    for start, line in enumerate(lines):
        if not code[start] or not (line[0].isalpha() or line[0] == "_") or not name.search(code[start]):
            continue
        body = next((i for i in range(start, len(code)) if code[i].endswith(("{", ";"))), start)
        end = next((i for i in range(body, len(code)) if lines[i].startswith("}")), None)
        if code[body].endswith("{") and end is not None:
            return range(start, end + 1)
    raise UsageError(f"{path}: the file defines no function {function}()")


def _code(lines: Sequence[str]) -> Iterator[str]:
    """Yields each line without comments and with runs of blanks reduced to one. Empty when the line has no code."""
    comment = False
    for line in lines:
        rest, code = line, ""
        while rest:
            if comment:
                _, ended, rest = rest.partition("*/")
                comment = not ended
            else:
                before, began, rest = rest.partition("/*")
                code += before
                comment = bool(began)
        yield " ".join(code.partition("//")[0].split())


def _wrong(path: Path, number: int, what: str) -> UsageError:
    return UsageError(f"{path}:{number}: {what}\n    grader/audit/patch.py describes the format")
