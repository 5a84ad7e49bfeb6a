"""Fixtures for the tests of pages."""

from grader.tests.browser import browser, playwright

__all__ = ["browser", "playwright"]
