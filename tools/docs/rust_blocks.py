"""Puts the Rust programs of the manual where `cargo test` compiles and runs them: crates/kinetree/tests/manual.rs.

    python tools/docs/rust_blocks.py            # writes the file
    python tools/docs/rust_blocks.py --check    # fails when it is not up to date
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from pages import ROOT, blocks, pages  # noqa: E402

TARGET = ROOT / "crates" / "kinetree" / "tests" / "manual.rs"
HEAD = """//! The Rust programs of the manual compile and run, from the root of the repository.
//!
//! `python tools/docs/rust_blocks.py` writes this file from the pages.

/// Models are found from the root of the repository.
fn enter_root() {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
}
"""


def program(page, number, block):
    """A program as a module with a test."""
    name = page.relative_to(ROOT / "docs").with_suffix("").as_posix().replace("/", "_").replace("-", "_") + f"_{number}"
    body = "\n".join("    " + line if line else "" for line in block.text.rstrip().split("\n"))
    return (f"\n/// Program {number} of `{page.relative_to(ROOT).as_posix()}`.\n#[rustfmt::skip]\nmod {name} {{\n{body}\n\n"
            "    #[test]\n    fn runs() {\n        super::enter_root();\n        main().unwrap();\n    }\n}\n")


def text():
    """The whole file."""
    parts = []
    for page in pages():
        programs = [block for block in blocks(page) if block.kind == "rust"]
        parts += [program(page, number, block) for number, block in enumerate(programs, 1)]
    return HEAD + "".join(parts)


def main():
    """Command line."""
    if "--check" in sys.argv:
        compiled = {block.text for page in pages() for block in blocks(page) if block.kind == "rust"}
        if any(block.language == "rust" and block.text not in compiled for block in blocks(ROOT / "README.md")):
            sys.exit("the README has a Rust program that is on no page of the manual, and so is not compiled")
        if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text():
            sys.exit(f"{TARGET.relative_to(ROOT)} is not up to date: run python tools/docs/rust_blocks.py")
        return
    TARGET.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
