"""Reads the names and types of the pointers that a source's lines allocate."""

import re
from collections.abc import Mapping

from events import Record

_ALLOCATION = re.compile(r"cuda\w*[Mm]alloc\w*\s*\(\s*(?:\([^)]*\)\s*)*&\s*([\w.>\-]+)")

_STORE = re.compile(r"(?:^|[;{)])\s*(\w+)\[.*\]\s*[-+*/&|^]?=(?!=)")
_STOCK_OUTPUT = re.compile(r"\bstock_\w+(?:<[^>]*>)?\s*\([^,()]*,\s*(\w+)\b")


def pointer_at(source: str, line: int, which: int = 0) -> str:
    """The pointer that an allocation's line sets: `sums` in cudaMalloc(&sums, ...). `which` counts the allocations at
    that line from 0; it starts again when the line runs again."""
    lines = source.split("\n")
    text = " ".join(lines[line - 1 : line + 1]) if 0 < line <= len(lines) else ""
    found = list(_ALLOCATION.finditer(text))
    own = [match for match in found if match.start() < len(lines[line - 1])] or found[:1]
    return own[which % len(own)][1].replace("->", ".") if own else ""


def written_at(source: str, line: int) -> str:
    """The array that a line writes: `places` in `places[numbers[i] - 1] = i`; and of a call of a stock function its
    second argument."""
    lines = source.split("\n")
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    found = _STORE.search(text) or _STOCK_OUTPUT.search(text)
    return found[1] if found else ""


def declared(source: str, name: str, line: int = 0) -> str:
    """The type with which the pointer `name` is declared; "" when it is not found. With a line, the last declaration
    up to there."""
    above = "\n".join(source.split("\n")[:line]) if line > 0 else source
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", above, flags=re.DOTALL)
    found = re.findall(rf"\b(unsigned(?: int| char)?|[a-z]\w*)\s*\*\s*(?:\w+\s*,\s*\*\s*)*{re.escape(name)}\b", code)
    name = str(found[-1 if line > 0 else 0]) if found else ""
    return "digits" if name not in C_TYPES and _is_packed(source, name) else name


def _is_packed(source: str, name: str) -> bool:
    """Is `name` a typedef of a number of 64 bits? Such a type packs several small numbers into one."""
    long, own = r"(?:unsigned long long|uint64_t)", re.escape(name)
    return (
        bool(name) and re.search(rf"\b(?:typedef\s+{long}\s+{own}|using\s+{own}\s*=\s*{long})\s*;", source) is not None
    )


def arrays_of_helpers(record: Record, sources: Mapping[str, str]) -> dict[int, tuple[str, int]]:
    """The arrays from a function that launches nothing, such as allocate<T>(), where all of them have one name. Each
    gets its name at the first line that writes it, and that line."""
    launching = {record.sites[line[3]].function for line in record.lines if line[0] == "launch"}
    found: dict[int, tuple[str, int]] = {}
    for line in record.lines:
        if line[0] != "w" or line[4] in found:
            continue
        allocated, site = record.arrays[line[4]].site, record.sites[line[3]]
        if allocated and allocated.function not in launching:
            found[line[4]] = (written_at(sources.get(site.file, ""), site.line), site.line)
    return found


C_TYPES = {
    **{"int": "int", "unsigned": "unsigned", "unsigned int": "unsigned", "uint32_t": "unsigned", "int32_t": "int"},
    **{"float": "float", "double": "double", "uint64_t": "long", "size_t": "long", "char": "character"},
    **{"unsigned char": "byte", "uint8_t": "byte", "interval_t": "interval", "affine_t": "affine", "bool": "byte"},
}
