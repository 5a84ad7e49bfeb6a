"""How Sphinx makes the handouts into pages and, by way of one long page, into a PDF. build.py calls it."""

from typing import Any

from docutils.nodes import SkipNode  # type: ignore[import-untyped]
from latex2mathml.converter import convert

project = "Scan Labs"
copyright = ""
root_doc = "index"
extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]  # `...` in the place of what is left out
html_theme = "furo"
html_title = "Scan Labs"
html_show_sphinx = False
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
html_use_index = False
html_show_search_summary = False  # it would be fetched, which a page from a disk must not
html_math_renderer = "mathml"
html_static_path = ["site.css", "site.js"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_extra_path = ["extra"]
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"


def _inline(self: Any, node: Any) -> None:
    self.body.append(convert(node.astext()))
    raise SkipNode


def _block(self: Any, node: Any) -> None:
    self.body.append(convert(node.astext(), display="block"))
    raise SkipNode


def setup(app: Any) -> None:
    """Formulas become MathML, which browsers draw by themselves: no script, no network."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
