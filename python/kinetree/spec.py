"""`MjSpec`: reading, editing and compiling model descriptions.

Bodies, joints, geoms, sites, cameras and lights can be found, changed, added and deleted. Vectors are copies: change them by
assignment, `geom.size = [1, 2, 3]`; writing into one raises an error.
"""

import os

from kinetree import _core
from kinetree.structs import MjData, MjModel, _text_keys

KINDS = {"body": "bodies", "joint": "joints", "geom": "geoms", "site": "sites", "camera": "cameras", "light": "lights"}


class MjsElement:
    """An element of a description."""

    _kind = ""

    def __init__(self, spec, index):
        object.__setattr__(self, "_spec", spec)
        object.__setattr__(self, "_index", index)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._spec._get(self._kind, self._index, name)

    def __setattr__(self, name, value):
        self._spec._set(self._kind, self._index, name, value)

    def __dir__(self):
        return [*super().__dir__(), *_core.CoreSpec._field_names(self._kind)]

    def __eq__(self, other):
        return type(self) is type(other) and self._spec is other._spec and self._index == other._index

    def __hash__(self):
        return hash((id(self._spec), self._kind, self._index))

    @property
    def parent(self):
        """The body that this belongs to; None for the world."""
        index = self._spec._parent(self._kind, self._index)
        return None if index is None else MjsBody(self._spec, index)

    def __repr__(self):
        return f"<{type(self).__name__} {self.name!r}>"


class MjsBody(MjsElement):
    """A body."""

    _kind = "body"


class MjsJoint(MjsElement):
    """A joint."""

    _kind = "joint"


class MjsGeom(MjsElement):
    """A geom."""

    _kind = "geom"


class MjsSite(MjsElement):
    """A site."""

    _kind = "site"


class MjsCamera(MjsElement):
    """A camera."""

    _kind = "camera"


class MjsLight(MjsElement):
    """A light."""

    _kind = "light"


_CLASSES = {cls._kind: cls for cls in (MjsBody, MjsJoint, MjsGeom, MjsSite, MjsCamera, MjsLight)}


def _children(kind):
    def get(self):
        return [_CLASSES[kind](self._spec, index) for index in self._spec._children(self._index, kind)]

    return property(get, doc=f"The {KINDS[kind]} that belong to this body.")


def _adder(kind):
    def add(self, default=None, **fields):
        element = _CLASSES[kind](self._spec, self._spec._add(self._index, kind, default or ""))
        try:
            for name, value in fields.items():
                setattr(element, name, value)
        except Exception:
            self._spec._delete(kind, element._index)
            raise
        return element

    add.__name__ = f"add_{kind}"
    add.__doc__ = f"Adds a {kind} with the values of a default class, and sets the fields given by name."
    return add


for _kind, _plural in KINDS.items():
    setattr(MjsBody, _plural, _children(_kind))
    setattr(MjsBody, f"add_{_kind}", _adder(_kind))


def _add_freejoint(self, **fields):
    """Adds a free joint."""
    return self.add_joint(type=0, **fields)


setattr(MjsBody, "add_freejoint", _add_freejoint)  # noqa: B010


class MjSpec(_core.CoreSpec):
    """An editable model description."""

    def __new__(cls, xml=None, path=None, assets=None):
        return super().__new__(cls, xml, path, assets)

    def __init__(self, xml=None, path=None, assets=None):
        pass

    @classmethod
    def from_string(cls, xml, include=None, assets=None):
        """Reads MJCF or URDF text."""
        return cls(xml=xml, assets=_text_keys({**(include or {}), **(assets or {})}))

    @classmethod
    def from_file(cls, filename, include=None, assets=None):
        """Reads an MJCF or URDF file."""
        return cls(path=os.fsdecode(filename), assets=_text_keys({**(include or {}), **(assets or {})}))

    def compile(self):
        """Compiles the description as it is now."""
        return MjModel(self._compile())

    def recompile(self, model, data):
        """A new model and a data with the time, and as far as sizes have stayed the same the state, of the old one."""
        new_model = self.compile()
        new_data = MjData(new_model)
        new_data.time = data.time
        for name in ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat"):
            if getattr(new_data, name).shape == getattr(data, name).shape:
                setattr(new_data, name, getattr(data, name))
        return new_model, new_data

    def delete(self, element):
        """Deletes an element; a body goes with all that hangs on it."""
        self._delete(element._kind, element._index)

    @property
    def worldbody(self):
        """The world."""
        return MjsBody(self, self._all("body")[0])

    def to_xml(self):
        """Not available: descriptions are not written as MJCF."""
        raise NotImplementedError("unsupported: writing MJCF")


def _list(kind):
    def get(self):
        return [_CLASSES[kind](self, index) for index in self._all(kind)]

    return property(get, doc=f"All {KINDS[kind]}.")


def _finder(kind):
    def find(self, name):
        return next((element for element in getattr(self, KINDS[kind]) if element.name == name), None)

    find.__name__ = kind
    find.__doc__ = f"The {kind} with this name; None when there is none."
    return find


for _kind, _plural in KINDS.items():
    setattr(MjSpec, _plural, _list(_kind))
    setattr(MjSpec, _kind, _finder(_kind))

__all__ = ["MjSpec", "MjsElement", *(cls.__name__ for cls in _CLASSES.values())]
