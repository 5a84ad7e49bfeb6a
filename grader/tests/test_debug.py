"""gdb on kernels: the output of `make debug`, and the settings for the debugger of Visual Studio Code."""

import json
import os
import re
import subprocess
from pathlib import Path
from threading import Timer

import pytest

from grader.audit.trials import find_trial, make_source
from grader.tests.real import gdb_calls_functions

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 300
pytestmark = pytest.mark.slow
calls = pytest.mark.skipif(not gdb_calls_functions(), reason="gdb cannot call functions on this processor")


def line_of(lab: str, text: str, after: str = "") -> int:
    """Number of the first line in the reference with this text, after the first line with `after` if that is given."""
    lines = (ROOT / f"reference/{lab}.cu").read_text(encoding="utf-8").splitlines()
    start = next((i for i, line in enumerate(lines) if after in line), 0)
    return next(i + 1 for i, line in enumerate(lines) if i >= start and text in line)


def run(words: list[str], commands: list[str]) -> list[str]:
    """gdb's output for typed commands, line by line and without prompts."""
    done = subprocess.run(
        words,
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "80"},
        input="".join(f"{command}\n" for command in commands),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return [line.replace("(gdb) ", "") for line in (done.stdout + done.stderr).splitlines()]


def debug(*settings: str, commands: list[str]) -> list[str]:
    return run(["make", "debug", "SUBMISSION=reference", *settings], commands)


IN_PLACE = "scan_in_place_kernel(const"


@calls
def test_it_stops_for_one_thread_and_shows_what_the_block_shares() -> None:
    line = line_of("naive_scan", "__syncthreads();", after="sum = combine(buffer[t - stride], sum);")
    said = debug("LAB=2", "PART=scan_in_place", f"LINE={line}", "THREAD=3", commands=["shared", "threads", "print sum"])
    assert "thread 3 of block 0 of scan_in_place_kernel, a grid of 1 block of 8 threads" in said
    assert any(text.startswith(f"{line}\t") for text in said)
    assert "buffer[512]" in said and "         0: 3 1 7 0 4 1 6 3" in said
    assert f"threads 0-2 wait at the block's barrier at line {line}" in said
    assert "thread 3 is here" in said
    assert f"threads 4-7 have passed the barrier at line {line - 4}" in said
    assert "$1 = 7" in said


@pytest.mark.skipif(gdb_calls_functions(), reason="gdb can call functions here")
def test_a_gdb_that_cannot_call_functions_is_named() -> None:
    line = line_of("naive_scan", "out[t] = buffer[t];", after=IN_PLACE)
    said = debug("LAB=2", "PART=scan_in_place", f"LINE={line}", "THREAD=0", commands=[])
    assert any(text.startswith("this gdb cannot call functions of a program on this processor") for text in said)


@calls
def test_a_tile_of_any_length_is_built() -> None:
    line = line_of("naive_scan", "out[t] = buffer[t];", after=IN_PLACE)
    said = debug("LAB=2", "PART=scan_in_place", "TILE=8", f"LINE={line}", "THREAD=0", commands=["shared"])
    assert "buffer[8]" in said
    assert "         0:  3  4 11 11 12 12 11 14" in said  # the other threads have not stored their last sums yet


@calls
def test_next_stays_with_its_thread_where_others_run_in_between() -> None:
    line = line_of("naive_scan", "__syncthreads();", after=IN_PLACE)
    commands = ["next", "print threadIdx.x", "next", "next", "next", "next", "next", "who", "shared"]
    said = debug("LAB=2", "PART=scan_in_place", f"LINE={line}", "THREAD=5", commands=commands)
    assert "$1 = 5" in said
    assert said.count("thread 5 of block 0 of scan_in_place_kernel, a grid of 1 block of 8 threads") == 2
    assert "         0: 3 4 8 7 4 5 6 3" in said  # threads 6 and 7 come later


@calls
def test_it_stops_in_the_block_that_is_asked_for() -> None:
    line = line_of("reduction", "tile[t] = sum;", after="reduce_chunks_kernel(const")
    said = debug(
        "LAB=1", "PART=reduce", "N=9000", f"LINE={line}", "THREAD=31", "BLOCK=1", commands=["print blockIdx.x"]
    )
    assert "thread 31 of block 1 of reduce_chunks_kernel, a grid of 3 blocks of 256 threads" in said
    assert "$1 = 1" in said


