"""Many worlds of one model, stepped on threads.

::

    batch = kinetree.batch.BatchSim(model, 1024, frame_skip=5, outputs=("xpos", "cfrc_ext"))
    batch.ctrl = policy(batch.qpos, batch.qvel)     # tables with a row for each world
    batch.step()
    batch.reset(batch.xpos[:, 1, 2] < 0.5)

Each world makes the same steps, bit for bit, as an `MjData` of its own, on any number of threads.
"""

import operator

import numpy as np

from kinetree import _core

__all__ = ["BatchSim"]


def _rows(name, table, values):
    """Writes values into a table."""
    values = np.asarray(values, dtype=float)
    try:
        table[...] = values
    except ValueError:
        raise ValueError(f"{name} has shape {table.shape}, a row for each world; {values.shape} does not fit") from None


def _table(name, doc):
    """A table: reading gives the view, assigning writes into it."""
    def get(self):
        return self._tables[name]

    def put(self, values):
        _rows(name, self._tables[name], values)

    return property(get, put, doc=doc)


def _mask(mask, worlds):
    """A flag for each world, as bytes."""
    mask = np.asarray(mask)
    if mask.dtype != bool or mask.shape != (worlds,):
        raise ValueError(f"mask must be an array of {worlds} booleans, one for each world; "
                         f"it has shape {mask.shape} and type {mask.dtype}")
    return mask.astype(np.uint8)


def _count(name, value, least):
    """A whole number that is at least `least`."""
    value = operator.index(value)
    if value < least:
        raise ValueError(f"{name} must be at least {least}, but is {value}")
    return value


def _varied(field, values, worlds):
    """Values of a field of the model, a row for each world."""
    values = np.asarray(values, dtype=float)
    if values.ndim == 0 or len(values) != worlds:
        raise ValueError(f"values of {field} must have a row for each of {worlds} worlds, their shape is {values.shape}")
    return values


def _switches():
    """Active equalities: reading copies them, assigning switches them."""
    def get(self):
        active = self._core.equalities().reshape(self.num_worlds, self.model.neq)
        # writing to a copy would switch nothing
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

    return property(get, put, doc="Which equalities are active, (n, neq): a copy; assigning switches them, until a reset of the world.")


def _mocap(columns, doc):
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


def _gpu(device, adapter):
    """Part of the name of the GPU that steps worlds, empty for the fastest; None where threads do."""
    if device not in ("cpu", "gpu"):
        raise ValueError(f"device must be 'cpu' or 'gpu', but is {device!r}")
    if adapter is not None and device == "cpu":
        raise ValueError(f"the adapter {adapter!r} is a GPU's: it needs device='gpu'")
    return None if device == "cpu" else adapter or ""


def _settings(task):
    """Name of a task, and its settings as lists of numbers."""
    if task is None:
        return None
    name, settings = task
    return name, [(key, np.atleast_1d(np.asarray(value, dtype=float)).tolist()) for key, value in settings.items()]


