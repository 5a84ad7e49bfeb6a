"""Fixtures that several test files share."""

from pathlib import Path

import pytest

from grader.export.graded import Class
from grader.tests.escapes import plant_a_runner
from grader.tests.formats import a_class
from grader.tests.planted import PlantedCourse
from grader.walls.sandbox import Fence, Sandbox, find_sandbox


@pytest.fixture
def planted(tmp_path: Path) -> PlantedCourse:
    """A small course in which all tests pass."""
    root = tmp_path / "course"
    root.mkdir()
    return PlantedCourse(root)


@pytest.fixture
def escape(planted: PlantedCourse, monkeypatch: pytest.MonkeyPatch) -> PlantedCourse:
    """A course whose runner tries to get out."""
    monkeypatch.setenv("SCAN_LABS_TOKEN", "secret")
    return plant_a_runner(planted)


@pytest.fixture(scope="session")
def sandbox() -> Sandbox:
    """This machine's sandbox; the test is skipped when there is none."""
    found = find_sandbox()
    if not isinstance(found, Sandbox) or isinstance(found, Fence):
        pytest.skip(found.missing if isinstance(found, Fence) else found)
    return found


@pytest.fixture(scope="session")
def klass(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """A class of thirty hand-ins, in which every fifth has a wrong scan_quadratic."""
    return a_class(tmp_path_factory.mktemp("class"), 30)
