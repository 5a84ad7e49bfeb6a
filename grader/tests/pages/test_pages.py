"""The pages in a real browser: three widths, light and dark, keyboard, screen readers, hostile names and sources.

Chromium comes from the system. axe searches for obstacles to people with disabilities.
"""

from pathlib import Path

import html5lib
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Dialog, Page

from grader.export.graded import read_results
from grader.front.cli import main
from grader.model.results import to_json
from grader.model.types import Speed
from grader.tests import exported
from grader.tests.browser import shoot
from grader.tests.planted import PlantedCourse

WIDTHS = {"phone": 375, "tablet": 768, "desktop": 1280}
SCHEMES = ("light", "dark")
PAGES = (
    "class.html",
    "reports/hand-in-000.html",
    "instructor/hand-in-000.html",
    "reports/hand-in-001.html",
    "similar.html",
    "board.html",
    "term/term.html",
    "term/instructor/hand-in-001.html",
    "term/reports/hand-in-001.html",
)
HAND_INS = 12
ALIKE = f"// board: {exported.HOSTILE}\n" + "".join(f"out[{i} * t] = f{i}(in[t + {i}], n) - {i};\n" for i in range(30))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a hostile class."""
    folder = tmp_path_factory.mktemp("class")
    exported.write_class(folder, HAND_INS)
    for i in (4, 5):  # two similar hand-ins
        place = folder / f"submissions/hand-in-{i:03}"
        (place / "src/naive_scan.cu").write_text(ALIKE, encoding="utf-8")
        timed = exported.raced(read_results(place / "results.json"), Speed("50 %", i / 5, i / 6, i / 4, 1.25, 1.0))
        (place / "results.json").write_text(to_json(timed), encoding="utf-8")
    assert main(["report", str(folder / "gradebook.json")]) == 0
    assert main(["board", str(folder / "gradebook.json")]) == 0
    assert main(["similar", str(folder / "gradebook.json"), "--lab", "2", "--least", "0"]) == 0
    exported.write_term(folder / "report", HAND_INS)
    return folder / "report"


class Seen:
    """A page, with everything that it did and should not do."""

    def __init__(self, browser: Browser, path: Path, width: int, scheme: str) -> None:
        self.context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme=scheme,  # type: ignore[arg-type]
            offline=True,
        )
        self.page: Page = self.context.new_page()
        self.troubles: list[str] = []
        self.dialogs: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.troubles.append(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("dialog", self._dismiss)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.as_uri())

    def _dismiss(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def __enter__(self) -> "Seen":
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_whole(browser: Browser, site: Path, page: str, width: str, scheme: str) -> None:
    """No element is wider than the page, only the page's own code runs, nothing is loaded, and axe finds nothing."""
    with Seen(browser, site / page, WIDTHS[width], scheme) as seen:
        wider = seen.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider == 0, f"{wider} pixels wider than the window"
        assert seen.requests == [(site / page).as_uri()]
        background = seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(int(n) for n in background[4:-1].split(",")) < 384) == (scheme == "dark")
        violations = Axe().run(seen.page).response["violations"]
        assert not violations, [(v["id"], v["nodes"][0]["html"]) for v in violations]
        assert (seen.troubles, seen.dialogs) == ([], [])


@pytest.mark.parametrize(("width", "scheme"), [("phone", "light"), ("desktop", "dark")])
def test_the_page_of_the_progress_is_whole(browser: Browser, planted: PlantedCourse, width: str, scheme: str) -> None:
    """This holds with results of each kind: passed, failed, proved, and not tested."""
    lines = ("5\tup\ttest\t7\t0\tnone\n", "6\tup\tprove\t2\t0\tholds\n", "7\tdown\ttest\t5\t2\tfails\n")
    planted.write("build/progress/two.tests", "".join(lines))
    assert planted.run("progress") == 0
    with Seen(browser, planted.root / "build/progress/index.html", WIDTHS[width], scheme) as seen:
        assert seen.page.locator("h1").inner_text().endswith("of 4 parts pass")
        wider = seen.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider == 0, f"{wider} pixels wider than the window"
        violations = Axe().run(seen.page).response["violations"]
        assert not violations, [(v["id"], v["nodes"][0]["html"]) for v in violations]
        assert seen.troubles == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_valid_html(site: Path, page: str) -> None:
    html5lib.HTMLParser(strict=True).parse((site / page).read_text(encoding="utf-8"))


