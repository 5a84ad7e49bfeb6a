"""make predict: predicts how long a part takes on a GPU, from what the CPU device counts.

    time = the sum of count * nanoseconds, over the terms below

The nanoseconds of each term, and how far predictions were from measured times, are in predict.json, which
reference/prediction.py fits to the times of the reference's parts on one card. No point depends on a prediction.

A length past 2^16 is not run: the part is counted at two lengths that are 4 and 16 (64, 256, ...) times shorter, and
the counts are scaled. Needs nothing but Python.
"""

import argparse
import json
import math
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from meters_gpu import cpu_meters

MOST = 1 << 16  # elements that are run on the CPU device
SECTOR = 32
LARGE = 3 << 18  # bytes of an allocation
CARD = Path(__file__).with_suffix(".json")

Meters = dict[str, int]

# How a count grows with the length.
FIXED, LEVELS, POWER, LINEAR = "fixed", "levels", "power", "linear"


@dataclass(frozen=True, slots=True)
class Term:
    """One reason why time passes."""

    name: str
    growth: str


TERMS = (
    Term("calls of the runtime", LEVELS),
    Term("allocations that map memory", FIXED),
    Term("chain of accesses", POWER),
    Term("bytes", LINEAR),
)
MAPPED = 1
Counts = list[float]  # one for each term


class PredictError(Exception):
    """A part that cannot be counted; the text says why."""


def mapped(allocations: float, allocated_bytes: float) -> float:
    """The number of allocations for which the driver maps memory; smaller ones share a piece of memory. Only their mean
    size is known, and most parts allocate arrays of one size."""
    return allocations if allocated_bytes >= LARGE * allocations else 0


def counts_of(meters: Meters) -> Counts:
    """The count of each term in one call. An allocation is freed, too; a stock function launches two kernels; and the
    host waits for a copy, which counts as another call."""
    once, twice = ("launches", "device copies"), ("allocations", "stock calls", "host copies")
    return [
        sum(meters[name] for name in once) + 2 * sum(meters[name] for name in twice),
        mapped(meters["allocations"], meters["allocated bytes"]),
        meters["span"],
        SECTOR * (meters["uncached sectors"] + meters["copied sectors"]) + meters["stock bytes"],
    ]


def grown(growth: str, n: tuple[float, float, float], short: float, long: float) -> float:
    """A count at n[2] elements, from that at n[0] and that at n[1], where n[0] < n[1] < n[2]."""
    steps = math.log(n[2] / n[1]) / math.log(n[1] / n[0])
    if growth == LINEAR:  # the count for each element may grow with the logarithm
        return n[2] * (long / n[1] + steps * max(0.0, long / n[1] - short / n[0]))
    if growth == LEVELS:
        return long + steps * max(0.0, long - short)
    if growth == POWER and short > 0:
        return long * math.pow(max(1.0, long / short), steps)
    return long


def scaled(n: tuple[float, float, float], short: Meters, long: Meters) -> Counts:
    """The count of each term at n[2] elements, from the meters at n[0] and n[1]."""
    pairs = zip(TERMS, counts_of(short), counts_of(long), strict=True)
    counts = [grown(term.growth, n, of_short, of_long) for term, of_short, of_long in pairs]
    counts[MAPPED] = mapped(long["allocations"], long["allocated bytes"] * n[2] / n[1])
    return counts


@dataclass(frozen=True, slots=True)
class Card:
    """What predict.json says of a card."""

    name: str
    call: float  # nanoseconds of a call that does nothing
    each: list[float]  # nanoseconds of each term
    low: float  # of the measured times, `share` were between low and high times the prediction
    high: float
    share: float

    def nanoseconds(self, counts: Counts) -> float:
        return self.call + sum(count * each for count, each in zip(counts, self.each, strict=True))


def read_card(path: Path = CARD) -> Card:
    """Reads predict.json."""
    return Card(**json.loads(path.read_text(encoding="utf-8")))


