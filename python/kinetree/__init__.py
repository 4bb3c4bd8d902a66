"""Kinetree: a MuJoCo-compatible physics engine in pure Rust."""

from kinetree import _core
from kinetree.structs import MjData, MjModel

__all__ = ["MjData", "MjModel"]


def _stage(name):
    function = getattr(_core, name)

    def call(m, d):
        function(m._core, d._core)

    call.__name__ = name
    return call


for _name in dir(_core):
    if _name.startswith("mj"):
        globals()[_name] = _stage(_name)
