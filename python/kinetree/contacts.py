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
    """One contact between two geoms or flexes.

    `data.contact[i]` is one that was found; a new one is all zeros, for `mj_addContact`. `geom1` and `geom2` are the geoms (-1 for
    flexes, see `flex`, `elem` and `vert`), `dist` is the distance (m), negative when they penetrate, `pos` (3,) the point in the
    world (m), and `frame` (9,) the axes in rows, with the normal from the first geom to the second in front. `friction` (5,) has two
    sliding, one torsional (m) and two rolling coefficients (m); `efc_address` is the first of its rows in the `efc_…` fields, -1 for none.
    `mj_contactForce` computes its force.

    Args:
        fields: arrays by name; for use by the package.
    """

    def __init__(self, fields=None):
        if fields is None:
            fields = {name: np.zeros(shape, dtype) for name, (dtype, shape) in _template().items()}
        super().__init__(fields)


class _Item(MjContact):
    """One contact of a data, as it is now."""

    def __init__(self, arrays, index):
        object.__setattr__(self, "_arrays", arrays)
        object.__setattr__(self, "_index", index)

    @property
    def _fields(self):
        return {name: _row(array, self._index) for name, array in self._arrays().items()}

    def __getattr__(self, name):
        arrays = self._arrays()
        if name not in arrays:
            raise AttributeError(f"MjContact has no field {name!r}")
        row = _row(arrays[name], self._index)
        return row if row.size > 1 else row.ravel()[0].item()

    def __copy__(self):
        return MjContact({name: np.array(array) for name, array in self._fields.items()})

    def __reduce__(self):
        return (MjContact, ({name: np.array(array) for name, array in self._fields.items()},))


_Item.__name__ = _Item.__qualname__ = "MjContact"


def _row(array, index):
    if index >= len(array):
        raise IndexError(f"contact {index} does not exist any more: there are {len(array)}")
    return array[index] if array.ndim > 1 else array[index : index + 1]


class _StructList:
    """A list of structs over arrays, which are asked for at each access."""

    def __init__(self, arrays, cls):
        self.__dict__["_arrays"], self.__dict__["_cls"] = arrays, cls

    def __len__(self):
        return len(next(iter(self._arrays().values())))

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self._item(i) for i in range(*index.indices(len(self)))]
        index = int(index)
        count = len(self)
        if index < 0:
            index += count
        if not 0 <= index < count:
            raise IndexError(f"index {index} out of range: there are {count}")
        return self._item(index)

    def _item(self, index):
        return self._cls({name: array[index : index + 1] for name, array in self._arrays().items()})

    def __iter__(self):
        return (self._item(i) for i in range(len(self)))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self._arrays()[name]
        except KeyError:
            raise AttributeError(f"{self!r} has no field {name!r}") from None

    def __setattr__(self, name, value):
        raise AttributeError(f"{name!r} cannot be replaced: write to its elements, {name}[:] = ...")

    def __eq__(self, other):
        if not isinstance(other, _StructList):
            return NotImplemented
        mine, theirs = self._arrays(), other._arrays()
        return mine.keys() == theirs.keys() and all(np.array_equal(v, theirs[k]) for k, v in mine.items())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self):
        return f"<{self._cls.__name__} list of {len(self)}>"


class _ContactList(_StructList):
    """The contacts of a data, as they are now."""

    def _item(self, index):
        return _Item(self._arrays, index)


class MjWarningStat(Struct):
    """How often a warning was raised: `number`, and `lastinfo`, a detail such as a dof. `data.warning[i]` is one.

    Args:
        fields: arrays by name; for use by the package.
    """

    def __init__(self, fields=None):
        super().__init__(fields or {"lastinfo": np.zeros(1, np.int32), "number": np.zeros(1, np.int32)})


class MjTimerStat(Struct):
    """Time spent in one stage: `duration` in seconds and `number` of calls. `data.timer[i]` is one.

    Args:
        fields: arrays by name; for use by the package.
    """

    def __init__(self, fields=None):
        super().__init__(fields or {"duration": np.zeros(1), "number": np.zeros(1, np.int32)})


class MjSolverStat(Struct):
    """Diagnostics of one solver iteration; `data.solver[i]` is one.

    `improvement` is the decrease of the cost, `gradient` its norm, both scaled; `lineslope` the derivative at the end of the line search;
    `nactive` the number of active rows, `nchange` of rows that changed their state, `neval` of evaluations in the line search and
    `nupdate` of rank-one updates.

    Args:
        fields: arrays by name; for use by the package.
    """

    FLOATS = ("improvement", "gradient", "lineslope")
    INTS = ("nactive", "nchange", "neval", "nupdate")

    def __init__(self, fields=None):
        if fields is None:
            fields = {n: np.zeros(1) for n in self.FLOATS} | {n: np.zeros(1, np.int32) for n in self.INTS}
        super().__init__(fields)


def contact_list(data):
    """Live list of a data's contacts."""
    return _ContactList(data._contacts, MjContact)


def views(statistics):
    """Attributes of a data over the engine's memory: arrays, lists of counters and timers, single counters."""
    found: dict = {}
    for name, value in statistics.items():
        if name in ("warning", "timer"):
            cls = MjWarningStat if name == "warning" else MjTimerStat
            found[name] = _StructList(lambda columns=value: columns, cls)
        else:
            found[name] = MjWarningStat(value) if isinstance(value, dict) else value
    return found


def solver_list(data):
    """Live list of a data's solver statistics, so many for each island."""
    return _StructList(data._solver, MjSolverStat)
