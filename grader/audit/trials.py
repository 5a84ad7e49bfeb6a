"""Reads trials: sources, each with what the suites or the grader must report about it. Pure, except for the functions
that read files.

All trials are below reference/trials/. The folder of a trial says what it is, and so what it must lose:

    LAB/wrong/       mistakes of students ("mutants"), in one file for each part: each loses points of its part, through
                     the finding that it names
    LAB/equivalent/  changes by an operator of grader/audit/operators.py that leave the solution right; the title is
                     the reason
    LAB/shortcuts/   results without the work that the part is about: each of the parts scores 0, and a message says why
    LAB/right/       solutions that differ from the reference's ("alternatives"): each of the parts has full score
    LAB/costly/      the reference, changed so that it costs more in one way: it loses the named aspects of its part and
                     no others
    LAB/unproved/    the reference with a premise of the proofs broken: its part is no longer proved, and the suite says
                     why
    hostile/         hand-ins of lab 2 that try to get past the grader's walls ("cheats"): each scores 0, and a message
                     says why
    clock/           hand-ins of lab 6 that cheat when they are timed: each gets no time, or none that is better than an
                     honest one's (grader/tests/clock.py)

A file NAME.trials contains many trials. Its head applies to all of them. A line with `===` and a name begins the next
trial, which continues with a head of its own and with changes:

    parts: rotate

    === rotate-no-barrier
    title: the second barrier of a step is missing
    kind: race
    variable: ring
    at: ring[t] = mine;

    @@ rotate_kernel
             mine = ring[t + 1];
    -        __syncthreads();
             ring[t] = mine;

    base       path in the course of the file to which the changes apply; by default the lab's solution
    title      what the author of the source did
    parts      the parts that it has; may be repeated. A mistake names the one part whose tests are run, and a hostile
               hand-in none
    says       a text that a message must contain, in which `...` matches any text of the same line; for a shortcut,
               each of its parts needs such a message; may be repeated
    loses      only in costly/: the aspects of the part that are lost, in alphabetical order
    says PART  the same as `says`, for one part, instead of the texts for all parts

and only for mistakes in wrong/:

    kind       one of KINDS: what must be reported
    class      one of CLASSES: the class of the mistake; by default it follows from the kind
    variable   a name that the finding must contain; for a meter over its bound, the meter
    at         a line that the finding must name; may be repeated, and then all must be named. It is given by its text
               in the changed source, in the functions that the changes name; `at FUNCTION:` searches another function.
               `#2` at its end means the second such line

A line that begins with `#` is a comment. grader/audit/patch.py describes the changes.

A file NAME.cu is one trial whose source is the whole file, for sources that have little in common with any base. Its
head is the comment that opens the file: the first sentences are the title, and lines with `parts:` and `says:` follow.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.audit.patch import Change, Patched, Spot, apply_changes, begins_change, parse_changes
from grader.model.errors import UsageError, describe_os_error
from grader.model.findings import FINDINGS, KINDS

SUFFIX = ".trials"
SORTS = ("wrong", "equivalent", "shortcuts", "right", "costly", "unproved", "hostile", "clock")
WRONG, EQUIVALENT, SHORTCUTS, RIGHT, COSTLY, UNPROVED, HOSTILE, CLOCK = SORTS
HOSTILE_LAB, CLOCK_LAB = "naive_scan", "arbitrary_length_scan"
_LAB_OF = {HOSTILE: HOSTILE_LAB, CLOCK: CLOCK_LAB}  # sorts that are not in a folder of their lab

# Classes of mistakes and their descriptions. The kill matrix has a sum for each.
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

# The class of a mistake whose entry does not name one.
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


_HEADER = re.compile(r"(?P<key>[a-z]+)(?: (?P<name>\w+))?:\s*(?P<value>.*)")
_IN_COMMENT = re.compile(r"\s*\*?\s*(?P<header>(?:parts|says)(?: \w+)?:.*)")
_ENTRY = re.compile(r"===\s+(?P<name>[\w-]+)\s*")
_ONCE = ("base", "title", "parts", "kind", "class", "variable", "loses")
_OFTEN = ("at", "says")  # both may be followed by the name of a function or a part
_OF_MISTAKES = ("kind", "class", "variable", "at")
_NEEDED = {
    WRONG: ("title", "parts", "kind"),
    EQUIVALENT: ("title",),
    SHORTCUTS: ("parts",),
    RIGHT: ("parts",),
    COSTLY: ("title", "parts", "loses"),
    UNPROVED: ("title", "parts"),
    HOSTILE: ("title",),
    CLOCK: ("title",),
}
_ORDINAL = re.compile(r"(?P<text>.*\S)\s+#(?P<number>[1-9])")


@dataclass(frozen=True, slots=True)
class Entry:
    """One trial as its file describes it."""

    path: Path  # path of its file
    line: int  # line at which the trial begins, from 1
    sort: str  # one of SORTS
    lab: str  # name of the lab's source without .cu: naive_scan
    name: str
    title: str  # may be empty for a whole file
    base: str  # path in the course
    parts: tuple[str, ...]  # empty for hostile ones
    kind: str  # only for a mistake; empty for others
    group: str  # only for a mistake: its class, one of CLASSES; empty for others
    variable: str  # may be empty
    loses: tuple[str, ...]  # aspects; only for costly ones
    spots: tuple[Spot, ...]
    says: dict[str, tuple[str, ...]]  # part -> texts; "" for all parts without texts of their own
    changes: tuple[Change, ...]  # without changes, the base is the source

    @property
    def where(self) -> str:
        return f"{self.path}:{self.line}"

    def wanted(self, part: str) -> tuple[str, ...]:
        """The texts that messages about the part must contain."""
        return self.says.get(part, self.says.get("", ()))

    def unsaid(self, part: str, messages: Sequence[str]) -> list[str]:
        """The texts that none of the messages contains."""
        return [t for t in self.wanted(part) if not any(re.search(pattern_of(t), message) for message in messages)]


@dataclass(frozen=True, slots=True)
class _File:
    """The file that entries come from."""

    path: Path
    sort: str
    lab: str


@dataclass(slots=True)
class _Head:
    """The lines of a head. The lines of an entry's head are added to those of its file."""

    once: dict[str, str]
    spots: list[Spot]
    says: dict[str, list[str]]


