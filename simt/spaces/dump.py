"""Reads what g++ writes with -fdump-tree-fixup_cfg1-lineno-asmname-uid at -O0: every function that has code, after
templates are made and before anything is inlined.

    ;; Function k (_Z1kPi, funcdef_no=693, decl_uid=18175, ...)

    __attribute__((deprecated ("__global__ naive_scan.cu:3")))
    voidD.48 kD.18175 (intD.9 * pD.18173)
    {
      intD.9 xD.18177;
      <bb 2> :
      [naive_scan.cu:5:8] xD.18177 = _Z1fiD.18064 (3);

What simt_spaces.h puts behind `deprecated` are the execution spaces of the function and where they are written.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Use(NamedTuple):
    """A use of a name in a function's code, unless it is a local variable or a type."""

    line: int  # in the file that #line names
    file: str
    name: str  # the assembler's name
    kind: str  # "call", "argument" of a call of `of`, "address", "store", "element" of an array, or "read"
    of: str  # for an argument: the called function


class Function(NamedTuple):
    """A function with its code."""

    symbol: str  # its name in the assembler
    name: str  # as g++ prints it: S::get, f<int>
    result: str  # the return type, by its name in the source
    returns: bool  # whether it returns a value anywhere
    parameters: str
    spaces: frozenset[str]  # "global", "device", "host"; empty when none is written
    line: int  # where the first space is written; 0 when none is
    file: str
    places: frozenset[tuple[str, int, int]]  # file, line and column of all statements
    uses: tuple[Use, ...]


_HEAD = re.compile(r"^;; Function (?P<name>.*) \((?P<symbol>[^\s,()]+), funcdef_no=\d+")
_SPACE = re.compile(r'deprecated \("__(global|device|host)__ ([^"]*):(\d+)"')
_NAMED = re.compile(r"([\w.$]+?)D\.(\d+)")
_PLACE = re.compile(r"\[([^\[\]\s][^\[\]]*?):(\d+):(\d+)(?: discrim \d+)?\]")  # g++ 14 adds discriminators
_DESTRUCTOR = re.compile(r"D[0124]Ev$")
_CALL = re.compile(r"(?:^|= )\*?(?P<name>[\w.$]+?)D\.\d+ \(")


def functions_read(text: str) -> Iterator[Function]:
    """All functions of a dump, in its order."""
    block: list[str] = []
    for line in text.splitlines():
        if line.startswith(";; Function "):
            if block:
                yield from _function(block)
            block = [line]
        elif block and line:
            block.append(line)
    if block:
        yield from _function(block)


def _function(block: list[str]) -> Iterator[Function]:
    head = _HEAD.match(block[0])
    if head is None:
        return
    spaces: dict[str, tuple[str, int]] = {}
    signature = ""
    own: set[str] = set()
    first = len(block)
    for i, line in enumerate(block[1:], 1):
        if line.startswith("__attribute__"):
            spaces.update((s, (file, int(at))) for s, file, at in _SPACE.findall(line))
        elif line.startswith("  <bb "):
            first = i
            break
        elif not signature and f"{head['name']}D." in line:
            signature = line
        own.update(uid for _, uid in _NAMED.findall(line))
    result, _, parameters = signature.partition(f"{head['name']}D.")
    where = next(iter(spaces.values()), ("", 0))
    places, uses = _code(block[first:], own)
    yield Function(
        symbol=head["symbol"],
        name=head["name"],
        result=_NAMED.sub(r"\1", result).strip(),
        returns=any(" return D." in line or " return _" in line for line in block[first:]),
        parameters=parameters,
        spaces=frozenset(spaces),
        line=where[1],
        file=where[0],
        places=places,
        uses=uses,
    )


def _code(lines: list[str], own: set[str]) -> tuple[frozenset[tuple[str, int, int]], tuple[Use, ...]]:
    places: set[tuple[str, int, int]] = set()
    uses: list[Use] = []
    begins: dict[str, int] = {}  # the line where a local variable is first mentioned
    for text in lines:
        place = _PLACE.search(text)
        if place is None:
            continue
        file, at = place[1], int(place[2])
        places.add((file, at, int(place[3])))
        if "D." not in text:
            continue
        statement = _PLACE.sub("", text).strip()
        call = _CALL.search(statement)
        called = call["name"] if call else ""
        for found in _NAMED.finditer(statement):
            name, uid = found[1], found[2]
            if uid in own:
                begins.setdefault(uid, at)
                continue
            before, after = statement[: found.start()].rstrip(), statement[found.end() :]
            if call and found.start() == call.start("name"):
                kind = "call"
            elif before.endswith("&"):
                kind = "address"
            elif call and found.start() > call.end():
                kind = "argument"
            elif before.strip("(*") == "" and " = " in after:
                kind = "store"
            elif after.startswith("["):
                kind = "element"
            else:
                kind = "read"
            line = _declared(statement, begins, at) if _DESTRUCTOR.search(name) else at
            uses.append(Use(line, file, name, kind, called if kind == "argument" else ""))
    return frozenset(places), tuple(uses)


def _declared(statement: str, begins: dict[str, int], at: int) -> int:
    """The line of the variable whose destructor is called. The call itself has the line where the block ends."""
    variable = re.search(r"&[\w.$]+?D\.(\d+)\)", statement)
    return begins.get(variable[1], at) if variable else at
