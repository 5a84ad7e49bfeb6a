#!/usr/bin/env python3
"""Runs the programs of findings/, which make a mistake or do the same thing right, and checks what the device reports.

usage: check_findings.py BUILD_DIRECTORY [--schedules N] [--words] [--record] [NAME...]

A file findings/SUBJECT/FILE.cu is one program, BUILD_DIRECTORY/FILE. Its tests are the program itself or, if it
includes pair.h, its pairs: `faulty` makes the mistake and `clean` does not. A source states what the device must
report in one of two ways, or in both:

The exact text, for the program or for the pair with the name of its file: the lines that begin with `//=`. They are
at the end of the file, so that they move no line of the code. The text must match in forward order. In other orders
another thread may be caught first, but the first line must name the same mistake in the same kernel. `//=
(nothing)` means that the device reports nothing.

Marks in the source of each pair, which reaches from the end of the one before to the end of its PAIR(NAME) { ... }:

  expect: race on shared buffer     the beginning of the finding's title, with `warning: ` if it is one
  also: read of uninitialized       (any number) another finding that may be reported too
  resident: 2                       (optional) needs this many resident blocks, as when one waits for another
  work: 200000000                   (optional, in a program without pairs) may execute so many instructions, not WORK

and `//! ` at the end of the lines that the finding must name: its own line must be one of them, and its further
lines must name the others, as `line 12`. Any finding that is neither expected nor named by `also` is an error. The
clean program must report nothing.

A program without pairs runs under the first FEW of SCHEDULES, pairs under all of them, or the first N. With --words
only tests with an exact text run, under FEW: for a build with sanitizers. The environment variable RUN names a
program that runs the tests, such as an emulator. --record writes the exact texts of the named programs, or of all
that have one; read them before you commit. Prints the failures, and `findings: N passed, N failed`. The exit status
is 0, or 1 when some fail.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent / "findings"
WORK = "10000000"  # instructions of a launch, after which it does not end
DEADLINE = 600  # seconds of a run, on a machine that is busy with other things
STATUS_OF_FINDINGS = 125
SHOWN_FAULTS = 2
WORDS, NOTHING = "//=", "(nothing)"


@dataclass(frozen=True)
class Schedule:
    order: str
    seed: int
    resident: int


FEW = [Schedule("forward", 1, 16), Schedule("reverse", 1, 16), Schedule("random", 1, 2)]
SCHEDULES = [*FEW, *(Schedule(order, 1, resident) for order in ("forward", "reverse") for resident in (1, 2, 3))]
SCHEDULES += [Schedule("random", seed, (1, 2, 4, 16)[seed % 4]) for seed in range(2, 13)]


@dataclass
class Test:
    """A program, or one of its pairs."""

    name: str
    source: Path
    is_pair: bool = False
    expect: str = ""
    also: list[str] = field(default_factory=list)
    resident: int = 1
    work: str = WORK
    lines: set[int] = field(default_factory=set)

    @property
    def program(self) -> str:
        return self.source.stem

    @property
    def words(self) -> str | None:
        """Returns the exact text, for a pair that of the faulty program; None if the source states none."""
        if self.is_pair and self.name != self.program:
            return None
        return words_of(self.source.read_text())


def words_of(text: str) -> str | None:
    lines = [line.removeprefix(WORDS).removeprefix(" ") for line in text.splitlines() if line.startswith(WORDS)]
    return None if not lines else "" if lines == [NOTHING] else "".join(f"{line}\n" for line in lines)


def record(source: Path, words: str) -> None:
    """Replaces the exact text at the end of a source."""
    code = "".join(line for line in source.read_text().splitlines(keepends=True) if not line.startswith(WORDS))
    lines = words.splitlines() or [NOTHING]
    source.write_text(code.rstrip("\n") + "\n\n" + "".join(f"{WORDS} {line}".rstrip() + "\n" for line in lines))


def tests_of(source: Path) -> Iterator[Test]:
    text = source.read_text()
    if '#include "pair.h"' not in text:
        work = re.search(r"\bwork: ([0-9]+)\b", text)
        yield Test(source.stem, source, work=work[1] if work else WORK)
        return
    test = Test("", source, is_pair=True)
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r"[ /]\*?\*? *(expect|also|resident): (.*?) *(\*/)?$", line):
            word, value = match.group(1), match.group(2)
            if word == "expect":
                test.expect = value
            elif word == "also":
                test.also.append(value)
            else:
                test.resident = int(value)
        elif match := re.match(r"PAIR\((\w+)\)$", line):
            test.name = match.group(1)
        elif line == "}" and test.name:
            yield test
            test = Test("", source, is_pair=True)
        if "//!" in line:
            test.lines.add(number)


def all_tests(names: list[str]) -> list[Test]:
    """Returns all tests of the folder, or only those that are named or whose file is named."""
    tests = [test for source in sorted(HERE.glob("*/*.cu")) for test in tests_of(source)]
    return [test for test in tests if not names or test.name in names or test.program in names]


# ---- marks -------------------------------------------------------------------------------------------------------


@dataclass
class Finding:
    """A finding as the device prints it: `file.cu:12  kernel: title`, and indented lines."""

    line: int
    title: str
    detail: str


def parse_findings(text: str) -> list[Finding]:
    findings: list[Finding] = []
    for line in text.splitlines():
        if match := re.match(r"\S+\.cuh?:(\d+)  (?:\S.*?: (?=warning: |[a-z_]))?(.*)$", line):
            findings.append(Finding(int(match.group(1)), match.group(2), ""))
        elif line.startswith("    ") and findings:
            findings[-1].detail += line + "\n"
        else:
            findings.append(Finding(0, line, ""))
    return findings


def begins(title: str, wanted: str) -> bool:
    """Returns whether a finding begins as wanted. The function's own name may contain `: `, as in a template's
    arguments."""
    return title.startswith(wanted) or f": {wanted}" in title


def is_expected(finding: Finding, test: Test) -> bool:
    named = {int(number) for number in re.findall(r"line (\d+)", finding.detail)} | {finding.line}
    return begins(finding.title, test.expect) and finding.line in test.lines and test.lines <= named


def fault_of_marks(test: Test, said: str) -> str:
    """Returns what is wrong with the output of a faulty program; empty when it is right."""
    findings = parse_findings(said)
    if not any(is_expected(finding, test) for finding in findings):
        return f"no finding `{test.expect}` with lines {sorted(test.lines)}"
    for finding in findings:
        if not any(begins(finding.title, wanted) for wanted in [test.expect, *test.also]):
            return f"something else is reported, at line {finding.line}"
    return ""


# ---- words -------------------------------------------------------------------------------------------------------

# AddressSanitizer warns once that it cannot recognise the stack of a fiber.
NOT_SAID = re.compile(
    r"^(.*__asan_handle_no_return.*|False positive error reports.*|.*sanitizers/issues/189.*)\n", re.MULTILINE
)
CHANGING = [  # from compiler to compiler
    (r"after [0-9,]+ executed", "after SOME executed"),
    (r"[0-9]+( of [0-9]+ blocks are done)", r"SOME\1"),
    (r"at launch [0-9]+", "at launch SOME"),
    (r"[0-9]+ launches", "SOME launches"),
    (r"[0-9,]+ (bytes in|characters) ([0-9,]+ )?(allocations |calls )?use up [0-9,]+", r"SOME \1 \3use up SOME"),
]
CHANGING_BY_ORDER = (r":[0-9]+", r"\[.*", r"byte .*", r"[0-9]+ of", r"lane [0-9]+")  # in the first line


def steady(said: str) -> str:
    for pattern, text in CHANGING:
        said = re.sub(pattern, text, said)
    return said


def gist(said: str) -> str:
    said = said.partition("\n")[0]
    for pattern in CHANGING_BY_ORDER:
        said = re.sub(pattern, "", said, count=1)
    return said


def fault_of_words(wanted: str, said: str, schedule: Schedule) -> str:
    said = steady(said)
    if schedule != SCHEDULES[0]:
        return "" if gist(said) == gist(wanted) else f"another mistake than `{gist(wanted)}`"
    differences = difflib.unified_diff(wanted.splitlines(), said.splitlines(), "the words", "said", n=0, lineterm="")
    return "\n    ".join(differences)


# ---- runs --------------------------------------------------------------------------------------------------------


def run(build: Path, test: Test, variant: str, schedule: Schedule) -> tuple[int, str]:
    """Returns the exit status and the output."""
    words = [*os.environ.get("RUN", "").split(), str(build / test.program), *((variant, test.name) if variant else ())]
    environment = os.environ | {
        "SIMT_ORDER": schedule.order,
        "SIMT_SEED": str(schedule.seed),
        "SIMT_RESIDENT": str(max(schedule.resident, test.resident)),
        "SIMT_WORK": test.work,
    }
    done = subprocess.run(words, check=False, env=environment, capture_output=True, timeout=DEADLINE)
    return done.returncode, NOT_SAID.sub("", done.stderr.decode(errors="replace"))


def fault_of(build: Path, test: Test, variant: str, schedule: Schedule) -> str:
    head = f"not ok: {test.name} {variant} ({schedule.order} {schedule.seed}, resident {schedule.resident}): "
    try:
        status, said = run(build, test, variant, schedule)
    except (OSError, subprocess.TimeoutExpired) as error:
        return head + str(error)
    findings = any(not finding.title.startswith("warning: ") for finding in parse_findings(said))
    fault = ""
    if variant == "clean":
        fault = "it is clean, and something is reported" if said else ""
    elif test.words is not None:
        fault = fault_of_words(test.words, said, schedule)
    if variant == "faulty" and not fault:
        fault = fault_of_marks(test, said)
    # Host code that accesses device memory ends there, as on a GPU.
    if not fault and status != (STATUS_OF_FINDINGS if findings else 0) and not test.name.endswith("_on_host"):
        fault = f"exit status {status}"
    return "\n    ".join([head + fault, *said.splitlines()[:12]]) if fault else ""


def check(build: Path, test: Test, schedules: list[Schedule]) -> list[str]:
    if test.is_pair and not (test.expect and test.lines):
        return [f"not ok: {test.name}: its source has no `expect:`, or no line marked `//!`"]
    if not test.is_pair and test.words is None:
        return [f"not ok: {test.name}: its source has no words: write them with --record, and read them"]
    variants = ("faulty", "clean") if test.is_pair else ("",)
    faults = (fault_of(build, test, variant, schedule) for variant in variants for schedule in schedules)
    return [fault for fault in faults if fault]


def main() -> int:
    parser = argparse.ArgumentParser(usage=(__doc__ or "").split("usage: ")[1].split("\n")[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--schedules", type=int, default=len(SCHEDULES))
    parser.add_argument("--words", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("names", nargs="*")
    said = parser.parse_intermixed_args()
    tests = all_tests(said.names)
    unknown = set(said.names) - {test.name for test in tests} - {test.program for test in tests}
    if unknown:
        parser.error(f"nothing in findings/ is called {', '.join(sorted(unknown))}")
    if said.record:
        for test in tests:
            if test.words is not None or test.program in said.names:
                _, words = run(said.build, test, "faulty" if test.is_pair else "", SCHEDULES[0])
                record(test.source, steady(words))
    tests = [test for test in tests if test.words is not None or not said.words]

    def faults_of(test: Test) -> list[str]:
        return check(said.build, test, SCHEDULES[: said.schedules] if test.is_pair and not said.words else FEW)

    failed = 0
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for faults in pool.map(faults_of, tests):
            failed += bool(faults)
            for fault in faults[:SHOWN_FAULTS]:
                print(fault)
    print(f"findings: {len(tests) - failed} passed, {failed} failed")
    return 1 if failed or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
