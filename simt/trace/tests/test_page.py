"""The page in a real browser: every control, every key, three widths, light and dark, and no request leaves it."""

import json
import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from conftest import LOOK_BACK, SHOTS, Trace, Traced, picture
from page import page
from parts import Call
from playwright.sync_api import Browser, Page

WIDTHS = {"phone": 375, "desktop": 1280, "wide": 1920}
RACE = "naive_scan/in_place-no-second-barrier"


class Shown:
    """A trace's page in the browser. At its end, it must have made no request and logged no error."""

    def __init__(self, browser: Browser, folder: Path, trace: Trace | None, width: int = 1280, scheme: str = "light"):
        path = folder / "page.html"
        path.write_text(page(trace), encoding="utf-8")
        self.context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,  # type: ignore[arg-type]
            offline=True,
        )
        self.page: Page = self.context.new_page()
        self.troubles: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.troubles.append(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.as_uri())
        self.own = path.as_uri()

    def __enter__(self) -> Page:
        return self.page

    def __exit__(self, kind: object, *_: object) -> None:
        self.context.close()
        if kind is None:
            assert self.troubles == []
            assert [url for url in self.requests if not url.startswith("data:")] == [self.own]


def title(shown: Page) -> str:
    return shown.locator("#stage-box h2").inner_text()


def texts(shown: Page) -> list[str]:
    return shown.locator("#stage text:not(.name):not(.small)").all_text_contents()


def test_the_viewer_is_small() -> None:
    assert len(page(None).encode()) < 500_000


def test_every_button_and_key_goes_where_it_says(browser: Browser, tmp_path: Path, traced: Traced) -> None:
    with Shown(browser, tmp_path, traced(Call(3, "scan_blelloch"))) as shown:
        assert title(shown).startswith("Step 1 of 9")
        assert shown.locator("#back").is_disabled()
        for do, at in (
            (lambda: shown.click("#forward"), 2),
            (lambda: shown.click("#forward"), 3),
            (lambda: shown.click("#back"), 2),
            (lambda: shown.click("#last"), 9),
            (lambda: shown.click("#first"), 1),
            (lambda: shown.locator("#slider").fill("4"), 5),
            (lambda: shown.select_option("#jump", "6"), 7),
            (lambda: shown.locator("#stage").press("ArrowLeft"), 6),
            (lambda: shown.keyboard.press("ArrowRight"), 7),
            (lambda: shown.keyboard.press("End"), 9),
            (lambda: shown.keyboard.press("Home"), 1),
        ):
            do()
            assert title(shown).startswith(f"Step {at} of 9"), at
            assert shown.locator("#jump").input_value() == str(at - 1)
        options = shown.locator("#jump option").all_inner_texts()
        assert "3 after a barrier: up_sweep" in " ".join(options[2].split())


def test_the_picture_is_the_literature_s(browser: Browser, tmp_path: Path, traced: Traced) -> None:
    with Shown(browser, tmp_path, traced(Call(3, "scan_blelloch"))) as shown:
        shown.keyboard.press("ArrowRight")
        assert texts(shown) == ["3", "1", "7", "0", "4", "1", "6", "3", "3", "4", "7", "7", "4", "5", "6", "9"]
        assert shown.locator("#stage path.to.combine").get_attribute("d").count("M") == 8  # type: ignore[union-attr]
        assert shown.locator("#stage path.to.copy").count() == 0
        shown.select_option("#jump", "6")
        assert shown.locator("#stage path.to.copy").get_attribute("d").count("M") == 2  # type: ignore[union-attr]
        assert shown.locator("#spoken").inner_text() == (
            "Step 7 of 9. tree[1] = tree[3]: 0; tree[3] = tree[3] + tree[1]: 4 = 0 + 4; tree[5] = tree[7]: 11; "
            "tree[7] = tree[7] + tree[5]: 16 = 11 + 5."
        )
        shown.check("input[value=ranges]")
        assert texts(shown)[-8:] == ["[0..0]", "[]", "[2..2]", "[0..1]", "[4..4]", "[0..3]", "[6..6]", "[0..5]"]
        shown.check("input[value=all]")
        assert len(texts(shown)) == 10 * 8
        assert shown.locator("#stage rect.now").count() == 1
        shown.locator("#stage").press("a")
        shown.keyboard.press("r")
        assert texts(shown)[-8:] == ["3", "0", "7", "4", "4", "11", "6", "16"]


