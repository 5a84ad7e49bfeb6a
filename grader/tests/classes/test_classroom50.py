"""The autograder for Classroom 50: it is started like the runner's, with a planted `make` that writes the results of a
grading."""

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import grader.export
from grader.model.results import to_json
from grader.model.types import Results
from grader.tests import exported
from grader.tests.formats import RUNNER
from grader.tests.formats.test_classroom50 import valid

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = Path(grader.export.__file__ or "").parent / "autograder" / "classroom50.py"
# Keeps the contents of student/, and does what `make setup` and `make grade` would.
MAKE = f"""#!/bin/sh
case $1 in
setup)
    mkdir -p build/venv/bin && ln -s '{sys.executable}' build/venv/bin/python3 && ln -s '{ROOT}/grader' '{ROOT}/labs' .
    ;;
grade) cp student/* "$KEPT"; [ -s "$GRADED" ] && cp "$GRADED" results.json; exit 2 ;;
esac
"""


def run(tmp_path: Path, results: Results | None) -> int:
    """Runs it in a student's checkout. The files to grade are kept in the folder `kept`."""
    bundle, checkout, kept, programs = (tmp_path / name for name in ("bundle", "checkout", "kept", "bin"))
    for folder in (bundle, checkout / "student", kept, programs):
        folder.mkdir(parents=True)
    shutil.copy(SCRIPT, bundle / "autograder.py")
    with tarfile.open(bundle / "scan-labs-student.tar.gz", "w:gz") as archive:
        for name in ("student/one.cu", "student/two.cu"):
            content = b"a stub"
            entry = tarfile.TarInfo(f"scan-labs-student/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    (programs / "make").write_text(MAKE)
    (programs / "make").chmod(0o755)
    (checkout / "student" / "one.cu").write_text("mine")
    (checkout / "Makefile").write_text("grade:\n\techo 100 of 100\n")
    (tmp_path / "graded").write_text(to_json(results) if results is not None else "")
    environment = {
        **os.environ,
        **RUNNER,
        "PATH": f"{programs}:{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "KEPT": str(kept),
        "GRADED": str(tmp_path / "graded"),
    }
    argv = [sys.executable, str(bundle / "autograder.py")]
    return subprocess.run(argv, cwd=checkout, env=environment, check=False, capture_output=True).returncode


def test_only_the_labs_files_are_the_student_s(tmp_path: Path) -> None:
    """A lab without a file is missing; its stub is not graded instead."""
    assert run(tmp_path, exported.results()) == 0
    assert {path.name: path.read_text() for path in (tmp_path / "kept").iterdir()} == {"one.cu": "mine"}
    made = (tmp_path / "checkout" / "result.json").read_text()
    valid(made)
    assert json.loads(made)["score"] == 50


def test_a_fault_of_the_grader_is_an_error_of_the_machinery(tmp_path: Path) -> None:
    assert run(tmp_path, exported.faulty()) != 0
    made = (tmp_path / "checkout" / "result.json").read_text()
    valid(made)
    assert json.loads(made)["max-score"] == 0


def test_a_grading_that_did_not_come_about_writes_nothing(tmp_path: Path) -> None:
    assert run(tmp_path, None) != 0
    assert not (tmp_path / "checkout" / "result.json").exists()
