"""Reads the output of g++ -fdump-tree-ssa-lineno-uid at -O0: the statements of each function, with the types of its
variables. dump.py reads another dump, for names only."""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

_HEAD = re.compile(r"^;; Function (?P<name>.*) \((?P<symbol>[^\s,()]+), funcdef_no=\d+, decl_uid=(?P<uid>\d+)")
_PLACE = re.compile(r"\[([^\[\]\s][^\[\]]*?):(\d+):(\d+)(?: discrim \d+)?\] ?")
_DECLARED = re.compile(
    r"^  (?P<type>.*?[ *&])(?P<name>[\w.$#]*D\.\d+|[\w.$#]*_\d+)(?P<dims>(?:\[[^\]]*\])*)(?: = .*)?;$"
)
CALL = re.compile(r"D\.(\d+) \(")
NAME = re.compile(
    r"(?:[^\W\d]|\$)[\w.$#]*?D\.\d+|D\.\d+(?:_\d+)?(?:\(D\))?|(?:[^\W\d]|\$)[\w.$#]*_\d+(?:\(D\))?|_\d+(?:\(D\))?"
)
_IDENTITIES = frozenset(("std::forward", "std::move", "std::as_const", "std::addressof", "std::__addressof"))
_OF_COURSE = re.compile(r"^(?:simt/include/|labs/)")
UID = re.compile(r"D\.\d+")
_USE = re.compile(r"(?:^|= )?([^=]*?)D\.(\d+)")
_REMARK = re.compile(r"; \[[a-z ]+\]$")  # as on a call: [return slot optimization], which follows the size of a struct
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_JUMP = re.compile(r"goto <bb (\d+)>")
# No variable can be taken for one of these: a name ends with its number.
_LABEL = re.compile(r"<L\d+>:|[\w.$]+:$")
_NO_STATEMENT = re.compile(rf"<bb |{_LABEL.pattern}|//|goto |else$|resx \d|GIMPLE_NOP|$|[{{}}]$")
_ENDS = re.compile(r"(?:goto|switch|return|resx) |return;|__builtin_unreachable|\}$")
_LETTERS = str.maketrans("0123456789", "ghijklmnop")


@dataclass
class Statement:
    """One statement, without places."""

    file: str
    line: int
    text: str
    is_volatile: bool = False


@dataclass
class Block:
    """Statements that run one after the other, also those that only end a variable's life."""

    statements: list[Statement] = field(default_factory=list)
    targets: set[int] = field(default_factory=set)
    has_label: bool = False  # a switch may lead here
    falls_through: bool = True

    def add(self, statement: Statement) -> None:
        body = statement.text
        self.targets.update(int(target) for target in _JUMP.findall(body))
        self.has_label |= _LABEL.match(body) is not None
        self.falls_through = _ENDS.match(body) is None
        self.statements.append(statement)


@dataclass
class Declared:
    """What the lines before the code say of a function."""

    result: str = ""
    parameters: list[tuple[str, str]] = field(default_factory=list)  # type and name
    types: dict[str, set[str]] = field(default_factory=dict)  # by name; SSA names have their variable's type
    lengths: dict[str, int] = field(default_factory=dict)  # of arrays with one dimension
    arrays: set[str] = field(default_factory=set)
    is_kernel: bool = False
    is_on_device: bool = False  # by its own specifier; a lambda in device code has none


