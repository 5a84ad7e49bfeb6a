"""Follows pointers to elements, and checks the functions that a part calls."""

import re
from collections.abc import Callable
from copy import copy

from addresses import Addresses
from carried import Carried
from kinds import BYTES, SCALAR, VOID, Kind
from loops import Loops
from objects import Section
from order import Order
from settled import Settled
from single import Single
from statements import NAME, UID, Broken, Function, arguments_of, call_in, is_name, split, variable
from sums import Sums
from words import SHUFFLE

_THROUGH = re.compile(r"^(?P<callee>\S+) \(")
_OPERATORS = frozenset(
    (
        "+",
        "-",
        "*",
        "/",
        "%",
        "&",
        "|",
        "^",
        "<<",
        ">>",
        "==",
        "!=",
        "<",
        ">",
        "<=",
        ">=",
        "r<<",
        "r>>",
        "/[ex]",
        "unord",
        "ord",
        "u<",
        "u>",
        "u<=",
        "u>=",
        "u==",
        "<>",
    )
)
# Runtime functions that handle memory without regard to its type. Both ends of a copy are checked.
_MEMORY = frozenset(
    (
        "cudaMalloc",
        "cudaMallocAsync",
        "cudaFree",
        "cudaFreeAsync",
        "cudaFreeHost",
        "free",
    )
)
# Other functions that a part may call although no header defines them: their effects depend only on their arguments.
_CLOSED = re.compile(
    r"cuda(?:Memset\w*|Memcpy(?:Async)?|DeviceSynchronize|GetLastError|PeekAtLastError|GetError(?:String|Name)"
    r"|Stream(?:Create\w*|Destroy|Synchronize|WaitEvent)|Event(?:Create\w*|Destroy|Record|Synchronize)"
    r"|Launch(?:Cooperative)?Kernel|FuncSetAttribute)"
    r"|simt_(?:launch_bounds|thread_returns|local_begin|local_end)|mem(?:cpy|move|set|cmp)"
    r"|f?printf|puts|abort|_?exit|_Exit|__assert_fail"
    r"|__builtin_(?:unreachable|trap)|u?abs|labs|f?(?:min|max)f?"
)
# What else the code that g++ makes may need: the device, the linker, arithmetic and the ends of scopes.
_OUTSIDE = re.compile(
    r"|simt_\w+|__tsan_\w+|_GLOBAL_OFFSET_TABLE_|__tls_get_addr|__stack_chk_fail|std(?:out|err)|__aarch64_\w+"
    r"|__[a-z]+(?:[sdt][if])+[234]?|_Unwind_Resume|__cxa_(?:atexit|guard_\w+|finalize)|__dso_handle|_ZSt\d+__throw_\w+"
)
_PRINTS = re.compile(r"f?printf|puts")
_RUNTIME = re.compile(r"(?<![\w:])simt_\w+D\.\d+\b(?! \()")
_COPIES = frozenset(("cudaMemcpy", "cudaMemcpyAsync"))
_BYTE_COPIES = frozenset(("memcpy", "memmove"))
_FILLS = frozenset(("cudaMemset", "cudaMemsetAsync"))
_COOPERATIVE = frozenset(("cudaLaunchCooperativeKernel", "cudaLaunchKernel"))
_LAUNCH = re.compile(r"(?:\S+ = )?cudaLaunch(?:Cooperative)?Kernel(?:<.*>)?D\.\d+ \(")


