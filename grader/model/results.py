"""results.json: writes the model, reads it back, and replaces the file in one step. See SCHEMA.md."""

import json
import os
from pathlib import Path

from grader.model.errors import GraderFault, describe_os_error
from grader.model.typed import from_table, to_table
from grader.model.types import SCHEMA_VERSION, Results


def to_json(results: Results) -> str:
    """The text of the whole file."""
    return json.dumps({"schema": SCHEMA_VERSION, **to_table(results)}, indent=2, ensure_ascii=False) + "\n"


def from_json(text: str) -> Results:
    """Reads the model back. ValueError when the text has another schema version or was not written by this grader."""
    try:
        table = json.loads(text)
        if (version := table.pop("schema")) != SCHEMA_VERSION:
            raise ValueError(f"schema {version} is not {SCHEMA_VERSION}, which this grader reads")
        return from_table(Results, table)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a results.json: {error!r}") from error


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
