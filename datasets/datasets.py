"""Checks the course's real inputs against their manifest, and makes its synthetic ones from a seed.

usage: datasets.py check                  compares every file with manifest.toml; `N passed, N failed`
       datasets.py generate [DIR [SEED]]  writes the synthetic ones into DIR (build/datasets), SEED 1 unless given
       datasets.py list                   prints a line for each dataset
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from random import Random

import npy

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).resolve().parent
SYNTHETIC = HERE.parent / "build" / "datasets"
LIMIT = 1_500_000  # bytes: all real datasets together
DEFAULT_SEED = 1
KEYS = 1 << 16
SIDE = 512  # of an image, pixels; the side of camera.npy


@dataclass(frozen=True)
class Dataset:
    """One entry of manifest.toml. Every field is required and must not be empty."""

    name: str
    file: str
    shape: tuple[int, ...]
    dtype: str
    about: str
    use: str
    source: str
    author: str
    year: str
    licence: str
    why: str
    sha256: str


def read_manifest(path: Path) -> list[Dataset]:
    """Raises ValueError if a field is missing, empty or unknown."""
    datasets: list[Dataset] = []
    fields = set(Dataset.__dataclass_fields__)
    for entry in tomllib.loads(path.read_text(encoding="utf-8"))["dataset"]:
        wrong = fields ^ set(entry) | {field for field, value in entry.items() if value in ("", [])}
        if wrong:
            raise ValueError(f"{path.name}: {entry.get('name', '?')}: missing, empty or unknown: {sorted(wrong)}")
        entry["shape"] = tuple(entry["shape"])
        datasets.append(Dataset(**entry))
    return datasets


def fault_of(dataset: Dataset, folder: Path) -> str | None:
    """Returns what is wrong with a dataset's file, or None."""
    path = folder / dataset.file
    if not path.is_file():
        return "the file is missing"
    raw = path.read_bytes()
    found = hashlib.sha256(raw).hexdigest()
    if found != dataset.sha256:
        return f"sha256 is {found}, not {dataset.sha256}"
    try:
        content = npy.decode(raw)
    except ValueError as error:
        return str(error)
    if (content.dtype, content.shape) != (dataset.dtype, dataset.shape):
        return f"it holds {content.dtype} {content.shape}, not {dataset.dtype} {dataset.shape}"
    return None


def check(folder: Path = HERE) -> int:
    datasets = read_manifest(folder / "manifest.toml")
    listed = {dataset.file for dataset in datasets}
    faults = {dataset.file: fault_of(dataset, folder) for dataset in datasets}
    faults |= {path.name: "not in manifest.toml" for path in folder.glob("*.npy") if path.name not in listed}
    size = sum(path.stat().st_size for path in folder.glob("*.npy"))
    faults["all together"] = f"{size} bytes, limit {LIMIT}" if size > LIMIT else None
    for file, fault in faults.items():
        print(f"ok {file}" if fault is None else f"FAIL {file}: {fault}")
    failed = sum(fault is not None for fault in faults.values())
    print(f"datasets: {len(faults) - failed} passed, {failed} failed")
    return 1 if failed else 0


def uniform(random: Random) -> npy.Array:
    """Returns keys of 32 bits, all equally likely."""
    return npy.make("uint32", (KEYS,), (random.getrandbits(32) for _ in range(KEYS)))


def few(random: Random) -> npy.Array:
    """Returns sixteen different keys: long runs of equal ones, for stability and for atomics that collide."""
    chosen = [random.getrandbits(32) for _ in range(16)]
    return npy.make("uint32", (KEYS,), (chosen[random.getrandbits(4)] for _ in range(KEYS)))


def ascending(random: Random) -> npy.Array:
    return npy.make("uint32", (KEYS,), sorted(random.getrandbits(32) for _ in range(KEYS)))


def descending(random: Random) -> npy.Array:
    return npy.make("uint32", (KEYS,), sorted((random.getrandbits(32) for _ in range(KEYS)), reverse=True))


