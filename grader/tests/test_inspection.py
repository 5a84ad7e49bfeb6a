"""The inspection of a hand-in's code: planted faults, each with a clean twin."""

import shutil
import subprocess
from pathlib import Path

import pytest

from grader.model.layout import Course
from grader.walls.inspect_object import inspect_object, read_names
from grader.walls.inspect_source import inspect_preprocessed, inspect_raw, is_plain
from grader.walls.inspection import inspect_built, inspect_source, inspect_texts, unseen_calls

ROOT = Path(__file__).parents[2]
NAMES = read_names()
WITH_HEADER = [
    *("-D__CUDACC__", "-D__SIMT__", "-U_FORTIFY_SOURCE", f"-I{ROOT / 'simt' / 'include'}"),
    *("-include", "cuda_runtime.h"),
]


def preprocess(tmp_path: Path, text: str) -> list[tuple[int, str]]:
    file = tmp_path / "lab.cu"
    file.write_text(text)
    done = subprocess.run(
        ["g++", "-x", "c++", "-g", "-E", str(file)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    return [(r.line, r.what) for r in inspect_preprocessed(done.stdout, "lab.cu", ("/usr/",))]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('void f() { asm volatile("nop"); }', "inline assembly"),
        ('int f() __asm__("__tsan_read4");', "inline assembly"),
        ('__attribute__((no_sanitize("thread"))) void f();', "the attribute no_sanitize turns"),
        ('__attribute__((__no_sanitize__("thread"))) void f();', "the attribute no_sanitize turns"),
        ('[[gnu::no_sanitize("thread")]] void f();', "the attribute no_sanitize turns"),
        ("__attribute__((noinline, no_sanitize_thread)) void f();", "the attribute no_sanitize_thread turns"),
        ("__attribute__((constructor(101))) void f();", "the attribute constructor runs code"),
        ("__attribute__((destructor)) void f();", "the attribute destructor runs code"),
        ('__attribute__((ifunc("g"))) void f();', "the attribute ifunc changes"),
        ('__attribute__((section(".init_array"))) void (*f)();', 'the attribute section(".init_array") changes'),
        ('__attribute__((optimize("O0"))) void f();', "the attribute optimize changes"),
        ('#pragma GCC optimize("no-tree-vrp")', "#pragma GCC optimize"),
        ('_Pragma("GCC push_options")', "#pragma GCC push_options"),
        ("#pragma redefine_extname f __tsan_read4", "#pragma redefine_extname"),
        ("void f(int *p) { __builtin_ia32_movnti(p, 1); }", "__builtin_ia32_movnti works past"),
        ("void f(char *p) { __builtin_memset(p, 1, 9); }", "__builtin_memset works past"),
        ("int f() { return __builtin_setjmp(0); }", "__builtin_setjmp works past"),
        ("#define QUIET __attribute__((no_##sanitize))\n", ""),
        ("int a = 1'0; void f() { asm(\"nop\"); } int b = 1'0;", "inline assembly"),
        ('[[x::y(1R"(")]] void f() { asm("nop"); } [[x::z(")")]] int b;', "the attribute x changes"),
        ('[ [gnu::no_sanitize("thread")] ] void f();', "the attribute no_sanitize turns"),
        ('<:<:gnu::no_sanitize("thread"):>:> void f();', "the attribute no_sanitize turns"),
        ('[[using gnu: noinline, no_sanitize("thread")]] void f();', "the attribute no_sanitize turns"),
        ("void g(); __attribute__((copy(g))) void f();", "the attribute copy changes"),
        ('__attribute__((section("simt_a\\n nop"))) int a;', "the attribute section"),
        ('[[gnu::section("simt_a\\n nop")]] int a;', "the attribute section"),
        ("void f(void *p, ...) { __builtin_va_start(*(__builtin_va_list *)p, p); }", "__builtin_va_start works past"),
        ("void f(__builtin_va_list *p) { __builtin_va_copy(p[0], p[1]); }", "__builtin_va_copy works past"),
        ("char *f() { return (char *)__builtin_alloca(9); }", "__builtin_alloca works past"),
        ('extern "C" void __cxa_throw(void *, void *, void (*)(void *));', "__cxa_throw is for the compiler to call"),
        ('extern "C" void _Unwind_Resume(void *);', "_Unwind_Resume is for the compiler to call"),
        ('extern "C" void *__tls_get_addr(void *);', "__tls_get_addr is for the compiler to call"),
        ("extern void *_ZTVN10__cxxabiv117__class_type_infoE[];", "is for the compiler to call"),
        (
            "void f(char *p) { __builtin_init_dwarf_reg_size_table(p); }",
            "__builtin_init_dwarf_reg_size_table works past",
        ),
    ],
)
def test_what_looks_away_is_refused_with_its_line(tmp_path: Path, line: str, what: str) -> None:
    refusals = preprocess(tmp_path, f"int before;\n{line}\n")
    if not what:  # a macro that is not used
        assert refusals == []
        return
    assert {number for number, _ in refusals} == {2}
    assert any(what in sentence for _, sentence in refusals), refusals


