"""The notebook runs from its first cell to its last, as for a student whose solution is complete."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "handouts" / "scan-labs.ipynb"


def printed(cell: nbformat.NotebookNode) -> str:
    return "".join(output.get("text", "") for output in cell.outputs)


@pytest.mark.slow
def test_the_notebook_builds_tests_runs_and_shows_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = ran(monkeypatch, "reference")
    assert re.search(r"make grade.*: can work$", printed(cells["import re"]), re.MULTILINE)
    assert "reduction: " in printed(cells["!make test LAB=1 PART=reduce_tile"])
    assert " passed, 0 failed" in printed(cells["!make test LAB=1 PART=reduce_tile"])
    run = printed(cells["!make run LAB=1 PART=reduce_tile MONOID=sum N=8 INPUT=example"])
    assert run.rstrip().endswith("right on this input")
    shown = next(cell for cell in cells.values() if "!make trace" in cell.source)
    assert any("image/svg+xml" in output.get("data", {}) for output in shown.outputs)


@pytest.mark.slow
def test_a_part_that_is_not_written_stops_no_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = ran(monkeypatch, "student")
    shown = next(cell for cell in cells.values() if "!make trace" in cell.source)
    assert "reduce_tile launched no kernel, so there is nothing to see" in printed(shown)
    assert [output.output_type for output in shown.outputs if output.output_type != "stream"] == []


def ran(monkeypatch: pytest.MonkeyPatch, submission: str) -> dict[str, nbformat.NotebookNode]:
    """The cells of code, by their first line, after a run in which none fails."""
    monkeypatch.setenv("SUBMISSION", submission)
    for name in ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL"):  # variables of the make that runs this test
        monkeypatch.delenv(name, raising=False)
    notebook = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    return {cell.source.split("\n")[0]: cell for cell in notebook.cells if cell.cell_type == "code"}


def test_without_the_course_beside_it_the_notebook_clones_it(tmp_path: Path) -> None:
    """This happens on Colab, with the address that a release inserts."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    notebook.cells = notebook.cells[:2]
    first = notebook.cells[1]
    assert 'ADDRESS = ""\n' in first.source
    first.source += "\nprint(Path.cwd())"
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    with pytest.raises(CellExecutionError, match="fill in ADDRESS: the course is not here"):
        client.execute()
    first.source = first.source.replace('ADDRESS = ""', f'ADDRESS = "file://{ROOT}"')
    client.execute()
    assert printed(first).splitlines()[-1] == str(tmp_path / "scan-labs")
    assert (tmp_path / "scan-labs" / "labs").is_dir()


def test_the_notebook_is_kept_without_outputs() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    assert all(not cell.outputs and cell.execution_count is None for cell in notebook.cells if cell.cell_type == "code")
