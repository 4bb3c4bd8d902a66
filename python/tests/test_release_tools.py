"""What the tools of releases decide by themselves: licences, archives, versions."""

import pathlib
import subprocess
import sys
import zipfile

import pytest

if sys.version_info < (3, 11):
    pytest.skip("the tools of releases need Python 3.11", allow_module_level=True)

TOOLS = pathlib.Path(__file__).parents[2] / "tools" / "release"
sys.path.insert(0, str(TOOLS))

from steps import archive, policy  # noqa: E402

sys.path.remove(str(TOOLS))


@pytest.mark.parametrize(("expression", "expected"), [
    ("MIT", True),
    ("GPL-2.0-only", False),
    ("GPL-2.0-only OR MIT", True),
    ("MIT OR GPL-2.0-only", True),
    ("MIT AND GPL-2.0-only", False),
    ("(GPL-2.0-only OR MIT) AND Zlib", True),
    # `AND` binds first
    ("GPL-2.0-only AND Zlib OR MIT", True),
    ("GPL-2.0-only AND (Zlib OR MIT)", False),
    ("GPL-2.0-only/MIT", True),
    ("Apache-2.0 WITH LLVM-exception", True),
    # an exception makes another licence of it
    ("MIT WITH LLVM-exception", False),
    ("Apache-2.0", False),
])
def test_licences(expression, expected):
    assert policy.allowed(expression, {"MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"}) is expected


def test_wheels_are_the_same_bytes_and_list_their_files(tmp_path):
    files = {
        "kinetree/__init__.py": b"x = 1\n",
        "kinetree/_core.abi3.so": bytes(range(256)),
        "kinetree-1.0.0.dist-info/METADATA": b"Name: kinetree\n",
        "kinetree-1.0.0.dist-info/RECORD": b"of another wheel",
    }
    first, second = tmp_path / "first.whl", tmp_path / "second.whl"
    archive.write(first, files, (2026, 1, 2, 3, 4, 6))
    archive.write(second, dict(reversed(files.items())), (2026, 1, 2, 3, 4, 6))
    assert first.read_bytes() == second.read_bytes()
    found = archive.read(first)
    record = found.pop("kinetree-1.0.0.dist-info/RECORD").decode().splitlines()
    assert found == {name: content for name, content in files.items() if not name.endswith("RECORD")}
    assert sorted(line.split(",")[0] for line in record) == sorted(files)
    assert "kinetree/__init__.py,sha256=nia_NpkRxFwkPGhBR7I_yeHc_PJX0pmhxjIBam_NM_Q,6" in record
    # what describes a wheel comes last
    assert zipfile.ZipFile(first).namelist()[-1] == "kinetree-1.0.0.dist-info/RECORD"


def test_one_version_everywhere():
    done = subprocess.run([sys.executable, TOOLS / "version"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
