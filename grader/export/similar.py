"""Finds hand-ins of a class that are similar to each other. The pairs are for a person to look at, and are not a
verdict.

The comparison is copydetect's: tokens without their names, and k-grams of them (Schleimer, Wilkerson and Aiken, SIGMOD
2003, but without their winnowing). Two kinds of code are common to many and are not counted: the code of the stub,
which is everyone's start, and passages that more than `common` hand-ins of one batch share, because they follow the
same handout. These are counted for each batch separately: with every year that is added, more people would have the
same few lines.

A source comes from a student, so its size is limited, and it is split into tokens in other processes with a time limit
(grader/export/similar_tokens.py). Here only k-grams are compared, which takes time proportional to the number of
tokens. A source that is not compared is listed by name.
"""

import io
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import Any

import numpy
from copydetect import CodeFingerprint, compare_files  # type: ignore[import-untyped]
from copydetect.utils import get_copied_slices, get_token_coverage  # type: ignore[import-untyped]

from grader.export.similar_tokens import Tokens, tokens_of
from grader.model.errors import GraderFault

NOISE = 30  # in characters of the code without names: shorter matches occur by chance, and all longer ones are found
SIZE_CAP = 256 << 10  # limit for a source, in characters
_STUB = ""  # the stub's name among the names of hand-ins
# Limit for the left passages that one k-gram votes for, because a source may repeat it thousands of times
MOST_PASSAGES = 8


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a source."""

    text: str
    passage: int = 0  # number of the shared passage, the same on both sides; 0 when it is not shared


@dataclass(frozen=True, slots=True)
class Side:
    """One hand-in of a pair."""

    name: str
    share: float  # share of its own tokens, 0 to 1
    pieces: tuple[Piece, ...]  # the source in order; empty when it is not shown


@dataclass(frozen=True, slots=True)
class Pair:
    """Two hand-ins that share code that is not common."""

    left: Side
    right: Side
    tokens: int  # length of the shared code, in characters without names

    @property
    def share(self) -> float:
        """The larger share of the two."""
        return max(self.left.share, self.right.share)


@dataclass(frozen=True, slots=True)
class Likeness:
    """The result of comparing all hand-ins."""

    pairs: list[Pair]  # the most similar pairs first
    groups: list[tuple[str, ...]]  # more than two hand-ins that are connected by pairs; the largest group first
    compared: int
    left_out: dict[str, str]  # name -> the reason why it was not compared
    set_aside: list[str]  # hand-ins that lost over half of their own code as common code; few pairs can have them


def compare(
    sources: Mapping[str, str],
    stub: str,
    *,
    others: Sequence[Mapping[str, str]] = (),
    least: float = 0.3,
    common: int = 10,
    shown: int = 40,
) -> Likeness:
    """Finds all pairs in which one hand-in shares at least `least` of its code with the other. sources: hand-in ->
    source. others: hand-ins of earlier years and other sections, with unique names; they are compared with `sources`,
    but not with each other. The first `shown` pairs get their sources in pieces."""
    every = {name: _as_lexed(text) for batch in (sources, *others) for name, text in batch.items()}
    left_out = {name: f"larger than {SIZE_CAP >> 10} KiB" for name, text in every.items() if len(text) > SIZE_CAP}
    texts = {name: text for name, text in every.items() if name not in left_out}
    tokens = tokens_of({_STUB: _as_lexed(stub), **texts})
    of_stub = tokens.pop(_STUB)
    if isinstance(of_stub, str):
        raise GraderFault(f"the stub cannot be compared: {of_stub}")
    common_to_all = _fingerprint(stub, of_stub, ()).hashes
    prints: dict[str, CodeFingerprint] = {}
    for name, read in tokens.items():
        if isinstance(read, str):
            left_out[name] = read
        else:
            prints[name] = _fingerprint(texts[name], read, common_to_all)
    set_aside = _drop_common(prints, (sources, *others), common)
    own, strange = (sorted(name for name in prints if (name in sources) is inside) for inside in (True, False))
    places = chain(combinations(own, 2), product(own, strange))
    found = [pair for a, b in places if (pair := _pair(prints, a, b)) and pair[2] >= least]
    found.sort(key=lambda pair: (-pair[2], -pair[3], pair[0], pair[1]))
    pairs = [_shown(prints, a, b, i < shown) for i, (a, b, _share, _tokens) in enumerate(found)]
    return Likeness(pairs, _groups([(a, b) for a, b, _share, _tokens in found]), len(prints), left_out, set_aside)


def _groups(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Groups of more than two names that are connected by pairs."""
    group: dict[str, set[str]] = {}
    for a, b in pairs:
        joined = group.get(a, {a}) | group.get(b, {b})
        group |= dict.fromkeys(joined, joined)
    distinct = {id(names): names for names in group.values() if len(names) > 2}
    return sorted((tuple(sorted(names)) for names in distinct.values()), key=lambda names: (-len(names), names))