class BatchSim:
    """Worlds of one model that are stepped together.

    The batch has a copy of the model: later changes to `model` do not reach it, `vary` does. Tables are views of its memory;
    what is written to `qpos`, `qvel` and `ctrl` is where the next step begins. Python callbacks cannot take part.

    Args:
        model: the model.
        n: number of worlds.
        nthread: number of threads; zero for one per processor.
        frame_skip: steps of physics in a step of the batch.
        seed: seed of the random first states.
        reset_noise: at each reset, `qpos` and `qvel` get uniform noise up to this; none without it.
        time_limit: steps after which a world is marked in `truncated`.
        outputs: names of arrays of `MjData` that are shown after each step, as attributes: "xpos", "cvel", "cfrc_ext".
        task: name and settings of a task (`("Ant", {"ctrl_cost_weight": 0.1})`), whose `observations`, `rewards` and `metrics` come with
            each step; not together with `outputs`.
        device: "cpu", or "gpu" for physics on a GPU in single precision. Tasks, outputs and sensors are computed on threads all the same, from
            states that are copied back; where they need more than states, each world makes the last step of physics there as well.
        adapter: part of the name of the GPU; the fastest one without it.
    """

    def __init__(self, model, n, *, nthread=0, frame_skip=1, seed=0, reset_noise=0.0, time_limit=None, outputs=(), task=None, device="cpu",
                 adapter=None):
        self.num_worlds = _count("the number of worlds", n, 1)
        self.model = model
        if isinstance(outputs, str):
            raise TypeError(f"outputs must be a list of names, such as ({outputs!r},)")
        if not 0.0 <= reset_noise < np.inf:
            raise ValueError(f"reset_noise must be a finite number that is not negative, but is {reset_noise}")
        if task is not None and outputs:
            raise ValueError("a batch has either outputs or a task")
        limit = None if time_limit is None else _count("time_limit", time_limit, 1)
        self._core = _core.CoreBatch(model, self.num_worlds, list(outputs), _count("nthread", nthread, 0),
                                     _count("frame_skip", frame_skip, 1), limit, float(reset_noise), _settings(task),
                                     _gpu(device, adapter))
        states = self._core.table("states")
        tables = ("ctrl", "sensordata", "rewards", "observations", "metrics")
        self._tables = {name: self._core.table(name) for name in tables}
        self._tables.update(qpos=states[:, :model.nq], qvel=states[:, model.nq:])
        rows = self._core.table("outputs")
        self._outputs = {}
        for name, first, last, count, width in self._core.output_places():
            shape = (self.num_worlds, count) if width == 1 else (self.num_worlds, count, width)
            self._outputs[name] = rows[:, first:last].reshape(shape)
        self.seed(seed)
        if reset_noise > 0:
            self.reset()

    qpos = _table("qpos", "Positions, (n, nq).")
    qvel = _table("qvel", "Velocities, (n, nv).")
    ctrl = _table("ctrl", "Controls, (n, nu).")
    sensordata = _table("sensordata", "Sensor readings, (n, nsensordata).")
    rewards = _table("rewards", "Rewards, (n,): zero after a step, for a program to fill.")
    observations = _table("observations", "Observations of the task, (n, ...); no columns without one.")
    metrics = _table("metrics", "What the task tells besides, (n, ...): see `metric_columns`.")

    @property
    def observation_columns(self):
        """Parts of an observation: their columns by name."""
        return {name: slice(first, last) for name, first, last in self._core.task_parts()[0]}

    @property
    def metric_columns(self):
        """Metrics that any state has, and those of steps: their columns by name."""
        _, states, steps = self._core.task_parts()
        width = states[-1][2] if states else 0
        return ({name: slice(first, last) for name, first, last in states},
                {name: slice(width + first, width + last) for name, first, last in steps})

    def __getattr__(self, name):
        """Outputs by name."""
        outputs = self.__dict__.get("_outputs", {})
        if name in outputs:
            return outputs[name]
        raise AttributeError(f"a batch has no attribute '{name}'; arrays of MjData are attributes of a batch that was made "
                             f"with outputs=('{name}',)")

    eq_active = _switches()
    mocap_pos = _mocap(slice(0, 3), "Positions of mocap bodies, (n, nmocap, 3): a copy; assigning moves them, until a reset of the world.")
    mocap_quat = _mocap(slice(3, 7), "Their orientations as quaternions, (n, nmocap, 4), in the same way.")

    @property
    def terminated(self):
        """Worlds that failed in the last step, which begin anew at the next one, and those that the task ends, (n,). A copy."""
        return self._core.terminated

    @property
    def truncated(self):
        """Worlds that reached the time limit with the last step, (n,). A copy."""
        return self._core.truncated

    @property
    def failed(self):
        """Worlds that failed in the last step, (n,), a copy; None when there are none."""
        return self._core.failed

    @property
    def errors(self):
        """Why worlds failed in the last step: a text for each world, or None."""
        return self._core.errors

    def step(self, nstep=1):
        """Makes steps of all worlds with the controls in `ctrl`, the interpreter lock released.

        Ctrl-C stops all worlds after the step of physics that they are at, or the one after it.
        """
        self._core.step(_count("nstep", nstep, 1), None, False)

    def take_actions(self, actions):
        """Takes actions over as controls, (n, nu), if all are finite numbers. Returns whether they were in single precision."""
        return self._core.take_actions(actions)

    def step_or_begin(self, fresh, single_precision=False):
        """Makes a step; where `fresh` is true, worlds begin an episode with the states in the tables instead.

        `single_precision` tells tasks that controls were given in that.
        """
        self._core.step(1, self._mask(fresh), bool(single_precision))

    def act(self, fresh=(), single_precision=False):
        """Makes a step of a task; worlds in the list `fresh` begin an episode with the states in the tables instead.

        Returns copies of what came of it: observations, rewards, `terminated`, `truncated`, infos (metrics by name, and by the same names
        after an underscore flags of the worlds that have them: those that have just begun have none of steps), a list of the worlds whose
        episode has ended, and whether a world has failed.
        """
        return self._core.act(fresh, single_precision)

    def begin(self, mask=None):
        """Begins episodes with the states in `qpos` and `qvel`, in all worlds or where `mask` is true; all else is as after a reset."""
        self._core.begin(self._mask(mask))

    def forward(self, mask=None):
        """Computes sensors and outputs of the states and controls in the tables without a step, like `mj_forward`."""
        self._core.forward(self._mask(mask))

    def reset(self, mask=None):
        """Returns worlds to their first states: all, or those where `mask` is true. Controls stay."""
        self._core.reset(self._mask(mask))

    def vary(self, field, values):
        """Gives each world values of its own for an array of the model, (n, ...): `vary("body_mass", masses)`.

        As when a program writes to a model, what the compiler derived from such values stays as it is.
        """
        self._core.vary(field, _varied(field, values, self.num_worlds))

    def end_variations(self):
        """Gives all worlds the fields of the model again."""
        self._core.end_variations()

    def seed(self, seed):
        """Begins the random numbers of each world anew; each has a stream of its own."""
        self._core.seed(_count("seed", seed, 0))

    def _mask(self, mask):
        return None if mask is None else _mask(mask, self.num_worlds)

    def __repr__(self):
        return f"BatchSim({self.num_worlds} worlds, nq={self.model.nq}, nv={self.model.nv}, nu={self.model.nu})"