def test_play_goes_on_and_stops(browser: Browser, tmp_path: Path, traced: Traced) -> None:
    shown_ = Shown(browser, tmp_path, traced(Call(3, "scan_blelloch")))
    with shown_ as shown:
        shown.clock.install(time=0)
        shown.clock.pause_at(1000)
        shown.reload()
        shown_.requests.pop()
        shown.select_option("#speed", "500")
        shown.click("#play")
        assert shown.locator("#play").get_attribute("aria-pressed") == "true"
        shown.clock.run_for(1100)
        assert title(shown).startswith("Step 3 of 9")
        shown.select_option("#speed", "2400")
        shown.clock.run_for(2500)
        assert title(shown).startswith("Step 4 of 9")
        shown.locator("#stage").press("Space")
        shown.clock.run_for(9000)
        assert title(shown).startswith("Step 4 of 9")
        shown.click("#play")
        shown.clock.run_for(60000)
        assert title(shown).startswith("Step 9 of 9")
        assert shown.locator("#play").get_attribute("aria-pressed") == "false"


def test_a_cell_tells_its_history_by_mouse_and_by_key(browser: Browser, tmp_path: Path, traced: Traced) -> None:
    with Shown(browser, tmp_path, traced(Call(3, "scan_blelloch"))) as shown:
        shown.click("#last")
        shown.click("#back")
        box = shown.locator("#stage svg").bounding_box()
        cells = shown.locator("#stage path.box.combine").bounding_box()
        assert box
        assert cells
        shown.mouse.move(cells["x"] + 5, cells["y"] + 5)  # the leftmost combined one: tree[1]
        told = shown.locator("#cell").inner_text()
        assert "tree[1] holds 3, of the inputs [0..0]" in told
        assert "step 2: tree[1] = tree[0] + tree[1]: 4 = 3 + 1 (thread 0" in told
        shown.locator("#stage").press("Shift+ArrowRight")
        assert "tree[2] holds 4, of the inputs [0..1]" in shown.locator("#cell").inner_text()
        shown.keyboard.press("Escape")
        assert "Point at a cell" in shown.locator("#cell").inner_text()


def test_the_source_stands_beside_it(browser: Browser, tmp_path: Path, traced: Traced) -> None:
    with Shown(browser, tmp_path, traced(Call(3, "scan_blelloch"))) as shown:
        shown.keyboard.press("ArrowRight")
        here = shown.locator("#source .here")
        assert "tree[right] = combine(tree[right - stride], tree[right]);" in here.inner_text()
        assert here.get_attribute("aria-current") == "step"
        assert here.is_visible()


def test_a_step_that_only_reads_says_what_it_keeps(browser: Browser, tmp_path: Path, traced: Traced) -> None:
    with Shown(browser, tmp_path, traced(Call(2, "scan_in_place"))) as shown:
        shown.keyboard.press("ArrowRight")
        assert shown.locator("#stage path.read").get_attribute("d").count("M") == 8 + 7  # type: ignore[union-attr]
        assert "thread 2: buffer[1] + buffer[2]: 8 = 1 + 7" in shown.locator("#work").inner_text()


def test_costs_are_on_the_picture(browser: Browser, tmp_path: Path, traced: Traced) -> None:
    with Shown(browser, tmp_path, traced(Call(3, "scan_blelloch", 64))) as shown:
        shown.check("input[value=step]")
        assert "of 128 lanes of the warps' instructions are idle" in shown.locator("#warps").inner_text()
        shown.select_option("#jump", "2")
        assert shown.locator("#stage path.bank").count() == 1
        assert "4 wavefronts" in shown.locator("#requests tr.worse").first.inner_text()
        shown.uncheck("#mark-banks")
        assert shown.locator("#stage path.bank").count() == 0
        shown.click("#first")
        assert shown.locator("#stage path.sector").count() == 0
        shown.check("#mark-sectors")
        assert shown.locator("#stage path.sector").get_attribute("d").count("M") == 8  # type: ignore[union-attr]
        assert shown.locator("#warps .warp i.on").count() == 32
        shown.select_option("#jump", "6")
        assert shown.locator("#warps .warp i.on").count() == 1


