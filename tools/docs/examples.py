"""Finds public modules of the facade's crates whose documentation has no example.

    python tools/docs/examples.py        # fails with a list of them
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FACADE = ROOT / "crates" / "kinetree" / "src" / "lib.rs"
MODULE = re.compile(r"^pub mod (\w+);", re.MULTILINE)
EXAMPLE = re.compile(r"^\s*//[/!] ```", re.MULTILINE)


def crates():
    """Folders of the crates that the facade re-exports."""
    names = re.findall(r"^pub use kinetree_(\w+) as \w+;", FACADE.read_text(encoding="utf-8"), re.MULTILINE)
    return [ROOT / "crates" / name for name in names]


def sources(folder, name):
    """The files of a module, its own first."""
    return [file for file in (folder / f"{name}.rs", folder / name / "mod.rs") if file.exists()] + sorted((folder / name).rglob("*.rs"))


def without_example(folder, own, path):
    """Public modules below a file that have no example, neither in their own files nor in those below."""
    for name in MODULE.findall(own.read_text(encoding="utf-8")):
        files = sources(folder, name)
        if not any(EXAMPLE.search(file.read_text(encoding="utf-8")) for file in files):
            yield f"{path}::{name}"
        yield from without_example(folder / name, files[0], f"{path}::{name}")


def findings():
    """Public modules of all crates of the facade that have no example."""
    return [found for crate in crates() for found in without_example(crate / "src", crate / "src" / "lib.rs", f"kinetree_{crate.name}")]


if __name__ == "__main__":
    print("\n".join(findings()) or f"all public modules of {len(crates())} crates have an example")
    sys.exit(bool(findings()))
