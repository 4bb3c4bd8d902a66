"""The pages of the manual, and the code blocks in them.

A comment before a block says what a test does with it; without one, Python is run and shell commands are run where the command is built:

    <!-- test: syntax (needs a GPU) -->       only the syntax is checked, for the reason in parentheses
    <!-- test: fresh -->                      Python in a process of its own
    <!-- test: rust -->                       a whole program for the crate `kinetree`
    <!-- test: javascript -->                 a module for the npm package `kinetree`
"""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FOLDERS = ("start", "coming-from-mujoco", "concepts", "guides", "reference", "evidence", "inside")
FENCE = re.compile(r"^(?P<fence>```+|~~~+|:::+)(?P<language>[\w{}-]*)[^\n]*$")
MARK = re.compile(r"^<!-- test: (?P<kind>\w+)[^(]*(?:\((?P<reason>[^)]*)\))?.*-->$")


@dataclass(frozen=True)
class Block:
    """A code block: its language, text, first line in the page, and what a test does with it."""

    language: str
    text: str
    line: int
    kind: str = "run"
    reason: str = ""


def pages():
    """The pages of the manual that are held to its rules, and the README."""
    found = [DOCS / "index.md", DOCS / "questions.md", ROOT / "README.md"]
    for folder in FOLDERS:
        found += sorted((DOCS / folder).glob("*.md"))
    return [page for page in found if page.exists()]


def blocks(page):
    """The code blocks of a page, in their order."""
    found, mark, fence, lines = [], ("run", ""), None, page.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines, 1):
        if fence is not None:
            if line.strip() == fence[0]:
                found.append(Block(fence[1], "\n".join(lines[fence[2]:number - 1]) + "\n", fence[2] + 1, *fence[3]))
                fence, mark = None, ("run", "")
            continue
        opening, comment = FENCE.match(line), MARK.match(line)
        if comment:
            mark = (comment["kind"], comment["reason"] or "")
        elif opening:
            if opening["language"].startswith("{") or opening["fence"].startswith(":"):
                # a directive: what is inside is text of the page
                continue
            fence = (opening["fence"], opening["language"], number, mark)
        elif line.strip():
            mark = ("run", "")
    return found


def prose(page):
    """The lines of a page that are not code, with their numbers."""
    code = set()
    for block in blocks(page):
        code.update(range(block.line - 1, block.line + block.text.count("\n") + 1))
    text = page.read_text(encoding="utf-8").split("\n")
    return [(number, line) for number, line in enumerate(text, 1) if number not in code]


def pictures(page):
    """Pictures that the page's own code makes: those in `images` beside it. Those in `docs/images` have scripts of their own."""
    if page.resolve().parent == DOCS:
        return []
    return re.findall(r"\]\(images/([\w-]+\.(?:png|gif))\)", page.read_text(encoding="utf-8"))
