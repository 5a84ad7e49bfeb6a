"""Operands of one call or operator whose order of evaluation decides. C++ leaves that order to the compiler, which need
not be the one that makes the program of a GPU."""

import re

from kinds import Kinds
from statements import NAME, Broken, Function, arguments_of, call_in, is_name, variable

_MADE = re.compile(r"(?:D\.\d+(?:_\d+)?|_\d+|[\w$]+\.\d+_\d+)$")  # a value without a name in the source
_BINARY = re.compile(r"(\S+) (?:[-+*/%&|^]|[<>=!]=?|<<|>>) (\S+)$")
# Functions of the course and of the system whose call matters to other calls.
_ACTS = re.compile(r"sync|atomic|fence|cuda(?!GetError[SN])|printf|puts|mem(?:cpy|move|set)", re.IGNORECASE)
_ANY = "*"  # all memory except local variables whose address is known
_ERROR = "last error"  # what cudaGetLastError() reads and clears
Memory = frozenset[str]
Effects = tuple[Memory, Memory]  # what is read, and what is written
_NONE: Effects = (frozenset(), frozenset())
_ALL: Effects = (frozenset((_ANY, _ERROR)), frozenset((_ANY, _ERROR)))


def _both(one: Effects, other: Effects) -> Effects:
    return one[0] | other[0], one[1] | other[1]


class Order(Kinds):
    """A part of rule 4 of parametric.py, for the functions of one dump."""

    def ordered(self, function: Function) -> None:
        """Raises Broken with the place."""
        sets = [(s.text.partition(" = ")[0], s.text) for s in function.statements]
        made = {name: text for name, text in sets if _MADE.match(name)}
        for statement in function.statements:
            text = statement.text.removeprefix("if (").rstrip(";)")
            of = text.partition(" = ")[2] or text
            binary = _BINARY.fullmatch(of)
            operands = list(binary.groups()) if binary else []
            if call := call_in(statement.text):
                operands = arguments_of(statement.text, call)
            effects = [self._value(function, operand, made, frozenset()) for operand in operands]
            for i, (_, written) in enumerate(effects):
                if any(written & (read | also) for j, (read, also) in enumerate(effects) if j != i):
                    raise Broken(
                        f"{statement.file}:{statement.line}: the order in which the operands are evaluated may decide",
                        "closed",
                    )

    def _value(self, function: Function, text: str, made: dict[str, str], seen: frozenset[str]) -> Effects:
        """What is read and written where the value of an operand is computed."""
        text = text.strip()
        if _MADE.match(text) and text in made and text not in seen:
            of = made[text].partition(" = ")[2].rstrip(";")
            if call := call_in(made[text]):
                found = self._done_by(function, made[text], call, frozenset())
                operands = arguments_of(made[text], call)
            else:
                found, operands = (self._loaded(function, of), frozenset()), of.split(" ")
            for operand in operands:
                found = _both(found, self._value(function, operand, made, seen | {text}))
            return found
        return _NONE

    def _loaded(self, function: Function, text: str) -> Memory:
        """The memory from which a statement's right side reads."""
        text = re.sub(r"^\((?:[^()]|\([^()]*\))*\) ", "", text)
        if text.startswith("&"):
            return frozenset()
        found = set()
        for name in NAME.findall(text):
            if not self._is_own(function, name) or re.search(r"^\*|MEM|->", text):
                found.add(_ANY)
            elif "D." in name and not _MADE.match(name):
                found.add(name)
        return frozenset(found)

    @staticmethod
    def _is_own(function: Function, name: str) -> bool:
        """Is it a local variable, or a value?"""
        texts = function.types.get(name) or function.types.get(variable(name)) or set()
        return bool(texts) and not any(text.startswith(("static ", "extern ")) for text in texts)

    def _done_by(self, function: Function, text: str, call: re.Match[str], busy: frozenset[str]) -> Effects:
        """What a call reads and writes, as its caller names it."""
        name = text[: call.start()].rpartition(" = ")[2]
        of = next(iter(self.functions.called(call[1], name)), None)
        short = of.short() if of else name.lstrip("*").strip()
        if short in ("cudaGetLastError", "cudaPeekAtLastError"):
            return frozenset((_ERROR,)), frozenset((_ERROR,)) if short == "cudaGetLastError" else frozenset()
        if of is None or of.is_of_course:
            return _ALL if _ACTS.search(short) or is_name(short) else _NONE
        if of.symbol in busy:
            return _ALL
        given = arguments_of(text, call)
        read, written = self._effects(of, busy | {of.symbol})

        def named(memory: Memory) -> Memory:
            found = set()
            for place in memory - {_ERROR}:
                argument = given[int(place)] if place.isdigit() and int(place) < len(given) else _ANY
                own = re.fullmatch(r"&(\S*D\.\d+)", argument)
                found.add(own[1] if own and self._is_own(function, own[1]) else _ANY)
            return frozenset(found) | memory & {_ERROR}

        return named(read), named(written)

    def _effects(self, function: Function, busy: frozenset[str]) -> Effects:
        """What a function reads and writes outside its own variables: the number of a parameter, or other memory."""
        given = {variable(name): str(i) for i, (_, name) in enumerate(function.parameters)}
        found = _NONE

        def places(text: str) -> Memory:
            names = NAME.findall(text)
            if not names or not (re.search(r"^\*|MEM|->", text) or not self._is_own(function, names[0])):
                return frozenset()
            return frozenset((given.get(variable(names[0]), _ANY),))

        for statement in function.statements:
            text = statement.text.removeprefix("# ").rstrip(";")
            to, _, of = text.partition(" = ")
            if call := call_in(text):
                read, written = self._done_by(function, text, call, busy)
                found = _both(found, (read & {_ANY, _ERROR}, written & {_ANY, _ERROR}))
            elif of:
                found = _both(found, (places(of) if not of.startswith("&") else frozenset(), places(to)))
        return found
