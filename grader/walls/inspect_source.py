"""Inspects the source of a submission: as it was handed in and, if macros could hide something, after the preprocessor.

The CPU device sees a memory access because the compiler calls a hook before it. Inline assembly, most attributes,
pragmas and many built-in functions remove that call, or run code before any part is called. A lab has no use for them,
so attributes and built-in functions are refused, except for those that are known to be harmless.

A source is read token by token (grader/walls/tokens.py), with a bounded amount of work for each token. Patterns are
applied only to one name or one line, whose length is bounded before. So inspecting a source always takes a short time.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from grader.walls.tokens import Token, spliced, tokens, without_comments

SOURCE_BYTES = 256 << 10  # limit for a file; the largest of the reference has a tenth of it
LINE_LENGTH = 4000
NAME_LENGTH = 256
TOKENS = 60_000  # six times the number of the reference
EXPANDED = 4 << 20  # limit for the characters that the preprocessor makes from a file

_WHY = {
    **dict.fromkeys(
        (
            "no_sanitize",
            "no_sanitize_thread",
            "no_sanitize_address",
            "no_sanitize_undefined",
            "no_sanitize_coverage",
            "no_instrument_function",
            "no_address_safety_analysis",
        ),
        "turns the device's checks off",
    ),
    **dict.fromkeys(("constructor", "destructor", "init_priority"), "runs code before or after the harness does"),
    **dict.fromkeys(
        ("ifunc", "alias", "weakref", "symver", "section"), "changes what a name refers to, or its section"
    ),
}
_CHANGES = "changes how code is compiled"  # the reason for every attribute that is not listed here
_ATTRIBUTES = frozenset(
    {
        *("aligned", "packed", "vector_size", "may_alias", "visibility", "weak", "used", "unused", "maybe_unused"),
        *("noinline", "always_inline", "flatten", "artificial", "cold", "hot", "likely", "unlikely", "pure", "const"),
        *(
            "noreturn",
            "nodiscard",
            "warn_unused_result",
            "fallthrough",
            "format",
            "nonnull",
            "returns_nonnull",
            "malloc",
        ),
        *("no_unique_address", "carries_dependency", "using", "gnu", "nv", "unroll", "lab", "part", "extension"),
    }
)
# The exact text that __device__ and the like give to a variable. It must be exact, because it goes to the assembler
# unchanged.
_DEVICE_SECTION = re.compile(
    r'simt_(?:device|constant|managed)(?:,\\"aw\\",%progbits(?:\\n\\t\.zero 1024)? (?:#|//)\d+)?'
)
_BUILTINS = re.compile(
    r"__builtin_(?:expect(?:_with_probability)?|offsetof|constant_p|unreachable|trap|assume_aligned|addressof|bit_cast"
    r"|launder|is_constant_evaluated|types_compatible_p|choose_expr|prefetch|object_size|abs|labs|llabs|signbit\w*|isnan"
    r"|isinf\w*|isfinite|isnormal|isless\w*|isgreater\w*|isunordered|nans?[fl]?|inf[fl]?|huge_val[fl]?|fpclassify"
    r"|(?:clz|ctz|popcount|parity|ffs|clrsb)(?:ll?|imax)?|bswap(?:16|32|64|128)"
    r"|(?:add|sub|mul|[su](?:add|sub|mul)(?:ll?)?)_overflow(?:_p)?|va_(?:end|list|arg)|align__"
    r"|(?:fabs|sqrt|fma|fmin|fmax|floor|ceil|trunc|copysign)[fl]?|LINE|FILE|FUNCTION|shuffle|shufflevector|convertvector)"
)
_INTRINSICS = re.compile(r"__builtin_\w+|_mm\d*_\w+")
# Macros of C's headers that expand to something refused here.
_LIBRARY_MACROS = re.compile(r"va_start|va_copy|alloca|FD_\w+")
# Functions of C++'s library that only compilers call. With chosen arguments they can write to, or call, any address.
_COMPILERS = re.compile(r"__cxa_\w+|_Unwind_\w+|__gxx_\w+|__tls_\w+|__dynamic_cast|_Z\w+")
# Functions that are a single instruction, which may write to memory, and header folders of other libraries, such as
# boost's, which contain assembly.
_FOREIGN = re.compile(
    r"/(?:\w*intrin|arm_\w+|cpuid)\.h$|^/usr/(?:local/)?include/(?:[\w.]+-linux-gnu/)?"
    r"(?!(?:c\+\+|bits|sys|asm|asm-generic|gnu|linux|[\w.]+-linux-gnu)/)[^/]+/"
)
_PRAGMAS = re.compile(
    r"(?:once|unroll|nounroll|nv_\w+|diag_\w+|GCC (?:diagnostic|unroll|ivdep|warning|error)|clang|message|STDC)\b"
)
_MARKER = re.compile(r'#\s*(?:line\s+)?(\d+)\s+"((?:[^"\\]|\\.)*)"')
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]|\r(?!\n)")

# Names with two underscores that are meant for authors of kernels. No macro behind them does anything that is refused
# here.
_CUDA_NAMES = re.compile(
    r"__(?:global|device|host|shared|constant|managed|restrict|launch_bounds|grid_constant|align)__"
    r"|__(?:force|no)inline__|__sync(?:threads|warp)\w*|__threadfence\w*|__shfl\w*|__(?:ballot|any|all|match_\w+)_sync"
    r"|__activemask|__reduce_\w+_sync|__(?:popc|ffs|clz|brev|byte_perm)\w*|__(?:float|double|u?int|longlong)_as_\w+"
    r"|__(?:float|double|half|low|high|u?int|u?ll|u?short|hiloint|bfloat16)[^\W2]*2\w+|__nanosleep|__ld\w*|__st\w*"
    r"|__u?mul\w*|__u?(?:add|sub|sad|hadd|rhadd)\w*|__f\w+_r[nzud]|__d\w+_r[nzud]|__funnelshift_\w+|__func__"
    r"|__isShared|__isGlobal|__isLocal|__assertfail|__trap|__brkpt|__cplusplus|__CUDA\w*__|__CUDA_ARCH__|__NVCC__"
)
_ORDINARY_INCLUDE = re.compile(
    r"\s*(?:<(?:(?:cub|cuda|thrust|cooperative_groups)/[a-z0-9_/]+|(?!\w*intrin|arm_|cpuid)[a-z0-9_]+)(?:\.h|\.hpp|\.cuh)?>"
    r'|"(?!\w*intrin|arm_|cpuid)[A-Za-z0-9_]+\.(?:h|cuh)")\s*$'
)
_INCLUDE = re.compile(r"^[ \t\f\v]*#[ \t\f\v]*include\b(.*)$", re.MULTILINE)
_THE_DEVICE_S = re.compile(r"simt|simt_\w*|SIMT_\w*|__simt_\w*|__tsan_\w*|__ubsan_\w*|__sanitizer_\w*")


@dataclass(frozen=True, slots=True)
class Refusal:
    """The line of a refused text and the reason."""

    line: int
    what: str


def too_much(text: str) -> Refusal | None:
    """The size limit that the file exceeds; None when there is none."""
    size = len(text.encode())
    if size > SOURCE_BYTES:
        return Refusal(0, f"the file has {size} bytes, and a lab's has at most {SOURCE_BYTES}")
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > LINE_LENGTH:
            return Refusal(number, f"a line of {len(line)} characters: break it, none has more than {LINE_LENGTH}")
    shift = _Shift(text)
    for count, token in enumerate(tokens(spliced(text))):
        if count == TOKENS:
            return Refusal(shift.line(token.line), f"more than {TOKENS} names, numbers and marks before this line")
        if token.kind == "name" and len(token.text) > NAME_LENGTH:
            what = f"a name of {len(token.text)} characters: none has more than {NAME_LENGTH}"
            return Refusal(shift.line(token.line), what)
    return None


def inspect_raw(text: str) -> Iterator[Refusal]:
    """Inspects the file as it was handed in: constructs that could make this reader and the compiler disagree, and
    names that only the device may use."""
    long = too_much(text)
    if long is not None:
        yield long
        return
    control = _CONTROL.search(text)
    if control:
        line = text[: control.start()].count("\n") + 1
        yield Refusal(line, f"the control character {ord(control[0]):#04x} has no place in a source: delete it")
        return
    text = text.replace("\r\n", "\n")
    shift = _Shift(text)
    fresh = True  # True when this line has only white space and comments so far
    directive: list[Token] = []  # the tokens of the current directive, from its #
    for token in tokens(spliced(text)):
        if token.kind == "comment":
            continue
        if token.kind == "raw":
            yield Refusal(shift.line(token.line), "a raw string: write it as an ordinary one")
            return
        if token.kind == "newline":
            fresh, directive = True, []
            continue
        if directive or (fresh and token.text == "#"):
            directive.append(token)
        fresh = False
        what = _wrong_in_directive(directive) or _wrong_name(token)
        if what is not None:
            yield Refusal(shift.line(token.line), what)
            if directive:
                return  # the rest of the file cannot be read reliably


def _wrong_in_directive(directive: list[Token]) -> str | None:
    """Checks the last token of a directive."""
    if len(directive) == 2:
        word = directive[1]
        if word.kind == "number" or word.text == "line":
            return "#line gives the lines another number: leave it out"
        if word.text in ("import", "include_next", "embed", "assert", "unassert", "ident", "sccs"):
            return f"#{word.text}: a lab's code uses #include"
    return None


def _wrong_name(token: Token) -> str | None:
    if token.kind == "name" and token.text.startswith("__has_"):
        return f"{token.text} asks for what the compiler has: leave it out"
    if token.kind == "name" and _THE_DEVICE_S.fullmatch(token.text):
        return f"{token.text} is a name of the CPU device: choose another"
    if token.text == "##":
        return "## puts names together, which hides them: write them out"
    return None


class _Shift:
    """Translates line numbers of the text without continuations to those of the file."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []  # index: line without continuations, from 0; value: line in the file
        number = 1
        begins = True
        for line in text.split("\n"):
            if begins:
                self._starts.append(number)
            begins = re.search(r"\\[ \t\f\v]*$", line) is None
            number += 1

    def line(self, spliced_line: int) -> int:
        return self._starts[min(spliced_line, len(self._starts)) - 1]


