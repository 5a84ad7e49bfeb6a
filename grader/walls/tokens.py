"""C++ source as a preprocessor reads it, as far as a look at a hand-in needs: where names, texts and comments begin
and end. Who is misled here is misled about everything after, so tokens are taken as [lex.pptoken] of the standard has
them: the longest that fits, numbers with their quotes (1'000), prefixes of texts, and digraphs. As in g++, a
quote that its line does not close takes the rest of the line.

The pattern never goes back over what an alternative has taken, so the time is linear in the length of any source.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    (?P<comment> //[^\n]*+ | /\*.*?(?:\*/|\Z) )
    | (?P<raw> (?:u8|[uUL])?R" )
    | (?P<text> (?:u8|[uUL])?+(?:"(?:[^"\\\n]|\\[^\n])*+"?+ | '(?:[^'\\\n]|\\[^\n])*+'?+) )
    | (?P<number> \.?\d(?:[eEpP][+-]|'\w|[\w.])*+ )
    | (?P<name> [^\W\d][\w$]*+ )
    | (?P<newline> \n )
    | (?P<space> [^\S\n]++ )
    | (?P<mark> <::(?![:>]) | <: | :> | %:%: | %: | \#\# | . )
    """,
    re.VERBOSE | re.DOTALL,
)
_DIGRAPHS = {"<:": "[", ":>": "]", "%:": "#", "%:%:": "##"}
_SPLICE = re.compile(r"\\[ \t\f\v]*\n")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of source. `kind` is comment, raw (the opening of a raw string), text, number, name, newline or mark; of
    a mark, `text` is what its digraph stands for."""

    kind: str
    text: str
    line: int  # from 1


def spliced(source: str) -> str:
    """Without line continuations, each of which costs a line."""
    return _SPLICE.sub("", source)


def tokens(source: str) -> Iterator[Token]:
    """Everything but white space, in order. `source` has no continuations left. After a raw string's opening the rest
    is not to be relied on."""
    line = 1
    for match in _TOKEN.finditer(source):
        kind, text = match.lastgroup or "", match.group()
        if text == "<::":  # `<` and `::`, but where `:` or `>` follows
            yield Token("mark", "<", line)
            yield Token("mark", "::", line)
        elif kind != "space":
            yield Token(kind, _DIGRAPHS.get(text, text) if kind == "mark" else text, line)
        line += text.count("\n")


def without_comments(source: str) -> str:
    """The same lines, with a space for each comment."""
    return _TOKEN.sub(
        lambda match: " " + "\n" * match.group().count("\n") if match.lastgroup == "comment" else match.group(), source
    )