def test_a_macro_hides_nothing(tmp_path: Path) -> None:
    text = '#define GLUE(a, b) a##b\n#define QUIET __attribute__((GLUE(no_, sanitize)("thread")))\nQUIET void f();\n'
    assert [number for number, _ in preprocess(tmp_path, text)] == [3]


@pytest.mark.parametrize(
    "line",
    [
        "int constructor, destructor, section, alias, target, optimize, naked;",
        'const char *text = "asm volatile, __attribute__((constructor))";',
        "__attribute__((aligned(16))) int vector[4];",
        "int a[3], b[2]; int f() { return a[b[1]]; }",
        '__attribute__((section("simt_device"))) int of_the_device;',
        "#pragma unroll",
        "#include <vector>",
    ],
)
def test_ordinary_code_is_not(tmp_path: Path, line: str) -> None:
    assert preprocess(tmp_path, f"{line}\n") == []


def test_the_sections_of_device_variables_are_known_as_the_header_writes_them(tmp_path: Path) -> None:
    header = ROOT / "simt" / "include" / "simt_language.h"
    file = tmp_path / "lab.cu"
    spaces = "".join(f'SIMT_SECTION("simt_{space}") int {space};\n' for space in ("device", "constant", "managed"))
    file.write_text(f'#include "{header}"\n{spaces}SIMT_SECTION("simt_other") int other;\n')
    argv = ["g++", "-x", "c++", "-g", "-D__CUDACC__", "-D__SIMT__", "-E", str(file)]
    done = subprocess.run(argv, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert "progbits" in done.stdout
    refused = inspect_preprocessed(done.stdout, "lab.cu", ("/usr/", str(header.parent)))
    assert [(refusal.line, "simt_other" in refusal.what) for refusal in refused] == [(5, True)]


def test_a_file_from_elsewhere_is_refused_at_its_include(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    elsewhere = tmp_path / "answer.h"
    elsewhere.write_text("int answer;\n")
    refusals = list(
        inspect_preprocessed(f'# 1 "lab.cu"\nint a;\n# 1 "{elsewhere}" 1\nint answer;\n', "lab.cu", ("/usr/",))
    )
    assert [(refusal.line, refusal.what.split(":")[0]) for refusal in refusals] == [(1, f"includes {elsewhere}")]


@pytest.mark.parametrize(
    "header",
    [
        "/usr/lib/gcc/x86_64-linux-gnu/12/include/immintrin.h",
        "/usr/lib/gcc/aarch64-linux-gnu/12/include/arm_neon.h",
        "/usr/include/boost/interprocess/detail/atomic.hpp",
        "/usr/include/x86_64-linux-gnu/mpi/mpi.h",
        "/usr/local/include/eigen3/Eigen/Core",
    ],
)
def test_headers_that_may_store_unseen_are_refused_once_a_line(header: str) -> None:
    text = f'# 1 "lab.cu"\nint a;\n# 1 "{header}" 1\nint b;\n# 1 "{header}" 1 3\nint c;\n# 2 "lab.cu" 2\nint d;\n'
    refusals = list(inspect_preprocessed(text, "lab.cu", ("/usr/",)))
    assert [(refusal.line, refusal.what.split(":")[0]) for refusal in refusals] == [(1, f"includes {header}")]


@pytest.mark.parametrize(
    "header",
    [
        "/usr/include/stdio.h",
        "/usr/include/c++/12/vector",
        "/usr/include/x86_64-linux-gnu/c++/12/bits/c++config.h",
        "/usr/include/x86_64-linux-gnu/bits/types.h",
        "/usr/include/linux/limits.h",
        "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h",
    ],
)
def test_c_s_own_headers_are_not(header: str) -> None:
    assert list(inspect_preprocessed(f'# 1 "lab.cu"\nint a;\n# 1 "{header}" 1\n', "lab.cu", ("/usr/",))) == []


@pytest.mark.parametrize(
    "line", ["#line 7", ' # line 7 "/usr/include/x.h"', "# 7", "%:line 7", "/* */ # 7", "#\\\nline 7"]
)
def test_lines_keep_their_numbers(line: str) -> None:
    assert [refusal.line for refusal in inspect_raw(f"int a;\n{line}\nint b;\n")] == [2]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('#define xR\nconst char *a = xR"("; #line 7 ")";', ""),
        ('const char *a = R"(\n# 1 "/usr/x.h"\n)";', "a raw string"),
        ('const char *a = u8R"x( )\\\nx"  )x";', "a raw string"),
        ("// \r /*\n", "the control character 0x0d"),
        ("int a; /* \0 */", "the control character 0x00"),
        ('#import "x.h"', "#import"),
        ("#include_next <x.h>", "#include_next"),
        ("#if __has_include(</*>)\n#endif", "__has_include asks"),
        ("#define GLUE(a, b) a %:%: b", "## puts names together"),
        ("auto a = simt::converted<int>(3);", "simt is a name of the CPU device"),
        ("SIMT_UNSEEN void f();", "SIMT_UNSEEN is a name of the CPU device"),
    ],
)
def test_what_would_mislead_a_reader_is_refused_as_it_stands(line: str, what: str) -> None:
    found = [refusal.what for refusal in inspect_raw(f"int before;\n{line}\n")]
    assert (found[:1] == [] and not what) or what in found[0], found