def is_plain(text: str) -> bool:
    """True when the preprocessor cannot make anything of this file that would be refused, so it need not be run for the
    inspection. Such a file has no name of an attribute, a built-in or a macro of a system header, nothing that joins
    names or brackets, no pragma except unroll, and no unusual include. False does not mean that the file is refused."""
    source = spliced(text.replace("\r\n", "\n"))
    found = [token for token in tokens(source) if token.kind != "comment"]
    if any(token.kind == "raw" or token.text == "##" for token in found):
        return False
    includes = _INCLUDE.findall(without_comments(source))
    names = [token.text for token in found if token.kind == "name"]
    macros = {after.text for token, after in pairwise(found) if token.text == "define"}
    return (
        all(_ORDINARY_INCLUDE.match(include) for include in includes)
        and len(includes) == sum(name in ("include", "include_next", "import", "embed") for name in names)
        and not any("__" in name and not _CUDA_NAMES.fullmatch(name) for name in names)
        and not any(name.startswith(("_", "SIMT_")) and not _CUDA_NAMES.fullmatch(name) for name in names)
        and not any(name == "asm" or _LIBRARY_MACROS.fullmatch(name) for name in names)
        and not re.search(r"\?\?|(?:#|%:)\s*pragma\s+(?!unroll\b|once\b)", source)
        and _brackets_are_plain(found, macros)
    )