@calls
def test_an_array_of_two_dimensions_has_a_row_for_each_index() -> None:
    line = line_of("naive_scan", "from = to;", after="scan_double_buffered_kernel(const")
    said = debug("LAB=2", "PART=scan_double_buffered", f"LINE={line}", "THREAD=7", commands=["shared"])
    shown = said[said.index("buffer[2][512]") :]
    assert shown[1:3] == [" [0]     0: 3 1 7 0 4 1 6 3", " [1]     0: 3 4 8 7 4 5 7 9"]


@calls
def test_intervals_are_written_as_the_suites_write_them() -> None:
    line = line_of("naive_scan", "out[t] = buffer[t];", after=IN_PLACE)
    said = debug("LAB=2", "PART=scan_in_place", "MONOID=interval", f"LINE={line}", "THREAD=0", commands=["shared"])
    assert any("[0..0] [0..1]" in text for text in said)


@calls
def test_without_a_line_it_stops_where_the_part_begins() -> None:
    said = debug("LAB=2", "PART=scan_in_place", commands=["who", "continue"])
    assert any("scan_in_place (in=" in text and "n=8)" in text for text in said)
    assert "this is host code, or nothing runs: no CUDA thread is here" in said


def test_a_replay_line_leads_into_the_same_call() -> None:
    settings = ["LAB=2", "PART=scan_in_place", "MONOID=max", "N=9", "SEED=7"]
    words = ["make", "--no-print-directory", "run", "SUBMISSION=reference", *settings]
    ran = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=True).stdout
    assert ran.splitlines()[0] == " ".join(settings)
    rows = ran.splitlines()[2:11]
    # The suite ends with gdb, so gdb gets no end of its input before the suite has printed the last row.
    with subprocess.Popen(
        ["make", "debug", "SUBMISSION=reference", *settings],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as gdb:
        assert gdb.stdin and gdb.stdout
        late = Timer(SECONDS, gdb.kill)
        late.start()
        gdb.stdin.write("continue\n")
        gdb.stdin.flush()
        said = ""
        while rows[-1] not in said and (line := gdb.stdout.readline()):
            said += line
        gdb.stdin.close()
        late.cancel()
    assert ran.splitlines()[0] in said
    for row in rows:
        assert row in said


def test_a_line_that_nothing_comes_to_is_said() -> None:
    line = line_of("naive_scan", "from = to;")
    said = debug("LAB=2", "PART=scan_in_place", f"LINE={line}", commands=[])
    words = f"nothing came to reference/naive_scan.cu:{line}, and nothing was found: is there code on that line?"
    assert any(text.startswith(words) for text in said)


@calls
def test_it_stops_where_the_device_finds_something(tmp_path: Path) -> None:
    """It stops at the access itself, before it happens."""
    source = make_source(
        ROOT / "reference", find_trial(ROOT / "reference", "naive_scan/in_place-no-second-barrier")
    ).source
    folder = ROOT / "build/debug/sources"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "naive_scan.cu").write_text(source, encoding="utf-8")
    words = ["BUILD_TARGET=debug-object", "WHO=mutant", f"SRC={folder.relative_to(ROOT)}", "LAB=2"]
    subprocess.run(["make", "build-lab", *words], cwd=ROOT, timeout=SECONDS, check=True)
    suite = ["build/bin/check_naive_scan", "--show", "--debug", "--submission", "build/debug/mutant"]
    suite += ["--part", "scan_in_place", "--monoid", "sum", "--n", "8", "--input", "example"]
    said = run(
        ["gdb", "-q", "-x", "simt/debug/commands.py", "--args", *suite], ["run", "shared", "findings off", "continue"]
    )
    found = said.index("race on shared buffer[0]")
    line = line_of("naive_scan", "sum = combine(buffer[t - stride], sum);")
    assert said[found + 1].startswith(f"    thread 1 reads it at line {line}, thread 0 writes it")
    assert said[found + 2].startswith("    try: if both accesses are meant, a second __syncthreads()")
    assert "thread 1 of block 0 of scan_in_place_kernel, a grid of 1 block of 8 threads" in said
    assert said.count("race on shared buffer[0]") == 1