@pytest.mark.parametrize("line", ["// #line 7", '"#line 7"', "#lines", "/*\n#line 7\n*/", "a # 7"])
def test_what_only_looks_like_it_is_left_alone(line: str) -> None:
    assert list(inspect_raw(f"int a;\n{line}\n")) == []


def test_the_refusal_names_the_file_as_its_author_does(tmp_path: Path) -> None:
    file = tmp_path / "naive_scan.cu"
    file.write_text("int a;\n#line 3\n")
    assert inspect_source(file) == ["naive_scan.cu:2: error: #line gives the lines another number: leave it out"]


def compile_object(tmp_path: Path, text: str, *options: str) -> Path:
    if shutil.which("g++") is None:
        pytest.skip("g++ is needed")
    source, built = tmp_path / "lab.cpp", tmp_path / "lab.o"
    source.write_text(text)
    subprocess.run(["g++", "-O1", "-fPIC", "-fno-builtin", *options, "-c", str(source), "-o", str(built)], check=True)
    return built


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('extern "C" void __tsan_read4(void *) {}', "__tsan_read4 is a name of the compiler's hooks"),
        (
            'extern "C" __attribute__((visibility("hidden"))) void __tsan_write4(void *) {}',
            "__tsan_write4 is a name of the compiler's hooks",
        ),
        (
            'extern "C" { static __attribute__((used, noinline)) void __tsan_write8(void *) {} }',
            "__tsan_write8 is a name of the compiler's hooks",
        ),
        ('extern "C" void simt_count_combine() {}', "simt_count_combine is a function of the CUDA runtime"),
        (
            'extern "C" int cudaMalloc(void **, unsigned long) { return 0; }',
            "cudaMalloc is a function of the CUDA runtime",
        ),
        ("int main() {}", "main is a name of the compiler's hooks or of the harness"),
        ('extern "C" int lab_parts; int lab_parts = 1;', "lab_parts is a name"),
        ('extern "C" int fork(); int f() { return fork(); }', "fork starts or watches processes"),
        ('extern "C" long syscall(long, ...); long f() { return syscall(1); }', "syscall makes system calls"),
        (
            'extern "C" int pthread_create(); int f() { return pthread_create(); }',
            "pthread_create starts or drives threads",
        ),
        ("#include <thread>\nvoid f() { std::thread([] {}).join(); }", "starts or drives threads"),
        ('#include <fstream>\nvoid f() { std::ofstream("x") << 1; }', "opens files"),
        ('extern "C" void *dlsym(void *, const char *); void *f() { return dlsym(0, "x"); }', "dlsym loads code"),
        (
            'extern "C" void *bsearch(const void *, const void *, long, long, int (*)(const void *, const void *));'
            " int g(const void *, const void *); void *f(void *a) { return bsearch(a, a, 1, 1, g); }",
            "bsearch calls a function by its address",
        ),
        (
            'extern "C" int cudaLaunchHostFunc(void *, void (*)(void *), void *);'
            " int f() { return cudaLaunchHostFunc(0, 0, 0); }",
            "cudaLaunchHostFunc calls a function by its address",
        ),
        (
            "struct A { virtual ~A(); }; struct B : A { int b; }; int f(A *a) { return dynamic_cast<B *>(a) != 0; }",
            "__dynamic_cast calls a function by its address",
        ),
        ('extern "C" int mprotect(); int f() { return mprotect(); }', "mprotect maps or protects memory"),
        ('extern "C" int setjmp(int *); int a[99]; int f() { return setjmp(a); }', "setjmp handles signals or jumps"),
        (
            'extern "C" void *mempcpy(void *, void *, long); void *f(void *a) { return mempcpy(a, a, 3); }',
            "mempcpy copies",
        ),
        (
            'extern "C" int sprintf(char *, const char *, ...); void f(char *a) { sprintf(a, ""); }',
            "sprintf writes past",
        ),
        ('extern "C" void *memcpy(void *, const void *, unsigned long); auto f() { return &memcpy; }', "memcpy copies"),
        ("#include <string>\nvoid f(char *a) { std::string(a).copy(a + 9, 9); }", "is of C++'s library"),
        ("#include <map>\nvoid f(std::map<int, int> &a) { a[3] = 4; }", "is of C++'s library"),
        ("#include <iostream>\nvoid f(char *a) { std::cout.write(a, 3); }", "is of C++'s library"),
        ('extern "C" int __printf_fp(); int f() { return __printf_fp(); }', "__printf_fp is not among"),
        (
            'extern "C" void simt_begin_run(); void f() { simt_begin_run(); }',
            "simt_begin_run is not among the functions",
        ),
        ('void f() { asm volatile("syscall"); }', "the instruction syscall enters the kernel"),
        ('void f() { asm volatile("int $0x80"); }', "the instruction int enters the kernel"),
        ('void f() { asm volatile("sysenter"); }', "the instruction sysenter enters the kernel"),
        (
            "static void g() {}\n"
            'extern "C" { static void (*pick())() { return g; } void f() __attribute__((ifunc("pick"))); }',
            "is an ifunc",
        ),
        (
            '__attribute__((section(".preinit_array"), used)) static void (*g)() = 0;',
            "section .preinit_array has no place",
        ),
        ("static char a[513u << 20]; char f(long i) { return a[i]++; }", "its variables take more than 512 MiB"),
    ],
)
def test_an_object_that_reaches_too_far_is_refused(tmp_path: Path, text: str, what: str) -> None:
    found = inspect_object(compile_object(tmp_path, text), NAMES).wrong
    assert any(what in sentence for sentence in found), found


