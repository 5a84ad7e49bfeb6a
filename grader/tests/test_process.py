"""Child processes: time limits, groups, limited output."""

import sys
import threading
import time
from pathlib import Path

import pytest

from grader.walls.process import HEAD_BYTES, TAIL_BYTES, Stopped, run_process


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_output_and_status(tmp_path: Path) -> None:
    done = run_process(
        python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"),
        cwd=tmp_path,
        timeout=20,
        stop=threading.Event(),
    )
    assert (done.status, done.timed_out) == (3, False)
    assert sorted(done.output.split()) == ["err", "out"]


def test_a_child_is_ended_at_its_deadline(tmp_path: Path) -> None:
    began = time.monotonic()
    done = run_process(["sleep", "60"], cwd=tmp_path, timeout=0.3, stop=threading.Event())
    assert done.timed_out
    assert done.status == -9
    assert time.monotonic() - began < 10


def test_the_processor_time_of_all_descendants_is_limited(tmp_path: Path) -> None:
    short = "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done"
    argv = ["sh", "-c", f"while :; do sh -c '{short}' & wait; done"]
    done = run_process(argv, cwd=tmp_path, timeout=60, stop=threading.Event(), cpu=1)
    assert (done.used_up, done.timed_out, done.status) == (True, False, -9)
    done = run_process(["sh", "-c", short], cwd=tmp_path, timeout=60, stop=threading.Event(), cpu=20)
    assert (done.used_up, done.status) == (False, 0)


def test_a_grandchild_that_keeps_the_pipe_open_holds_nothing_up(tmp_path: Path) -> None:
    began = time.monotonic()
    done = run_process(["sh", "-c", "sleep 60 & echo done"], cwd=tmp_path, timeout=30, stop=threading.Event())
    assert (done.status, done.output) == (0, "done\n")
    assert time.monotonic() - began < 10


def test_stop_ends_a_child(tmp_path: Path) -> None:
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    with pytest.raises(Stopped):
        run_process(["sleep", "60"], cwd=tmp_path, timeout=30, stop=stop)


def test_stop_waits_for_no_grandchild(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.walls.process.GRACE_SECONDS", 60)
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    began = time.monotonic()
    with pytest.raises(Stopped):
        run_process(["sh", "-c", "sleep 60 &"], cwd=tmp_path, timeout=90, stop=stop)
    assert time.monotonic() - began < 30


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        run_process(["./nothing"], cwd=tmp_path, timeout=1, stop=threading.Event(), records=lambda _line: None)


def test_the_middle_of_a_flood_is_dropped(tmp_path: Path) -> None:
    done = run_process(
        python(f"import sys; sys.stdout.write('a' * {HEAD_BYTES} + 'b' * 1000000 + 'c' * {TAIL_BYTES})"),
        cwd=tmp_path,
        timeout=30,
        stop=threading.Event(),
    )
    assert done.output == "a" * HEAD_BYTES + "\n... 1000000 bytes cut ...\n" + "c" * TAIL_BYTES


def test_records_come_whole(tmp_path: Path) -> None:
    lines: list[str] = []
    code = (
        "import os, sys, time; fd = int(sys.argv[2])\n"
        "for piece in (b'tot', b'al\\t2\\npassed\\tx', b'\\ty\\n', b'no end'): os.write(fd, piece); time.sleep(0.05)\n"
    )
    run_process([sys.executable, "-c", code], cwd=tmp_path, timeout=20, stop=threading.Event(), records=lines.append)
    assert lines == ["total\t2", "passed\tx\ty"]


def test_the_environment_is_not_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_TOKEN", "secret")
    monkeypatch.setenv("MAKEFLAGS", "-n")
    done = run_process(["env"], cwd=tmp_path, timeout=20, stop=threading.Event())
    assert "PATH=" in done.output
    assert "secret" not in done.output
    assert "MAKEFLAGS" not in done.output


def test_memory_that_runs_out_ends_the_child_before_the_grader(tmp_path: Path) -> None:
    script = "until grep -qx 1000 /proc/self/oom_score_adj; do sleep 0.05; done; exec cat /proc/self/oom_score_adj"
    done = run_process(["sh", "-c", script], cwd=tmp_path, timeout=60, stop=threading.Event())
    assert (done.status, done.output) == (0, "1000\n")
    assert Path("/proc/self/oom_score_adj").read_text() != "1000\n"
