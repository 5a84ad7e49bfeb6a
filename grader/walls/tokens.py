"""Splits C++ source into tokens, as far as the inspection of a hand-in needs it: where names, texts and comments begin
and end.

A reader that misjudges one token misreads everything after it. So the rules of [lex.pptoken] in the standard are
followed: the longest token that fits, numbers with their quotes (1'000), prefixes of texts, and digraphs. As in g++, a
quote that is not closed on its line takes the rest of the line.

The pattern never backtracks over an alternative, so the time is linear in the length of the source.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.model.older_python import possessive

_TOKEN = re.compile(
    possessive(r"""
    (?P<comment> //[^\n]*+ | /\*.*?(?:\*/|\Z) )
    | (?P<raw> (?:u8|[uUL])?R" )
    | (?P<text> (?:u8|[uUL])?+(?:"(?:[^"\\\n]|\\[^\n])*+"?+ | '(?:[^'\\\n]|\\[^\n])*+'?+) )
    | (?P<number> \.?\d(?:[eEpP][+-]|'\w|[\w.])*+ )
    | (?P<name> [^\W\d][\w$]*+ )
    | (?P<newline> \n )
    | (?P<space> [^\S\n]++ )
    | (?P<mark> <::(?![:>]) | <: | :> | %:%: | %: | \#\# | . )
    """),
    re.VERBOSE | re.DOTALL,
)
_DIGRAPHS = {"<:": "[", ":>": "]", "%:": "#", "%:%:": "##"}
_SPLICE = re.compile(r"\\[ \t\f\v]*\n")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of source. `kind` is comment, raw (the opening of a raw string), text, number, name, newline or mark. For
    a mark written as a digraph, `text` is the mark that it represents."""

    kind: str
    text: str
    line: int  # counted from 1


def spliced(source: str) -> str:
    """Removes line continuations, each of which removes a line as well."""
    return _SPLICE.sub("", source)


def tokens(source: str) -> Iterator[Token]:
    """Yields every token except white space, in order. `source` has no continuations. After the opening of a raw
    string, further tokens are unreliable."""
    line = 1
    for match in _TOKEN.finditer(source):
        kind, text = match.lastgroup or "", match.group()
        if text == "<::":  # it is `<` and `::`, unless `:` or `>` follows
            yield Token("mark", "<", line)
            yield Token("mark", "::", line)
        elif kind != "space":
            yield Token(kind, _DIGRAPHS.get(text, text) if kind == "mark" else text, line)
        line += text.count("\n")


def without_comments(source: str) -> str:
    """The same lines, with a space in place of each comment."""
    return _TOKEN.sub(
        lambda match: " " + "\n" * match.group().count("\n") if match.lastgroup == "comment" else match.group(), source
    )
