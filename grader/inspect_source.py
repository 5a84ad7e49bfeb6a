"""What the source of a submission may not say. Looked at after the preprocessor, so that no macro hides it.

The CPU device sees an access because the compiler puts a call in front of it. Inline assembly, some attributes,
pragmas and built-in functions take that call away, or run code before any part is called. They have no use in a lab.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_ATTRIBUTES = {
    **dict.fromkeys(
        (
            "no_sanitize",
            "no_sanitize_thread",
            "no_sanitize_address",
            "no_sanitize_undefined",
            "no_address_safety_analysis",
        ),
        "turns the device's checks off",
    ),
    **dict.fromkeys(
        ("no_instrument_function", "naked", "optimize", "target", "target_clones"), "changes how code is compiled"
    ),
    **dict.fromkeys(("constructor", "destructor", "init_priority"), "runs code before or after the harness does"),
    **dict.fromkeys(
        ("ifunc", "alias", "weakref", "symver", "section"), "changes what a name stands for, or where it lies"
    ),
}
_BUILTINS = re.compile(
    r"__builtin_ia32_\w+|__builtin_(?:mem|str|stp|bcopy|bzero|bcmp|___mem|___str)\w*|_mm\d*_\w+"
    r"|__builtin_(?:setjmp|longjmp|apply\w*|return|return_address|frame_address|extract_return_addr|eh_return|unwind_init"
    r"|thread_pointer|set_thread_pointer)"
)
_PRAGMAS = re.compile(
    r"(?:once|unroll|nounroll|nv_\w+|diag_\w+|GCC (?:diagnostic|unroll|ivdep|warning|error)|clang|message|STDC)\b"
)
_MARKER = re.compile(r'#\s*(?:line\s+)?(\d+)\s+"((?:[^"\\]|\\.)*)"')
_TOKEN = re.compile(
    r'R"([^()\\\s]{0,16})\(.*?\)\1"'  # raw string
    r'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\''
    r"|\[\[|\]\]|[A-Za-z_]\w*|[()\n]",
    re.DOTALL,
)
_COMMENT_OR_TEXT = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^()\\\s]{0,16})\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.DOTALL
)
_RENUMBERS = re.compile(r"^[ \t\f\v]*(?:#|%:)[ \t\f\v]*(?:line\b|\d)", re.MULTILINE)


# Names with two underscores that are for whoever writes kernels. No macro behind them does what is refused here.
_CUDA_NAMES = re.compile(
    r"__(?:global|device|host|shared|constant|managed|restrict|launch_bounds|grid_constant|align)__"
    r"|__(?:force|no)inline__|__sync(?:threads|warp)\w*|__threadfence\w*|__shfl\w*|__(?:ballot|any|all|match_\w+)_sync"
    r"|__activemask|__reduce_\w+_sync|__(?:popc|ffs|clz|brev|byte_perm)\w*|__(?:float|double|u?int|longlong)_as_\w+"
    r"|__(?:float|double|half|low|high|u?int|u?ll|u?short|hiloint|bfloat16)\w*2\w+|__nanosleep|__ld\w*|__st\w*"
    r"|__u?mul\w*|__u?(?:add|sub|sad|hadd|rhadd)\w*|__f\w+_r[nzud]|__d\w+_r[nzud]|__funnelshift_\w+|__func__"
    r"|__isShared|__isGlobal|__isLocal|__assertfail|__trap|__brkpt|__cplusplus|__CUDA\w*__|__CUDA_ARCH__|__NVCC__"
)
_ORDINARY_INCLUDE = re.compile(
    r'\s*(?:<[a-z0-9_]+(?:/[a-z0-9_]+)*(?:\.h|\.hpp|\.cuh)?>|"[A-Za-z0-9_]+\.(?:h|cuh)")\s*$'
)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include(?:_next)?\b(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Refusal:
    """What stands there, and why it is refused."""

    line: int
    what: str


def inspect_raw(text: str) -> Iterator[Refusal]:
    """Of the file as it was handed in: directives that would give lines to another file."""
    spliced = re.sub(r"\\[ \t]*\r?\n", "", text)
    plain = _COMMENT_OR_TEXT.sub(lambda match: " " + "\n" * match.group().count("\n"), spliced)
    for match in _RENUMBERS.finditer(plain):
        before = plain[: match.start()].count("\n") + 1
        yield Refusal(before, "#line gives the lines another number: leave it out")


def is_plain(text: str) -> bool:
    """Can the preprocessor make nothing of this file that it would be refused for? Then it need not be asked: there is
    no name of an attribute, built-in or macro of a system's header, nothing that puts names together, no pragma but
    unroll, and no include of an odd file. False is no verdict."""
    spliced = re.sub(r"\\[ \t]*\r?\n", "", text)
    bare = _COMMENT_OR_TEXT.sub(lambda match: match.group() if match.group()[0] == '"' else " ", spliced)
    includes = [match[1] for match in _INCLUDE.finditer(bare)]
    code = _COMMENT_OR_TEXT.sub(" ", _INCLUDE.sub(" ", bare))
    names = set(re.findall(r"[A-Za-z_]\w*", code))
    return (
        all(_ORDINARY_INCLUDE.match(include) for include in includes)
        and len(includes) == len(re.findall(r"\binclude(?:_next)?\b", bare))
        and not any("__" in name and not _CUDA_NAMES.fullmatch(name) for name in names)
        and not any(name.startswith(("_", "SIMT_")) and not _CUDA_NAMES.fullmatch(name) for name in names)
        and "asm" not in names
        and not re.search(r"##|%:|\?\?|\[\s*\[|#\s*pragma\s+(?!unroll\b|once\b)", code)
    )


def inspect_preprocessed(text: str, source: str, folders: tuple[str, ...]) -> Iterator[Refusal]:
    """Of what the preprocessor made of it. `source` is the file's name; what it includes lies in `folders`."""
    inside = False
    number = 0
    where = 0  # the student's line that is being read
    own: list[tuple[int, str]] = []
    for line in text.split("\n"):
        marker = _MARKER.match(line) if line.startswith("#") else None
        if marker:
            number, name = int(marker[1]), marker[2]
            inside = Path(name).name == source
            allowed = name.startswith("<") or name.endswith("//") or _is_in(name, folders)  # `//`: where g++ runs
            if not inside and not allowed:
                yield Refusal(where, f"includes {name}: a lab's code includes the lab's header, CUDA's and C's own")
            continue
        if inside:
            where = number
            if line.strip():
                own.append((number, line))
            number += 1
    yield from _forbidden(own)


