"""Every file of a crate's test program is a module of it: one that nobody names is not compiled, and would pass whatever it says."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def named(path):
    """Files that the `mod` lines of a file stand for."""
    text = path.read_text(encoding="utf-8")
    folder = path.parent if path.name in ("main.rs", "mod.rs") else path.with_suffix("")
    for location, name in re.findall(r'(?:#\[path = "(.+)"\]\n)?^(?:pub(?:\(crate\))? )?mod (\w+);', text, re.MULTILINE):
        candidates = [path.parent / location] if location else [folder / f"{name}.rs", folder / name / "mod.rs"]
        yield from (candidate.resolve() for candidate in candidates)


def main():
    """Exits with an error that lists what is not compiled."""
    found = sorted(path.resolve() for path in ROOT.glob("crates/*/tests/it/**/*.rs"))
    compiled = {name for path in found for name in named(path)}
    orphans = [path for path in found if path not in compiled and path.name != "main.rs"]
    if orphans:
        sys.exit("\n".join(f"{path.relative_to(ROOT.resolve())}: no file of its test program has a line `mod` for it" for path in orphans))


if __name__ == "__main__":
    main()
