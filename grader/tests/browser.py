"""The browser that tests of pages share, those of the grader and those of traces."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One for all tests. Its own sandbox is off, as containers allow none; it opens pages of ours, offline."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert program, "there is no chromium; try: apt-get install chromium"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, chromium_sandbox=False)
        yield launched
        launched.close()
