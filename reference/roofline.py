"""Draws a roofline: how fast scans ran on a GPU, compared with the speed that the bytes that each moves would allow.
Pure.

S. Williams, A. Waterman, D. Patterson, "Roofline: an insightful visual performance model", 2009. Here elements take the
place of operations: a scan makes one result for each element, however it works.
"""

import math
import re
from dataclasses import dataclass

from figure import Drawing

LENGTH = 1 << 28  # number of elements in the page's table
_LEFT, _TOP, _WIDTH, _HEIGHT = 64.0, 34.0, 520.0, 320.0
_X = (1 / 128, 1 / 4)  # elements for each byte
_Y = (16.0, 1024.0)  # 10^9 elements a second
_COPY = re.compile(r"takes ([\d.]+) ms for 2\^28 ints")
_ROW = re.compile(r"^\| ([^|]+) \| ([\d.]+) \| ([\d.]+) \| [\d.]+ \|[^|]*\|$", re.MULTILINE)  # a row of five columns


@dataclass(frozen=True, slots=True)
class Point:
    """A row of the page's table."""

    name: str
    bytes: float  # bytes moved for each element
    milliseconds: float

    @property
    def rate(self) -> float:
        """The rate in 10^9 elements a second."""
        return LENGTH / self.milliseconds / 1e6


def read(page: str) -> tuple[float, list[Point]]:
    """The rate of a copy in 10^9 bytes a second, and the scans of the page's table. ValueError when the page has
    none."""
    copy = _COPY.search(page)
    points = [Point(name.replace("`", ""), float(moved), float(took)) for name, moved, took in _ROW.findall(page)]
    if copy is None or not points:
        raise ValueError("the page has no copy's time, or no table of scans")
    return 8 * LENGTH / float(copy[1]) / 1e6, points


def _along(value: float, ends: tuple[float, float]) -> float:
    return math.log(value / ends[0]) / math.log(ends[1] / ends[0])


def _x(intensity: float) -> float:
    return _LEFT + _along(intensity, _X) * _WIDTH


def _y(rate: float) -> float:
    return _TOP + (1 - _along(rate, _Y)) * _HEIGHT


def draw(page: str, title: str) -> str:
    """The picture as SVG."""
    bandwidth, points = read(page)
    drawing = Drawing()
    bottom = _TOP + _HEIGHT
    drawing.text(8, 16, "10⁹ elements a second", "l s")
    for power in range(4, 11):
        drawing.under.append(f'<path class="a stay" d="M{_LEFT:g} {_y(2.0**power):.1f}h{_WIDTH:g}"/>')
        drawing.text(_LEFT - 20, _y(2.0**power) + 4, str(2**power), "s")
    for power in range(2, 8):
        drawing.under.append(f'<path class="a stay" d="M{_x(2.0**-power):.1f} {_TOP:g}v{_HEIGHT:g}"/>')
        drawing.text(_x(2.0**-power), bottom + 16, f"1/{2**power}", "s")
    drawing.text(_LEFT + _WIDTH / 2, bottom + 36, "elements for each byte that is moved", "s")
    ends = [(x, x * bandwidth) for x in (max(_X[0], _Y[0] / bandwidth), min(_X[1], _Y[1] / bandwidth))]
    path = "L".join(f"{_x(x):.1f} {_y(y):.1f}" for x, y in ends)
    drawing.over.append(f'<path class="wait" d="M{path}"/>')
    drawing.text(_x(1 / 42), _y(bandwidth / 24), "as fast as a copy moves bytes", "s")
    for point in points:
        x, y, roof = _x(1 / point.bytes), _y(point.rate), _y(bandwidth / point.bytes)
        drawing.under.append(f'<path class="a copy" d="M{x:.1f} {y:.1f}V{roof:.1f}"/>')
        drawing.over.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" class="copy"/>')
        share = point.rate * point.bytes / bandwidth
        drawing.text(x + 10, y + 4, f"{point.name}: {share:.2f} of its roof", "l s")
    drawing.width, drawing.height = _LEFT + _WIDTH + 120, bottom + 50
    return drawing.svg(title)
