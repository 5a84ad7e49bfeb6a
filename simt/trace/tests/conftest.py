"""What the tests of traces share: traces of the reference's parts and of mutants, each made once."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE.parent), str(ROOT)]

from parts import Call, Tracer  # noqa: E402

from grader.mutant import apply_mutant, read_mutant  # noqa: E402
from grader.tests.browser import browser  # noqa: E402

__all__ = ["LOOK_BACK", "ROOT", "Trace", "Traced", "browser"]

# Four tiles of the single pass, in an order in which two blocks wait.
LOOK_BACK = Call(6, "scan_single_pass", 1600, tile=32, options=("--order", "random", "--seed", "6"))

Trace = dict[str, Any]
Traced = Callable[..., Trace]


@pytest.fixture(scope="session")
def traced() -> Traced:
    """traced(Call(...)), and traced(Call(...), mutant="naive_scan/in_place-no-second-barrier")."""
    tracers: dict[str, Tracer] = {"": Tracer()}
    made: dict[tuple[Call, str], Trace] = {}

    def trace(call: Call, mutant: str = "") -> Trace:
        if mutant not in tracers:
            lab, name = mutant.split("/")
            folder = ROOT / "build/trace/sources" / name
            folder.mkdir(parents=True, exist_ok=True)
            source = (ROOT / "reference" / f"{lab}.cu").read_text(encoding="utf-8")
            patched = apply_mutant(read_mutant(ROOT / "reference/mutants" / f"{mutant}.mutant"), source)
            (folder / f"{lab}.cu").write_text(patched.source, encoding="utf-8")
            tracers[mutant] = Tracer(f"mutant-{name}", folder)
        if (call, mutant) not in made:
            made[call, mutant] = tracers[mutant].trace(call)
        return made[call, mutant]

    return trace
