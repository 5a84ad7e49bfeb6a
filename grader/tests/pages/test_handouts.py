"""The site of the handouts in a real browser, from a disk: every page, three widths, light and dark, search, PDF."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[3]
WIDTHS = (375, 768, 1280)
NAMES = ("index", *(path.stem for path in sorted((ROOT / "handouts").glob("*.md")) if path.stem != "README"))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("handouts")
    words = [sys.executable, "handouts/site/build.py", str(folder)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return folder


class Watched:
    """A page, what it says on the console, and what it asks for outside of the site."""

    def __init__(self, browser: Browser, site: Path, name: str) -> None:
        self.context = browser.new_context(offline=True)
        self.page: Page = self.context.new_page()
        self.troubles: list[str] = []
        self.page.on("console", lambda message: self.troubles.append(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("request", lambda request: self._ask(request.url, site))
        self.page.goto((site / f"{name}.html").as_uri())

    def _ask(self, url: str, site: Path) -> None:
        if not url.startswith((site.as_uri(), "data:")):
            self.troubles.append(f"asks for {url}")

    def __enter__(self) -> "Watched":
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()


@pytest.mark.parametrize("name", [*NAMES, "search"])
def test_a_page_of_the_site_is_whole(browser: Browser, built: Path, name: str) -> None:
    """Axe takes seconds for a page: every other one is judged in the dark. Colours are the same on all of them."""
    pages = [*NAMES, "search"]
    with Watched(browser, built / "html", name) as seen:
        for scheme in ("light", "dark") if pages.index(name) % 2 else ("dark", "light"):
            seen.page.emulate_media(color_scheme=scheme)
            for width in WIDTHS:
                seen.page.set_viewport_size({"width": width, "height": 900})
                wider = seen.page.evaluate("document.documentElement.scrollWidth - innerWidth")
                assert wider <= 0, f"{wider} pixels wider than a window of {width}"
            background = seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (sum(int(n) for n in re.findall(r"\d+", background)[:3]) < 384) == (scheme == "dark")
        assert not seen.troubles  # axe itself asks for the style sheets once more, so it comes last
        found = Axe().run(seen.page, context={"exclude": [["iframe"]]}).response["violations"]
        serious = [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in ("serious", "critical")]
        assert not serious


@pytest.mark.parametrize("name", [name for name in NAMES if name[0].isdigit()])
def test_a_lab_s_page_has_its_viewer_its_figures_and_its_neighbours(browser: Browser, built: Path, name: str) -> None:
    with Watched(browser, built / "html", name) as seen:
        page = seen.page
        frame = page.frame_locator("iframe.trace")
        page.locator("iframe.trace").scroll_into_view_if_needed()
        frame.locator("#forward").click()
        assert frame.locator("#slider").input_value() == "1" or frame.locator("#slider").get_attribute("max") == "0"
        broken = page.evaluate(
            "async () => { const all = [...document.images];"
            "all.forEach((i) => { i.loading = 'eager'; }); await Promise.all(all.map((i) => i.decode()));"
            "return all.filter((i) => !i.naturalWidth).length }"
        )
        assert (broken, page.locator("img").count() > 0) == (0, True)
        number = NAMES.index(name)
        assert page.locator(".next-page").get_attribute("href") == f"{NAMES[number + 1]}.html"
        assert page.locator(".prev-page").get_attribute("href") in (f"{NAMES[number - 1]}.html", "#")
        assert not page.locator("details li").first.is_visible()
        page.locator("summary", has_text="Open them").click()
        assert page.locator("details li").first.is_visible()
        assert not seen.troubles


def test_the_search_finds_a_word_from_a_disk(browser: Browser, built: Path) -> None:
    with Watched(browser, built / "html", "index") as seen:
        box = seen.page.locator(".sidebar-search")
        box.fill("bitonic")
        box.press("Enter")
        seen.page.wait_for_url("**/search.html?*")
        seen.page.locator("ul.search a", has_text="Radix sort").first.wait_for()
        assert not seen.troubles


def test_cuda_is_coloured_and_formulas_are_drawn_by_the_browser(built: Path) -> None:
    text = (built / "html/4-compaction.html").read_text(encoding="utf-8")
    assert 'class="highlight-cuda' in text
    assert '<span class="kt">unsigned</span>' in text
    assert "<math" in (built / "html/3-work-efficient-scan.html").read_text(encoding="utf-8")
    text = "".join(path.read_text(encoding="utf-8").lower() for path in (built / "html").glob("*.html"))
    assert not re.findall(r"<(?:script|link)[^>]*(?:https?:|mathjax)[^>]*>", text)


def test_the_site_tells_no_line_of_the_reference(built: Path) -> None:
    for path in sorted((built / "html/traces").glob("*.html")):
        assert '"sources":[]' in path.read_text(encoding="utf-8"), path.name


def test_without_the_reference_the_site_shows_the_student_s_own_kernels() -> None:
    sys.path[:0] = [str(ROOT / "handouts/site"), str(ROOT / "simt/trace")]
    from parts import Call, Tracer  # noqa: PLC0415

    import build as site  # noqa: PLC0415

    for kind, source in (("stub", ROOT / "student"), ("written", ROOT / "reference")):
        trace = site.own_trace(Call(1, "reduce_tile"), Tracer(f"site-{kind}", source))
        assert (trace is None) == (kind == "stub")
        text = site._embed("Before\n\n## Grade\nAfter\n", Call(1, "reduce_tile"), trace)
        assert text.startswith("Before") and text.endswith("## Grade\nAfter\n")
        assert ('<iframe class="trace" src="traces/reduce_tile.html"' in text) == (kind == "written")
        assert ("has nothing to show yet" in text) == (kind == "stub")
        assert "make trace LAB=1 PART=reduce_tile HTML=trace.html" in text
    assert trace is not None
    assert [source["file"] for source in trace["sources"]] == ["reduction.cu"]  # their own text is theirs to read


def test_the_pdf_has_all_handouts(built: Path) -> None:
    pdf = (built / "handouts.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) > 5 * len(NAMES)


def test_a_handout_with_a_broken_link_stops_the_build(tmp_path: Path) -> None:
    sys.path.insert(0, str(ROOT / "handouts/site"))
    import build  # noqa: PLC0415

    for name in ("conf.py", "site.css", "site.js"):
        shutil.copy(ROOT / "handouts/site" / name, tmp_path)
    (tmp_path / "extra").mkdir()
    page = tmp_path / "index.md"
    page.write_text("# One\n\nA page.\n", encoding="utf-8")
    build._sphinx("html", tmp_path, tmp_path / "html")
    page.write_text("# One\n\n[gone](no-such-page.md)\n", encoding="utf-8")
    with pytest.raises(build.SiteError, match="no-such-page"):
        build._sphinx("html", tmp_path, tmp_path / "html")