class Rules(Addresses, Carried, Loops, Order, Settled, Single):
    """Rules 1, 2 and 4 of parametric.py for the functions of one dump."""

    # Of the part that is judged, if it gets no elements. They may be unset on some path: what nothing has set is a
    # pattern in the builds that run, and with that no sum is right.
    sums: Sums | None = None

    def check(self, functions: list[Function]) -> None:
        """Raises Broken with the place of the violation."""
        self.reached = functions
        self.carried.clear()
        self.alike.clear()
        known = -1
        while known < len(self.fields) + len(self.holders):  # what a later function says is true for an earlier one
            known = len(self.fields) + len(self.holders)
            self._check_each(functions)
        self.none_named()
        self.carry_alike(functions)
        self.stay(functions)
        for function in functions:
            self.settled(function)
            self.ordered(function)
        for function in functions if self.has_unions else []:
            words = self.words(function)
            self.each(function, lambda text: self.moves(function, text, words))  # noqa: B023
            self.whole(function, words)

    def _check_each(self, functions: list[Function]) -> None:
        for function in functions:
            self.each(function, lambda text: self.closed(function, text))  # noqa: B023
            storage, arguments = self.raw_storage(function), self.launch_arguments(function)
            # The file's names for dynamic shared memory: its kernels show what is done with it.
            names = {s.line for s in function.statements if "dynamic_shared_memory::operator" in s.text}
            rest = function
            if function.name.startswith("__static_initialization") and names:
                rest = copy(function)
                rest.statements = [s for s in function.statements if s.line not in names]
            self.each(rest, lambda text: self.statement(function, text, storage, arguments))  # noqa: B023
            self.copied(function)

    def closed(self, function: Function, text: str) -> None:
        """Rule 4 for one statement."""
        given = {variable(name) for _, name in function.parameters}
        for name in NAME.findall(text):
            may_be_unset = self.sums is not None and self.sums.meets(function, text)
            if name.endswith("(D)") and variable(name) not in given and not may_be_unset:
                raise Broken(f"{variable(name)} is read before anything has set it", "closed")
        self.compared(function, text)
        for name in re.findall(r"\*(?=([\w.$]+))|([\w.$]+)->", text):
            texts = function.types.get(name[0] or name[1], set()) | function.types.get(
                variable(name[0] or name[1]), set()
            )
            if any(re.search(r"\bFILED\.", text) for text in texts):
                raise Broken("what the system keeps of a file is read", "closed")
        if any(name not in function.types for name in _RUNTIME.findall(text)):
            raise Broken("a function of the device is used as a value", "closed")
        if self._depends_on_sign(function, text):
            raise Broken("the sign of a char is not the same on every machine", "closed")
        if call := call_in(text):
            name = text[: call.start()].rpartition(" = ")[2]
            of = next(iter(self.functions.called(call[1], name)), None)
            short = of.short() if of else name.lstrip("*").strip()
            if short.startswith("__cvta_"):
                raise Broken("an address becomes a number, or a number an address", "closed")
            if (
                (of is None or short.startswith("cuda"))
                and "::" not in short
                and not (_CLOSED.fullmatch(short) or short in _MEMORY)
            ):
                raise Broken(f"the results of {short}() need not follow from n and the arrays", "closed")
            if " = " in text[: call.start()] and _PRINTS.fullmatch(short):
                raise Broken(f"the result of {short}() depends on where it prints to", "closed")
            return
        _, _, of_text = text.rstrip(";").partition(" = ")
        cast = re.match(r"\((?P<to>[^()]*)\) (?P<of>\S+)$", of_text)
        kind = self.typed(function, cast["of"])[0] if cast else None
        if cast and kind and self.kind(cast["to"]).is_address() != kind.is_address():
            which = "an address becomes a number" if kind.is_address() else "a number becomes an address"
            raise Broken(which, "closed")

    @staticmethod
    def _depends_on_sign(function: Function, text: str) -> bool:
        """Is the order of plain chars asked for, or is one computed with, or converted to a larger number? It may be
        copied, compared for equality, and converted to another type of one byte."""
        of = text.rstrip(";").removeprefix("switch").partition(" = ")[2] or text
        into = re.match(r"\(([^()]*)\) \S+$", of)
        is_alike = re.search(r" [!=]= ", of) or (into and UID.sub("", into[1]).strip() in BYTES)
        if call_in(text) or is_alike or not (into or re.search(r" [^\s\w]\S{0,3} |_EXPR <|^-", of)):
            return False
        kinds = (function.types.get(n) or function.types.get(variable(n)) or set() for n in NAME.findall(of))
        return any(
            {re.sub(r"D\.\d+|\b(?:const|static) ", "", kind).strip() for kind in of_name} == {"char"}
            for of_name in kinds
        )

    def outside(self, section: Section) -> None:
        """Rule 4, for what the code of a function or the value of a variable takes from elsewhere."""
        for name in section.uses:
            if isinstance(name, str) and not (
                _OUTSIDE.fullmatch(name) or _CLOSED.fullmatch(name) or name in _MEMORY or name in _COPIES
            ):
                of = next(filter(None, map(self.functions.symbol, section.symbols)), None)
                raise Broken(f"{of.where if of else section.name}: {name} is neither CUDA's nor the part's", "closed")

    @staticmethod
    def each(function: Function, rule: Callable[[str], None]) -> None:
        for statement in function.statements:
            try:
                if not statement.text.isascii():
                    raise Broken("a name has letters that this check cannot read")
                rule(statement.text)
            except Broken as broken:
                raise Broken(f"{statement.file}:{statement.line}: {broken}", broken.premise) from None

    def statement(
        self, function: Function, text: str, storage: dict[str, Kind], arguments: dict[str, dict[int, Kind]]
    ) -> None:
        text = text.rstrip(";")
        if "__asm__" in text:
            raise Broken("assembly can look at elements")
        if text.startswith(("if (", "switch (")):
            return
        if re.match(r"return(?: |$)", text):
            if text[6:].strip():
                self.meet(
                    (self.kind(function.result), ""),
                    self.typed(function, text[6:]),
                    "another type of pointer is returned",
                )
            return
        if text.startswith("# "):
            to, _, of = text[2:].partition(" = PHI <")
            for name in re.findall(r"(\S+?)\(\d+\)", of):
                self.meet(self.typed(function, to), self.typed(function, name), "pointers of two types meet")
            return
        if call := call_in(text):
            self.call(function, text, call, arguments)
            return
        to, _, of = text.partition(" = ")
        indirect = _THROUGH.match(of or to)
        if indirect and is_name(indirect["callee"]):
            for argument in split((of or to)[indirect.end() :].rstrip(")")):
                self.none_held(self.typed(function, argument), "a function gets elements by a pointer to it")
            return
        array = re.match(r"([\w.$#]*D\.\d+)\[\d+\]$", to)
        if of and not of.startswith("{") and variable(to) not in storage and not (array and array[1] in arguments):
            self.assign(function, to, of, storage)

    def assign(self, function: Function, to: str, of: str, storage: dict[str, Kind]) -> None:
        lookup = re.match(r"(?:VIEW_CONVERT_EXPR|BIT_FIELD_REF|REALPART_EXPR|IMAGPART_EXPR)", of)
        if lookup or to.startswith(("BIT_FIELD_REF", "VIEW_CONVERT_EXPR")):
            for name in NAME.findall(to + " " + of):
                self.none_held((self.declared(function, name), ""), "bytes of an element are read or written")
            return
        cast = re.match(r"\((?P<to>[^()]*|.*\) \(.*\))\) (?P<of>\S.*)$", of)
        if cast:
            if variable(cast["of"]) not in storage:
                self.meet(
                    (self.kind(cast["to"]), ""),
                    self.typed(function, cast["of"]),
                    "a pointer to elements becomes something else",
                )
            return
        binary = re.match(r"(\S+) (\S+) (\S+)$", of)
        if binary and binary[2] in _OPERATORS:
            if binary[2] == "+":
                left = self.typed(function, binary[1])
                if (left[0] and left[0].depth > 0) or left[0] is None:
                    self.meet(self.typed(function, to), left, "a pointer to elements becomes another one")
            return
        if not (NAME.search(of) or of.startswith(('"', '&"'))) or variable(of) in storage:
            return
        self.meet(self.typed(function, to), self.typed(function, of), "a pointer to elements becomes another one")

    def call(self, function: Function, text: str, call: re.Match[str], arguments: dict[str, dict[int, Kind]]) -> None:
        before, _, name = (
            text[: call.start()].rpartition(" = ") if " = " in text[: call.start()] else ("", "", text[: call.start()])
        )
        given = arguments_of(text, call)
        of = next(iter(self.functions.called(call[1], name)), None)
        # The names of the runtime's functions mean those; a function of the part may have the same name.
        short = of.short() if of else name.lstrip("*").strip().split(" ")[0]
        known = "" if of and not of.is_of_course else short
        if known in _MEMORY or SHUFFLE.match(known) or self._clears(function, known, given):
            return
        if ends := self._copied(of, known, before, given):
            bytes_of = "bytes of " if known in _BYTE_COPIES else ""
            words = f"copies {bytes_of}elements to something else" + (", or the other way round" if bytes_of else "")
            to, of_end = (self.typed(function, end) for end in ends)
            is_carried = (bytes_of or known in _COPIES) and to[0] and of_end[0] and self.carries(of_end[0], to[0])
            self.meet(of_end if is_carried else to, of_end, f"{short}() {words}")
            return
        if known in _COOPERATIVE:
            self.launch(function, given, arguments)
            return
        if of is None:
            for argument in given if not short.startswith("simt_") else []:
                self.none_held(self.typed(function, argument), f"{short}() gets elements, or a pointer to them")
            return
        if short.startswith("simt_") and function is not of:
            for argument in given:
                self.none_held(self.typed(function, argument), f"{short}() gets elements, or a pointer to them")
        # Of the constructors with one name, a dump does not say which is called: not one that takes an address where a
        # number is given, or the other way round, because their conversions are statements of their own.
        candidates = [
            [
                (self.kind(wanted), self.typed(function, argument))
                for (wanted, _), argument in zip(may_be.parameters, given, strict=False)
                if len(may_be.parameters) == len(given)
                and (argument != "<retval>" or self.kind(wanted).base != self.kind(function.result).base)
            ]
            for may_be in self.functions.called(call[1], name)
        ]
        possible = [
            pairs
            for pairs in candidates
            if all(got is None or (wanted.depth > 0) == (got.depth > 0) for wanted, (got, _) in pairs)
        ]
        pairs = [pair for pairs in possible or candidates for pair in pairs]
        for argument in given[len(of.parameters) :]:
            self.none_held(self.typed(function, argument), f"{short}() gets elements, or a pointer to them")
        if before:
            pairs.append((self.kind(of.result), self.typed(function, before)))
        carried = set(self.carried)
        for wanted, got in pairs:
            # A struct of a header has several names in a dump, and may be a base class.
            structs = got[0] and wanted.base.startswith("struct") and got[0].base.startswith("struct")
            if not (of.is_of_course and structs):
                self.meet((wanted, ""), got, f"a pointer to elements is another one in {short}()")
        self.carried = carried if of.is_of_course else self.carried  # the course reads no bytes through its parameters

    @staticmethod
    def _copied(of: Function | None, known: str, before: str, given: list[str]) -> tuple[str, str] | None:
        """Where a call copies to, and from where; its result is a copy, too."""
        if known in _COPIES | _BYTE_COPIES:
            return given[0], given[1]
        return (before or given[0], given[0]) if of is not None and of.is_identity else None

    def _clears(self, function: Function, known: str, given: list[str]) -> bool:
        """Are structs with elements set to a constant byte? On intervals, no result with such an element is right."""
        kind = self.typed(function, given[0])[0] if known in _FILLS and given[1].isdigit() else None
        return kind is not None and kind.base.startswith("struct ")

    # ---- three ways in which right code gives memory another type ------------------------------------------------

    def raw_storage(self, function: Function) -> dict[str, Kind]:
        """Arrays of bytes, such as an extern __shared__ one, that are used in exactly one other statement; with the
        type there."""
        found: dict[str, set[Kind]] = {}
        for name, texts in function.types.items():
            if any(UID.sub("", re.sub(r"\[.*?\]|&|\b(?:const|static)\b", "", t)).strip() in BYTES for t in texts):
                found[variable(name)] = set()
        bad: set[str] = set()
        for statement in function.statements:
            text = statement.text.rstrip(";")
            to, _, of = text.partition(" = ")
            names = {variable(name) for name in NAME.findall(text)} & found.keys()
            plain = of.lstrip("&")
            for name in names:
                if variable(to) == name and ("dynamic_shared" in of or variable(plain) in found):
                    continue
                kind = self.typed(function, to)[0] if variable(plain) == name and is_name(plain) else None
                if kind is None or not kind.holds():
                    bad.add(name)
                else:
                    found[name].add(kind)
        kinds = set().union(*(found[name] for name in found.keys() - bad)) if found else set()
        return {name: next(iter(kinds)) for name in found if name not in bad} if len(kinds) == 1 else {}

    def one_name(self, kernel: Function, functions: list[Function]) -> None:
        """Dynamic shared memory has one type in a kernel and the functions that it calls."""
        bases = set()
        for function in functions:
            storage = self.raw_storage(function)
            for statement in function.statements:
                to, _, of = statement.text.partition(" = ")
                if "dynamic_shared_memory::operator" in of:
                    kind = self.typed(function, to)[0]
                    bases.add(
                        next(iter(storage.values())).base
                        if kind and not kind.holds() and storage
                        else kind and kind.base
                    )
        if len(bases) > 1 and bases != {SCALAR}:
            raise Broken(f"{kernel.where}: dynamic shared memory has several types in {kernel.short()}()")

    def launch_arguments(self, function: Function) -> dict[str, dict[int, Kind]]:
        """The argument arrays of a cooperative launch: the kinds of their entries, by index."""
        arrays: dict[str, dict[int, Kind]] = {}
        for name, texts in function.types.items():
            if UID.search(name) and any(self.kind(t) == Kind(VOID, 1) for t in texts):
                arrays[name] = {}
        for statement in function.statements:
            text = statement.text.rstrip(";")
            for name in [n for n in arrays if n in text]:
                element = re.match(re.escape(name) + r"\[(\d+)\] = &(.*)$", text)
                kind = self.typed(function, element[2])[0] if element else None
                if element and kind:
                    arrays[name][int(element[1])] = kind
                elif not _LAUNCH.match(text) and not text.startswith(f"{name} = {{"):
                    arrays.pop(name)
        return arrays

    def launch(self, function: Function, given: list[str], arguments: dict[str, dict[int, Kind]]) -> None:
        uid = UID.search(given[0])
        kernel = next(iter(self.functions.called(uid[0][2:], "")), None) if uid else None
        array = next((arguments[n] for n in arguments if any(n in g for g in given)), None)
        if kernel is None or array is None:
            raise Broken("a launch gets its arguments in a way that this check cannot follow")
        for i, (wanted, _name) in enumerate(kernel.parameters):
            self.meet(
                (self.kind(wanted), ""), (array.get(i), ""), "a launch gives elements to a parameter of another type"
            )
