"""Messages of compilers, and what labs/support/tools/diagnose.py makes of them."""

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parents[2] / "labs/support/tools/diagnose.py"

TWICE = """\
src/scan.cu: In function 'void k(elem_t*)':
src/scan.cu:2:7: error: no match for 'operator+=' (operand types are 'elem_t' {aka 'affine_t'} and 'int')
    2 |     s += 1;
src/scan.cu:2:7: error: no match for 'operator+=' (operand types are 'elem_t' {aka 'interval_t'} and 'int')
"""

IN_A_HEADER = """\
In file included from simt/include/cuda_runtime.h:1:
simt/include/simt_launch.h: In instantiation of 'void simt::__launch(P, C, A&& ...) [with P = x]':
src/scan.cu:3:180:   required from here
simt/include/simt_launch.h:12:5: error: cannot convert 'int*' to 'float*' in initialization
"""


OTHER_RESULT = """\
src/scan.cu:2:6: error: ambiguating new declaration of 'void compact(const int*, int*, size_t)'
    2 | void compact(const int *in, int *out, size_t n) { }
      |      ^~~~~~~
In file included from src/scan.cu:1:
labs/4-compaction/compaction.h:71:8: note: old declaration 'size_t compact(const int*, int*, size_t)'
   71 | size_t compact(const int *in, int *out, size_t n);
"""


def told(output: str, source: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-I", str(TOOL), str(source)], input=output, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_an_error_of_two_builds_is_told_once_with_advice(tmp_path: Path) -> None:
    assert told(TWICE, tmp_path / "scan.cu") == [
        "scan.cu:2: error: no match for 'operator+=' (operand types are 'elem_t' and 'int')",
        "    try: elements are joined by combine(left, right)",
    ]


def test_an_error_in_our_header_is_on_the_line_that_led_there(tmp_path: Path) -> None:
    source = tmp_path / "scan.cu"
    source.write_text("1\n2\nk<<<1, 1>>>(p);\n")
    assert told(IN_A_HEADER, source)[0] == "scan.cu:3: error: cannot convert 'int*' to 'float*' in initialization"


def test_a_missing_semicolon_is_told_on_its_own_line(tmp_path: Path) -> None:
    source = tmp_path / "scan.cu"
    source.write_text("int x = 3 /* of\n these */\n\n    // and\n    a[0] = x;\nint y = 4 a[1] = y;\n")
    missing = "src/scan.cu:{}: error: expected ',' or ';' before 'a'\n"
    assert told(missing.format("5:5"), source) == [
        "scan.cu:1: error: expected ',' or ';' before 'a': is a ; missing at the end of this line?"
    ]
    assert told(missing.format("6:11"), source) == ["scan.cu:6:11: error: expected ',' or ';' before 'a'"]


def test_another_result_than_the_contract_s_is_told_with_both(tmp_path: Path) -> None:
    assert told(OTHER_RESULT, tmp_path / "scan.cu") == [
        "scan.cu:2: error: 'void compact(const int*, int*, size_t)' is declared in the contract as "
        "'size_t compact(const int*, int*, size_t)'",
        "    try: the contract's result, parameters and name",
    ]
    alone = OTHER_RESULT.partition("In file")[0]  # from a compiler that does not print the note
    assert told(alone, tmp_path / "scan.cu")[0].endswith("new declaration of 'void compact(const int*, int*, size_t)'")


def test_a_missing_return_is_warned_of(tmp_path: Path) -> None:
    words = "src/scan.cu:7:1: warning: no return statement in function returning non-void [-Wreturn-type]\n"
    lines = told(words, tmp_path / "scan.cu")
    assert lines[0] == "scan.cu:7: warning: no return statement in function returning non-void"
    assert "may crash elsewhere" in lines[1]


def test_what_is_no_diagnostic_goes_through(tmp_path: Path) -> None:
    assert told("make: *** No rule to make target\n", tmp_path / "scan.cu") == ["make: *** No rule to make target"]


def test_memory_of_volatile_elements_that_is_freed_is_told_what_helps(tmp_path: Path) -> None:
    """g++ and nvcc use different words for this error. Another conversion gets the general advice."""
    words = {
        "src/scan.cu:2:7: error: invalid conversion from 'volatile void*' to 'void*' [-fpermissive]": "volatile, and",
        'src/scan.cu(2): error: argument of type "volatile unsigned int *" is incompatible with parameter of type '
        '"void *"': "volatile, and",
        "src/scan.cu:2:7: error: invalid conversion from 'int*' to 'float*' [-fpermissive]": "compare with the param",
    }
    for said, advice in words.items():
        assert advice in told(said + "\n", tmp_path / "scan.cu")[1]


def test_an_element_that_starts_from_a_number_is_told_of_identity(tmp_path: Path) -> None:
    said = told(
        "src/scan.cu:2:9: error: conversion from 'int' to non-scalar type 'elem_t' requested\n", tmp_path / "scan.cu"
    )
    assert said[1] == "    try: an element is not always a number: use combine, IDENTITY and ="
