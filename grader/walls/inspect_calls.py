"""Structs that a call takes from memory, or leaves there, without a hook.

g++ plants its hooks in front of assignments. Where a function that is not inlined takes a struct by value, or returns
one, the copy is part of the call: `first(*p)` reads the struct, `*q = make()` writes it, and no hook is told. In a
kernel everything is inlined that can be, so it takes a function that is kept from it. What g++ writes with
-fdump-tree-tsan, the statements with their hooks, shows each such call.
"""

import re
from collections.abc import Iterator

_FUNCTION = re.compile(r"^;; Function (.*) \((\S+), funcdef_no=")
_LOCAL = re.compile(r"  (?!return\b|goto\b)\w")  # how the line begins that names a variable of the function
_NAME = re.compile(r"[\w.]++")
_TRAILING_NAME = re.compile(r"[\w.]*+")  # of a line that is turned round
_OWN = re.compile(r"_ZNK?4simt")  # of cuda_runtime.h, for launches


def inspect_calls(dump: str, variables: set[str]) -> Iterator[tuple[str, str]]:
    """Of each function of the dump that calls so its symbol, and a sentence that begins with its name. It may never
    run. `variables` are those that belong to no function."""
    for name, symbol, lines in _functions(dump):
        if _OWN.match(symbol):
            continue
        own = _parameters(lines) | {_local(line) for line in lines}
        for line in lines:
            if any(_is_memory(text, variables, own) for text in _passed(line)):
                yield (
                    symbol,
                    f"{name} passes a struct in memory to or from a function that is not inlined, which the CPU device "
                    "cannot see: copy it to or from a local variable there, or let the function be inlined",
                )
                break


def _functions(dump: str) -> Iterator[tuple[str, str, list[str]]]:
    name, symbol, lines = "", "", list[str]()
    for line in dump.split("\n"):
        match = _FUNCTION.match(line)
        if match:
            if name:
                yield name, symbol, lines
            name, symbol, lines = re.split(r"[<( ]", match[1].rsplit("::", 1)[-1])[0], match[2], []
        else:
            lines.append(line)
    if name:
        yield name, symbol, lines


def _passed(line: str) -> list[str]:
    """Of a call: where its result goes, if anywhere, and its arguments. Of any other line nothing. A call's line is
    `  result = name (arguments);`, without the first two words where there is no result, and with remarks of the
    compiler's at its end: ` [tail call]`."""
    statement, semicolon, remarks = line.rpartition(";")
    statement, result = statement.lstrip(" "), ""
    if not (line.startswith(" ") and semicolon and statement.endswith(")") and _are_remarks(remarks)):
        return []
    at = statement.find(" = ", 1)
    while at > 0 and statement[at + 3] in " =(":
        at = statement.find(" = ", at + 1)
    call = statement
    if 0 < at < len(statement) - 4:
        result, call = statement[:at], statement[at + 3 :]
    if call.startswith(("=", "(")):
        return []
    depth, at = 0, len(call)
    while at > 0:  # back to the parenthesis that the last one closes
        at -= 1
        depth += {")": 1, "(": -1}.get(call[at], 0)
        if depth == 0:
            break
    if not call[:at].endswith(" ") or call.startswith("simt::"):  # a launch's own: its arguments are told otherwise
        return []
    return [text for text in (result, *_split(call[at + 1 : -1])) if text]


def _are_remarks(text: str) -> bool:
    return not text or (text.startswith(" [") and text.endswith("]"))


def _local(line: str) -> str:
    """The name of the function's own variable that a line declares, as `  int name[4];` does; empty where it declares
    none."""
    if not line.endswith(";") or not _LOCAL.match(line):
        return ""
    end = len(line) - 1
    if line[end - 1] == "]":
        end = line.find("[", max(line.rfind(";", 0, end) + 1, 4))
        while end > 0 and not _NAME.match(line[end - 1]):
            end = line.find("[", end + 1)
    matched = _TRAILING_NAME.match(line[3:end][::-1]) if end > 0 else None
    return matched.group()[::-1] if matched else ""


def _parameters(lines: list[str]) -> set[str]:
    """Of the line before the one with the first brace."""
    before = next((lines[i - 1] for i, line in enumerate(lines) if line == "{" and i > 0), "")
    return {match.group() for match in _NAME.finditer(before) if before[match.end() : match.end() + 1] in (",", ")")}


def _split(arguments: str) -> Iterator[str]:
    """At commas that stand in no bracket and no text."""
    depth, start = 0, 0
    for match in re.finditer(r'"(?:[^"\\]|\\.)*+"?+|[(\[{<]|->|[)\]}>]|,', arguments):
        mark = match.group()
        if mark in "([{<":
            depth += 1
        elif mark in ")]}>":
            depth -= 1
        elif mark == "," and depth == 0:
            yield arguments[start : match.start()].strip()
            start = match.end()
    yield arguments[start:].strip()


def _is_memory(text: str, variables: set[str], own: set[str]) -> bool:
    """Does it lie where a pointer or an index says, or in a variable that is not the function's own?"""
    if not text or text.startswith(("&", '"', "{")):
        return False
    if text.startswith(("*", "MEM", "(*")) or "->" in text or "[" in text:
        return True
    name = text.split(".", maxsplit=1)[0].rsplit("::", 1)[-1]
    return name in variables and name not in own
