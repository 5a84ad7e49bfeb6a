"""Makes the .npy files of this folder from the packages that they come from, so that their origin is recorded as code.

usage: extract.py PACKAGES OUTPUT

PACKAGES is a folder with the files that these commands download:
  pip download --no-deps statsmodels==0.15.0 scikit-image==0.26.0 vega-datasets==0.9.0
  apt-get download libsqlite3-dev=3.40.1-2+deb12u2
"""

from __future__ import annotations

import csv
import re
import subprocess
import sys
import tarfile
import zlib
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import npy

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def from_wheel(packages: Path, wheel: str, member: str) -> bytes:
    (path,) = packages.glob(wheel)
    with ZipFile(path) as archive:
        return archive.read(member)


def from_deb(packages: Path, deb: str, member: str) -> bytes:
    (path,) = packages.glob(deb)
    files = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=BytesIO(files)) as archive:
        found = archive.extractfile(member)
        if found is None:
            raise ValueError(f"{member} is not a file")
        return found.read()


def gray_png(raw: bytes) -> npy.Array:
    """Decodes an 8-bit grayscale PNG without interlacing."""
    if not raw.startswith(PNG_SIGNATURE):
        raise ValueError("not a PNG")
    at, compressed, width, height = len(PNG_SIGNATURE), b"", 0, 0
    while at < len(raw):
        length, kind = int.from_bytes(raw[at : at + 4], "big"), raw[at + 4 : at + 8]
        body = raw[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big")
            if body[8:13] != b"\x08\x00\x00\x00\x00":
                raise ValueError("not 8-bit grayscale without interlacing")
        elif kind == b"IDAT":
            compressed += body
        at += 12 + length
    lines = zlib.decompress(compressed)
    pixels = bytearray()
    above = bytearray(width)
    for y in range(height):
        begin = y * (width + 1)
        row = unfilter(lines[begin], bytearray(lines[begin + 1 : begin + 1 + width]), above)
        pixels += row
        above = row
    return npy.Array("uint8", (height, width), bytes(pixels))


def unfilter(kind: int, row: bytearray, above: bytearray) -> bytearray:
    """Undoes a PNG filter with one byte per pixel, in place."""
    for x in range(len(row)):
        left, up, corner = (row[x - 1], above[x], above[x - 1]) if x > 0 else (0, above[x], 0)
        if kind == 4:
            guess = left + up - corner
            predicted = min((left, up, corner), key=lambda value: abs(guess - value))
        else:
            predicted = (0, left, up, (left + up) // 2)[kind]
        row[x] = (row[x] + predicted) & 0xFF
    return row


def sunspots(packages: Path) -> npy.Array:
    member = "statsmodels/datasets/sunspots/src/sunspots_monthly.dat"
    text = from_wheel(packages, "statsmodels-0.15.0-*.whl", member).decode("ascii")
    tenths: list[int] = []
    for line in text.splitlines():
        year = re.match(r"\d{4}((?:\s+\d+\.\d){12})\s*$", line)
        if year:
            tenths += [round(float(value) * 10) for value in year[1].split()]
    return npy.make("int32", (len(tenths),), tenths)


def weather(packages: Path, column: str) -> list[float]:
    text = from_wheel(packages, "vega_datasets-0.9.0-*.whl", "vega_datasets/_data/seattle-weather.csv").decode("ascii")
    return [float(day[column]) for day in csv.DictReader(text.splitlines())]


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    packages, output = Path(sys.argv[1]), Path(sys.argv[2])
    rain = weather(packages, "precipitation")
    minima = weather(packages, "temp_min")
    header = from_deb(packages, "libsqlite3-dev_3.40.1-2+deb12u2_*.deb", "./usr/include/sqlite3ext.h")
    camera = from_wheel(packages, "scikit_image-0.26.0-*.whl", "skimage/data/camera.png")
    npy.save(output / "sunspots.npy", sunspots(packages))
    npy.save(output / "rain.npy", npy.make("int32", (len(rain),), (round(mm * 10) for mm in rain)))
    npy.save(output / "temperature.npy", npy.make("float32", (len(minima),), minima))
    npy.save(output / "camera.npy", gray_png(camera))
    npy.save(output / "program.npy", npy.Array("uint8", (len(header),), header))
    return 0


if __name__ == "__main__":
    sys.exit(main())
