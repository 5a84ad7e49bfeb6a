"""The workflow for GitHub Actions: its script runs unchanged, with a planted `make` that writes the results of a
grading."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.tests import exported

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = yaml.safe_load((ROOT / "grader" / "export" / "actions.yml").read_text(encoding="utf-8"))


def step(name: str) -> dict[str, Any]:
    (job,) = WORKFLOW["jobs"].values()
    found: dict[str, Any] = next(step for step in job["steps"] if step.get("name") == name)
    return found


def run(tmp_path: Path, graded: str) -> tuple[subprocess.CompletedProcess[str], str]:
    """Runs the grading step. Returns how it ended, and the job's summary. `graded` is the results.json, if any."""
    for folder in ("grader", "labs"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    (tmp_path / "build/venv/bin").mkdir(parents=True)
    (tmp_path / "build/venv/bin/python3").symlink_to(sys.executable)
    (tmp_path / "bin").mkdir()
    make = tmp_path / "bin" / "make"
    make.write_text('#!/bin/sh\necho "::error::forged"\n[ -s graded ] && cp graded results.json\nexit 2\n')
    make.chmod(0o755)
    (tmp_path / "graded").write_text(graded, encoding="utf-8")
    (tmp_path / "summary").touch()
    environment = {
        **os.environ,
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
    }
    # With the options that GitHub uses
    script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step("Grade")["run"]]
    done = subprocess.run(script, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    return done, (tmp_path / "summary").read_text()


def test_points_lost_are_reported(tmp_path: Path) -> None:
    exported.write_graded(tmp_path / "of", exported.results())
    done, summary = run(tmp_path, (tmp_path / "of" / "results.json").read_text(encoding="utf-8"))
    assert done.returncode == 0, done.stderr
    assert summary.startswith("# 50 of 300 points\n")
    lines = done.stdout.splitlines()
    assert any(line.startswith("student/naive_scan.cu:3:1: error: race") for line in lines)
    stopped = lines[0].removeprefix("::stop-commands::")
    assert len(stopped) == 32
    assert lines.index("::error::forged") < lines.index(f"::{stopped}::")


def test_a_grading_that_did_not_come_about_fails_the_job(tmp_path: Path) -> None:
    done, summary = run(tmp_path, "")
    assert (done.returncode != 0, summary) == (True, "")


@pytest.mark.parametrize("name", ["Set up", "Grade"])
def test_the_workflow_has_its_steps(name: str) -> None:
    assert {"run", "uses"} & set(step(name))
