"""Finds the parts of a lab whose code does not depend on the type or the contents of elements.

    python3 simt/spaces --parametric SOURCE CONTRACT AT TEXTS CLASSES NUMBERS

SOURCE is the output of cudac. CONTRACT is the lab's header, which declares the parts. CLASSES and NUMBERS are types of
elements, as in `affine opaque.4`. For each NAME, g++ has written AT.NAME.dump with -fdump-tree-ssa-lineno-uid at -O0,
and AT.NAME.o with a section for each function and variable. The last class is opaque: only combine() can access its
contents (MONOID_OPAQUE in monoid.h). For each of TEXTS, AT.NAME.read.ii is SOURCE after the preprocessor with the
options of these compiles, and AT.NAME.run.ii with the options of the builds that run. Each output line is a part, a
tab, and the premise that it breaks; or `=` and the place of a number that follows the size of an element where that is
more than a layout, so that elements of another size may be treated differently; or `~` and where a loop that waits may
give up, so that its schedules cannot be explored. A part without a line satisfies all. A part whose contract names no
elements has one more line, which begins with `+` and says why it does more than to add up its inputs, or nothing if it
does not (sums.py). The rules, for all functions that a part reaches outside the headers of the course:

1. No pointer to memory that can hold elements is converted to another pointer type or a number, except as an
argument of the runtime's memory functions. Values are read from such memory only as whole elements. Memory without a
type may become memory of elements where nothing else is in it (carried.py). No variable with elements begins with a
value.
2. Words of an element, in a union, in an array that memcpy() fills or behind a pointer that is cast (unions.py), are
only moved: copied, shuffled between lanes, and stored to such memory.
3. The statements and the data are the same for every class, and for every number type. For a class and a number type,
the branches, numbers, functions and what these get are the same. Numbers may differ only as multiples of the size or
quotients by it.
4. The part uses no function or variable of the system or the runtime whose value depends on anything but the arguments;
no address is converted to a number; addresses are compared only inside one array; no local variable is read before it
is set.
5. The text that is read is the text that runs, and no attribute or pragma changes what it does.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from follow import Rules
from objects import Section, sections_read
from statements import Broken, Function, Functions, read
from sums import Sums
from texts import compare_texts
from variants import compare, compare_calls, compare_data, compare_number
from waits import gives_up

_PART = re.compile(r"^\w[\w ]*?[ *]+(\w+)(\([^()]*\));", re.MULTILINE)

_MARKER = re.compile(r"^[ \t]*(?:#|%:)[ \t]*\d", re.MULTILINE)
_RAW_STRING = re.compile(r"R\"([^()\\\s]{0,16})\(.*?\)\1\"", re.DOTALL)


# Macros and questions that another compiler, or the same one for another machine, answers in another way. Names that
# begin with an underscore and a capital letter, or with two underscores, belong to the compiler and its headers.
_OF_COMPILER = re.compile(
    r"\b(?:__(?:GNUC|GNUG|GXX|VERSION|OPTIMIZE|NO_INLINE|SANITIZE|CUDA_|CUDACC|NVCC|NVRTC|SIMT|clang|llvm|EDG|INTEL|x86|aarch"
    r"|arm|amd|linux|unix|gnu|k8|pi[ce]__|ELF|CHAR_|SIZEOF|WCHAR|FAST_MATH|has_|cplusplus|cpp_)\w*"
    r"|__(?!(?:VA_ARGS|VA_OPT|FILE|LINE|FUNCTION)__)[A-Z][A-Z0-9_]*__|_?_?LP64(?:__)?|FLT_EVAL_METHOD|CUDA(?:RT)?_VERSION)\b"
)
_CONDITION = re.compile(r"^[ \t]*(?:#|%:)[ \t]*(?:el)?if(?:n?def)?\b(.*)$", re.MULTILINE)
_DEFINED = re.compile(r"^[ \t]*(?:#|%:)[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_RESERVED = re.compile(r"\b_[A-Z_]\w*")
# The name of the file may be printed or handed to a function that does so.
_PATH = re.compile(r"(?<![(,\s])\s*\b__FILE__\b|\b__FILE__\b(?!\s*[,)])|\b(?:sizeof|decltype)\b[\s(]*__FILE__\b")


def asked_of_compiler(text: str) -> str:
    """A name by which a source asks which compiler reads it, for which machine, or where the file is."""
    defined = set(_DEFINED.findall(text))
    names = [name for line in _CONDITION.findall(text) for name in _RESERVED.findall(line) if name not in defined]
    found = _OF_COMPILER.search(text)
    return found[0] if found else next(iter(names), "__FILE__" if _PATH.search(text) else "")


@dataclass
class Reached:
    """What a part's code leads to."""

    functions: list[Function]
    sections: list[Section]