def test_a_race_is_on_the_picture(browser: Browser, tmp_path: Path, traced: Traced) -> None:
    with Shown(browser, tmp_path, traced(Call(2, "scan_in_place"), RACE)) as shown:
        assert title(shown).startswith("Step 2 of 5")  # the page begins with the race
        shown.keyboard.press("Home")
        assert title(shown).startswith("Step 1 of 5")
        shown.get_by_role("button", name="Show it: step 2").click()
        assert title(shown).startswith("Step 2 of 5")
        assert shown.locator("#ticks line.race").count() == 3
        assert shown.locator("#stage path.race").count() == 1
        assert "t0 w" in shown.locator("#stage text.race").all_text_contents()
        assert "no barrier stands between" in shown.locator("#findings").inner_text()
        shown.uncheck("#mark-races")
        assert shown.locator("#stage path.race").count() == 0
        shown.keyboard.press("End")
        assert shown.locator("#stage path.wrong").get_attribute("d").count("M") == 6  # type: ignore[union-attr]
        assert "slot 2 holds 14, expected 11" in shown.locator("#findings").inner_text()
        assert shown.locator("#findings td.not").all_inner_texts() == ["14", "15", "32", "35", "65", "71"]


def test_the_address_leads_to_a_step(browser: Browser, tmp_path: Path, traced: Traced) -> None:
    with Shown(browser, tmp_path, traced(Call(3, "scan_blelloch"))) as shown:
        shown.keyboard.press("End")
        shown.check("input[value=ranges]")
        assert shown.url.endswith("page.html#step=9&show=ranges&view=step")
        assert shown.locator("#step-link").get_attribute("href") == "#step=9&show=ranges&view=step"
        shown.evaluate("location.hash = '#step=4&view=all'")
        shown.locator("#step-link").get_by_text("Step 4 of 9").wait_for()
        assert shown.locator("input[value=values]").is_checked()
        assert shown.locator("input[value=all]").is_checked()
        for bad, at in (("#step=99", 9), ("#step=x", 1), ("#nonsense", 1)):
            shown.evaluate("hash => { location.hash = hash; }", bad)
            shown.locator("#step-link").get_by_text(f"Step {at} of 9").wait_for()


def test_the_picture_fills_a_large_window(browser: Browser, tmp_path: Path, traced: Traced) -> None:
    """Nothing but the panels scrolls, no line of the source is cut off, and all steps say their strides."""
    for size, view in ((8, "step"), (64, "all")):
        with Shown(browser, tmp_path, traced(Call(3, "scan_blelloch", size)), width=1920) as shown:
            assert shown.locator(f"input[value={view}]").is_checked()
            assert shown.evaluate("document.documentElement.scrollHeight <= innerHeight")
            assert shown.evaluate("(s => s.scrollWidth <= s.clientWidth)(document.getElementById('source'))")
            share = "document.querySelector('#stage svg').getBoundingClientRect().height / innerHeight"
            assert shown.evaluate(share) > 0.5
            if view == "all":
                titles = shown.locator("#stage text.of-step").all_text_contents()
                assert [t.split(": ")[0] for t in titles[1:4]] == [
                    f"{2 + i}  {'up_sweep, ' if i == 0 else ''}line 73, stride {2**i}" for i in range(3)
                ]
                shown.locator("#stage text.of-step", has_text="stride 4").first.click()
                assert "Step 4 of 15" in title(shown)


