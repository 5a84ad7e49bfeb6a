"""Mutants: wrong versions of a reference solution, and what must be said about each. Pure, but for read_mutant.

A mutant is a file reference/mutants/<lab>/<name>.mutant: what it is, then a patch without line numbers.

    title: the second barrier of a step is missing
    part: rotate
    kind: race
    variable: ring
    at: ring[t] = mine;

    @@ rotate_kernel
             mine = ring[t + 1];
    -        __syncthreads();
             ring[t] = mine;

    title     what a student did
    part      whose tests are run and whose points it must cost
    kind      one of KINDS: what must be reported
    class     one of CLASSES: what sort of mistake it is; without, the kind tells
    variable  named by the finding; of a meter over its bound, the meter
    at        a line that the finding names; again for a second one, and all must be named. The line is told by
              its text in the patched file, in the functions of the patch; `at FUNCTION:` looks elsewhere.
              `#2` at its end means the second such line
    says      text that the message holds; again for more

A hunk stands in the function or struct named after its `@@` (without a name: anywhere in the file). Its lines
begin with a blank (stays), `-` (goes) or `+` (comes). Lines are the same when their code is: blanks and comments do
not count, and lines without code may be left out. A hunk must fit in one place only.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import UsageError, describe_os_error
from grader.model.findings import FINDINGS, KINDS

SUFFIX = ".mutant"
HELP = "grader/audit/mutant.py describes the format"

# The sorts of mistakes, and what each is. The kill matrix is summed up by them.
CLASSES = {
    "wrong result": "a slip in indices, operands or cases that any test may see",
    "serial": "one thread, or one block, does what all should share",
    "host": "the host does the work",
    "stock": "the harness does the work",
    "idle work": "work that no result needs, to look like work",
    "large n": "wrong only at large lengths: capped grids, narrow counters, one level of recursion too few",
    "wide index": "wrong only past 2^31: indices, products or counts of 32 bits",
    "small n": "wrong only at length 0, 1 or 2",
    "tile multiple": "wrong only at, or next to, multiples of a block's share",
    "tile size": "relies on a TILE of 512",
    "in place": "wrong only where output and input are one array",
    "alignment": "needs more alignment than an element",
    "values": "wrong for some values only: sentinels, extremes, signs",
    "precision": "floating-point rounding",
    "tail": "writes where nothing is to be written",
    "input": "writes to an input, and may put it back",
    "state": "something stays from call to call",
    "leak": "memory, streams or events that are never given back",
    "barrier": "a barrier that is missing, or that not all threads reach",
    "memory order": "fences, scopes, flags, atomics",
    "warp": "shuffles, votes, masks, lockstep",
    "streams": "several streams, or the wrong one",
    "memory access": "out of bounds, uninitialized, freed, of the other side",
    "launch": "configurations and calls that fail",
    "efficiency": "right, but at the wrong cost",
}

# The class of a mutant that names none.
_CLASS_OF_KIND = {
    "race": "barrier",
    "barrier divergence": "barrier",
    "warp misuse": "warp",
    "leak": "leak",
    "deadlock": "memory order",
    "launch refused": "launch",
    "runtime call": "launch",
    "over the bound": "efficiency",
    "too few additions": "efficiency",
    "work not shared": "serial",
    "work of the host": "host",
    "function not allowed": "stock",
    "input changed": "input",
    "write to an input": "input",
    "index of 32 bits": "wide index",
    "different bits": "memory order",
    "misaligned": "alignment",
    **dict.fromkeys(
        (
            *("uninitialized", "host pointer", "device pointer", "use after free", "null pointer", "wild pointer"),
            *("out of bounds", "crash", "crashed", "assertion failed", "write to constant memory"),
            "another thread's local memory",
        ),
        "memory access",
    ),
}
_CLASS_OF_OTHERS = "wrong result"

_HEADER = re.compile(r"(?P<key>[a-z]+)(?: (?P<function>\w+))?:\s*(?P<value>.*)")
_HUNK = re.compile(r"@@\s*(?P<function>\w*)\s*")
_ONCE, _OFTEN = ("title", "part", "kind", "class", "variable"), ("at", "says")
_ORDINAL = re.compile(r"(?P<text>.*\S)\s+#(?P<number>[1-9])")


@dataclass(frozen=True, slots=True)
class Spot:
    """A line of the patched file, told by its text."""

    function: str  # where to look; empty: in the functions that the patch changes
    text: str
    number: int  # which of several such lines, from 1; 0: there is one only


@dataclass(frozen=True, slots=True)
class Hunk:
    """One change."""

    function: str  # empty: anywhere in the file
    lines: tuple[tuple[str, str], ...]  # (" ", "-" or "+", the line)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One file of the corpus."""

    path: Path
    lab: str  # stem of the lab's source: naive_scan
    title: str
    part: str
    kind: str
    group: str  # its class, of CLASSES
    variable: str  # may be empty
    spots: tuple[Spot, ...]
    says: tuple[str, ...]
    hunks: tuple[Hunk, ...]

    @property
    def name(self) -> str:
        return self.path.name.removesuffix(SUFFIX)


