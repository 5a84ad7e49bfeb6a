"""Pieces for hand-ins that try to stop the grader. All are for lab 2."""

import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

SOURCE = "naive_scan.cu"
_FULL = Path(__file__).parents[2] / "reference" / SOURCE

# Path in the hand-in -> the content of the file, or a function that makes it there.
Files = Mapping[str, bytes | Callable[[Path], object]]


def honest() -> Files:
    """A hand-in that gets all points."""
    return {SOURCE: _FULL.read_bytes()}


def more(text: str) -> Files:
    """A right solution, followed by this text."""
    return {SOURCE: _FULL.read_bytes() + f"\n{text}\n".encode()}


def alone(text: str) -> Files:
    """A source with only this text."""
    return {SOURCE: f'#include "naive_scan.h"\n{text}\n'.encode()}


def lines(text: str, length: int = 3900) -> str:
    """The text broken into lines of limited length."""
    return "\n".join(text[i : i + length] for i in range(0, len(text), length))


def packed_zip(members: Mapping[str, bytes]) -> bytes:
    """A zip file with these members."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return stream.getvalue()