def pattern_of(text: str) -> str:
    """Translates a text of `says:` to a regular expression that works in Python and in grep -P."""
    return ".*".join(re.escape(piece) for piece in text.split("..."))


def trials_folder(reference: Path, lab: str, sort: str) -> Path:
    """The folder with the trials of a sort. `lab` is the name of the lab's source without .cu."""
    return reference / "trials" / sort if sort in _LAB_OF else reference / "trials" / lab / sort


def trial_files(reference: Path, lab: str, sort: str) -> list[Path]:
    """The files of trials, sorted."""
    folder = trials_folder(reference, lab, sort)
    return sorted(path for path in folder.glob("*") if path.suffix in (SUFFIX, ".cu"))


def read_trials(reference: Path, lab: str, sort: str) -> list[Entry]:
    """The trials of a lab. UsageError names the file and the error in it."""
    entries = [entry for path in trial_files(reference, lab, sort) for entry in read_file(reference, path)]
    check_names(entries)
    return entries


def check_names(entries: Sequence[Entry]) -> None:
    """UsageError when two trials of one sort have the same name."""
    seen: dict[str, Entry] = {}
    for entry in entries:
        if (first := seen.setdefault(entry.name, entry)) is not entry:
            raise UsageError(f"{entry.where}: there is a trial {entry.name!r} already, at {first.where}")


def read_file(reference: Path, path: Path) -> list[Entry]:
    """The trials of one file of reference/trials/."""
    parts = path.relative_to(reference / "trials").parts
    sort, lab = (parts[0], _LAB_OF[parts[0]]) if parts[0] in _LAB_OF else (parts[1], parts[0])
    shown = path.relative_to(reference.parent)
    return parse_trials(shown, sort, lab, _read(path))


def find_trial(reference: Path, name: str, sort: str = WRONG) -> Entry:
    """The trial with the name LAB/NAME."""
    lab, _, own = name.partition("/")
    for entry in read_trials(reference, lab, sort):
        if entry.name == own:
            return entry
    raise UsageError(f"{reference / 'trials' / lab / sort}: there is no trial {own!r}")


def make_source(reference: Path, entry: Entry) -> Patched:
    """The source of a trial, and the lines that a finding must name."""
    base = _read(reference.parent / entry.base)
    return apply_changes(Path(entry.where), entry.changes, entry.spots, base) if entry.changes else Patched(base, ())


def parse_trials(path: Path, sort: str, lab: str, text: str) -> list[Entry]:
    """Parses the trials of a file, whose path is relative to the course's folder. UsageError names the line."""
    file = _File(path, sort, lab)
    if path.suffix == ".cu":
        return [_parse_whole(file, text)]
    lines = text.splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith("===")]
    general = _Head({}, [], {})
    _read_head(path, lines[: starts[0] if starts else len(lines)], 1, general)
    entries = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=False):
        match = _ENTRY.fullmatch(lines[start])
        if match is None:
            raise _wrong(path, start + 1, "a trial begins with `=== NAME`")
        body = next((i for i in range(start, end) if begins_change(lines[i])), end)
        own = _Head({}, list(general.spots), {})
        _read_head(path, lines[start + 1 : body], start + 2, own)
        own = _Head(general.once | own.once, own.spots, general.says | own.says)
        changes = tuple(parse_changes(path, lines[body:end], body + 1))
        if not changes:
            raise _wrong(path, start + 1, "there is no change: `@@ FUNCTION`, then lines with ` `, `-` and `+`")
        entries.append(_entry(file, start + 1, match["name"], own, changes))
    return entries


