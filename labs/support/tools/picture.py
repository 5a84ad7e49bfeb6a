"""Turns the arrays that a call of lab 7 has saved into pictures.

usage: picture.py FOLDER

FOLDER contains PART-ARRAY.npy files, as `--save` of a suite writes them. Each known one becomes a PNG in the same
folder: pixels as they are, 0 black and 255 white; tables and depths scaled so that their largest value is white.
"""

import sys
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "datasets"))
import npy

WHITE = 255
# file of the picture: array, and whether to scale it
PICTURES = {
    "image.png": ("sat-image.npy", False),
    "sat.png": ("sat-table.npy", True),
    "box_filter.png": ("box_filter-out.npy", False),
    "depth.png": ("depth_of_field-depth.npy", True),
    "depth_of_field.png": ("depth_of_field-out.npy", False),
}


def grays(values: list[float], scaled: bool) -> bytes:
    """Returns one byte for each value. Values above white, which a wrong result may contain, become white."""
    largest = max(values, default=WHITE)
    if scaled and largest > 0:
        return bytes(int(value * WHITE // largest) for value in values)
    return bytes(min(int(value), WHITE) for value in values)


def draw(array: Path, picture: Path, scaled: bool) -> None:
    content = npy.load(array)
    rows, columns = content.shape
    Image.frombytes("L", (columns, rows), grays(content.values(), scaled)).save(picture, optimize=True)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    for name, (array, scaled) in PICTURES.items():
        if (folder / array).exists():
            draw(folder / array, folder / name, scaled)
            print(folder / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
