"""Hand-ins of lab 2 whose bytes or names try to stop or slow down the grader. Each is an entry of the table below or of
the one in grader/tests/hostile_more.py."""

import bz2
import io
import lzma
import random
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path

from grader.tests.hostile_more import HOSTILE_MORE
from grader.tests.hostile_parts import SOURCE, Files, alone, honest, lines, more, packed_zip

K = 250_000  # number of characters that a source may have


def _tar(members: Mapping[str, bytes], repeat: int = 1) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as packed:
        for _again in range(repeat):
            for name, content in members.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                packed.addfile(entry, io.BytesIO(content))
    return stream.getvalue()


def _bomb_of_xz() -> Files:
    head = tarfile.TarInfo("zeros")
    head.size = 480 << 20
    packer = lzma.LZMACompressor(preset=0)
    packed = packer.compress(head.tobuf()) + b"".join(packer.compress(bytes(1 << 20)) for _mib in range(480))
    return {"a.tar.xz": packed + packer.flush(), **honest()}


def _bombs_of_bz2() -> Files:
    head = tarfile.TarInfo("noise")
    noise = random.Random(1).randbytes(1 << 20)
    head.size = 40 << 20
    packed = bz2.compress(head.tobuf() + noise * 40)
    return {**{f"{i}.tar.bz2": packed for i in range(16)}, **honest()}


def _garbage() -> Files:
    return {SOURCE: random.Random(2).randbytes(1 << 20)}


def _calls(count: int) -> str:
    declared = "".join(f"void f{i}();\n" for i in range(count))
    return f'extern "C" {{\n{declared}}}\nvoid all() {{\n' + "".join(f"f{i}();\n" for i in range(count)) + "}"


def _computed(count: int) -> str:
    return "void (*volatile p)();\nvoid all() {\n" + "p();\n" * count + "}"


def _fib(depth: int) -> str:
    pair = "template <int N, int M> struct T { static const long v = T<N - 1, 2 * M>::v + T<N - 1, 2 * M + 1>::v; };\n"
    return f"{pair}template <int M> struct T<0, M> {{ static const long v = M; }};\nlong v = T<{depth}, 0>::v;"


def _laughs() -> str:
    macros = "".join(f"#define M{i} M{i - 1} M{i - 1} M{i - 1} M{i - 1}\n" for i in range(1, 20))
    return f"#define M0 ;\n{macros}void f() {{ M19 }}"


def _long_symbol(depth: int) -> str:
    nested = "int" + "".join("" for _ in range(depth))
    for _level in range(depth):
        nested = f"P<{nested}, {nested}>"
    return f"template <class A, class B> struct P {{}};\nvoid f({nested}) {{}}"


