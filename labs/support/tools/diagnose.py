"""Prints what compilers found wrong in a student's files: each error once, on the student's line, in one sentence.

  diagnose.py FILE.cu ... <what make, cudac, g++ and nvcc printed

Prints `FILE.cu:31:5: error: what` and, if there is advice, a line `    try: ...`. A place in a header of the course
or the system becomes the student's line that led there. Source lines, carets, notes and long template names are
left out. Output without errors is printed unchanged.
"""

import re
import sys
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

SHOWN = 8  # errors, and as many warnings
WIDTH = 300  # characters of one
NOTE_WITHIN = 8  # lines after an error


class Diagnostic(NamedTuple):
    """One message of a compiler."""

    file: str
    place: str  # line, or line:column
    kind: str  # "error" or "warning"
    words: str
    advice: str  # may be empty


_SAID = re.compile(
    r"^(?P<file>[^\s:(][^:(\n]*)(?::(?P<line>\d+)(?P<column>:\d+)?|\((?P<nvcc>\d+)\)): "
    r"(?P<kind>(?:fatal )?error|warning)(?: #[\w-]+)?: (?P<words>.*)$"
)
_LED_HERE = re.compile(r"(?:^|\s|from |at )(?P<file>[^\s:()]+\.cu):(?P<line>\d+)(?P<column>:\d+)?")
_CONTEXT = re.compile(r"^In file included from|^ +from |required (?:from|by)|inlined from|constexpr.* expansion of")

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_MISSING = re.compile(r"expected (?:',' or )?(?:';'|initializer) before ")

# Warnings about code that every course on CUDA writes: `n < WARP ? n : WARP`, where WARP is an enumerator.
_NATURAL = re.compile(r"^enumerated (and non-enumerated type|mismatch) in conditional expression")

# What g++ says, and what helps. The first that fits counts.
_ADVICE = (
    (
        r"^no match for .operator.*(elem_t|interval_t|affine_t|fingerprint_t)",
        "elements are joined by combine(left, right)",
    ),
    (
        r"(elem_t|interval_t|affine_t|fingerprint_t).*(operator|conversion|convert)|to non-scalar type .(elem_t|\w+_t)",
        "an element is not always a number: use combine, IDENTITY and =",
    ),
    (
        r"storage size of .* isn.t constant",
        "a __shared__ array has a constant size: TILE, or extern __shared__ and the launch's third argument",
    ),
    (r"is declared in the contract as", "the contract's result, parameters and name"),
    (r"cuda/.*No such file or directory", "the CPU device has some of CUDA's headers: simt/LIMITS.md lists them"),
    (r"No such file or directory", "the contract's header is there, and CUDA's; files of your own are not handed in"),
    (
        r"call of overloaded .combine\(.* is ambiguous",
        "both operands have one of the types of sums, such as uint64_t: combine(sum, (uint64_t)pixel)",
    ),
    (r"was not declared in this scope", "declare it before this line, or mend its spelling"),
    (r"too (few|many) arguments to function", "a launch passes what the kernel takes, in that order"),
    (
        r"(invalid conversion from|argument of type).*volatile .*void ?\*",
        "declare the pointer without volatile, and read what another block writes as *(volatile unsigned *)&status[i]",
    ),
    (r"invalid conversion from|cannot convert", "compare with the parameters: in their order, and of their types"),
    (
        r"(no return statement|control reaches end).*non-void|Wreturn-type",
        "return a value at the end: without, what the caller gets is junk, and the program may crash elsewhere",
    ),
)


def diagnostics_read(lines: Sequence[str], sources: Container[str]) -> Iterator[Diagnostic]:
    """Yields all errors and warnings of the output, each in the student's file if the output leads to it."""
    led: tuple[str, str] | None = None
    for i, line in enumerate(lines):
        said = _SAID.match(line)
        if said is None:
            here = _LED_HERE.search(line) if _CONTEXT.search(line) else None
            if here is not None and _name(here["file"]) in sources:
                led = (here["file"], here["line"])
            continue
        file, place = said["file"], (said["line"] or said["nvcc"]) + (said["column"] or "")
        if _name(file) not in sources and led is not None:
            file, place = led
        led = None
        following = lines[i + 1].strip() if i + 1 < len(lines) else ""
        own = following.removeprefix("try: ") if following.startswith("try: ") else ""
        name = _name(file) if _name(file) in sources else file
        words = _both_declared(said["words"], lines[i + 1 :]) or said["words"]
        if _NATURAL.search(words):
            continue
        own = own or _type_to_name(words, lines[i + 1 :])
        yield Diagnostic(name, place, said["kind"].split()[-1], _words(words), own or _advice(words))


