"""Kinetree: a MuJoCo-compatible physics engine in pure Rust."""

from kinetree import _core, enums
from kinetree._core import FatalError, UnexpectedError
from kinetree.contacts import MjContact, MjSolverStat, MjTimerStat, MjWarningStat
from kinetree.enums import *  # noqa: F403
from kinetree.options import MjOption, MjStatistic, MjVisual
from kinetree.structs import MjData, MjModel

_FUNCTIONS = [n for n in dir(_core) if n.startswith(("mj_", "mju_", "mjd_", "set_mjcb_", "get_mjcb_"))]
for _name in _FUNCTIONS:
    globals()[_name] = getattr(_core, _name)

__all__ = [
    "FatalError", "MjContact", "MjData", "MjModel", "MjOption", "MjSolverStat", "MjStatistic", "MjTimerStat", "MjVisual",
    "MjWarningStat", "UnexpectedError", *enums.__all__, *_FUNCTIONS,
]
