"""Takes the READMEs of the crates into the manual: docs/inside/crates/*.md, which are not kept in the repository."""

import os
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TARGET = DOCS / "inside" / "crates"
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]*)(#[^)\s]*)?\)")


def page(readme, repository):
    """The text of a crate's page, with links that lead from where it stands in the manual."""
    def replaced(match):
        target = (readme.parent / match[1]).resolve()
        if target.is_relative_to(DOCS):
            return f"]({os.path.relpath(target, TARGET)}{match[2] or ''})"
        if target.name == "README.md" and target.parent.parent == ROOT / "crates":
            return f"]({target.parent.name}.md{match[2] or ''})"
        return f"]({repository}/{target.relative_to(ROOT).as_posix()}{match[2] or ''})" if target.is_relative_to(ROOT) else match[0]

    return LINK.sub(replaced, readme.read_text(encoding="utf-8"))


def main(repository):
    """Writes the pages that differ."""
    TARGET.mkdir(parents=True, exist_ok=True)
    written = set()
    for readme in sorted((ROOT / "crates").glob("*/README.md")):
        file = TARGET / f"{readme.parent.name}.md"
        text = page(readme, repository)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
        written.add(file)
    for stale in set(TARGET.glob("*.md")) - written:
        stale.unlink()
