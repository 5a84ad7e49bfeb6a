"""Pointers to a single number. Such a pointer may be used for this number only, because an element may be next to it in
memory."""

import re
from collections.abc import Iterator, Sequence

from kinds import Kinds
from statements import CALL, NAME, UID, Broken, Function, arguments_of, is_name, variable

_ADDRESS = re.compile(r"&(?P<of>[A-Za-z_][\w.$]*?D\.\d+(?:\.[\w.$#]*?D\.\d+)*)(?P<index>\[)?(?: \+ -?\d+)?$")
_CAST = re.compile(r"\((?P<to>[^()]*)\*(?: const)?\) (?P<of>\S+)$")
_MEMBER = re.compile(r"(?:\.|->)((?:[A-Za-z_$#][\w$#]*)?D\.\d+)$")
_COPIES = re.compile(r"(?:_\d+ = )?(?:cudaM|m)em(?:cpy|move|set)(?:Async)?(?:<.*>)?D\.\d+ \(")
_BEHIND = re.compile(r"MEM ?(?:<.*> )?\[\((?P<to>[^()]*)[*&]\)(?P<of>&?[\w.$]+?)(?: \+ (?P<moved>\d+)B)?\]")
_BYTES = {"short int": 2, "short unsigned int": 2, "int": 4, "unsigned int": 4, "float": 4} | dict.fromkeys(
    ("long int", "long unsigned int", "long long int", "long long unsigned int", "double"), 8
)
_VECTOR = re.compile(r"(?:struct )?u?(char|short|int|long|longlong|float|double)([234])")
_OF_VECTOR = {"char": 1, "short": 2, "int": 4, "float": 4, "long": 8, "longlong": 8, "double": 8}
_ANY = 1 << 20  # bytes of a type that is not known
Place = tuple[str, str]  # a function's number and a name in it, or nothing and a member


def bytes_of(text: str, unknown: int) -> int:
    """The size of a number or a vector of numbers, in bytes."""
    plain = re.sub(r"\b(?:const|volatile|static)\b", "", UID.sub("", text))
    name = " ".join(plain.split())
    vector = _VECTOR.fullmatch(name)
    return _OF_VECTOR[vector[1]] * int(vector[2]) if vector else _BYTES.get(name, unknown)


class Single(Kinds):
    """A part of rule 4 of parametric.py, for the functions of one dump."""

    def stay(self, functions: Sequence[Function]) -> None:
        """Raises Broken, with the place, where such a pointer is moved, or leads to a larger number."""
        arrays = {m for f in functions for s in f.statements for m in re.findall(r"\.([\w$#]*?D\.\d+)\[", s.text)}
        found: dict[Place, int] = {}  # the bytes of what a pointer leads to
        known = -1
        while known < len(found):
            known = len(found)
            for function in functions:
                for statement in function.statements:
                    for place, size in self._given(function, statement.text.rstrip(";"), arrays, found):
                        found.setdefault(place, size)
        for function in functions:
            for statement in function.statements:
                if self._moves(function, statement.text.rstrip(";"), arrays, found):
                    where = f"{statement.file}:{statement.line}"
                    raise Broken(f"{where}: a pointer to one variable is used as a pointer to an array", "closed")

    def _size(self, function: Function, text: str, arrays: set[str], found: dict[Place, int]) -> int:
        """The bytes of the one variable that a pointer leads to; 0 if it may lead to others."""
        if text.startswith("&"):
            address = _ADDRESS.match(text)
            if not address or address["index"]:
                return 0
            name = NAME.match(address["of"])
            member = _MEMBER.search(address["of"], name.end() if name else 0)
            if not name or name[0] not in function.types or name[0] in function.arrays:
                return 0
            if self.is_of_elements(self.typed(function, address["of"])[0]):
                return 0  # what is read beside an element is an element, and has to be the right one
            if member:
                of = self.typed(function, address["of"][: member.start()])[0]
                is_struct = of is not None and of.base.startswith("struct ")  # of unions, words.py sees the members
                return _ANY if of and is_struct and of.base in self.holders and member[1] not in arrays else 0
            return max(bytes_of(text, _ANY) for text in function.types[name[0]])
        return found.get(self._place(function, text), 0)

    @staticmethod
    def _place(function: Function, text: str) -> Place:
        member = None if is_name(text) else _MEMBER.search(text)
        is_given = text.endswith("(D)")
        return ("", member[1]) if member else (function.uid, variable(text) if is_given else text)

    def _given(
        self, function: Function, text: str, arrays: set[str], found: dict[Place, int]
    ) -> Iterator[tuple[Place, int]]:
        """The places to which a statement gives such a pointer."""
        to, _, of = text.removeprefix("# ").partition(" = ")
        sources = [of]
        if call := CALL.search(text):
            given = arguments_of(text, call)
            for called in self.functions.called(call[1], text[: call.start()].rpartition(" = ")[2]):
                for (_, name), argument in zip(called.parameters, given, strict=False):
                    if size := self._size(function, argument, arrays, found):
                        yield (called.uid, variable(name)), size
                        yield (called.uid, name), size
                returned = [s.text[7:].rstrip(";") for s in called.statements if s.text.startswith("return ")]
                sizes = [self._size(called, value, arrays, found) for value in returned]
                if " = " in text[: call.start()] and any(sizes):
                    yield self._place(function, to), max(sizes)
            return
        if of.startswith("PHI <"):
            sources = re.findall(r"(\S+?)\(\d+\)[,>]", of[5:])
        elif cast := _CAST.match(of):
            sources = [cast["of"]]
        for source in sources:
            if to and (size := self._size(function, source, arrays, found)):
                yield self._place(function, to), size

    def _moves(self, function: Function, text: str, arrays: set[str], found: dict[Place, int]) -> bool:
        of = text.partition(" = ")[2]
        moved = re.match(r"(\S+) \+ (\S+)$", of)
        if moved and moved[2] != "0" and self._size(function, moved[1], arrays, found):
            return True
        for behind in _BEHIND.finditer(text):
            size = self._size(function, behind["of"], arrays, found)
            if size and int(behind["moved"] or 0) + bytes_of(behind["to"], 1) > size:
                return True
        if copies := _COPIES.match(text):
            given = arguments_of(text, CALL.search(text) or copies)
            is_of_device = "cuda" in copies[0]  # the device sees what its copies reach
            count = int(given[2]) if given[2].isdigit() else 0 if is_of_device else _ANY + 1
            return any(0 < self._size(function, end, arrays, found) < count for end in given[:2])
        indexed = re.findall(r"\(\*([\w.$]+(?:\(D\))?)\)\[", text)
        cast = _CAST.match(of)
        size = self._size(function, cast["of"], arrays, found) if cast else 0
        too_large = cast is not None and size > 0 and bytes_of(cast["to"], 1) > size
        return too_large or any(self._size(function, name, arrays, found) for name in indexed)
