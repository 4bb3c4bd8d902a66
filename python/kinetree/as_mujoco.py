"""Lets code that imports `mujoco` run on this package.

`import kinetree.as_mujoco` before anything imports `mujoco`, or `python -m kinetree.as_mujoco script.py …` (also with `-m module`).

The parts of the reference's package that are Python alone and use nothing but its interface (`mujoco.usd`, `mujoco.sysid`,
`mujoco.introspect`) are taken from where `mujoco` is installed, and run on this package.
"""

import argparse
import importlib
import importlib.abc
import importlib.machinery
import os
import runpy
import sys
import types

import kinetree
from kinetree import _core, egl_ext

# submodules that this package has
_OWN = ("rollout", "minimize", "msh2obj", "renderer", "viewer")
# compiled submodules of the reference, and what stands for them
_ALIASES = ("_callbacks", "_constants", "_enums", "_errors", "_functions", "_render", "_specs", "_structs")
# where programs look for a context of OpenGL, which is not needed here
_CONTEXTS = ("gl_context", "cgl", "egl", "glfw", "osmesa")
# submodules of the reference that are taken from its installation
_BORROWED = ("introspect", "sysid", "usd")


def _realloc_con_efc(d, ncon, nefc, nJ=-1):
    """Makes room for contacts and constraint rows."""
    d._resize(ncon, nefc, nefc * d.model.nv if nJ < 0 else nJ)


def reference_folder():
    """Where the reference's package is installed; None when it is not."""
    spec = importlib.machinery.PathFinder.find_spec("mujoco")
    return None if spec is None or not spec.submodule_search_locations else list(spec.submodule_search_locations)[0]


class _Borrower(importlib.abc.MetaPathFinder):
    """Finds the Python parts of the reference where it is installed."""

    def find_spec(self, fullname, path=None, target=None):
        """The module's place, for those that are borrowed."""
        parts = fullname.split(".")
        if parts[0] != "mujoco" or len(parts) < 2 or parts[1] not in _BORROWED:
            return None
        folder = reference_folder()
        if folder is None:
            raise ModuleNotFoundError(f"{fullname} is a part of the reference's package that is Python alone: install it beside Kinetree "
                                      f"(pip install mujoco=={kinetree.reference_version}), and it runs on Kinetree", name=fullname)
        return importlib.machinery.PathFinder.find_spec(fullname, [os.path.join(folder, *parts[1:-1])], target)


def _module(name, content, package=False):
    """Registers a module under `mujoco`, and in the module above it."""
    module = types.ModuleType(f"mujoco.{name}")
    vars(module).update({key: value for key, value in content.items() if not key.startswith("__")})
    if package:
        vars(module)["__path__"] = []
    sys.modules[module.__name__] = module
    above, _, last = module.__name__.rpartition(".")
    setattr(sys.modules[above], last, module)
    return module


def install():
    """Registers the package and its submodules under the name `mujoco`."""
    present = sys.modules.get("mujoco")
    if present is not None and getattr(present, "MjModel", None) is not kinetree.MjModel:
        raise ImportError("mujoco is imported already: import kinetree.as_mujoco before it")
    public = {name: value for name, value in vars(kinetree).items() if not name.startswith("__")}
    # everything is shared but the version: programs decide by it what they may call
    mujoco = sys.modules["mujoco"] = types.ModuleType("mujoco")
    vars(mujoco).update(public, __version__=kinetree.reference_version, __path__=[], __file__=kinetree.__file__, __doc__=kinetree.__doc__,
                        PLUGIN_HANDLES=[])
    for name in _OWN:
        module = sys.modules[f"mujoco.{name}"] = importlib.import_module(f"kinetree.{name}")
        setattr(mujoco, name, module)
    context = {"GLContext": kinetree.GLContext}
    for name in _CONTEXTS:
        _module(name, context, package=name == "egl")
    _module("egl.egl_ext", vars(egl_ext))
    _module("rendering", {}, package=True)
    _module("rendering.classic", {}, package=True)
    _module("rendering.classic.gl_context", context)
    _module("rendering.classic.renderer", {**vars(sys.modules["mujoco.renderer"]), **context})
    for name in _ALIASES:
        _module(name, {**public, "_realloc_con_efc": _realloc_con_efc} if name == "_functions" else public)
    # programs look for the warning that a state is bad, where this package raises
    _core._leave_states_to_engine()
    if not any(isinstance(finder, _Borrower) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Borrower())


install()


def main():
    """Runs a script or module with `mujoco` replaced."""
    parser = argparse.ArgumentParser(
        prog="python -m kinetree.as_mujoco", usage="%(prog)s [-h] (script.py | -m module) [arguments]",
        description="Runs a script or a module that imports mujoco on Kinetree.")
    parser.add_argument("-m", dest="module", metavar="module", help="a module to run, such as mujoco.viewer")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="the script, and arguments of the script or module")
    # what follows the script or module belongs to it
    own = sys.argv[1:3] if sys.argv[1:2] == ["-m"] else sys.argv[1:2]
    chosen = parser.parse_args(own)
    rest = sys.argv[1 + len(own):]
    if chosen.module is not None:
        sys.argv = [chosen.module, *rest]
        # what stands for a module of the reference is imported already
        run = getattr(sys.modules.get(chosen.module), "main", None) if chosen.module.startswith("mujoco.") else None
        if run is None:
            runpy.run_module(chosen.module, run_name="__main__", alter_sys=True)
        else:
            run()
    elif chosen.arguments:
        sys.argv = [*chosen.arguments, *rest]
        sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[0])))
        runpy.run_path(sys.argv[0], run_name="__main__")
    else:
        parser.print_usage(sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
