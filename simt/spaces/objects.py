"""Reads an object file: the symbols that each function and each variable uses, and the contents of the data.

g++ puts each function and each variable into a section of its own (-ffunction-sections, -fdata-sections), so that the
relocations of a section are the uses of one function. They name what the linker will take, whatever a source calls it.
"""

import struct
from dataclasses import dataclass, field
from pathlib import Path

_SYMBOLS, _RELOCATIONS, _ZEROS = 2, 4, 8  # types of sections
_ALLOCATED, _CODE, _THREAD = 2, 4, 0x400  # flags of sections
_OF_SECTION = 3  # type of a symbol
_HEADER, _SYMBOL, _RELOCATION = struct.Struct("<IIQQQQIIQQ"), struct.Struct("<IBBHQQ"), struct.Struct("<QQq")


@dataclass
class Section:
    """A function, a variable, or several constants."""

    name: str
    is_code: bool
    is_shared: bool  # of a block: a thread-local variable
    holds: bytes  # nothing where all is zero
    symbols: list[str] = field(default_factory=list)  # that it defines
    uses: list["Section | str"] = field(default_factory=list)  # a name where it is defined elsewhere


def sections_read(path: str) -> list[Section]:
    """All sections of an ELF object of 64 bits that come into memory."""
    image = Path(path).read_bytes()
    at, size, count, names = struct.unpack_from("<Q10xHHH", image, 40)
    headers = [_HEADER.unpack_from(image, at + i * size) for i in range(count)]

    def text(table: int, offset: int) -> str:
        begin = headers[table][4] + offset
        return image[begin : image.index(b"\0", begin)].decode("utf-8", "replace")

    sections: dict[int, Section] = {}
    for i, (name, kind, flags, _, offset, length, *_rest) in enumerate(headers):
        if flags & _ALLOCATED:
            held = b"" if kind == _ZEROS else image[offset : offset + length]
            sections[i] = Section(
                text(names, name),
                bool(flags & _CODE),
                bool(flags & _THREAD),
                held if held.strip(b"\0") else b"",
            )
    symbols: list[Section | str] = []
    for kind, offset, length, link in [(h[1], h[4], h[5], h[6]) for h in headers]:
        if kind == _SYMBOLS:
            for name, info, _, of, _, _ in _SYMBOL.iter_unpack(image[offset : offset + length]):
                symbols.append(sections.get(of, "") if of else text(link, name))
                if of in sections and info & 15 != _OF_SECTION:
                    sections[of].symbols.append(text(link, name))
    for _, kind, _, _, offset, length, _, of, *_rest in headers:
        if kind == _RELOCATIONS and of in sections:
            for _, info, _ in _RELOCATION.iter_unpack(image[offset : offset + length]):
                sections[of].uses.append(symbols[info >> 32])
    return list(sections.values())
