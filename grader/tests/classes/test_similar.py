"""Similar hand-ins: copies are found, renamed or not; code that everyone has is not."""

import csv
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from grader.export.graded import read_gradebook
from grader.export.similar import SIZE_CAP, Likeness, compare
from grader.front.cli import main
from grader.model.gradebook import Form, write_gradebook
from grader.release.stubs import generate_stubs
from grader.tests import exported, real
from grader.walls.apart import JobLimits

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

SLOW = f"a{' ' * 20_000}f(){' ' * 20_000};\n"  # the lexer's time grows with the third power of the number of spaces


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
    shared = "".join(piece.text for piece in pair.left.pieces if piece.passage)
    assert "sum = combine(buffer[from][t - stride], sum);" in shared
    assert "cudaGetLastError" not in shared  # this code is in the stub


def test_the_stub_is_nobodys_own() -> None:
    sources = {"ada": STUB, "bob": STUB, "eve": solved(SHUFFLES)}
    assert names(compare(sources, STUB)) == []
    assert ("ada", "bob") in names(compare(sources, ""))  # here the stub was not given


def test_what_many_have_is_nobodys_own() -> None:
    sources = {f"s{i}": solved(DOUBLE) for i in range(5)} | {"x": solved(SHUFFLES), "y": renamed(solved(SHUFFLES))}
    assert len(compare(sources, STUB, common=5).pairs) == 10 + 1
    assert names(compare(sources, STUB, common=4)) == [("x", "y")]


def test_hand_ins_whose_code_was_set_aside_as_common_are_named() -> None:
    """A solution that many share leaves no pair, and this is the only trace of it. The stub is not own code."""
    sources = {f"s{i}": solved(DOUBLE) for i in range(5)} | {"eve": solved(SHUFFLES), "stub": STUB}
    assert compare(sources, STUB, common=4).set_aside == [f"s{i}" for i in range(5)]
    assert compare(sources, STUB, common=5).set_aside == []


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
    """One of these keeps a regular expression of the lexer busy for hours, and nothing interrupts it."""
    quick = JobLimits(memory=2 << 30, cpu=4)
    monkeypatch.setattr("grader.export.similar_tokens.ALONE", quick)
    monkeypatch.setattr("grader.export.similar_tokens.TOGETHER", quick)
    monkeypatch.setattr("grader.walls.apart.PACE_FACTOR", 1)
    sources = {"ada": solved(DOUBLE), "slow": SLOW, "bob": solved(DOUBLE)}
    found = compare(sources, STUB)
    assert (names(found), list(found.left_out)) == ([("ada", "bob")], ["slow"])
    assert found.left_out["slow"].startswith("it takes more than 4 s of CPU time")


def planted_class(folder: Path) -> Path:
    """A class in which two have the same lab 2, with hostile names of students."""
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


def test_the_page_and_the_terminal_name_hand_ins_whose_code_was_set_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["similar", str(planted_class(tmp_path)), "--lab", "2", "--to", str(tmp_path / "page.html"), "--common"]
    warning = "2 hand-ins had over half of their own code set aside as common code"
    for common, is_warned in (("1", True), ("2", False)):
        assert main([*argv, common]) == 0
        said, page = capsys.readouterr().out, (tmp_path / "page.html").read_text(encoding="utf-8")
        assert (f"{warning}: hand-in-000, hand-in-002\n    try: --common" in said) is is_warned
        assert (warning in page) is is_warned


