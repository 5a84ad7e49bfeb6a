"""A full disk: what could not be written is written when there is space, and no thread waits for ever."""

import threading
from pathlib import Path

import pytest

from grader.model.errors import GraderFault
from grader.walls import room

BUILD = Path("build")


@pytest.fixture(autouse=True)
def _nobody_has_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_in_vain", threading.Event())
    monkeypatch.setattr(room, "POLL_SECONDS", 0.0)


def _full_for(monkeypatch: pytest.MonkeyPatch, looks: int) -> list[Path | None]:
    """The disk is full for the first `looks` checks. The list has the answers that remain."""
    answers: list[Path | None] = [BUILD] * looks
    monkeypatch.setattr(room, "full_folder", lambda _build: answers.pop() if answers else None)
    return answers


def test_this_disk_is_full_when_more_room_is_wanted_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "ROOM_BYTES", 0)
    assert room.full_folder(Path.cwd()) is None
    monkeypatch.setattr(room, "ROOM_BYTES", 1 << 62)
    assert room.full_folder(Path.cwd()) == Path.cwd()


def test_what_failed_is_done_again_when_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, said, calls = _full_for(monkeypatch, 3), list[str](), list[int]()

    def write() -> str:
        calls.append(len(answers))
        if answers:
            raise GraderFault("No space left on device")
        return "written"

    assert room.with_room(write, BUILD, threading.Event(), said.append) == "written"
    assert calls == [3, 0]
    assert said == ["waiting: the disk of build is full"]


def test_a_fault_that_stays_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    _full_for(monkeypatch, 0)

    def write() -> None:
        raise GraderFault("Permission denied")

    with pytest.raises(GraderFault, match="Permission denied"):
        room.with_room(write, BUILD, threading.Event(), lambda _text: None)


def test_who_has_waited_in_vain_keeps_nobody_else_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "PATIENCE_SECONDS", -1.0)
    answers = _full_for(monkeypatch, 10)
    room.wait_for_room(BUILD, threading.Event(), lambda _text: None)
    monkeypatch.setattr(room, "PATIENCE_SECONDS", 3600.0)
    room.wait_for_room(BUILD, threading.Event(), lambda _text: None)
    assert len(answers) == 8  # one check each
    answers.clear()  # there was space in between, so the next one waits again
    room.wait_for_room(BUILD, threading.Event(), lambda _text: None)
    answers.extend([BUILD] * 5)
    room.wait_for_room(BUILD, threading.Event(), lambda _text: None)
    assert answers == []


def test_a_stop_ends_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, stop = _full_for(monkeypatch, 10), threading.Event()
    stop.set()
    room.wait_for_room(BUILD, stop, lambda _text: None)
    assert len(answers) == 9
