"""Similar hand-ins: what is copied is found, renamed or not; what everybody has is not."""

import json
import re
from pathlib import Path

import pytest

from grader.export.similar import SIZE_CAP, Likeness, compare
from grader.front.cli import main
from grader.tests import exported, real

STUB = """\
#include "naive_scan.h"
/* One block of n threads; thread t computes out[t]. */
__global__ void scan_kernel(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: scan. */
}
void scan(const elem_t *in, elem_t *out, size_t n)
{
    scan_kernel<<<1, n>>>(in, out, n);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        abort();
}
"""
DOUBLE = """\
    __shared__ elem_t buffer[2][TILE];
    unsigned t = threadIdx.x, from = 0;
    buffer[0][t] = in[t];
    for (unsigned stride = 1; stride < n; stride *= 2) {
        __syncthreads();
        elem_t sum = buffer[from][t];
        if (t >= stride)
            sum = combine(buffer[from][t - stride], sum);
        from = 1 - from;
        buffer[from][t] = sum;
    }
    out[t] = buffer[from][t];
"""
SHUFFLES = """\
    elem_t mine = t < n ? in[t] : IDENTITY;
    #pragma unroll
    for (int hop = 1; hop < 32; hop <<= 1) {
        const elem_t before = __shfl_up_sync(~0u, mine, hop);
        mine = lane < hop ? mine : combine(before, mine);
    }
    if (lane == 31) { sums[warp] = mine; }
    __syncthreads();
    while (warp-- > 0) { mine = combine(sums[warp], mine); }
    if (t < n) { out[t] = mine; }
"""


def solved(body: str) -> str:
    return STUB.replace("    /* TODO: scan. */\n", body)


def renamed(text: str) -> str:
    for old, new in (("buffer", "scratch"), ("stride", "hop"), ("sum", "total"), ("from", "page")):
        text = re.sub(rf"\b{old}\b", new, text)
    return text.replace("    ", "\t").replace("{\n", "{ // mine\n")


def names(found: Likeness) -> list[tuple[str, str]]:
    return [(pair.left.name, pair.right.name) for pair in found.pairs]


def test_a_copy_with_other_names_and_layout_is_found() -> None:
    sources = {"ada": solved(DOUBLE), "bob": renamed(solved(DOUBLE)), "eve": solved(SHUFFLES)}
    found = compare(sources, STUB)
    assert names(found) == [("ada", "bob")]
    pair = found.pairs[0]
    assert pair.share > 0.9
    assert "".join(piece.text for piece in pair.left.pieces) == sources["ada"]
    shared = "".join(piece.text for piece in pair.left.pieces if piece.shared)
    assert "sum = combine(buffer[from][t - stride], sum);" in shared
    assert "cudaGetLastError" not in shared  # that is the stub's


def test_the_stub_is_nobodys_own() -> None:
    sources = {"ada": STUB, "bob": STUB, "eve": solved(SHUFFLES)}
    assert names(compare(sources, STUB)) == []
    assert ("ada", "bob") in names(compare(sources, ""))  # nobody said that it is the stub


def test_what_many_have_is_nobodys_own() -> None:
    sources = {f"s{i}": solved(DOUBLE) for i in range(5)} | {"x": solved(SHUFFLES), "y": renamed(solved(SHUFFLES))}
    assert len(compare(sources, STUB, common=5).pairs) == 10 + 1
    assert names(compare(sources, STUB, common=4)) == [("x", "y")]


def test_strange_sources_are_compared_or_named() -> None:
    strange = {
        "empty": "",
        "blank": "\n\n\n",
        "binary": "\x00\ufffd\x1b" * 3000,
        "returns": solved(DOUBLE).replace("\n", "\r\n"),
        "open": '"' + "/*" * 2000 + "\\" * 2000,
        "large": "x" * (SIZE_CAP + 1),
        "ada": "\n\n" + solved(DOUBLE),
    }
    found = compare(strange, STUB)
    assert found.left_out == {"large": "larger than 256 KiB"}
    assert names(found) == [("ada", "returns")]


def test_a_source_that_takes_too_long_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.export.similar.SECONDS", 1e-6)
    found = compare({"ada": solved(DOUBLE), "bob": solved(DOUBLE)}, "")
    assert (found.compared, set(found.left_out)) == (0, {"ada", "bob"})


def planted_class(folder: Path) -> Path:
    """A class in which two have the same lab 2, under hostile names of students."""
    path = exported.write_class(folder, 6)
    for i, text in ((0, DOUBLE), (2, DOUBLE), (3, SHUFFLES)):
        source = folder / f"submissions/hand-in-{i:03}/src/naive_scan.cu"
        source.write_text(f"// {exported.HOSTILE}\n" + solved(text), encoding="utf-8")
    return path


def test_the_page_names_the_pair_and_escapes_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = planted_class(tmp_path)
    assert main(["similar", str(path), "--lab", "2", "--to", str(tmp_path / "page.html")]) == 0
    assert "pairs among 4 sources" in capsys.readouterr().out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    body = page[page.index("<body>") : page.rindex("<script>")]
    assert "hand-in-000 and hand-in-002" in body
    assert "<mark>" in body
    assert "<script" not in body
    assert "<img" not in body


def test_a_single_grading_is_no_class(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exported.write_graded(tmp_path, exported.results())
    assert main(["similar", str(tmp_path / "results.json")]) == 2
    assert "within a class: a gradebook.json" in capsys.readouterr().err


@pytest.mark.slow
def test_of_the_courses_own_solutions_only_a_copy_is_nearly_whole() -> None:
    """Five right solutions of lab 2, written each in another way, and the reference with its names changed."""
    root = real.COURSE.root
    sources = {p.stem: p.read_text() for p in sorted((root / "reference/alternatives/naive_scan").glob("*.cu"))}
    sources["reference"] = (root / "reference/naive_scan.cu").read_text()
    sources["copy"] = renamed(re.sub(r"/\*.*?\*/", "", sources["reference"], flags=re.DOTALL))
    found = compare(sources, (root / "student/naive_scan.cu").read_text())
    assert names(found)[0] == ("copy", "reference")
    assert [pair.share for pair in found.pairs if pair.share > 0.6] == [found.pairs[0].share]
    assert json.dumps(found.left_out) == "{}"
