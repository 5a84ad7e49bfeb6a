"""Draws how much faster the fast sorts are than CUB, over the length of the input and the kind of keys. Pure."""

import math
import re
from dataclasses import dataclass

from figure import Drawing

_LEFT, _TOP, _WIDTH, _HEIGHT = 64.0, 34.0, 520.0, 280.0
_Y = (0.5, 16.0)  # CUB's time divided by that of the sort
_KINDS = ("u32", "pairs", "u64")  # from left to right at each length
_NAMES = ("unsigned", "with values", "64 bits")
_BOXES = dict(zip(_KINDS, ("combine", "copy", "constant"), strict=True))
_CELL = r" ([\d.]+) · ([\d.]+) · ([\d.]+) \|"
_ROW = re.compile(rf"^\| 2\^(\d+) \|{_CELL * len(_KINDS)}$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Range:
    """Of all kinds of keys at one length: CUB's time divided by that of the sort."""

    least: float
    mean: float  # the geometric one
    most: float


def read(page: str) -> dict[int, dict[str, Range]]:
    """The page's table: logarithm of the length -> sort -> range. ValueError when the page has none."""
    rows = {}
    for row in _ROW.findall(page):
        numbers = [float(word) for word in row[1:]]
        rows[int(row[0])] = {kind: Range(*numbers[3 * i : 3 * i + 3]) for i, kind in enumerate(_KINDS)}
    if not rows:
        raise ValueError("the page has no table of sorts")
    return rows


def _y(ratio: float) -> float:
    return _TOP + (1 - math.log(ratio / _Y[0]) / math.log(_Y[1] / _Y[0])) * _HEIGHT


def draw(page: str, title: str) -> str:
    """The picture as SVG."""
    rows = read(page)
    drawing = Drawing()
    bottom = _TOP + _HEIGHT
    drawing.text(8, 16, "CUB's time / the sort's time", "l s")
    for power in range(-1, 5):
        drawing.under.append(f'<path class="a stay" d="M{_LEFT:g} {_y(2.0**power):.1f}h{_WIDTH:g}"/>')
        drawing.text(_LEFT - 20, _y(2.0**power) + 4, f"{2.0**power:g}", "s")
    drawing.over.append(f'<path class="wait" d="M{_LEFT:g} {_y(1):.1f}h{_WIDTH:g}"/>')
    drawing.text(_LEFT + _WIDTH + 8, _y(1) + 4, "as fast as CUB", "l s")
    step = _WIDTH / len(rows)
    for column, (power, ranges) in enumerate(sorted(rows.items())):
        middle = _LEFT + (column + 0.5) * step
        drawing.text(middle, bottom + 16, f"2^{power}", "s")
        for i, kind in enumerate(_KINDS):
            x, one = middle + (i - 1) * 18, ranges[kind]
            drawing.box(x - 6, _y(one.most), 12, _y(one.least) - _y(one.most), _BOXES[kind])
            path = f'd="M{x - 6:.1f} {_y(one.mean):.1f}h12" style="stroke-dasharray:none"'
            drawing.over.append(f'<path class="a {_BOXES[kind]}" {path}/>')
    drawing.text(_LEFT + _WIDTH / 2, bottom + 36, "keys", "s")
    for i, (kind, name) in enumerate(zip(_KINDS, _NAMES, strict=True)):
        drawing.box(_LEFT + 10 + 90 * i, _TOP + 6, 12, 12, _BOXES[kind])
        drawing.text(_LEFT + 28 + 90 * i, _TOP + 16, name, "l s")
    drawing.width, drawing.height = _LEFT + _WIDTH + 110, bottom + 50
    return drawing.svg(title)
