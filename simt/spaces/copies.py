"""How many bytes are copied or set: whole elements, where there are elements."""

import re

from kinds import Kinds
from statements import CALL, Broken, Function, Functions, arguments_of, is_name
from variants import Shapes

_COPIES = re.compile(r"cudaMem(?:cpy|set)(?:Async)?|mem(?:cpy|move)")
_PART = "bytes of elements are copied, and perhaps no whole elements"


class Copies(Kinds):
    """A part of rule 1 of parametric.py, for the functions of one dump."""

    def __init__(self, functions: Functions, source: str) -> None:
        super().__init__(functions, source)
        # By the id() of a statement: which of its numbers must be a multiple of an element's size, whatever that is.
        self.multiples: dict[int, int] = {}

    def copied(self, function: Function) -> None:
        """Notes the numbers of bytes, and raises Broken, with the place, where one is made of something else."""
        for statement in function.statements:
            call = CALL.search(statement.text)
            name = statement.text[: call.start()].rpartition(" = ")[2] if call else ""
            if not call or not _COPIES.fullmatch(re.sub(r"<.*>", "", name)):
                continue
            given = arguments_of(statement.text, call)
            kinds = [self.typed(function, side)[0] for side in given[:2]]
            if any(kind and kind.holds() for kind in kinds):
                if given[2].isdigit():
                    before = ", ".join((statement.text[: call.end()], *given[:2]))
                    self.multiples[id(statement)] = len(Shapes(function).of(before)[1])
                elif not self._is_multiple(function, given[2], {given[2]}):
                    raise Broken(f"{statement.file}:{statement.line}: {_PART}")

    def _is_multiple(self, function: Function, name: str, seen: set[str]) -> bool:
        """Is a number only made of products with numbers that the comparison of the types can look at?"""
        found = [s for s in function.statements if s.text.removeprefix("# ").startswith(name + " = ")]
        for statement in found:
            of = statement.text.partition(" = ")[2].rstrip(";")
            if re.fullmatch(r"\d+|\S+ \* \d+", of):
                self.multiples[id(statement)] = 0
                continue
            sides = re.findall(r"(\S+?)\(\d+\)[,>]", of[5:]) if of.startswith("PHI <") else re.split(r" [-+] ", of)
            for side in [re.sub(r"^\([^()]*\) ", "", side) for side in sides]:
                if side in seen:
                    continue
                if not is_name(side) or not self._is_multiple(function, side, seen | {side}):
                    return False
        return bool(found)