@dataclass
class Function:
    """A function with its code. Most functions of a dump are never looked at, so the lines are read when they are
    needed."""

    name: str
    symbol: str  # its name in the assembler
    uid: str
    head: list[str] = field(default_factory=list)  # the lines before the code
    code: list[str] = field(default_factory=list)

    @cached_property
    def _declared(self) -> Declared:
        declared = Declared()
        for line in self.head:
            _declaration(self, declared, line)
        return declared

    @property
    def result(self) -> str:
        return self._declared.result

    @property
    def parameters(self) -> list[tuple[str, str]]:
        return self._declared.parameters

    @property
    def types(self) -> dict[str, set[str]]:
        return self._declared.types

    @property
    def lengths(self) -> dict[str, int]:
        return self._declared.lengths

    @property
    def arrays(self) -> set[str]:
        return self._declared.arrays

    @property
    def is_kernel(self) -> bool:
        return self._declared.is_kernel

    @property
    def is_on_device(self) -> bool:
        return self._declared.is_on_device

    @cached_property
    def statements(self) -> list[Statement]:
        return [statement for _, statement in self._lines if _is_kept(statement.text)]

    @cached_property
    def named(self) -> list[tuple[str, str]]:
        """The numbers and names that its statements name, in their order."""
        return [(use[2], use[1]) for statement in self.statements for use in _USE.finditer(statement.text)]

    @cached_property
    def blocks(self) -> dict[int, Block]:
        """In their order."""
        found: dict[int, Block] = {}
        for line, statement in self._lines:
            begins = re.match(r"  <bb (\d+)>", line)
            if begins:
                found[int(begins[1])] = Block()
            elif line.strip():
                found[next(reversed(found))].add(statement)
        return found

    @cached_property
    def after(self) -> dict[int, list[int]]:
        """For each block, those that may follow it: first those that a jump names, in its order."""
        found, numbers = {}, list(self.blocks)
        labelled = [number for number, block in self.blocks.items() if block.has_label]
        for number, following in zip(numbers, [*numbers[1:], None], strict=True):
            texts = [statement.text for statement in self.blocks[number].statements]
            named = [int(target) for text in texts for target in _JUMP.findall(text)]
            if any(text.startswith(("switch (", "goto ")) and "<bb" not in text for text in texts):
                named += labelled
            falls = self.blocks[number].falls_through and following is not None
            found[number] = [*named, following] if falls and following else named
        return found

    @cached_property
    def _lines(self) -> list[tuple[str, Statement]]:
        """Each line of the code, and what it says. One without a place has that of the statement before."""
        lines = []
        at = "", 0
        for line in (_STRING.sub(_mark, line) for line in self.code):
            place = _PLACE.search(line)
            body = _PLACE.sub("", line).replace(" ={v} ", " = ").replace("[0:0] ", "").strip()
            body = _REMARK.sub(";", body)
            here = (place[1], int(place[2])) if place else at
            if _is_kept(body):
                at = here
            lines.append((line, Statement(*here, body, " ={v} " in line)))
        return lines

    def short(self) -> str:
        """Its name without template arguments and parameters. The function that initializes a file's variables has the
        symbol of the file's first function in its name, and so the types of that one's parameters."""
        return re.split(r"[<(]|(?<=^_GLOBAL__sub_I)_", self.name)[0]

    @cached_property
    def is_of_course(self) -> bool:
        placed = [s for s in self.statements if s.file]
        return not self.statements or (bool(placed) and all(_OF_COURSE.match(s.file) for s in placed))

    @cached_property
    def is_identity(self) -> bool:
        """Is it one of the library's functions that return their argument? A dump calls the types of these functions'
        parameters `type`, whatever they are."""
        return self.short() in _IDENTITIES and self.is_of_library

    @cached_property
    def is_of_library(self) -> bool:
        return all(s.file.startswith("/") for s in self.statements if s.file)

    @cached_property
    def where(self) -> str:
        return f"{self.statements[0].file}:{min(s.line for s in self.statements)}"


def split(text: str) -> list[str]:
    """Splits at the commas that are not in brackets."""
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        if c in "([{<":
            depth += 1
        elif c in ")]}>" and not (c == ">" and text[i - 1] == "-"):
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[begin:i].strip())
            begin = i + 1
    last = text[begin:].strip()
    return [*parts, last] if last else parts


def call_in(text: str) -> re.Match[str] | None:
    """The call in a statement; none where its words only look like one."""
    call = CALL.search(text)
    return None if call and text[call.end() :].startswith("*<") else call


