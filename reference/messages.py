"""Updates the messages of the device that the handouts quote. Each comes from a run of a mutant, and none is written by
hand.

usage: messages.py [--check] [PAGE ...]

A comment before a block of text names a mutant of the page's lab and the lines of its message:

    <!-- said of in_place-no-second-barrier: 1-4 replay -->
    <!-- said of in_place-no-second-barrier, is clean at every length: 1-3 -->

The message is that of the first test that fails, or of the named test, as `make test V=1` shows it. The program updates
the blocks of handouts/*.md and README.md; with --check, it lists those that are stale and writes nothing.
"""

import functools
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from grader.audit.portion import is_taken  # noqa: E402
from grader.audit.trials import find_trial, make_source  # noqa: E402
from grader.model.errors import UsageError  # noqa: E402

_MARK = re.compile(
    r"^<!-- said of (?P<mutant>[\w/-]+)(?:, (?P<test>[^:\n]+))?: (?P<lines>[\d -]+(?: replay)?) -->\n"
    r"```(?:text)?\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_FAILED = re.compile(r"  FAILED (?:correct|clean|efficient) +(?P<test>.+)")
_INDENT = " " * 6
_SECONDS = 300
_AT_ONCE = 2


class MessageError(Exception):
    """No run can fill a block; the message has the reason."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A marked block of a page."""

    mutant: str  # LAB/NAME
    test: str  # empty for the first test that fails
    lines: tuple[int, ...]  # line numbers in the message, from 1; 0 for the replay line, which is the last
    text: str  # the current text of the block


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "handouts").glob("*.md"))]


def read_quotes(page: Path) -> list[Quote]:
    """The marked blocks of a page, in order. A mark on a lab's page does not name the lab."""
    return [_quote(page, match) for match in _MARK.finditer(page.read_text(encoding="utf-8"))]


def _quote(page: Path, match: re.Match[str]) -> Quote:
    lab = re.sub(r"^\d-", "", page.stem).replace("-", "_")
    name = match["mutant"] if "/" in match["mutant"] else f"{lab}/{match['mutant']}"
    return Quote(name, match["test"] or "", tuple(_numbers(match["lines"])), match["text"])


def _numbers(words: str) -> list[int]:
    found: list[int] = []
    for word in words.replace("replay", "0").split():
        first, _, last = word.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def _environment() -> dict[str, str]:
    """The environment without the settings of a make that started this program."""
    return {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL")}


def _make(*words: str) -> None:
    done = subprocess.run(
        ["make", "--no-print-directory", *words],
        cwd=ROOT,
        env=_environment(),
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    if done.returncode:
        raise MessageError(f"make {' '.join(words)} failed:\n{done.stdout}{done.stderr}")


@functools.cache
def message(mutant: str, test: str) -> tuple[str, ...]:
    """The message lines of a test of the mutant LAB/NAME that fails; without a test's name, of the first one that
    fails. MessageError when it does not fail."""
    lab, name = mutant.split("/")
    number = next(iter(ROOT.glob(f"labs/*-{lab.replace('_', '-')}"))).name[0]
    entry = find_trial(ROOT / "reference", mutant)
    source = ROOT / "build/messages" / name / f"{lab}.cu"
    text = make_source(ROOT / "reference", entry).source
    if not source.exists() or source.read_text(encoding="utf-8") != text:
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text, encoding="utf-8")
    who, folder = f"message-{name}", source.parent.relative_to(ROOT)
    _make("build-lab", f"WHO={who}", f"SRC={folder}", f"LAB={number}", f"PART={entry.parts[0]}", "BUILDS=unproved")
    words = [sys.executable, "-m", "grader.judge.shown", f"build/bin/check_{lab}", "--submission", f"build/cpu/{who}"]
    words += ["--runner", "build/cpu/runner"]
    words += ["--seed", "1", "--part", entry.parts[0], "--lab-file", str(source)]
    with subprocess.Popen(words, cwd=ROOT, env=_environment(), stdout=subprocess.PIPE, text=True) as suite:
        try:
            found = read_message(suite.stdout or (), test)
        finally:
            suite.kill()  # each of the tests after it may take seconds
    if not found:
        raise MessageError(f"{mutant}: {test or 'no test'} does not fail")
    return found


def read_message(said: Iterable[str], test: str) -> tuple[str, ...]:
    """Selects, from the lines that a suite prints, those under the named failed test, or under the first failed test,
    without their indentation. It reads only up to the last line of the message, which is the replay line. Empty when
    there are none."""
    found: list[str] = []
    inside = False
    for line in said:
        match = _FAILED.fullmatch(line.rstrip())
        if match is not None:
            inside = not test or match["test"] == test
        elif inside and line.startswith(_INDENT):
            found.append(line.removeprefix(_INDENT).rstrip())
            if found[-1].startswith("replay: "):
                break
    return tuple(found)


def fill(quote: Quote) -> str:
    """The text that belongs into the block. MessageError when the message has fewer lines."""
    said = message(quote.mutant, quote.test)
    if max(quote.lines) > len(said):
        raise MessageError(f"{quote.mutant}: line {max(quote.lines)} is quoted of {len(said)}:\n" + "\n".join(said))
    return "".join(f"{said[number - 1]}\n" for number in quote.lines)


def refill(page: Path) -> str:
    """The text of the page with its blocks filled again: those of all mutants that belong to PORTION."""

    def block(match: re.Match[str]) -> str:
        start = match.start("text") - match.start()
        quote = _quote(page, match)
        return match[0][:start] + (fill(quote) if is_taken(quote.mutant) else quote.text) + "```"

    return _MARK.sub(block, page.read_text(encoding="utf-8"))


def prepare(quotes: Sequence[Quote]) -> None:
    """Runs the mutants of all quotes, two at a time. Later calls for them use the stored messages."""
    wanted = sorted({(quote.mutant, quote.test) for quote in quotes if is_taken(quote.mutant)})
    _make("suites")
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(lambda one: message(*one), wanted))


def main() -> int:
    words = sys.argv[1:]
    check = "--check" in words
    chosen = [Path(word).resolve() for word in words if word != "--check"] or pages()
    status = 0
    try:
        prepare([quote for page in chosen for quote in read_quotes(page)])
        for page in chosen:
            old, new = page.read_text(encoding="utf-8"), refill(page)
            if old != new:
                print(f"{page.relative_to(ROOT)}: {'stale; make messages writes it anew' if check else 'written anew'}")
                status = 1 if check else 0
                if not check:
                    page.write_text(new, encoding="utf-8")
    except (MessageError, UsageError) as error:
        print(f"messages: {error}", file=sys.stderr)
        return 2
    return status


if __name__ == "__main__":
    sys.exit(main())
