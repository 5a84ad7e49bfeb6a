"""What an editor reads from the output: the tasks of Visual Studio Code and their problem matchers."""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TASKS = json.loads((ROOT / ".vscode/tasks.json").read_text(encoding="utf-8"))["tasks"]
COMPILER, DEVICE = (matcher["pattern"] for matcher in TASKS[0]["problemMatcher"])


def found(pattern: dict[str, object], text: str) -> list[tuple[str, str, str]]:
    """File, line and message of each problem, as the editor reads them."""
    places = [int(str(pattern[name])) for name in ("file", "line", "message")]
    matches = (re.match(str(pattern["regexp"]), line) for line in text.splitlines())
    return [(m[places[0]], m[places[1]], m[places[2]]) for m in matches if m]


def test_an_error_of_the_compiler_is_a_problem() -> None:
    said = "student/scan.cu:2:7: error: 'n' was not declared in this scope\n"
    words = [sys.executable, "labs/support/tools/diagnose.py", "student/scan.cu"]
    told = subprocess.run(words, cwd=ROOT, input=said, capture_output=True, text=True, check=True).stdout
    assert found(COMPILER, told) == [("scan.cu", "2", "'n' was not declared in this scope")]
    assert found(DEVICE, told) == []


def test_a_finding_is_a_problem_also_within_a_failed_test() -> None:
    """The message is the one in the README. In the output of make test it is indented."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.findall(r"^```text\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)[0]
    expected = [("naive_scan.cu", "149", "scan_in_place_kernel: race on shared buffer[0]")]
    for text in (block, "".join(f"      {line}\n" for line in block.splitlines())):
        assert found(DEVICE, text) == expected
        assert found(COMPILER, text) == []


def test_the_tasks_call_targets_that_there_are() -> None:
    targets = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for task in TASKS:
        target = (task["command"].split()[1:] or task["args"])[0]
        assert target == "compile_commands.json" or f"make {target} " in targets, task["label"]


def test_in_a_student_s_copy_an_editor_reads_the_student_s_files_only(tmp_path: Path) -> None:
    tool = tmp_path / "labs/support/tools/compile_commands.py"
    for name in ("2-naive-scan/a.h", "module.mk", "support/suite/suite.c", "support/tools/compile_commands.py"):
        (tmp_path / "labs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "labs" / name).touch()
    tool.write_bytes((ROOT / "labs/support/tools/compile_commands.py").read_bytes())
    (tmp_path / "student").mkdir()
    (tmp_path / "student/naive_scan.cu").touch()

    def files() -> list[str]:
        done = subprocess.run([sys.executable, str(tool)], capture_output=True, text=True, check=True)
        return [entry["file"] for entry in json.loads(done.stdout)]

    assert files() == ["student/naive_scan.cu"]
    (tmp_path / "reference").mkdir()
    assert files() == ["labs/support/suite/suite.c", "student/naive_scan.cu"]
