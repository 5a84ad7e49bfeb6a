"""Fixtures of the trace tests: traces of the reference's parts and of mutants, each made once."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE.parent), str(ROOT)]

from parts import Call, Tracer, trace_program  # noqa: E402

from grader.audit.trials import find_trial, make_source  # noqa: E402
from grader.tests.browser import SHOTS, browser, browser_of_fonts, picture, playwright  # noqa: E402

__all__ = ["LOOK_BACK", "ROOT", "SHOTS", "Trace", "Traced", "browser", "browser_of_fonts", "picture", "playwright"]

# Four tiles of the single pass, in an order in which two blocks wait.
LOOK_BACK = Call(6, "scan_single_pass", 1600, tile=32, options=("--order", "random", "--seed", "6"))

# Two launches whose blocks pass values to each other: by tickets and flags, and by a lock and a counter.
HANDING = """
#include <cuda_runtime.h>
__global__ void draw(unsigned *next, const int *in, volatile int *data, volatile int *ready)
{
    unsigned b = atomicAdd(next, 1);
    data[b] = in[b] * 3;
    __threadfence();
    ready[b] = 1;
}
__global__ void add(int *total, int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    atomicExch(lock, 0);
    atomicAdd(total, 5);
}
int main()
{
    unsigned *next;
    int host[2] = {5, 7}, *in, *data, *ready, *total, *lock;
    cudaMalloc(&next, 4); cudaMalloc(&in, 8); cudaMalloc(&data, 8); cudaMalloc(&ready, 8);
    cudaMalloc(&total, 4); cudaMalloc(&lock, 4);
    cudaMemset(next, 0, 4);
    cudaMemset(total, 0, 4);
    cudaMemset(lock, 0, 4);
    cudaMemcpy(in, host, 8, cudaMemcpyHostToDevice);
    draw<<<2, 1>>>(next, in, data, ready);
    add<<<2, 1>>>(total, lock);
    cudaFree(next); cudaFree(in); cudaFree(data); cudaFree(ready); cudaFree(total); cudaFree(lock);
    return 0;
}
"""

Trace = dict[str, Any]
Traced = Callable[..., Trace]


@pytest.fixture(scope="session")
def traced() -> Traced:
    """Returns a function for traced(Call(...)) and traced(Call(...),
    mutant="naive_scan/in_place-no-second-barrier")."""
    tracers: dict[str, Tracer] = {"": Tracer()}
    made: dict[tuple[Call, str], Trace] = {}

    def trace(call: Call, mutant: str = "") -> Trace:
        if mutant not in tracers:
            lab, name = mutant.split("/")
            folder = ROOT / "build/trace/sources" / name
            folder.mkdir(parents=True, exist_ok=True)
            patched = make_source(ROOT / "reference", find_trial(ROOT / "reference", mutant))
            (folder / f"{lab}.cu").write_text(patched.source, encoding="utf-8")
            tracers[mutant] = Tracer(f"mutant-{name}", folder)
        if (call, mutant) not in made:
            made[call, mutant] = tracers[mutant].trace(call)
        return made[call, mutant]

    return trace


@pytest.fixture(scope="session")
def handing(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    source = tmp_path_factory.mktemp("handing") / "handing.cu"
    source.write_text(HANDING, encoding="ascii")
    return trace_program(source, [])
