"""Comparisons and distances of addresses: they follow from the arguments inside one array only."""

import re
from collections.abc import Sequence

from kinds import Kinds
from statements import CALL, NAME, Broken, Function, Statement, arguments_of, is_name, variable

_COMPARED = re.compile(r"(?P<left>\S+) (?P<how>==|!=|<=?|>=?|-) (?P<right>\S+)")
_LESSER = re.compile(r"= (?:MIN|MAX)_EXPR <(.*), (.*)>;?$")
_CAPTURED = re.compile(r"__closure_\d+\(D\)->(?P<member>[\w$]+D\.\d+)")  # what a lambda holds a copy of
_OF_LOCAL = re.compile(r"[\w$]*D\.\d+\.[\w$]+D\.\d+")
_VARIABLE = re.compile(r"[A-Za-z_]\w*D\.\d+")
_ALLOCATES = re.compile(r"(?:\S+ = )?cudaMalloc(?:Async)?(?:<.*>)?D\.\d+ \(&|\S+ = 0B;|simt::__launch<")
_NUMBER = re.compile(r"-?\d+B?")


class Addresses(Kinds):
    """A part of rule 4 of parametric.py, for the functions of one dump."""

    # The part that is judged. Its parameters are its caller's arrays, which exist as long as it runs.
    part = ""
    reached: Sequence[Function] = ()  # its functions
    in_data: frozenset[str] = frozenset()  # the symbols that its variables and tables have the addresses of

    def compared(self, function: Function, text: str) -> None:
        """Raises Broken where two addresses need not be in one array."""
        plain = text.rstrip(";")
        plain = plain[4:-1] if plain.startswith("if (") else plain.partition(" = ")[2]
        lesser, found = _LESSER.search(text), _COMPARED.fullmatch(plain)
        if lesser and self._are_addresses(function, lesser[1], lesser[2]):
            raise Broken("the order of two addresses decides", "closed")
        if not found or not self._are_addresses(function, found["left"], found["right"]):
            return
        left, is_left = self._roots(function, found["left"], set())
        right, is_right = self._roots(function, found["right"], set())
        is_same = found["how"] in ("==", "!=")
        if is_same and ((not left and is_left) or (not right and is_right)):
            return  # one of them is null
        if left == right and len(left) == 1 and not next(iter(left)).startswith("?"):
            return
        whole = is_same and is_left and is_right and bool(left and right)
        whole = whole and (function.is_kernel or self._gets_arrays_of_part(function, left | right, frozenset()))
        if not whole or any(a.startswith("?") and b.startswith("?") for a in left for b in right):
            raise Broken("addresses that need not be in one array are compared", "closed")

    def _gets_arrays_of_part(self, function: Function, roots: frozenset[str], busy: frozenset[str]) -> bool:
        """Are these parameters of the part itself, or of a helper that gets no other addresses than those? A helper may
        also get one address twice, or one of these arrays and memory of its caller's own."""
        here = " ".join((function.symbol, *sorted(roots)))
        if function.symbol == self.part or here in busy:
            return True
        places = [i for i, (_, name) in enumerate(function.parameters) if variable(name) in roots]
        if len(places) != len(roots) or function.symbol in self.in_data:
            return False
        is_called = False
        for caller in self.reached:
            for statement in caller.statements:
                uses = re.findall(rf"D\.{function.uid}\b", statement.text)
                call = CALL.search(statement.text)
                if not uses:
                    continue
                if len(uses) > 1 or not call or call[1] != function.uid:
                    return False
                given = arguments_of(statement.text, call)
                is_called = True
                if self._is_one_value(caller, statement, [given[i] for i in places]):
                    continue
                sides = [self._roots(caller, given[i], set()) for i in places]
                sides = [side for side in sides if not self._is_fresh(caller, side[0])] or sides
                of = frozenset().union(*(root for root, _ in sides))
                if not all(root and whole for root, whole in sides) or any(root.startswith("?") for root in of):
                    return False
                if not self._gets_arrays_of_part(caller, of, busy | {here}):
                    return False
        return is_called

    @staticmethod
    def _is_one_value(function: Function, call: Statement, given: list[str]) -> bool:
        """Are the arguments loads of one variable, with nothing but loads and numbers between them and the call?"""
        block = next(block for block in function.blocks.values() if any(s is call for s in block.statements))
        texts = [s.text.rstrip(";") for s in block.statements]
        texts = texts[: [s is call for s in block.statements].index(True)]
        loads = {text.partition(" = ")[0]: text.partition(" = ")[2] for text in texts}
        of = {loads.get(name, "") for name in given}
        first = min((i for i, text in enumerate(texts) if text.partition(" = ")[0] in given), default=0)
        sets = [text for text in texts[first:] if CALL.search(text) or not re.match(r"[\w.]*_\d+ = ", text)]
        return len(of) == 1 and _VARIABLE.fullmatch(next(iter(of))) is not None and not sets

    @staticmethod
    def _is_fresh(function: Function, roots: frozenset[str]) -> bool:
        """Is it what a local variable has, which nothing but the allocation of memory sets?"""
        name = next(iter(roots), "")[1:]
        if len(roots) != 1 or name not in function.types or any(name == given for _, given in function.parameters):
            return False
        used = re.compile(rf"&{re.escape(name)}(?!\w)|^{re.escape(name)} = ")
        texts = [s.text for s in function.statements if used.search(s.text)]
        return bool(texts) and all(_ALLOCATES.match(text) for text in texts)

    def _are_addresses(self, function: Function, *sides: str) -> bool:
        kinds = [self.typed(function, side)[0] for side in sides if not _NUMBER.fullmatch(side)]
        return any(kind is not None and kind.is_address() for kind in kinds)

    def _roots(self, function: Function, text: str, seen: set[str]) -> tuple[frozenset[str], bool]:
        """What an address is derived from, and whether it is that itself: a parameter, a variable, or, with `?`,
        something that need not be the same array each time. Nothing for a number, which
        is itself only where it is null."""
        text = re.sub(r"^\((?:[^()]|\([^()]*\))*\) ", "", text.strip().rstrip(";"))
        name = NAME.search(text, text.rfind("*)") + 1 if "MEM" in text else 0)
        found: tuple[frozenset[str], bool]
        if _NUMBER.fullmatch(text):
            found = frozenset(), text in ("0", "0B")
        elif not name:
            found = frozenset("?"), False
        elif text.startswith("PHI <"):
            all_of = [self._roots(function, n, seen) for n in re.findall(r"(\S+?)\(\d+\)[,>]", text[5:])]
            found = frozenset().union(*(roots for roots, _ in all_of)), all(is_whole for _, is_whole in all_of)
        elif text.startswith(("&MEM", "&*", "&(*")) or re.match(r"&[^.\[]*->", text) or re.match(r"[^&].* \+ ", text):
            found = self._roots(function, name[0], seen)[0], False
        elif text.startswith("&"):
            found = frozenset((name[0],)), name.end() == len(text)
        elif not is_name(text):
            found = frozenset(("?" + text,)), True
        else:
            found = self._roots_of(function, name[0], seen)
        return found

    def _roots_of(self, function: Function, name: str, seen: set[str]) -> tuple[frozenset[str], bool]:
        plain = name.removesuffix("(D)")
        if name in seen:
            return frozenset(), True
        texts = [statement.text.removeprefix("# ") for statement in function.statements]
        values = [text.partition(" = ")[2] for text in texts if text.startswith(plain + " = ")]
        if not values and any(variable(given) == variable(plain) for _, given in function.parameters):
            return frozenset((variable(plain),)), True
        if "D." in plain or len(values) != 1:
            return frozenset(("?" + plain,)), True
        if call := CALL.search(values[0]):
            of = self._roots_of_result(function, values[0], call, seen | {name})
            return (of, False) if of else (frozenset((plain,)), True)
        captured = _CAPTURED.fullmatch(values[0].rstrip(";"))
        if captured and self._is_constant(captured["member"]):
            return frozenset((captured[0],)), False
        return self._roots(function, values[0], seen | {name})

    def _roots_of_result(self, function: Function, text: str, call: re.Match[str], seen: set[str]) -> frozenset[str]:
        """The roots of what a call returns, where each is that of an argument: begin() and end() of an array."""
        of = next(iter(self.functions.called(call[1], text[: call.start()])), None)
        busy = {symbol for symbol in seen if symbol.endswith("()")}
        if of is None or of.symbol + "()" in busy:
            return frozenset()
        returned = [s.text[7:] for s in of.statements if s.text.startswith("return ")]
        given, found = arguments_of(text, call), frozenset[str]()
        places = {variable(name): i for i, (_, name) in enumerate(of.parameters)}
        for root in frozenset().union(*(self._roots(of, text, busy | {of.symbol + "()"})[0] for text in returned)):
            if root not in places or places[root] >= len(given):
                return frozenset()
            found |= self._roots(function, given[places[root]], seen)[0]
        return found

    def _is_constant(self, member: str) -> bool:
        """Is a member of lambdas set only where a function makes the lambda, and does no pointer lead to it?"""
        for text in (s.text for function in self.reached for s in function.statements if member in s.text):
            to = text.partition(" = ")[0]
            if re.search(rf"&[^,() ]*{re.escape(member)}", text) or (member in to and not _OF_LOCAL.fullmatch(to)):
                return False
        return True
