#!/usr/bin/env python3
"""make check-delays DEVICE=cuda: which mutants with a race give a wrong result on this GPU, with delays and without.

usage: check_delays.py BUILD [--all] [--only TEXT] [--ways gpu,delays,cpu] [--jobs N]

The mutants are those of reference/trials/*/wrong whose expected finding is a race and that have fewer barriers or
fences than their base; with --all, every mutant with a race. Each is built three times with TILE = 1024, where blocks
have up to 1024 threads: for a GPU, for a GPU with DELAYS=1, and for the CPU device. The public suite tests its part
with one seed after another until a result is wrong, for at most 10 seconds. The solution that it was made of is built
and tested in the same way, once, and must be right.

Prints a row of Markdown for each mutant, and sums. The exit status is 0 when every solution is right, the CPU device
finds every mutant, and delays show at least 90 % of those that lack a barrier of a block.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grader.audit.trials import WRONG, Entry, make_source, read_trials  # noqa: E402

TILE = "1024"
SECONDS = 10  # of tests on the GPU, for a mutant
CPU_SECONDS = 120
AT_ONCE = 8  # suites on the GPU
WANTED = 0.9
WAYS = {"gpu": "GPU", "delays": "GPU, DELAYS=1", "cpu": "CPU device"}
GPU, DELAYS, CPU = WAYS
# Tests of many tiles on the CPU device call a build with small ones.
BUILDS = {GPU: "%.1024", DELAYS: "%.1024", CPU: "%.1024 %.64"}
SETTINGS = {GPU: ["DEVICE=cuda"], DELAYS: ["DEVICE=cuda", "DELAYS=1"], CPU: ["DEVICE=cpu"]}
GUARDS = ("__syncthreads", "__syncwarp", "__threadfence")
FAILURE = re.compile(r"^  FAILED .*\n(?:      .*\n)*", re.MULTILINE)  # the first one, with its message
FINDING = re.compile(r"^ +(\S+\.cu:\d+) +\S+: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Trial:
    """A source, and the part by which it is judged."""

    lab: str
    name: str
    part: str
    source: str
    title: str
    lacks: str  # the kind of barrier or fence that was removed from its base; "" if none was

    @property
    def who(self) -> str:
        return f"race-{self.lab}-{self.part}-{self.name}"


@dataclass(frozen=True)
class Verdict:
    """What the suite said of a trial built in one way."""

    wrong: bool
    words: str


def guard_lacking(base: str, source: str) -> str:
    return next((guard for guard in GUARDS if source.count(guard) < base.count(guard)), "")


def read_mutants(every: bool, only: str) -> list[Trial]:
    """The mutants, each lab's in the order of its files."""
    trials = []
    for path in sorted(ROOT.glob("labs/[1-9]-*")):
        lab = path.name[2:].replace("-", "_")
        for entry in read_trials(ROOT / "reference", lab, WRONG):
            if entry.kind == "race" and only in f"{lab}/{entry.name}":
                trials.append(make_trial(entry))  # noqa: PERF401
    return [trial for trial in trials if every or trial.lacks]


def make_trial(entry: Entry) -> Trial:
    source = make_source(ROOT / "reference", entry).source
    base = (ROOT / entry.base).read_text()
    return Trial(entry.lab, entry.name, entry.parts[0], source, entry.title, guard_lacking(base, source))


def solutions(mutants: list[Trial]) -> list[Trial]:
    """The solution of each part that the mutants break."""
    parts = sorted({(mutant.lab, mutant.part) for mutant in mutants})
    texts = {lab: (ROOT / f"reference/{lab}.cu").read_text() for lab, _ in parts}
    return [Trial(lab, "reference", part, texts[lab], "", "") for lab, part in parts]


