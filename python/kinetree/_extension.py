"""Chooses between the extension modules of a wheel for x86-64: one for CPUs with AVX2, in `_x86_64_v3`, and one for any.

Both compute the same bits. Without the former, as in builds from source, on a CPU without AVX2, and with KINETREE_CPU=any in the environment,
`kinetree._core` is imported as usual.
"""

import importlib.machinery
import importlib.util
import os
import pathlib
import sys
import sysconfig


def refuse_free_threading():
    """An error in an interpreter without the interpreter lock, on which views of arrays rely."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise ImportError("kinetree needs the interpreter lock; this is a free-threaded build of Python: use an ordinary one")


def has_avx2():
    """Whether the CPU has AVX2, and what came with it, as NumPy found out; `False` where NumPy does not tell."""
    for place in ("numpy._core._multiarray_umath", "numpy.core._multiarray_umath"):
        try:
            features = importlib.import_module(place).__cpu_features__
        except (ImportError, AttributeError):
            continue
        return all(features.get(name, False) for name in ("AVX2", "FMA3", "F16C"))
    return False


def choose():
    """Imports `kinetree._core` from the folder for AVX2, if there is one."""
    for path in pathlib.Path(__file__).parent.glob("_x86_64_v3/_core.*"):
        if os.environ.get("KINETREE_CPU") == "any" or not has_avx2():
            return
        loader = importlib.machinery.ExtensionFileLoader("kinetree._core", str(path))
        spec = importlib.util.spec_from_file_location("kinetree._core", path, loader=loader)
        assert spec is not None
        try:
            module = importlib.util.module_from_spec(spec)
            loader.exec_module(module)
        except ImportError:
            # it asks for more than NumPy knows of
            return
        sys.modules["kinetree._core"] = module


refuse_free_threading()
choose()