def _is_in(name: str, folders: tuple[str, ...]) -> bool:
    """Is a file of these folders meant, whatever way its name goes; and no suite, which lies beside a contract?"""
    return os.path.normpath(name).startswith(folders) and not Path(name).name.startswith("check_")


def _forbidden(lines: list[tuple[int, str]]) -> Iterator[Refusal]:
    for number, line in lines:
        if line.lstrip().startswith("#pragma"):
            rest = line.lstrip().removeprefix("#pragma").strip()
            if not _PRAGMAS.match(rest):
                yield Refusal(number, f"#pragma {rest[:40]} changes how code is compiled: leave it out")
    scanner = _Scanner()
    at = 0  # index into lines
    for match in _TOKEN.finditer("\n".join(line for _, line in lines)):
        what = scanner.take(match.group())
        if what is not None:
            yield Refusal(lines[min(at, len(lines) - 1)][0], what)
        at += match.group().count("\n")


class _Scanner:
    """Follows tokens, and knows whether they stand in an attribute."""

    def __init__(self) -> None:
        self._depth = 0  # of parentheses in __attribute__; 0 outside
        self._square = False  # in [[ ]]
        self._pending = False  # __attribute__ has come, and its parenthesis has not
        self._section = False  # the name of a section comes next

    def take(self, token: str) -> str | None:
        """What is wrong with the token; None when nothing is."""
        if self._brackets(token):
            return None
        if token.startswith('"'):
            elsewhere = self._section and not token.startswith('"simt_')
            self._section = False
            return f"the attribute section({token[:40]}) {_ATTRIBUTES['section']}" if elsewhere else None
        if token in ("asm", "__asm", "__asm__"):
            return "inline assembly: the CPU device sees nothing of what it does"
        if self._depth or self._square:
            name = token.strip("_")
            self._section = name == "section"
            if name in _ATTRIBUTES and not self._section:
                return f"the attribute {name} {_ATTRIBUTES[name]}"
        elif _BUILTINS.fullmatch(token):
            return f"{token} works past the device's eyes: use plain CUDA C"
        return None

    def _brackets(self, token: str) -> bool:
        """Takes what begins and ends attributes."""
        if token in ("__attribute__", "__attribute"):
            self._pending = True
        elif token in ("[[", "]]"):
            self._square = token == "[["
        elif token == "(" and (self._pending or self._depth):
            self._depth, self._pending = self._depth + 1, False
        elif token == ")" and self._depth:
            self._depth -= 1
        else:
            return token in "()\n"
        return True