class Bench:
    """Builds trials and runs their suites. Its methods may be called by many threads."""

    def __init__(self, build: str, ways: list[str]) -> None:
        self.build = build
        self.ways = ways
        self.gpu = threading.Semaphore(AT_ONCE)

    def make(self, trial: Trial, way: str) -> str:
        """Builds it. Returns "" or the compiler's words."""
        folder = ROOT / self.build / "races" / trial.who
        folder.mkdir(parents=True, exist_ok=True)
        source = folder / f"{trial.lab}.cu"
        if not source.exists():
            source.write_text(trial.source)
        words = ["make", "--no-print-directory", "build-lab", f"B={self.build}", f"WHO={trial.who}", f"SRC={folder}"]
        words += [f"LAB={trial.lab}", f"BUILDS={BUILDS[way]}", "FLAGS="]
        words += SETTINGS[way]
        clean = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS")}
        done = subprocess.run(words, cwd=ROOT, env=clean, capture_output=True, text=True, check=False)
        return done.stderr if done.returncode else ""

    def suite(self, trial: Trial, way: str, seed: int, seconds: float) -> subprocess.CompletedProcess[str]:
        device = "cpu" if way == CPU else "cuda"
        room = "delays-1" if way == DELAYS else device
        words = [sys.executable, "-m", "grader.judge.shown", f"{self.build}/bin/check_{trial.lab}"]
        words += ["--submission", f"{self.build}/{room}/{trial.who}"]
        words += ["--runner", f"{self.build}/{device}/runner", "--device", device, "--part", trial.part]
        words += ["--tile", TILE, "--enough", "1", "--seed", str(seed), "--seconds", str(int(seconds) + 1)]
        environment = os.environ | {"COLUMNS": "0"}
        return subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    def judge(self, trial: Trial, way: str) -> Verdict:
        """Tests it until something is wrong or the time is over."""
        begin, seed, limit = time.monotonic(), 0, CPU_SECONDS if way == CPU else SECONDS
        while (left := limit - (time.monotonic() - begin)) > 0:
            seed += 1
            done = self.suite(trial, way, seed, left)
            if done.returncode not in (0, 1):
                return Verdict(False, f"status {done.returncode}: {' '.join(done.stderr.split())[-200:]}")
            failure = FAILURE.search(done.stdout)
            late = failure is not None and "calls may take are over" in failure[0]
            if failure and not late:
                finding = FINDING.search(failure[0])
                took = time.monotonic() - begin
                return Verdict(True, finding[2].split(" (")[0] if finding else f"wrong after {took:.1f} s")
            if late or way == CPU or trial.name == "reference":
                break
        return Verdict(False, "right")

    def run(self, trial: Trial) -> dict[str, Verdict]:
        verdicts = {}
        for way in self.ways:
            errors = self.make(trial, way)
            if errors:
                verdicts[way] = Verdict(False, f"does not compile: {errors[-200:]}")
            elif way == CPU:
                verdicts[way] = self.judge(trial, way)
            else:
                with self.gpu:
                    verdicts[way] = self.judge(trial, way)
        return verdicts


def print_sums(mutants: list[Trial], verdicts: list[dict[str, Verdict]], ways: list[str]) -> None:
    groups = {guard: [i for i, mutant in enumerate(mutants) if mutant.lacks == guard] for guard in (*GUARDS, "")}
    print(f"\n| lacks | mutants | {' | '.join(WAYS[way] for way in ways)} |\n|---|---|{'---|' * len(ways)}")
    for guard, rows in groups.items():
        sums = [sum(verdicts[i][way].wrong for i in rows) for way in ways]
        if rows:
            print(f"| {guard or 'none of them'} | {len(rows)} | {' | '.join(map(str, sums))} |")


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    mutants = read_mutants(options.all, options.only)
    rights = solutions(mutants)
    bench = Bench(options.build, options.ways.split(","))
    good = True
    with ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(bench.run, [*mutants, *rights])
        print(f"| mutant | what its author did | lacks | {' | '.join(WAYS[way] for way in bench.ways)} |")
        print(f"|---|---|---|{'---|' * len(bench.ways)}")
        verdicts = []
        for mutant in mutants:
            verdicts.append(next(results))
            words = " | ".join(verdicts[-1][way].words for way in bench.ways)
            print(f"| {mutant.lab}/{mutant.name} | {mutant.title} | {mutant.lacks} | {words} |", flush=True)
        print_sums(mutants, verdicts, bench.ways)
        for right in rights:
            for way, verdict in next(results).items():
                if verdict.wrong or verdict.words != "right":
                    good = False
                    print(f"NOT RIGHT: the solution of {right.lab}/{right.part}, {WAYS[way]}: {verdict.words}")
    good = good and all(verdict[CPU].wrong for verdict in verdicts if CPU in verdict)
    shown = [v[DELAYS].wrong for m, v in zip(mutants, verdicts, strict=True) if m.lacks == GUARDS[0] and DELAYS in v]
    good = good and sum(shown) >= WANTED * len(shown)
    print(f"\ndelays: {len(mutants)} mutants, {len(rights)} solutions: {'good' if good else 'NOT GOOD'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
