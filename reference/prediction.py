"""How well `make predict` explains the times of the reference's parts on a GPU: the fit of its constants, its error,
and the figure of the page.

usage: prediction.py measure >PARTS.tsv    on a machine with a GPU: times each part at several lengths, minutes
       prediction.py record CARD FILE ...  makes prediction.tsv from times in these files and from the CPU device
       prediction.py fit                   fits predict.json to prediction.tsv, and prints what the page says

A FILE is a PARTS.tsv, or the build/bench/bench.json of `make bench DEVICE=cuda SUBMISSION=reference`. Several of a
kind are repeated runs. `measure` and `record` need the builds of `make test SUBMISSION=reference`, and of DEVICE=cuda.
"""

import json
import math
import statistics
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "labs/support/tools"), str(ROOT / "simt/trace")]

import predict  # noqa: E402
from figure import Drawing  # noqa: E402
from predict import TERMS, Card, Counts, Size  # noqa: E402

TABLE = ROOT / "reference/prediction.tsv"
COLUMNS = 6  # numbers in a line that measure() prints
SHARE = 0.8  # of the measured times that an interval shall contain
LABS = ("reduction", "naive_scan", "work_efficient_scan", "compaction", "radix_sort", "arbitrary_length_scan",
        "summed_area_table", "applications")  # fmt: skip
# The longest input of parts with one block.
TILES = {"reduce_tile": 512, "reduce_tile_packed": 512, "scan_quadratic": 512, "scan_double_buffered": 512,
         "scan_in_place": 512, "scan_blelloch": 512, "scan_brent_kung": 512, "scan_conflict_free": 512,
         "scan_coarsened": 2048, "sort_tile": 512, "merge_tiles": 1024}  # fmt: skip


Key = tuple[str, str]  # part and size


@dataclass(slots=True)
class Row:
    """The times of one call, in nanoseconds."""

    part: str
    size: str
    median: float  # of all runs
    low: float  # the least lower quartile, and the greatest upper one
    high: float
    counts: Counts

    @property
    def elements(self) -> int:
        return Size.read(self.size).elements


@dataclass(slots=True)
class Fit:
    """Constants, and for each row what other parts' times predict."""

    card: Card
    others: list[float] = field(default_factory=list)


# ---- the fit ----------------------------------------------------------------------------------------------------


