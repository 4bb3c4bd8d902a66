"""Comment lines of Rust files keep to the width that rustfmt is set to, which rustfmt itself does not see to.

`python .ci/comment_width.py [folder …]` lists longer ones and fails; with `--fix` it wraps the paragraphs
that they belong to. Tables, headings and code in comments are left alone.
"""

import re
import subprocess
import sys
from pathlib import Path

WIDTH = 110
COMMENT = re.compile(r"^(\s*)(//[/!]?)( ?)(.*)$")
# what begins a line that must not flow into the one before it
BLOCK = re.compile(r"^(\||#|[-*] |\d+\. |```|\[[^\]]*\]:|    )")


def split(line):
    """Indent, marker and text of a comment line, `None` for other lines."""
    match = COMMENT.match(line)
    return (match[1], match[2], match[4]) if match and (match[3] or not match[4]) else None


def wrap(prefix, text, hanging):
    """Text in lines of at most `WIDTH`; the lines after the first start with `hanging`."""
    lines, current = [], prefix
    for word in text.split():
        if len(current) + 1 + len(word) > WIDTH and current.strip() != prefix.strip():
            lines.append(current)
            current = prefix + hanging
        current += " " + word
    return [*lines, current]


def fixed(lines):
    """The lines of a file with long paragraphs of comments wrapped."""
    out, index, fence = [], 0, False
    while index < len(lines):
        part = split(lines[index])
        if part and part[2].startswith("```"):
            fence = not fence
        if not part or fence or len(lines[index]) <= WIDTH or part[2].startswith(("|", "```", "#")):
            out.append(lines[index])
            index += 1
            continue
        indent, marker, text = part
        item = re.match(r"^([-*] |\d+\. )", text)
        words, index = text, index + 1
        # the rest of the paragraph
        while index < len(lines):
            following = split(lines[index])
            ends = not following or following[:2] != (indent, marker) or not following[2].strip()
            if ends or BLOCK.match(following[2]):
                break
            words += " " + following[2].strip()
            index += 1
        out += wrap(indent + marker, words, " " * len(item[1]) if item else "")
    return out


def main():
    files = subprocess.run(["git", "ls-files", "*.rs"], capture_output=True, text=True, check=True).stdout.split()
    folders = tuple(argument for argument in sys.argv[1:] if argument != "--fix") or ("",)
    faults = 0
    for name in [name for name in files if name.startswith(folders) and Path(name).exists()]:
        lines = Path(name).read_text().split("\n")
        if "--fix" in sys.argv:
            lines = fixed(lines)
            Path(name).write_text("\n".join(lines))
        for number, line in enumerate(lines, 1):
            if len(line) > WIDTH and split(line) and "://" not in line and not split(line)[2].startswith("|"):
                faults += 1
                print(f"{name}:{number}: comment of {len(line)} columns, {WIDTH} are allowed")
    sys.exit(faults > 0)


main()