def _parse_whole(file: _File, text: str) -> Entry:
    """Reads a trial that is a whole file. Its head is the comment that opens the file."""
    path = file.path
    if not text.startswith("/*") or "*/" not in text:
        raise _wrong(path, 1, "it does not begin with a comment that is its head")
    head, title = _Head({}, [], {}), []
    for number, line in enumerate(text[2 : text.index("*/")].splitlines(), start=1):
        match = _IN_COMMENT.fullmatch(line.rstrip())
        if match is not None:
            _read_head(path, [match["header"]], number, head)
        elif not (head.once or head.says):
            title.append(line.strip(" *"))
    head.once |= {"title": " ".join(title).strip(), "base": str(path)}
    return _entry(file, 1, path.stem, head, ())


def _read_head(path: Path, lines: Sequence[str], first: int, head: _Head) -> None:
    for number, line in enumerate(lines, start=first):
        if not line.strip() or line.startswith("#"):
            continue
        match = _HEADER.fullmatch(line.rstrip())
        if match is None or match["key"] not in _ONCE + _OFTEN or (match["name"] and match["key"] not in _OFTEN):
            raise _wrong(path, number, f"not `key: value`; the keys are {', '.join(_ONCE + _OFTEN)}")
        if not match["value"]:
            raise _wrong(path, number, f"{match['key']} has no value")
        if match["key"] == "at":
            head.spots.append(_spot(match["name"] or "", match["value"]))
        elif match["key"] == "says":
            head.says.setdefault(match["name"] or "", []).append(match["value"])
        elif match["key"] == "parts":
            head.once["parts"] = f"{head.once.get('parts', '')} {match['value']}".strip()
        elif match["key"] in head.once:
            raise _wrong(path, number, f"{match['key']} is given twice")
        else:
            head.once[match["key"]] = match["value"]


def _entry(file: _File, line: int, name: str, head: _Head, changes: tuple[Change, ...]) -> Entry:
    path, sort, lab = file.path, file.sort, file.lab
    once, parts = head.once, tuple(head.once.get("parts", "").split())
    for key in _NEEDED[sort]:
        if key not in once:
            raise _wrong(path, line, f"there is no `{key}:`")
    given = [key for key in _OF_MISTAKES if key in once or (key == "at" and head.spots)]
    if sort == WRONG:
        _check_mistake(path, line, once, parts, head.spots)
    elif given:
        raise _wrong(path, line, f"`{given[0]}:` is of mistakes only")
    for part in head.says:
        if part and part not in parts:
            raise _wrong(path, line, f"`says {part}:`, but its parts are {', '.join(parts)}")
    silent = [part for part in parts or ("",) if not head.says.get(part, head.says.get(""))]
    if silent and sort not in (WRONG, EQUIVALENT, RIGHT):
        raise _wrong(path, line, f"no `says:` for {', '.join(silent)}" if parts else "there is no `says:`")
    return Entry(
        path=path,
        line=line,
        sort=sort,
        lab=lab,
        name=name,
        title=once.get("title", ""),
        base=once.get("base", f"reference/{lab}.cu"),
        parts=parts,
        kind=once.get("kind", ""),
        group=_group(once) if sort == WRONG else "",
        variable=once.get("variable", ""),
        loses=tuple(once.get("loses", "").split()),
        spots=tuple(head.spots),
        says={part: tuple(texts) for part, texts in head.says.items()},
        changes=changes,
    )


def _check_mistake(path: Path, line: int, once: dict[str, str], parts: tuple[str, ...], spots: Sequence[Spot]) -> None:
    if len(parts) != 1:
        raise _wrong(path, line, "a mistake is about one part")
    if once["kind"] not in KINDS:
        raise _wrong(path, line, f"kind {once['kind']!r} is none of: {', '.join(KINDS)}")
    if _group(once) not in CLASSES:
        raise _wrong(path, line, f"class {once['class']!r} is none of: {', '.join(CLASSES)}")
    if spots and once["kind"] not in FINDINGS:
        raise _wrong(path, line, f"`at:` means nothing for {once['kind']}, which is not reported at a line")


def _group(once: dict[str, str]) -> str:
    return once.get("class", _CLASS_OF_KIND.get(once["kind"], _CLASS_OF_OTHERS))


def _spot(function: str, value: str) -> Spot:
    match = _ORDINAL.fullmatch(value)
    return Spot(function, match["text"], int(match["number"])) if match else Spot(function, value, 0)


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode()  # keeps every byte: a hostile hand-in may contain a carriage return
    except (OSError, UnicodeDecodeError) as error:
        reason = describe_os_error(error) if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"cannot read {path}: {reason}") from error


def _wrong(path: Path, number: int, what: str) -> UsageError:
    return UsageError(f"{path}:{number}: {what}\n    grader/audit/trials.py describes the format")
