"""Compiles the snippets of nvcc/ as the course does, and also with nvcc if there is one: both must refuse the same
lines.

  check_nvcc.py CUDAC BUILD_DIR DIAGNOSE SPACES NVCC COMPILER FLAG...

A file of nvcc/ contains many snippets; each begins with `//// name`. A line that nvcc refuses ends in `// refused:
TEXT`, and the course's message for it contains that text. A snippet without such a line is accepted by both. So the
files contain nvcc's verdicts, which can be checked without nvcc.

Because a compiler takes a second to start, it gets many snippets at once, each in a namespace. Since it stops at
the first phase that has errors, those with an error are removed, and the others are compiled again. A snippet whose
verdict then differs from its file is compiled alone, and that verdict counts.
"""

import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

HERE = Path(__file__).parent / "nvcc"
JOBS = 2
FEWEST = 60  # snippets
MAIN = "main_of_it"  # of a snippet in a namespace
NVCC_FLAGS = ("-w", "-std=c++17", "--extended-lambda", "-arch=sm_90", "-Xcudafe", "--error_limit=10000")


class Snippet(NamedTuple):
    """One program, and its errors."""

    name: str
    path: Path
    refused: dict[int, str]  # line -> a part of our message


class Tools(NamedTuple):
    """The programs that compile."""

    cudac: str
    diagnose: str
    said: ModuleType  # diagnose, to be called
    spaces: str
    nvcc: str  # empty when there is none
    compiler: list[str]


