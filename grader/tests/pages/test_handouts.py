"""The site of the handouts in a real browser, opened from a disk: every page, three widths, light and dark, search,
PDF."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Locator, Page

from grader.audit.portion import is_taken
from grader.tests.browser import shoot

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
    """A page, with its console messages and its requests outside of the site."""

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


def violations(page: Page, **options: object) -> list[tuple[str, str]]:
    """What axe finds, as rule and first violation. Viewers are left out, because they have tests of their own."""
    found = Axe().run(page, context={"exclude": [["iframe"]]}, options=options).response["violations"]
    return [(v["id"], v["nodes"][0]["html"]) for v in found]


@pytest.mark.parametrize("name", [name for name in (*NAMES, "search") if is_taken(name)])
def test_a_page_of_the_site_is_whole(browser: Browser, built: Path, name: str) -> None:
    """Axe takes seconds for a page. So all rules are checked in one scheme only, which is dark for every other page,
    and the rules about colours in both."""
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
        assert not seen.troubles  # axe requests the style sheets again, so it runs last
        assert not violations(seen.page)
        seen.page.emulate_media(color_scheme="light" if scheme == "dark" else "dark")
        assert not violations(seen.page, runOnly=["color-contrast"])


@pytest.mark.parametrize("name", [name for name in NAMES if name[0].isdigit()])
def test_a_lab_s_page_has_its_viewer_its_figures_and_its_neighbours(browser: Browser, built: Path, name: str) -> None:
    with Watched(browser, built / "html", name) as seen:
        page = seen.page
        viewers = page.locator("iframe.trace")
        assert viewers.count() == (2 if name.startswith("6") else 1)
        for number in range(viewers.count()):
            viewers.nth(number).scroll_into_view_if_needed()
            frame = page.frame_locator("iframe.trace").nth(number)
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
        before = "primer" if name.startswith("1-") else NAMES[number - 1]
        assert page.locator(".prev-page").get_attribute("href") == f"{before}.html"
        assert not page.locator("details li").first.is_visible()
        page.locator("summary", has_text="Open them").click()
        assert page.locator("details li").first.is_visible()
        assert not seen.troubles


def test_the_theme_button_goes_through_the_colours(browser: Browser, built: Path) -> None:
    """The choice is kept on the next page."""

    def dark(page: Page) -> bool:
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(int(n) for n in re.findall(r"\d+", background)[:3]) < 384

    with Watched(browser, built / "html", "1-reduction") as seen:
        page = seen.page
        seen_schemes = [dark(page)]
        for _ in range(2):
            page.locator(".theme-toggle:visible").click()
            seen_schemes.append(dark(page))
        assert set(seen_schemes) == {True, False}
        chosen = page.evaluate("document.body.dataset.theme")
        page.locator(".next-page").click()
        page.wait_for_url("**/2-naive-scan.html")
        assert page.evaluate("document.body.dataset.theme") == chosen
        # The theme prints this message itself
        assert not [said for said in seen.troubles if not said.startswith("Changed to ")]


def test_a_phone_has_the_menu_the_way_up_hints_and_the_viewer(browser: Browser, built: Path) -> None:
    with Watched(browser, built / "html", "6-arbitrary-length-scan") as seen:
        page = seen.page
        page.set_viewport_size({"width": 375, "height": 800})
        hint = page.locator("details", has_text="Hint 1").first
        body = hint.locator("p").first
        assert not body.is_visible()
        hint.locator("summary").click()
        assert body.is_visible()
        frames = page.locator("iframe.trace")
        frames.nth(1).scroll_into_view_if_needed()
        box = frames.nth(1).bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= 375
        frame = page.frame_locator("iframe.trace").nth(1)
        frame.locator("#stage").press("End")
        last = frame.locator("#slider").get_attribute("max")
        assert frame.locator("#slider").input_value() == last != "0"
        assert "waited for block" in frame.locator("#waits").inner_text()
        wider = frame.locator("html").evaluate("root => root.scrollWidth - root.clientWidth")
        assert wider == 0, f"the viewer is {wider} pixels wider than its frame"
        page.mouse.move(5, 5)
        page.mouse.wheel(0, -300)  # the link to the top appears when a reader scrolls back
        page.locator(".back-to-top").click()
        page.wait_for_function("scrollY === 0")
        link = page.locator(".sidebar-tree a", has_text="Radix sort")
        assert not in_the_window(page, link)
        page.locator(".nav-overlay-icon").click()
        page.wait_for_timeout(400)  # it slides in
        assert in_the_window(page, link)
        link.click()
        page.wait_for_url("**/5-radix-sort.html")
        assert not seen.troubles


def in_the_window(page: Page, what: Locator) -> bool:
    box = what.bounding_box()
    return bool(box and box["x"] >= 0 and box["x"] + box["width"] <= page.evaluate("innerWidth"))


def test_pictures_of_the_site_are_left_to_look_at(browser: Browser, built: Path) -> None:
    with Watched(browser, built / "html", "index") as seen:
        shoot(seen.page, "site-index")
    with Watched(browser, built / "html", "3-work-efficient-scan") as seen:
        seen.page.locator("#see-it-happen, h2:has-text('See it happen')").first.evaluate(
            "heading => addEventListener('resize', () => heading.scrollIntoView({behavior: 'instant'}))"
        )
        shoot(seen.page, "site-lab-3")


def test_the_search_finds_a_word_from_a_disk(browser: Browser, built: Path) -> None:
    with Watched(browser, built / "html", "index") as seen:
        box = seen.page.locator(".sidebar-search")
        box.fill("bitonic")
        box.press("Enter")
        seen.page.wait_for_url("**/search.html?*")
        seen.page.locator("ul.search a", has_text="Radix sort").first.wait_for()
        found = seen.page.locator("ul.search li", has_text="Radix sort").locator(".excerpt").first.inner_text()
        assert "bitonic" in found.lower()
        assert len(found) > 100
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
        text = site._embed("Before\n\n## Grade\nAfter\n", [(Call(1, "reduce_tile"), trace)])
        assert text.startswith("Before") and text.endswith("## Grade\nAfter\n")
        assert ('<iframe class="trace" src="traces/reduce_tile.html"' in text) == (kind == "written")
        assert ("has nothing to show yet" in text) == (kind == "stub")
        assert "make trace LAB=1 PART=reduce_tile HTML=trace.html" in text
    assert trace is not None
    # A reader's own page shows the reader's own source.
    assert [source["file"] for source in trace["sources"]] == ["reduction.cu"]


def test_powers_are_raised_in_prose_only() -> None:
    sys.path.insert(0, str(ROOT / "handouts/site"))
    import build as site  # noqa: PLC0415

    kept = "`2^3 log2 n`, and\n\n    2^4\n\n```text\n2^5\n```\n\n$$2^6$$\n\n"
    prose = "2^28, 2^(k+1) and x[i]^2; n log2 n. "
    raised = "2<sup>28</sup>, 2<sup>k+1</sup> and x[i]<sup>2</sup>; n log<sub>2</sub> n. "
    assert site._with_powers(prose + kept + prose) == raised + kept + raised


def test_lines_of_a_message_may_be_broken_and_those_of_a_drawing_may_not(tmp_path: Path) -> None:
    """In a release, too, where no comment says which block is a message."""
    sys.path.insert(0, str(ROOT / "handouts/site"))
    import build as site  # noqa: PLC0415

    page = tmp_path / "page.md"
    page.write_text(
        "```text\nslot 0 1\n```\n\n```text\nslot 0 is wrong\n    try: this\n```\n\n"
        "<!-- said of x: 1 -->\n```text\nslot 1 is wrong\n```\n",
        encoding="utf-8",
    )
    message = "```{code-block} text\n:class: message\n\nslot"
    assert site._words_of(page) == (
        f"```text\nslot 0 1\n```\n\n{message} 0 is wrong\n    try: this\n```\n\n{message} 1 is wrong\n```\n"
    )


def test_the_box_that_skips_to_the_content_is_not_printed(browser: Browser, built: Path) -> None:
    with Watched(browser, built / "html", "index") as seen:
        shown = "getComputedStyle(document.querySelector('.skip-to-content')).display"
        assert seen.page.evaluate(shown) != "none"
        seen.page.emulate_media(media="print")
        assert seen.page.evaluate(shown) == "none"


def test_the_pdf_has_all_handouts(built: Path) -> None:
    """For both sizes of paper, in points."""
    for name, size in (("handouts.pdf", (595, 842)), ("handouts-letter.pdf", (612, 792))):
        pdf = (built / name).read_bytes()
        assert pdf.startswith(b"%PDF-")
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) > 5 * len(NAMES)
        boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
        assert boxes and {(round(float(w)), round(float(h))) for w, h in boxes} == {size}


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
