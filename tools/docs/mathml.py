"""Formulas as MathML, which browsers draw by themselves: no script, no fonts from elsewhere, no LaTeX to install."""

from html import escape

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)


def converted(text, display, node):
    """A formula as MathML; commands that are not known, which would be shown as they are, are warnings."""
    result = convert(text, display=display)
    if "\\" in result:
        LOGGER.warning("the formula has a command that is not known: %s", text, location=node)
    return result


def inline(self, node):
    """A formula in a line of text."""
    self.body.append(f'<span class="math">{converted(node.astext(), "inline", node)}</span>')
    raise nodes.SkipNode


def display(self, node):
    """A formula on lines of its own; rows end with `\\\\`."""
    text = node.astext().strip()
    label = escape(node.get("label") or "", quote=True)
    attribute = f' id="equation-{label}"' if label else ""
    if "\\\\" in text and "\\begin" not in text:
        text = "\\begin{aligned}" + text + "\\end{aligned}"
    self.body.append(f'<div class="math"{attribute}>{converted(text, "block", node)}</div>\n')
    raise nodes.SkipNode


def setup(app):
    """Registers the renderer."""
    app.add_html_math_renderer("mathml", inline_renderers=(inline, None), block_renderers=(display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
