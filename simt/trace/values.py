"""Values for people to read: converts the bytes of an element to a number or a short text."""

import math
import struct

# The bytes that fill unwritten memory: the device's and the suites'.
_JUNK = (0xB5, 0xA5)
_INTERVAL_BASE = 1000
_FINGERPRINT_BASE = 1000  # of the same header
_BIG = 1 << 53  # JavaScript has exact integers up to this one

Value = int | float | str | None

SIZES = {
    **dict.fromkeys(("int", "unsigned", "float", "float_bits"), 4),
    **dict.fromkeys(("byte", "character", "signed_byte"), 1),
    **dict.fromkeys(("short", "unsigned_short"), 2),
    **dict.fromkeys(("long", "digits", "signed_long", "double", "affine", "interval", "fingerprint"), 8),
}
ELEMENT_OF_MONOID = {"sum": "int", "max": "int", "product": "int", "float_sum": "float"}
IDENTITY_OF_MONOID = {
    "sum": struct.pack("<i", 0),
    "max": struct.pack("<i", -(1 << 31)),
    "product": struct.pack("<i", 1),
    "float_sum": struct.pack("<f", 0),
    "affine": struct.pack("<ii", 1, 0),
    "interval": struct.pack("<ii", 0, -1),
    "fingerprint": struct.pack("<II", _FINGERPRINT_BASE, 0),
}
_FORMATS = {
    "int": "<i",
    "unsigned": "<I",
    "float": "<f",
    "float_bits": "<f",
    "double": "<d",
    "byte": "<B",
    "character": "<B",
    "signed_byte": "<b",
    "short": "<h",
    "unsigned_short": "<H",
    "long": "<Q",
    "signed_long": "<q",
}
_BY_KIND = {
    ("i", 1): "signed_byte",
    ("i", 2): "short",
    ("i", 4): "int",
    ("i", 8): "signed_long",
    ("u", 1): "byte",
    ("u", 2): "unsigned_short",
    ("u", 4): "unsigned",
    ("u", 8): "long",
    ("f", 4): "float",
    ("f", 8): "double",
}


def element_of(kind: str, size: int) -> str:
    """The element's name for a kind (i, u, f) and a size in bytes; "bytes" for any other."""
    return _BY_KIND.get((kind, size), "bytes")


def is_junk(data: bytes) -> bool:
    return any(all(byte == junk for byte in data) for junk in _JUNK)


def _interval(data: bytes) -> str:
    first, last = struct.unpack("<ii", data)
    if (first, last) == (0, -1):
        return "[]"
    if first < 0:
        return f"[..{(first & 0x7FFFFFFF) - _INTERVAL_BASE}]+[{(last & 0x7FFFFFFF) - _INTERVAL_BASE}..]"
    return f"[{first - _INTERVAL_BASE}..{last - _INTERVAL_BASE}]"


def _affine(data: bytes) -> str:
    factor, summand = struct.unpack("<ii", data)
    return f"{factor}x{summand:+d}"


def _fingerprint(data: bytes) -> str:
    count, mark = struct.unpack("<II", data)
    return f"{(count - _FINGERPRINT_BASE) % (1 << 32)}:{mark:08x}"


def _digits(data: bytes) -> str:
    """A number that packs smaller ones: in hexadecimal, where their limits are seen."""
    return data[::-1].hex()


_STRUCTS = {"interval": _interval, "affine": _affine, "fingerprint": _fingerprint, "digits": _digits}


def value_of(element: str, data: bytes) -> Value:
    """The value; None for unwritten memory. Numbers that JavaScript would round are returned as texts."""
    if is_junk(data) and element not in ("byte", "character", "signed_byte"):
        return None
    if len(data) != SIZES.get(element, -1):
        return data.hex()
    if element in _STRUCTS:
        return _STRUCTS[element](data)
    number: int | float = struct.unpack(_FORMATS[element], data)[0]
    if element == "character" and 32 < number < 127:
        return chr(int(number))
    if isinstance(number, float):
        return number if math.isfinite(number) else str(number)
    return number if -_BIG < number < _BIG else str(number)


def short(value: Value, width: int = 0) -> str:
    """A text for a cell: "." for unwritten memory. Long numbers are shortened in the middle of the range of values,
    never of the text: 1.5e9. With a width, the text is at most that long if the value permits."""
    if value is None:
        return "."
    if isinstance(value, float):
        return f"{value:.4g}"
    text = str(value)
    if width and len(text) > width and isinstance(value, int):
        for digits in range(max(width - 5, 0), -1, -1):
            brief = f"{value:.{digits}e}".replace("e+0", "e").replace("e+", "e")
            if len(brief) <= width:
                return brief
    return text
