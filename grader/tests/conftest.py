"""Fixtures that several test files share."""

from pathlib import Path

import pytest

from grader.tests.planted import PlantedCourse
from grader.walls.sandbox import Fence, Sandbox, find_sandbox


@pytest.fixture
def planted(tmp_path: Path) -> PlantedCourse:
    """A course in miniature in which everything passes."""
    root = tmp_path / "course"
    root.mkdir()
    return PlantedCourse(root)


@pytest.fixture(scope="session")
def sandbox() -> Sandbox:
    """This machine's sandbox; the test is skipped where there is none."""
    found = find_sandbox()
    if not isinstance(found, Sandbox) or isinstance(found, Fence):
        pytest.skip(found.missing if isinstance(found, Fence) else found)
    return found
