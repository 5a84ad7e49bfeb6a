"""Traces parts of labs: builds a solution with its combines recorded, calls a part, and makes the trace of the call.

This is for figures and tests, which trace many parts. People use `make trace`."""

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import document
from events import TraceError, read_record

ROOT = Path(__file__).resolve().parents[2]
_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Call:
    """A part and its arguments."""

    lab: int
    part: str
    n: int = 8
    monoid: str = "sum"
    tile: int = 512
    options: tuple[str, ...] = ()  # further options of the suite: ("--order", "reverse"), ("--shape", "4x8")


def _run(*words: str, allowed: tuple[int, ...] = (0,), **settings: str) -> None:
    # If make started this process, its settings must not reach the make that is started here.
    own = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL")}
    own |= settings
    done = subprocess.run(words, cwd=ROOT, env=own, capture_output=True, text=True, timeout=_SECONDS, check=False)
    if done.returncode not in allowed:
        raise TraceError(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")


def trace_program(source: Path, words: list[str]) -> dict[str, Any]:
    """The trace of a .cu program, compiled with simtcc's options `words`. Raises TraceError when it does not compile
    or the device reports a finding."""
    program = ROOT / "build/trace/programs" / source.stem
    program.parent.mkdir(parents=True, exist_ok=True)
    record = program.with_suffix(".record")
    record.unlink(missing_ok=True)
    _run("build/bin/simtcc", *words, os.path.relpath(source, ROOT), "-o", str(program))
    _run(str(program), SIMT_TRACE=str(record))
    return document.build(read_record(record), None, {source.name: source.read_text(encoding="utf-8")})


@dataclass(slots=True)
class Tracer:
    """Builds into build/, each build once. `source` is the folder of a solution's .cu files."""

    who: str = "reference"
    source: Path = ROOT / "reference"
    built: set[tuple[int, str, int]] = field(default_factory=set)

    def name_of(self, lab: int) -> str:
        folders = list(ROOT.glob(f"labs/{lab}-*"))
        if len(folders) != 1:
            raise TraceError(f"there is no lab {lab}")
        return folders[0].name.split("-", 1)[1].replace("-", "_")

    def build(self, call: Call) -> None:
        if (call.lab, call.monoid, call.tile) in self.built:
            return
        source = os.path.relpath(self.source, ROOT)  # make accepts no blanks, and the root's path may contain some
        words = ["build-lab", "BUILD_TARGET=trace-object", f"WHO={self.who}", f"SRC={source}"]
        words += [f"LAB={call.lab}", f"TRACE_BUILD={call.monoid}" + (f".{call.tile}" if call.tile != 512 else "")]
        _run("make", "--no-print-directory", *words)
        self.built.add((call.lab, call.monoid, call.tile))

    def trace(self, call: Call) -> dict[str, Any]:
        """The trace of one call. Raises TraceError when the part cannot be built or called, but not for a wrong
        result."""
        self.build(call)
        file = self.source / f"{self.name_of(call.lab)}.cu"
        words = ["--submission", f"build/trace/{self.who}", "--runner", "build/cpu/runner", "--lab", str(call.lab)]
        words += ["--part", call.part, "--monoid", call.monoid, "--tile", str(call.tile)]
        words += [*([] if "--shape" in call.options else ["--n", str(call.n)]), "--seed", "1"]
        words += [*([] if "--input" in call.options else ["--input", "example"]), *call.options]
        with tempfile.TemporaryDirectory() as folder:
            record = Path(folder) / f"{call.part}.record"
            _run("build/bin/run", "--trace", str(record), *words, allowed=(0, 1))
            case = json.loads(record.with_name(record.name + ".case").read_text(encoding="utf-8"))
            return document.build(read_record(record), case, {file.name: file.read_text(encoding="utf-8")})
