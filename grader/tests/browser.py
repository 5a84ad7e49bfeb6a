"""The browser for all tests of pages, those of the grader and those of traces. The tests leave pictures in
build/screenshots for people to look at."""

import os
import shutil
import struct
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

SHOTS = Path(__file__).resolve().parents[2] / "build/screenshots"
SHOT_WIDTHS = {"phone": 375, "tablet": 768, "desktop": 1280}
SCHEMES = ("light", "dark")


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


def launch(playwright: Playwright, environment: Mapping[str, str]) -> Browser:
    """Starts Chromium without its own sandbox, which containers do not allow. It opens only the course's pages,
    offline."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert program, "there is no chromium; try: apt-get install chromium"
    return playwright.chromium.launch(
        executable_path=program, chromium_sandbox=False, env={**os.environ, **environment}
    )


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """One browser for all tests."""
    launched = launch(playwright, {})
    yield launched
    launched.close()


# Folders of the fonts in Debian's packages fonts-dejavu-core, fonts-noto-mono and fonts-liberation.
FONTS = {"DejaVu Sans Mono": "dejavu", "Noto Sans Mono": "noto", "Liberation Mono": "liberation*"}
_FONTCONFIG = """\
<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>{folders}<cachedir>{cache}</cachedir>
<match><test name="family"><string>monospace</string></test>
<edit name="family" mode="assign" binding="strong"><string>{name}</string></edit></match></fontconfig>
"""


@pytest.fixture(params=FONTS)
def browser_of_fonts(request: pytest.FixtureRequest, playwright: Playwright, tmp_path: Path) -> Iterator[Browser]:
    """A browser that has only the fonts of one package."""
    folders = [str(folder) for folder in Path("/usr/share/fonts/truetype").glob(FONTS[request.param])]
    assert folders, f"there is no {request.param}; try: make setup-dev"
    listed = "".join(f"<dir>{folder}</dir>" for folder in folders)
    config = tmp_path / "fonts.conf"
    config.write_text(_FONTCONFIG.format(folders=listed, cache=tmp_path / "cache", name=request.param))
    launched = launch(playwright, {"FONTCONFIG_FILE": str(config)})
    yield launched
    launched.close()


def busy_rows(png: bytes) -> float:
    """The share of a picture's rows that contain more than one colour or a gradient, from 0 to 1. The picture must have
    8 bits for each colour and no interlacing, as browsers write it."""
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", png[16:29])
    assert (depth, interlaced) == (8, 0) and kind in (2, 6)
    data, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += length + 12
    rows, length = zlib.decompress(data), 1 + width * (3 if kind == 2 else 4)
    # Each byte is the difference from a neighbour, so a row of a single colour has few different bytes.
    busy = sum(len(set(rows[row * length + 1 : (row + 1) * length])) > 8 for row in range(height))
    return busy / int(height)


def picture(page: Page, name: str, whole: bool = False) -> None:
    """Saves a picture of the page and checks that it is not blank; with `whole`, a picture of its full length."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    path = SHOTS / f"{name}.png"
    path.unlink(missing_ok=True)
    page.screenshot(path=path, full_page=whole, animations="disabled", timeout=300_000)  # a busy machine needs minutes
    share = busy_rows(path.read_bytes())
    assert share > 0.1, f"{path} is blank: {share:.0%} of its rows show something"


def shoot(page: Page, name: str, whole: bool = False) -> None:
    """Saves pictures of the page at three widths, in light and in dark."""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        for width, pixels in SHOT_WIDTHS.items():
            page.set_viewport_size({"width": pixels, "height": 900})
            page.wait_for_timeout(120)  # animations end
            picture(page, f"{name}-{width}-{scheme}", whole)