def arguments_of(text: str, call: re.Match[str]) -> list[str]:
    """The arguments of a call in this text."""
    return split(text[call.end() :].rpartition(")")[0])


def read(text: str) -> Iterator[Function]:
    """All functions of a dump."""
    function: Function | None = None
    for line in text.splitlines():
        head = _HEAD.match(line) if line.startswith(";;") else None
        if head:
            if function:
                yield function
            function = Function(head["name"], head["symbol"], head["uid"])
        elif function and (function.code or line.startswith("  <bb ")):
            function.code.append(line)
        elif function:
            function.head.append(line)
    if function:
        yield function


def _declaration(function: Function, declared: Declared, line: str) -> None:
    """Reads a line before the code: the declaration of the function or of a variable."""
    if line.startswith("__attribute__"):
        declared.is_kernel |= '"__global__ ' in line
        declared.is_on_device |= '"__global__ ' in line or '"__device__ ' in line
    if not declared.result and f"D.{function.uid} (" in line and not line.startswith("__attribute__"):
        before, _, after = line.partition(f"D.{function.uid} (")
        declared.result = before.removesuffix(function.name)
        for parameter in split(after.rstrip(")")):
            found = re.search(r"([\w.$#]*D\.\d+)$", parameter)
            if found:
                declared.parameters.append((parameter[: found.start()], found[1]))
                declared.types.setdefault(variable(found[1]), set()).add(parameter[: found.start()])
        return
    found = _DECLARED.match(line)
    if found:
        declared.types.setdefault(variable(found["name"]), set()).add(found["type"])
        declared.types.setdefault(found["name"], set()).add(found["type"])
        length = re.fullmatch(r"\[(\d+)\]", found["dims"])
        if length:
            declared.lengths[found["name"]] = int(length[1])
        if found["dims"]:
            declared.arrays.add(found["name"])


def _is_kept(body: str) -> bool:
    """Is a line of the code more than a mark, a jump, or the end of a variable's life?"""
    return not ("{CLOBBER" in body or _NO_STATEMENT.match(body))


def _mark(string: re.Match[str]) -> str:
    """What stands for a string, whose text must not be read as code: two are equal if their texts are."""
    return f'"{zlib.crc32(string[0].encode()):x}"'.translate(_LETTERS)


@lru_cache(None)
def variable(name: str) -> str:
    """r for r_27(D) and for rD.27982. An SSA name has the type of its variable; one without a variable has its own."""
    name = name.removesuffix("(D)")
    plain = re.fullmatch(r"(.*?)_\d+", name)
    if plain and plain[1] and not plain[1].startswith("_"):
        return plain[1]
    if plain and plain[1]:
        return plain[1]
    return re.sub(r"D\.\d+$", "", name) or name


def is_name(text: str) -> bool:
    """Is this the name of a variable as a whole? NAME also matches a.b, which is a member."""
    return NAME.fullmatch(text) is not None and not re.search(r"D\.\d+\.", text)


class Functions:
    """The functions of a dump."""

    def __init__(self, functions: list[Function]) -> None:
        self._by_uid = {f.uid: f for f in functions}
        self._by_symbol = {f.symbol: f for f in functions}
        self._by_name: dict[str, list[Function]] = {}
        for f in functions:
            self._by_name.setdefault(f.name, []).append(f)

    def called(self, uid: str, name: str) -> list[Function]:
        """The functions that a call may mean. The code of a constructor has another number than its calls, so all
        functions with the name are returned."""
        found = self._by_uid.get(uid)
        return [found] if found else self._by_name.get(name.strip(), [])

    def all(self) -> list[Function]:
        return list(self._by_uid.values())

    def symbol(self, symbol: str) -> Function | None:
        return self._by_symbol.get(symbol)


class Broken(Exception):
    """A statement that breaks a rule. `premise` is the premise of the theorem that fails."""

    def __init__(self, words: str, premise: str = "parametric") -> None:
        super().__init__(words)
        self.premise = premise
