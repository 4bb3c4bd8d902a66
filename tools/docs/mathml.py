"""Formulas as MathML, which browsers draw by themselves: no script, no fonts from elsewhere, no LaTeX to install."""

from html import escape

from docutils import nodes
from latex2mathml.converter import convert


def inline(self, node):
    """A formula in a line of text."""
    self.body.append(f'<span class="math">{convert(node.astext(), display="inline")}</span>')
    raise nodes.SkipNode


def display(self, node):
    """A formula on lines of its own; rows end with `\\\\`."""
    text = node.astext().strip()
    label = escape(node.get("label") or "", quote=True)
    attribute = f' id="equation-{label}"' if label else ""
    if "\\\\" in text and "\\begin" not in text:
        text = "\\begin{aligned}" + text + "\\end{aligned}"
    self.body.append(f'<div class="math"{attribute}>{convert(text, display="block")}</div>\n')
    raise nodes.SkipNode


def setup(app):
    """Registers the renderer."""
    app.add_html_math_renderer("mathml", inline_renderers=(inline, None), block_renderers=(display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
