"""More hand-ins that try to stop or slow down the grader: through a compiler or a runner, through the contents of a
folder or an archive, and through names. grader/tests/hostile.py has the others, and the function that writes them."""

import io
import os
import socket
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from grader.tests.hostile_parts import SOURCE, Files, alone, honest, lines, more, packed_zip

_LOOP = "volatile int turn;\nstatic int loop() { for (;;) turn = turn + 1; return 0; }\n"


def _entry(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname, entry.size = kind, link, size
    entry.devmajor, entry.devminor = 1, 5
    return entry


def _tar_of(*entries: tarfile.TarInfo) -> bytes:
    return b"".join(entry.tobuf(tarfile.GNU_FORMAT) for entry in entries) + bytes(1024)


def _nested_zips(depth: int) -> bytes:
    content = packed_zip({SOURCE: b"int a;"})
    for level in range(depth):
        content = packed_zip({f"{level}-{copy}.zip": content for copy in range(2)})
    return content


def _zip_of_one_block(members: int, size: int) -> bytes:
    """A small zip with many members that share one compressed block; unpacked, they are together larger than any
    disk."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = squeezer.compress(bytes(size)) + squeezer.flush()
    crc, name = zlib.crc32(bytes(size)), SOURCE.encode()
    head = struct.pack("<4s5H3I2H", b"PK\3\4", 20, 0, 8, 0, 33, crc, len(block), size, len(name), 0) + name + block
    row = struct.pack("<4s6H3I5H2I", b"PK\1\2", 20, 20, 0, 8, 0, 33, crc, len(block), size, len(name), 0, 0, 0, 0, 0, 0)
    directory = (row + name) * members
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, members, members, len(directory), len(head), 0)
    return head + directory + end


def _zip_with_a_link() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        entry = zipfile.ZipInfo(SOURCE)
        entry.create_system, entry.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        packed.writestr(entry, "/dev/zero")
    return stream.getvalue()


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        folder = os.open(path.parent, os.O_RDONLY)  # a socket's path has at most 107 bytes
        made.bind(f"/proc/self/fd/{folder}/{path.name}")
        os.close(folder)


def _sparse(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(1 << 40)


# Name -> function that makes the files.
HOSTILE_MORE: Mapping[str, Callable[[], Files]] = {
    # Deep nesting.
    "parentheses": lambda: more("int deep = " + lines("(" * 25_000) + "1" + lines(")" * 25_000) + ";"),
    "braces": lambda: more("void f() {" + lines("{" * 25_000) + lines("}" * 25_000) + "}"),
    "initialisers": lambda: more("int deep = " + lines("{" * 25_000) + "1" + lines("}" * 25_000) + ";"),
    "negations": lambda: more("int deep = " + lines("- " * 50_000) + "1;"),
    "choices": lambda: more("int f(int a) { return " + lines("a ? 1 : " * 14_000) + "0; }"),
    "sums": lambda: more("int f(int a) { return " + lines("a + " * 28_000) + "0; }"),
    "dimensions": lambda: more("extern int deep" + lines("[1]" * 18_000) + ";"),
    "parameters_of_templates": lambda: more(
        "template " + "<template " * 3_000 + "<class> class" + "> class" * 2_999 + "> struct T;"
    ),
    "a_tuple_of_thousands": lambda: more(
        "#include <utility>\ntemplate <int... N> void f(std::integer_sequence<int, N...>) {}\n"
        "void all() { f(std::make_integer_sequence<int, 20000>{}); }"
    ),
    # Large sources.
    "kernels": lambda: more("\n".join(f"__global__ void k{i}(int *a) {{ a[{i}] = {i}; }}" for i in range(2_500))),
    "numbers": lambda: more("int many[] = {" + lines("1," * 29_000) + "};"),
    "data_of_strings": lambda: more('char a[1 << 28] = "x", b[1 << 28] = "y";'),
    "variables_of_a_terabyte": lambda: more(
        "__device__ char a[1ull << 40];\nchar b[1ull << 40];\nchar *all() { return b; }"
    ),
    "variables_of_sixteen_gibibytes": lambda: more("static char b[1ull << 34];\nchar *all(int i) { return &b[i]; }"),
    "a_stack_of_a_gibibyte": lambda: more("__global__ void k(int *out) { char a[1 << 30]; a[*out] = 1; *out = a[7]; }"),
    "a_table_of_constants": lambda: more(
        "struct T { int of[1 << 20]; constexpr T() : of() { for (int i = 0; i < 1 << 20; i++) of[i] = i * i; } };\n"
        "constexpr T table;\nint all(int i) { return table.of[i]; }"
    ),
    "macros_of_the_assembler": lambda: more(
        'asm(".macro m n\\n.if \\\\n\\nm \\\\n-1\\nm \\\\n-1\\n.endif\\n.endm\\nm 28");'
    ),
    # Misleading sources.
    "line_numbers": lambda: more('#line 2147483647 "/etc/passwd"\nint a\n# 4294967295 "x"\nint b'),
    "trigraphs": lambda: more("??=define A ??/\n" * 3_000 + "int a??(1??);"),
    "universal_names": lambda: more("int " + "\\u00e9\\U0001F600" * 10 + "\u202e\u2066ab = 1;\nint \u0430\u0430;"),
    "sections": lambda: more('__attribute__((section(".init_array,\\"aw\\",@progbits#"))) void *p = 0;'),
    "includes_a_terminal": lambda: alone('#include "/dev/tty"\n#include "/dev/stdin"\n#include "/proc/kmsg"'),
    "includes_a_pseudo_terminal": lambda: alone('#define FILE "/dev/ptmx"\n#include FILE'),
    # Code that runs at the end of the program.
    "loops_when_it_ends": lambda: more(f"{_LOOP}struct Last {{ ~Last() {{ loop(); }} }} last;"),
    # Things in the folder.
    "a_link_to_zeros": lambda: {SOURCE: lambda path: path.symlink_to("/dev/zero")},
    "a_link_to_itself": lambda: {SOURCE: lambda path: path.symlink_to(path)},
    "a_pipe": lambda: {SOURCE: os.mkfifo},
    "a_socket": lambda: {SOURCE: _socket},
    "a_sparse_terabyte": lambda: {SOURCE: _sparse},
    "a_folder_of_the_file_s_name": lambda: {f"{SOURCE}/{SOURCE}/{SOURCE}": b"int a;"},
    # Archives.
    "zips_in_zips": lambda: {"a.zip": _nested_zips(9)},
    "one_block_many_times": lambda: {"a.zip": _zip_of_one_block(15_000, 1 << 20)},
    "a_zip_of_a_link": lambda: {"a.zip": _zip_with_a_link()},
    "devices_in_a_tar": lambda: {
        "a.tar": _tar_of(_entry(SOURCE, tarfile.CHRTYPE), _entry(f"b/{SOURCE}", tarfile.FIFOTYPE))
    },
    "links_out_of_a_tar": lambda: {
        "a.tar": _tar_of(
            _entry(SOURCE, tarfile.SYMTYPE, "../../../../dev/zero"),
            _entry(f"b/{SOURCE}", tarfile.LNKTYPE, "/etc/passwd"),
        )
    },
    "a_tar_of_a_petabyte": lambda: {"a.tar": _tar_of(_entry(SOURCE, size=1 << 50))},
    # Names.
    "names_that_are_patterns": lambda: {f"{'(a+)+' * 40}$/[!*?]{{1,99999}}.cu": b"int a;", **honest()},
    "names_that_are_formulas": lambda: {'=HYPERLINK("x")\t,"\n<script>alert(1)<!--.cu': b"int a;", **honest()},
    "names_in_a_zip": lambda: {
        "a.zip": packed_zip(
            {f"\t\n\x1b]0;x\x07/{'../' * 50}{SOURCE}": b"int a;", "C:\\" + "x" * 60_000 + ".cu": b"int a;"}
        )
    },
}