def almost_sorted(random: Random) -> npy.Array:
    """Returns ascending keys, except that one in a hundred has changed places with another."""
    keys = sorted(random.getrandbits(32) for _ in range(KEYS))
    for _ in range(KEYS // 200):
        a, b = random.randrange(KEYS), random.randrange(KEYS)
        keys[a], keys[b] = keys[b], keys[a]
    return npy.make("uint32", (KEYS,), keys)


def signed_floats(random: Random) -> npy.Array:
    """Returns numbers of both signs and 60 binary orders of magnitude, without zeros, which need order-preserving bit
    flips."""
    signs = (2 * random.getrandbits(1) - 1 for _ in repeat(0, KEYS))
    values = (sign * (1 + random.random()) * 2.0 ** random.randrange(-30, 30) for sign in signs)
    return npy.make("float32", (KEYS,), values)


def sparse_records(random: Random) -> npy.Array:
    """Returns nine zeros in ten elements, which compaction removes."""
    values = (random.randrange(1, 1 << 20) if random.randrange(10) == 0 else 0 for _ in range(KEYS))
    return npy.make("int32", (KEYS,), values)


def clustered_records(random: Random) -> npy.Array:
    """Returns the same share of records in runs of about a thousand: some tiles keep all, most keep nothing."""
    values: list[int] = []
    while len(values) < KEYS:
        values += [random.randrange(1, 1 << 20) for _ in range(random.randrange(500, 1500))]
        values += repeat(0, 9 * random.randrange(500, 1500))
    return npy.make("int32", (KEYS,), values[:KEYS])


def depth_map(_random: Random) -> npy.Array:
    """Returns the depth of an invented scene in metres, with the size of camera.npy: a floor that recedes, a wall, two
    spheres."""
    spheres = ((170, 300, 90, 4.0), (380, 210, 60, 9.0))  # centre x and y, radius in pixels, distance in metres
    depths: list[float] = []
    for y in range(SIDE):
        floor = min(20.0, 3.0 * SIDE / (2.0 * y - SIDE)) if 2 * y > SIDE else 20.0
        for x in range(SIDE):
            depth = floor
            for cx, cy, radius, distance in spheres:
                inside = radius * radius - (x - cx) ** 2 - (y - cy) ** 2
                if inside > 0:
                    depth = min(depth, distance - inside**0.5 / 100)
            depths.append(depth)
    return npy.make("float32", (SIDE, SIDE), depths)


def ramp_image(_random: Random) -> npy.Array:
    """Returns an image whose brightness grows to the right and down; a box filter leaves its inside unchanged."""
    return npy.make("uint8", (SIDE, SIDE), ((x + y) // 4 for y in range(SIDE) for x in range(SIDE)))


def white_image(_random: Random) -> npy.Array:
    """Returns an image of 255 only: the largest sums that a summed-area table of this size can hold."""
    return npy.make("uint8", (SIDE, SIDE), repeat(255, SIDE * SIDE))


GENERATORS: dict[str, Callable[[Random], npy.Array]] = {
    "keys_uniform": uniform,
    "keys_few": few,
    "keys_ascending": ascending,
    "keys_descending": descending,
    "keys_almost_sorted": almost_sorted,
    "keys_signed_floats": signed_floats,
    "records_sparse": sparse_records,
    "records_clustered": clustered_records,
    "depth_map": depth_map,
    "image_ramp": ramp_image,
    "image_white": white_image,
}


def generate(folder: Path, seed: int) -> int:
    """Writes the synthetic datasets. The same seed gives the same bytes with every Python; each dataset has its own
    sequence."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in GENERATORS.items():
        path = folder / f"{name}.npy"
        npy.save(path, make(Random(f"{name} {seed}")))
        print(path)
    return 0


def show() -> int:
    for dataset in read_manifest(HERE / "manifest.toml"):
        shape = " x ".join(map(str, dataset.shape))
        print(f"{dataset.file:16} {dataset.dtype:8} {shape:10} {dataset.about}")
    return 0


def main(arguments: list[str]) -> int:
    match arguments:
        case ["check"]:
            return check()
        case ["generate", *rest] if len(rest) <= 2 and all(seed.isdecimal() for seed in rest[1:]):
            return generate(Path(rest[0]) if rest else SYNTHETIC, int(rest[1]) if len(rest) > 1 else DEFAULT_SEED)
        case ["list"]:
            return show()
        case _:
            print(__doc__, file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
