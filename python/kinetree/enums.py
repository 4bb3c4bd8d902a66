"""Enumerations with the reference's names and values, made from the engine's own tables."""

import enum
from typing import TYPE_CHECKING, Any

from kinetree import _core, face_enums

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """The enumerations are made below, from a table."""


def _make(name, members):
    return enum.IntEnum(name, dict(members), module="kinetree")


for _name, _members, _extra in _core.ENUMS:
    globals()[_name] = _make(_name, [*_members, *_extra])
for _name, (_prefix, _names) in face_enums.TABLE.items():
    globals()[_name] = _make(_name, face_enums.members(_prefix, _names))

__all__ = [*(name for name, _, _ in _core.ENUMS), *face_enums.TABLE]
