"""Checks that the statements of a part are the same for elements of every type."""

import re
from collections.abc import Callable
from math import gcd

from objects import Section
from statements import CALL, NAME, Broken, Function, arguments_of, call_in, variable

_LITERAL = re.compile(r"(?<![\w.$>])-?\d+(?![\w.])")

# In the arguments of a template, by the name of their type.
_ELEMENT = re.compile(
    r"\b(?:(?:opaque|affine|interval|fingerprint)_t|(?<!unsigned )(?<!signed )(?<!long )(?<!short )int|float)\b"
)


# A value that has no name in the source: D.32086, _12, iftmp.30_46.
_UNIQUE = re.compile(r"(?P<of>D\.\d+(?:_\d+)?|_\d+|[\w$#]+(?<!D)\.\d+(?:_\d+|D\.\d+)?)?(?P<name>.*)")
_MADE = re.compile(r"(?:[\w.$#]*D\.\d+(?:_\d+)?|[\w.$#]*_\d+)(?:\(D\))?|<T[0-9a-f]+>")
_WITHOUT_NAME = re.compile(r"D\.\d+(?:_\d+)?|_\d+|[\w$#]+(?<!D)\.\d+(?:_\d+|D\.\d+)?")
_VERSION = re.compile(r"_\d+$")
_UID = re.compile(r"D\.\d+(?:_\d+)?")
_NUMBERED = re.compile(r"[^.]*D\.(\d+)")
_CALLED = re.compile(r">D\.(\d+)(?= \()")
_BYTE = re.compile(r"(\d)B\b")
_LETTERS = str.maketrans("0123456789", "ghijklmnop")
# Where an element has one word, this ends a loop over its words, and `<= 3` where it has four.
_ENDS = re.compile(r"if \((\S+) [!=]= 0\)")
# Says whether a static variable has been constructed. Its name ends with the variable's, and contains types.
_GUARD = re.compile(r"\b_ZGVZ\w*E(\d+[A-Za-z_]\w*?)(?=\.|D\.|\b)")
_JUMP = re.compile(r"<bb (\d+)>")
# Functions that get a number of bytes.
_BYTES = re.compile(
    r"cuda(?:Malloc\w*|HostAlloc|Mem(?:cpy|set)\w*|FuncSetAttribute)|mem(?:cpy|move|set|cmp)|simt::config"
    r"|simt(?:_|::__)local\S*"
)


class Shapes:
    """The statements of one function, without what g++ has given them."""

    def __init__(self, function: Function, names: dict[str, str] | None = None) -> None:
        self._function = function
        self._names = names or {}  # of functions, by their numbers
        self._seen: dict[str, int] = {}  # values without a name, in the order in which they appear

    def _name(self, found: re.Match[str]) -> str:
        text = found[0].removesuffix("(D)")
        if text.startswith("<T"):
            return ""
        number = _NUMBERED.fullmatch(text)
        if number and number[1] in self._names:
            return self._names[number[1]]
        parts = _UNIQUE.fullmatch(text)
        assert parts is not None
        name = _VERSION.sub("", _UID.sub("", parts["name"]))
        if parts["of"]:
            name += f"#{self._seen.setdefault(parts['of'], len(self._seen))}"
        return name.translate(_LETTERS)

    def of(self, given: str) -> tuple[str, tuple[int, ...]]:
        """A statement with names of its own, and its numbers."""
        given = _GUARD.sub(r"guard_\1", given)
        given = _CALLED.sub(lambda number: ">" + self._names.get(number[1], ""), given)
        text = _BYTE.sub(r"\1", _ELEMENT.sub("elem_t", _MADE.sub(self._name, given)))
        ends = _ENDS.fullmatch(given)
        if ends and any("unsigned" in kind for kind in self._function.types.get(variable(ends[1]), ())):
            text = re.sub("== 0", "<= 0", re.sub("!= 0", "> 0", text))
        return _LITERAL.sub("#", text), tuple(_signed(int(n)) for n in _LITERAL.findall(text))


def _signed(number: int) -> int:
    """The signed value of a number. In the dump, a subtraction is the addition of 2^64 minus the number."""
    return number - (1 << 64) if number >= 1 << 63 else number