def _brackets_are_plain(found: list[Token], macros: set[str]) -> bool:
    """True if no two `[` can become adjacent, even after macro expansion (adjacent ones open an attribute). An index
    inside an index is allowed unless only macros come between the two brackets. A macro must not contain a `[`, and an
    argument of a macro must not begin with one."""
    opened: list[str] = []
    inside: list[bool] = []  # for each open square bracket: True while only possible macros have followed it
    is_macro = False
    for before, token in zip([Token("newline", "\n", 0), *found], found, strict=False):
        if token.kind == "newline":
            is_macro = False
        elif token.text == "define":
            is_macro = True
        if token.text == "[" and token.kind == "mark":
            nested = bool(opened) and opened[-1] == "["
            if is_macro or (before.kind not in ("name", "text", "number") and before.text not in ("]", ")")):
                return False
            if nested and inside[-1]:
                return False
        if inside:
            inside[-1] &= token.text in macros or "__" in token.text
        if token.kind == "mark" and token.text in "([{":
            opened.append(token.text)
            if token.text == "[":
                inside.append(True)
        elif token.kind == "mark" and token.text in ")]}":
            if not opened or opened.pop() + token.text not in ("()", "[]", "{}"):
                return False
            if token.text == "]":
                inside.pop()
    return not opened


