"""Rejects what nvcc rejects: calls, launches and variables that cross the boundary between host and device.

  python3 simt/spaces DUMP OBJECT TRANSLATED [true|false [true|false]]
  python3 simt/spaces --parametric ...         another check of a lab: see parametric.py

g++ makes DUMP and OBJECT from TRANSLATED, the output of cudac, with SIMT_SPACES_FLAGS of simt/module.mk. `true` says
that other files may define what these only declare, as with -rdc=true of nvcc; the second one, that device code may
call constexpr functions of the host, as with --expt-relaxed-constexpr. Errors are written to standard error as
`file:line: error: what`. The exit status is 0, or 1 when there are errors, or 2 when the dump cannot be read.
"""

import sys
from functools import lru_cache
from pathlib import Path

from dump import functions_read
from parametric import judge_parts
from rules import Judge
from symbols import variables_read

HEADER_LINES = 2  # number of lines that cudac inserts before the source


@lru_cache
def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def main(dump: str, objects: str, translated: str, relocatable: str = "false", relaxed: str = "false") -> int:
    functions = list(functions_read(Path(dump).read_text(encoding="utf-8", errors="replace")))
    if not any(function.spaces for function in functions):
        sys.stderr.write("spaces: g++'s dump has another form than expected, so calls are not checked\n")
        return 2
    lines = _lines(translated)
    name = lines[1].partition(' "')[2].rstrip('"') if len(lines) > 1 else ""

    def source(file: str, line: int) -> str:
        text = lines[HEADER_LINES:] if file == name else _lines(file)
        return text[line - 1] if 0 < line <= len(text) else ""

    faults = Judge(functions, variables_read(objects), source, relocatable == "true", relaxed == "true").faults()
    for fault in faults:
        sys.stderr.write(f"{fault.file}:{fault.line}: error: {fault.words}\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(judge_parts(*sys.argv[2:]) if sys.argv[1] == "--parametric" else main(*sys.argv[1:]))
