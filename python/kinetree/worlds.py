"""What simulators of many worlds, on threads and on a GPU, have in common: tables with a row for each world, and checks."""

import operator
from typing import Any

import numpy as np

from kinetree import _core


def write_rows(name, table, values):
    """Writes values into a table."""
    values = np.asarray(values, dtype=float)
    try:
        table[...] = values
    except ValueError:
        raise ValueError(f"{name} has shape {table.shape}, a row for each world; {values.shape} does not fit") from None


def table(name, doc):
    """A table: reading gives the view, assigning writes into it."""
    def get(self):
        return self._tables[name]

    def put(self, values):
        write_rows(name, self._tables[name], values)

    return property(get, put, doc=doc)


def one_model(model):
    """The model of all worlds; an error for several of them."""
    if isinstance(model, (list, tuple)):
        raise TypeError(f"unsupported: {len(model)} models here; kinetree.mixed.MixedBatch steps worlds of several models, "
                        "kinetree.envs.MixedVectorEnv joins environments of several robots, and `vary` varies fields of one model from world to "
                        "world")
    return model


def mask_bytes(mask, worlds):
    """A flag for each world, as bytes."""
    mask = np.asarray(mask)
    if mask.dtype != bool or mask.shape != (worlds,):
        raise ValueError(f"mask must be an array of {worlds} booleans, one for each world; "
                         f"it has shape {mask.shape} and type {mask.dtype}")
    return mask.astype(np.uint8)


def count(name, value, least):
    """A whole number that is at least `least`."""
    value = operator.index(value)
    if value < least:
        raise ValueError(f"{name} must be at least {least}, but is {value}")
    return value


def chosen_worlds(worlds, count):
    """Numbers of some worlds, given as such, by a flag for each world, or not at all for all of them."""
    if worlds is None:
        return list(range(count))
    worlds = np.asarray(worlds)
    if worlds.dtype == bool:
        return np.flatnonzero(mask_bytes(worlds, count)).tolist()
    chosen = [operator.index(world) for world in worlds.ravel().tolist()]
    wrong = next((world for world in chosen if not 0 <= world < count), None)
    if wrong is not None:
        raise ValueError(f"there is no world {wrong}: there are {count}")
    return chosen


def varied(field, values, worlds):
    """Values of a field of the model, a row for each world."""
    values = np.asarray(values, dtype=float)
    if values.ndim == 0 or len(values) != worlds:
        raise ValueError(f"values of {field} must have a row for each of {worlds} worlds, their shape is {values.shape}")
    return values


def finite(field, values, worlds):
    """Values of these worlds that are all finite numbers, and not negative where they cannot be."""
    for wrong, why in ((~np.isfinite(values), "which is not a finite number"),
                       ((values < 0) & (field in _core.NOT_NEGATIVE), "which cannot be negative")):
        if wrong.any():
            place = tuple(int(i) for i in np.argwhere(wrong)[0])
            inside = ", ".join(map(str, place[1:]))
            raise ValueError(f"{field}[{inside}] of world {worlds[place[0]]} is {values[place]}, {why}")
    return values


def equalities():
    """Active equalities: reading copies them, assigning sets them."""
    def get(self):
        active = self._core.equalities().reshape(self.num_worlds, self.model.neq)
        # writing to a copy would set nothing
        active.flags.writeable = False
        return active

    def put(self, active):
        active, shape = np.asarray(active), (self.num_worlds, self.model.neq)
        try:
            rows = np.broadcast_to(active, shape)
        except ValueError:
            raise ValueError(f"eq_active has shape {shape}, a row for each world; {active.shape} does not fit") from None
        if active.dtype != bool:
            raise ValueError(f"eq_active must be booleans; its type is {active.dtype}")
        self._core.set_equalities(rows.astype(np.uint8))

    return property(get, put, doc="Which equalities are active, (n, neq): a copy; assigning sets them, until a reset of the world.")


def mocap(columns, doc):
    """Parts of the poses of mocap bodies: reading copies them, assigning moves the bodies."""
    def poses(self):
        return np.array(self._core.mocap()).reshape(self.num_worlds, self.model.nmocap, 7)

    def get(self):
        part = poses(self)[..., columns]
        # writing to a copy would move nothing
        part.flags.writeable = False
        return part

    def put(self, values):
        values, all_poses = np.asarray(values, dtype=float), poses(self)
        try:
            all_poses[..., columns] = values
        except ValueError:
            shape = all_poses[..., columns].shape
            raise ValueError(f"poses of mocap bodies have shape {shape}, a row for each world; {values.shape} does not fit") from None
        if not np.isfinite(all_poses).all():
            raise ValueError("poses of mocap bodies must be finite numbers")
        self._core.set_mocap(all_poses)

    return property(get, put, doc=doc)


class Worlds:
    """What simulators of many worlds have in common: a `_core` of the extension module, a `model` and `num_worlds`."""

    _core: Any
    num_worlds: int

    eq_active = equalities()
    mocap_pos = mocap(slice(0, 3), "Positions of mocap bodies, (n, nmocap, 3): a copy; assigning moves them, until a reset of the world.")
    mocap_quat = mocap(slice(3, 7), "Their orientations as quaternions, (n, nmocap, 4), in the same way.")

    def vary(self, field, values, worlds=None, recompute=False):
        """Gives each world values of its own for an array of the model, (n, ...), or for "gravity" or "timestep":
        `vary("body_mass", masses)`.

        Args:
            field: name of the array.
            values: a row for each world that is varied.
            worlds: which ones: a flag for each world, or their numbers; all without it. The others keep what they have.
            recompute: whether what the compiler derives from such values follows, for these worlds: `body_subtreemass` and
                `dof_invweight0` from masses, for example. Without it they stay as they are, as when a program writes to a model.
        """
        chosen = chosen_worlds(worlds, self.num_worlds)
        self._vary(field, finite(field, varied(field, values, len(chosen)), chosen), chosen, bool(recompute))

    def _vary(self, field, values, worlds, recompute):
        self._core.vary(field, values, worlds, recompute)

    def end_variations(self):
        """Gives all worlds the fields of the model again."""
        self._core.end_variations()

    def _check(self, n, reset_noise, time_limit):
        """The number of worlds and the time limit, if they and the noise can be some."""
        if not 0.0 <= reset_noise < np.inf:
            raise ValueError(f"reset_noise must be a finite number that is not negative, but is {reset_noise}")
        return count("the number of worlds", n, 1), None if time_limit is None else count("time_limit", time_limit, 1)
