"""Grades the right solutions of trials/LAB/right/ twice with one seed: alone, and with busy loops on every processor.
The two results must be equal: `make check-busy [BUSY_OPTIONS="--lab 6 --name serial_sums"]`. For all solutions it takes
hours."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from grader.audit.trials import RIGHT, make_source, read_trials
from grader.handin.discover import choose_labs, discover_labs
from grader.model.layout import Course

ROOT = Path(__file__).parents[2]
COURSE = Course(ROOT)
SEED = 1
LOOPS_A_PROCESSOR = 2
BUSY_LOOP = "while True: pass"


def solutions(labs: list[int], name: str) -> Iterator[tuple[str, str, str]]:
    """Yields lab, name and source of each solution whose name contains `name`."""
    for lab in choose_labs(discover_labs(COURSE), labs):
        for entry in read_trials(COURSE.reference, lab.stem, RIGHT):
            if name in entry.name:
                yield lab.source, entry.name, make_source(COURSE.reference, entry).source


@contextmanager
def busy_processors() -> Iterator[None]:
    count = LOOPS_A_PROCESSOR * len(os.sched_getaffinity(0))
    loops = [subprocess.Popen([sys.executable, "-c", BUSY_LOOP]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def grade(file: Path, name: str) -> dict[str, Any]:
    """Grades a file and returns its results without the times in them."""
    argv = [sys.executable, "-m", "grader", "grade", str(file), "--name", name, "--seed", str(SEED)]
    done = subprocess.run(argv, cwd=ROOT, check=False, capture_output=True, text=True)
    path = COURSE.workplace(name) / "results.json"
    if not path.exists():
        raise SystemExit(f"{file} was not graded: {done.stderr}")
    results = json.loads(path.read_text(encoding="utf-8"))
    return {"labs": without_times(results["labs"]), "status": done.returncode}


def without_times(table: Any) -> Any:
    if isinstance(table, dict):
        return {key: without_times(value) for key, value in table.items() if key != "seconds"}
    return [without_times(value) for value in table] if isinstance(table, list) else table


def difference(quiet: Any, busy: Any, where: str = "") -> str:
    """The first difference; empty when there is none."""
    if isinstance(quiet, dict) and isinstance(busy, dict):
        pairs = [(key, quiet.get(key), busy.get(key)) for key in quiet | busy]
    elif isinstance(quiet, list) and isinstance(busy, list) and len(quiet) == len(busy):
        pairs = list(zip(range(len(quiet)), quiet, busy, strict=True))
    else:
        return "" if quiet == busy else f"{where} is {quiet!r}, and {busy!r} on a busy machine"
    return next((found for key, one, other in pairs if (found := difference(one, other, f"{where}/{key}"))), "")


def compare(source: str, name: str, text: str) -> str:
    """Grades twice and returns the difference; empty when there is none."""
    with tempfile.TemporaryDirectory(prefix="busy.") as work:
        file = Path(work, source)
        file.write_text(text, encoding="utf-8")
        quiet = grade(file, f"quiet-{name}")
        with busy_processors():
            busy = grade(file, f"busy-{name}")
    return difference(quiet, busy)


def main() -> int:
    parser = argparse.ArgumentParser(description="Grades right solutions alone and on a busy machine.")
    parser.add_argument("--lab", type=int, action="append", default=[], help="these; again for more")
    parser.add_argument("--name", default="", help="only those with this text in their name")
    options = parser.parse_args()
    wrong = count = 0
    for source, name, text in solutions(options.lab, options.name):
        found = compare(source, name, text)
        print(f"{'NOT OK' if found else 'ok':7}{source} {name}  {found}", flush=True)
        count += 1
        wrong += bool(found)
    print(f"check-busy: {count} solutions, {wrong} with other results")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
