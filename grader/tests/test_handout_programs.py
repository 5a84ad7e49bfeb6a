"""The programs of handouts/programs: the primer's program equals the one on its page. Each published bug is reported,
and its smallest correction makes the program right, without any finding."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "handouts/programs"
SIMTCC = ROOT / "build/bin/simtcc"


def run(source: str, name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Compiles a program as a reader of the handouts would, and runs it."""
    (folder / f"{name}.cu").write_text(source, encoding="ascii")
    words = [str(SIMTCC), "-I", str(PROGRAMS), f"{name}.cu", "-o", name]
    subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True, timeout=120)
    return subprocess.run([f"./{name}"], cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@dataclass(frozen=True, slots=True)
class Bug:
    """The fault of a published kernel: its first report, and the lines of its correction."""

    report: str
    mend: tuple[tuple[str, str], ...]


def only_if_there(slot: str) -> str:
    return f"section[{slot}] = {slot} < n ? in[{slot}] : 0;"


SPARE = "    if (i < n)\n        section[threadIdx.x] = in[i];"
WHOLE = "section[k * WORKERS + t]"
ADDS = "    for (int k = 0; k < EACH - 1; k++) /* each adds to its own numbers; the last is a total */"
OWN_TOTAL = "        section[t * EACH + k] += totals[t];\n    section[t * EACH + EACH - 1] = totals[t];"
TICKET = """\
    int t = threadIdx.x;
    if (t == 0)
        ticket = atomicAdd(&tickets, 1);
    __syncthreads();
    int b = ticket, i = b * SECTION + t;
"""
BUGS = {
    "bug_1": Bug(
        "bug_1.cu:14  scan_section: 127 of 128 threads reach this barrier",
        (
            (SPARE, "    section[threadIdx.x] = i < n ? in[i] : 0;"),
            ("stride <= threadIdx.x;", "stride < blockDim.x;"),
            (
                "int left = section[threadIdx.x - stride];",
                "int left = stride <= threadIdx.x ? section[threadIdx.x - stride] : 0;",
            ),
            ("section[threadIdx.x] += left;", "section[threadIdx.x] = left + section[threadIdx.x];"),
        ),
    ),
    "bug_2": Bug(
        "bug_2.cu:16  scan_section: race on shared first[0]",
        (
            ("    __shared__ float first", "    __shared__ int first"),
            ("        float *source", "        __syncthreads();\n        int *source"),
            ("        float *target", "        int *target"),
            ("source[t] + source[t - stride]", "source[t - stride] + source[t]"),
        ),
    ),
    "bug_3": Bug(
        "bug_3.cu:12  scan_section: read out of bounds",
        (
            (f"{WHOLE} = in[k * WORKERS + t];", only_if_there("k * WORKERS + t")),
            (
                f"{ADDS}\n{OWN_TOTAL}",
                "    for (int k = 0; k < EACH && t > 0; k++)\n        section[t * EACH + k] += totals[t - 1];",
            ),
            (
                f"        out[k * WORKERS + t] = {WHOLE};",
                f"        if (k * WORKERS + t < n)\n            out[k * WORKERS + t] = {WHOLE};",
            ),
        ),
    ),
    "bug_4": Bug(
        "bug_4.cu:14  scan_section: race on shared tree[0]",
        (("    tree[i] = i < n ? in[i] : 0;\n", "    tree[i] = i < n ? in[i] : 0;\n    __syncthreads();\n"),),
    ),
    "bug_5": Bug(
        "bug_5.cu:14  scan_section: __shfl_up_sync waits for lanes that never come",
        (
            ("stride *= 2)\n        if (lane >= stride)\n", "stride *= 2) {\n        int left = "),
            (
                "            sum = __shfl_up_sync(0xffffffff, sum, stride) + sum;",
                "__shfl_up_sync(0xffffffff, sum, stride);\n        sum = lane >= stride ? left + sum : sum;\n    }",
            ),
        ),
    ),
    "bug_6": Bug(
        "bug_6.cu:28  scan_chained: race on __device__ ready[0]",
        (
            ("prefixes[BLOCKS], ready[BLOCKS];", "prefixes[BLOCKS], tickets;\n__device__ volatile int ready[BLOCKS];"),
            ("section[SECTION], before;", "section[SECTION], before, ticket;"),
            ("    int t = threadIdx.x, b = blockIdx.x, i = b * SECTION + t;\n", TICKET),
            ("            ;\n", "            ;\n        __threadfence();\n"),
            ("        ready[b]    = 1;", "        __threadfence();\n        ready[b] = 1;"),
        ),
    ),
}


def mended(name: str) -> str:
    text = (PROGRAMS / f"{name}.cu").read_text(encoding="ascii")
    for old, new in BUGS[name].mend:
        assert text.count(old) == 1, f"{name}: {old}"
        text = text.replace(old, new)
    return text


@pytest.mark.slow
@pytest.mark.parametrize("name", BUGS)
def test_a_bug_in_print_is_reported(name: str, tmp_path: Path) -> None:
    done = run((PROGRAMS / f"{name}.cu").read_text(encoding="ascii"), name, tmp_path)
    assert done.stderr.startswith(BUGS[name].report), done.stderr
    assert done.returncode != 0


@pytest.mark.slow
@pytest.mark.parametrize("name", BUGS)
def test_its_mend_is_right_and_silent(name: str, tmp_path: Path) -> None:
    done = run(mended(name), name, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "all 100 slots are right\n", "")


def test_the_primer_shows_its_program() -> None:
    program = (PROGRAMS / "primer.cu").read_text(encoding="ascii")
    page = (ROOT / "handouts/primer.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```c\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    assert [block for block in blocks if block not in program] == []


@pytest.mark.slow
def test_the_primer_shows_what_a_missing_barrier_gives(tmp_path: Path) -> None:
    program = (PROGRAMS / "primer.cu").read_text(encoding="ascii")
    lines = [line for line in program.splitlines() if "__syncthreads" not in line]
    page = (ROOT / "handouts/primer.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```text\n(primer\.cu:.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert shown in run("\n".join(lines) + "\n", "primer", tmp_path).stderr


def test_the_page_of_bugs_shows_the_programs() -> None:
    page = (ROOT / "handouts/bugs.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```c\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == len(BUGS)
    for name, block in zip(BUGS, blocks, strict=True):
        assert block in (PROGRAMS / f"{name}.cu").read_text(encoding="ascii"), name
