"""Writes the manual as text for language models: `llms.txt`, a list of pages with a sentence each, and `llms-full.txt`, all of their text.

    python tools/docs/llms.py docs target/manual
"""

import re
import sys
from pathlib import Path

ORDER = ("start", "coming-from-mujoco", "concepts", "guides", "reference")
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
DIRECTIVE = re.compile(r"^(:::+|```+)\{.*?^\1$\n?", re.DOTALL | re.MULTILINE)


def text_of(page):
    """A page without what only the site needs."""
    text = FRONT_MATTER.sub("", page.read_text(encoding="utf-8"))
    text = DIRECTIVE.sub("", text)
    return re.sub(r"^<!-- test:.*-->\n", "", text, flags=re.MULTILINE).strip() + "\n"


def title(text):
    """The first heading."""
    return re.search(r"^# (.*)$", text, re.MULTILINE)[1]


def summary(text):
    """The first sentence after the heading."""
    for part in text.split("\n\n")[1:]:
        if not part.startswith(("#", "|", "```", "!", "<", "-")):
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(part.split()))
            return re.split(r"(?<=[.!?])\s", words)[0]
    return ""


def main():
    """Command line."""
    docs, site = Path(sys.argv[1]), Path(sys.argv[2])
    listing = ["# Kinetree", "", "> " + summary(text_of(docs / "index.md")), ""]
    whole = [text_of(docs / "index.md")]
    for folder in ORDER:
        listing += [f"## {folder.replace('-', ' ').capitalize()}", ""]
        first = docs / folder / "index.md"
        for page in [first, *sorted(set((docs / folder).glob("*.md")) - {first})]:
            text = text_of(page)
            listing.append(f"- [{title(text)}]({folder}/{page.stem}.html): {summary(text)}".rstrip(": "))
            whole.append(text)
        listing.append("")
    listing += ["## Evidence and internals", ""]
    for page in sorted(docs.glob("*.md")):
        if page.name != "index.md":
            listing.append(f"- [{title(text_of(page))}]({page.stem}.html)")
    site.mkdir(parents=True, exist_ok=True)
    (site / "llms.txt").write_text("\n".join(listing) + "\n", encoding="utf-8")
    (site / "llms-full.txt").write_text("\n\n".join(whole), encoding="utf-8")


if __name__ == "__main__":
    main()
