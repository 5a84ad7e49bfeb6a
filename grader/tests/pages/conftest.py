"""What the tests of pages share."""

from grader.tests.browser import browser, playwright

__all__ = ["browser", "playwright"]
