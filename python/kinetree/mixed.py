"""Worlds of several models in one batch: robots with other numbers of joints, actuators and sensors, each with a task of its own.

::

    batch = kinetree.mixed.MixedBatch([ant, humanoid], [64, 32], tasks=[("Ant", {}), ("Humanoid", {})], frame_skip=5)
    for part in batch.parts:
        part.ctrl = policy(part.observations)     # tables of one model, as wide as that needs
    batch.step()
    batch.rewards                                 # of all worlds, (96,)

Worlds of one model stay together: they share what is computed for several worlds at a time.
"""

from typing import Any

import numpy as np

from kinetree.batch import BatchSim
from kinetree.structs import MjModel
from kinetree.worlds import count, mask_bytes

__all__ = ["MixedBatch"]

# tables that are padded to the widest model
_TABLES = ("qpos", "qvel", "ctrl", "sensordata", "observations", "metrics")


def pad(tables, width=None):
    """Tables below each other, with zeros where others are wider."""
    width = max(table.shape[1] for table in tables) if width is None else width
    rows = np.zeros((sum(map(len, tables)), width), dtype=np.result_type(*tables))
    first = 0
    for table in tables:
        rows[first:first + len(table), :table.shape[1]] = table
        first += len(table)
    return rows


def mask_of(heights, widths):
    """Where a padded table has numbers of a model."""
    mask = np.zeros((sum(heights), max(widths)), dtype=bool)
    first = 0
    for height, width in zip(heights, widths):
        mask[first:first + height, :width] = True
        first += height
    return mask


def _for_each(name, values, models, one):
    """A value for each model: a list of them, or the same one for all."""
    if isinstance(values, one):
        return [values] * models
    values = list(values)
    if len(values) != models:
        raise ValueError(f"{name} must be one for all models or a list of {models}, one for each model; the list has {len(values)}")
    return values


def _padded(name, doc):
    """A table of all worlds: reading copies it, assigning writes into the tables of the parts."""
    def get(self):
        rows = pad([getattr(part, name) for part in self.parts])
        # writing to a copy would set nothing
        rows.flags.writeable = False
        return rows

    def put(self, values):
        tables = [getattr(part, name) for part in self.parts]
        shape = (self.num_worlds, max(table.shape[1] for table in tables))
        try:
            values = np.broadcast_to(np.asarray(values, dtype=float), shape)
        except ValueError:
            raise ValueError(f"{name} has shape {shape}, a row for each world, as wide as the largest model needs; "
                             f"{np.shape(values)} does not fit") from None
        for rows, table in zip(self.slices, tables):
            table[...] = values[rows, :table.shape[1]]

    return property(get, put, doc=doc)


