"""Which trials belong to a portion, and to a third."""

import pytest

from grader.audit.portion import is_taken
from grader.model.errors import UsageError


def test_a_third_holds_every_third_portion(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"finding {n}" for n in range(100)]
    taken = []
    for portion in range(9):
        monkeypatch.setenv("PORTION", f"{portion}/9")
        taken.append({name for name in names if is_taken(name, third=True)})
        assert {name for name in names if is_taken(name)} < taken[-1]
    assert taken[:3] == taken[3:6] == taken[6:]
    assert sorted(name for third in taken[:3] for name in third) == sorted(names)


@pytest.mark.parametrize("portion", ["3/3", "x/3", "1", "1/", "-1/3", ""])
def test_a_portion_that_is_none_is_an_error(monkeypatch: pytest.MonkeyPatch, portion: str) -> None:
    monkeypatch.setenv("PORTION", portion)
    with pytest.raises(UsageError, match="write `all`"):
        is_taken("naive_scan/a")
