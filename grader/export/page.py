"""Turns a template into one HTML file that needs no network and runs only its own code.

jinja2 escapes every text, and characters that reverse or hide text are removed. In case something gets through, the
page's policy allows only its own style and script, by their hashes, and forbids loading or sending anything.
"""

import base64
import hashlib
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from grader.export.report_terminal import clean
from grader.export.text import points
from grader.model.words import tally

_TEMPLATES = Path(__file__).parent / "templates"
_BARS = "".join(f".w{percent}{{width:{percent}%}}" for percent in range(101))


def render(template: str, **values: object) -> str:
    """The page. `values` may contain any text of a submission."""
    style, script = _read("style.css") + _BARS, _read("page.js")
    page = _environment().get_template(template)
    return page.render(
        style=Markup(style),
        script=Markup(script),
        style_hash=_hash(style),
        script_hash=_hash(script),
        **values,
    )


def percent(part: float, whole: float) -> int:
    """A percentage from 0 to 100; 100 when `whole` is 0."""
    return 100 if whole <= 0 else max(0, min(100, round(100 * part / whole)))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    environment.filters["sentence"] = _sentence
    environment.filters["points"] = points
    environment.filters["tally"] = tally
    return environment


def _finalize(value: object) -> object:
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _sentence(name: str) -> str:
    """Turns a test's name into a sentence: works_in_place becomes "works in place"."""
    return name.replace("_", " ")


@cache
def _read(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"
