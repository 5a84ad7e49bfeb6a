"""Finds out whether a part only adds up the numbers that it is given: whether each number that it stores is a sum of
its inputs, of 64 bits and modulo 2^64, with coefficients that no input decides.

What follows from an input is called a sum here. Sums may be copied, shuffled, added, subtracted, multiplied by other
numbers, and widened from unsigned numbers of 32 bits. They decide no branch, index, address, lane, launch or size. Of
the functions that are not in the file, only combine() and shuffles get one. Memory that holds sums is read as what was
stored there.

Each variable, each member, and each piece of memory that pointers lead to is a cell. A pointer leads to one cell, and
cells to which one pointer may lead are one (Steensgaard, POPL 1996). A member is one cell in all structs of its type.
What a launch is given goes to all parameters of kernels with that type. A cell holds sums as soon as one statement
stores one there, in whatever order statements run.
"""

from __future__ import annotations

import re

from statements import NAME, Broken, Function, Functions, arguments_of, call_in, is_name, variable

_FIELD = re.compile(r"(?:\.|->)((?:[A-Za-z_$][\w$#]*)?D\.\d+)")
_TYPEDEF = re.compile(r"\btypedef\s+([\w ]+?)\s+(\w+)\s*;|\busing\s+(\w+)\s*=\s*([\w ]+?)\s*;")
_WORDS = re.compile(r"\b(?:const|volatile|static|extern|register|restrict|__restrict__)\b|<T[0-9a-f]+>|D\.\d+")
_BYTES = frozenset(("void", "char", "unsigned char", "signed char", "std::byte"))
_BITS = {"unsigned int": 32, "unsigned": 32, "uint32_t": 32, "uint64_t": 64, "int64_t": 64, "size_t": 64}
_LONG = re.compile(r"(?:(?:long|int|unsigned|signed)\b ?){2,}|long")
_THROUGH = re.compile(r"[\w.$#]+_\d+(?:\(D\))? \(")
_ALLOCATES = re.compile(r"cuda(?:Malloc|Free)(?:Async)?|free")
_LAUNCHES = re.compile(r"simt::__launch\w*")
_SHOWS = re.compile(
    r"simt::__local_array::~?__local_array|simt::__dynamic_shared_memory::operator.*"
)  # where memory is


def _is_special(of: str) -> bool:
    """Is this neither a value nor an operator of one or two? So are MAX_EXPR <a, b> and VIEW_CONVERT_EXPR<type>(a)."""
    is_value = " " not in of or of.startswith("MEM") or re.fullmatch(r"\S+ [^\s\w]\S{0,4} \S+|\(.*\) \S+", of)
    return not is_value or re.match(r"[A-Z_]{4,}|\{", of) is not None


class Cell:
    """A variable or a piece of memory."""

    def __init__(self) -> None:
        self.same: Cell = self
        self.pointee: Cell | None = None
        self.is_sum = False
        self.bits: set[int] = set()  # of the numbers as which it is read and written; 0: something else

    def root(self) -> Cell:
        at = self
        while at.same is not at:
            at.same = at.same.same
            at = at.same
        return at

    def leads_to(self) -> Cell:
        of = self.root()
        if of.pointee is None:
            of.pointee = Cell()
        return of.pointee.root()


def unite(one: Cell, other: Cell) -> None:
    while True:
        one, other = one.root(), other.root()
        if one is other:
            return
        other.same = one
        one.is_sum |= other.is_sum
        one.bits |= other.bits
        if one.pointee is None or other.pointee is None:
            one.pointee = one.pointee or other.pointee
            return
        one, other = one.pointee, other.pointee


