"""Checks that the statements of a part are the same for elements of every type."""

import re
from collections.abc import Callable
from math import gcd

from statements import Broken, Function

_LITERAL = re.compile(r"(?<![\w.$>])-?\d+(?![\w.])")


def _shape(text: str) -> tuple[str, tuple[int, ...]]:
    """A statement without its names, and its numbers."""
    text = re.sub(r"[\w.$#]*D\.\d+(?:_\d+)?|[\w.$#]*_\d+(?:\(D\))?|<T[0-9a-f]+>", "x", text)
    text = re.sub(r"(\d)B\b", r"\1", text)
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
    if min(numbers) <= 0:
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
    if words == {0}:  # the last word of several elements, where a loop over words ends
        return True
    common = gcd(*numbers)
    quotients = [n // common for n in numbers]
    return max(q * s for q, s in zip(quotients, sizes, strict=True)) < min(
        q * s + s for q, s in zip(quotients, sizes, strict=True)
    )


def compare(variants: list[list[Function]], sizes: tuple[int, ...], has_words: Callable[[Function], bool]) -> None:
    """Raises Broken if the statements of a part differ for another type."""
    lists = [sorted((f for f in v if not f.is_of_harness()), key=lambda f: (f.where(), f.short())) for v in variants]
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
        {(f.where(), f.short()): f for f in functions if not f.is_of_harness()} for functions in variants
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
