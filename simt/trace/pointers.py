"""Reads the names and types of the pointers that a source's lines allocate."""

import re

_ALLOCATION = re.compile(r"cuda\w*[Mm]alloc\w*\s*\(\s*(?:\([^)]*\)\s*)*&\s*([\w.>\-]+)")


def pointer_at(source: str, line: int, which: int = 0) -> str:
    """The pointer that an allocation's line sets: `sums` in cudaMalloc(&sums, ...). `which` counts the allocations at
    that line from 0; it starts again when the line runs again."""
    lines = source.split("\n")
    text = " ".join(lines[line - 1 : line + 1]) if 0 < line <= len(lines) else ""
    found = list(_ALLOCATION.finditer(text))
    own = [match for match in found if match.start() < len(lines[line - 1])] or found[:1]
    return own[which % len(own)][1].replace("->", ".") if own else ""


def declared(source: str, name: str) -> str:
    """The type with which the pointer `name` is declared; "" when it is not found."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", source, flags=re.DOTALL)
    found = re.search(rf"\b(unsigned(?: int| char)?|[a-z]\w*)\s*\*\s*(?:\w+\s*,\s*\*\s*)*{re.escape(name)}\b", code)
    return found[1] if found else ""


C_TYPES = {
    **{"int": "int", "unsigned": "unsigned", "unsigned int": "unsigned", "uint32_t": "unsigned", "int32_t": "int"},
    **{"float": "float", "double": "double", "uint64_t": "long", "size_t": "long", "char": "character"},
    **{"unsigned char": "byte", "uint8_t": "byte", "interval_t": "interval", "affine_t": "affine", "bool": "byte"},
}
