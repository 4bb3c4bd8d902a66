"""Kinetree: a MuJoCo-compatible physics engine in pure Rust."""

from kinetree import _extension  # noqa: F401, I001 - first: it decides which `_core` is imported
from kinetree import _core, constants, enums, figure, graphics, scene, spec, utilities, visual
from kinetree._core import FatalError, UnexpectedError, plugins, register_decoder, register_encoder, register_plugin, register_resource_provider
from kinetree.constants import *  # noqa: F403
from kinetree.contacts import MjContact, MjSolverStat, MjTimerStat, MjWarningStat
from kinetree.enums import *  # noqa: F403
from kinetree.figure import *  # noqa: F403
from kinetree.graphics import *  # noqa: F403
from kinetree.options import MjOption, MjStatistic, MjVisual, MjVisualHeadlight, MjVisualRgba
from kinetree.renderer import BatchRenderer, Renderer
from kinetree.scene import *  # noqa: F403
from kinetree.spec import *  # noqa: F403
from kinetree.structs import MjData, MjModel, mj_loadModel
from kinetree.utilities import *  # noqa: F403
from kinetree.visual import *  # noqa: F403

# that of the crates: `tools/release/version` sees to it
__version__ = "0.1.0"
# of the MuJoCo that this package is compatible with
reference_version = _core.mj_versionString()

_FUNCTIONS = [n for n in dir(_core) if n.startswith(("mj_", "mju_", "mjd_", "mjv_", "set_mjcb_", "get_mjcb_"))]
for _name in _FUNCTIONS:
    globals()[_name] = getattr(_core, _name)

# modules that are imported when they are first asked for: they take time, or need packages of their own
_LAZY = ("as_mujoco", "batch", "control", "envs", "gpu", "grad", "ik", "minimize", "mixed", "msh2obj", "rollout", "soft", "sysid", "viewer")


def __getattr__(name):
    if name in _LAZY:
        import importlib

        return importlib.import_module(f"kinetree.{name}")
    raise AttributeError(f"module 'kinetree' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *_LAZY[1:]})


__all__ = [
    "BatchRenderer", "FatalError", "MjContact", "MjData", "MjModel", "MjOption", "MjSolverStat", "MjStatistic", "MjTimerStat", "MjVisual",
    "MjVisualHeadlight", "MjVisualRgba", "MjWarningStat", "Renderer", "UnexpectedError", "mj_loadModel",
    "plugins", "register_decoder", "register_encoder", "register_plugin", "register_resource_provider", *constants.__all__,
    *enums.__all__, *figure.__all__, *graphics.__all__,
    *scene.__all__, *spec.__all__, *utilities.__all__, *visual.__all__, *_FUNCTIONS,
]
