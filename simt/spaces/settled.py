"""Variables of numbers that are read before they are set, on some path. Those that g++ keeps in registers have a name
that says so; these are the others: their address is taken, or they are structs or arrays."""

import re
from collections.abc import Callable

from kinds import ELEMENT, Kind, Kinds
from single import bytes_of
from statements import NAME, Block, Broken, Function, Functions, Statement, arguments_of, call_in, split, variable

_LOCAL = re.compile(r"[A-Za-z_]\w*D\.\d+")
_BEHIND = "behindD.0"  # stands for what a parameter leads to
# Functions of the runtime that set what their first argument leads to.
_SETS = re.compile(r"cuda(?:Malloc\w*|HostAlloc|Memcpy\w*|Memset\w*|(?:Stream|Event)Create\w*)|mem(?:cpy|move|set)")
_CREATES = r"cuda(?:(?:Stream|Event)Create\w*|Malloc\w*(?:<[^()]*>)?)"
_CONSTRUCTS = re.compile(r"(?:\w+::)*(\w+)::\1")
_MEMBER = re.compile(rf"({NAME.pattern})(?:\.|->)([\w.$#]*?D\.\d+)")
State = frozenset[str]  # variables, or members of them, that are set


def _without_arguments(name: str) -> str:
    """a::b::c for a::b<x>::c<y<z>>: the name of a function without the arguments of templates."""
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    return name


class _Path:
    """What is asked of one function."""

    def __init__(
        self,
        function: Function,
        names: set[str],
        busy: frozenset[str],
        members: Callable[[str], set[str]],
        kinds: Kinds,
    ) -> None:
        self.function = function
        self.members = members  # of a variable, by all functions
        self.kinds = kinds
        self.busy = busy  # symbols of functions that wait for the answer
        member = r"(?:\.[\w.$#]*?D\.\d+|\[[^\]]*\])*"
        one_of = "|".join(map(re.escape, sorted(names)))
        self.pattern = re.compile(rf"(?P<address>&?)(?<![\w.$#])(?P<name>{one_of})\b(?P<rest>{member})")
        # Arrays that a loop fills. In device code, the device checks each access to those that cudac shows to it, and
        # loops.py sees that all words are set. In host code, nothing sees whether all of an array is set.
        texts = [s.text for b in function.blocks.values() for s in b.statements]
        filled = re.compile(rf"((?:{one_of})(?:\.[\w.$#]*?D\.\d+)*)(?:{member})\[(?!\d+\])[^=]* = ")
        created = re.compile(rf"(\S+) = &({one_of})\[(?!\d+\])[^\]]*\];")
        self.filled = {m[1] for text in texts if (m := filled.match(text)) and self._is_allowed(m)}
        for found in filter(None, map(created.fullmatch, texts)):
            uses = [t for t in texts if re.search(rf"(?<![\w.]){re.escape(found[1])}(?!\w)", t) and t != found[0]]
            if all(re.match(rf"(?:\S+ = )?{_CREATES}D\.\d+ \({re.escape(found[1])}[,)]", t) for t in uses):
                self.filled.add(found[2])
        # The names of addresses that are only arguments of calls; there the addresses stand for them.
        self.addresses: dict[str, str] = {}
        for found in filter(None, (re.fullmatch(r"(_\d+) = (&\S+);", text) for text in texts)):
            uses = [t for t in texts if re.search(rf"(?<![\w.]){found[1]}(?!\w)", t) and t != found[0]]
            if self.pattern.fullmatch(found[2]) and all(self._is_argument(t, found[1]) for t in uses):
                self.addresses[found[1]] = found[2]

    @staticmethod
    def _is_argument(text: str, name: str) -> bool:
        call = call_in(text)
        return call is not None and name in arguments_of(text.rstrip(";"), call)

    def with_addresses(self, text: str) -> str:
        """The statement with the addresses in the places of their names; nothing where it gives one its name."""
        if re.match(r"_\d+ = &", text) and text.partition(" = ")[0] in self.addresses:
            return ""
        return re.sub(r"(?<![\w.])_\d+(?!\w)", lambda name: self.addresses.get(name[0], name[0]), text)

    def is_set(self, found: re.Match[str], state: State) -> bool:
        whole, name = found["name"] + found["rest"], found["name"]
        state |= self.filled
        length = self.function.lengths.get(name, 0)
        members = self.members(name)
        return (
            any(whole == key or whole.startswith((key + ".", key + "[")) for key in state)
            or (length > 0 and all(f"{name}[{i}]" in state for i in range(length)))
            or (len(members) > 0 and all(f"{name}.{member}" in state for member in members))
        )

    def is_element(self, text: str) -> bool:
        """Is an expression an element, or elements only? What nothing has set is a pattern there, and no number."""
        return self.kinds.is_of_elements(self.kinds.typed(self.function, text)[0])

    def must_be_set(self, found: re.Match[str], state: State) -> None:
        whole = found["name"] + found["rest"]
        if not self.is_set(found, state) and not self.is_element(whole):
            array = re.match(r"(.*?)\[(?!\d+\])", whole)
            what = f"an element of {array[1]} may be" if array else f"{whole} is"
            raise Broken(f"{re.sub(r'D[.][0-9]+', '', what)} read before anything has set it", "closed")

    def _is_allowed(self, found: re.Match[str]) -> bool:
        """May a loop fill this array? One of words, in a union, or a variable of host code."""
        text = found[0]
        if _LOCAL.fullmatch(found[1]) and not self.function.is_on_device:
            return True
        ends = [at.start() for at in re.finditer(r"\.[\w$#]*?D\.|\[", text)]
        kinds = (self.kinds.typed(self.function, text[:end])[0] for end in ends)
        return any(kind is not None and kind.base.startswith("union ") for kind in kinds)