# Name -> function that makes the files. Most of these stopped an earlier grader, or kept it busy for minutes.
HOSTILE: Mapping[str, Callable[[], Files]] = {
    # The file's own bytes.
    "brackets": lambda: more("void f() { int a[2]; a" + lines("[" * K) + "}"),
    "brackets_and_macros": lambda: more("#define M\nvoid f() { int a[2]; a[M M " + lines("M[1] " * 9000) + "}"),
    "one_long_line": lambda: more("int a;" * (K // 8)),
    "one_mebibyte_of_a_line": lambda: {SOURCE: b"x" * (1 << 20)},
    "more_than_a_mebibyte": lambda: {SOURCE: b"int a;\n" * (1 << 18)},
    "semicolons": lambda: more(lines(";" * 200_000)),
    "open_braces": lambda: more(lines("{" * 50_000)),
    "open_parentheses": lambda: more("int a = " + lines("(" * 50_000) + ";"),
    "quotes": lambda: more(lines('"\\' * 100_000)),
    "apostrophes": lambda: more("\n".join(["'\\" * 1900] * 50)),
    "open_comments": lambda: more("/*" * 100_000),
    "stars": lambda: more(lines("*" * 200_000)),
    "digraphs": lambda: more(lines("<::" * 60_000)),
    "spliced_lines": lambda: more("int a\\\n" * 30_000 + ";"),
    "directives": lambda: more("#\n" * 50_000 + "#pragma unroll\n" * 5_000),
    "zeros": lambda: {SOURCE: bytes(100_000)},
    "garbage": _garbage,
    "letters_of_no_alphabet": lambda: more("int " + "\u0301\u200d\ufdfa" * 20_000 + ";"),
    # Names.
    "a_name_of_twos": lambda: more("int __float" + "2" * K + ";"),
    "names_of_twos": lambda: more("\n".join(f"int __float{'2' * 230}_{i};" for i in range(900))),
    "a_function_named_e111": lambda: more("int *E" + "1" * 240 + "() { static int kept; return &kept; }"),
    "a_function_named_e_5000_ones": lambda: more("int *E" + "1" * 5000 + "() { static int kept; return &kept; }"),
    "refused_imports": lambda: more(_calls(4_500)),
    "some_refused_imports": lambda: more(_calls(1_500)),
    "computed_calls": lambda: more(_computed(11_000)),
    "functions": lambda: more("\n".join(f"int g{i}() {{ return {i}; }}" for i in range(4_500))),
    "long_symbols": lambda: more(_long_symbol(12)),
    "copies": lambda: {f"naive_scan{'-copy' * 44}x.cu": b"int a;", **honest()},
    "only_copies": lambda: {f"naive_scan{'-copy' * 44}x.cu": b"int a;"},
    "copies_in_an_archive": lambda: {"a.zip": packed_zip({f"naive_scan{'-copy' * 12_000}.cu": b"int a;"}), **honest()},
    "names_that_are_no_text": lambda: {"\udcff\n\x1b[2J.cu": b"int a;", **honest()},
    "deep_folders": lambda: {"d/" * 200 + SOURCE: b"int a;", **honest()},
    # Archives.
    "a_bomb_of_xz": _bomb_of_xz,
    "bombs_of_bz2": _bombs_of_bz2,
    "many_members": lambda: {"a.tar": _tar({"x" * 200: b""}, repeat=19_000), **honest()},
    # Sources that a compiler expands, or that take long to compile.
    "printf_calls": lambda: more("__global__ void k(int a) {\n" + 'printf("%d\\n", a);\n' * 6_000 + "}"),
    "launches": lambda: more("__global__ void k() {}\nvoid f() {\n" + "k<<<1, 1>>>();\n" * 4_500 + "}"),
    "open_launches": lambda: more("void f() {\n" + lines("k<<<" * 20_000) + "}"),
    "templates_without_end": lambda: more("template <int N> struct T { T<N + 1> t; };\nT<0> t;"),
    "templates_of_templates": lambda: more(_fib(26)),
    "a_loop_of_constants": lambda: more("constexpr int f() { int i = 0; while (true) i ^= 1; }\nint a[f()];"),
    "a_tree_of_constants": lambda: more(
        "constexpr long f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2) * (n % 3); }\nconstexpr long v = f(60);"
    ),
    "macros_of_macros": lambda: more(_laughs()),
    "includes_itself": lambda: more('#include "naive_scan.cu"\n#include "naive_scan.cu"'),
    "includes_zeros": lambda: alone('#include "/dev/zero"'),
    "includes_what_never_ends": lambda: alone('#include "/proc/self/fd/1"'),
    "assembles_without_end": lambda: more('asm(".rept 2000000000\\n.byte 1\\n.endr");'),
    "assembles_what_never_ends": lambda: more('asm(".incbin \\"/dev/ptmx\\"");'),
    "a_gibibyte_of_data": lambda: more("char data[1 << 30] = {1};"),
    "errors": lambda: more("\n".join(f"#error {i}" for i in range(20_000))),
    "errors_of_others": lambda: more('static_assert(false, "x\\ng++: fatal error: Killed signal terminated cc1plus");'),
    "a_chain_of_ifs": lambda: more("int f(int a) {\n" + "if (a == 1) a++; else\n" * 4_000 + "a--; return a; }"),
    "a_long_function": lambda: more(
        "void f(int *a) {\n" + "".join(f"a[{i}] = a[{i + 1}] * a[{i + 7}];\n" for i in range(2_400)) + "}"
    ),
    "lambdas_in_lambdas": lambda: more("auto f = " + "[] { return " * 150 + "1" + "; }" * 150 + ";"),
    **HOSTILE_MORE,
}


def write(name: str, folder: Path) -> None:
    """Makes the hand-in in the folder. File names that the disk does not accept are left out."""
    for path, content in (honest() if name.startswith("honest") else HOSTILE[name]()).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            target.write_bytes(content)
        else:
            content(target)
