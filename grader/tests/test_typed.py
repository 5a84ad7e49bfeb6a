"""Which values fit the model's types, and which do not."""

from dataclasses import dataclass
from typing import Any

import pytest

from grader.model.typed import check_types
from grader.model.types import Status


@dataclass(frozen=True)
class Inner:
    words: tuple[str, ...]
    pair: tuple[int, str]


@dataclass(frozen=True)
class Outer:
    inner: Inner | None
    share: float
    table: dict[str, int | None]
    status: Status
    used: bool = False


GOOD = Outer(Inner(("a",), (1, "b")), 1, {"x": None, "y": 3}, Status.PASSED)


@pytest.mark.parametrize(
    "good", [GOOD, Outer(None, 0.5, {}, Status.FAILED, True), Outer(Inner((), (0, "")), -1.5, {}, Status.MISSING)]
)
def test_what_the_annotations_say(good: Outer) -> None:
    check_types(good, Outer)


WRONG: dict[str, list[Any]] = {
    "inner": [
        *("x", Inner(("a", 1), (1, "b")), Inner(["a"], (1, "b")), Inner((), (1, "b", 2)), Inner((), (True, "b"))),  # type: ignore[arg-type]
        *(Inner((), (1 << 63, "b")), Inner((), (1, None)), Inner((), (1,))),  # type: ignore[arg-type]
    ],
    "share": [float("nan"), float("inf"), 10**400, "1", None, True],
    "table": [[], {1: 1}, {"x": "y"}, None, {"\ud800": 1}],
    "status": ["passed"],
    "used": [1, None],
}


@pytest.mark.parametrize(("what", "wrong"), [(what, wrong) for what in WRONG for wrong in WRONG[what]])
def test_everything_else(what: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match="is no"):
        check_types(Outer(**{**GOOD.__dict__, what: wrong}), Outer)
