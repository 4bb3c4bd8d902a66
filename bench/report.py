"""Parts of `docs/performance.md` that the benchmarks write: each between a pair of markers that name the benchmark."""

import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "performance.md")


def write_section(name, lines):
    """Replaces what stands between the markers of `name`."""
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    if begin not in page or end not in page:
        raise SystemExit(f"docs/performance.md has no markers for {name}")
    body = "\n".join([begin, *lines, end])
    page = re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: body, page, flags=re.DOTALL)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(page)


def write_image(name, svg):
    """Writes a picture under `docs/images`."""
    folder = os.path.join(ROOT, "docs", "images")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(svg)