def _as_lexed(text: str) -> str:
    """The text as the lexer reads it, so that positions from the lexer fit the text that is shown."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip("\n") + "\n"


def _fingerprint(text: str, tokens: Tokens, boilerplate: Any) -> CodeFingerprint:
    """Keeps every k-gram. Winnowing would choose some by hashes that differ in each process, and so find other pairs
    each time."""
    made = CodeFingerprint("hand-in.cu", NOISE, 1, list(boilerplate), filter=False, fp=io.StringIO(tokens.code))
    made.raw_code, made.offsets = text, numpy.array(tokens.offsets)
    return made


def _drop_common(prints: dict[str, CodeFingerprint], batches: Iterable[Iterable[str]], most: int) -> list[str]:
    """Removes passages that occur in more than `most` hand-ins of a batch. Returns the hand-ins that lost over half of
    the code that is not the stub's."""
    common: set[int] = set()
    for batch in batches:
        counts = Counter(value for name in batch if name in prints for value in prints[name].hashes)
        common |= {value for value, count in counts.items() if count > most}
    set_aside: list[str] = []
    for name, one in sorted(prints.items()):
        before = one.token_coverage
        one.hashes = {value for value in one.hashes if value not in common}
        one.hash_idx = {value: places for value, places in one.hash_idx.items() if value not in common}
        one.token_coverage = get_token_coverage(one.hash_idx, one.k, len(one.filtered_code))
        if one.token_coverage < before / 2:
            set_aside.append(name)
    return set_aside


def _pair(prints: dict[str, CodeFingerprint], a: str, b: str) -> tuple[str, str, float, int] | None:
    """The names and shares of a pair; None when the two share nothing. That is the usual case, and comparing sets is
    enough to find out."""
    left, right = prints[a], prints[b]
    if not left.token_coverage or not right.token_coverage or left.hashes.isdisjoint(right.hashes):
        return None
    tokens, shares, _slices = compare_files(left, right)
    return a, b, min(float(max(shares)), 1.0), int(tokens)


def _shown(prints: dict[str, CodeFingerprint], a: str, b: str, pieces: bool) -> Pair:
    tokens, shares, slices = compare_files(prints[a], prints[b])
    numbers = _passages(prints[a], prints[b]) if pieces else ([], [])
    left, right = (
        Side(
            name,
            min(float(share), 1.0),
            tuple(_pieces(prints[name].raw_code, places, of)) if pieces else (),
        )
        for name, share, places, of in zip((a, b), shares, slices, numbers, strict=True)
    )
    return Pair(left, right, int(tokens))


def _passages(left: CodeFingerprint, right: CodeFingerprint) -> tuple[list[int], list[int]]:
    """The numbers of the passages on both sides. Those on the left are numbered in order; each on the right gets the
    number of the left passage with which it shares most."""
    common = left.hashes & right.hashes
    starts = [
        get_copied_slices([place for value in common for place in one.hash_idx[value]], one.k)[0].tolist()
        for one in (left, right)
    ]
    votes: list[Counter[int]] = [Counter() for _ in starts[1]]
    for value in common:
        here = sorted({bisect_right(starts[0], place) for place in left.hash_idx[value]})[:MOST_PASSAGES]
        for place in right.hash_idx[value]:
            votes[bisect_right(starts[1], place) - 1].update(here)
    return list(range(1, len(starts[0]) + 1)), [vote.most_common(1)[0][0] for vote in votes]


def _pieces(text: str, slices: Any, numbers: list[int]) -> Iterator[Piece]:
    at = 0
    for start, end, number in sorted(zip(slices[0].tolist(), slices[1].tolist(), numbers, strict=True)):
        begin = max(start, at)
        if begin > at:
            yield Piece(text[at:begin])
        if end > begin:
            yield Piece(text[begin:end], number)
            at = end
    if at < len(text):
        yield Piece(text[at:])
