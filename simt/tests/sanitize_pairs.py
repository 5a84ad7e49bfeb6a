#!/usr/bin/env python3
"""make sanitize-pairs: a table of what NVIDIA's compute-sanitizer finds on a GPU in the pairs of findings/.

usage: sanitize_pairs.py DIRECTORY_OF_CUDA_PROGRAMS [NAME...]

Each pair's faulty and clean program runs under the four tools. The table is printed as Markdown. It has the finding
that the CPU device must give (which check_findings.py tests), and the tools that report something about the faulty
program; then the tools that report something about the clean one, and the faults that no tool reports. A tool that
does not end in time has found nothing. The exit status is 0, or 2 without compute-sanitizer or programs.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from check_findings import Test, all_tests

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
SECONDS = 40
AT_ONCE = 8


@dataclass(frozen=True)
class Verdict:
    """One tool's verdict on one program: the number of reports, or why there are none."""

    reports: int
    trouble: str = ""

    @property
    def word(self) -> str:
        return "found" if self.reports else self.trouble


def sanitize(directory: Path, pair: Test, variant: str, tool: str) -> Verdict:
    """Runs a pair under a tool, which is killed if it runs for too long."""
    words = ["compute-sanitizer", "--tool", tool, str(directory / pair.program), variant, pair.name]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return Verdict(0, "no end")
    summary = re.findall(r"SUMMARY: (\d+) (?:error|hazard)", done.stdout)
    return Verdict(sum(map(int, summary))) if summary else Verdict(0, "no summary")


def row(pair: Test, directory: Path, pool: ThreadPoolExecutor) -> dict[tuple[str, str], Verdict]:
    """Returns the verdicts of all tools on both programs of a pair."""
    jobs = {
        (variant, tool): pool.submit(sanitize, directory, pair, variant, tool)
        for variant in ("faulty", "clean")
        for tool in TOOLS
    }
    return {key: job.result() for key, job in jobs.items()}


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    if not shutil.which("compute-sanitizer"):
        print("sanitize-pairs: compute-sanitizer is not on the PATH; it comes with the CUDA Toolkit", file=sys.stderr)
        return 2
    directory = Path(sys.argv[1])
    pairs = [pair for pair in all_tests(sys.argv[2:]) if pair.is_pair and os.access(directory / pair.program, os.X_OK)]
    if not pairs:
        print(f"sanitize-pairs: no pair of findings/ in {directory}", file=sys.stderr)
        return 2

    missed, alarms, found = [], [], dict.fromkeys(TOOLS, 0)
    print("| pair | CPU device | " + " | ".join(TOOLS) + " |")
    print("|---|---|" + "---|" * len(TOOLS))
    with ThreadPoolExecutor(AT_ONCE) as pool, ThreadPoolExecutor(AT_ONCE) as rows:
        for pair, verdicts in zip(pairs, rows.map(lambda pair: row(pair, directory, pool), pairs), strict=True):
            faulty = [verdicts["faulty", tool] for tool in TOOLS]
            print(
                f"| {pair.name} | {pair.expect} | " + " | ".join(verdict.word for verdict in faulty) + " |", flush=True
            )
            for tool, verdict in zip(TOOLS, faulty, strict=True):
                found[tool] += verdict.reports > 0
            if not any(verdict.reports for verdict in faulty):
                missed.append(pair.name)
            alarms += [f"{pair.name} ({tool})" for tool in TOOLS if verdicts["clean", tool].reports]

    print(f"\nOf {len(pairs)} faults: " + ", ".join(f"{tool} {found[tool]}" for tool in TOOLS) + ".")
    print(f"\nReported by no tool ({len(missed)}): {', '.join(missed) or 'none'}.")
    print(f"\nReported of clean programs: {', '.join(alarms) or 'nothing'}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
