"""Settings of the manual: `tools/docs/build` makes the site from this folder."""

import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT / "tools" / "docs"))

import crate_pages  # noqa: E402
import reference  # noqa: E402

project = "Kinetree"
author = "the Kinetree authors"
project_copyright = "the Kinetree authors, MIT OR Apache-2.0"
version = release = re.search(r'^version = "([^"]+)"', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]

extensions = ["myst_parser", "mathml"]
myst_enable_extensions = ["dollarmath", "deflist", "colon_fence", "attrs_inline", "fieldlist"]
# links such as `conformance.md#not-supported` lead to headings, as they do on GitHub
myst_heading_anchors = 4
exclude_patterns = ["_build", "notebooks/.ipynb_checkpoints", "README.md"]
# pages of other parts may be moved: what a pattern does not find is left out; types of fields may be names of several fields
suppress_warnings = ["toc.empty_glob", "ref.python"]

html_theme = "furo"
html_title = "Kinetree"
html_static_path = ["_static"]
html_css_files = ["manual.css"]
html_show_sourcelink = False
html_search_scorer = str(ROOT / "tools" / "docs" / "scorer.js")
html_copy_source = True
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b6e6e", "color-brand-content": "#0b6e6e"},
    "dark_css_variables": {"color-brand-primary": "#5cc8c8", "color-brand-content": "#5cc8c8"},
    "top_of_page_buttons": [],
}
html_math_renderer = "mathml"
# of accessible-pygments, which furo needs itself: every token is readable on the grey of code blocks
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "monokai"
toc_object_entries_show_parents = "hide"
nitpicky = False

# files of the repository that pages link to and that are no pages of the manual
REPOSITORY = os.environ.get("KINETREE_REPOSITORY", "https://github.com/kinetree/kinetree/blob/main")
LINK = re.compile(r"\]\((?P<path>(?:\.\./)+[^)#\s]+|[^)#:\s]+/)(?P<anchor>#[^)\s]*)?\)")


def link_to_repository(app, docname, source):
    """Turns links that leave the folder of the manual into links to the repository."""
    page = HERE / docname

    def replaced(match):
        target = (page.parent / match["path"]).resolve()
        if target.is_relative_to(HERE) or not target.is_relative_to(ROOT) or not target.exists():
            return match[0]
        return f"]({REPOSITORY}/{target.relative_to(ROOT).as_posix()}{match['anchor'] or ''})"

    source[0] = LINK.sub(replaced, source[0])


def setup(app):
    """Makes the pages of the reference, and registers the links."""
    reference.main()
    crate_pages.main(REPOSITORY)
    app.connect("source-read", link_to_repository)
