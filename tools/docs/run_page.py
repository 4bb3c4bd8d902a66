"""Runs the Python blocks of pages of the manual, one after the other in one session.

    python tools/docs/run_page.py docs/guides/control.md            # fails where a block fails
    python tools/docs/run_page.py --write docs/guides/*.md          # and puts the pictures it makes beside the page

Blocks run in an empty folder in which `models` is that of the repository.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from pages import ROOT, blocks, pictures  # noqa: E402


def workplace(folder):
    """A folder that looks like the root of the repository to a program."""
    for name in ("models", "python"):
        link = Path(folder) / name
        if not link.exists():
            link.symlink_to(ROOT / name, target_is_directory=True)


def execute(page):
    """Executes the blocks in the current folder; a traceback has the lines of the page."""
    session = {"__name__": "__main__"}
    for block in blocks(page):
        if block.language != "python":
            continue
        code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
        if block.kind == "run":
            exec(code, session)
        elif block.kind == "fresh":
            subprocess.run([sys.executable, "-c", block.text], check=True)


def run(page, write=False):
    """Runs a page in a folder of its own. Returns the finished process and the pictures that were not made."""
    with tempfile.TemporaryDirectory() as folder:
        workplace(folder)
        done = subprocess.run([sys.executable, __file__, "--here", str(page.resolve())], cwd=folder, capture_output=True, text=True, check=False,
                              env={**os.environ, "MPLCONFIGDIR": folder})
        missing = [name for name in pictures(page) if not (Path(folder) / name).exists()]
        if write and done.returncode == 0:
            for name in pictures(page):
                (page.parent / "images").mkdir(exist_ok=True)
                if (Path(folder) / name).exists():
                    shutil.copy(Path(folder) / name, page.parent / "images" / name)
    return done, missing


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true", help="put pictures beside their page")
    parser.add_argument("--here", action="store_true", help="run in this process and folder")
    arguments = parser.parse_args()
    if arguments.here:
        for page in arguments.pages:
            execute(page)
        return
    failed = 0
    for page in arguments.pages:
        done, missing = run(page, arguments.write)
        failed += done.returncode != 0 or bool(missing)
        print(f"=== {page}: {'ok' if done.returncode == 0 else 'FAILED'}{', no picture ' + ', '.join(missing) if missing else ''}")
        print(done.stdout + (done.stderr if done.returncode else ""))
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