class MixedBatch:
    """Worlds of several models that are stepped together; those of one model follow each other.

    `parts` has a `BatchSim` for each model, with views of its own tables, `vary` and all else. Tables of all worlds (`qpos`, `observations`…)
    are copies, padded with zeros to the widest model; `mask` tells which numbers are a model's, and assigning writes to the parts.

    Args:
        models: the models, a list.
        worlds: number of worlds of each model, a list; or one number for all.
        tasks: name and settings of a task for each model, as in `BatchSim`, or None for those without; None for no tasks.
        frame_skip: steps of physics in a step of the batch; one number, or one for each model, so that models with other time steps keep pace.
        seed: seed of the random first states.
        settings: `nthread`, `reset_noise`, `time_limit`, `outputs`, `device` and `adapter`, as in `BatchSim`.

    Example::

        batch = MixedBatch([pole, arm], 8)
        batch.ctrl = np.zeros((16, batch.ctrl.shape[1]))
        batch.step(10)
    """

    def __init__(self, models, worlds, *, tasks=None, frame_skip=1, seed=0, **settings):
        models = list(models)
        wrong = next((model for model in models if not isinstance(model, MjModel)), None)
        if wrong is not None or not models:
            raise TypeError("models must be a list of at least one MjModel" + ("" if wrong is None else f"; it has {wrong!r}"))
        counts = _for_each("worlds", worlds, len(models), (int, np.integer))
        skips = _for_each("frame_skip", frame_skip, len(models), (int, np.integer))
        choices = _for_each("tasks", tasks, len(models), (type(None),))
        self.parts = tuple(BatchSim(model, n, task=task, frame_skip=skip, **settings)
                           for model, n, task, skip in zip(models, counts, choices, skips))
        ends = np.cumsum([part.num_worlds for part in self.parts]).tolist()
        self.num_worlds = ends[-1]
        self.slices = tuple(slice(first, last) for first, last in zip([0, *ends], ends))
        self.model_of = np.repeat(np.arange(len(models)), [part.num_worlds for part in self.parts])
        self.model_of.flags.writeable = False
        self.seed(seed)
        if settings.get("reset_noise", 0.0) > 0:
            self.reset()

    parts: tuple[BatchSim, ...]
    """The worlds of each model."""
    slices: tuple[slice, ...]
    """Where the worlds of each model are among all."""
    model_of: Any
    """Index of the model of each world, (n,)."""

    qpos = _padded("qpos", "Positions, (n, most nq).")
    qvel = _padded("qvel", "Velocities, (n, most nv).")
    ctrl = _padded("ctrl", "Controls, (n, most nu).")
    sensordata = _padded("sensordata", "Sensor values, (n, most nsensordata).")
    observations = _padded("observations", "Observations of the tasks, (n, …).")
    metrics = _padded("metrics", "What the tasks tell besides, (n, …); the columns of a model are those of its part.")

    def mask(self, name):
        """Where a padded table has numbers of a model, (n, ...) truth values.

        Args:
            name: name of the table, such as "observations".
        """
        if name not in _TABLES:
            raise ValueError(f"there is no padded table '{name}'; there are {', '.join(_TABLES)}")
        return mask_of([part.num_worlds for part in self.parts], [getattr(part, name).shape[1] for part in self.parts])

    @property
    def rewards(self):
        """Rewards, (n,): a copy."""
        return np.concatenate([part.rewards for part in self.parts])

    @property
    def terminated(self):
        """Worlds that failed in the last step, and those that their task ends, (n,). A copy."""
        return np.concatenate([part.terminated for part in self.parts])

    @property
    def truncated(self):
        """Worlds that reached the time limit with the last step, (n,). A copy."""
        return np.concatenate([part.truncated for part in self.parts])

    @property
    def errors(self):
        """Why worlds failed in the last step: a text for each world, or None."""
        return [error for part in self.parts for error in part.errors]

    def step(self, nstep=1):
        """Steps all worlds with the controls in the parts, the models one after the other, each on all threads.

        Ctrl-C stops the model that is being stepped as `BatchSim.step` says; the models after it make no step.

        Args:
            nstep: number of batch steps.
        """
        nstep = count("nstep", nstep, 1)
        # all or none: a control that is no number must not stop half of the models
        for rows, part in zip(self.slices, self.parts):
            finite = np.isfinite(part.ctrl)
            if not finite.all():
                world, column = np.argwhere(~finite)[0].tolist()
                raise ValueError(f"control {column} of world {rows.start + world} is {part.ctrl[world, column]}; controls must be finite numbers")
        for part in self.parts:
            part.step(nstep)

    def begin(self, mask=None):
        """Begins episodes with the states in `qpos` and `qvel`; all else is as after a reset.

        Args:
            mask: array (n,) of truth values; None for all worlds.
        """
        self._each("begin", mask)

    def forward(self, mask=None):
        """Computes sensors, outputs and observations from states and controls, without a step.

        Args:
            mask: array (n,) of truth values; None for all worlds.
        """
        self._each("forward", mask)

    def reset(self, mask=None):
        """Returns worlds to their first states; controls stay.

        Args:
            mask: array (n,) of truth values; None for all worlds.
        """
        self._each("reset", mask)

    def seed(self, seed):
        """Restarts the random numbers; each world has a stream of its own.

        Args:
            seed: a number; the same one gives the same streams. Those of the first model are as in a `BatchSim`.
        """
        seed = count("seed", seed, 0)
        # the same model may be there twice
        later = np.random.SeedSequence(seed).generate_state(len(self.parts), np.uint64).tolist()
        for part, own in zip(self.parts, [seed, *later[1:]]):
            part.seed(own)

    def _each(self, method, mask):
        """Calls a method of each part with its share of a mask."""
        if mask is not None:
            mask = mask_bytes(mask, self.num_worlds).astype(bool)
        for rows, part in zip(self.slices, self.parts):
            getattr(part, method)(None if mask is None else mask[rows])

    def __getattr__(self, name):
        """What every part has is there, and so is a hint."""
        raise AttributeError(f"a batch of several models has no attribute '{name}'; each model's is `parts[i].{name}`")

    def __repr__(self):
        return f"MixedBatch({' + '.join(map(repr, self.parts))})"