def test_the_book_of_a_term_has_no_sources(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is an error, because a page that compares nothing would look like a page without pairs."""
    batch = planted_class(tmp_path / "batch")
    book = replace(read_gradebook(batch, ""), batch="term")
    entries = tuple(replace(entry, form=Form.ROSTER, source=None, results=None) for entry in book.entries)
    write_gradebook(tmp_path / "term", replace(book, entries=entries))
    term = str(tmp_path / "term/gradebook.json")
    for argv in ([term], [str(batch), "--against", term]):
        assert main(["similar", *argv, "--lab", "2"]) == 2
        assert "try: the gradebook.json of each batch" in capsys.readouterr().err


def test_a_single_grading_is_no_class(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exported.write_graded(tmp_path, exported.results())
    assert main(["similar", str(tmp_path / "results.json")]) == 2
    assert "within a class: a gradebook.json" in capsys.readouterr().err


def test_the_stub_is_that_of_the_reference_whatever_lies_in_student(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Otherwise an instructor who solved the lab in student/ would hide every pair."""
    path = planted_class(tmp_path / "class")
    course = tmp_path / "course"
    for name in ("labs", "reference"):
        course.mkdir(exist_ok=True)
        (course / name).symlink_to(real.COURSE.root / name)
    (course / "student").mkdir()
    (course / "student" / "naive_scan.cu").write_text(solved(DOUBLE))
    argv = ["similar", str(path), "--lab", "2", "--to", str(tmp_path / "page.html")]
    assert main(argv, course) == 0
    assert "hand-in-000 and hand-in-002" in (tmp_path / "page.html").read_text(encoding="utf-8")
    (course / "reference").unlink()  # the same as in a student's tree
    assert main(argv, course) == 0
    assert "hand-in-000 and hand-in-002" not in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_what_pairs_connect_is_a_group() -> None:
    found = compare({name: solved(DOUBLE) for name in ("ada", "bob", "eve")} | {"zoe": solved(SHUFFLES)}, STUB)
    assert found.groups == [("ada", "bob", "eve")]
    assert compare({"ada": solved(DOUBLE), "bob": solved(DOUBLE)}, STUB).groups == []


def test_what_is_common_is_counted_in_each_batch() -> None:
    """So a copy that is handed on from year to year is still found."""
    years = [{f"{year}": solved(DOUBLE)} for year in range(2016, 2026)]
    found = compare({"ada": solved(DOUBLE)}, STUB, others=years, common=1)
    assert len(found.pairs) == len(years)
    assert compare({"ada": solved(DOUBLE), "bob": solved(DOUBLE)}, STUB, others=years, common=1).pairs == []


def test_a_page_without_names_has_none_and_a_file_that_gives_them(tmp_path: Path) -> None:
    path = planted_class(tmp_path / "class")
    earlier = tmp_path / "autumn-2025" / "carl"
    earlier.mkdir(parents=True)
    (earlier / "naive_scan.cu").write_text("// by Carl\n" + solved(SHUFFLES))
    page = tmp_path / "page.html"
    argv = ["similar", str(path), "--lab", "2", "--to", str(page), "--against", str(earlier.parent)]
    assert main(argv) == 0
    assert "hand-in-003 and carl (autumn-2025, 1)" in page.read_text(encoding="utf-8")
    assert main([*argv, "--no-names"]) == 0
    body = page.read_text(encoding="utf-8").partition("<main")[2]
    assert not [name for name in ("hand-in-0", "carl", "Carl", "autumn") if name in body]
    names = dict(csv.reader((tmp_path / "page.names.csv").read_text(encoding="utf-8").splitlines()))
    pairs = [set(pair) for pair in re.findall(r"</h3>|: (hand-in \d+) and (hand-in \d+)</h3>", body) if all(pair)]
    assert {"hand-in-003", "carl (autumn-2025, 1)"} in [{names[name] for name in pair} for pair in pairs]


def test_a_passage_has_the_same_number_on_both_sides() -> None:
    """Two functions are swapped, and so are their numbers."""
    functions = [f"void f{i}(int *a, int b) {{\n{body}}}\n" for i, body in enumerate((DOUBLE, SHUFFLES))]
    apart = "int table[] = { 1, 2, 3, 4, 5, 6, 7, 8 };\n"
    pair = compare({"a": apart.join(functions), "b": apart.replace("8", "8, 9").join(functions[::-1])}, "").pairs[0]
    left, right = ({p.passage: p.text for p in side.pieces if p.passage} for side in (pair.left, pair.right))
    assert list(left) == sorted(left) and list(right) == sorted(right, reverse=True)
    assert set(left) == set(right)
    assert ["__shfl_up_sync" in left[number] for number in left] == ["__shfl_up_sync" in right[n] for n in left]


def test_another_call_finds_the_same(tmp_path: Path) -> None:
    """Python's hashes differ from process to process."""
    path = planted_class(tmp_path)
    pages = []
    for seed in ("1", "2"):
        argv = [sys.executable, "-m", "grader", "similar", str(path), "--lab", "2", "--least", "0"]
        subprocess.run(argv, env={**os.environ, "PYTHONHASHSEED": seed}, cwd=real.COURSE.root, check=True)
        pages.append((tmp_path / "report" / "similar.html").read_text(encoding="utf-8"))
    assert pages[0] == pages[1]


def reordered(text: str) -> str:
    """The file with its functions in another order: each is moved behind those that follow it."""
    pieces = re.split(r"(?m)^(?=(?:template|static|__global__|__device__|void|struct)\b)", text)
    return "\n".join([pieces[0], *reversed(pieces[1:])])


@pytest.mark.slow
@pytest.mark.parametrize("stem", ["naive_scan", "reduction", "compaction"])
def test_planted_copies_are_above_every_pair_of_independent_hand_ins(stem: str) -> None:
    """Right solutions that were written independently form a class. Three copies are added: one from an earlier year,
    one that is renamed and reordered, and one from the other section."""
    root = real.COURSE.root
    written = {p.stem: p.read_text() for p in sorted((root / f"reference/trials/{stem}/right").glob("*.cu"))}
    first, second, third = sorted(written)[:3]
    year = {"2025": written.pop(first)}
    section = {"section b": written.pop(third)}
    plain = re.sub(r"/\*.*?\*/", "", written[second], flags=re.DOTALL)
    copies = {"of the year": year["2025"], "of the other": reordered(renamed(plain)), "of b": section["section b"]}
    stub = generate_stubs(real.COURSE)[f"{stem}.cu"]
    found = compare(written | copies, stub, others=[year, section], least=0)
    shares = {frozenset((pair.left.name, pair.right.name)): pair.share for pair in found.pairs}
    planted = [("of the year", "2025"), ("of the other", second), ("of b", "section b")]
    copied = [shares.pop(frozenset(pair)) for pair in planted]
    assert len(shares) > 3
    assert min(copied) > max(shares.values())


@pytest.mark.slow
def test_of_the_courses_own_solutions_only_a_copy_is_nearly_whole() -> None:
    """There are five independent right solutions of lab 2, and the reference with changed names."""
    root = real.COURSE.root
    sources = {p.stem: p.read_text() for p in sorted((root / "reference/trials/naive_scan/right").glob("*.cu"))}
    sources["reference"] = (root / "reference/naive_scan.cu").read_text()
    sources["copy"] = renamed(re.sub(r"/\*.*?\*/", "", sources["reference"], flags=re.DOTALL))
    found = compare(sources, (root / "student/naive_scan.cu").read_text())
    assert names(found)[0] == ("copy", "reference")
    assert [pair.share for pair in found.pairs if pair.share > 0.6] == [found.pairs[0].share]
    assert json.dumps(found.left_out) == "{}"