def _both_declared(words: str, following: Sequence[str]) -> str:
    """If a function has another result type than in its declaration, returns both, the second from the compiler's
    note."""
    again = re.match(r"ambiguating new declaration of (?P<new>.*)$", words)
    note = next((line for line in following[:NOTE_WITHIN] if ": note: old declaration " in line), "")
    return (
        f"{again['new']} is declared in the contract as {note.partition('declaration ')[2]}" if again and note else ""
    )


def _type_to_name(words: str, following: Sequence[str]) -> str:
    """If a function template is called without the type that its parameters do not show, says how to name it."""
    call = re.match(r"no matching function for call to .(?P<name>\w+)\(", words)
    note = next(
        (line for line in following[:NOTE_WITHIN] if "couldn" in line and "deduce template parameter" in line), ""
    )
    of = re.search(r"deduce template parameter \W?(?P<parameter>\w+)", note)
    return f"name the type, as in {call['name']}<{of['parameter']}>(...)" if call and of else ""


def _name(file: str) -> str:
    return file.rpartition("/")[2]


def _words(words: str) -> str:
    words = re.sub(r" \{aka [^}]*\}", "", words)
    words = re.sub(r" \[(with|-f|-W).*$", "", words)
    words = re.sub(r"simt::__launch<.*", "a launch", words)
    return words.replace("\N{LEFT SINGLE QUOTATION MARK}", "'").replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")[:WIDTH]


def _advice(words: str) -> str:
    return next((advice for pattern, advice in _ADVICE if re.search(pattern, words)), "")


def diagnostics_show(found: Iterable[Diagnostic], sources: Container[str]) -> list[str]:
    """Returns the lines to print: the errors, or if there are none, the warnings about the student's files."""
    once: dict[tuple[str, str, str], Diagnostic] = {}
    for one in found:
        once.setdefault((one.file, one.place.partition(":")[0], one.words), one)
    errors = [one for one in once.values() if one.kind == "error"]
    chosen = errors or [one for one in once.values() if one.file in sources]
    printed = []
    for one in chosen[:SHOWN]:
        printed.append(f"{one.file}:{one.place}: {one.kind}: {one.words}")
        if one.advice:
            printed.append(f"    try: {one.advice}")
    if len(chosen) > SHOWN:
        printed.append(f"... and {len(chosen) - SHOWN} more {chosen[0].kind}s")
    return printed


def _code(path: str) -> list[str]:
    """Returns the lines of a source, with blanks in place of comments; empty when it cannot be read."""
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]) if found[0][0] == "/" else found[0], text).split(
        "\n"
    )


def _placed(one: Diagnostic, code: list[str]) -> Diagnostic:
    """Moves a message to where the author looks for it. Without the column if the line is too short for it, because a
    translated launch is longer than what its author wrote. What is missing before a line's first word is reported
    at the end of the line above."""
    line, _, column = one.place.partition(":")
    number = int(line)
    if not column or number > len(code) or int(column) > len(code[number - 1]):
        return one._replace(place=line)
    if _MISSING.match(one.words) and not code[number - 1][: int(column) - 1].strip():
        above = next((k for k in range(number - 1, 0, -1) if code[k - 1].strip()), 0)
        if above:
            return one._replace(place=str(above), words=f"{one.words}: is a ; missing at the end of this line?")
    return one


def main(paths: Sequence[str]) -> int:
    """Reads standard input and writes standard output."""
    sources = {_name(path): _code(path) for path in paths}
    text = sys.stdin.read()
    found = [_placed(one, sources.get(one.file, [])) for one in diagnostics_read(text.splitlines(), sources)]
    lines = diagnostics_show(found, sources)
    sys.stdout.write("".join(f"{line}\n" for line in lines) if found else text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
