"""The type stub agrees with the package."""

import pathlib
import subprocess
import sys


def test_stub_is_up_to_date():
    script = pathlib.Path(__file__).parents[1] / "tools" / "make_stubs.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
