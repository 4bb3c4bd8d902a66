"""Enumerations with the reference's names and values, made from the engine's own tables."""

import enum

from kinetree import _core


def _make(name, members, extra):
    return enum.IntEnum(name, dict([*members, *extra]), module="kinetree")


for _name, _members, _extra in _core.ENUMS:
    globals()[_name] = _make(_name, _members, _extra)

__all__ = [name for name, _, _ in _core.ENUMS]
