"""Structs of scenes: small objects whose fields are views of records, arrays of bytes that the engine reads and writes.

The layout of each record is the engine's (`_core.RECORDS`).
"""

import collections.abc

import numpy as np

from kinetree import _core
from kinetree.options import Struct

_DTYPES = {
    name: np.dtype([(field, kind, tuple(shape)) for field, kind, shape in fields], align=True)
    for name, (fields, _) in _core.RECORDS.items()
}


class _Record(Struct):
    """A struct whose fields are views of one record."""

    _record_name = ""

    def __init__(self):
        fresh = bytearray(_core.RECORDS[self._record_name][1])
        self._attach(np.frombuffer(fresh, _DTYPES[self._record_name]))

    def _attach(self, records):
        """Shows the record in an array of one."""
        own = self.__dict__
        own["_record"] = records.reshape(())
        own["_bytes"] = records.view(np.uint8)

    @property
    def _fields(self):
        """All fields as arrays, by name."""
        record = self.__dict__["_record"]
        return {name: record[name] for name in record.dtype.names}

    def __getattr__(self, name):
        return _get(self, self.__dict__["_record"], name)

    def __setattr__(self, name, value):
        _set(self, self.__dict__["_record"], name, value)

    def __copy__(self):
        new = type(self).__new__(type(self))
        new._attach(np.array(self.__dict__["_record"]).reshape(1))
        return new

    def __reduce__(self):
        return (_restore, (type(self), self.__dict__["_bytes"].tobytes()))


def _restore(cls, data):
    new = cls.__new__(cls)
    new._attach(np.frombuffer(bytearray(data), _DTYPES[cls._record_name]))
    return new


def _get(owner, record, name):
    """A field: a view of a vector, else a number or text."""
    try:
        value = record[name]
    except ValueError:
        raise AttributeError(f"{type(owner).__name__} has no field {name!r}") from None
    if value.ndim:
        return value
    item = value.item()
    return item.decode("utf-8", "replace") if isinstance(item, bytes) else item


def _set(owner, record, name, value):
    """Assigns to a field."""
    try:
        target = record[name]
    except ValueError:
        raise AttributeError(f"{type(owner).__name__} has no field {name!r}") from None
    if target.dtype.kind in "iu" and isinstance(value, (float, np.floating)):
        raise TypeError(f"{name} is an integer, got {value!r}")
    if target.dtype.kind == "S" and not target.ndim:
        value = value.encode() if isinstance(value, str) else bytes(value)
        if len(value) >= target.dtype.itemsize:
            raise ValueError(f"{name} has {len(value)} bytes, but has room for {target.dtype.itemsize - 1}")
    target[...] = value


class MjvCamera(_Record):
    """An abstract camera."""

    _record_name = "MjvCamera"


class MjvGLCamera(_Record):
    """A camera as a renderer needs it."""

    _record_name = "MjvGLCamera"


class MjvOption(_Record):
    """What is visualized."""

    _record_name = "MjvOption"


class MjvPerturb(_Record):
    """A selection and a perturbation by the user."""

    _record_name = "MjvPerturb"


class MjvGeom(_Record):
    """A geom of a scene."""

    _record_name = "MjvGeom"


class MjvLight(_Record):
    """A light of a scene."""

    _record_name = "MjvLight"


class MjvFigure(_Record):
    """A plot."""

    _record_name = "MjvFigure"


class _Faces(collections.abc.Sequence):
    """The structs in an array of records, made when they are asked for."""

    def __init__(self, cls, records):
        self._cls, self._records = cls, records

    def __len__(self):
        return len(self._records)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        index = index.__index__()
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(f"there are {len(self)} places, but {index} was asked for")
        face = self._cls.__new__(self._cls)
        face._attach(self._records[index : index + 1])
        return face


class MjvScene(_core.CoreScene):
    """Geoms, lights and cameras of one picture; `maxgeom` places for geoms are made at once."""

    def __init__(self, model=None, maxgeom=0):
        self._make(model, maxgeom)
        own = self.__dict__
        own["_record"] = self._records("MjvScene").view(_DTYPES["MjvScene"]).reshape(())
        for name, cls in _SCENE_LISTS.items():
            own["_" + name] = _Faces(cls, self._records(cls._record_name).view(_DTYPES[cls._record_name]))
        own.update(self._lists())

    def __setattr__(self, name, value):
        array = self.__dict__.get(name)
        if isinstance(array, np.ndarray):
            array[...] = value
        elif name in _SCENE_LISTS:
            raise AttributeError(f"{name!r} cannot be replaced; write to its elements")
        else:
            _set(self, self.__dict__["_record"], name, value)

    @property
    def _fields(self):
        """The fields that are no lists, as arrays, by name."""
        record = self.__dict__["_record"]
        return {name: record[name] for name in record.dtype.names}


def _face_property(name):
    return property(lambda self: self.__dict__["_" + name], doc=f"The {name} of the scene.")


def _field_property(name):
    return property(lambda self: _get(self, self.__dict__["_record"], name))


# fields belong to the class, so that subclasses may override and extend them
_SCENE_LISTS = {"geoms": MjvGeom, "lights": MjvLight, "camera": MjvGLCamera}
for _name in _SCENE_LISTS:
    setattr(MjvScene, _name, _face_property(_name))
for _name in _DTYPES["MjvScene"].names or ():
    setattr(MjvScene, _name, _field_property(_name))


__all__ = [
    "MjvCamera", "MjvFigure", "MjvGLCamera", "MjvGeom", "MjvLight", "MjvOption", "MjvPerturb", "MjvScene",
]
