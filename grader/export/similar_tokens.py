"""Tokens of hand-ins that are compared: with names, texts and comments taken off, as copydetect takes them off.

The lexer is made of regular expressions, which a source may keep busy for hours, and no signal interrupts them. So the
sources are read in a process of its own, many in one; where they stop it, each is read in one for itself.
"""

import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass

from copydetect.utils import filter_code  # type: ignore[import-untyped]

from grader.model.errors import Refused
from grader.walls.apart import JobLimits, main_apart, run_apart

MODULE = "grader.export.similar_tokens"
LANGUAGE = "cuda"
ALONE = JobLimits(memory=2 << 30, cpu=10)
TOGETHER = JobLimits(memory=2 << 30, cpu=20)
AT_ONCE = 64  # sources of one process, which takes a second to start


@dataclass(frozen=True, slots=True)
class Tokens:
    """Of one source."""

    code: str  # a letter for each name and text
    offsets: list[list[int]]  # pairs: an index of the code, and how many characters of the source were taken off there


def tokens_of(texts: Mapping[str, str]) -> dict[str, Tokens | str]:
    """By name, each source's tokens, or why it has none. GraderFault only when this machine fails."""
    names = list(texts)
    read: dict[str, Tokens | str] = {}
    for first in range(0, len(names), AT_ONCE):
        chosen = names[first : first + AT_ONCE]
        try:
            read |= dict(zip(chosen, _apart([texts[name] for name in chosen], TOGETHER), strict=True))
        except Refused:
            read |= {name: _alone(texts[name]) for name in chosen}
    return read


def _alone(text: str) -> Tokens | str:
    try:
        return _apart([text], ALONE)[0]
    except Refused as refused:
        return f"it {refused}"


def _apart(texts: list[str], limits: JobLimits) -> list[Tokens]:
    found = run_apart(MODULE, "tokens", [texts], limits, threading.Event())
    return [Tokens(code, offsets) for code, offsets in found]


def _tokens_job(texts: list[str]) -> list[tuple[str, list[list[int]]]]:
    found = [filter_code(text, "hand-in.cu", LANGUAGE) for text in texts]
    return [(code, offsets.tolist()) for code, offsets in found]


if __name__ == "__main__":
    sys.exit(main_apart({"tokens": _tokens_job}, sys.argv))