# ---- counting ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Size:
    """A length, or rows and columns."""

    sides: tuple[int, ...]

    @classmethod
    def read(cls, text: str) -> "Size":
        return cls(tuple(int(side) for side in text.split("x")))

    @property
    def elements(self) -> int:
        return math.prod(self.sides)

    @property
    def options(self) -> list[str]:
        return ["--shape" if len(self.sides) > 1 else "--n", str(self)]

    def __str__(self) -> str:
        return "x".join(map(str, self.sides))

    def shorter(self, halvings: int) -> "Size":
        """Halves the longest side so many times."""
        sides = list(self.sides)
        for _ in range(halvings):
            longest = sides.index(max(sides))
            sides[longest] = (sides[longest] + 1) // 2
        return Size(tuple(sides))


@cache
def run(words: tuple[str, ...], size: Size) -> Meters:
    """Returns what `--meters` prints for one call."""
    done = subprocess.run([*words, *size.options], capture_output=True, text=True, check=False)
    meters = cpu_meters(done.stdout)
    if not meters:
        raise PredictError((done.stdout + done.stderr).strip())
    return meters


def count(words: tuple[str, ...], size: Size) -> tuple[Counts, list[Size]]:
    """The counts of a call, and the sizes that were run for them."""
    halvings = 0
    while size.shorter(halvings).elements > MOST:
        halvings += 2
    if halvings == 0:
        return counts_of(run(words, size)), [size]
    sizes = [size.shorter(halvings + 2), size.shorter(halvings)]
    short, long = (run(words, each) for each in sizes)
    return scaled((sizes[0].elements, sizes[1].elements, size.elements), short, long), sizes


# ---- words ------------------------------------------------------------------------------------------------------


def duration(nanoseconds: float) -> str:
    """Three digits, and µs or ms."""
    value, unit = (nanoseconds / 1e6, "ms") if nanoseconds >= 1e6 else (nanoseconds / 1e3, "µs")
    return f"{value:.{max(0, 2 - int(math.log10(max(value, 1))))}f} {unit}"


def show(part: str, size: Size, counts: Counts, sizes: list[Size], card: Card) -> None:
    """Prints the terms, the sum and the interval."""
    how = "" if sizes == [size] else f", scaled from {sizes[0]} and {sizes[1]}"
    print(f"{part}, n = {size}{how}\n")
    print(f"{duration(card.call):>12}  for any call")
    for term, number, each in zip(TERMS, counts, card.each, strict=True):
        if number * each >= 10:
            print(f"{duration(number * each):>12}  {term.name}: {number:,.0f}")
    all_of_it = card.nanoseconds(counts)
    print(f"{duration(all_of_it):>12}  predicted, on an {card.name}")
    print(f"\n{duration(card.low * all_of_it)} to {duration(card.high * all_of_it)} with a probability of "
          f"{100 * card.share:.0f} %: so many of the reference's times were within such an interval.")  # fmt: skip


def show_measured(meters: Meters) -> None:
    """Prints the times of a GPU."""
    if "nanoseconds median" not in meters:
        raise PredictError("the GPU's calls were not timed")
    low, median, high = (meters[f"nanoseconds {word}"] for word in ("lower quartile", "median", "upper quartile"))
    print(f"{duration(median)} measured on this GPU: the median of {meters['timed calls']} calls, half of them within "
          f"{duration(low)} to {duration(high)}. If make bench times this part, its time is more exact.")  # fmt: skip


def main() -> int:
    """Counts, predicts and prints. The exit status is 0, or 1 if the part has no right result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--who", required=True)
    parser.add_argument("--lab", required=True)
    parser.add_argument("--part", required=True)
    parser.add_argument("--monoid", required=True)
    parser.add_argument("--size", type=Size.read, required=True, help="N, or ROWSxCOLUMNS")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--cuda", action="store_true", help="measure, too")
    asked = parser.parse_args()

    def words(device: str) -> tuple[str, ...]:
        return (f"{asked.build}/bin/check_{asked.lab}", "--meters", "--device", device,
                "--submission", f"{asked.build}/{device}/{asked.who}", "--runner", f"{asked.build}/{device}/runner",
                "--part", asked.part, "--monoid", asked.monoid, "--seed", asked.seed)  # fmt: skip

    try:
        counts, sizes = count(words("cpu"), asked.size)
        show(asked.part, asked.size, counts, sizes, read_card())
        if asked.cuda:
            show_measured(run(words("cuda"), asked.size))
    except PredictError as error:
        print(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
