"""Runs a suite and prints its tests for a person, as `make test` and `make prove` do:

    python3 -m grader.judge.shown [--fold] [--tally FILE] SUITE OPTIONS

All text is made here from the suite's records, test by test; other output of the suite is not changed. --fold shows the
first failure of each aspect of a part and counts the others. --tally appends a line for each part to a file, which
grader/export/overview.py reads. The exit status is the suite's.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from grader.judge.records import Again, Proof, Records
from grader.model.findings import NOT_JUDGED
from grader.model.types import Failure, Outcome, Status, SuiteKind
from grader.model.words import UNJUDGED, message

VERDICT, MESSAGE = 2, 6  # indentation
_LEAST_WIDTH = 40
_HANGING = 4  # indentation of continuation lines
_RED, _GREEN, _BOLD, _PLAIN = "\033[31m", "\033[32m", "\033[1m", "\033[0m"
_VERDICTS = {"FAILED": _RED, "ok": _GREEN}
_BOLD_WORD = re.compile(r"replay:|try:|[^:]*\.[^:]*:\d+")  # the last one is a place, such as naive_scan.cu:48


def width() -> int | None:
    """The length of a line: COLUMNS, or the terminal's; None when it is unlimited."""
    said = os.environ.get("COLUMNS", "")
    columns = int(said) if said.isdecimal() else 0
    if not said.isdecimal():
        with suppress(OSError):
            columns = os.get_terminal_size(1).columns
    return max(columns, _LEAST_WIDTH) if columns else None