@pytest.mark.parametrize(
    "text",
    [
        "#include <algorithm>\n#include <cmath>\n#include <iostream>\n#include <vector>\n"
        "double f(std::vector<float> &v) { std::sort(v.begin(), v.end()); v.at(0) = 1;"
        " if (v.empty()) throw 1; return std::sin(v[0]) + std::pow(v[1], 2) + rsqrt(2.0f); }\n",
        "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n"
        'void f(char *a) { printf("%s", a); fprintf(stderr, "%d", 3); free(a); memset(a, 0, 9);'
        " if (strlen(a) > 3) exit(1); }\n",
        # the bytes of a syscall inside another instruction
        "int f() { return 0x050f050f; }\n",
    ],
)
def test_an_object_of_ordinary_code_is_not(tmp_path: Path, text: str) -> None:
    built = compile_object(tmp_path, text, *WITH_HEADER)
    assert inspect_object(built, NAMES).wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "#include <iostream>\n\nvoid f(int a)\n{\n    std::cout << a;\n}\n",
        '#include <stdexcept>\n\nvoid f(int a)\n{\n    a ? throw std::runtime_error("a") : 0;\n}\n',
    ],
)
def test_what_is_of_the_library_is_refused_where_it_stands(tmp_path: Path, text: str) -> None:
    source = tmp_path / "lab.cu"
    source.write_text(text)
    compile_object(tmp_path, text, *WITH_HEADER).rename(tmp_path / "lab.sum.o")
    refused = inspect_built(Course(ROOT), tmp_path, source)
    assert refused
    assert all(line.startswith("lab.cu:5: error: ") and "is of C++'s library" in line for line in refused), refused


