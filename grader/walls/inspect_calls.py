"""Finds structs that a call reads from memory or writes there without a hook.

g++ places its hooks before assignments. When a function that is not inlined takes or returns a struct by value, the
copy is part of the call: `first(*p)` reads the struct and `*q = make()` writes it, and neither calls a hook. In a
kernel, g++ inlines every function that it can, so this needs a function that is excluded from inlining. The dump that
g++ writes with -fdump-tree-tsan has all statements with their hooks, and this module finds such calls in it.
"""

import re
from collections.abc import Iterator

from grader.model.older_python import possessive

_FUNCTION = re.compile(r"^;; Function (.*) \((\S+), funcdef_no=")
_LOCAL = re.compile(r"  (?!return\b|goto\b)\w")  # the beginning of a line that declares a variable of the function
_NAME = re.compile(r"[\w.]+")
_TRAILING_NAME = re.compile(r"[\w.]*")  # matched against a reversed line
_MARKS = re.compile(possessive(r'"(?:[^"\\]|\\.)*+"?+|[(\[{<]|->|[)\]}>]|,'))  # and texts
_OWN = re.compile(r"_ZNK?4simt")  # functions of cuda_runtime.h for launches


def inspect_calls(dump: str, variables: set[str]) -> Iterator[tuple[str, str]]:
    """Yields, for each function of the dump with such a call, its symbol and a sentence that begins with its name. The
    function may never run. `variables` are those that do not belong to a function."""
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
    """For a call: the place of its result, if any, and its arguments. For any other line: an empty list. A call has the
    form `  result = name (arguments);`. The first two words are missing when there is no result, and remarks of the
    compiler may follow, such as ` [tail call]`."""
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
    while at > 0:  # goes back to the parenthesis that matches the last one
        at -= 1
        depth += {")": 1, "(": -1}.get(call[at], 0)
        if depth == 0:
            break
    # A call that belongs to a launch, whose arguments are checked elsewhere
    if not call[:at].endswith(" ") or call.startswith("simt::"):
        return []
    return [text for text in (result, *_split(call[at + 1 : -1])) if text]


def _are_remarks(text: str) -> bool:
    return not text or (text.startswith(" [") and text.endswith("]"))


def _local(line: str) -> str:
    """The name of the local variable that a line such as `  int name[4];` declares; empty for other lines."""
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
    """The names of a function's parameters, which are on the line before the first brace."""
    before = next((lines[i - 1] for i, line in enumerate(lines) if line == "{" and i > 0), "")
    return {match.group() for match in _NAME.finditer(before) if before[match.end() : match.end() + 1] in (",", ")")}


def _split(arguments: str) -> Iterator[str]:
    """Splits at commas that are outside of brackets and texts."""
    depth, start = 0, 0
    for match in _MARKS.finditer(arguments):
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
    """True when the expression is in memory: behind a pointer or an index, or in a variable that is not local to the
    function."""
    if not text or text.startswith(("&", '"', "{")):
        return False
    if text.startswith(("*", "MEM", "(*")) or "->" in text or "[" in text:
        return True
    name = text.split(".", maxsplit=1)[0].rsplit("::", 1)[-1]
    return name in variables and name not in own
