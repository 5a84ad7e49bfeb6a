"""The packages of the grader form floors: a module imports only from its own package and from packages below."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

GRADER = Path(__file__).parents[1]
# From bottom to top. Packages on the same floor do not import each other.
FLOORS = (("model",), ("handin",), ("walls",), ("judge",), ("export",), ("audit", "release"), ("classes",), ("front",))
FLOOR = {package: number for number, packages in enumerate(FLOORS) for package in packages}


def imported(module: Path) -> Iterator[str]:
    """The packages of the grader that a module imports from."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            top, _, rest = name.partition(".")
            if top == "grader" and rest.partition(".")[0] in FLOOR:
                yield rest.partition(".")[0]


def upward(folder: Path) -> list[str]:
    return sorted(
        f"{module.relative_to(folder)} imports {package}"
        for home in FLOOR
        for module in (folder / home).rglob("*.py")
        for package in set(imported(module))
        if package != home and FLOOR[package] >= FLOOR[home]
    )


def test_every_package_has_a_floor_and_no_module_lies_outside() -> None:
    packages = {path.parent.name for path in GRADER.glob("*/__init__.py")} - {"tests"}
    assert packages == set(FLOOR)
    assert {path.name for path in GRADER.glob("*.py")} == {"__init__.py", "__main__.py"}


def test_no_import_leads_upward() -> None:
    assert upward(GRADER) == []


@pytest.mark.parametrize(
    "line", ["from grader.front.cli import main", "import grader.front.cli", "from grader import front"]
)
def test_an_import_that_leads_upward_is_found(tmp_path: Path, line: str) -> None:
    (tmp_path / "judge").mkdir()
    (tmp_path / "judge" / "score.py").write_text(line + "\n")
    assert upward(tmp_path) == ["judge/score.py imports front"]
