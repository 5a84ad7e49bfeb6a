"""The variables of an object file: their memory spaces and sizes."""

import subprocess
from typing import NamedTuple


class Variable(NamedTuple):
    """A variable that the object defines."""

    space: str  # "host", "host constant", "device", "constant", "managed" or "shared"
    size: int  # bytes


_SECTIONS = {"simt_device": "device", "simt_constant": "constant", "simt_managed": "managed"}


def variables_read(path: str) -> dict[str, Variable]:
    """The variables of an object file by their symbols."""
    listed = subprocess.run(["nm", "-f", "sysv", path], check=True, capture_output=True, text=True).stdout
    found = {}
    for line in listed.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 7 and cells[3] in ("OBJECT", "TLS") and cells[6] != "*UND*":
            found[cells[0]] = Variable(_space(cells[6], cells[3]), int(cells[4] or "0", 16))
    return found


def _space(section: str, kind: str) -> str:
    if kind == "TLS":
        return "shared"
    if section in _SECTIONS:
        return _SECTIONS[section]
    return "host constant" if section.startswith((".rodata", ".data.rel.ro")) else "host"
