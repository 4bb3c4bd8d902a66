"""Kinetree: a MuJoCo-compatible physics engine in pure Rust."""

from kinetree import _core, enums
from kinetree.contacts import MjContact, MjSolverStat, MjTimerStat, MjWarningStat
from kinetree.enums import *  # noqa: F403
from kinetree.options import MjOption, MjStatistic, MjVisual
from kinetree.structs import MjData, MjModel

for _name in dir(_core):
    if _name.startswith(("mj_", "mju_", "mjd_")):
        globals()[_name] = getattr(_core, _name)

__all__ = [
    "MjContact", "MjData", "MjModel", "MjOption", "MjSolverStat", "MjStatistic", "MjTimerStat", "MjVisual",
    "MjWarningStat", *enums.__all__, *(n for n in dir(_core) if n.startswith(("mj_", "mju_", "mjd_"))),
]
