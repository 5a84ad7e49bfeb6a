"""Reads the output of g++ -fdump-tree-ssa-lineno-uid at -O0: the statements of each function, with the types of its
variables. dump.py reads another dump, for names only."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_HEAD = re.compile(r"^;; Function (?P<name>.*) \((?P<symbol>[^\s,()]+), funcdef_no=\d+, decl_uid=(?P<uid>\d+)")
_PLACE = re.compile(r"\[([^\[\]\s][^\[\]]*?):(\d+):(\d+)(?: discrim \d+)?\] ?")
_DECLARED = re.compile(
    r"^  (?P<type>.*?[ *&])(?P<name>[\w.$#]*D\.\d+|[\w.$#]*_\d+)(?P<dims>(?:\[[^\]]*\])*)(?: = .*)?;$"
)
CALL = re.compile(r"D\.(\d+) \(")
NAME = re.compile(
    r"[A-Za-z_$][\w.$#]*?D\.\d+|D\.\d+(?:_\d+)?(?:\(D\))?|[A-Za-z_$][\w.$#]*_\d+(?:\(D\))?|_\d+(?:\(D\))?"
)
_OF_COURSE = re.compile(r"^(?:simt/include/|labs/)")
UID = re.compile(r"D\.\d+")


@dataclass
class Statement:
    """One statement, without places."""

    file: str
    line: int
    text: str


@dataclass
class Block:
    """Statements that run one after the other, also those that only end a variable's life."""

    statements: list[Statement] = field(default_factory=list)
    targets: set[int] = field(default_factory=set)
    has_label: bool = False  # a switch may lead here
    falls_through: bool = True


@dataclass
class Function:
    """A function with its code."""

    name: str
    symbol: str  # its name in the assembler
    uid: str
    result: str
    parameters: list[tuple[str, str]]  # type and name
    types: dict[str, set[str]] = field(default_factory=dict)  # by name; SSA names have their variable's type
    lengths: dict[str, int] = field(default_factory=dict)  # of arrays
    statements: list[Statement] = field(default_factory=list)
    blocks: dict[int, Block] = field(default_factory=dict)  # in their order
    is_kernel: bool = False

    def short(self) -> str:
        """Its name without template arguments and parameters."""
        return re.split(r"[<(]", self.name)[0]

    def is_of_course(self) -> bool:
        placed = [s for s in self.statements if s.file]
        return not self.statements or (bool(placed) and all(_OF_COURSE.match(s.file) for s in placed))

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


def read(text: str) -> Iterator[Function]:
    """All functions of a dump."""
    function: Function | None = None
    code = False
    for line in text.splitlines():
        head = _HEAD.match(line)
        if head:
            if function:
                yield function
            function, code = Function(head["name"], head["symbol"], head["uid"], "", []), False
        elif function and code:
            _block(function, line)
            _statement(function, line)
        elif function:
            code = line.startswith("  <bb ")
            _block(function, line)
            _declaration(function, line)
    if function:
        yield function


def _declaration(function: Function, line: str) -> None:
    """Reads a line before the code: the declaration of the function or of a variable."""
    function.is_kernel |= line.startswith("__attribute__") and '"__global__ ' in line
    if not function.result and f"D.{function.uid} (" in line and not line.startswith("__attribute__"):
        before, _, after = line.partition(f"D.{function.uid} (")
        function.result = before.removesuffix(function.name)
        for parameter in split(after.rstrip(")")):
            found = re.search(r"([\w.$#]*D\.\d+)$", parameter)
            if found:
                function.parameters.append((parameter[: found.start()], found[1]))
                function.types.setdefault(variable(found[1]), set()).add(parameter[: found.start()])
        return
    found = _DECLARED.match(line)
    if found:
        function.types.setdefault(variable(found["name"]), set()).add(found["type"])
        function.types.setdefault(found["name"], set()).add(found["type"])
        length = re.fullmatch(r"\[(\d+)\]", found["dims"])
        if length:
            function.lengths[found["name"]] = int(length[1])


def _block(function: Function, line: str) -> None:
    begins = re.match(r"  <bb (\d+)>", line)
    if begins:
        function.blocks[int(begins[1])] = Block()
        return
    if not function.blocks or not line.strip():
        return
    block = function.blocks[next(reversed(function.blocks))]
    place = _PLACE.search(line)
    body = _PLACE.sub("", line).replace(" ={v} ", " = ").replace("[0:0] ", "").strip()
    block.targets.update(int(target) for target in re.findall(r"goto <bb (\d+)>", body))
    block.has_label |= re.match(r"<L\d+>:|[\w.$]+:", body) is not None
    block.falls_through = (
        not body.startswith(("goto", "return", "resx", "switch", "__builtin_unreachable")) and body != "}"
    )
    last = function.statements[-1] if function.statements else Statement("", 0, "")
    at = (place[1], int(place[2])) if place else (last.file, last.line)
    block.statements.append(Statement(*at, body))


def _statement(function: Function, line: str) -> None:
    place = _PLACE.search(line)
    body = _PLACE.sub("", line).replace(" ={v} ", " = ").replace("[0:0] ", "").strip()
    if (
        body.startswith(("<", "//", "goto", "else", "resx", "GIMPLE_NOP"))
        or "{CLOBBER" in body
        or body in ("", "{", "}")
    ):
        return
    if place:
        function.statements.append(Statement(place[1], int(place[2]), body))
    else:
        last = function.statements[-1] if function.statements else Statement("", 0, "")
        function.statements.append(Statement(last.file, last.line, body))


def variable(name: str) -> str:
    """r for r_27(D) and for rD.27982. An SSA name has the type of its variable; one without a variable has its own."""
    name = name.removesuffix("(D)")
    plain = re.fullmatch(r"(.*?)_\d+", name)
    if plain and plain[1] and not plain[1].startswith("_"):
        return plain[1]
    if plain and plain[1]:
        return plain[1]
    return re.sub(r"D\.\d+$", "", name) or name


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
