"""Makes a page from a trace: one file of HTML that needs no other files and no network."""

import html
import json
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).resolve().parent / "viewer"
_SCRIPTS = ("model.js", "draw.js", "panels.js", "blocks.js", "main.js")


def page(trace: dict[str, Any] | None) -> str:
    """The viewer with the trace inside; without a trace, it waits for a file to be opened."""
    content = json.dumps(trace, separators=(",", ":"), ensure_ascii=True).replace("<", "\\u003c")
    parts = {
        "@TITLE@": html.escape(f"{trace['title']}: trace" if trace else "Trace"),
        "@STYLE@": (_FOLDER / "style.css").read_text(encoding="utf-8"),
        "@SCRIPT@": "".join((_FOLDER / name).read_text(encoding="utf-8") for name in _SCRIPTS),
        "@TRACE@": content,  # must be replaced last, because it may contain any text
    }
    text = (_FOLDER / "page.html").read_text(encoding="utf-8")
    for mark, part in parts.items():
        before, _, after = text.partition(mark)
        text = before + part + after
    return text
