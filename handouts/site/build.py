"""Makes the handouts a site and a PDF, which need no network.

usage: build.py TARGET

Writes TARGET/html/index.html and, where there is a Chromium, TARGET/handouts.pdf for paper of the size A4 and
TARGET/handouts-letter.pdf. The pages of the labs show a trace in
the viewer: of the reference, without its source, where that is there, and else of the student's own kernels, as far as
they are written."""

import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "simt/trace"))

from events import TraceError  # noqa: E402
from page import page  # noqa: E402
from parts import Call, Tracer  # noqa: E402

CALLS = (
    Call(1, "reduce_tile"),
    Call(2, "scan_in_place"),
    Call(3, "scan_blelloch"),
    Call(4, "compact"),
    Call(5, "split"),
    Call(6, "scan_inclusive", 32, tile=8),
    # Four tiles, in an order in which two blocks wait.
    Call(6, "scan_single_pass", 1600, tile=32, options=("--order", "random", "--seed", "6")),
    Call(7, "sat", options=("--shape", "4x6")),
    Call(8, "write_lines", 4),
)
_LECTURERS = ("topics",)  # pages of the site that its list for students leaves out
_PAPERS = {"handouts.pdf": "A4", "handouts-letter.pdf": "letter"}
_NOT_SEARCHED = ("math", "iframe", "script", "style")
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_SECONDS = 300


class SiteError(Exception):
    """What keeps the site from being made, with what to do."""


def _handouts() -> list[Path]:
    return sorted((ROOT / "handouts").glob("*.md"))


_NO_PROSE = re.compile(r"(^```.*?^```$|^ {4}[^\n]*$|\$\$.*?\$\$|`[^`\n]*`|!\[[^]]*\])", re.MULTILINE | re.DOTALL)
_POWER = re.compile(r"(?<=[\w)\]])\^(\([^()]*\)|\w+)")


def _with_powers(text: str) -> str:
    """2^28 in prose, with its exponent raised, and log2 n with its base lowered."""
    pieces = _NO_PROSE.split(text)
    pieces[::2] = [_POWER.sub(lambda power: f"<sup>{power[1].strip('()')}</sup>", piece) for piece in pieces[::2]]
    pieces[::2] = [re.sub(r"\blog2\b", "log<sub>2</sub>", piece) for piece in pieces[::2]]
    return "".join(pieces)


def _row_of_what_is_there(row: re.Match[str]) -> str:
    return row[0] if (ROOT / "handouts" / row[1]).exists() else ""


def _words_of(path: Path) -> str:
    """A handout as Sphinx takes it: the start page is called index, a kernel is CUDA C, links lead to pages."""
    text = path.read_text(encoding="utf-8")
    # A message has long lines, which may be broken; a drawing has not. Other marks are for those who write handouts.
    message = r"^```text\n(?=(?:(?!```).*\n)*(?:    try: |    in: |replay: |  FAILED ))"
    text = re.sub(
        rf"^<!-- said of .* -->\n```text\n|{message}",
        "```{code-block} text\n:class: message\n\n",
        text,
        flags=re.MULTILINE,
    )
    text = re.sub(r"^<!-- .* -->\n", "", text, flags=re.MULTILINE)
    text = _with_powers(text)
    text = re.sub(r"^```c$", "```cuda", text, flags=re.MULTILINE)
    text = re.sub(r"\]\(README\.md", "](index.md", text)
    text = re.sub(r"\[([^]]+)\]\(\.\./[^)]*\)", r"\1", text)  # what is no handout is no page
    if path.name == "topics.md":  # a release may leave labs out, and their rows with them
        text = re.sub(r"^\|.*\]\((?!#)([^)#]+)[^)]*\).*\n", _row_of_what_is_there, text, flags=re.MULTILINE)
    if path.stem in _LECTURERS:
        text = f"---\norphan: true\n---\n{text}"
    if path.name != "README.md":
        return text
    names = sorted({p.stem for p in _handouts()} - {"README", *_LECTURERS}, key=lambda name: (name != "primer", name))
    listed = "\n".join(names)
    return f"{text}\n```{{toctree}}\n:hidden:\n\n{listed}\n```\n"


Trace = dict[str, Any]


def reference_trace(call: Call, tracer: Tracer) -> Trace:
    return {**tracer.trace(call), "sources": []}  # the reference's text is nobody's to read


def own_trace(call: Call, tracer: Tracer) -> Trace | None:
    """None for a part that is not written yet, or that does not compile."""
    try:
        return tracer.trace(call)
    except TraceError:
        return None


def _traces() -> dict[int, list[tuple[Call, Trace | None]]]:
    """By the number of its lab."""
    found: dict[int, list[tuple[Call, Trace | None]]] = {}
    complete = (ROOT / "reference").is_dir()
    tracer = Tracer() if complete else Tracer("student", ROOT / "student")
    for call in CALLS:
        if complete or list(ROOT.glob(f"labs/{call.lab}-*")):
            trace = reference_trace(call, tracer) if complete else own_trace(call, tracer)
            found.setdefault(call.lab, []).append((call, trace))
    return found


def _see(call: Call, trace: Trace | None) -> str:
    """The viewer with a trace, or what to do to see it there."""
    of_your_own = f"`make trace LAB={call.lab} PART={call.part} HTML=trace.html`"
    if trace is None:
        return (
            f"`{call.part}` has nothing to show yet. Once you have written it, "
            f"{of_your_own} makes a page to step through, and `make handouts` shows it here.\n\n"
        )
    words = "Use the buttons or the arrow keys to step. The picture shows which thread reads and writes which slot."
    if trace["waits"]:
        words += " Below the picture you see when each block ran, what it published, and for which block it waited."
    return (
        f"`{call.part}` at work. {words}\n{of_your_own} makes this page of your own kernel.\n\n"
        f'<iframe class="trace" src="traces/{call.part}.html" loading="lazy" '
        f'title="A trace of {call.part}"></iframe>\n\n'
        f'<p class="trace-words"><a href="traces/{call.part}.html">Open it in a page of its own.</a></p>\n\n'
    )