def test_a_picture_that_is_a_little_too_wide_is_not_cut_off(browser: Browser, tmp_path: Path, traced: Traced) -> None:
    with Shown(browser, tmp_path, traced(Call(3, "scan_blelloch", 32)), width=1280) as shown:
        shown.check("input[value=step]")
        assert len(texts(shown)) == 2 * 32
        assert shown.evaluate("(s => s.scrollWidth <= s.clientWidth)(document.getElementById('stage'))")


def test_the_controls_of_a_phone_leave_room(browser: Browser, tmp_path: Path, traced: Traced) -> None:
    with Shown(browser, tmp_path, traced(Call(3, "scan_blelloch")), width=375) as shown:
        shown.set_viewport_size({"width": 375, "height": 700})
        for where in ("0", "1e6"):
            shown.evaluate(f"window.scrollTo(0, {where})")
            box = shown.locator("#controls").bounding_box()
            assert box
            assert box["height"] < 70
            assert 0 <= box["y"] < 700 - box["height"] + 1
        assert shown.locator("#options").is_hidden()
        shown.click("#options-button")
        assert shown.locator("#options").is_visible()


def overlap(one: list[float], other: list[float]) -> bool:
    """Returns whether two boxes (left, top, right, bottom) overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def assert_labels_are_apart(shown: Page) -> None:
    boxes = shown.locator("#blocks text").evaluate_all(
        "all => all.map((t) => t.getBBox()).map((b) => [b.x, b.y, b.x + b.width, b.y + b.height])"
    )
    assert len(boxes) > 20
    for number, one in enumerate(boxes):
        assert one[2] - one[0] > 5, one
        assert not any(overlap(one, other) for other in boxes[:number]), one


def test_blocks_over_time_say_who_waited(browser: Browser, tmp_path: Path, traced: Traced) -> None:
    trace = traced(LOOK_BACK)
    wait = trace["waits"][0]
    with Shown(browser, tmp_path, trace) as shown:
        told = shown.locator("#waits").inner_text()
        assert f"block {wait['block']} waited for block {wait['for']}" in told
        assert told.count("drew ticket") == 4
        assert told.count("published") == 7  # a prefix of each tile, and a sum of each but the first
        assert shown.locator("#blocks circle").count() == 7 + 4
        assert shown.locator("#blocks path.bank").count() == len(trace["waits"])
        assert re.search(
            r"block 2 published values\[1\] = -?\d+, of the inputs \[512..1023\], by the flag flags\[1\] = 1", told
        )
        labels = shown.locator("#blocks text.small").all_text_contents()
        assert {f"ticket {number}" for number in range(4)} <= set(labels)
        assert any(re.fullmatch(r"values\[1\]=-?\d+ \[512..1023\]", label) for label in labels)
        assert labels.count("flags[1]=1") == labels.count("flags[1]=2") == 1
        assert_labels_are_apart(shown)
        assert shown.locator("#blocks-choice").is_hidden()
    with Shown(browser, tmp_path, traced(Call(3, "scan_blelloch"))) as shown:
        assert shown.locator("#blocks-box").is_hidden()


def test_labels_of_blocks_do_not_overlap(browser_of_fonts: Browser, tmp_path: Path, traced: Traced) -> None:
    """This holds for any monospace font of the reader."""
    with Shown(browser_of_fonts, tmp_path, traced(LOOK_BACK)) as shown:
        assert_labels_are_apart(shown)


def test_the_launch_whose_blocks_are_shown_is_chosen(browser: Browser, tmp_path: Path, handing: Trace) -> None:
    """The reader chooses it; a step of another launch changes to that launch."""
    with Shown(browser, tmp_path, handing) as shown:
        told = shown.locator("#waits")
        assert shown.locator("#blocks-launch option").all_inner_texts() == ["1: draw", "2: add"]
        assert "drew ticket 1 from next[0]" in told.inner_text()
        assert "published data[1] = 21, by the flag ready[1] = 1" in told.inner_text()
        shown.select_option("#blocks-launch", "1")
        assert "changed total[0] from 5 to 10" in told.inner_text()
        assert "ticket" not in told.inner_text()
        first = next(number for number, step in enumerate(handing["steps"]) if step["launch"] == 0)
        shown.select_option("#jump", str(first))
        assert "drew ticket 1" in told.inner_text()
        assert shown.locator("#blocks-launch").input_value() == "0"
        shown.click("#last")
        assert shown.locator("#blocks-launch").input_value() == "1"


def test_a_trace_is_opened_and_what_is_none_is_refused(browser: Browser, tmp_path: Path, traced: Traced) -> None:
    file = tmp_path / "file.json"
    with Shown(browser, tmp_path, None) as shown:
        assert "Open a trace" in shown.locator("#error").inner_text()
        for name, text, says in (
            ("a", "nonsense", "no JSON"),
            ("b", "{}", "no trace"),
            ("c", '{"format":"scan-labs-trace","version":9}', "version 9"),
            ("d", "null", "no trace"),
        ):
            (tmp_path / name).write_text(text, encoding="utf-8")
            shown.set_input_files("#open", tmp_path / name)
            shown.locator("#error").get_by_text(says).wait_for(timeout=5000)
        trace = {**traced(Call(3, "scan_blelloch")), "title": "<img src=x onerror=alert(1)></script>"}
        file.write_text(json.dumps(trace), encoding="utf-8")
        shown.set_input_files("#open", file)
        shown.get_by_text("Step 1 of 9", exact=False).first.wait_for()
        assert shown.locator("#title").inner_text() == trace["title"]
        assert shown.locator("#error").is_hidden()
    with Shown(browser, tmp_path, trace) as shown:  # the same, written into the page
        assert shown.locator("#title").inner_text() == trace["title"]


@pytest.mark.parametrize("name", ["race", "look-back"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_it_fits_and_axe_finds_nothing(
    browser: Browser, tmp_path: Path, traced: Traced, width: str, scheme: str, name: str
) -> None:
    words = (Call(2, "scan_in_place"), RACE) if name == "race" else (LOOK_BACK,)
    with Shown(browser, tmp_path, traced(*words), WIDTHS[width], scheme) as shown:
        shown.keyboard.press("ArrowRight")
        wider = shown.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider == 0, f"{wider} pixels wider than the window"
        background = shown.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(int(n) for n in background[4:-1].split(",")) < 384) == (scheme == "dark")
        violations = Axe().run(shown).response["violations"]
        assert not violations, [(v["id"], v["nodes"][0]["html"]) for v in violations]
        picture(shown, f"viewer-{name}-{width}-{scheme}", whole=True)
        other = "light" if scheme == "dark" else "dark"
        if width == "phone":
            shown.click("#options-button")
        shown.select_option("#theme", other)
        assert shown.evaluate("getComputedStyle(document.body).backgroundColor") != background


def test_a_thousand_elements_are_smooth(browser: Browser, tmp_path: Path, traced: Traced) -> None:
    """The cost of a step is what it draws: a few paths, however many cells there are. No clock decides."""
    with Shown(browser, tmp_path, traced(Call(3, "scan_blelloch", 1024, tile=1024))) as shown:
        for view in ("step", "all"):
            shown.check(f"input[value={view}]")
            shown.locator("#stage").press("ArrowRight")
            assert shown.locator("#stage svg *").count() < 200
            names = shown.locator("#stage text.name").evaluate_all(
                "all => all.map((t) => t.getBBox()).map((b) => [b.y, b.y + b.height])"
            )
            heads = [
                float(y)
                for path in shown.locator("#stage path.head").all()
                for y in re.findall(r"M\S+ (\S+?)l-4 -8", path.get_attribute("d") or "")
            ]
            assert heads
            assert not [y for y in set(heads) for top, bottom in names if y - 8 < bottom and y > top]
        assert shown.locator("#stage path.box").count() >= 3


def test_a_blank_picture_is_told(browser: Browser) -> None:
    page = browser.new_page()
    for colour in ("white", "#15171b"):
        page.set_content(f"<body style='background: {colour}'><p>.</p>")
        with pytest.raises(AssertionError, match="is blank"):
            picture(page, "blank")
    (SHOTS / "blank.png").unlink()
    page.close()
