"""Enumerations with the reference's names and values, made from the engine's own tables."""

import enum
from typing import TYPE_CHECKING, Any

from kinetree import _core, face_enums

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """The enumerations are made below, from a table."""


class _Named(enum.IntEnum):
    """An enumeration whose members are numbers and are shown by name, in every version of Python."""

    def __str__(self):
        return f"{type(self).__name__}.{self.name}"

    def __format__(self, form):
        return format(int(self), form) if form else str(self)


# making one of members is not in the types of `enum` for classes of one's own
_NAMED: Any = _Named


def _make(name, members):
    return _NAMED(name, dict(members), module="kinetree")


for _name, _members, _extra in _core.ENUMS:
    globals()[_name] = _make(_name, [*_members, *_extra])
for _name, (_prefix, _names) in face_enums.TABLE.items():
    globals()[_name] = _make(_name, face_enums.members(_prefix, _names))

__all__ = [*(name for name, _, _ in _core.ENUMS), *face_enums.TABLE]