def test_a_preprocessed_text_is_refused_before_anything_is_compiled(tmp_path: Path) -> None:
    source, text = tmp_path / "lab.cu", '#define HIDDEN(a) as##a\nHIDDEN(m)(".rept 100000000; nop; .endr");\n'
    source.write_text(text)
    (tmp_path / "lab.sum.ii").write_text('# 1 "lab.cu"\n\nasm(".rept 100000000; nop; .endr");\n')
    refused = inspect_texts(Course(ROOT), tmp_path, source)
    assert [line.partition(" error: ")[0] for line in refused] == ["lab.cu:2:"]
    assert "inline assembly" in refused[0]
    (tmp_path / "lab.sum.ii").write_text('# 1 "lab.cu"\n\nint a;\n')
    assert not inspect_texts(Course(ROOT), tmp_path, source)


def test_hooks_and_fortified_calls_are_imports_like_others(tmp_path: Path) -> None:
    text = '#include <cstdlib>\nextern "C" int *p; void f() { *p = 1; srand(1); }\n'
    assert inspect_object(compile_object(tmp_path, text, "-fsanitize=thread"), NAMES).wrong == [
        "p is not among the functions that a lab's code may call (grader/walls/imports.toml lists them)"
    ]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("int f(int (*g)(int)) { return g(1); }", "f calls or jumps to a computed address"),
        ("struct A { virtual int g(); }; int f(A *a) { return a->g(); }", "f calls or jumps to a computed address"),
        ("int f(int i) { static void *to[] = {&&a, &&b}; goto *to[i]; a: return 3; b: return 4; }", "f calls or jumps"),
    ],
)
def test_a_computed_address_is_refused(tmp_path: Path, text: str, what: str) -> None:
    found = inspect_object(compile_object(tmp_path, text), NAMES).wrong
    assert any(what in sentence for sentence in found), found


def test_a_switch_and_a_call_by_name_are_not(tmp_path: Path) -> None:
    cases = " ".join(f"case {i}: return {i * i % 7};" for i in range(9))
    text = f"__attribute__((noinline)) int g(int i) {{ switch (i) {{ {cases} }} return 9; }} int f() {{ return g(1); }}"
    assert inspect_object(compile_object(tmp_path, text, "-fno-jump-tables"), NAMES).wrong == []


STRUCT = """
struct s { int v[8]; };
__attribute__((noinline)) int first(s a);
__attribute__((noinline)) s make(int a);
#define PART extern "C" __attribute__((flatten))
"""


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("PART int f(s *p) { return first(*p); }", ["f"]),
        ("PART int f(s *p, int i) { return first(p[i]); }", ["f"]),
        ("PART void f(s *p) { *p = make(3); }", ["f"]),
        ("static s table; PART int f() { return first(table); } PART void g(int a) { table.v[a] = a; }", ["f"]),
        ("static s table; PART void f() { table = make(3); } PART int g() { return table.v[2]; }", ["f"]),
        ("PART int f(s *p) { s a = *p; return first(a); }", []),
        ("PART void f(s *p) { s a = make(3); *p = a; }", []),
        ("int g(int *p); PART int f(int *p) { return g(p) + g(&p[4]); }", []),
        ("static int t; int g(int a); PART int f() { return g(t); } PART void h(int a) { t = a; }", []),
        # g is kept for other files, although every call of it is inlined
        ("int g(s (&a)[4]) { return first(a[3]); } PART int f(s *p) { s a[4] = {*p}; return a[0].v[0]; }", []),
        ("int g(s *p) { s a = p[1]; return first(a); } PART int f(s *p) { return g(p); }", []),
        ("int g(s *p) { return first(p[1]); } PART int f(s *p) { return g(p); }", ["f"]),
        # here it is not inlined
        ("int g(s *p) { return p->v[0] ? g(p + 1) : first(*p); } PART int f(s *p) { return g(p); }", ["f", "g"]),
        ("int g(s *p) { return first(*p); } int (*pointer)(s *) = g;", ["g"]),
        (
            'int h(s *p) { return first(*p); } int g(s *p) __attribute__((alias("_Z1hP1s"))); int (*pointer)(s *) = g;',
            ["h"],
        ),
    ],
)
def test_a_struct_that_a_call_copies_unseen_is_refused(tmp_path: Path, text: str, refused: list[str]) -> None:
    dump = tmp_path / "lab.calls"
    flags = ["-O1", "-fvisibility=hidden", "-fsanitize=thread", "-fno-tree-sra"]
    built = compile_object(tmp_path, STRUCT + text, *flags, f"-fdump-tree-tsan={dump}")
    dump.rename(built.with_suffix(".calls"))
    found = unseen_calls(built, inspect_object(built, NAMES).variables)
    assert sorted(sentence.split()[0] for sentence in found) == refused, built.with_suffix(".calls").read_text()