def test_the_validator_sees_what_is_not_escaped(site: Path) -> None:
    text = (site / PAGES[1]).read_text(encoding="utf-8").replace("&lt;/pre&gt;", "</pre>")
    with pytest.raises(html5lib.html5parser.ParseError):
        html5lib.HTMLParser(strict=True).parse(text)


def test_a_script_that_gets_in_does_not_run(browser: Browser, site: Path, tmp_path: Path) -> None:
    """If the escaping failed, the page's policy would still stop the script. Without the policy the script does run."""
    text = (site / PAGES[1]).read_text(encoding="utf-8")
    injected = text.replace("<h1>", "<script>alert(1)</script><img src=x onerror=alert(2)><h1>", 1)
    for name, content, dialogs in (
        ("held", injected, []),
        ("open", injected.replace("Content-Security-Policy", "x-nothing"), ["1", "2"]),
    ):
        path = tmp_path / f"{name}.html"
        path.write_text(content, encoding="utf-8")
        with Seen(browser, path, 1280, "light") as seen:
            seen.page.wait_for_load_state()
            assert seen.dialogs == dialogs


def test_the_table_of_a_class_is_sorted_and_searched_by_keyboard(browser: Browser, site: Path) -> None:
    with Seen(browser, site / "class.html", 1280, "light") as seen:
        page = seen.page
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        head = page.locator("#all-hand-ins thead th", has_text="score")
        scores = page.locator("#all-hand-ins tbody tr td:last-child")
        for order in ("ascending", "descending"):
            head.locator("button").focus()
            page.keyboard.press("Enter")
            assert head.get_attribute("aria-sort") == order
            keys = [float(scores.nth(i).get_attribute("data-key") or "") for i in range(HAND_INS)]
            assert keys == sorted(keys, reverse=order == "descending")
            assert len(set(keys)) > 2
        page.locator("#search").focus()
        page.keyboard.type("student 004")
        assert page.locator("#search-says").inner_text() == f"1 of {HAND_INS} shown"
        assert page.locator("#all-hand-ins tbody tr:visible").count() == 1
        page.keyboard.press("Control+A")
        page.keyboard.press("Delete")
        assert page.locator("#all-hand-ins tbody tr:visible").count() == HAND_INS
        page.locator("a", has_text="hand-in-002").focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/instructor/hand-in-002.html")
        assert page.locator("h1").inner_text() == "Student 002"  # the same as in the gradebook


def test_a_finding_leads_to_its_line(browser: Browser, site: Path) -> None:
    """This holds for folded sources too. The line shows the code as it was handed in."""
    with Seen(browser, site / "reports/hand-in-002.html", 375, "light") as seen:
        page = seen.page
        line = page.locator("#lab2-L3")
        page.locator("#lab2 .source details").evaluate("element => { element.open = false; }")
        assert not line.is_visible()
        page.locator("#lab2 .jumps a", has_text="3").focus()
        page.keyboard.press("Enter")
        line.wait_for(state="visible")
        assert line.locator("code").text_content() == "    buffer[t] = sum; //     x < y && z"
        assert "race on shared buffer[17]" in line.locator(".remark").inner_text()
        assert "forged" not in page.locator("#lab2 .source").inner_text()
        assert exported.HOSTILE[:40] in page.locator("#lab2-L1 code").inner_text()


def test_three_clicks_lead_from_what_went_wrong_most_to_a_student_s_override(browser: Browser, tmp_path: Path) -> None:
    """The class has 150 hand-ins."""
    with Seen(browser, exported.write_term(tmp_path, 150) / "term.html", 1280, "light") as seen:
        page = seen.page
        most = page.locator("section[aria-labelledby=findings] details").first
        shoot(page, "term", whole=True)
        most.locator("summary").click()
        shoot(page, "term-who")
        most.locator("li a", has_text="Student 021").click()
        page.wait_for_url("**/instructor/hand-in-021.html#lab2")
        said = page.locator("#lab2 table.points tbody tr", has_text="scan_quadratic")
        assert said.is_visible()
        assert "30 by B. Moe: One missing semicolon" in said.inner_text()
        assert "(the grader: 10)" in said.inner_text()
        page.locator("#lab2 summary", has_text="Give points by hand").click()
        line = page.locator("#lab2 .replay code", has_text="scan_in_place")
        assert line.is_visible()
        assert line.inner_text() == "1021,2,scan_in_place,POINTS,REASON,NAME"
        shoot(page, "term-student", whole=True)
        page.locator("a", has_text="all students").click()
        page.wait_for_url("**/term.html")
        assert seen.troubles == []
