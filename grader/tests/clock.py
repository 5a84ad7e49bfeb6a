"""Times cheats against the clock (reference/trials/clock/), each with its honest base: `make check-clock DEVICE=cuda`.

A cheat must get no valid time, or none that is better than the base's. On the CPU device only those are timed that need
no GPU. Prints what the clock made of each; exit status 1 if one gained something.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from grader.audit.trials import CLOCK, CLOCK_LAB, Entry, make_source, read_file, trials_folder
from grader.judge.speed import CALLS, LENGTH, ROUNDS, Interval, median_interval, shares
from grader.model.layout import Course

COURSE = Course(Path(__file__).parents[2])
FOLDER = trials_folder(COURSE.reference, CLOCK_LAB, CLOCK)
HONEST = "honest"
PART = "scan_inclusive"
NOISE = 1.03  # a share up to this is not better


@dataclass(frozen=True)
class Verdict:
    """What the clock made of a cheat."""

    said: str  # `no time: ` and why, `no faster`, or `faster`
    share: Interval  # of the base's speed; only if it was timed
    milliseconds: float
    exchange: float  # milliseconds

    @property
    def gains(self) -> bool:
        return self.said == "faster"


def cheats(device: str) -> list[Entry]:
    files = ("any.trials", "gpu.trials") if device == "cuda" else ("any.trials",)
    return [entry for name in files for entry in read_file(COURSE.reference, FOLDER / name)]


def build(device: str, entries: Sequence[Entry]) -> None:
    """Builds the cheats and the base, several at the same time."""
    sources = {HONEST: (FOLDER / "base/honest.cu").read_text()}
    sources |= {entry.name: make_source(COURSE.reference, entry).source for entry in entries}
    make(device, "race")
    for name, source in sources.items():
        folder = source_folder(name)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{CLOCK_LAB}.cu"
        if not path.exists() or path.read_text() != source:
            path.write_text(source)
    build_one(device, HONEST)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda entry: build_one(device, entry.name), entries))


def source_folder(name: str) -> Path:
    return COURSE.build / "clock" / name


def build_one(device: str, name: str) -> None:
    make(
        device,
        *("build-lab", "LAB=6", "BUILDS=sum", f"WHO=clock-{name}", f"SRC={COURSE.relative(source_folder(name))}"),
    )


def make(device: str, *words: str) -> None:
    around = {**os.environ, "CPLUS_INCLUDE_PATH": str(FOLDER)}
    done = subprocess.run(
        ["make", "--no-print-directory", f"DEVICE={device}", *words],
        cwd=COURSE.root,
        env=around,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"make {' '.join(words)} failed:\n{done.stdout}{done.stderr}")


def command_line(device: str, name: str, *options: str) -> list[str]:
    built = COURSE.build / device
    argv = [str(built / "race"), "--part", PART, "--runner", str(built / "runner"), *options]
    argv += ["--empty", str(built / "parts/empty.so")]
    return [*argv, f"reference={built}/clock-{HONEST}", f"hand-in={built}/clock-{name}"]


def time_cheat(device: str, name: str, *options: str) -> Verdict:
    asked = (*options, "--rounds", str(ROUNDS), "--calls", str(CALLS))
    done = subprocess.run(command_line(device, name, *asked), capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"race ended with {done.returncode}: {done.stderr}")
    reference, own = (json.loads(line.removesuffix(",")) for line in done.stdout.splitlines() if line.startswith("{"))
    assert reference["right"], "the base is wrong"
    assert not reference["ended"], reference["ended"]
    share = median_interval(shares(own["times"], reference["times"], CALLS))
    if own["ended"]:
        said = f"no time: {own['ended']}"
    elif not (own["right"] and own["possible"]):
        said = "no time: wrong" if own["possible"] else "no time: faster than a copy"
    else:
        said = "faster" if share.low > NOISE else "no faster"
    return Verdict(said, share, own["milliseconds"], own["exchange_milliseconds"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--length", default=None, help="log2 of the number of elements")
    asked = parser.parse_args()
    length = asked.length or (str(LENGTH) if asked.device == "cuda" else "12")
    entries = [entry for entry in cheats(asked.device) if not asked.only or entry.name in asked.only]
    build(asked.device, entries)
    failed = 0
    for name, wanted in [(HONEST, "no faster"), *((entry.name, entry.wanted("")[0]) for entry in entries)]:
        found = time_cheat(asked.device, name, "--length", length)
        failed += found.gains or not found.said.startswith(wanted)
        share = found.share
        print(
            f"{name:28} {found.said:44.44} {found.milliseconds:9.4f} ms, exchange {found.exchange:.4f} ms, "
            f"{share.middle:.3f} of the base's speed ({share.low:.3f} to {share.high:.3f})"
            + ("" if found.said.startswith(wanted) else f"  EXPECTED {wanted}"),
            flush=True,
        )
    print(f"{len(entries)} cheats, {failed} not as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