class Settled(Kinds):
    """A part of rule 4 of parametric.py, for the functions of one dump."""

    def __init__(self, functions: Functions, source: str) -> None:
        super().__init__(functions, source)
        self._of_struct: dict[str, set[str]] = {}

    def settled(self, function: Function) -> None:
        """Raises Broken with the place."""
        names = {name for name in function.types if _LOCAL.fullmatch(name) and self._is_number(function, name)}
        if names:
            busy = frozenset((function.symbol,))
            self._follow(_Path(function, names, busy, lambda name: self._members(function, name), self))

    def _members(self, function: Function, name: str) -> set[str]:
        """The members of a struct that some function names."""
        if not self._of_struct:
            for one in self.functions.all():
                for found in {found for s in one.statements for found in _MEMBER.findall(s.text)}:
                    self._of_struct.setdefault(self._struct(one, found[0]), set()).add(found[1])
        return self._of_struct.get(self._struct(function, name) or "none", set())

    def _struct(self, function: Function, name: str) -> str:
        """What its struct is called; empty when it has none. Structs of the runtime such as dim3 count as numbers, and
        have one name each."""
        kind = self.declared(function, name)
        if kind and kind.base.startswith("struct "):
            return kind.base
        found = re.search(r"\bstruct ([\w:]+?)D\.\d+", " ".join(function.types.get(name, ())))
        return found[1] if kind and found else ""

    def _is_number(self, function: Function, name: str) -> bool:
        texts = function.types[name]
        is_other = any(text.startswith(("static ", "extern ")) for text in texts)
        is_given = any(name == given for _, given in function.parameters)
        return not is_other and not is_given and any(self.kind(text) != Kind(ELEMENT, 0) for text in texts)

    def _follow(self, path: _Path, at_first: State = frozenset()) -> State:
        """Goes along all paths until nothing changes. The answer is what is set where the function returns."""
        blocks = path.function.blocks
        numbers = list(blocks)
        begins: dict[int, State] = {numbers[0]: at_first}
        ends: dict[int, State] = {}
        todo = [numbers[0]]
        while todo:
            number = todo.pop()
            block, state = blocks[number], begins[number]
            for statement in block.statements:
                state = self._after(path, statement, state)
            texts = [statement.text for statement in block.statements]
            if any(text.startswith(("return ", "return;")) for text in texts):
                ends[number] = state
            for target in path.function.after[number]:
                after = state & begins.get(target, state)
                if after != begins.get(target):
                    begins[target] = after
                    todo.append(target)
        return frozenset.intersection(*ends.values()) if ends else frozenset()

    def _after(self, path: _Path, statement: Statement, state: State) -> State:
        text = path.with_addresses(statement.text.rstrip(";"))
        if not path.pattern.search(text):
            return state
        to, _, of = text.partition(" = ") if not text.startswith("if (") else ("", "", text)
        into = path.pattern.fullmatch(to)
        if "{CLOBBER" in of:  # of a variable, or of what a constructor makes: nothing of it is set
            names = {found["name"] + found["rest"] for found in path.pattern.finditer(to)}
            return frozenset(k for k in state if not any(k == n or k.startswith((n + ".", n + "[")) for n in names))
        sets: State = frozenset()
        try:
            if call := call_in(text):
                sets = self._called(path, text, call, state)
            else:
                for found in path.pattern.finditer(of if into else text):
                    path.must_be_set(found, state)
        except Broken as broken:
            where = "" if re.search(r":\d+: ", str(broken)) else f"{statement.file}:{statement.line}: "
            raise Broken(f"{where}{broken}", broken.premise) from None
        if into and not into["address"]:
            sets |= {to}
        return state | {self._whole(path.function, key) for key in sets}

    def _whole(self, function: Function, key: str) -> str:
        """Of a union each member is all."""
        name = _LOCAL.match(key)
        kind = self.declared(function, name[0]) if name else None
        return name[0] if name and kind and kind.base.startswith("union ") else key

    def _called(self, path: _Path, text: str, call: re.Match[str], state: State) -> State:
        name = text[: call.start()].rpartition(" = ")[2]
        of = next(iter(self.functions.called(call[1], name)), None)
        short = _without_arguments(of.name if of else name.lstrip("*").strip()).partition("(")[0]
        if short == "simt::__local_array::__local_array":  # it shows a variable to the device
            return frozenset(argument.lstrip("&") for argument in split(text[call.end() :])[:2])
        sets: State = frozenset()
        for i, argument in enumerate(arguments_of(text, call)):
            for found in path.pattern.finditer(argument):
                whole = found["name"] + found["rest"]
                is_place = bool(found["address"]) and found.end() == len(argument)
                if path.is_set(found, state):
                    continue
                if path.is_element(whole):
                    sets |= {whole}
                    continue
                is_known = of is None or of.is_of_course
                if is_place and i == 0 and is_known and (_SETS.fullmatch(short) or _CONSTRUCTS.fullmatch(short)):
                    if self._is_whole(path.function, found["name"], short, arguments_of(text, call)):
                        sets |= {whole}
                elif is_place and of and i < len(of.parameters):
                    if of.symbol in path.busy:
                        raise Broken(f"{re.sub(r'D[.][0-9]+', '', whole)} may be read before it is set", "closed")
                    known = frozenset(key.replace(whole, _BEHIND, 1) for key in state if key.startswith(whole))
                    sets |= {key.replace(_BEHIND, whole, 1) for key in self._sets(of, i, path.busy, known)}
                else:
                    path.must_be_set(found, state)
        return sets

    @staticmethod
    def _is_whole(function: Function, name: str, called: str, given: list[str]) -> bool:
        """Does a call set all of an array of numbers? The third argument is a number of bytes."""
        length = function.lengths.get(name)
        size = max((bytes_of(text, 1) for text in function.types.get(name, ())), default=1)
        sets_bytes = re.fullmatch(r"(?:cudaM|m)em(?:cpy|move|set)\w*", called) is not None
        return length is None or not sets_bytes or (given[2].isdigit() and int(given[2]) >= length * size)

    def _sets(self, function: Function, i: int, busy: frozenset[str], known: State) -> State:
        """What is set of what a parameter leads to when it returns, on each path, where `known` was before. Raises
        Broken where it reads something else before, or where the parameter goes somewhere else."""
        name = function.parameters[i][1]
        pointer = rf"(?:{re.escape(name)}|(?<![\w.$#]){re.escape(variable(name))}_\d+\(D\))"
        stands = Function(function.name, function.symbol, function.uid)
        for number, block in function.blocks.items():
            stands.blocks[number] = Block([], block.targets, block.has_label, block.falls_through)
            for statement in block.statements:
                text = re.sub(rf"\*{pointer}", _BEHIND, statement.text)
                text = re.sub(rf"{pointer}->", _BEHIND + ".", text)
                text = re.sub(pointer, "&" + _BEHIND, text)
                stands.blocks[number].statements.append(Statement(statement.file, statement.line, text))
        members = self._members(function, name)
        return self._follow(_Path(stands, {_BEHIND}, busy | {function.symbol}, lambda _: members, self), known)
