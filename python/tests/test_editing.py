"""The programs of `docs/editing.md` run, one after the other in one session."""

import pathlib
import re

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "editing.md"


def test_the_page_runs():
    programs = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(programs) >= 5
    session = {}
    for program in programs:
        exec(compile(program, str(PAGE), "exec"), session)  # noqa: S102 - our own documentation
