"""make_parts.py: prints parts.def, the list of a lab's parts from which the runner's table and the suite are compiled:

  PART(result type, name, arguments, stock functions that it may call or 0)

usage: make_parts.py LAB.TOML CONTRACT.H

The parts are the [[part]]s of lab.toml, and their prototypes come from the contract. A part that only one of them
has gives a line and exit status 1. grader/handin/discover.py checks everything else in lab.toml.
"""

import re
import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_PROTOTYPE = re.compile(r"^(\w[\w ]*?[ *]+)(\w+)(\([^()]*\));", re.MULTILINE)


def make_parts(toml: Path, contract: Path) -> str:
    """Returns the text of parts.def. Ends the program if a part is in one file only."""
    code = _COMMENT.sub("", contract.read_text(encoding="utf-8"))
    declared = {name: (returns.strip(), " ".join(taken.split())) for returns, name, taken in _PROTOTYPE.findall(code)}
    worth: dict[str, str] = {}
    for part in tomllib.loads(toml.read_text(encoding="utf-8")).get("part", []):
        flags = [f"STOCK_{name.upper()}" for name in part.get("stock", [])]
        worth[part["name"]] = " | ".join(flags) or "0"
    wrong = [f"{contract}: {name} is no [[part]] of {toml.name}" for name in declared if name not in worth]
    wrong += [f"{toml}: part {name} is not declared in {contract.name}" for name in worth if name not in declared]
    if wrong:
        sys.exit("\n".join(wrong))
    return "".join(f"PART({declared[name][0]}, {name}, {declared[name][1]}, {worth[name]})\n" for name in worth)


if __name__ == "__main__":
    print(make_parts(Path(sys.argv[1]), Path(sys.argv[2])), end="")