@dataclass(frozen=True, slots=True)
class Patched:
    """The mutated source, and the lines that must be named."""

    source: str
    lines: tuple[int, ...]  # of the mutant's spots, from 1


def read_mutant(path: Path) -> Mutant:
    """The mutant of a file. UsageError names the file and what is wrong with it."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = describe_os_error(error) if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"cannot read {path}: {reason}") from error
    return parse_mutant(path, text)


def parse_mutant(path: Path, text: str) -> Mutant:
    """The mutant that the text describes; its lab is the name of the file's folder."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith("@@")), len(lines))
    once: dict[str, str] = {}
    spots: list[Spot] = []
    says: list[str] = []
    for number, line in enumerate(lines[:first], start=1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _HEADER.fullmatch(line.rstrip())
        if match is None or match["key"] not in _ONCE + _OFTEN or (match["function"] and match["key"] != "at"):
            raise _wrong(path, number, f"not `key: value`; the keys are {', '.join(_ONCE + _OFTEN)}")
        if not match["value"]:
            raise _wrong(path, number, f"{match['key']} has no value")
        if match["key"] == "at":
            spots.append(_spot(match["function"] or "", match["value"]))
        elif match["key"] == "says":
            says.append(match["value"])
        elif match["key"] in once:
            raise _wrong(path, number, f"{match['key']} stands there twice")
        else:
            once[match["key"]] = match["value"]
    for key in ("title", "part", "kind"):
        if key not in once:
            raise _wrong(path, 1, f"there is no `{key}:`")
    if once["kind"] not in KINDS:
        raise _wrong(path, 1, f"kind {once['kind']!r} is none of: {', '.join(KINDS)}")
    if spots and once["kind"] not in FINDINGS:
        raise _wrong(path, 1, f"`at:` means nothing for {once['kind']}, which is not reported at a line")
    return Mutant(
        path=path,
        lab=path.parent.name,
        title=once["title"],
        part=once["part"],
        kind=once["kind"],
        group=_group(path, once),
        variable=once.get("variable", ""),
        spots=tuple(spots),
        says=tuple(says),
        hunks=tuple(_hunks(path, lines, first)),
    )


def apply_mutant(mutant: Mutant, source: str) -> Patched:
    """The source with the mutant's changes. UsageError when a hunk or a spot fits nowhere, or in several places."""
    lines = source.splitlines()
    for hunk in mutant.hunks:
        lines = _apply_hunk(mutant.path, lines, hunk)
    functions = tuple(dict.fromkeys(hunk.function for hunk in mutant.hunks))
    return Patched(
        source="\n".join(lines) + "\n",
        lines=tuple(_find_spot(mutant.path, lines, spot, functions) for spot in mutant.spots),
    )


def _group(path: Path, once: dict[str, str]) -> str:
    group = once.get("class", _CLASS_OF_KIND.get(once["kind"], _CLASS_OF_OTHERS))
    if group not in CLASSES:
        raise _wrong(path, 1, f"class {group!r} is none of: {', '.join(CLASSES)}")
    return group


def _spot(function: str, value: str) -> Spot:
    match = _ORDINAL.fullmatch(value)
    return Spot(function, match["text"], int(match["number"])) if match else Spot(function, value, 0)


def _hunks(path: Path, lines: Sequence[str], first: int) -> Iterator[Hunk]:
    if first == len(lines):
        raise _wrong(path, len(lines), "there is no change: a line `@@ FUNCTION`, then lines with ` `, `-` and `+`")
    starts = [i for i, line in enumerate(lines) if line.startswith("@@")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        match = _HUNK.fullmatch(lines[start])
        if match is None:
            raise _wrong(path, start + 1, "a change begins with `@@ FUNCTION`, and nothing after the name")
        body: list[tuple[str, str]] = []
        for number, line in enumerate(lines[start + 1 : end], start=start + 2):
            if line and line[0] not in " -+":
                raise _wrong(path, number, "a line of a change begins with a blank, `-` or `+`")
            body.append((line[:1] or " ", line[1:]))
        if all(mark == " " for mark, _ in body):
            raise _wrong(path, start + 1, "nothing changes: no line begins with `-` or `+`")
        if not any(mark != "+" and code for (mark, _), code in zip(body, _code([t for _, t in body]), strict=True)):
            raise _wrong(path, start + 1, "no line to find the place by: leave one that stays")
        yield Hunk(match["function"], tuple(body))


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
            f"    looked for: {wanted[0]}\n    try: copy them from the reference anew"
        )
    if len(places) > 1:
        raise UsageError(f"{path}: the old lines stand {len(places)} times in {where}\n    try: more lines around them")

    place = iter(places[0])
    result: list[str] = []
    copied = places[0][0]  # lines before it are in the result
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
    """The lines of a function or a struct, from its name to a `}` at the margin; of the file without a name."""
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
    """Each line without comments, each run of blanks as one and none at the ends. Empty: the line has no code."""
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
    return UsageError(f"{path}:{number}: {what}\n    {HELP}")
