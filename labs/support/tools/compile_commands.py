"""compile_commands.py: prints compile_commands.json for editors that use clangd.

C files are listed as make compiles them. Labs' .cu files are listed as CUDA that clang reads itself, with the CPU
device's headers, so that an editor needs neither nvcc nor cudac.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
C_FLAGS = [
    *("-std=gnu11", "-Wall", "-Wextra", "-Isimt", "-Isimt/cudac", "-D__SIMT__", "-Isimt/include", "-DLAB_MONOIDS=~0u"),
    *(
        f"-DMONOIDS_OF_{part}=~0u"
        for toml in sorted(ROOT.glob("labs/*/lab.toml"))
        for part in re.findall(r'^name = "(\w+)"$', toml.read_text(), re.MULTILINE)
    ),
    *(
        f"-Ilabs/{room}"
        for room in ("support/suite", "support/call", "support/values", "support/stock", "include", "stock")
    ),
]
CUDA_FLAGS = [
    *("-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-std=gnu++17"),
    *("-Xclang", "-fcuda-allow-variadic-functions", "-Wno-unknown-cuda-version", "-Wno-shift-count-overflow"),
    *("-D__SIMT__", "-D__CUDACC__", "-Isimt/include", "-include", "cuda_runtime.h", "-Ilabs/include", "-Ilabs/stock"),
]


def entry(file: Path, words: list[str]) -> dict[str, object]:
    """Returns one file's entry in the format of JSON compilation databases."""
    name = str(file.relative_to(ROOT))
    return {"directory": str(ROOT), "file": name, "arguments": [*words, "-c", name]}


def lab_folder(source: Path) -> Path | None:
    """Returns labs/2-naive-scan for naive_scan.cu, or None for a file that belongs to no lab."""
    return next(iter(ROOT.glob(f"labs/*-{source.stem.replace('_', '-')}")), None)


def stem(lab: Path) -> str:
    """Returns naive_scan for labs/2-naive-scan."""
    return lab.name.partition("-")[2].replace("-", "_")


def belongs(file: Path, lab: Path) -> bool:
    """Returns whether the file is a suite of that lab."""
    return file.stem in (f"check_{stem(lab)}", f"check_{stem(lab)}_hidden")


def entries() -> list[dict[str, object]]:
    """Returns the entries of all files that an editor may open: in a student's copy, the files that students write."""
    found = []
    for folder in ("simt", "labs", "reference") if (ROOT / "reference").is_dir() else ():
        for file in sorted((ROOT / folder).rglob("*.c")):
            # A suite's own lab comes first: each lab has a parts.def, which make writes.
            labs = sorted(ROOT.glob("labs/[0-9]-*"), key=lambda path: (not belongs(file, path), path))
            folders = [f"-I{path.relative_to(ROOT)}" for path in labs] + [
                f"-Ibuild/generated/{stem(path)}" for path in labs
            ]
            found.append(entry(file, ["gcc", *C_FLAGS, *folders]))
    for folder in ("student", "reference"):
        for file in sorted((ROOT / folder).glob("*.cu")):
            lab_path = lab_folder(file)
            if lab_path is not None:
                own = [f"-I{lab_path.relative_to(ROOT)}", "-DMONOID=MONOID_SUM"]
                found.append(entry(file, ["clang++", *CUDA_FLAGS, *own]))
    return found


if __name__ == "__main__":
    json.dump(entries(), sys.stdout, indent=1)
    print()
