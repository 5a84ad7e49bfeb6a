"""Finds solutions in a tree that is to be published: as lines, as runs of code, and reworded.

    lines    a line of the file is a line of a solution, apart from white space and comments
    runs     a number of consecutive tokens of the file occur in a secret; names chosen by the author, types and braces
             are ignored, so renamed code, or code for another type, is equal
    share    the file contains so many of the short runs of a solution's region that it must do the same in other words

Code that is also in the stubs or in the labs' headers is not secret in any file.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.model.layout import Course
from grader.release.regions import SourceLine, read_regions

LEAST_SIGNIFICANT = 24  # in characters without white space; shorter lines reveal nothing
# Tokens of a solution; in the current tree, matches of 24 occur by chance in a few places, and of 30 nowhere
REGION_RUN = 32
FILE_RUN = 48  # tokens of another secret file; the limit is higher because these begin with loops that every kernel has
SHORT = 8
LEAST_RUNS = 25  # a region is compared by its share only if it has at least so many runs of SHORT tokens
MOST_SHARE = 0.35  # of these runs. A textbook's scan in other words has 0.4 and more, a handout's explanation up to 0.3

# Whole files that are as secret as the regions of solutions.
_SECRET_FILES = (*("check_*_hidden.c", "fast/*.cu", "fast/*.cuh", "trials/*/*/*.cu", "trials/*/*/*.trials"),)
_COMMENT = re.compile(r"/\*.*?\*/|//.*")
_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|^[ \t]*\#[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'"""
    r"""|[A-Za-z_]\w*|\d[\w.]*|<<<|>>>|<<=|>>=|[-+*/%&|^=!<>]=|\+\+|--|->|&&|\|\||<<|>>|::|[^\s\w]""",
    re.DOTALL | re.MULTILINE,
)
_TYPES = frozenset(("int", "unsigned", "elem_t", "size_t", "float", "double", "long", "char", "uint32_t", "uint64_t"))
_WORDS = frozenset(
    (
        *("for", "while", "if", "do", "return", "switch", "case", "break", "continue", "sizeof", "struct", "void"),
        *("template", "__global__", "__device__", "__shared__", "__syncthreads", "__syncwarp", "__threadfence"),
        *("threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "x", "y", "z", "IDENTITY", "TILE", "min", "max"),
        *("__shfl_up_sync", "__shfl_down_sync", "__shfl_sync", "__ballot_sync", "__popc"),
        *("atomicAdd", "atomicCAS", "atomicExch", "cudaMalloc", "cudaFree", "cudaMemcpy", "cudaMemset"),
    )
)
# Tokens that are ignored, so that combine(a, b) and a + b are equal.
_SILENT = frozenset(("(", ")", "{", "}", "combine", "const", "static", "else"))


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret in a file to be shipped."""

    shipped: str  # path and line in the release
    origin: str  # path and line in reference/
    text: str


@dataclass(frozen=True, slots=True)
class Secret:
    """Code that must stay with the instructor."""

    origin: str  # path and line
    text: str
    is_region: bool  # True for a part of the solution


def find_leaks(course: Course, tree: Path) -> list[Leak]:
    """Finds every secret in the tree: whole files of reference/, lines, runs of code, and reworded solutions."""
    whole = {p.read_bytes(): p for p in sorted(course.reference.rglob("*")) if p.is_file() and p.stat().st_size}
    lines = solution_lines(course)
    code = _Code(course)
    leaks: list[Leak] = []
    for path in sorted(path for path in tree.rglob("*") if path.is_file()):
        content = path.read_bytes()
        shown = str(path.relative_to(tree))
        if content in whole:
            leaks.append(Leak(shown, course.relative(whole[content]), "the whole file"))
            continue
        if b"\0" in content:
            continue
        text = content.decode(errors="replace")
        found = [
            Leak(f"{shown}:{number}", origin, line.strip())
            for number, line in enumerate(text.splitlines(), start=1)
            if (origin := lines.get(essence(line))) is not None
        ]
        leaks += found or code.leaks(shown, text)
    return leaks


def solution_lines(course: Course) -> dict[str, str]:
    """The essence of each line that would reveal something -> its path and line."""
    files = {path: read_regions(path) for path in sorted(course.reference.glob("*.cu"))}
    public = {essence(line.text) for lines in files.values() for line in lines if not line.secret}
    return {
        key: f"{course.relative(path)}:{line.number}"
        for path, lines in files.items()
        for key, line in _significant(lines)
        if key not in public
    }


def essence(line: str) -> str:
    """The line without white space and comments."""
    return "".join(_COMMENT.sub("", line).split())


def _significant(lines: list[SourceLine]) -> Iterator[tuple[str, SourceLine]]:
    for line in lines:
        key = essence(line.text)
        if line.secret and len(key) >= LEAST_SIGNIFICANT:
            yield key, line


def secrets(course: Course) -> Iterator[Secret]:
    """Yields the regions of the solutions, and the files that are secret as a whole."""
    for path in sorted(course.reference.glob("*.cu")):
        regions: dict[int, list[SourceLine]] = {}
        for line in read_regions(path):
            if line.secret:
                regions.setdefault(line.region, []).append(line)
        for lines in regions.values():
            yield Secret(f"{course.relative(path)}:{lines[0].number}", "\n".join(line.text for line in lines), True)
    for pattern in _SECRET_FILES:
        for path in sorted(course.reference.glob(pattern)):
            text = path.read_text(encoding="utf-8", errors="replace")
            if path.suffix == ".trials":
                text = "\n".join(_code_of_trials(text))
            yield Secret(course.relative(path), text, False)


def _code_of_trials(text: str) -> Iterator[str]:
    """The code in a file of trials: of a hunk, the lines that stay or are added; of a replacement, all lines."""
    hunk, replacing = False, False
    for line in text.splitlines():
        if line.startswith(("===", "@@", "@=")):
            hunk, replacing = line.startswith("@@"), line.startswith("@=")
        elif replacing or (hunk and line[:1] in (" ", "+")):
            yield line if replacing else line[1:]


class _Code:
    """The secrets as tokens, with which files are compared."""

    def __init__(self, course: Course) -> None:
        public = [tokens(text) for text in _public_texts(course)]
        sizes = (REGION_RUN, FILE_RUN, SHORT)
        known = {size: {run for code in public for run, _ in _runs(code, size)} for size in sizes}
        self._long: dict[int, dict[int, str]] = {REGION_RUN: {}, FILE_RUN: {}}  # length -> run -> path and line
        # For each region that is long enough: path and line, and its number of short runs
        self._regions: list[tuple[str, int]] = []
        self._short: dict[int, list[int]] = {}  # short run -> the regions that contain it
        for secret in secrets(course):
            code = tokens(secret.text)
            size = REGION_RUN if secret.is_region else FILE_RUN
            for run, line in _runs(code, size):
                if run not in known[size]:
                    self._long[size].setdefault(run, _further(secret.origin, line))
            short = {run for run, _ in _runs(code, SHORT)} - known[SHORT]
            if secret.is_region and len(short) >= LEAST_RUNS:
                for run in short:
                    self._short.setdefault(run, []).append(len(self._regions))
                self._regions.append((secret.origin, len(short)))

    def leaks(self, shown: str, text: str) -> Iterator[Leak]:
        """Yields the leaks of one file: the first long run, or else the regions that it rewords."""
        code = tokens(text)
        for size, secret in self._long.items():
            for run, line in _runs(code, size):
                if run in secret:
                    yield Leak(f"{shown}:{line}", secret[run], f"{size} tokens in a row, names aside")
                    return
        counts = Counter(
            region for run in {run for run, _ in _runs(code, SHORT)} for region in self._short.get(run, ())
        )
        for region, count in counts.items():
            origin, size = self._regions[region]
            if count >= MOST_SHARE * size:
                yield Leak(shown, origin, f"{100 * count // size} % of its code in other words")


def tokens(text: str) -> list[tuple[str, int]]:
    """The tokens of C-like code with their line numbers. All identifiers of the author become equal, and so do all
    types and all strings. Comments, directives and ignored tokens are left out."""
    found: list[tuple[str, int]] = []
    line, seen = 1, 0
    for match in _TOKEN.finditer(text):
        line += text.count("\n", seen, match.start())
        seen = match.start()
        token = match.group()
        if token in _SILENT or token.startswith(("//", "/*")) or token.lstrip(" \t").startswith("#"):
            continue
        if token[0].isalpha() or token[0] == "_":
            token = "type" if token in _TYPES else token if token in _WORDS else "name"
        elif token[0] in "\"'":
            token = '"'
        found.append(("+" if token == "," else token, line))
    return found


def _runs(code: list[tuple[str, int]], size: int) -> Iterator[tuple[int, int]]:
    """Yields each run of `size` tokens, as one number, with its first line. Runs with few different tokens, as in
    tables of numbers or prose, are skipped."""
    words = [token for token, _ in code]
    for i in range(len(code) - size + 1):
        run = tuple(words[i : i + size])
        if len(set(run)) >= size // 4:
            yield hash(run), code[i][1]


def _public_texts(course: Course) -> Iterable[str]:
    for path in sorted(course.reference.glob("*.cu")):
        yield "\n".join(line.text for line in read_regions(path) if not line.secret)
    for path in (*sorted(course.labs.glob("[1-9]-*/*.[ch]")), *sorted(course.labs.glob("support/**/*.[ch]"))):
        yield path.read_text(encoding="utf-8", errors="replace")


def _further(origin: str, line: int) -> str:
    """The position `line` lines below an origin, which may already contain a line number."""
    path, colon, first = origin.rpartition(":")
    return f"{path}:{int(first) + line - 1}" if colon else f"{origin}:{line}"
