"""Executes the notebooks of the manual; fails when a cell fails.

    python tools/docs/notebooks.py                        # all of docs/notebooks
    python tools/docs/notebooks.py --out target/notebooks # and writes them there with their results
"""

import argparse
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).parents[2]


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path, default=sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")))
    parser.add_argument("--out", type=Path, help="folder for notebooks with their results")
    arguments = parser.parse_args()
    failed = 0
    for path in arguments.notebooks:
        notebook = nbformat.read(path, as_version=4)
        try:
            NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(ROOT)}}).execute()
            print(f"{path.name}: ok")
        except CellExecutionError as error:
            failed += 1
            print(f"{path.name}: FAILED\n{error}")
        if arguments.out:
            arguments.out.mkdir(parents=True, exist_ok=True)
            nbformat.write(notebook, arguments.out / path.name)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