def snippets_read(file: Path, build: Path) -> list[Snippet]:
    """Returns the snippets of a file, each written to a file of its own."""
    found = []
    for part in re.split(r"^//// ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        name, _, text = part.partition("\n")
        path = build / f"{name}.cu"
        path.write_text(text, encoding="utf-8")
        refused = {
            i: line.partition("// refused: ")[2]
            for i, line in enumerate(text.splitlines(), 1)
            if "// refused: " in line
        }
        found.append(Snippet(name, path, refused))
    return found


def _run(command: list[str], given: str = "") -> tuple[int, str]:
    done = subprocess.run(
        command, input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return done.returncode, done.stdout


class Verdict(NamedTuple):
    """A compiler's verdict on a file."""

    accepted: bool
    lines: dict[int, str]  # with errors -> what
    said: str


Judge = Callable[[Path, Tools], Verdict]


def _compile(path: Path, tools: Tools) -> tuple[int, str]:
    """Compiles a source as the course does, up to the first step that fails, and returns its exit status and
    output."""
    base = path.with_suffix("")
    translated, dump, made = f"{base}.cpp", f"{base}.dump", f"{base}.o"
    commands = [
        [tools.cudac, str(path), "-o", translated],
        [*tools.compiler, f"-fdump-tree-fixup_cfg1-lineno-asmname-uid={dump}", "-c", translated, "-o", made],
        [sys.executable, "-I", tools.spaces, dump, made, translated],
    ]
    status, said = 0, ""
    for command in commands:
        status, said = _run(command)
        if status:
            break
    for left in (translated, dump, made):
        Path(left).unlink(missing_ok=True)
    return status, said


def _ours(path: Path, tools: Tools) -> Verdict:
    """Judges a file as make does for a student, who sees only the first errors."""
    status, said = _compile(path, tools)
    told = _run([sys.executable, "-I", tools.diagnose, str(path)], said)[1] if status else ""
    found = re.findall(rf"^{path.name}:(\d+)\S* error: (.*)$", told, re.MULTILINE)
    return Verdict(not status, {int(line): words for line, words in found}, told or said)


def _ours_of_many(path: Path, tools: Tools) -> Verdict:
    """Returns all errors of a merged file, worded as if there were no namespaces."""
    status, said = _compile(path, tools)
    found = tools.said.diagnostics_read(said.splitlines(), {path.name}) if status else ()
    lines = {
        int(one.place.partition(":")[0]): re.sub(r"\b(in_\w+|\(anonymous\))::", "", one.words).replace(MAIN, "main")
        for one in found
        if one.kind == "error" and one.file == path.name
    }
    return Verdict(not status, lines, said)


def _theirs(path: Path, tools: Tools) -> Verdict:
    status, said = _run([tools.nvcc, *NVCC_FLAGS, "-c", str(path), "-o", "/dev/null"])
    return Verdict(not status, {int(line): "an error" for line in re.findall(r"\((\d+)\): error", said)}, said)


def _is_refused_by_cudac(path: Path, tools: Tools) -> bool:
    """Returns whether cudac refuses a file. It stops at its first error, so such a snippet is compiled alone."""
    return _run([tools.cudac, str(path), "-o", "/dev/null"])[0] != 0


def _differences(snippet: Snippet, verdict: Verdict, has_words: bool) -> list[str]:
    """Returns how a verdict differs from the one in the file."""
    wrong = [
        f"line {line} should be refused with: {text if has_words else 'an error'}"
        for line, text in snippet.refused.items()
        if line not in verdict.lines or (has_words and text not in verdict.lines[line])
    ]
    wrong += [f"line {line}: {words}" for line, words in verdict.lines.items() if line not in snippet.refused]
    if not has_words and snippet.refused and not verdict.accepted and not verdict.lines:
        return []  # a phase of nvcc that names no lines
    if verdict.accepted == bool(snippet.refused) and not wrong:
        wrong = [verdict.said or "a wrong exit status"]
    return wrong


def _merge(snippets: Sequence[Snippet], path: Path) -> list[tuple[Snippet, int]]:
    """Writes the snippets to one file, each in a namespace. Returns, for each line of it, the snippet and the line
    there."""
    texts = [(snippet, snippet.path.read_text(encoding="utf-8").splitlines()) for snippet in snippets]
    includes = sorted({line for _, lines in texts for line in lines if line.startswith("#include")})
    merged, origin = list(includes), [(snippets[0], 0)] * (len(includes) + 1)
    for snippet, lines in texts:
        body = [re.sub(r"\bmain\(", f"{MAIN}(", "" if line.startswith("#include") else line) for line in lines]
        merged += [f"namespace in_{snippet.name} {{", *body, "}"]
        origin += [(snippet, line) for line in range(len(lines) + 2)]
    path.write_text("\n".join([*merged, ""]), encoding="utf-8")
    return origin


def _verdicts_of_many(snippets: Sequence[Snippet], judge: Judge, tools: Tools, path: Path) -> dict[str, Verdict]:
    """Returns the verdicts of the snippets; some may have none."""
    verdicts: dict[str, Verdict] = {}
    left = list(snippets)
    while left:
        origin = _merge(left, path)
        whole = judge(path, tools)
        if whole.accepted:
            return verdicts | {snippet.name: Verdict(True, {}, "") for snippet in left}
        found: dict[str, dict[int, str]] = {}
        for line, words in whole.lines.items():
            snippet, own = origin[line] if line < len(origin) else (left[0], 0)
            found.setdefault(snippet.name, {})[own] = words
        if not found:
            break
        verdicts |= {name: Verdict(False, lines, "") for name, lines in found.items()}
        left = [snippet for snippet in left if snippet.name not in found]
    return verdicts


def _judge_all(snippets: Sequence[Snippet], many: Judge, one: Judge, tools: Tools, path: Path) -> dict[str, list[str]]:
    """Returns what is wrong with the verdict on each snippet."""
    groups = ([s for s in snippets if s.refused], [s for s in snippets if not s.refused])
    with ThreadPoolExecutor(JOBS) as pool:
        together = [s for s in groups[0] if many is _theirs or not _is_refused_by_cudac(s.path, tools)]
        paths = [path.with_name(f"{path.stem}_{i}{path.suffix}") for i in range(2)]
        halves = pool.map(lambda g, p: _verdicts_of_many(g, many, tools, p), (together, groups[1]), paths)
        verdicts = {name: verdict for half in halves for name, verdict in half.items()}

        def differences(snippet: Snippet) -> list[str]:
            known = verdicts.get(snippet.name)
            if known and not _differences(snippet, known, many is not _theirs):
                return []
            return _differences(snippet, one(snippet.path, tools), many is not _theirs)

        return dict(zip([s.name for s in snippets], pool.map(differences, snippets), strict=True))


def _load(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("diagnose", path)
    if spec is None or spec.loader is None:
        sys.exit(f"{path} cannot be read")
    module = importlib.util.module_from_spec(spec)
    sys.modules["diagnose"] = module
    spec.loader.exec_module(module)
    return module


def main(cudac: str, build_dir: str, diagnose: str, spaces: str, nvcc: str, *compiler: str) -> int:
    """Judges all snippets."""
    tools = Tools(cudac, diagnose, _load(diagnose), spaces, shutil.which(nvcc) or "", list(compiler))
    build = Path(build_dir)
    build.mkdir(parents=True, exist_ok=True)
    snippets = [snippet for file in sorted(HERE.glob("*.cu")) for snippet in snippets_read(file, build)]
    problems = _judge_all(snippets, _ours_of_many, _ours, tools, build / "ours.cu")
    if tools.nvcc:
        for name, wrong in _judge_all(snippets, _theirs, _theirs, tools, build / "theirs.cu").items():
            problems[name] += [f"nvcc: {line}" for line in wrong]
    if len(snippets) < FEWEST:
        problems["corpus"] = [f"{len(snippets)} snippets, and there are to be {FEWEST}"]
    failed = {name: wrong for name, wrong in problems.items() if wrong}
    for name, wrong in failed.items():
        sys.stdout.write(f"not ok: {name}\n" + "".join(f"    {line}\n" for line in wrong))
    by = "g++ and nvcc" if tools.nvcc else "g++; there is no nvcc to ask"
    refused = sum(1 for snippet in snippets if snippet.refused)
    sys.stdout.write(f"{len(snippets) - refused} snippets accepted, {refused} refused, by {by}\n")
    sys.stdout.write(f"nvcc: {len(problems) - len(failed)} passed, {len(failed)} failed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
