"""Structs that a call takes from memory, or leaves there, without a hook.

g++ plants its hooks in front of assignments. Where a function that is not inlined takes a struct by value, or returns
one, the copy is part of the call: `first(*p)` reads the struct, `*q = make()` writes it, and no hook is told. In a
kernel everything is inlined that can be, so it takes a function that is kept from it. What g++ writes with
-fdump-tree-tsan, the statements with their hooks, shows each such call.
"""

import re
from collections.abc import Iterator

_FUNCTION = re.compile(r"^;; Function (.*) \((\S+), funcdef_no=")
_STATEMENT = re.compile(r"^ +(?:(?P<result>\S.*?) = )?(?P<call>[^\s=(].*\));(?: \[[^;]*\])*$")
_LOCAL = re.compile(r"^  (?!\s|<|#|return\b|goto\b)[\w<].*?(?P<name>[\w.]+)(?:\[[^;]*\])*;$")
_OWN = re.compile(r"_ZNK?4simt")  # of cuda_runtime.h, for launches


def inspect_calls(dump: str, variables: set[str]) -> Iterator[tuple[str, str]]:
    """Of each function of the dump that calls so its symbol, and a sentence that begins with its name. It may never
    run. `variables` are those that belong to no function."""
    for name, symbol, lines in _functions(dump):
        if _OWN.match(symbol):
            continue
        others = variables - _parameters(lines) - {match["name"] for line in lines if (match := _LOCAL.match(line))}
        for line in lines:
            if any(_is_memory(text, others) for text in _passed(line)):
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
    """Of a call: where its result goes, if anywhere, and its arguments. Of any other line nothing."""
    match = _STATEMENT.match(line)
    if match is None:
        return []
    call, depth, at = match["call"], 0, len(match["call"])
    while at > 0:  # back to the parenthesis that the last one closes
        at -= 1
        depth += {")": 1, "(": -1}.get(call[at], 0)
        if depth == 0:
            break
    if not call[:at].endswith(" ") or call.startswith("simt::"):  # a launch's own: its arguments are told otherwise
        return []
    return [text for text in (match["result"], *_split(call[at + 1 : -1])) if text]


def _parameters(lines: list[str]) -> set[str]:
    """Of the line before the one with the first brace."""
    before = next((lines[i - 1] for i, line in enumerate(lines) if line == "{" and i > 0), "")
    return set(re.findall(r"([\w.]+)(?=[,)])", before))


def _split(arguments: str) -> Iterator[str]:
    """At commas that stand in no bracket and no text."""
    depth, start = 0, 0
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|[(\[{<]|->|[)\]}>]|,', arguments):
        mark = match.group()
        if mark in "([{<":
            depth += 1
        elif mark in ")]}>":
            depth -= 1
        elif mark == "," and depth == 0:
            yield arguments[start : match.start()].strip()
            start = match.end()
    yield arguments[start:].strip()


def _is_memory(text: str, variables: set[str]) -> bool:
    """Does it lie where a pointer or an index says, or in a variable that is not the function's own?"""
    if not text or text.startswith(("&", '"', "{")):
        return False
    if text.startswith(("*", "MEM", "(*")) or "->" in text or "[" in text:
        return True
    return text.split(".", maxsplit=1)[0].rsplit("::", 1)[-1] in variables
