"""Whether the text that is read for the proofs is the text that is run, after the preprocessor."""

import re
from itertools import zip_longest
from pathlib import Path

from statements import Broken

_MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"((?: \d)*)$')
_ENTERS_OR_RETURNS = re.compile(r" [12]\b")
_OTHERS = ("/usr/", "simt/include/", "labs/", "<")  # files of the system and of the course
# These attributes, which say where a function runs, are in one of the two texts only.
_SPACE = re.compile(r'__attribute__\(\((?:__deprecated__\("__\w+__" " " "(?:[^"\\]|\\.)*" ":" "\d+"\)|__flatten__)\)\)')
# Builtin functions of the compiler, except those whose result depends on nothing but their arguments.
_BUILTIN = re.compile(
    r"\b__builtin_(?!(?:popc|clz|ctz|ffs|parity|bswap|clrsb)\w*\b|(?:expect|unreachable|trap|mem\w+|bit_cast|offsetof"
    r"|assume_aligned|launder|addressof|f?(?:abs|min|max)\w*|huge_val\w*|inf\w*|nan\w*|va_\w+)\b)\w+"
)

# Attributes that change neither what a statement does nor whether the device sees it.
_ATTRIBUTE = re.compile(r"__attribute(?:__)?\s*\(\((.*?)\)\)|\[\[(.*?)\]\]")
_PLAIN = re.compile(
    r"_*(?:aligned|unused|maybe_unused|used|always_inline|noinline|section|visibility|nodiscard|fallthrough|noreturn"
    r"|deprecated|flatten|packed|cold|hot|likely|unlikely|gnu|warn_unused_result)_*"
)
# IDENTITY calls this function; by its name, a template could ask whether its value is a constant.
_IDENTITY = re.compile(r"\bmonoid_identity\b(?!\(\)\))|(?<!\()\bmonoid_identity\b")
_ASSEMBLY = re.compile(r"\b(?:asm|__asm|__asm__)\b")
_PRAGMA = re.compile(r"#\s*pragma (?:GCC (?:diagnostic|unroll|ivdep|poison)\b|(?:no)?unroll\b|once\b|STDC\b|nv_)")


def _changes(lines: list[str]) -> str:
    """What may change what a statement does: an attribute, a pragma, or assembly; "" when there is none."""
    pragmas = [line for line in lines if re.match(r"#\s*pragma", line) and not _PRAGMA.match(line)]
    text = re.sub(r"\"(?:\\.|[^\"\\])*\"", "", " ".join(lines))
    named = [name for a, b in _ATTRIBUTE.findall(text) for name in re.findall(r"(?:^|,|::)\s*(\w+)", a or b)]
    pragmas += _ASSEMBLY.findall(text)
    return next(iter(pragmas + [name for name in named if not _PLAIN.fullmatch(name)]), "")


def _own(path: str, source: str) -> list[tuple[str, str]]:
    """The lines that are neither the system's nor the course's, each with its place."""
    found: list[tuple[str, str]] = []
    name, at = source, 0
    for line in Path(path).read_text(encoding="utf-8", errors="replace").splitlines():
        marker = _MARKER.match(line)
        if marker:
            # A file that cudac made names its source once. The definitions of the command line come before.
            others = marker[2] != name and not _ENTERS_OR_RETURNS.match(marker[3])
            if others and name != source and not name.startswith("<") and not name.endswith("//"):
                raise Broken(f"{Path(name).name}: #line gives statements to another file")
            name, at = marker[2], int(marker[1])
            continue
        if line.strip() and not name.startswith(_OTHERS):
            found.append((f"{Path(name).name}:{at}", " ".join(_SPACE.sub("", line).split())))
        at += 1
    return found


def compare_texts(source: str, read_text: str, run_text: str) -> None:
    """Raises Broken with the place."""
    texts = _own(read_text, source), _own(run_text, source)
    changes = _changes([line for _, line in texts[1]])
    if changes:
        raise Broken(f"{changes} may change what statements do, or hide it from the device", "closed")
    for (at, one), (_, other) in zip_longest(*texts, fillvalue=("the end", "")):
        if one != other:
            raise Broken(f"{at}: what is compiled for the proofs is not what is tested")
        if _IDENTITY.search(one):
            raise Broken(f"{at}: monoid_identity is no name of the contract")
        builtin = _BUILTIN.search(one)
        if builtin:
            raise Broken(f"{at}: what {builtin[0]}() answers may depend on the optimizer", "closed")
