"""results.json: writes the model, reads it back, and replaces the file in one step. See SCHEMA.md."""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grader.model.errors import GraderFault, describe_os_error
from grader.model.findings import failure_from_table
from grader.model.typed import check_types
from grader.model.types import (
    SCHEMA_VERSION,
    AspectResult,
    IgnoredFile,
    LabResult,
    Meter,
    Outcome,
    PartResult,
    Results,
    SandboxInfo,
    Speed,
    Status,
    SubmissionInfo,
    SuiteKind,
)


def to_json(results: Results) -> str:
    """The text of the whole file."""
    return json.dumps(_results(results), indent=2, ensure_ascii=False) + "\n"


def from_json(text: str) -> Results:
    """Reads the model back. ValueError when the text has another schema version or was not written by this grader."""
    try:
        table = json.loads(text)
        if table["schema"] != SCHEMA_VERSION:
            raise ValueError(f"schema {table['schema']} is not {SCHEMA_VERSION}, which this grader reads")
        results = _read_results(table)
        check_types(results, Results)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a results.json: {error!r}") from error
    return results


def write_results(path: Path, results: Results) -> None:
    """Writes the file as a whole or not at all. GraderFault when the disk is full or the folder is not writable."""
    write_atomically(path, to_json(results).encode())


def write_atomically(path: Path, content: bytes) -> None:
    """Writes a new file next to the old one and renames it, so the old one stays valid until the new one is
    complete."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.unlink(missing_ok=True)
        try:
            with open(temporary, "xb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise GraderFault(f"cannot write {path}: {describe_os_error(error)}") from error


def _results(results: Results) -> dict[str, Any]:
    submission = results.submission
    return {
        "schema": SCHEMA_VERSION,
        "score": results.score,
        "max_score": results.max_score,
        "seed": results.seed,
        "device": results.device,
        "submission": {
            "name": submission.name,
            "path": submission.path,
            "kind": submission.kind,
            "files": list(submission.files),
        },
        "ignored": [{"path": entry.path, "reason": entry.reason} for entry in submission.ignored],
        "sandbox": {"used": results.sandbox.used, "note": results.sandbox.note},
        "versions": results.versions,
        "started": results.started,
        "duration": round(results.duration, 3),
        "labs": [lab_to_table(lab) for lab in results.labs],
    }


def lab_to_table(lab: LabResult) -> dict[str, Any]:
    """One lab in the form that results.json has."""
    return {
        "number": lab.number,
        "title": lab.title,
        "source": lab.source,
        "status": lab.status,
        "message": lab.message,
        "score": lab.score,
        "max_score": lab.max_score,
        "suites": list(lab.suites),
        "parts": [_part(part) for part in lab.parts],
    }


def _meter(meter: Meter) -> dict[str, Any]:
    return {
        "name": meter.name,
        "suite": meter.suite,
        "counted": meter.counted,
        "most": meter.most,
        "size": meter.size,
        "formula": meter.formula,
    }


def _part(part: PartResult) -> dict[str, Any]:
    return {
        "name": part.name,
        "summary": part.summary,
        "status": part.status,
        "score": part.score,
        "max_score": part.max_score,
        "proof": part.proof,
        "proof_lengths": part.proof_lengths,
        "meters": [_meter(meter) for meter in part.meters],
        "aspects": [
            {
                "name": aspect.name,
                "points": aspect.points,
                "earned": aspect.earned,
                "status": aspect.status,
                "tests": [_test(test) for test in aspect.tests],
            }
            for aspect in part.aspects
        ],
    }


def _test(test: Outcome) -> dict[str, Any]:
    table = {
        "id": test.id,
        "part": test.part,
        "aspect": test.aspect,
        "suite": test.suite,
        "status": test.status,
        "message": test.message,
        "seconds": test.seconds,
        "failure": None if test.failure is None else asdict(test.failure),
    }
    return table if test.speed is None else table | {"speed": asdict(test.speed)}


def _read_results(table: dict[str, Any]) -> Results:
    submission = table["submission"]
    ignored = tuple(IgnoredFile(entry["path"], entry["reason"]) for entry in table["ignored"])
    return Results(
        submission=SubmissionInfo(
            submission["name"], submission["path"], submission["kind"], tuple(submission["files"]), ignored
        ),
        device=table["device"],
        seed=table["seed"],
        sandbox=SandboxInfo(table["sandbox"]["used"], table["sandbox"]["note"]),
        versions=dict(table["versions"]),
        started=table["started"],
        duration=table["duration"],
        labs=tuple(lab_from_table(lab) for lab in table["labs"]),
    )


def lab_from_table(table: dict[str, Any]) -> LabResult:
    """Reads a lab back. KeyError, TypeError or ValueError when the table is malformed."""
    return LabResult(
        number=table["number"],
        title=table["title"],
        source=table["source"],
        status=Status(table["status"]),
        message=table["message"],
        suites=tuple(SuiteKind(kind) for kind in table["suites"]),
        parts=tuple(
            PartResult(
                part["name"],
                part["summary"],
                tuple(_read_aspect(aspect) for aspect in part["aspects"]),
                part["proof"],
                tuple(_read_meter(meter) for meter in part["meters"]),
                part["proof_lengths"],
            )
            for part in table["parts"]
        ),
    )


def _read_meter(table: dict[str, Any]) -> Meter:
    return Meter(
        table["name"],
        SuiteKind(table["suite"]),
        table["counted"],
        table["most"],
        table["size"],
        table["formula"],
    )


def _read_aspect(table: dict[str, Any]) -> AspectResult:
    return AspectResult(
        name=table["name"],
        points=table["points"],
        earned=table["earned"],
        status=Status(table["status"]),
        tests=tuple(
            Outcome(
                test["id"],
                test["part"],
                test["aspect"],
                SuiteKind(test["suite"]),
                Status(test["status"]),
                test["message"],
                test["seconds"],
                None if test["failure"] is None else failure_from_table(test["failure"]),
                Speed(**test["speed"]) if "speed" in test else None,
            )
            for test in table["tests"]
        ),
    )
