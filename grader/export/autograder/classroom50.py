#!/usr/bin/env python3
"""Classroom 50's autograder: copy this file as autograder.py, with scan-labs-student.tar.gz next to it, to
CLASSROOM/autograders/ASSIGNMENT/ of the classroom50 repository.

The runner starts it in the student's checkout. Only the labs' files are taken from there; the course is unpacked from
the archive, since students may change anything in their own repository. Exit status 0 means that result.json has the
outcome. Any other status is an error of the machinery, which gives no student 0 points.
"""

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

LAB = ""  # number of the lab of this assignment; empty for all labs
ARCHIVE = Path(__file__).resolve().parent / "scan-labs-student.tar.gz"
TOP = "scan-labs-student"  # the only folder in the archive


def main() -> int:
    """Grades the checkout and writes result.json into it."""
    checkout = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="scan-labs.") as folder:
        with tarfile.open(ARCHIVE) as archive:
            archive.extractall(folder, filter="data")
        course = Path(folder) / TOP
        for stub in sorted((course / "student").glob("*.cu")):
            own = checkout / "student" / stub.name
            stub.unlink()
            if own.is_file() and not own.is_symlink():
                shutil.copyfile(own, stub)
        subprocess.run(["make", "setup"], cwd=course, check=True)
        results = course / "results.json"
        options = [f"GRADE_OPTIONS=--json {results}", *([f"LAB={LAB}"] if LAB else [])]
        subprocess.run(["make", "grade", *options], cwd=course, check=False)  # its status is not 0 when points are lost
        if not results.is_file():
            return 1
        export = ["build/venv/bin/python3", "-m", "grader", "export", "classroom50", "--from", str(results)]
        subprocess.run([*export, "--to", str(checkout / "result.json")], cwd=course, check=True)
        made = json.loads((checkout / "result.json").read_text(encoding="utf-8"))
        return 0 if made["tests"] else 1  # without tests, the grader failed


if __name__ == "__main__":
    sys.exit(main())
