"""make meters-gpu: compares the CPU device's meters with Nsight Compute's counters, for each part of a lab.

Each part is called once on each device with the same input. The counters of all its kernels are added up. If a
GPU's driver does not let ordinary users read counters, ncu reports that (ERR_NVGPUCTRPERM), and so does this
program.

The two compilers treat the same source differently: nvcc may join neighbouring loads into a wider one, or read a
value again that g++ keeps. A row that differs by such a request is expected; one that differs by a factor is not.
"""

import argparse
import csv
import io
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

MONOIDS = ("sum", "float_sum")
WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op"
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op"
SHARED_OPERATIONS = ("ld", "st")
GLOBAL_OPERATIONS = ("ld", "st", "atom", "red")


@dataclass(frozen=True)
class Pair:
    """One of the device's meters, and the counters of ncu whose sum it should equal."""

    title: str
    meter: str
    counters: tuple[str, ...]


PAIRS = (
    Pair("wavefronts", "shared wavefronts", tuple(f"{WAVEFRONTS}_{op}.sum" for op in SHARED_OPERATIONS)),
    Pair("excess", "excess wavefronts", tuple(f"{CONFLICTS}_{op}.sum" for op in SHARED_OPERATIONS)),
    Pair(
        "requests",
        "global requests",
        tuple(f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum" for op in GLOBAL_OPERATIONS),
    ),
    Pair(
        "sectors",
        "global sectors",
        tuple(f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum" for op in GLOBAL_OPERATIONS),
    ),
    Pair("L2 sectors", "uncached sectors", ("lts__t_sectors_srcunit_tex.sum",)),
)


class MetersError(Exception):
    """A program failed."""


def run(words: list[str]) -> str:
    """Returns what a program prints; raises an error when it fails."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise MetersError(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout


def cpu_meters(printed: str) -> dict[str, int]:
    """Returns the totals that `--meters` prints for one call: lines that begin with a name and a number, and the names
    of those that are 0."""
    values = {
        name: int(value) for name, value in re.findall(r"^([a-z][a-z ]*[a-z]) +(\d+)(?: |$)", printed, re.MULTILINE)
    }
    zeros = re.search(r"^0: (.*(?:\n    .*)*)", printed, re.MULTILINE)
    return values | dict.fromkeys(" ".join(zeros[1].split()).split(", ") if zeros else (), 0)


def ncu_counters(log: str) -> dict[str, int]:
    """Returns sums over all kernels of a log that ncu wrote as CSV."""
    rows = [line for line in log.splitlines() if line.startswith('"')]
    counters: dict[str, int] = {}
    for row in csv.DictReader(io.StringIO("\n".join(rows))):
        value = row["Metric Value"].replace(",", "")
        if value not in ("", "n/a"):
            counters[row["Metric Name"]] = counters.get(row["Metric Name"], 0) + round(float(value))
    return counters


def parts_of(table: str) -> list[tuple[str, str]]:
    """Returns the parts, and the lengths or shapes, of the table that `--meters` prints for a lab."""
    return re.findall(r"^([a-z]\w*) +(\d+(?:x\d+)?) +\d", table, re.MULTILINE)


def measure(arguments: argparse.Namespace, lab: str, part: str, size: str) -> tuple[dict[str, int], dict[str, int]]:
    """Returns the meters and the counters of one call."""
    build: Path = arguments.build
    suite = str(build / "bin" / f"check_{lab}")
    common = ["--part", part, "--shape" if "x" in size else "--n", size, "--seed", "1", "--monoid"]
    for monoid in MONOIDS:  # the first that the part takes
        try:
            ours = run([suite, "--meters", "--submission", str(build / "cpu" / arguments.who), *common, monoid])
            break
        except MetersError as error:
            if "is not built for the monoid" not in str(error):
                raise
    common += [monoid]
    names = ",".join(dict.fromkeys(counter for pair in PAIRS for counter in pair.counters))
    with tempfile.NamedTemporaryFile(suffix=".csv") as log:
        ncu = [arguments.ncu, "--target-processes", "all", "--csv", "--print-units", "base", "--log-file", log.name]
        theirs = ["--submission", str(build / "cuda" / arguments.who), "--runner", str(build / "cuda" / "runner")]
        run([*ncu, "--metrics", names, suite, "--show", "--device", "cuda", *theirs, *common])
        text = Path(log.name).read_text(encoding="utf-8")
    if "ERR_NVGPUCTRPERM" in text:
        raise MetersError("ncu: ERR_NVGPUCTRPERM: this machine does not let you read the GPU's counters")
    return cpu_meters(ours), ncu_counters(text)


def differs(ours: int, theirs: int, allowed: float) -> bool:
    """Returns whether the numbers differ by more than the share `allowed`."""
    return abs(ours - theirs) > allowed * max(ours, theirs)


def main() -> int:
    """Prints the table. The exit status is 0; 1 when a program failed; or 2 without ncu."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("who")
    parser.add_argument("labs", nargs="+")
    parser.add_argument("--ncu", default=shutil.which("ncu") or "ncu")
    parser.add_argument("--allowed", type=float, default=0.02, help="difference that counts as agreement")
    arguments = parser.parse_args()
    if not shutil.which(arguments.ncu):
        print("meters-gpu: Nsight Compute's ncu is not here; it comes with the CUDA Toolkit", file=sys.stderr)
        return 2
    agree = compared = 0
    print(f"{'part':<24}{'n':>8}" + "".join(f"{pair.title:>22}" for pair in PAIRS))
    print(f"{'':<32}" + f"{'meter / ncu':>22}" * len(PAIRS))
    for lab in arguments.labs:
        suite = str(arguments.build / "bin" / f"check_{lab}")
        table = run([suite, "--meters", "--submission", str(arguments.build / "cpu" / arguments.who)])
        for part, size in parts_of(table):
            ours, theirs = measure(arguments, lab, part, size)
            cells = ""
            for pair in PAIRS:
                mine = ours.get(pair.meter, 0)
                counted = sum(theirs.get(counter, 0) for counter in pair.counters)
                off = differs(mine, counted, arguments.allowed)
                compared += 1
                agree += not off
                cells += f"{f'{mine} / {counted}' + (' !' if off else '  '):>22}"
            print(f"{part:<24}{size:>8}{cells}", flush=True)
    print(f"{agree} of {compared} agree to within {arguments.allowed:.0%}; the others are marked !")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MetersError as error:
        print(f"meters-gpu: {error}", file=sys.stderr)
        sys.exit(1)
