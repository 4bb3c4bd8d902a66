"""Lets code that imports `mujoco` run on this package.

`import kinetree.as_mujoco` before anything imports `mujoco`, or `python -m kinetree.as_mujoco script.py …` (also with `-m module`).
"""

import importlib
import runpy
import sys
import types

import kinetree

# submodules of the reference, and what stands for them
_ALIASES = ("_callbacks", "_constants", "_enums", "_errors", "_functions", "_render", "_structs")
# where programs look for a context of OpenGL, which is not needed here
_CONTEXTS = ("gl_context", "cgl", "egl", "glfw", "osmesa")


def _realloc_con_efc(d, ncon, nefc, nJ=-1):
    """Makes room for contacts and constraint rows."""
    d._resize(ncon, nefc, nefc * d.model.nv if nJ < 0 else nJ)


def install():
    """Registers the package and its submodules under the name `mujoco`."""
    present = sys.modules.get("mujoco")
    if present is not None and present is not kinetree:
        raise ImportError("mujoco is imported already: import kinetree.as_mujoco before it")
    sys.modules["mujoco"] = kinetree
    for name in ("rollout", "minimize", "msh2obj", "renderer", "viewer"):
        sys.modules[f"mujoco.{name}"] = importlib.import_module(f"kinetree.{name}")
    for name in _CONTEXTS:
        module = types.ModuleType(f"mujoco.{name}")
        vars(module)["GLContext"] = kinetree.GLContext
        setattr(kinetree, name, module)
        sys.modules[f"mujoco.{name}"] = module
    for name in _ALIASES:
        module = types.ModuleType(f"mujoco.{name}")
        module.__dict__.update({k: v for k, v in vars(kinetree).items() if not k.startswith("__")})
        if name == "_functions":
            vars(module)["_realloc_con_efc"] = _realloc_con_efc
        setattr(kinetree, name, module)
        sys.modules[f"mujoco.{name}"] = module


install()


def main():
    """Runs a script or module with `mujoco` replaced."""
    arguments = sys.argv[1:]
    if not arguments:
        sys.exit("usage: python -m kinetree.as_mujoco (script.py | -m module) [arguments]")
    if arguments[0] == "-m" and len(arguments) > 1:
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main()