def test_what_is_no_object_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "lab.o"
    file.write_bytes(b"\x7fELF and no more")
    assert "is no object file" in inspect_object(file, NAMES).wrong[0]


@pytest.mark.parametrize(
    "line",
    [
        'void f() { asm("nop"); }',
        "#define A(a, b) a##b",
        "#define A(a, b) a\\\n#\\\n#b",
        "__attribute__((no_sanitize_thread)) void f();",
        "SIMT_UNSEEN void f();",
        "[[gnu::naked]] void f();",
        "[ [gnu::naked]] void f();",
        '_Pragma("GCC optimize(0)")',
        "#pragma GCC optimize(0)",
        "#  pragma\tGCC optimize(0)",
        "int f() __REDIRECT(a, b);",
        "#define FILE <x>\n#include FILE",
        '#include "../../reference/x.h"',
        '#include "/etc/passwd"',
        "# /* */ include </etc/passwd>",
        "#include <immintrin.h>",
        '#include "x86intrin.h"',
        "#include <arm_neon.h>",
        "#include <boost/interprocess/detail/atomic.hpp>",
        "void f(void *p, ...) { va_start(*(va_list *)p, p); }",
        "char *f() { return (char *)alloca(9); }",
        "void f(fd_set *p) { FD_ZERO(p); }",
        "void f() { _mm_stream_si32(0, 1); }",
        "void f() { __builtin_memset(0, 1, 9); }",
        "void f(int *p) { __builtin_ia32_movnti(p, 1); }",
        "%:pragma GCC optimize(0)",
        "int a = 1'0; void f() { asm(\"nop\"); } int b = 1'0;",
        '#define xR\nconst char *a = xR"("; void f() { asm(")"); }',
        "<:<:gnu::naked:>:> void f();",
        "#define L [\nL L gnu::naked]] void f();",
        "#define X(a) a\nX([)X([)gnu::naked]] void f();",
        "#define X\nint a X[X[gnu::naked] ];",
        "int a __noinline__[__noinline__[gnu::naked] ];",
        "#define X(a)a\nX(X [)X(X [)gnu::naked]] void f();",
    ],
)
def test_what_the_preprocessor_may_turn_into_trouble_is_not_plain(line: str) -> None:
    assert is_plain("#include <vector>\nint a[3];\n")
    assert not is_plain(f"int a;\n{line}\n")


def test_the_course_s_own_files_are_plain() -> None:
    files = [*ROOT.glob("reference/*.cu"), *ROOT.glob("student/*.cu")]
    assert [path.name for path in files if not is_plain(path.read_text())] == []


def test_only_a_build_for_proofs_may_fill_long_arrays_by_memset(tmp_path: Path) -> None:
    text = 'extern "C" int putchar(int); void f(int n) { int a[4096]; putchar(a[n]); }'
    built = compile_object(tmp_path, text, "-ftrivial-auto-var-init=pattern")
    assert any("memset copies" in sentence for sentence in inspect_object(built, NAMES).wrong)
    assert inspect_object(built.rename(tmp_path / "lab.interval.checked.o"), NAMES).wrong == []


@pytest.mark.parametrize("who", ["reference", "student"])
def test_the_course_itself_passes(who: str) -> None:
    objects = sorted((ROOT / "build" / "cpu" / who).glob("*.o"))
    if not objects:
        pytest.skip(f"make build WHO={who} makes them")
    assert [sentence for path in objects for sentence in inspect_object(path, NAMES).wrong] == []
