"""Checks the text of the manual (width of lines, words, links), and the words of the sources.

    python tools/docs/check.py            # fails with a list of what is wrong
"""

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from pages import DOCS, ROOT, pages, prose  # noqa: E402
from words import in_page, in_sources  # noqa: E402

WIDTH = 160
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


def slug(heading):
    """The anchor of a heading, as GitHub and the site make it."""
    text = re.sub(r"`|\*", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)).strip().lower()
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", text))


def anchors(page):
    """The anchors of a page."""
    return {slug(line.lstrip("#")) for _, line in prose(page) if re.match(r"#{1,6} ", line)}


def wide_lines(page):
    """Lines that are too long."""
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        if len(line) > WIDTH:
            yield f"{page.relative_to(ROOT)}:{number}: {len(line)} columns, {WIDTH} are allowed"


def broken_links(page):
    """Links to files and headings that do not exist."""
    for number, line in prose(page):
        for match in LINK.finditer(re.sub(r"`[^`]*`", "", line)):
            target = match[1] or match[2]
            if "://" in target or target.startswith("mailto:"):
                continue
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            if not file.exists() and "reference/api/" not in file.as_posix():
                yield f"{page.relative_to(ROOT)}:{number}: {target}: there is no such file"
            elif anchor and file.suffix == ".md" and file.exists() and anchor not in anchors(file):
                yield f"{page.relative_to(ROOT)}:{number}: {target}: there is no such heading"


def tracked():
    """All Markdown of the repository."""
    names = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return [ROOT / name for name in names if (ROOT / name).exists()]


def old_pages():
    """Pages that were there before the manual."""
    return [page for page in sorted(DOCS.glob("*.md")) if page.name not in ("index.md", "questions.md")]


def findings():
    """All that is wrong."""
    found = []
    for page in pages():
        found += broken_links(page)
        if page.name != "README.md":
            found += in_page(page)
    for page in old_pages():
        found += [*broken_links(page), *in_page(page)]
    for name in ("CHANGELOG.md", "CONTRIBUTING.md"):
        found += in_page(ROOT / name)
    for page in tracked():
        found += wide_lines(page)
    found += in_sources()
    return found


def main():
    """Command line."""
    found = findings()
    print("\n".join(found) or f"{len(pages())} pages are well, and so are the words of the sources")
    sys.exit(len(found) > 0)


if __name__ == "__main__":
    main()