def _embed(text: str, shown: list[tuple[Call, Trace | None]]) -> str:
    """A lab's page with the viewer before its questions."""
    before, heading, after = text.partition("## Grade\n")
    return before + "## See it happen\n\n" + "".join(_see(*one) for one in shown) + heading + after


def write_sources(folder: Path) -> None:
    """The text, the figures, the settings and the traces that Sphinx reads."""
    shutil.rmtree(folder, ignore_errors=True)
    traces = folder / "extra/traces"
    traces.mkdir(parents=True)
    found = _traces()
    for path in _handouts():
        name = "index.md" if path.name == "README.md" else path.name
        lab = int(path.name[0]) if path.name[0].isdigit() else 0
        text = _words_of(path)
        (folder / name).write_text(_embed(text, found[lab]) if lab in found else text, encoding="utf-8")
    shutil.copytree(ROOT / "handouts/figures", folder / "figures")
    for path in (ROOT / "handouts").glob("*.svg"):
        shutil.copy(path, folder)
    for name in ("conf.py", "site.css", "site.js"):
        shutil.copy(HERE / name, folder)
    for call, trace in (one for shown in found.values() for one in shown):
        if trace is not None:
            (traces / f"{call.part}.html").write_text(page(trace), encoding="utf-8")


def _sphinx(builder: str, source: Path, target: Path) -> None:
    words = ["-m", "sphinx", "-q", "-W", "--keep-going", "-E", "-b", builder, "-d", str(target) + ".doctrees"]
    words += [str(source), str(target)]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=_SECONDS, check=False)
    if done.returncode:
        raise SiteError(f"Sphinx does not take the handouts:\n{done.stdout}{done.stderr}")


class _Texts(HTMLParser):
    """The text of each section of a page, by the anchor of the section."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, list[str]] = {}
        self._open: list[str] = []  # sections
        self._hidden = 0  # elements whose text is none of the page's

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "section":
            self._open.append(dict(attrs).get("id") or "")
        self._hidden += tag in _NOT_SEARCHED

    def handle_endtag(self, tag: str) -> None:
        if tag == "section":
            self._open.pop()
        self._hidden -= tag in _NOT_SEARCHED

    def handle_data(self, data: str) -> None:
        if self._open and not self._hidden:
            self.found.setdefault(self._open[-1], []).append(data)


def _give_excerpts(site: Path) -> None:
    """Search shows where a word is in a page. Sphinx fetches the page for that, which a page from a disk must not, so
    the search page gets all texts as a script; site.js shows them."""
    texts: dict[str, dict[str, str]] = {}
    for path in _handouts():
        name = "index" if path.stem == "README" else path.stem
        reader = _Texts()
        reader.feed((site / f"{name}.html").read_text(encoding="utf-8"))
        texts[name] = {anchor: " ".join("".join(parts).split()) for anchor, parts in reader.found.items()}
    words = json.dumps(texts, separators=(",", ":"), ensure_ascii=True)
    (site / "_static/texts.js").write_text(f"const TEXTS = {words};\n", encoding="utf-8")
    search = site / "search.html"
    before, head, after = search.read_text(encoding="utf-8").partition("</head>")
    after = after.replace('<div id="search-results">', '<h1>Search</h1>\n<div id="search-results">', 1)
    search.write_text(f'{before}<script src="_static/texts.js"></script>\n{head}{after}', encoding="utf-8")


def _print(long_page: Path, target: Path, size: str) -> bool:
    """The long page on paper of a size. False when no Chromium is there."""
    program = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        return False
    text = re.sub(r"<details\b(?! open)", "<details open", long_page.read_text(encoding="utf-8"))
    text = re.sub(
        r"(<style>@page[^<]*</style>)?</head>", f"<style>@page {{ size: {size} }}</style></head>", text, count=1
    )
    long_page.write_text(text, encoding="utf-8")
    words = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--virtual-time-budget=5000"]
    words += ["--generate-pdf-document-outline"]  # the contents, in the reader's margin
    words += [f"--print-to-pdf={target}", long_page.as_uri()]
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=_SECONDS, check=False)
    if done.returncode or not target.exists():
        raise SiteError(f"{program} does not print the handouts:\n{done.stderr}")
    return True


def build(target: Path) -> list[Path]:
    """Makes the site and the PDF; returns what there is to open."""
    source, site = target / "source", target / "html"
    write_sources(source)
    shutil.rmtree(site, ignore_errors=True)
    _sphinx("html", source, site)
    _sphinx("singlehtml", source, target / "paper")
    _give_excerpts(site)
    made = [site / "index.html"]
    for name, size in _PAPERS.items():
        if not _print(target / "paper/index.html", target / name, size):
            print("no Chromium, so no PDF; try: apt-get install chromium", file=sys.stderr)
            break
        made.append(target / name)
    return made


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: build.py TARGET", file=sys.stderr)
        return 2
    print("Making the pages. That takes a minute or two.", file=sys.stderr)
    try:
        print("\n".join(str(path) for path in build(Path(sys.argv[1]).resolve())))
    except (SiteError, TraceError) as error:
        print(f"handouts: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
