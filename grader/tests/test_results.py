"""results.json: its schema, writing and reading back, and how it is written to the disk."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from grader.front.cli import main
from grader.model.errors import GraderFault
from grader.model.results import from_json, to_json, write_atomically
from grader.model.typed import schema_of
from grader.model.types import SCHEMA_VERSION, Results
from grader.tests.planted import PlantedCourse, failing, meter

SCHEMA = schema_of(Results, SCHEMA_VERSION)


def planted_results(planted: PlantedCourse) -> Path:
    """A results.json in which every status occurs."""
    planted.lab(3, "three")
    planted.lab(4, "four")
    planted.write("student/two.cu", "SYNTAX\n")
    planted.write("student/four.cu", "")
    counts = meter("up", "combines", 33, 32, size="33", formula="n - 1") + meter(
        "up", "steps", 4, 9, size="3x11", formula="log2 n"
    )
    planted.suite("one", failing("up", "clean", "one.cu:3  up: race ⊕\nreplay: make run"), more=counts)
    planted.suite("four", status=2)
    planted.write("student/stray.cu", "")
    assert planted.run("grade") == 3
    return planted.root / "build/grade/student/results.json"


def test_it_keeps_to_its_schema(planted: PlantedCourse) -> None:
    table = json.loads(planted_results(planted).read_text())
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(table, SCHEMA)
    assert {lab["status"] for lab in table["labs"]} == {"failed", "does not compile", "missing", "grader fault"}


@pytest.mark.parametrize("file", ["results", "gradebook"])
def test_the_schema_is_printed(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", file]) == 0
    jsonschema.Draft202012Validator.check_schema(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize("gone", ["score", "labs", "seed", "sandbox"])
def test_the_schema_misses_what_is_gone(planted: PlantedCourse, gone: str) -> None:
    table = json.loads(planted_results(planted).read_text())
    del table[gone]
    with pytest.raises(jsonschema.ValidationError, match=gone):
        jsonschema.validate(table, SCHEMA)


def test_it_reads_back_as_the_same_model(planted: PlantedCourse) -> None:
    text = planted_results(planted).read_text()
    results = from_json(text)
    assert to_json(results) == text
    assert results.labs[0].score == 85
    assert results.score is None
    assert [(entry.path, entry.reason) for entry in results.submission.ignored] == [
        ("stray.cu", "not the name of a lab's file")
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [("{}", "not a results.json"), ('{"schema": 99}', "schema 99 is not 4"), ("[]", "not a results.json")],
)
def test_another_file_is_not_taken_for_one(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        from_json(text)


def test_an_old_file_stays_whole_until_the_new_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "results.json"
    write_atomically(path, b"old")

    def disk_full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", disk_full)
    with pytest.raises(GraderFault, match=r"cannot write .*results.json: No space left .*free some space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_real_lack_of_space_is_told(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib; from grader.model.errors import GraderFault\n"
        "from grader.model.results import write_atomically\n"
        "try: write_atomically(pathlib.Path(sys.argv[1]), bytes(1 << 20))\n"
        "except GraderFault as fault: print(fault)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "out")],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16)),
    )
    assert "File too large; free some space and grade again" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GraderFault, match="cannot write"):
        write_atomically(tmp_path / "file" / "results.json", b"")
