"""Contacts, warnings, timers and solver statistics: lists of structs over arrays."""

import numpy as np

from kinetree import _core
from kinetree.options import Struct

_EMPTY = None


def _template():
    global _EMPTY
    if _EMPTY is None:
        model = _core.CoreModel(_core.load_xml_string("<mujoco/>"))
        _EMPTY = {k: (v.dtype, v.shape[1:]) for k, v in _core.CoreData(model)._contacts().items()}
    return _EMPTY


class MjContact(Struct):
    """One contact."""

    def __init__(self, fields=None):
        if fields is None:
            fields = {name: np.zeros(shape, dtype) for name, (dtype, shape) in _template().items()}
        super().__init__(fields)


class _StructList:
    """A list of structs that reads its arrays anew at each access."""

    def __init__(self, arrays, cls):
        self._arrays, self._cls = arrays, cls

    def __len__(self):
        return len(next(iter(self._arrays().values())))

    def __getitem__(self, index):
        arrays = self._arrays()
        if isinstance(index, slice):
            return [self._item(arrays, i) for i in range(*index.indices(len(self)))]
        index = int(index)
        count = len(self)
        if index < 0:
            index += count
        if not 0 <= index < count:
            raise IndexError(f"index {index} out of range: there are {count}")
        return self._item(arrays, index)

    def _item(self, arrays, index):
        return self._cls({k: v[index] if v.ndim > 1 else v[index : index + 1] for k, v in arrays.items()})

    def __iter__(self):
        arrays = self._arrays()
        return (self._item(arrays, i) for i in range(len(self)))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self._arrays()[name]
        except KeyError:
            raise AttributeError(name) from None

    def __eq__(self, other):
        if not isinstance(other, _StructList):
            return NotImplemented
        mine, theirs = self._arrays(), other._arrays()
        return mine.keys() == theirs.keys() and all(np.array_equal(v, theirs[k]) for k, v in mine.items())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self):
        return f"<{self._cls.__name__} list of {len(self)}>"


class MjWarningStat(Struct):
    """How often a warning was raised."""

    def __init__(self, fields=None):
        super().__init__(fields or {"lastinfo": np.zeros(1, np.int32), "number": np.zeros(1, np.int32)})


class MjTimerStat(Struct):
    """Time spent in one part of the pipeline."""

    def __init__(self, fields=None):
        super().__init__(fields or {"duration": np.zeros(1), "number": np.zeros(1, np.int32)})


class MjSolverStat(Struct):
    """Diagnostics of one solver iteration."""

    FLOATS = ("improvement", "gradient", "lineslope")
    INTS = ("nactive", "nchange", "neval", "nupdate")

    def __init__(self, fields=None):
        if fields is None:
            fields = {n: np.zeros(1) for n in self.FLOATS} | {n: np.zeros(1, np.int32) for n in self.INTS}
        super().__init__(fields)


def _columns(rows, names, types):
    columns = list(zip(*rows)) if rows else [()] * len(names)
    return {n: np.array(c, dtype=t) for n, c, t in zip(names, columns, types)}


def contact_list(data):
    """Live list of a data's contacts."""
    return _StructList(data._contacts, MjContact)


def warning_list(data):
    """Live list of a data's warnings."""
    return _StructList(
        lambda: _columns(data._stats()["warning"], ("lastinfo", "number"), (np.int32, np.int32)), MjWarningStat
    )


def counter(data, name):
    """A counter of the data by its name, as it is now."""
    return MjWarningStat(_columns([data._stats()[name]], ("lastinfo", "number"), (np.int32, np.int32)))


def timer_list(data):
    """Live list of a data's timers."""
    return _StructList(lambda: _columns(data._stats()["timer"], ("duration", "number"), (float, np.int32)), MjTimerStat)


def solver_list(data):
    """Live list of a data's solver statistics."""
    names = MjSolverStat.FLOATS + MjSolverStat.INTS
    types = (float,) * 3 + (np.int32,) * 4
    return _StructList(lambda: _columns(data._stats()["solver"], names, types), MjSolverStat)
