"""The messages of the device in the handouts are the current ones for the mutants that they name."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "reference"))

import messages  # noqa: E402
from messages import MessageError, Quote  # noqa: E402

SAID = """
rotate
  ok     correct    equals a plain loop
  FAILED correct    joins the right inputs at every length
      slot 1 holds 3, expected 2
          in: rotate on interval, 2 elements
      replay: make run LAB=9 PART=rotate
  FAILED clean      is clean at every length
      ring.cu:7  rotate_kernel: race on ring[1]
      replay: make run LAB=9 PART=rotate N=2
""".splitlines()


WRITTEN_WITH = "12"  # another g++ orders accesses differently, so another element of the same race is found first


def compiler() -> str:
    """The major version of g++."""
    return (
        subprocess.run(["g++", "-dumpversion"], capture_output=True, text=True, check=True).stdout.split(".")[0].strip()
    )


@pytest.mark.slow
@pytest.mark.parametrize("page", messages.pages(), ids=lambda page: page.stem)
def test_the_messages_of_a_page_are_what_the_device_says(page: Path) -> None:
    messages.prepare(messages.read_quotes(page))
    filled, is_there = messages.refill(page), page.read_text(encoding="utf-8")
    if compiler() != WRITTEN_WITH:
        filled, is_there = (re.sub(r"\[\d+\]", "[#]", text) for text in (filled, is_there))
    assert filled == is_there, "stale; make messages writes it anew"


def test_a_message_is_that_of_the_first_failed_test_or_of_the_named_one() -> None:
    assert messages.read_message(SAID, "") == (
        "slot 1 holds 3, expected 2",
        "    in: rotate on interval, 2 elements",
        "replay: make run LAB=9 PART=rotate",
    )
    assert messages.read_message(SAID, "is clean at every length")[0] == "ring.cu:7  rotate_kernel: race on ring[1]"
    assert messages.read_message(SAID, "equals a plain loop") == ()


def test_a_stale_block_is_filled_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def said(mutant: str, test: str) -> tuple[str, ...]:
        asked.append((mutant, test))
        return ("one", "two", "three")

    monkeypatch.setattr(messages, "message", said)
    monkeypatch.setenv("PORTION", "all")
    page = tmp_path / "2-naive-scan.md"
    text = "<!-- said of no-barrier, is clean: 1 3 -->\n```text\nold\n```\n\n<!-- said of l/late: 2 -->\n```text\n```\n"
    page.write_text(text, encoding="utf-8")
    assert messages.refill(page) == text.replace("old\n", "one\nthree\n").replace("```text\n```", "```text\ntwo\n```")
    assert asked == [("naive_scan/no-barrier", "is clean"), ("l/late", "")]
    monkeypatch.setattr(messages, "is_taken", lambda name: name == "l/late")  # the other one is in another portion
    assert messages.refill(page) == text.replace("```text\n```", "```text\ntwo\n```")


def test_more_lines_than_a_message_has_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "message", lambda *_: ("one", "two"))
    with pytest.raises(MessageError, match="line 3 is quoted of 2"):
        messages.fill(Quote("lab/late", "", (1, 3), ""))
