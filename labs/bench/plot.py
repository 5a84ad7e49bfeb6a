"""Draws the results of bench: throughput over the length, one picture for each task and input.

usage: plot.py BENCH.json FOLDER

Writes TASK-INPUT.svg and .png into FOLDER. Each contender is a line; the gray line is a copy of the same bytes,
which is the limit on long inputs. Throughput counts the bytes that any implementation must move. Needs matplotlib;
without it, prints a note and draws nothing.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

Measured = dict[str, Any]


def lines_of(rows: list[Measured]) -> dict[str, list[tuple[int, float]]]:
    """Returns lengths and GB/s for each contender and for the copy."""
    lines: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for row in rows:
        name = f"{row['who']} {row['part']}".strip()
        lines[name].append((row["n"], row["bytes"] / row["milliseconds"] / 1e6))
        if row["who"] == "CUB":
            lines["copy"].append((row["n"], row["bytes"] / row["copy_milliseconds"] / 1e6))
    return lines


def draw(title: str, rows: list[Measured], to: Path) -> None:
    """Writes one picture in two formats: to.svg and to.png."""
    from matplotlib import pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    for name, points in lines_of(rows).items():
        lengths, rates = zip(*sorted(points), strict=True)
        if name == "copy":
            axes.plot(lengths, rates, color="0.6", linestyle="--", label=name)
        else:
            axes.plot(lengths, rates, marker="o", markersize=3, label=name)
    axes.set(title=title, xlabel="elements", ylabel="GB/s of the least bytes")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.minorticks_off()
    axes.grid(visible=True, alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(to.with_suffix(".svg"), metadata={"Date": None})
    figure.savefig(to.with_suffix(".png"), dpi=150)
    plt.close(figure)


def main(words: list[str]) -> int:
    """Draws all pictures and returns the exit status."""
    if len(words) != 2:
        print("usage: plot.py BENCH.json FOLDER", file=sys.stderr)
        return 2
    try:
        import matplotlib  # noqa: PLC0415
    except ImportError:
        print(f"no plots: {sys.executable} -m pip install matplotlib draws them from {words[0]}")
        return 0
    matplotlib.use("svg")
    # Text stays text, and the same results give the same file.
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "bench"})
    pictures: dict[str, list[Measured]] = defaultdict(list)
    for row in json.loads(Path(words[0]).read_text(encoding="utf-8")):
        pictures[f"{row['task']} {row['input']}".strip()].append(row)
    folder = Path(words[1])
    folder.mkdir(parents=True, exist_ok=True)
    for title, rows in pictures.items():
        draw(title, rows, folder / title.replace(" %", "").replace(" ", "-"))
    print(f"{len(pictures)} plots, as SVG and PNG, in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
