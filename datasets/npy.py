"""Arrays in NumPy's .npy format, version 1.0, without NumPy: little-endian, in C order."""

from __future__ import annotations

import ast
import sys
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from pathlib import Path

MAGIC = b"\x93NUMPY\x01\x00"
ALIGNMENT = 64  # bytes: where the data begins
TYPES = {
    "uint8": ("|u1", "B"),
    "int32": ("<i4", "i"),
    "uint32": ("<u4", "I"),
    "uint64": ("<u8", "Q"),
    "float32": ("<f4", "f"),
}


@dataclass(frozen=True)
class Array:
    dtype: str  # a key of TYPES
    shape: tuple[int, ...]
    data: bytes  # little-endian

    def __post_init__(self) -> None:
        size = array(TYPES[self.dtype][1]).itemsize
        if prod(self.shape) * size != len(self.data):
            raise ValueError(f"{len(self.data)} bytes are no {self.dtype} of shape {self.shape}")

    def values(self) -> list[float]:
        values = array(TYPES[self.dtype][1], self.data)
        if sys.byteorder == "big":
            values.byteswap()
        return list(values)


def make(dtype: str, shape: tuple[int, ...], values: Iterable[float]) -> Array:
    typecode = TYPES[dtype][1]
    numbers = array(typecode, values) if typecode == "f" else array(typecode, map(int, values))
    if sys.byteorder == "big":
        numbers.byteswap()
    return Array(dtype, shape, numbers.tobytes())


def encode(content: Array) -> bytes:
    descr = TYPES[content.dtype][0]
    header = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {content.shape!r}, }}"
    padding = -(len(MAGIC) + 2 + len(header) + 1) % ALIGNMENT
    text = (header + " " * padding + "\n").encode("ascii")
    return MAGIC + len(text).to_bytes(2, "little") + text + content.data


def decode(raw: bytes) -> Array:
    """Decodes a file's bytes. Raises ValueError if they are not such a file."""
    if not raw.startswith(MAGIC):
        raise ValueError("not a .npy file of version 1.0")
    begin = len(MAGIC) + 2
    end = begin + int.from_bytes(raw[len(MAGIC) : begin], "little")
    header = ast.literal_eval(raw[begin:end].decode("ascii"))
    dtypes = {descr: dtype for dtype, (descr, _) in TYPES.items()}
    if header["fortran_order"] or header["descr"] not in dtypes:
        raise ValueError(f"unsupported header {header}")
    return Array(dtypes[header["descr"]], tuple(header["shape"]), raw[end:])


def save(path: Path, content: Array) -> None:
    path.write_bytes(encode(content))


def load(path: Path) -> Array:
    return decode(path.read_bytes())
