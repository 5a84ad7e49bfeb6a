"""Makes wrong sources from a right one by operators: small changes that are made wherever a pattern fits (DeMillo,
Lipton & Sayward, "Hints on Test Data Selection", IEEE Computer 11(4), 1978; Groce et al., "An Extensible,
Regular-Expression-Based Tool for Multi-Language Mutant Generation", ICSE 2018). Pure.

OPERATORS is the table. A changed source differs from the solution in one place, in a function that a part calls,
directly or through others. It need not compile, and it need not be wrong: grader/audit/draw.py chooses among the
changes, and reference/trials/LAB/equivalent/ lists those that leave the source right.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

BEGIN, END = "/* solution */", "/* end solution */"
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_DEFINITION = re.compile(r"^[A-Za-z_][^;{}#=]*?\b(?P<name>\w+)\([^;{}]*\)\s*\{", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Operator:
    """A row of the table. Each match of the pattern becomes each of the replacements: a text in which `\1` is the first
    group, a table of other texts for the match, or a number to be added to it."""

    name: str
    group: str  # the class of the mistake, one of trials.CLASSES
    pattern: re.Pattern[str]
    replacements: tuple[str | dict[str, str] | int, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """A source that an operator has made."""

    operator: Operator
    name: str  # unique in its source
    function: str  # the function that is changed
    parts: tuple[str, ...]  # the parts that call it; the one that calls the fewest functions first
    line: int  # number of the changed line, from 1
    old: str  # code of that line
    new: str
    source: str
    code: str  # code of the changed function, as code_of makes it


def _row(name: str, group: str, pattern: str, *replacements: str | dict[str, str] | int) -> Operator:
    return Operator(name, group, re.compile(pattern), replacements)


_DECLARES = "const|elem_t|unsigned|size_t|int|float|double|bool|return|while|do|else|__shared__"
_RELATIONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_SIGNS = {"+": "-", "-": "+", "*": "/", "/": "*", "&&": "||", "||": "&&"}
_ARGUMENT = r"([^,()\n]*(?:\([^()\n]*\)[^,()\n]*)*)"  # it may contain calls

# The patterns rely on the layout of clang-format: blanks around binary operators, and one statement in a line.
OPERATORS = (
    _row("barrier deleted", "barrier", r"\b__sync(?:threads|warp)\([^()]*\);", ";"),
    _row("fence deleted", "memory order", r"\b__threadfence\w*\(\);", ";"),
    _row("order relaxed", "memory order", r"\bmemory_order_(?!relaxed)\w+", "memory_order_relaxed"),
    _row("not freed", "leak", r"\b(?:cudaFree\w*|release)\([^()]*\);", ";"),
    _row("statement deleted", "wrong result", rf"(?<=\n)[ ]+(?!(?:{_DECLARES})\b)[\w*(+-][^\n;{{}}]*;", ";"),
    _row("return deleted", "small n", r"\bif \([^\n]+\)\n[ ]+return;", ";"),
    _row("condition holds", "wrong result", r"\bif \([^\n]+\)(?=\n| \{)", "if (true)"),
    _row("condition negated", "wrong result", r"\bif (\([^\n]+\))(?=\n| \{)", r"if (!\1)"),
    _row("other relation", "wrong result", r"(?<= )(?:[<>]=?|[=!]=)(?= )", _RELATIONS),
    _row("other sign", "wrong result", r"(?<=[\w)\]] )(?:[+*/-]|&&|\|\|)(?= )", _SIGNS),
    _row("edge forgotten", "wrong result", r" [+-] 1\b", ""),
    _row("neighbour", "memory access", r"(?<=[\w\])])\[([^\[\]\n]+)\]", r"[\1 + 1]", r"[\1 - 1]"),
    _row("other constant", "wrong result", r"(?<![\w.\"])\d+(?=u?\b)(?!\.)", 1, -1),
    _row("faster stride", "wrong result", r"([*/]=) 2\b", r"\1 4"),
    _row("32 bits", "wide index", r"\bsize_t\b(?=[ )])", "unsigned", "int"),
    _row("not converted", "wide index", r"\((?:size_t|float|double)\)(?=[\w(])", ""),
    _row("zero for IDENTITY", "values", r"\bIDENTITY\b", "elem_t{}"),
    _row("operands swapped", "wrong result", rf"\bcombine\({_ARGUMENT}, {_ARGUMENT}\)", r"combine(\2, \1)"),
)


def without_comments(source: str) -> str:
    """The source with blanks for the characters of comments, so that every character keeps its place."""
    return _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)


def code_of(source: str) -> str:
    """The code of a source without comments, white space and empty statements, for comparisons."""
    code, before = re.sub(r"\s+", "", _COMMENT.sub("", source)), ""
    while code != before:
        code, before = re.sub(r"(?<=[;{}]);", "", code), code
    return code


def functions(source: str) -> dict[str, tuple[int, int]]:
    """The first character of each function's definition, and that of the `}` that ends it."""
    code = without_comments(source)
    return {match["name"]: (match.start(), code.find("\n}", match.end())) for match in _DEFINITION.finditer(code)}


def make(source: str, parts: Sequence[str]) -> Iterator[Made]:
    """All sources that the operators make of a lab's solution, in the order of its functions."""
    code, places = without_comments(source), functions(source)
    callers = _callers({name: code[first:end] for name, (first, end) in places.items()}, parts)
    for name, (first, end) in places.items():
        if not callers[name]:
            continue
        for begin in (match.end() for match in re.compile(re.escape(BEGIN)).finditer(source, first, end)):
            for operator in OPERATORS:
                for match in operator.pattern.finditer(code, begin, source.index(END, begin)):
                    for letter, text in zip("ab", _texts(match, operator), strict=False):
                        line, column = _place(source, match.end() - len(match[0].lstrip()))
                        changed = source[: match.start()] + text + source[match.end() :]
                        yield Made(
                            operator=operator,
                            name=f"{name}-{operator.name.replace(' ', '-')}-{line}-{column}{letter}",
                            function=name,
                            parts=callers[name],
                            line=line,
                            old=source.splitlines()[line - 1].strip(),
                            new=changed.splitlines()[line - 1].strip(),
                            source=changed,
                            code=code_of(changed[first : end + len(changed) - len(source)]),
                        )


def _place(source: str, at: int) -> tuple[int, int]:
    """Line and column of a character, from 1."""
    return source.count("\n", 0, at) + 1, at - source.rfind("\n", 0, at)


def _callers(bodies: dict[str, str], parts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """For each function the parts that call it."""
    calls = {name: [n for n in bodies if n != name and re.search(rf"\b{n}\b", body)] for name, body in bodies.items()}
    reached: dict[str, set[str]] = {}
    for part in parts:
        reached[part], rest = set(), [part]
        while rest:
            name = rest.pop()
            if name in calls and name not in reached[part]:
                reached[part].add(name)
                rest += calls[name]
    return {
        name: tuple(sorted((part for part in parts if name in reached[part]), key=lambda part: len(reached[part])))
        for name in bodies
    }


def _texts(match: re.Match[str], operator: Operator) -> Iterator[str]:
    """What may be written for a match."""
    for replacement in operator.replacements:
        if isinstance(replacement, dict):
            yield replacement[match[0]]
        elif isinstance(replacement, str):
            yield match.expand(replacement)
        elif int(match[0]) + replacement >= 0:
            yield str(int(match[0]) + replacement)
