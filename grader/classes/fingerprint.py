"""Computes a key for everything that a verdict depends on. When nothing of it has changed, nothing is graded again.

A key covers the content of the lab's file, the lab's contract, suites and points, the files that all labs share, the
modules that take part in a verdict, the compiler, the seed, and the options of the run.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

import grader
from grader.handin.discover import Lab
from grader.model.errors import GraderFault, describe_os_error
from grader.model.layout import Course

# The packages of the grader that take part in a verdict.
_PACKAGES = ("model", "handin", "walls", "judge")
_SHARED = (
    "Makefile",
    "labs/*.mk",
    "labs/include/*",
    "labs/stock/*",
    "labs/support/**/*",
    "datasets/*",
    "grader/walls/imports.toml",
)
_DEVICE = ("simt/**/*",)
_ADDRESS = re.compile(r"\s+")


def course_fingerprints(course: Course, labs: Iterable[Lab], versions: dict[str, str]) -> dict[int, str]:
    """Lab number -> the part of a key that does not depend on a hand-in. GraderFault when a file cannot be read."""
    shared = hashlib.sha256(versions.get("compiler", "").encode())
    for path in sorted({*_matches(course.root, (*_SHARED, *_DEVICE)), *_modules()}):
        _add(shared, course.relative(path), path)
    prints: dict[int, str] = {}
    for lab in labs:
        whole = shared.copy()
        suites = (course.hidden_source(lab.stem), course.reference / "hidden_suite.h")
        for path in sorted({*_matches(lab.folder, ("*.c", "*.h")), *(path for path in suites if path.exists())}):
            _add(whole, course.relative(path), path)
        judged = [lab.number, lab.source, [asdict(part) for part in lab.parts], lab.left_out]
        whole.update(_ADDRESS.sub(" ", json.dumps(judged)).encode())
        prints[lab.number] = whole.hexdigest()
    return prints


def key_of(lab_print: str, content: bytes, run: dict[str, object]) -> str:
    """The key of grading this content for that lab. `run` has the seed, the device and the caller's other choices."""
    whole = hashlib.sha256(f"{lab_print}\n{json.dumps(run, sort_keys=True)}\n".encode())
    whole.update(content)
    return whole.hexdigest()


def _modules() -> Iterator[Path]:
    folder = Path(grader.__file__).parent
    return (path for package in _PACKAGES for path in (folder / package).glob("*.py"))


def _matches(root: Path, patterns: Iterable[str]) -> Iterator[Path]:
    for pattern in patterns:
        for path in root.glob(pattern):
            if path.is_file() and "__pycache__" not in path.parts and "tests" not in path.relative_to(root).parts:
                yield path


def _add(whole: "hashlib._Hash", name: str, path: Path) -> None:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise GraderFault(f"cannot read {path}: {describe_os_error(error)}") from error
    whole.update(f"{name}\0{len(content)}\0".encode() + content)
