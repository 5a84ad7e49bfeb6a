"""Makes tokens of the hand-ins to be compared, without names, texts and comments, in the same way as copydetect.

The lexer uses regular expressions, which a source can keep busy for hours, and no signal interrupts them. So a separate
process reads many sources; if they stop it, each of them is read in its own process.
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
AT_ONCE = 64  # number of sources for one process, which takes a second to start


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one source."""

    code: str  # the code with one letter for each name and text
    offsets: list[list[int]]  # pairs: an index in the code, and the number of characters that were removed there


def tokens_of(texts: Mapping[str, str]) -> dict[str, Tokens | str]:
    """Name -> the source's tokens, or the reason why it has none. GraderFault only when this machine fails."""
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