def inspect_preprocessed(text: str, source: str, folders: tuple[str, ...]) -> Iterator[Refusal]:
    """Inspects the output of the preprocessor. `source` is the name of the file; its includes must be in `folders`."""
    inside = False
    number = 0
    where = 0  # the current line of the student's file
    own: list[tuple[int, str]] = []
    room = EXPANDED
    told: set[int] = set()
    for line in text.split("\n"):
        marker = _MARKER.match(line) if line.startswith("#") else None
        if marker:
            number, name = int(marker[1]), marker[2]
            inside = Path(name).name == source
            # Names that end in `//` are the folder in which g++ runs
            allowed = name.startswith("<") or name.endswith("//") or _is_in(name, folders)
            if not inside and not allowed and where not in told:
                told.add(where)  # a refused file may include others; one message is enough
                yield Refusal(where, f"includes {name}: a lab's code includes the lab's header, CUDA's and C's own")
            continue
        if inside:
            where = number
            room -= len(line)
            if room < 0:
                yield Refusal(where, f"macros and includes make more than {EXPANDED >> 20} MiB of the file")
                return
            if line.strip():
                own.append((number, line))
            number += 1
    yield from _forbidden(own)


def _is_in(name: str, folders: tuple[str, ...]) -> bool:
    """True when the path is in one of these folders after normalising, and is not a suite, which is in the same folder
    as a contract."""
    path = os.path.normpath(name)
    return path.startswith(folders) and not Path(name).name.startswith("check_") and not _FOREIGN.search(path)


def _forbidden(lines: list[tuple[int, str]]) -> Iterator[Refusal]:
    code: list[tuple[int, str]] = []
    for number, line in lines:
        if line.lstrip().startswith("#pragma"):
            rest = line.lstrip().removeprefix("#pragma").strip()
            if not _PRAGMAS.match(rest):
                yield Refusal(number, f"#pragma {rest[:40]} changes how code is compiled: leave it out")
        else:
            code.append((number, line))
    scanner = _Scanner()
    for token in tokens("\n".join(line for _, line in code)):
        what = scanner.take(token)
        if what is not None:
            yield Refusal(code[min(token.line, len(code)) - 1][0], what)


class _Scanner:
    """Follows the tokens and keeps track of attributes."""

    def __init__(self) -> None:
        self._depth = 0  # depth of parentheses in __attribute__; 0 outside
        self._square = 0  # depth of brackets in [[ ]]; 0 outside
        self._within = 0  # depth of parentheses in [[ ]]
        self._pending = False  # True between __attribute__ and its parenthesis
        self._opened = False  # True when the previous token is a `[`
        self._section: list[str] | None = None  # pieces of a section's name so far
        self._end = 0  # depth at which that section's name ends

    def take(self, token: Token) -> str | None:
        """The fault of the token; None when there is none."""
        if token.kind in ("newline", "comment"):
            return None
        opened, self._opened = self._opened, token.text == "["
        if token.kind == "mark":
            return self._mark(token.text, opened)
        if token.kind == "raw":
            return "a raw string: write it as an ordinary one"
        if token.kind == "text" and self._section is not None:
            self._section.append(token.text)
        return self._name(token.text) if token.kind == "name" else None

    def _name(self, text: str) -> str | None:
        if text in ("asm", "__asm", "__asm__"):
            return "inline assembly: the CPU device sees nothing of what it does"
        if text in ("__attribute__", "__attribute"):
            self._pending = True
        elif self._depth == 2 or (self._square == 2 and self._within == 0):
            name = text.strip("_")
            if name == "section":
                self._section, self._end = [], self._depth or self._within
            elif name not in _ATTRIBUTES:
                return f"the attribute {name} {_WHY.get(name, _CHANGES)}"
        elif not (self._depth or self._square) and _INTRINSICS.fullmatch(text) and not _BUILTINS.fullmatch(text):
            return f"{text} works past the device's eyes: use plain CUDA C"
        elif _COMPILERS.fullmatch(text):
            return f"{text} is for the compiler to call: write what it makes of it"
        return None

    def _mark(self, text: str, opened: bool) -> str | None:
        """Processes tokens that begin or end an attribute."""
        if text == "[" and (self._square or opened):
            self._square = self._square + 1 if self._square else 2
        elif text == "]" and self._square:
            self._square = self._square - 1 if self._square > 1 else 0
        elif text == "(" and (self._pending or self._depth):
            self._depth, self._pending = self._depth + 1, False
        elif text == "(" and self._square:
            self._within += 1
        elif text == ")" and self._depth:
            self._depth -= 1
            return self._end_of_section(self._depth)
        elif text == ")" and self._within:
            self._within -= 1
            return self._end_of_section(self._within)
        return None

    def _end_of_section(self, depth: int) -> str | None:
        """The fault of a section's name; None when it is one of the device's, exactly as in its header."""
        if self._section is None or depth > self._end:
            return None
        name, self._section = "".join(text[1:-1] for text in self._section), None
        if _DEVICE_SECTION.fullmatch(name):
            return None
        return f'the attribute section("{name[:40]}") {_WHY["section"]}'