class Sums:
    """What follows from the inputs of one part, in its functions."""

    def __init__(self, functions: Functions, source: str) -> None:
        self._functions = functions
        self._cells: dict[tuple[str, str], Cell] = {}
        self._launched: dict[tuple[str, int], Cell] = {}  # the pointers that launches are given, by type
        self._dynamic = Cell()
        self._typedefs = {b or c: a or d for a, b, c, d in _TYPEDEF.findall(source)}
        self._flows: list[tuple[Cell, Cell]] = []
        self._own: list[Function] = []
        self._members: dict[str, set[str]] = {}  # of structs

    def follow(self, part: Function, own: list[Function]) -> None:
        """Finds the sums. A part's arrays hold sums."""
        self._own = own
        for text, name in part.parameters:
            if self._type(text)[1]:
                self._given(part, name).leads_to().is_sum = True
        for function in own:
            is_started = function.is_kernel or "<lambda" in function.name
            for text, name in function.parameters if is_started else []:
                unite(self._given(function, name), self._launched.setdefault(self._type(text), Cell()))
        for function in own:
            for statement in function.statements:
                self._statement(function, statement.text)
        changed = True
        while changed:
            changed = False
            for of, to in self._flows:
                if of.root().is_sum and not to.root().is_sum:
                    to.root().is_sum = changed = True

    def meets(self, function: Function, text: str) -> bool:
        """Does this statement join paths, and is a variable a sum on one of them?"""
        to, is_met, _ = text.removeprefix("# ").partition(" = PHI <")
        return bool(is_met) and self._value(function, to).root().is_sum

    def why_not(self) -> str:
        """Where a sum is used in another way than those that are allowed, and how; "" where there is no such place."""
        try:
            self._check()
        except Broken as broken:
            return str(broken)
        return ""

    def _check(self) -> None:
        for function in self._own:
            if re.search(r"\bunion\b", str(function.types)):
                raise Broken(f"{function.where}: {function.short()}() has a union")
            for statement in function.statements:
                try:
                    self._judge(function, statement.text.rstrip(";"))
                except Broken as broken:
                    raise Broken(f"{statement.file}:{statement.line}: {broken}") from None

    # ---- types ---------------------------------------------------------------------------------------------------

    def _type(self, text: str) -> tuple[str, int]:
        """The name of a type without its pointers, and their number."""
        depth = text.count("*") + text.count("&")
        name = " ".join(re.sub(r"\[[^\]]*\]|[*&()]", " ", _WORDS.sub(" ", text)).split())
        for _ in range(4):
            name = self._typedefs.get(name, name)
        return name, depth

    def _bits(self, name: str) -> int:
        return _BITS.get(name, 64 if _LONG.fullmatch(name) else 0)

    def _types(self, function: Function, name: str) -> set[tuple[str, int]]:
        plain = name.removesuffix("(D)")
        return {self._type(t) for t in function.types.get(plain) or function.types.get(variable(name)) or set()}

    def _number(self, function: Function, name: str) -> int:
        """The bits of the number that a name has; 0 where it is something else."""
        kinds = {self._bits(base) if depth == 0 else 0 for base, depth in self._types(function, name)}
        return kinds.pop() if len(kinds) == 1 else 0

    def _is_number(self, function: Function, text: str) -> bool:
        kinds = self._types(function, text) if is_name(text) else set()
        return bool(kinds) and all(depth == 0 and "struct" not in base for base, depth in kinds)

    # ---- cells ---------------------------------------------------------------------------------------------------

    def _cell(self, scope: str, name: str) -> Cell:
        return self._cells.setdefault((scope, name), Cell()).root()

    def _given(self, function: Function, parameter: str) -> Cell:
        return self._cell("", parameter)

    def _value(self, function: Function, name: str) -> Cell:
        """The cell of a name."""
        if name.endswith("(D)"):
            given = next((p for _, p in function.parameters if variable(p) == variable(name)), "")
            if given:
                return self._given(function, given)
        return self._cell("" if re.search(r"D\.\d+$", name) else function.uid, name)

    def _place(self, function: Function, text: str) -> Cell:
        """The cell that an expression reads or writes."""
        plain = re.sub(r"\[(?!\()[^\[\]]*\]", "", text)
        fields = _FIELD.findall(plain)
        if fields:
            for base, _ in self._types(function, (NAME.search(plain) or plain)[0]):
                self._members.setdefault(base, set()).add(fields[0])
            return self._cell("field", fields[-1])
        name = NAME.search(plain, max(plain.rfind("*)"), plain.rfind("&)")) + 1 if "MEM" in plain else 0)
        if not name:
            return Cell()
        cell = self._value(function, name[0])
        is_behind = ("MEM" in plain and "&" + name[0] not in plain) or re.search(rf"\*\(?{re.escape(name[0])}", plain)
        return cell.leads_to() if is_behind else cell

    def _assign(self, function: Function, to: Cell, of: str) -> None:
        """The statement `to = of`, without the operator."""
        of = of.strip()
        if of == "<retval>" or (not of.startswith("{") and NAME.search(of) and '"' not in of):
            if of.startswith("&"):
                unite(to.leads_to(), self._place(function, of[1:]))
                return
            value = self._return(function) if of == "<retval>" else self._place(function, of)
            if not self._is_number(function, of):  # no number becomes an address: rule 4 of parametric.py
                unite(to.leads_to(), value.leads_to())
            self._flows.append((value, to))

    def _return(self, function: Function) -> Cell:
        return self._cell("return", function.uid)

    # ---- statements ----------------------------------------------------------------------------------------------

    def _statement(self, function: Function, text: str) -> None:
        text = text.rstrip(";")
        if text.startswith(("if (", "switch (")):
            return
        if text.startswith("# "):
            to, _, of = text[2:].partition(" = PHI <")
            for name in re.findall(r"(\S+?)\(\d+\)[,>]", of):
                self._assign(function, self._value(function, to), name)
        elif re.match(r"return(?: |$)", text):
            self._assign(function, self._return(function), text[6:])
        elif call := call_in(text):
            self._call(function, text, call)
        elif " = " in text:
            to, _, of = text.partition(" = ")
            cell = self._return(function) if to == "<retval>" else self._place(function, to)
            for value in self._operands(of):
                self._assign(function, cell, value)

    @staticmethod
    def _operands(of: str) -> list[str]:
        """The values in what is assigned: one, two with an operator between them, or all that are named."""
        cast = re.match(r"\((?:[^()]|\([^()]*\))*\) (?=\S+$)", of)
        binary = re.match(r"(\S+) [^\s\w]\S{0,4} (\S+)$", of)
        if cast:
            return [of[cast.end() :]]
        if _is_special(of):
            return NAME.findall(of)
        return [binary[1], binary[2]] if binary else [of.lstrip("-~")]

    def _callees(self, text: str, call: re.Match[str]) -> tuple[list[Function], str, str]:
        """The functions that a call may mean, its name if it is the course's or the system's, and what the result goes
        to."""
        before, _, name = ("", "", text[: call.start()])
        if " = " in text[: call.start()]:
            before, _, name = text[: call.start()].rpartition(" = ")
        found = self._functions.called(call[1], name)
        own = [of for of in found if not of.is_of_course]
        known = "" if own else re.sub(r"<.*>", "", found[0].name if found else name.strip()).partition("(")[0]
        return own, known, before

    def _call(self, function: Function, text: str, call: re.Match[str]) -> None:
        found, known, to = self._callees(text, call)
        given = arguments_of(text, call)
        result = self._place(function, to) if to else Cell()
        if "dynamic_shared_memory::operator" in text:
            unite(result.leads_to(), self._dynamic)
        for of in found:
            for (_, name), argument in zip(of.parameters, given, strict=False):
                self._assign(function, self._given(of, name), argument)
            self._flows.append((self._return(of), result))
            unite(result.leads_to(), self._return(of).leads_to())
        if found:
            return
        for argument in given if _LAUNCHES.match(known) else []:
            if argument.startswith("&"):
                self._give(function, argument[1:])
        for argument in given if not _LAUNCHES.match(known) else []:
            self._assign(function, result, argument)  # a function of the course may return what it is given
        if known.rpartition("::")[2] == "__ldg":
            self._flows.append((self._place(function, "*" + given[0]), result))

    def _give(self, function: Function, argument: str) -> None:
        """What a launch is given goes to the parameters of kernels that have its type."""
        for base, depth in self._types(function, argument):
            pointers = [(name, cell) for (name, stars), cell in self._launched.items() if stars == depth > 0]
            alike = [cell for name, cell in pointers if name == base or self._bits(name) == self._bits(base) != 0]
            bytes_too = [cell for name, cell in pointers if name == "void"]
            for cell in [*alike, *bytes_too] if alike else [cell for _, cell in pointers]:
                self._assign(function, cell, argument)

    # ---- rules ---------------------------------------------------------------------------------------------------

    def _judge(self, function: Function, text: str) -> None:
        if text.startswith("# ") or re.match(r"return(?: |$)", text):
            return
        if text.startswith(("if (", "switch (")):
            self._none(function, text, "a sum decides what is done")
        elif call := call_in(text):
            self._judge_call(function, text, call)
        elif _THROUGH.match(text.partition(" = ")[2] or text) or "OBJ_TYPE_REF" in text:
            raise Broken("a function is called by a pointer to it")
        elif " = " in text:
            to, _, of = text.partition(" = ")
            for index in re.findall(r"\[((?!\()[^\[\]]*)\]", text):
                self._none(function, index, "a sum decides which element is used")
            self._judge_value(function, to, of)
            for side in (to, of):
                self._judge_memory(function, side)
            for value in self._operands(of):
                if is_name(to):
                    self._judge_pointer(function, self._types(function, to), self._value(function, to), value)

    def _none(self, function: Function, text: str, words: str) -> None:
        if any(self._value(function, name).root().is_sum for name in NAME.findall(text)):
            raise Broken(words)

    def _judge_value(self, function: Function, to: str, of: str) -> None:
        """The operators that a sum may have."""
        operands = self._operands(of)
        sums = [value for value in operands if NAME.search(value) and self._is_read(function, value)]
        if not sums:
            return
        if _is_special(of):
            raise Broken("a sum has an operator that is no addition")
        if "(" in of and not of.startswith("(*"):
            before, after = self._number(function, sums[0]), self._number(function, to)
            if not (before and after and after >= before):
                raise Broken("a sum becomes another type of number")
        elif len(operands) == 2 or of != operands[0]:
            how = of[len(operands[0]) :].split(maxsplit=1)[0] if len(operands) == 2 else of
            if how not in ("+", "-", "*") or (how == "*" and len(sums) > 1):
                raise Broken("a sum has an operator that is no addition")
            if self._number(function, to) != 64:
                raise Broken("an addition of sums has fewer than 64 bits")

    def _is_read(self, function: Function, value: str) -> bool:
        return not value.startswith("&") and self._place(function, value).root().is_sum

    def _judge_memory(self, function: Function, text: str) -> None:
        """Numbers in one memory have one size."""
        name = NAME.search(text)
        if "MEM" in text and re.search(r"\b(?:struct|union)\b", text):
            raise Broken("memory is read as a struct")
        if text.startswith("&") or not name or not self._place(function, text).root().is_sum:
            return
        if "MEM" in text:
            raise Broken("memory that holds sums is read as something else")
        cell = self._place(function, text).root()
        fields = _FIELD.findall(text)
        if not fields:
            cell.bits |= {self._bits(base) for base, _ in self._types(function, name[0])}
        if len(cell.bits) > 1 or 0 in cell.bits:
            raise Broken("memory that holds sums is read as something else")

    def _judge_pointer(self, function: Function, to: set[tuple[str, int]], cell: Cell, of: str) -> None:
        """A pointer to a struct is never one to something else, nor is a pointer to sums, except to bytes and back."""
        place = of.lstrip("&")
        stars = of.startswith("&")
        name = NAME.search(place)
        if stars and name and _FIELD.search(place) and not place.endswith("]"):
            members = [self._members.get(base, set()) for base, _ in self._types(function, name[0])]
            if any(self._cell("field", member).is_sum for member in set().union(*members)):
                raise Broken("a pointer to a member of a struct can reach its sums")
        kinds = {(b, d + stars) for b, d in self._types(function, place)} if is_name(place) else set()
        for base, depth in to:
            behind = cell.leads_to()
            if depth and "struct" in base and behind.is_sum:
                raise Broken("sums are read as members")
            for other, others in kinds:
                alike = base == other or self._bits(base) == self._bits(other) != 0
                is_of_struct, is_of_bytes = "struct" in base + other, bool({base, other} & _BYTES)
                if depth and others and not alike and (is_of_struct or (behind.is_sum and not is_of_bytes)):
                    raise Broken("a pointer to sums or to a struct becomes one to something else")

    def _judge_call(self, function: Function, text: str, call: re.Match[str]) -> None:
        found, known, _ = self._callees(text, call)
        given = arguments_of(text, call)
        short = known.rpartition("::")[2].strip()
        if _LAUNCHES.match(known):
            self._none(function, ", ".join(given), "a launch gets a sum")
        for of in found:
            for (kind, name), argument in zip(of.parameters, given, strict=False):
                self._judge_pointer(function, {self._type(kind)}, self._given(of, name), argument)
        if found or _LAUNCHES.match(known) or _SHOWS.match(known) or _ALLOCATES.fullmatch(short):
            return
        for i, argument in enumerate(given):
            is_moved = short == "combine" or (re.match(r"__shfl\w*_sync", short) and i == 1)
            if not NAME.search(argument) or (short == "__ldg" and i == 0):
                continue
            if self._is_read(function, argument) and not is_moved:
                raise Broken(f"{short}() gets a sum")
            if self._is_number(function, argument):
                continue
            at = self._place(function, argument.lstrip("&"))
            behind = at if argument[0] == "&" else at.leads_to()
            if behind.root().is_sum:
                raise Broken(f"{short}() gets a pointer to sums")
