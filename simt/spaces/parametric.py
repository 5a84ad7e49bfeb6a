"""Finds the parts of a lab whose code does not depend on the type or the contents of elements.

  python3 simt/spaces --parametric SOURCE CONTRACT SIZE:DUMP... number:DUMP

SOURCE is the output of cudac. CONTRACT is the lab's header, which declares the parts. Each DUMP is what g++ writes
with -fdump-tree-ssa-lineno-uid at -O0, for an elem_t of SIZE bytes whose contents only combine() can access
(MONOID_OPAQUE in monoid.h), or for an int. Each output line is a part, a tab, and the premise that it breaks; a
part without a line satisfies all. The rules, for all functions that a part reaches outside the headers of the
course and the system:

1. No pointer to memory that can hold elements is converted to another pointer type or a number, except as an
argument of the runtime's memory functions. Values are read from such memory only as whole elements.
2. Words of an element in a union are only moved: copied, shuffled between lanes, and stored to such a union.
3. The statements are the same for every class. For an int, the branches, numbers and functions are the same.
Numbers may differ only as multiples of the size or quotients by it.
4. The part calls no function of the system or the runtime whose result depends on anything but its arguments; no
address is converted to a number; no local variable is read before it is set.
"""

import re
import sys
from pathlib import Path

from follow import Rules
from statements import Broken, Function, Functions, read
from variants import compare, compare_number

_PART = re.compile(r"^\w[\w ]*?[ *]+(\w+)\([^()]*\);", re.MULTILINE)


def reached(functions: Functions, first: Function) -> list[Function]:
    """The functions that `first` uses, directly or indirectly."""
    found = {first.uid: first}
    todo = [first]
    while todo:
        for statement in todo.pop().statements:
            for use in re.finditer(r"(?:^|= )?([^=]*?)D\.(\d+)", statement.text):
                for function in functions.called(use[2], use[1]):
                    if function.uid not in found:
                        found[function.uid] = function
                        todo.append(function)
    return list(found.values())


def judge_parts(source: str, contract: str, *dumps: str) -> int:
    """Prints the lines."""
    text = re.sub(
        r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"",
        " ",
        Path(source).read_text(encoding="utf-8", errors="replace"),
        flags=re.S,
    )
    sizes = tuple(int(dump.partition(":")[0]) for dump in dumps[:-1])
    read_dumps = [
        Functions(list(read(Path(d.partition(":")[2]).read_text(encoding="utf-8", errors="replace")))) for d in dumps
    ]
    rules = Rules(read_dumps[0], text)
    for part in _PART.findall(Path(contract).read_text(encoding="utf-8")):
        variants = []
        for functions in read_dumps:
            first = functions.named(part)
            variants.append(reached(functions, first) if first else [])
        if not any(variants):  # the file does not have this part
            continue
        try:
            if not all(variants):
                raise Broken("there is no such function for elements of every type")
            rules.check([function for function in variants[0] if not function.is_of_harness()])
            for kernel in variants[0]:
                if kernel.is_kernel:
                    rules.one_name(kernel, [f for f in reached(read_dumps[0], kernel) if not f.is_of_harness()])
            compare(variants[:-1], sizes, lambda function: bool(rules.words(function)))
            compare_number([variants[sizes.index(4)], variants[-1]])
        except Broken as broken:
            words = re.sub(r"\S*/([\w.]+:\d+)", r"\1", str(broken))
            sys.stdout.write(f"{part}\tit is not {broken.premise}: {words}\n")
    return 0
