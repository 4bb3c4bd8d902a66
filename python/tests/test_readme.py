"""The Python programs in both README files run."""

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
# the second one is the page of the package
TEXTS = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "python/README.md")]
PROGRAMS = [program for text in TEXTS for program in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)]


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program):
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    if "no graphics adapter" in done.stderr:
        pytest.skip(done.stderr.splitlines()[-1])
    assert done.returncode == 0, done.stderr
    # what a simulation prints, whether a target is reached, or what a picture is
    assert any(text in done.stdout for text in ("contacts", "True", "(240, 320, 3) uint8"))
