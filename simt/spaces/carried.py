"""Memory of bytes that holds elements: one allocation or one shared array, which a part cuts up by its own offsets. And
variables that begin with a value, which is none that combine() has made."""

import re

from kinds import ELEMENT, VOID, Kind, Kinds
from objects import Section
from statements import NAME, UID, Broken, Function, arguments_of, call_in, variable

_BYTE = Kind(VOID, 0)
_ON_BYTES = re.compile(r"(?:\S+ = )?(?:cudaM|m)em(?:cpy|move|set|cmp)")


class Carried(Kinds):
    """A part of rule 1 of parametric.py, for the functions of one dump.

    A pointer to bytes may become one to elements if, in all functions of the part, such pointers become nothing else,
    are made of nothing else, and lead to no byte that is read or written. Then elements alone are in that memory. That
    they are whole is seen where the part runs: an element is aligned to its size, and each access is checked for that.
    So a part with such an offset is right for elements of that size."""

    cut = ""  # where the part that was judged last adds an offset to a pointer to bytes

    def carry_alike(self, functions: list[Function]) -> None:
        """Raises Broken with the place."""
        self.cut = ""
        if not any(kind.holds() for kind in self.carried):
            return
        if self.carried != {Kind(ELEMENT, 1)}:
            raise Broken("pointers to bytes, or to memory without a type, lead to elements and to something else")
        for function in functions:
            for statement in function.statements:
                at = f"{statement.file}:{statement.line}"
                to, _, of = statement.text.rstrip(";").partition(" = ")
                if self._is_byte(function, to, of):
                    raise Broken(f"{at}: memory of bytes has elements in it, and a byte is read or written")
                added = of.split(" + ")
                if len(added) == 2 and self.typed(function, added[0])[0] == Kind(VOID, 1):
                    self.cut = self.cut or at

    def _is_byte(self, function: Function, to: str, of: str) -> bool:
        """Is a byte of memory read or written?"""
        call = call_in(of or to)
        sides = [*arguments_of(of or to, call), to] if call else [to, of]
        if call and _ON_BYTES.match(of or to):
            return any(self.typed(function, side)[0] == Kind(VOID, 1) for side in sides)
        if to in function.lengths and self.typed(function, to)[0] == _BYTE:
            return True
        sides = [re.sub(r"^\([^()]*\) (?=\S)", "", side) for side in sides]  # without casts
        places = [side for side in sides if NAME.search(side) and re.search(r"[*\[.]|->", side)]
        return any(side[0] not in '&"' and self.typed(function, side)[0] == _BYTE for side in places)

    def begin_as_nothing(self, functions: list[Function], sections: list[Section]) -> None:
        """Raises Broken if a variable that holds elements, or bytes that may be elements, begins with a value."""
        begins = [symbol for s in sections if s.holds and not (s.is_code or s.is_shared) for symbol in s.symbols]
        members = set().union(*self.named.values()) if self.named else set()
        for function in functions if begins else []:
            for name in {n for s in function.statements for n in NAME.findall(s.text) if UID.search(n)} - members:
                kind = self.declared(function, name) or self.fields.get(name)
                holds = {_BYTE.base} if self.carried else set[str]()
                if not kind or kind.depth > 0 or kind.base not in holds | {ELEMENT} | self.holders:
                    continue
                if self._is_local(function, name):
                    continue
                plain = variable(name)
                symbol = rf"(?:.*\d)?{len(plain)}{re.escape(plain)}(?:E.*|_\d*)?|{re.escape(plain)}(?:\.\d+)?"
                if any(re.fullmatch(rf"(?:_Z\w*?)?(?:{symbol})", one) for one in begins):
                    raise Broken(f"{function.where}: {plain} has elements in it that begin with a constant")

    @staticmethod
    def _is_local(function: Function, name: str) -> bool:
        texts = function.types.get(name) or function.types.get(variable(name)) or set()
        return bool(texts) and not any(text.startswith(("static ", "extern ")) for text in texts)
