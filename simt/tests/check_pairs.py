#!/usr/bin/env python3
"""Runs the pairs of pairs/: programs that make a classic mistake, or do the same thing right.

usage: check_pairs.py [--schedules N] BUILD_DIRECTORY [NAME...]

A file of pairs/ is one program, BUILD_DIRECTORY/FILE, of one pair or more (pairs/pair.h says how they are written). A
pair reaches from the end of the one before to the end of its PAIR(NAME) { ... }; with the argument `faulty` it makes
the mistake, with `clean` it does not. Its source says what the device must report of the faulty one:

    expect: race on shared buffer     how the finding's title begins, `warning: ` included where it is one
    also: read of uninitialized       (any number) another finding that may come along
    resident: 2                       (optional) needs that many resident blocks, as when one waits for another

and marks the lines that the finding must name with a comment: `//! `. The finding's own line must be one of them,
and the others must be named in its further lines, as `line 12`.

Each variant runs under SCHEDULES, or the first N; RUN in the environment is what to run them with, such as an emulator.
The faulty one must give the expected finding under every one of them, and no finding that is neither expected nor
named by `also`; the clean one must stay silent. Prints what fails, and `pairs: N passed, N failed`. Exit status 0, or
1 when some fail.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent / "pairs"
SECONDS = "5"
SHOWN_FAULTS = 2


@dataclass(frozen=True)
class Schedule:
    order: str
    seed: int
    resident: int


SCHEDULES = [Schedule(order, 1, resident) for order in ("forward", "reverse") for resident in (1, 2, 3, 16)]
SCHEDULES += [Schedule("random", seed, (1, 2, 4, 16)[seed % 4]) for seed in range(1, 13)]


@dataclass
class Pair:
    name: str
    program: str
    expect: str = ""
    also: list[str] = field(default_factory=list)
    resident: int = 1
    lines: set[int] = field(default_factory=set)


def read_pairs(source: Path) -> list[Pair]:
    pairs: list[Pair] = []
    pair = Pair("", source.stem)
    for number, line in enumerate(source.read_text().splitlines(), 1):
        if match := re.match(r"[ /]\*?\*? *(expect|also|resident): (.*?) *(\*/)?$", line):
            word, text = match.group(1), match.group(2)
            if word == "expect":
                pair.expect = text
            elif word == "also":
                pair.also.append(text)
            else:
                pair.resident = int(text)
        elif match := re.match(r"PAIR\((\w+)\)$", line):
            pair.name = match.group(1)
        elif line == "}" and pair.name:
            pairs.append(pair)
            pair = Pair("", source.stem)
        if "//!" in line:
            pair.lines.add(number)
    return pairs


def all_pairs(names: list[str]) -> list[Pair]:
    """Those of the folder, or only those that are named, or whose file is."""
    pairs = [pair for source in sorted(HERE.glob("*.cu")) for pair in read_pairs(source)]
    return [pair for pair in pairs if not names or pair.name in names or pair.program in names]


@dataclass
class Finding:
    """As the device prints it: `file.cu:12  kernel: title`, and indented lines."""

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
    """The function's own name may hold `: `, as in a template's arguments."""
    return title.startswith(wanted) or f": {wanted}" in title


def is_expected(finding: Finding, pair: Pair) -> bool:
    named = {int(number) for number in re.findall(r"line (\d+)", finding.detail)} | {finding.line}
    return begins(finding.title, pair.expect) and finding.line in pair.lines and pair.lines <= named


def fault_of(pair: Pair, variant: str, status: int, said: str) -> str:
    """What is wrong with one run; empty when nothing is."""
    if status != 0:
        return f"exit status {status}"
    if variant == "clean":
        return "it is clean, and something is reported" if said else ""
    findings = parse_findings(said)
    if not any(is_expected(finding, pair) for finding in findings):
        return f"no finding `{pair.expect}` with lines {sorted(pair.lines)}"
    for finding in findings:
        if not any(begins(finding.title, wanted) for wanted in [pair.expect, *pair.also]):
            return f"something else is reported, at line {finding.line}"
    return ""


def run(program: Path, pair: Pair, variant: str, schedule: Schedule) -> str:
    environment = os.environ | {
        "SIMT_ORDER": schedule.order,
        "SIMT_SEED": str(schedule.seed),
        "SIMT_RESIDENT": str(max(schedule.resident, pair.resident)),
        "SIMT_SECONDS": SECONDS,
    }
    try:
        words = [*os.environ.get("RUN", "").split(), str(program), variant, pair.name]
        done = subprocess.run(words, check=False, env=environment, capture_output=True, text=True, timeout=60)
        fault = fault_of(pair, variant, done.returncode, done.stderr)
        said = done.stderr
    except (OSError, subprocess.TimeoutExpired) as error:
        fault, said = str(error), ""
    if not fault:
        return ""
    head = f"not ok: {pair.name} {variant} ({schedule.order} {schedule.seed}, resident {schedule.resident}): {fault}"
    return "\n    ".join([head, *said.splitlines()[:8]])


def check(build: Path, pair: Pair, schedules: list[Schedule]) -> list[str]:
    if not pair.expect or not pair.lines:
        return [f"not ok: {pair.name}: its source has no `expect:`, or no line marked `//!`"]
    runs = ((variant, schedule) for variant in ("faulty", "clean") for schedule in schedules)
    faults = (run(build / pair.program, pair, variant, schedule) for variant, schedule in runs)
    return [fault for fault in faults if fault]


def main(arguments: list[str]) -> int:
    schedules = SCHEDULES
    if arguments[:1] == ["--schedules"]:
        schedules, arguments = SCHEDULES[: int(arguments[1])], arguments[2:]
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    build = Path(arguments[0])
    pairs = all_pairs(arguments[1:])
    failed = 0
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for faults in pool.map(lambda pair: check(build, pair, schedules), pairs):
            failed += bool(faults)
            for fault in faults[:SHOWN_FAULTS]:
                print(fault)
    print(f"pairs: {len(pairs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
