"""Elements of a description and what became of them: `model.bind(geom).rgba`, `data.bind(joints).qpos`."""

from collections.abc import Sequence

import numpy as np

from kinetree import named
from kinetree.structs import MjData, MjModel


class Bound:
    """Fields of several elements, one after the other."""

    def __init__(self, views):
        self.__dict__["_views"] = views

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            parts = [getattr(view, name) for view in self._views]
        except AttributeError:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}") from None
        if not parts:
            return np.array([])
        if all(np.size(part) == 1 for part in parts):
            return np.array([part if np.ndim(part) == 0 else part[0] for part in parts])
        return np.concatenate([np.atleast_1d(part) for part in parts])

    def __setattr__(self, name, value):
        value = np.asarray(value)
        start = 0
        for view in self._views:
            size = np.size(getattr(view, name))
            part = value if value.ndim == 0 else value.ravel()[start : start + size]
            setattr(view, name, part)
            start += size


def _number(model, element):
    if model.__dict__.get("_spec_signature") != element.signature:
        raise ValueError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
    return element.id


def _kind(element):
    kind = {"key": "keyframe"}.get(element._kind, element._kind)
    if kind not in named.KINDS:
        raise ValueError(f"a {element._kind} has no fields in the model")
    return kind


def _bind_model(self, specs):
    """Fields of the model that belong to elements of the description it was compiled from.

    Args:
        specs: an element such as an `MjsGeom`, or a list of elements of one kind.

    Returns:
        An object with the fields of the element, or of all of them one after the other, to read and to write.

    Raises:
        ValueError: the description has changed since the model was compiled, or such elements have no fields in the model.

    Example::

        model.bind(spec.geoms).rgba[:] = 1
    """
    if isinstance(specs, Sequence):
        return Bound([_bind_model(self, element) for element in specs])
    return getattr(self, _kind(specs))(_number(self, specs))


def _bind_data(self, specs):
    """Fields of the data that belong to elements of the description it was compiled from.

    Args:
        specs: an element such as an `MjsGeom`, or a list of elements of one kind.

    Returns:
        An object with the fields of the element, or of all of them one after the other, to read and to write.

    Raises:
        ValueError: the description has changed since the model was compiled, or such elements have no fields in the data.

    Example::

        data.bind(spec.joints).qpos
    """
    if isinstance(specs, Sequence):
        return Bound([_bind_data(self, element) for element in specs])
    kind = _kind(specs)
    if kind not in named.DATA:
        raise ValueError(f"a {kind} has no fields in the data")
    return getattr(self, kind)(_number(self.model, specs))


def _scalar(bind):
    def bind_scalar(self, spec):
        if isinstance(spec, Sequence):
            raise TypeError("one element is expected: bind takes several")
        return bind(self, spec)

    bind_scalar.__doc__ = """Fields that belong to one element of the description.

    Args:
        spec: the element.

    Raises:
        TypeError: several elements are given; `bind` takes them.
    """
    return bind_scalar


MjModel.bind, MjData.bind = _bind_model, _bind_data
MjModel.bind_scalar, MjData.bind_scalar = _scalar(_bind_model), _scalar(_bind_data)
