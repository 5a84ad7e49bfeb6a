"""check_parts.py: do lab.toml, parts.def and the contract of a lab name the same parts, with the same arguments?

usage: check_parts.py LAB.TOML PARTS.DEF CONTRACT.H

Types that differ are the compiler's to refuse (labs/support/call/parts.cpp); it does not see a name that is worth no
points, nor an argument that is called something else. Exit status 1 and a line for each difference.
Read by expression, since Python 3.10 has no reader of TOML.
"""

import re
import sys
from pathlib import Path

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_PART = re.compile(r"^PART\(([^,]+),\s+(\w+),\s+(\([^()]*\)),\s+[^()]*\)$", re.MULTILINE)
_WORTH = re.compile(r'^name *= *"(\w+)"', re.MULTILINE)


def differences(toml: Path, parts: Path, contract: Path) -> list[str]:
    """One line for each part that is not everywhere, or not the same."""
    declared = {name: f"{returns} {name}{arguments}" for returns, name, arguments in _PART.findall(_code(parts))}
    worth = _WORTH.findall(toml.read_text(encoding="utf-8"))
    promised = _squeezed(_code(contract))
    found = [
        f"{parts}: {name} has no [[part]] in {toml.name}, so it is worth nothing"
        for name in declared
        if name not in worth
    ]
    found += [
        f"{toml}: part {name} is not in {parts.name}: no such function is called"
        for name in worth
        if name not in declared
    ]
    found += [
        f"{parts}: {contract.name} has no `{_squeezed(prototype)};`"
        for prototype in declared.values()
        if f"{_squeezed(prototype)};" not in promised
    ]
    if len(declared) != len(re.findall(r"^PART\(", _code(parts), re.MULTILINE)):
        found.append(f"{parts}: write PART(returns, name, (arguments), stock functions or 0)")
    return found


def _code(path: Path) -> str:
    return _COMMENT.sub("", path.read_text(encoding="utf-8"))


def _squeezed(code: str) -> str:
    return re.sub(r"(?<=\*) ", "", re.sub(r"\s+", " ", code))


if __name__ == "__main__":
    lines = differences(*(Path(word) for word in sys.argv[1:4]))
    print("\n".join(lines), file=sys.stderr, end="\n" if lines else "")
    sys.exit(1 if lines else 0)