def solve(a: list[list[float]], b: list[float]) -> list[float]:
    """Solves a x = b by elimination with pivots."""
    rows = [[*line, value] for line, value in zip(a, b, strict=True)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(len(rows)):
            if k != i:
                by = rows[k][i] / rows[i][i]
                rows[k] = [x - by * y for x, y in zip(rows[k], rows[i], strict=True)]
    return [row[-1] / row[i] for i, row in enumerate(rows)]


def least_squares(lines: list[list[float]], weights: list[float], times: list[float]) -> list[float]:
    """Weighted least squares, in which no constant is negative: the most negative one is left out first."""
    used = [i for i in range(len(lines[0])) if any(line[i] > 0 for line in lines)]
    while True:
        scale = [max(line[i] for line in lines) for i in used]
        scaled = [[line[i] / by for i, by in zip(used, scale, strict=True)] for line in lines]
        a = [[sum(w * s[i] * s[k] for w, s in zip(weights, scaled, strict=True)) for k in range(len(used))]
             for i in range(len(used))]  # fmt: skip
        b = [sum(w * s[i] * t for w, s, t in zip(weights, scaled, times, strict=True)) for i in range(len(used))]
        x = solve(a, b)
        if min(x) >= 0:
            break
        used.pop(x.index(min(x)))
    constants = [0.0] * len(lines[0])
    for i, value, by in zip(used, x, scale, strict=True):
        constants[i] = value / by
    return constants


def constants_of(rows: list[Row]) -> list[float]:
    """The constants with the least squares of log(predicted / measured), a part's rows together as one: nanoseconds of
    a call, and of each term."""
    lines = [[1.0, *row.counts] for row in rows]
    times = [row.median for row in rows]
    share = {part: 1 / sum(row.part == part for row in rows) for part in {row.part for row in rows}}
    predicted = times
    for _ in range(20):  # d(log t) = dt / t: weights of the last predictions
        weights = [share[row.part] / (t * p) for row, t, p in zip(rows, times, predicted, strict=True)]
        constants = least_squares(lines, weights, times)
        predicted = [sum(c * x for c, x in zip(constants, line, strict=True)) for line in lines]
    return constants


def card_of(name: str, rows: list[Row], low: float = 0, high: float = 0) -> Card:
    call, *each = constants_of(rows)
    return Card(name, call, each, low, high, SHARE)


def fit(name: str, rows: list[Row]) -> Fit:
    """Fits the constants to all rows; and each part is predicted from the other parts alone."""
    apart = {part: card_of(name, [row for row in rows if row.part != part]) for part in {row.part for row in rows}}
    others = [apart[row.part].nanoseconds(row.counts) for row in rows]
    ratios = sorted(row.median / other for row, other in zip(rows, others, strict=True))
    ends = [ratios[round(q * (len(ratios) - 1))] for q in ((1 - SHARE) / 2, (1 + SHARE) / 2)]
    return Fit(card_of(name, rows, *ends), others)


# ---- the table ---------------------------------------------------------------------------------------------------


def read_table(path: Path = TABLE) -> tuple[str, list[Row]]:
    """The card's name, and the rows."""
    name, _, *lines = path.read_text(encoding="utf-8").splitlines()
    words = (line.split("\t") for line in lines)
    return name, [Row(w[0], w[1], float(w[2]), float(w[3]), float(w[4]), [float(x) for x in w[5:]]) for w in words]


def write_table(name: str, rows: Iterable[Row]) -> None:
    heads = ("part", "size", "median ns", "lower quartile", "upper quartile", *(term.name for term in TERMS))
    lines = [[row.part, row.size, *(f"{x:.0f}" for x in (row.median, row.low, row.high)),
              *(f"{x:.6g}" for x in row.counts)] for row in rows]  # fmt: skip
    TABLE.write_text("\n".join([name, *("\t".join(line) for line in [heads, *lines])]) + "\n", encoding="utf-8")


def suite_words(device: str, lab: str, part: str) -> tuple[str, ...]:
    build = ROOT / "build"
    monoid = "float_sum" if part == "mean" else "sum"
    return (f"{build}/bin/check_{lab}", "--meters", "--device", device, "--submission", f"{build}/{device}/reference",
            "--runner", f"{build}/{device}/runner", "--part", part, "--monoid", monoid, "--seed", "1")  # fmt: skip


def parts_of(lab: str) -> list[str]:
    folder = next(ROOT.glob(f"labs/?-{lab.replace('_', '-')}"))
    lines = (folder / "lab.toml").read_text(encoding="utf-8").splitlines()
    return [line.split('"')[1] for line in lines if line.startswith("name = ")]


def measure() -> None:
    """Prints lab, part, size, and nanoseconds: of the first call, the number of calls, least, quartiles."""
    for power in (10, 12, 16, 18, 20):
        for lab in LABS:
            for part in parts_of(lab):
                most, n = TILES.get(part, 1 << 20), 1 << power
                side = 1 << power // 2
                size = f"{side}x{side}" if lab == "summed_area_table" else str(min(n, most))
                if n > most and power > 10:  # the first length is the tile's
                    continue
                meters = predict.run(suite_words("cuda", lab, part), Size.read(size))
                times = [str(value) for name, value in meters.items() if "nanoseconds" in name or name == "timed calls"]
                print("\t".join([lab, part, size, *times]), flush=True)


@dataclass(slots=True)
class Times:
    """All medians of a call, and the extreme quartiles."""

    medians: list[float] = field(default_factory=list)
    lows: list[float] = field(default_factory=list)
    highs: list[float] = field(default_factory=list)

    def add(self, low: float, median: float, high: float) -> None:
        self.medians.append(median)
        self.lows.append(low)
        self.highs.append(high)


def add_parts(path: Path, times: dict[Key, Times]) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        _, part, size, *numbers = line.split()
        if len(numbers) == COLUMNS:
            low, median, high = map(float, numbers[-3:])
            times.setdefault((part, size), Times()).add(low, median, high)


def add_bench(path: Path, times: dict[Key, Times]) -> None:
    """Adds lengths past 2^20, on random inputs; shorter ones are calls of their own."""
    for one in json.loads(path.read_text(encoding="utf-8")):
        n, part = one["n"], one["part"]
        if one["who"] != "staged" or n <= 1 << 20 or one["input"] not in ("", "50 %", "32 bits"):
            continue
        rows = 1 << (n.bit_length() - 1) // 2
        size = f"{rows}x{n // rows}" if part in parts_of("summed_area_table") else str(n)
        median = 1e6 * one["milliseconds"]
        spread = median * one["spread_percent"] / 100
        times.setdefault((part, size), Times()).add(median - spread, median, median + spread)


def record(name: str, files: list[Path]) -> None:
    """Writes the table. Lengths up to 2^16 are counted as they are."""
    times: dict[Key, Times] = {}
    for path in files:
        (add_bench if path.suffix == ".json" else add_parts)(path, times)
    lab_of = {part: lab for lab in LABS for part in parts_of(lab)}
    rows = []
    for (part, size), measured in times.items():
        counts, _ = predict.count(suite_words("cpu", lab_of[part], part), Size.read(size))
        middle = statistics.median(measured.medians)
        rows.append(Row(part, size, middle, min(measured.lows), max(measured.highs), counts))
    write_table(name, rows)


# ---- words and the figure -------------------------------------------------------------------------------------------


def typical(ratios: list[float]) -> float:
    """The root mean square of factors, as a factor."""
    return math.exp(math.sqrt(sum(math.log(r) ** 2 for r in ratios) / len(ratios)))


def within(ratios: list[float], factor: float) -> float:
    return sum(1 / factor <= r <= factor for r in ratios) / len(ratios)


def report() -> None:
    """Fits, writes predict.json, and prints what the page says."""
    name, rows = read_table()
    done = fit(name, rows)
    text = json.dumps(asdict(done.card), indent=2)
    predict.CARD.write_text(text + "\n", encoding="utf-8")
    print(f"{len(rows)} times of {len({row.part for row in rows})} parts on an {name}")
    print(f"{'a call':24} {done.card.call:10.0f} ns")
    for term, each in zip(TERMS, done.card.each, strict=True):
        print(f"{term.name:24} {each:10.6g} ns")
    if done.card.each[-1] > 0:
        print(f"{'':24} {1 / done.card.each[-1] / 1e3:10.3g} TB/s")
    groups: list[tuple[str, Callable[[Row], bool]]] = [
        ("all", lambda row: True),
        ("one block", lambda row: row.part in TILES),
        ("other parts, to 2^16", lambda row: row.part not in TILES and row.elements <= 1 << 16),
        ("2^18 and 2^20", lambda row: 1 << 16 < row.elements <= 1 << 20),
        ("2^22 to 2^28", lambda row: row.elements > 1 << 20),
    ]
    print(f"{'':24} {'times':>6} {'fitted':>8} {'others':>8} {'within 1.5':>11} {'within 2':>9}")
    for title, chosen in groups:
        pairs = [(row, other) for row, other in zip(rows, done.others, strict=True) if chosen(row)]
        apart = [row.median / other for row, other in pairs]
        fitted = [row.median / done.card.nanoseconds(row.counts) for row, _ in pairs]
        print(
            f"{title:24} {len(pairs):6} {typical(fitted):8.2f} {typical(apart):8.2f} "
            f"{100 * within(apart, 1.5):9.0f} % {100 * within(apart, 2):7.0f} %"
        )
    print(f"{done.card.low:.2f} to {done.card.high:.2f} times the prediction: {100 * SHARE:.0f} %")
    worst = sorted(zip(rows, done.others, strict=True), key=lambda pair: -abs(math.log(pair[0].median / pair[1])))
    for row, other in worst[:30]:
        print(
            f"{row.part:24} {row.size:>10} {row.median / 1e3:12.1f} us, {row.median / other:.2f} of what was predicted"
        )
    measured = sum(math.log(row.high / row.low) for row in rows) / len(rows)
    print(f"quartiles, of all runs: {100 * (math.exp(measured) - 1):.0f} % apart")


_LEFT, _TOP, _SIDE = 64.0, 34.0, 380.0
_ENDS = (2e3, 5e8)  # nanoseconds


def _along(nanoseconds: float) -> float:
    return math.log(nanoseconds / _ENDS[0]) / math.log(_ENDS[1] / _ENDS[0]) * _SIDE


def draw(title: str) -> str:
    """Measured over predicted times: a point for each row, with the range of its quartiles."""
    name, rows = read_table()
    done = fit(name, rows)
    drawing = Drawing()
    bottom, right = _TOP + _SIDE, _LEFT + _SIDE
    drawing.text(8, 16, "measured", "l s")
    for power, label in ((1e4, "10 µs"), (1e5, "100 µs"), (1e6, "1 ms"), (1e7, "10 ms"), (1e8, "100 ms")):
        x, y = _LEFT + _along(power), bottom - _along(power)
        drawing.under.append(f'<path class="a stay" d="M{_LEFT:g} {y:.1f}h{_SIDE:g}M{x:.1f} {_TOP:g}v{_SIDE:g}"/>')
        drawing.text(_LEFT - 26, y + 4, label, "s")
        drawing.text(x, bottom + 16, label, "s")
    drawing.text(_LEFT + _SIDE / 2, bottom + 36, "predicted from the other parts' times", "s")
    for factor in (done.card.low, 1.0, done.card.high):
        begin, end = _ENDS[0] * max(1, 1 / factor), _ENDS[1] * min(1, 1 / factor)
        path = "L".join(f"{_LEFT + _along(x):.1f} {bottom - _along(factor * x):.1f}" for x in (begin, end))
        drawing.over.append(f'<path class="{"a copy" if factor == 1 else "wait"}" d="M{path}"/>')
    for row, other in zip(rows, done.others, strict=True):
        x = _LEFT + _along(other)
        low, middle, high = (bottom - _along(t) for t in (row.low, row.median, row.high))
        drawing.under.append(f'<path class="a copy" d="M{x:.1f} {low:.1f}V{high:.1f}"/>')
        drawing.over.append(f'<circle cx="{x:.1f}" cy="{middle:.1f}" r="2.5" class="copy"/>')
    drawing.width, drawing.height = right + 30, bottom + 50
    return drawing.svg(title)


def main(words: list[str]) -> int:
    match words:
        case ["measure"]:
            measure()
        case ["record", name, *files]:
            record(name, [Path(path) for path in files])
        case ["fit"]:
            report()
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
