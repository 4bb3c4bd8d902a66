"""Many worlds of one model, stepped on threads.

::

    batch = kinetree.batch.BatchSim(model, 1024, frame_skip=5, outputs=("xpos", "cfrc_ext"))
    batch.ctrl = policy(batch.qpos, batch.qvel)     # tables with a row for each world
    batch.step()
    batch.reset(batch.xpos[:, 1, 2] < 0.5)

Each world makes the same steps, bit for bit, as an `MjData` of its own, on any number of threads.
"""

import numpy as np

from kinetree import _core
from kinetree.worlds import Worlds, count, mask_bytes, one_model, table

__all__ = ["BatchSim"]


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


class BatchSim(Worlds):
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
        self.num_worlds, limit = self._check(n, reset_noise, time_limit)
        self.model = one_model(model)
        if isinstance(outputs, str):
            raise TypeError(f"outputs must be a list of names, such as ({outputs!r},)")
        if task is not None and outputs:
            raise ValueError("a batch has either outputs or a task")
        self._core = _core.CoreBatch(model, self.num_worlds, list(outputs), count("nthread", nthread, 0),
                                     count("frame_skip", frame_skip, 1), limit, float(reset_noise), _settings(task),
                                     _gpu(device, adapter))
        states = self._core.table("states")
        tables = ("ctrl", "sensordata", "rewards", "observations", "metrics")
        self._tables = {name: self._core.table(name) for name in tables}
        self._tables.update(qpos=states[:, :model.nq], qvel=states[:, model.nq:])
        rows = self._core.table("outputs")
        self._outputs = {}
        for name, first, last, height, width in self._core.output_places():
            shape = (self.num_worlds, height) if width == 1 else (self.num_worlds, height, width)
            self._outputs[name] = rows[:, first:last].reshape(shape)
        self.seed(seed)
        if reset_noise > 0:
            self.reset()

    qpos = table("qpos", "Positions, (n, nq).")
    qvel = table("qvel", "Velocities, (n, nv).")
    ctrl = table("ctrl", "Controls, (n, nu).")
    sensordata = table("sensordata", "Sensor values, (n, nsensordata).")
    rewards = table("rewards", "Rewards, (n,): zero after a step, for a program to fill.")
    observations = table("observations", "Observations of the task, (n, ...); no columns without one.")
    metrics = table("metrics", "Further values of the task, (n, ...): see `metric_columns`.")

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

    @property
    def terminated(self):
        """Worlds that failed in the last step, which restart at the next one, and those that the task ends, (n,). A copy."""
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
        """Steps all worlds with the controls in `ctrl`; other Python threads run meanwhile.

        Ctrl-C stops all worlds after the physics step that they are at, or the one after it.

        Args:
            nstep: number of batch steps, of `frame_skip` physics steps each.
        """
        self._core.step(count("nstep", nstep, 1), None, False)

    def take_actions(self, actions):
        """Takes actions over as controls if all are finite.

        Args:
            actions: array (n, nu).

        Returns:
            Whether they were in single precision.
        """
        return self._core.take_actions(actions)

    def step_or_begin(self, fresh, single_precision=False):
        """Makes a step; some worlds begin an episode instead, with the states in the tables.

        Args:
            fresh: array (n,) of truth values: which worlds begin.
            single_precision: tells tasks that controls were given in single precision.
        """
        self._core.step(1, self._mask(fresh), bool(single_precision))

    def act(self, fresh=(), single_precision=False):
        """Makes a step of a task; some worlds begin an episode instead, with the states in the tables.

        Args:
            fresh: list of the worlds that begin.
            single_precision: tells tasks that controls were given in single precision.

        Returns:
            Copies of observations, rewards, `terminated`, `truncated`, infos (metrics by name, and by the same names after an underscore which
            worlds have them), a list of the worlds whose episode has ended, and whether a world has failed.
        """
        return self._core.act(fresh, single_precision)

    def begin(self, mask=None):
        """Begins episodes with the states in `qpos` and `qvel`; all else is as after a reset.

        Args:
            mask: array (n,) of truth values; None for all worlds.
        """
        self._core.begin(self._mask(mask))

    def forward(self, mask=None):
        """Computes sensors and outputs from the states and controls in the tables, without a step, like `mj_forward`.

        Args:
            mask: array (n,) of truth values; None for all worlds.
        """
        self._core.forward(self._mask(mask))

    def reset(self, mask=None):
        """Returns worlds to their first states; controls stay.

        Args:
            mask: array (n,) of truth values; None for all worlds.
        """
        self._core.reset(self._mask(mask))

    def seed(self, seed):
        """Restarts the random numbers; each world has a stream of its own.

        Args:
            seed: a number; the same one gives the same streams.
        """
        self._core.seed(count("seed", seed, 0))

    def _mask(self, mask):
        return None if mask is None else mask_bytes(mask, self.num_worlds)

    def __repr__(self):
        return f"BatchSim({self.num_worlds} worlds, nq={self.model.nq}, nv={self.model.nv}, nu={self.model.nu})"
