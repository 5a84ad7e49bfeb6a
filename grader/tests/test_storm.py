"""`make check-storm` would find what it searches for."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.export.graded import read_gradebook
from grader.model.gradebook import Entry, EntryStatus
from grader.tests import exported, storm


@pytest.fixture
def calm(tmp_path: Path) -> dict[str, Entry]:
    book = read_gradebook(exported.write_class(tmp_path, 6), "a class")
    return {entry.name: entry for entry in book.entries if entry.status is EntryStatus.GRADED}


def test_a_student_s_zero_and_a_missing_row_are_wrong(calm: dict[str, Entry]) -> None:
    assert storm.wrong_rows(calm, calm) == []
    first, second, *_others = sorted(calm)
    zero = calm | {first: replace(calm[first], score=0.0)}
    assert [line.split(": ")[0] for line in storm.wrong_rows(calm, zero)] == [first]
    said = calm | {first: replace(calm[first], message="late")}
    assert len(storm.wrong_rows(calm, said)) == 1
    lost = {name: entry for name, entry in calm.items() if name != second}
    assert storm.wrong_rows(calm, lost) == [f"{second} is missing"]
    new = calm | {"strange": calm[first]}
    assert len(storm.wrong_rows(calm, new)) == 1


def test_a_fault_of_the_grader_is_not(calm: dict[str, Entry]) -> None:
    first = min(calm)
    fault = replace(calm[first], status=EntryStatus.GRADER_FAULT, score=None)
    assert storm.wrong_rows(calm, calm | {first: fault}) == []