@calls
def test_any_program_of_the_device_can_be_debugged(tmp_path: Path) -> None:
    """The program's dynamic shared memory is printed too."""
    source = tmp_path / "reverse.cu"
    source.write_text(
        "#include <cuda_runtime.h>\n"
        "__global__ void reverse(int *out) {\n"
        "    extern __shared__ int turned[];\n"
        "    turned[blockDim.x - 1 - threadIdx.x] = threadIdx.x * 10;\n"
        "    __syncthreads();\n"
        "    out[threadIdx.x] = turned[threadIdx.x];\n"
        "}\n"
        "int main() {\n"
        "    int *out;\n"
        "    cudaMalloc(&out, 6 * sizeof *out);\n"
        "    reverse<<<1, 6, 6 * sizeof *out>>>(out);\n"
        "    return cudaDeviceSynchronize();\n"
        "}\n",
        encoding="utf-8",
    )
    program = tmp_path / "reverse"
    subprocess.run(["make", "build/bin/simtcc"], cwd=ROOT, timeout=SECONDS, check=True)
    subprocess.run(["build/bin/simtcc", "-G", source, "-o", program], cwd=ROOT, timeout=SECONDS, check=True)
    commands = ["at reverse.cu:6 thread 2", "run", "shared", "continue"]
    said = run(["gdb", "-q", "-x", "simt/debug/commands.py", str(program)], commands)
    assert said[said.index("turned[6]") + 1] == "         0: 50 40 30 20 10  0"
    assert any(re.search(r"Inferior 1 .* exited normally", text) for text in said)


def test_a_setting_that_cannot_be_is_said() -> None:
    for words, said in (
        (["PART=scan_in_place"], "name what to debug"),
        (["LAB=3"], "The parts of lab 3: scan_blelloch scan_brent_kung "),
        (["LAB=2", "PART=scan_in_place", "THREAD=3"], "THREAD and BLOCK need a LINE"),
        (["LAB=2", "PART=scan_in_place", "DEVICE=cuda"], "cuda-gdb"),
        (["LAB=2", "PART=scan_in_place", "SUBMISSION=x"], "make debug takes student or reference"),
    ):
        done = subprocess.run(["make", "debug", *words], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 2 and said in done.stderr, done.stderr


# ---- Visual Studio Code ---------------------------------------------------------------------------------


def mi(text: str) -> str:
    """Quotes a text as gdb's machine interface does."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@calls
def test_the_launch_settings_stop_at_a_breakpoint() -> None:
    """The test plays the editor: it replaces variables, builds, and uses gdb's machine interface."""
    (launch,) = json.loads((ROOT / ".vscode/launch.json").read_text(encoding="utf-8"))["configurations"]
    tasks = json.loads((ROOT / ".vscode/tasks.json").read_text(encoding="utf-8"))["tasks"]
    (build,) = (task for task in tasks if task["label"] == launch["preLaunchTask"])
    values = {
        "${workspaceFolder}": str(ROOT),
        "${fileBasenameNoExtension}": "naive_scan",
        "${input:part}": "scan_in_place",
        "${input:length}": "8",
        "build/debug/student": "build/debug/reference",
    }

    def replaced(text: str) -> str:
        for name, value in values.items():
            text = text.replace(name, value)
        return text

    words = [replaced(word) for word in [build["command"], *build["args"]]]
    subprocess.run([*words, "SUBMISSION=reference"], cwd=ROOT, timeout=SECONDS, check=True)
    line = line_of("naive_scan", "sum = combine(buffer[t - stride], sum);")
    commands = [f"-interpreter-exec console {mi(setup['text'])}" for setup in launch["setupCommands"]]
    commands += [
        f"-file-exec-and-symbols {mi(replaced(launch['program']))}",
        "-exec-arguments " + " ".join(replaced(argument) for argument in launch["args"]),
        f'-break-insert -f -c "threadIdx.x == 6" {mi(f"{ROOT}/reference/naive_scan.cu:{line}")}',
        "-exec-run",
        "-data-evaluate-expression t",
        "-data-evaluate-expression buffer[5]",
        f"-interpreter-exec console {mi('shared')}",
        "-gdb-exit",
    ]
    gdb = ["gdb", "-q", "--interpreter=mi2"]
    with subprocess.Popen(
        gdb, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin and process.stdout
        said: list[str] = []
        for command in commands:
            process.stdin.write(command + "\n")
            process.stdin.flush()
            awaited = "*stopped" if command == "-exec-run" else "^"
            for text in process.stdout:
                said.append(text)
                if text.startswith((awaited, "^error")):
                    break
    assert not [text for text in said if text.startswith("^error")], said
    assert any('reason="breakpoint-hit"' in text and f'line="{line}"' in text for text in said)
    assert '^done,value="6"\n' in said
    assert any("         0: 3 1 7 0 4 1 6 3" in text for text in said)
