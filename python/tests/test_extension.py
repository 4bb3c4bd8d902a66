"""Which extension module a package with two of them imports."""

import os
import pathlib
import shutil
import subprocess
import sys

import kinetree
import pytest
from kinetree import _extension

PROGRAM = "import kinetree; print(pathlib.Path(kinetree._core.__file__).parent.name)"


@pytest.fixture
def package(tmp_path):
    """A copy of the package whose extension module is in both places."""
    here = pathlib.Path(kinetree.__file__).parent
    shutil.copytree(here, tmp_path / "kinetree", ignore=shutil.ignore_patterns("_core.*", "__pycache__", "_x86_64_v3"))
    module = pathlib.Path(kinetree._core.__file__)
    (tmp_path / "kinetree/_x86_64_v3").mkdir()
    for folder in ("kinetree", "kinetree/_x86_64_v3"):
        # a link: the module is large
        os.symlink(module, tmp_path / folder / module.name)
    return tmp_path


def chosen(package, program=PROGRAM, **variables):
    environment = {**os.environ, "PYTHONPATH": str(package), **variables}
    done = subprocess.run([sys.executable, "-c", "import pathlib\n" + program], capture_output=True, text=True, check=True, env=environment)
    return done.stdout.strip()


@pytest.mark.skipif(os.name == "nt", reason="links need a permission there")
def test_the_module_for_avx2_is_taken_where_the_cpu_has_it(package):
    assert chosen(package) == ("_x86_64_v3" if _extension.has_avx2() else "kinetree")
    assert chosen(package, KINETREE_CPU="any") == "kinetree"


@pytest.mark.skipif(os.name == "nt", reason="links need a permission there")
def test_numpy_that_tells_nothing_means_the_module_for_any_cpu(package):
    silent = "from numpy._core import _multiarray_umath as m; m.__cpu_features__ = {}\n"
    if not hasattr(__import__("numpy"), "_core"):
        silent = silent.replace("numpy._core", "numpy.core")
    assert chosen(package, silent + PROGRAM) == "kinetree"


def test_interpreters_without_their_lock_are_refused():
    program = """
import sys, sysconfig
known = sysconfig.get_config_var
sysconfig.get_config_var = lambda name: 1 if name == "Py_GIL_DISABLED" else known(name)
try:
    import kinetree
except ImportError as error:
    print(error, "kinetree._core" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    expected = "kinetree needs the interpreter lock; this is a free-threaded build of Python: use an ordinary one False\n"
    assert done.stdout == expected