def follows_size(numbers: tuple[int, ...], sizes: tuple[int, ...]) -> bool:
    """Are all one number, or the size of something that holds elements, or quotients by such a size?"""
    if max(numbers) < 0:
        numbers = tuple(-n for n in numbers)
    if len(set(numbers)) == 1:
        return True
    if min(numbers) < 0 or len(set(sizes)) == 1:
        return False
    words = {(n + 1) * 4 * sizes[0] - (numbers[0] + 1) * 4 * s for n, s in zip(numbers, sizes, strict=True)}
    # The last word of several elements, where a loop ends. Only that may be 0.
    return words == {0} or (min(numbers) > 0 and _is_multiple_or_quotient(numbers, sizes))


def _is_multiple_or_quotient(numbers: tuple[int, ...], sizes: tuple[int, ...]) -> bool:
    times, rest = divmod(numbers[-1] - numbers[0], sizes[-1] - sizes[0])
    more = numbers[0] - times * sizes[0]
    if (
        rest == 0
        and times > 0
        and more >= 0
        and all(n == times * s + more for n, s in zip(numbers, sizes, strict=True))
    ):
        return True
    for times in range(1, 9):  # a struct, rounded up to its alignment
        for more in range(1, 33):
            if all(0 <= n - (times * s + more) < max(8, s) for n, s in zip(numbers, sizes, strict=True)):
                return True
    counts = {4 * n * sizes[0] - 4 * numbers[0] * s for n, s in zip(numbers, sizes, strict=True)}
    if counts == {0}:  # the number of words of several elements
        return True
    common = gcd(*numbers)
    quotients = [n // common for n in numbers]
    return max(q * s for q, s in zip(quotients, sizes, strict=True)) < min(
        q * s + s for q, s in zip(quotients, sizes, strict=True)
    )


def _takes_bytes(text: str, call: re.Match[str]) -> bool:
    return _BYTES.fullmatch(re.sub(r"<.*>", "", text[: call.start()].rpartition(" = ")[2]).strip()) is not None


def _is_layout(function: Function, text: str) -> bool:
    """Is a number that follows the size just where an element is, or how many bytes there are?"""
    to, _, of = text.rstrip(";").partition(" = ")
    kinds = function.types.get(to) or function.types.get(variable(to)) or set()
    if call := call_in(text):
        return _takes_bytes(text, call)
    if "MEM" in text or "/[ex]" in of or (kinds and all("*" in kind or "&" in kind for kind in kinds)):
        return True
    if not re.fullmatch(r"\S+ [-+*] -?\d+|\d+", of) or not NAME.fullmatch(to):
        return False
    return all(_goes_to_layout(function, to, statement.text, {to}) for statement in function.statements)


def _goes_to_layout(function: Function, name: str, text: str, seen: set[str]) -> bool:
    """Does a statement, where it uses the name of a number of bytes, make an address of it or another such number?"""
    to, is_set, of = text.removeprefix("# ").rstrip(";").partition(" = ")
    if not re.search(rf"(?<![\w.$#]){re.escape(name)}(?![\w(])", of if is_set else text):
        return True
    if call := call_in(text):
        return _takes_bytes(text, call)
    kinds = function.types.get(to) or function.types.get(variable(to)) or set()
    if kinds and all("*" in kind or "&" in kind for kind in kinds):
        return True
    is_number = re.fullmatch(r"(?:\([^()]*\) )?\S+|\S+ [-+*] \S+", of) and NAME.fullmatch(to) and to not in seen
    return bool(is_number) and all(_goes_to_layout(function, to, s.text, seen | {to}) for s in function.statements)


def _own(functions: list[Function]) -> tuple[list[Function], dict[str, str]]:
    """The functions that are not the course's, in an order that is the same for each type, and their names."""
    own = sorted((f for f in functions if not f.is_of_course), key=lambda f: (f.where, f.short(), int(f.uid)))
    return own, {f.uid: f"f{i}".translate(_LETTERS) for i, f in enumerate(own)}


def _jumps(function: Function) -> list[list[int]]:
    texts = [[s.text for s in block.statements] for block in function.blocks.values()]
    return [[int(n) for text in block for n in _JUMP.findall(text)] for block in texts]


def compare(
    variants: list[list[Function]],
    sizes: tuple[int, ...],
    has_words: Callable[[Function], bool],
    multiples: dict[int, int],
) -> str:
    """Raises Broken where the statements of a part are others for another type. The place of the first that takes the
    size of an element for more than where elements are; "" when there is none. `multiples` has the ids of
    statements of the last variant whose numbers are multiples of the size of an element."""
    sized = ""
    lists = [_own(functions) for functions in variants]
    keys = [[(f.where, f.short()) for f in functions] for functions, _ in lists]
    for other in keys[1:]:
        different = set(keys[0]) ^ set(other)
        if different or len(other) != len(keys[0]):
            at, name = min(different or set(other))
            raise Broken(f"{at}: {name}() is used for elements of one type and not for others")
    for same in zip(*(functions for functions, _ in lists), strict=True):
        shapers = [Shapes(f, names) for f, (_, names) in zip(same, lists, strict=True)]
        shapes = [[shaper.of(s.text) for s in f.statements] for shaper, f in zip(shapers, same, strict=True)]
        if len({len(s) for s in shapes}) > 1 or any(_jumps(f) != _jumps(same[0]) for f in same):
            raise Broken(f"{same[0].where}: {same[0].short()}() has other statements for elements of another type")
        for i, statement in enumerate(same[0].statements):
            at = f"{statement.file}:{statement.line}"
            if len({s[i][0] for s in shapes}) > 1:
                raise Broken(f"{at}: another statement for elements of another type")
            multiple = multiples.get(id(same[-1].statements[i]))
            for k, numbers in enumerate(zip(*(s[i][1] for s in shapes), strict=True)):
                if not follows_size(numbers, sizes):
                    raise Broken(f"{at}: a number depends on the type of elements: {', '.join(map(str, numbers))}")
                times = {n / s for n, s in zip(numbers, sizes, strict=True)}
                if k == multiple and (numbers[0] % sizes[0] or len(times) > 1):
                    raise Broken(f"{at}: bytes of elements are copied, and not whole elements")
                if len(set(numbers)) > 1 and not (has_words(same[0]) or _is_layout(same[0], statement.text)):
                    sized = sized or at
    return sized


def compare_calls(variants: list[list[Function]], calls: list[Callable[[Function], list[str]]]) -> None:
    """Raises Broken where other functions of the part are called for another type."""
    lists = [_own(functions) for functions in variants]
    for same in zip(*(functions for functions, _ in lists), strict=True):
        called = [
            [names[uid] for uid in of(f) if uid in names] for f, of, (_, names) in zip(same, calls, lists, strict=True)
        ]
        if any(other != called[0] for other in called[1:]):
            raise Broken(f"{same[0].where}: {same[0].short()}() calls other functions for elements of another type")


# A name in a statement without numbers, unless g++ has made it, and what depends on the type of an element.
_VARIABLE = re.compile(r"(?<![\w$#])[A-Za-z_][\w$]*(?![\w$#])")
_OPPOSITES = {"!=": "==", ">=": "<", "<=": ">"}
_OF_TYPES = frozenset(("MEM", "const", "elem_t", "struct", "class", "if", "return"))


def _skeleton(function: Function) -> list[tuple[int, str]]:
    """The branches and numbers of a function by line, which are the same for a class and a number."""
    found = []
    shapes = Shapes(function)
    for statement in function.statements:
        shape, numbers = shapes.of(statement.text)
        if shape.startswith("# ") or "<lambda" in shape:
            continue
        if shape.startswith(("if (", "switch (")):
            found.append((statement.line, "a branch"))
        found += [(statement.line, str(number)) for number in numbers]
        found += [(statement.line, name) for name in set(_VARIABLE.findall(shape)) - _OF_TYPES]
    for block in function.blocks.values():
        targets = [_next(function, int(n)) for s in block.statements for n in _JUMP.findall(s.text)]
        for branch in [s for s in block.statements if s.text.startswith("if (")]:
            how = branch.text.split()[2]
            where = targets[::-1] if how in _OPPOSITES else targets
            found.append((branch.line, f"a jump ({_OPPOSITES.get(how, how)}) to {' or '.join(map(str, where))}"))
    return sorted(found)


class _Flow:
    """What the calls and copies of a function take, and where it goes: the same for a class and a number."""

    def __init__(self, function: Function) -> None:
        self._made: dict[str, list[str]] = {}  # what values without a name are made of
        self.calls: set[tuple[int, str, tuple[frozenset[str], ...]]] = set()
        self.copies: dict[int, list[tuple[list[str], list[str]]]] = {}  # of a line, in their order
        texts = [(s.line, s.text.removeprefix("# ").rstrip(";")) for s in function.statements]
        for _, text in texts:
            to, _, of = text.partition(" = ")
            if _WITHOUT_NAME.fullmatch(to):
                self._made.setdefault(to, []).append(re.sub(r"\(\d+\)(?=[,>])", "", of))
        for line, text in texts:
            to, _, of = text.partition(" = ") if " = " in text else ("", "", text)
            if call := call_in(of):
                callee = _plain(of[: call.start()])
                self.calls.add((line, callee, tuple(self.names(one) for one in arguments_of(of, call))))
            if to and not (_WITHOUT_NAME.fullmatch(to) or of.startswith("PHI <")):
                self.copies.setdefault(line, []).append((sorted(self.names(to)), sorted(self.names(of))))

    def names(self, text: str, seen: frozenset[str] = frozenset()) -> frozenset[str]:
        """The names in the source that a value comes from."""
        text = re.sub(r"^\(.*\) (?=\S+$)", "", text)
        found: set[str] = set()
        for name in NAME.findall(re.sub(r"\(const [^()]*\)|\([^()]*[*&]\)", "", text)):
            if name in self._made and name not in seen:
                found = found.union(*(self.names(of, seen | {name}) for of in self._made[name]))
            elif not _WITHOUT_NAME.fullmatch(name):
                found.add(_plain(variable(name)))
        return frozenset(found)


def _plain(name: str) -> str:
    """The name of a function or a variable without numbers, scopes and the arguments of templates."""
    name = _UID.sub("", name.rpartition(" = ")[2])
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    return re.sub(r"operator .*", "operator", name.strip())


def _next(function: Function, number: int) -> int:
    """The line of the first branch or call in a block or after it, which is the same for a class and a number; 0 at the
    function's end."""
    numbers, seen = list(function.blocks), set()
    while number not in seen:
        seen.add(number)
        block = function.blocks[number]
        for statement in block.statements:
            if re.match(r"return[ ;]", statement.text):
                return 0
            if re.match(r"(?:if|switch) \(", statement.text) or CALL.search(statement.text):
                return statement.line
        number = next(iter(block.targets), numbers[min(numbers.index(number) + 1, len(numbers) - 1)])
    return 0


def compare_number(variants: list[list[Function]]) -> None:
    """Raises Broken if a part does something different for a number than for a class of the same size."""
    of_class, of_number = ({(f.where, f.short()): f for f in functions if not f.is_of_course} for functions in variants)
    different = of_class.keys() ^ of_number.keys()
    if different:
        raise Broken(f"{min(different)[0]}: {min(different)[1]}() is used for elements of one type and not for others")
    for key, function in of_class.items():
        lines = set(_skeleton(function)) ^ set(_skeleton(of_number[key]))
        if lines:
            raise Broken(
                f"{function.statements[0].file}:{min(lines)[0]}: {min(lines)[1]} is there for elements of one type "
                "and not for others"
            )
        _compare_flow(function, of_number[key])


def _compare_flow(of_class: Function, of_number: Function) -> None:
    """Raises Broken where a call or a copy of one takes other values than that of the other."""
    one, other, file = _Flow(of_class), _Flow(of_number), of_class.statements[0].file if of_class.statements else ""
    if calls := one.calls ^ other.calls:
        line, callee, _ = min(calls, key=lambda call: call[:2])
        raise Broken(f"{file}:{line}: {callee}() gets something else for elements of another type")
    for line, copies in one.copies.items():
        others = other.copies.get(line, [])
        if copies != others and sorted(copies) == sorted(others):
            raise Broken(f"{file}:{line}: values are copied in another order for elements of another type")


def _contents(section: Section) -> tuple[list[list[str]], bytes]:
    """The names of a variable without the types of elements in them, and its value."""
    names = [[name for name in _words(symbol) if not _ELEMENT.fullmatch(name)] for symbol in section.symbols]
    return names, section.holds


def _words(symbol: str) -> list[str]:
    """The names in a mangled name: a length, and then so many characters."""
    found = []
    while at := re.search(r"\d+", symbol):
        length, symbol = int(at[0]), symbol[at.end() :]
        found.append(symbol[:length])
        symbol = symbol[length:]
    return found


def compare_data(variants: list[list[Section]]) -> None:
    """Raises Broken where a variable or a constant begins as something else for another type."""
    held = [sorted(_contents(s) for s in sections if not s.is_code and not s.is_shared) for sections in variants]
    names = {name for sections in variants for s in sections if not s.is_code and s.holds for name in s.symbols}
    if any(other != held[0] for other in held[1:]):
        raise Broken(f"data depends on the type of elements: {', '.join(sorted(names)) or 'a constant'}")
