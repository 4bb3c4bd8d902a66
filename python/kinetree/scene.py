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
    """An abstract camera: how a view moves and what it looks at. `mjv_defaultFreeCamera` gives it a view of a whole model.

    `type` is an `mjtCamera`: free, tracking a body (`trackbodyid`) or fixed to a camera of the model (`fixedcamid`). Free and tracking
    cameras look at `lookat` (3,) from `distance` (m), `azimuth` and `elevation` (degrees).

    Example::

        camera = kinetree.MjvCamera()
        camera.lookat, camera.distance, camera.elevation = data.xpos[1], 3.0, -20.0
        renderer.update_scene(data, camera)
    """

    _record_name = "MjvCamera"


class MjvGLCamera(_Record):
    """A camera as drawing needs it: `pos`, `forward` and `up` (3,), and the frustum at the near plane. `scene.camera` has two, for stereo."""

    _record_name = "MjvGLCamera"


class MjvOption(_Record):
    """What is visible in a scene.

    `flags` has a switch for each `mjtVisFlag`, such as contact points and forces; `geomgroup` and the other groups have six each.
    `label` and `frame` (`mjtLabel`, `mjtFrame`) choose what is labelled and drawn with axes.

    Example::

        option = kinetree.MjvOption()
        option.flags[kinetree.mjtVisFlag.mjVIS_CONTACTFORCE] = 1
        renderer.update_scene(data, scene_option=option)
    """

    _record_name = "MjvOption"


class MjvPerturb(_Record):
    """The body that a user has selected, `select`, and the pose that it is pulled to: `refpos` (3,) and `refquat` (4,).

    `active` is an `mjtPertBit`.
    """

    _record_name = "MjvPerturb"


class MjvGeom(_Record):
    """A geom of a scene: `type` (`mjtGeom`), `size`, `pos`, `mat`, `rgba`, material and `label`. `scene.geoms[i]` is one; `mjv_initGeom` sets one."""

    _record_name = "MjvGeom"


class MjvLight(_Record):
    """A light of a scene: `pos`, `dir`, `type` (`mjtLightType`) and colours. `scene.lights[i]` is one."""

    _record_name = "MjvLight"


class MjvFigure(_Record):
    """A plot of up to 100 lines for `mjr_figure`.

    Line i has `linepnt[i]` points, whose coordinates are in `linedata[i]`, x and y in turn, and the name `linename[i]`. `title`, `xlabel`,
    `range` (a minimum above the maximum for automatic), `flg_barplot` and colours such as `panergba` say how it looks.
    """

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
            raise IndexError(f"index {index} is out of range: there are {len(self)} items")
        face = self._cls.__new__(self._cls)
        face._attach(self._records[index : index + 1])
        return face


class MjvScene(_core.CoreScene):
    """All that one picture shows: geoms, lights and cameras. `mjv_updateScene` fills it, `mjr_render` draws it.

    `geoms` has room for `maxgeom` geoms, of which `ngeom` are used; a program may append its own with `mjv_initGeom`. `flags` has a switch for each
    `mjtRndFlag`, such as shadows.

    Args:
        model: the `MjModel`, or None for an empty scene.
        maxgeom: largest number of geoms.
    """

    def __init__(self, model=None, maxgeom=0):
        self._make(model, maxgeom)
        own = self.__dict__
        own["_record"] = self._records("MjvScene").view(_DTYPES["MjvScene"]).reshape(())
        for name, (cls, _) in _SCENE_LISTS.items():
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
    return property(lambda self: self.__dict__["_" + name], doc=_SCENE_LISTS[name][1])


def _field_property(name):
    return property(lambda self: _get(self, self.__dict__["_record"], name), doc=_SCENE_FIELDS[name])


# fields belong to the class, so that subclasses may override and extend them
_SCENE_LISTS = {
    "geoms": (MjvGeom, "The geoms, `maxgeom` of which the first `ngeom` are shown."),
    "lights": (MjvLight, "The lights, of which the first `nlight` are used."),
    "camera": (MjvGLCamera, "The two cameras, left and right; equal unless the scene is stereo."),
}
_SCENE_FIELDS = {
    "maxgeom": "Largest number of geoms.",
    "ngeom": "Number of geoms.",
    "nflex": "Number of flexes.",
    "flexvertopt": "Whether vertices of flexes are shown.",
    "flexedgeopt": "Whether edges of flexes are shown.",
    "flexfaceopt": "Whether faces of flexes are shown.",
    "flexskinopt": "Whether the smooth surface of flexes is shown.",
    "nskin": "Number of skins.",
    "nlight": "Number of lights.",
    "enabletransform": "Whether the model is moved into the room by `translate`, `rotate` and `scale`.",
    "translate": "Position of the model in the room (m). Shape (3,).",
    "rotate": "Orientation of the model in the room, a quaternion. Shape (4,).",
    "scale": "Scale of the model in the room.",
    "stereo": "Stereo mode, an `mjtStereo`.",
    "flags": "Effects of drawing by `mjtRndFlag`, 0 or 1 each.",
    "framewidth": "Width of a frame around the picture in pixels; 0 for none.",
    "framergb": "Colour of that frame. Shape (3,).",
    "status": "0 when the scene is complete, 1 when there were more geoms than `maxgeom`.",
}
for _name in _SCENE_LISTS:
    setattr(MjvScene, _name, _face_property(_name))
for _name in _DTYPES["MjvScene"].names or ():
    setattr(MjvScene, _name, _field_property(_name))


__all__ = [
    "MjvCamera", "MjvFigure", "MjvGLCamera", "MjvGeom", "MjvLight", "MjvOption", "MjvPerturb", "MjvScene",
]
