"""check.py TARGET... [-- TARGET...]...: runs make targets, shows what they print, and adds up their closing lines.

The targets of a list run one after another. The lists, which are separated by --, run at the same time, because many
tests spend more time waiting than computing. The last list is for such tests. They cannot use all processors, so they
get one whenever they need it, and the other lists get the rest. The output of a target is shown in one piece when it
has ended.

A target must print each line `NAME: N passed, N failed` that .ci/tests.toml lists for it, as many times as the list
says. A line that is missing, is printed too often or is not listed counts as one failure. So does a line without a
test, and a target that fails although it counted no failure. Every target runs, even after failures; the last line is
the sum.

Of what is many and slow (trials, whole programs, commands in documents), the targets take a ninth, and of the findings
a third. Which ones depends on the commit; `PORTION=all make check` takes all. grader/audit/portion.py describes it.
"""

import os
import re
import signal
import subprocess
import sys
import threading
import time
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

CLOSING = re.compile(r"^([a-z][a-z/ -]*): (\d+) passed, (\d+) failed$")

NICE = 10  # of all lists but the last
PORTIONS = 9

Plan = dict[str, int]


@dataclass(slots=True)
class Tally:
    """The sums of the closing lines of one target."""

    passed: int = 0
    failed: int = 0
    faults: list[str] = field(default_factory=list)  # each counts as one failure


def read_plans(path: Path) -> dict[str, Plan]:
    """Target -> how many times each closing line must be printed."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        target: {name: int(test.get("times", 1)) for name, test in tests.items()} for target, tests in tables.items()
    }


def add_up(lines: list[str], plan: Plan, status: int) -> Tally:
    """Adds up the closing lines among `lines` and compares them with the plan."""
    tally, seen = Tally(), Counter[str]()
    for name, passed, failed in (match.groups() for match in map(CLOSING.match, lines) if match):
        seen[name] += 1
        tally.passed += int(passed)
        tally.failed += int(failed)
        if int(passed) + int(failed) == 0:
            tally.faults.append(f"{name}: it ran no test")
    for name in sorted({*plan, *seen}):
        if name not in plan:
            tally.faults.append(f"{name}: .ci/tests.toml does not list it")
        elif seen[name] < plan[name]:
            tally.faults.append(f"{name}: it came to its end {seen[name]} times, not {plan[name]}")
        elif seen[name] > plan[name]:
            tally.faults.append(f"{name}: it closed {seen[name]} times, not {plan[name]}")
    if status != 0 and tally.failed == 0 and not tally.faults:
        tally.faults.append(f"exit status {status}")
    tally.failed += len(tally.faults)
    return tally


def run(target: str, niceness: int) -> tuple[list[str], int, float]:
    """Runs make on a target, and returns its lines, its exit status, and the CPU seconds that it and its children
    took."""
    priority = ["nice", "-n", str(niceness)]
    command = [*priority, "make", "-k", "--no-print-directory", f"-j{os.cpu_count()}", "--output-sync=target", target]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as make:
        lines = make.stdout.read().splitlines() if make.stdout else []
        _, status, used = os.wait4(make.pid, 0)
        make.returncode = os.waitstatus_to_exitcode(status)
    return lines, make.returncode, used.ru_utime + used.ru_stime


def check(targets: list[str], niceness: int, plans: dict[str, Plan], shown: threading.Lock) -> Tally:
    """Runs targets one after another, shows the output of each, and returns their sums."""
    total = Tally()
    for target in targets:
        start = time.monotonic()
        lines, status, cpu = run(target, niceness)
        tally = add_up(lines, plans.get(target, {}), status)
        faults = [f"{target} failed: {fault}" for fault in tally.faults]
        with shown:
            end = f"== {target}: {time.monotonic() - start:.0f} s, {cpu:.0f} s of CPU"
            print(f"== {target}", *lines, *faults, end, sep="\n", flush=True)
        total.passed += tally.passed
        total.failed += tally.failed
        if status == -signal.SIGINT:  # after Ctrl-C, which all running targets get
            break
    return total


def portion() -> str:
    """The portion of the trials that the environment names, or else a ninth chosen by the commit."""
    head = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    commit = int(head.stdout, 16) if head.returncode == 0 else 0
    return os.environ.get("PORTION") or f"{commit % PORTIONS}/{PORTIONS}"


def main(words: list[str], plans: dict[str, Plan]) -> int:
    """Runs all lists. The exit status is 0 when nothing failed."""
    lists: list[list[str]] = [[]]
    for word in words:
        if word == "--":
            lists.append([])
        else:
            lists[-1].append(word)
    os.environ["PORTION"] = portion()
    print(f"trials: PORTION={os.environ['PORTION']}", flush=True)
    shown = threading.Lock()
    with ThreadPoolExecutor(len(lists)) as pool:
        niceness = [NICE] * (len(lists) - 1) + [0]
        tallies = list(pool.map(lambda targets, nice: check(targets, nice, plans, shown), lists, niceness))
    passed, failed = sum(tally.passed for tally in tallies), sum(tally.failed for tally in tallies)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], read_plans(Path(__file__).with_name("tests.toml"))))
