"""A pytest plugin that prints the closing line for `make check` (.ci/tests.toml)."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--closing", metavar="NAME", help="end with a line `NAME: N passed, N failed`")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Prints the line. pytest does not call this when a run was interrupted, so then the line is missing."""
    name = config.getoption("--closing")
    if name is None:
        return
    passed, failed = (
        sum(len(terminalreporter.getreports(outcome)) for outcome in outcomes)
        for outcomes in (("passed",), ("failed", "error"))
    )
    terminalreporter.write_line(f"{name}: {passed} passed, {failed} failed")
