"""What the tests of pages share."""

from grader.tests.browser import browser

__all__ = ["browser"]