def has_colours() -> bool:
    """True when stdout is a terminal with colours whose user wants them. See no-color.org."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def wrapped(line: str, indent: int, most: int | None, colours: bool) -> str:
    """The line, broken between words, but not if it is a command to copy. Escape sequences have no width."""
    body = line.lstrip(" ")
    used = first = indent + len(line) - len(body)
    text = " " * first
    for i, (blanks, word) in enumerate(re.findall(r"( *)([^ ]+)", body)):
        if i and most is not None and used + len(blanks) + len(word) > most and not body.startswith("replay:"):
            used = first + _HANGING
            text += "\n" + " " * used
        else:
            used += len(blanks)
            text += blanks
        used += len(word)
        colour = ""
        if colours and not i and first == VERDICT:
            colour = _VERDICTS.get(word, "")
        elif colours and not i and _BOLD_WORD.fullmatch(word):
            colour = _BOLD
        text += f"{colour}{word}{_PLAIN}" if colour else word
    return text


class Shown:
    """Prints the tests of one suite as their records come in."""

    def __init__(self, options: list[str], fold: bool, tally: str) -> None:
        self.records = Records(SuiteKind.PUBLIC, told=self._told)
        names = [Path(word).name for word in options]
        self._name = next((name for name in names if name.startswith("check_")), names[0]).removeprefix("check_")
        self._source = options[options.index("--lab-file") + 1] if "--lab-file" in options else f"{self._name}.cu"
        self._prove = "--prove" in options
        self._fold, self._tally = fold, tally
        self._each = not fold or "--part" in options  # tests that pass are shown one by one
        self._width, self._colours = width(), has_colours()
        self._tests: list[Outcome] = []  # the tests of the running part that have ended
        self._heading = ""  # the part whose name was printed last
        self._shown: Outcome | None = None  # the last failure that was shown
        self._line = ""  # the first line of its message
        self._said: set[str] = set()  # findings of the running part that have been shown
        self._folded = 0  # failures of the running part that are not shown
        self._empty: list[str] = []  # parts without a result; all but the first are only counted
        self._without: list[str] = []  # those whose names have not been printed yet
        self._without_tests = 0

    def _told(self, event: Outcome | Proof | Again) -> None:
        if isinstance(event, Outcome):
            self._end_test(event)
        elif isinstance(event, Proof):
            self._end_part(event)
        elif not self._tests or self._shown is self._tests[-1]:
            self._again(event)
        sys.stdout.flush()

    # ---- tests -------------------------------------------------------------------------------------------------

    def _end_test(self, test: Outcome) -> None:
        self._tests.append(test)
        first = self._shown is None or (self._shown.part, self._shown.aspect) != (test.part, test.aspect)
        folded = test.failure is not None and self._fold and self._is_folded(test, test.failure, first)
        self._folded += folded
        if not self._is_hidden(test.part):
            self._head(test.part)
        if test.failure is not None and not folded:
            self._verdict(test, "FAILED")
            self._message(test, test.failure, first)
        elif test.failure is None and self._each:
            self._verdict(test, "not run" if test.left_out else "ok")
        of_aspect = [one for one in self._tests if one.aspect == test.aspect]
        planned = [key for key in self.records.planned if key[:2] == (test.part, test.aspect)]
        if not self._each and len(of_aspect) == len(planned):
            self._good(test, of_aspect)

    def _is_folded(self, test: Outcome, failure: Failure, first: bool) -> bool:
        """True for all failures of a part after its first in each aspect, for those that repeat findings, and for those
        that were not judged; and in a file with unfilled holes, for those of every part after the first such part."""
        first_of_part = self._shown is None or self._shown.part != test.part
        call = failure.call
        if first_of_part and call is not None and call.unwritten and test.part not in self._empty:
            self._empty.append(test.part)
            if len(self._empty) == 1:
                self._head(test.part)
                print(f"  no result yet: begin here, in {self._source}")
        # For a part without a result the first failure says everything.
        if (
            not first
            or failure.kind == NOT_JUDGED
            or (test.part in self._empty and (self._is_hidden(test.part) or not first_of_part))
        ):
            return True
        # A call past 2^31 fails for the same reason as the shorter ones.
        wrong = any(one.failed and one.aspect == "correct" for one in self._tests[:-1])
        if wrong and call is not None and call.sampled:
            return True
        findings = {finding.alike for finding in failure.findings}
        repeats = not failure.said and bool(findings) and findings <= self._said
        self._said |= findings
        return repeats

    def _is_hidden(self, part: str) -> bool:
        """True for a part without a result after the first such part."""
        return part in self._empty[1:]

    def _message(self, test: Outcome, failure: Failure, first: bool) -> None:
        """Prints the whole message of a part's first failure in each aspect. Of the others it prints the first line,
        unless that was just printed."""
        if failure.kind == NOT_JUDGED:
            self._print(UNJUDGED, MESSAGE)
            return
        line = test.message.partition("\n")[0]
        if first or line != self._line:
            self._shown, self._line = test, line
            self._print(test.message if first else line, MESSAGE)

    def _again(self, again: Again) -> None:
        indent = MESSAGE if self._tests else 0
        self._print(again.words, indent)
        if again.failure is not None:
            self._print(message(again.failure), indent + 2)

    def _good(self, test: Outcome, of_aspect: list[Outcome]) -> None:
        """Prints one line for all tests of an aspect that passed."""
        passed = sum(one.status is Status.PASSED for one in of_aspect)
        if test.part in self._empty or not passed:  # being right without doing anything is not a success
            return
        count = str(passed) if passed == len(of_aspect) else f"{passed} of {len(of_aspect)}"
        self._print(f"ok     {test.aspect:<9}  {count} test{'' if count == '1' else 's'}", VERDICT)

    # ---- parts -------------------------------------------------------------------------------------------------

    def _end_part(self, proof: Proof) -> None:
        """The proof is the last record of a part that is printed."""
        tests = f"{self._folded} {{}}test{'' if self._folded == 1 else 's'} of it "
        tests += "fails; V=1 shows it" if self._folded == 1 else "fail; V=1 shows them"
        if self._is_hidden(proof.part) and self._heading != proof.part:
            self._without.append(proof.part)
            self._without_tests += self._folded
        elif self._is_hidden(proof.part):
            print(f"  no result yet: {tests.format('')}")
        elif self._folded:
            print(f"  {tests.format('more ')}")
        if not self._tests:  # a part that is only tested, with --prove
            self._head(proof.part)
        failed = any((one.failed or one.left_out) and one.aspect != "efficient" for one in self._tests)
        if not (failed and self._fold and not self._prove):  # a failure that was shown says why nothing is proved
            self._print(proof.words, 2)
        if not self._fold:
            self._print(proof.lengths, 4)
        if self._tally and self._tests:
            self._add_tally(proof)
        self._tests, self._folded = [], 0
        self._said.clear()

    def _add_tally(self, proof: Proof) -> None:
        bad = sum(one.failed for one in self._tests)
        good = sum(one.status is Status.PASSED for one in self._tests)
        kind = "prove" if self._prove else "test"
        with suppress(OSError), open(self._tally, "a", encoding="utf-8") as file:
            file.write(f"{int(time.time())}\t{proof.part}\t{kind}\t{good}\t{bad}\t{proof.outcome}\n")

    def end(self) -> None:
        """After the last record."""
        if self._without:
            count = self._without_tests
            words = "test fails; V=1 shows it" if count == 1 else "tests fail; V=1 shows them"
            print()
            self._print(f"no result yet either: {', '.join(self._without)} ({count} {words})", 0)
        if not self.records.fault and (self.records.planned or not self._prove):
            failed = sum(test.failed for test in self.records.outcomes)
            passed = sum(test.status is Status.PASSED for test in self.records.outcomes)
            print(f"\n{self._name}: {passed} passed, {failed} failed")

    # ---- lines -------------------------------------------------------------------------------------------------

    def _head(self, part: str) -> None:
        if self._heading != part:
            print(f"\n{part}")
        self._heading = part

    def _verdict(self, test: Outcome, verdict: str) -> None:
        self._print(f"{verdict:<6} {test.aspect:<9}  {test.id}".replace("_", " "), VERDICT)

    def _print(self, text: str, indent: int) -> None:
        for line in text.split("\n") if text else ():
            print(wrapped(line, indent, self._width, self._colours))


def show_suite(words: list[str], cwd: Path | None = None) -> int:
    """Runs the suite in this folder and returns its exit status. `words` are those of the command line above."""
    parser = argparse.ArgumentParser(prog="shown", allow_abbrev=False, add_help=False)
    parser.add_argument("--fold", action="store_true")
    parser.add_argument("--tally", default="")
    own, suite = parser.parse_known_args(words)
    shown = Shown(suite, own.fold, own.tally)
    readable, writable = os.pipe()
    suite += ["--records", str(writable), *(["--right-first"] if own.fold else [])]
    with subprocess.Popen(suite, cwd=cwd, pass_fds=[writable]) as running:
        os.close(writable)
        with open(readable, encoding="utf-8", errors="replace", newline="\n") as records:
            for line in records:
                shown.records.take(line)
    status = running.returncode if running.returncode >= 0 else 128 - running.returncode
    if not shown.records.planned and shown.records.fault:  # another command, such as --show, or a wrong one
        return status
    shown.end()
    if shown.records.fault:
        print(f"{suite[0]} ended with exit status {running.returncode}: {shown.records.fault}", file=sys.stderr)
        return max(status, 2)
    return status


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        sys.exit(show_suite(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
