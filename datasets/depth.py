"""Makes camera_depth.npy, a depth for each pixel of camera.npy. The depths were not measured but drawn for this course
by hand, over the photograph.

usage: depth.py OUTPUT

The scene has three parts: the ground, a plane that ends at the horizon; everything beyond 25.5 m, at one depth; and
the man with his camera, whose outline is a polygon. Inside it, dark pixels are the man's clothes and hair, because
the sky and the grass behind him are bright. Depths are in decimetres, in one byte.
"""

from __future__ import annotations

import sys
from pathlib import Path

import npy

HERE = Path(__file__).parent
FAR = 255  # decimetres, and all beyond
HORIZON = 215  # row
GROUND = 15300  # decimetres times rows below the horizon: a lens 1.44 m above the ground, 1063 pixels long
MAN, CAMERA = 30, 32  # decimetres
DARK = 95  # gray

Point = tuple[float, float]

# Corners as (column, row).
OUTLINE: list[Point] = [
    *((0, 512), (0, 254), (16, 226), (31, 192), (58, 152), (78, 134), (110, 119), (140, 107), (154, 104), (160, 88)),
    *((178, 70), (205, 61), (238, 68), (262, 88), (273, 112), (270, 130), (258, 140), (255, 168), (244, 186)),
    *((242, 200), (262, 206), (276, 190), (302, 181), (318, 164), (334, 170), (333, 197), (324, 218), (304, 236)),
    *((300, 252), (290, 290), (266, 314), (234, 313), (208, 298), (196, 318), (172, 352), (146, 388), (150, 430)),
    *((154, 512),),
]
BRIGHT_PARTS: list[list[Point]] = [  # head and shirt; trousers
    [
        *((156, 128), (172, 90), (205, 72), (244, 84), (262, 108), (260, 132), (254, 142), (256, 166), (243, 188)),
        *((214, 200), (184, 216), (164, 172)),
    ],
    [(86, 512), (96, 440), (120, 472), (138, 498), (138, 512)],
]
CAMERA_PARTS: list[list[Point]] = [  # camera, head and hub of the tripod
    [(253, 141), (324, 138), (327, 154), (304, 160), (303, 188), (262, 186), (257, 168)],
    [(276, 186), (306, 186), (304, 204), (308, 246), (288, 246), (284, 206)],
    [(278, 314), (312, 312), (316, 334), (278, 336)],
]
LEGS: list[tuple[Point, Point, float]] = [  # from, to, thickness
    *(((293, 190), (293, 486), 9), ((284, 332), (236, 505), 9), ((307, 332), (403, 510), 8)),
    *(((286, 336), (256, 478), 6), ((256, 466), (294, 483), 5), ((244, 491), (296, 484), 4)),
    *(((296, 484), (388, 482), 4), ((306, 318), (334, 303), 6)),
]


def is_inside(polygon: list[Point], x: float, y: float) -> bool:
    """Returns whether a ray from the point crosses the outline an odd number of times."""
    crossings = 0
    for (x0, y0), (x1, y1) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        if (y0 <= y) != (y1 <= y):
            crossings += x < x0 + (y - y0) * (x1 - x0) / (y1 - y0)
    return crossings % 2 == 1


def is_near(leg: tuple[Point, Point, float], x: float, y: float) -> bool:
    """Returns whether the point is within half the thickness of the line."""
    (x0, y0), (x1, y1), thickness = leg
    dx, dy = x1 - x0, y1 - y0
    along = max(0.0, min(1.0, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy)))
    return (x - x0 - along * dx) ** 2 + (y - y0 - along * dy) ** 2 <= thickness * thickness / 4


def depth_at(row: int, column: int, gray: float) -> int:
    x, y = column + 0.5, row + 0.5
    if any(is_inside(part, x, y) for part in CAMERA_PARTS) or any(is_near(leg, x, y) for leg in LEGS):
        return CAMERA
    if is_inside(OUTLINE, x, y) and (gray < DARK or any(is_inside(part, x, y) for part in BRIGHT_PARTS)):
        return MAN
    return min(FAR, GROUND // (row - HORIZON)) if row > HORIZON else FAR


def make(photograph: npy.Array) -> npy.Array:
    rows, columns = photograph.shape
    depths = (depth_at(i // columns, i % columns, gray) for i, gray in enumerate(photograph.values()))
    return npy.make("uint8", (rows, columns), depths)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    npy.save(Path(sys.argv[1]), make(npy.load(HERE / "camera.npy")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
