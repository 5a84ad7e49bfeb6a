"""Checks that the statements of a part are the same for elements of every type."""

import re
from collections.abc import Callable
from math import gcd

from objects import Section
from statements import CALL, NAME, Broken, Function, variable

_LITERAL = re.compile(r"(?<![\w.$>])-?\d+(?![\w.])")

# In the arguments of a template, by the name of their type.
_ELEMENT = re.compile(
    r"\b(?:(?:opaque|affine|interval|fingerprint)_t|(?<!unsigned )(?<!signed )(?<!long )(?<!short )int|float)\b"
)


def _shape(text: str) -> tuple[str, tuple[int, ...]]:
    """A statement without its names, and its numbers."""
    text = re.sub(r"[\w.$#]*D\.\d+(?:_\d+)?|[\w.$#]*_\d+(?:\(D\))?|<T[0-9a-f]+>", "x", text)
    text = re.sub(r"(\d)B\b", r"\1", _ELEMENT.sub("elem_t", text))
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
    if min(numbers) <= 0 or len(set(sizes)) == 1:
        return False
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
    words = {(n + 1) * 4 * sizes[0] - (numbers[0] + 1) * 4 * s for n, s in zip(numbers, sizes, strict=True)}
    counts = {4 * n * sizes[0] - 4 * numbers[0] * s for n, s in zip(numbers, sizes, strict=True)}
    if words == {0} or counts == {0}:  # the last word of several elements, or how many there are: where a loop ends
        return True
    common = gcd(*numbers)
    quotients = [n // common for n in numbers]
    return max(q * s for q, s in zip(quotients, sizes, strict=True)) < min(
        q * s + s for q, s in zip(quotients, sizes, strict=True)
    )


def _is_layout(function: Function, text: str, own: set[str]) -> bool:
    """Is a number that follows the size just where an element is, or how many bytes there are?"""
    to, _, of = text.rstrip(";").partition(" = ")
    call = CALL.search(text)
    kinds = function.types.get(to) or function.types.get(variable(to)) or set()
    if call and not text[call.end() :].startswith("*<"):
        return call[1] not in own
    if "MEM" in text or "/[ex]" in of or (kinds and all("*" in kind or "&" in kind for kind in kinds)):
        return True
    if not re.fullmatch(r"\S+ [-+*] -?\d+|\d+", of) or not NAME.fullmatch(to):
        return False
    return all(_goes_to_layout(function, to, statement.text, own, {to}) for statement in function.statements)


def _goes_to_layout(function: Function, name: str, text: str, own: set[str], seen: set[str]) -> bool:
    """Does a statement, where it uses the name of a number of bytes, make an address of it or another such number?"""
    to, is_set, of = text.removeprefix("# ").rstrip(";").partition(" = ")
    if not re.search(rf"(?<![\w.$#]){re.escape(name)}(?![\w(])", of if is_set else text):
        return True
    call = CALL.search(text)
    if call and not text[call.end() :].startswith("*<"):
        return call[1] not in own
    kinds = function.types.get(to) or function.types.get(variable(to)) or set()
    if kinds and all("*" in kind or "&" in kind for kind in kinds):
        return True
    is_number = re.fullmatch(r"(?:\([^()]*\) )?\S+|\S+ [-+*] \S+", of) and NAME.fullmatch(to) and to not in seen
    return bool(is_number) and all(_goes_to_layout(function, to, s.text, own, seen | {to}) for s in function.statements)


def compare(variants: list[list[Function]], sizes: tuple[int, ...], has_words: Callable[[Function], bool]) -> str:
    """Raises Broken where the statements of a part are others for another type. The place of the first that takes the
    size of an element for more than where elements are; "" when there is none."""
    sized = ""
    own = {f.uid for f in variants[0] if not f.is_of_course()}
    lists = [sorted((f for f in v if not f.is_of_course()), key=lambda f: (f.where(), f.short())) for v in variants]
    names = [[(f.where(), f.short()) for f in functions] for functions in lists]
    for other in names[1:]:
        different = set(names[0]) ^ set(other)
        if different:
            raise Broken(
                f"{min(different)[0]}: {min(different)[1]}() is used for elements of one type and not for others"
            )
    for same in zip(*lists, strict=True):
        first = same[0].statements
        # If an element is one word, loops over its words are not loops. Rule 2 checks what is done with words.
        chosen = [f for f, s in zip(same, sizes, strict=True) if s > 4 or not has_words(same[0])]
        of_size = sizes if len(chosen) == len(sizes) else tuple(s for s in sizes if s > 4)
        shapes = [[_shape(s.text) for s in f.statements] for f in chosen]
        if len({len(s) for s in shapes}) > 1:
            raise Broken(f"{same[0].where()}: {same[0].short()}() has other statements for elements of another type")
        for i, statement in enumerate(first):
            at = f"{statement.file}:{statement.line}"
            if len({s[i][0] for s in shapes}) > 1:
                raise Broken(f"{at}: another statement for elements of another type")
            for numbers in zip(*(s[i][1] for s in shapes), strict=True):
                if not follows_size(numbers, of_size):
                    raise Broken(f"{at}: a number depends on the type of elements: {', '.join(map(str, numbers))}")
                if len(set(numbers)) > 1 and not (
                    has_words(same[0]) or _is_layout(chosen[0], chosen[0].statements[i].text, own)
                ):
                    sized = sized or at
    return sized


def _skeleton(function: Function) -> list[tuple[int, str]]:
    """The branches and numbers of a function by line, which are the same for a class and a number."""
    found = []
    for statement in function.statements:
        shape, numbers = _shape(statement.text)
        if shape.startswith("# ") or "<lambda" in shape:
            continue
        if shape.startswith(("if (", "switch (")):
            found.append((statement.line, "a branch"))
        found += [(statement.line, str(number)) for number in numbers]
    return sorted(found)


def compare_number(variants: list[list[Function]]) -> None:
    """Raises Broken if a part does something different for a number than for a class of the same size."""
    of_class, of_number = (
        {(f.where(), f.short()): f for f in functions if not f.is_of_course()} for functions in variants
    )
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


def compare_data(variants: list[list[Section]]) -> None:
    """Raises Broken where a variable or a constant begins as something else for another type."""
    held = [sorted(s.holds for s in sections if not s.is_code and not s.is_shared) for sections in variants]
    names = {name for sections in variants for s in sections if not s.is_code and s.holds for name in s.symbols}
    if any(other != held[0] for other in held[1:]):
        raise Broken(f"data depends on the type of elements: {', '.join(sorted(names)) or 'a constant'}")