class Variant:
    """What g++ makes of the source for one type of elements."""

    def __init__(self, path: str, size: int) -> None:
        self.size = size
        dump = Path(path + ".dump").read_text(encoding="utf-8", errors="replace")
        self.functions = Functions(list(read(dump)))
        self.sections = sections_read(path + ".o")
        self._section = {symbol: section for section in self.sections for symbol in section.symbols}

    def begins(self) -> list[Section]:
        """What runs before the part: the arrays of functions that begin and end a program."""
        return [s for s in self.sections if s.name.startswith((".init_array", ".fini_array", ".ctors", ".dtors"))]

    def reached(self, first: Function) -> Reached:
        """What statements name, also functions that are always inlined; and what the object uses, also by pointers."""
        functions, sections = {first.uid: first}, {id(section): section for section in self.begins()}
        todo: list[Function | Section] = [first, *sections.values()]
        while todo:
            at = todo.pop()
            uses: list[Function | Section | None] = []
            if isinstance(at, Function):
                uses.append(self._section.get(at.symbol))
                for uid, name in at.named:
                    uses += self.functions.called(uid, name)
            else:
                uses += [self.functions.symbol(symbol) for symbol in at.symbols]
                uses += [use for use in at.uses if isinstance(use, Section)]
            for use in uses:
                if isinstance(use, Function) and use.uid not in functions:
                    functions[use.uid] = use
                    todo.append(use)
                elif isinstance(use, Section) and id(use) not in sections:
                    sections[id(use)] = use
                    todo.append(use)
        return Reached(list(functions.values()), list(sections.values()))

    def calls(self, function: Function) -> list[str]:
        """The numbers of the functions that its code uses, in their order: of constructors, a dump gives the names."""
        of = self._section.get(function.symbol)
        uses = [use for use in of.uses if isinstance(use, Section)] if of else []
        return [f.uid for use in uses for f in map(self.functions.symbol, use.symbols[:1]) if f]

    def judged(self, reached: Reached) -> list[Section]:
        """The sections that code uses which is not the course's."""
        of_course = {f.symbol for f in reached.functions if f.is_of_course}
        todo = [s for s in reached.sections if s.is_code and not of_course.intersection(s.symbols)]
        found = {id(section): section for section in todo}
        while todo:
            for use in todo.pop().uses:
                if isinstance(use, Section) and not use.is_code and id(use) not in found:
                    found[id(use)] = use
                    todo.append(use)
        return list(found.values())


def judge_part(
    part: str, rules: Rules, classes: list[Variant], numbers: list[Variant], sums: Sums | None
) -> tuple[str, str]:
    """Raises Broken. The place that takes the size of an element for more than a layout, and where a loop that waits
    may give up; "" where there is none, or when the file has no such part. `sums` are those of a part that gets no
    elements."""
    variants = [*classes, *numbers]
    first = [variant.functions.symbol(part) for variant in variants]
    if not any(first):
        return "", ""
    reached = [variant.reached(f) for variant, f in zip(variants, first, strict=True) if f]
    if len(reached) < len(variants):
        raise Broken("there is no such function for elements of every type")
    opaque, rules.part = reached[len(classes) - 1], part
    tables = [section for section in opaque.sections if not section.is_code]
    rules.in_data = frozenset(
        s for table in tables for use in table.uses if isinstance(use, Section) for s in use.symbols
    )
    own = [function for function in opaque.functions if not function.is_of_course]
    rules.sums = sums
    if sums and (of_class := first[len(classes) - 1]):
        sums.follow(of_class, own)
    shown = [rules.with_unions(function) for function in own if not function.is_identity]
    rules.check(shown)
    in_words = {function.where for function in shown if rules.words(function)}
    judged = classes[-1].judged(opaque)
    for section in judged:
        rules.outside(section)
    rules.begin_as_nothing(own, judged)
    for kernel in own:
        if kernel.is_kernel:
            of_kernel = classes[-1].reached(kernel).functions
            rules.one_name(kernel, [f for f in of_kernel if not f.is_of_course])
    functions = [r.functions for r in reached]
    sizes = tuple(variant.size for variant in variants)
    sized = compare(
        functions[: len(classes)], sizes[: len(classes)], lambda function: function.where in in_words, rules.multiples
    )
    compare(functions[len(classes) :], sizes[len(classes) :], lambda function: False, {})
    compare_calls(functions, [variant.calls for variant in variants])
    compare_number([functions[sizes.index(4)], functions[-1]])
    compare_data([variant.judged(r) for variant, r in zip(variants, reached, strict=True)])
    return sized or rules.cut, gives_up(classes[-1].functions, own)


def short(words: str) -> str:
    """The words with the names of files instead of their paths."""
    return re.sub(r"\S*/([\w.]+:\d+)", r"\1", words)


def judge_parts(source: str, contract: str, at: str, *names: str) -> int:
    """Prints the lines."""
    texts, class_names, number_names = (name.split() for name in names)
    written = Path(source).read_text(encoding="utf-8", errors="replace")
    text = written.replace("\\\n", "")
    text = re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"", " ", text, flags=re.S)
    if any(_MARKER.search(string[0]) for string in _RAW_STRING.finditer(written)):
        sys.stdout.write("*\tit is not parametric: a raw string looks like a line marker\n")
    if _MARKER.search(text):
        sys.stdout.write("*\tit is not parametric: a line marker gives statements to another file\n")
    classes = [Variant(f"{at}.{name}", int(name.partition(".")[2] or 8)) for name in class_names]
    numbers = [Variant(f"{at}.{name}", 4) for name in number_names]
    rules = Rules(classes[-1].functions, text)
    for part, arguments in _PART.findall(Path(contract).read_text(encoding="utf-8")):
        sums = None if "elem_t" in arguments else Sums(classes[-1].functions, text)
        try:
            sized, counted = judge_part(part, rules, classes, numbers, sums)
            if sized:
                sys.stdout.write(f"{part}\t={sized}\n")
            if counted:
                sys.stdout.write(f"{part}\t~{short(counted)}\n")
            if sums:
                sys.stdout.write(f"{part}\t+{short(sums.why_not())}\n")
        except Broken as broken:
            sys.stdout.write(f"{part}\tit is not {broken.premise}: {short(str(broken))}\n")
    for name in texts:
        try:
            compare_texts(source, f"{at}.{name}.read.ii", f"{at}.{name}.run.ii")
        except Broken as broken:
            sys.stdout.write(f"*\tit is not {broken.premise}: {broken}\n")
    asked = asked_of_compiler(text)
    if asked:
        sys.stdout.write(f"*\tit is not closed: {asked} is not the same for every compiler, machine and folder\n")
    return 0
