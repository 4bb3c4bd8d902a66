"""Thousands of worlds of one model on a GPU of any vendor.

::

    worlds = kinetree.gpu.GpuSim(model, 8192, frame_skip=5)
    worlds.ctrl = policy(worlds.qpos, worlds.qvel)      # tables with a row for each world, in the precision of the device
    worlds.step()
    worlds.reset(worlds.qpos[:, 2] < 0.5)

It has the attributes and calls of `kinetree.batch.BatchSim`. What the kernels do not cover is refused when a simulator is made, with
the names of all such elements.
"""

import contextlib
import sys
import time

import numpy as np

from kinetree import _core
from kinetree.worlds import Worlds, count, mask_bytes, one_model, table, varied, write_rows

__all__ = ["DeviceTensor", "GpuSim"]

# results of functions, which are not copied to the host while they are tensors
_RESULTS = ("rewards", "terminated", "observations")

# how long steps should take between looks for Ctrl-C (s)
_PIECE_TIME = 0.05


def _part(name, doc):
    """A part of the states: reading copies it from the device, assigning writes into it."""
    def get(self):
        return self._states()[:, self._columns[name]]

    def put(self, values):
        write_rows(name, self._states()[:, self._columns[name]], values)

    return property(get, put, doc=doc)


def _table_without_tensor(name, doc):
    """A table on the host, which is not filled or read once there is a tensor of it: an error from then on."""
    on_host = table(name, doc)

    def get(self):
        self._refuse_tensor(name)
        self._finish()
        return on_host.fget(self)

    def put(self, values):
        self._refuse_tensor(name)
        self._finish()
        on_host.fset(self, values)

    return property(get, put, doc=doc)


class DeviceTensor:
    """Numbers of all worlds as they are on the device, (n, ...), for libraries that take DLPack: `torch.from_dlpack(tensor)` and
    `cupy.from_dlpack(tensor)` share its memory, `jax.dlpack.from_dlpack(tensor)` that of `states`, whose rows have no gaps.

    Steps wait for what the process has asked of CUDA before they begin, and return when they are done.

    Args:
        core: the extension's tensor; `GpuSim.tensor` makes these.
    """

    def __init__(self, core):
        self._core = core

    @property
    def shape(self):
        """Worlds, and numbers of each."""
        return self._core.shape

    @property
    def dtype(self):
        """Type of the numbers."""
        return np.dtype(f"f{self._core.bits // 8}")

    def __dlpack_device__(self):
        return self._core.__dlpack_device__()

    def __dlpack__(self, **arguments):
        return self._core.__dlpack__(**arguments)

    def __repr__(self):
        return f"DeviceTensor(shape={self.shape}, dtype={self.dtype}, device={self.__dlpack_device__()})"


class GpuSim(Worlds):
    """Worlds of one model that are stepped together on a GPU.

    The simulator has a copy of the model: later changes to `model` do not reach it, `vary` does. `qpos`, `qvel` and `act` are copied from the
    device when they are read, and after each step while a program keeps one of them; what is written to them, and to `ctrl`, is
    where the next step begins.

    Args:
        model: the model.
        n: number of worlds.
        adapter: part of the name of the GPU; the fastest one without it.
        frame_skip: steps of physics in a step of the batch.
        seed: seed of the random first states.
        reset_noise: at each reset, `qpos` and `qvel` get uniform noise up to this; none without it.
        time_limit: steps after which a world is marked in `truncated`.
        sensors: whether `sensordata` is computed; without it a step is a little faster.
        precision: "f32", or "f64" where the GPU has double precision; tables have that type.
        functions: WGSL that runs on the device after each step: any of `fn observe(world: u32)`, which calls `set_observation(world, i, x)`,
            `fn reward(world: u32) -> f32`, `fn terminated(world: u32) -> bool`, and `fn reset(world: u32)`, which changes first states with
            `set_qpos(world, i, x)` and its likes. See docs/gpu.md for what they may call.
        observations: numbers of an observation that they write.
        fields: numbers for each world that they read as `field(world, i)`, (n, ...); `set_fields` gives others.
        autoreset: whether worlds that they end restart at once, on the device.
    """

    def __init__(self, model, n, *, adapter=None, frame_skip=1, seed=0, reset_noise=0.0, time_limit=None,
                 sensors=True, precision="f32", functions=None, observations=0, fields=None, autoreset=False):
        self.num_worlds, self._limit = self._check(n, reset_noise, time_limit)
        self.model = one_model(model)
        self._frame_skip = count("frame_skip", frame_skip, 1)
        self._noise = float(reset_noise)
        if precision not in ("f32", "f64"):
            raise ValueError(f"precision must be 'f32' or 'f64', but is {precision!r}")
        self._type, self._bits = (np.float64, np.uint64) if precision == "f64" else (np.float32, np.uint32)
        self._core = _core.CoreGpu(model, self.num_worlds, adapter, bool(sensors), precision == "f64")
        self._host = np.zeros((self.num_worlds, self._core.state_size), self._type)
        self._known = self._host.copy()
        self._fetched = self._lent = False
        # names of parts that programs have as tensors
        self._tensors = set()
        # steps of physics that are made between two looks for Ctrl-C
        self._piece = 1
        ends = np.cumsum([0, model.nq, model.nv, model.na])
        self._columns = {name: slice(first, last)
                         for name, first, last in zip(("qpos", "qvel", "act"), ends, ends[1:], strict=False)}
        self._tables = {"ctrl": np.zeros((self.num_worlds, model.nu), self._type), "rewards": np.zeros(self.num_worlds),
                        "observations": np.zeros((self.num_worlds, count("observations", observations, 0)), np.float32)}
        self._finite = np.empty((self.num_worlds, model.nu), bool)
        self._ages = np.zeros(self.num_worlds, int)
        # numbers of steps that were begun and not finished
        self._begun = []
        # steps before the one that Ctrl-C has ended while the device was at work; None where all is as it should be
        self._ended_early = None
        # a text or None for each world; None where none failed
        self._errors = None
        self._ended = np.zeros(self.num_worlds, bool)
        self._functions = functions is not None
        self._autoreset = bool(autoreset)
        self.seed(seed)
        self._set_functions(functions, observations, fields, seed)
        if self._noise > 0:
            self.reset()

    ctrl = _table_without_tensor("ctrl", "Controls, (n, nu).")
    rewards = _table_without_tensor("rewards", "Rewards, (n,): those of `functions`, or zero after a step, for a program to fill.")
    observations = _table_without_tensor("observations", "Observations of `functions`, (n, ...), in single precision.")

    qpos = _part("qpos", "Positions, (n, nq).")
    qvel = _part("qvel", "Velocities, (n, nv).")
    act = _part("act", "Activations, (n, na).")
    def _set_functions(self, functions, observations, fields, seed):
        if not self._functions:
            if observations or fields is not None or self._autoreset:
                raise ValueError("observations, fields and autoreset belong to functions, of which there are none")
            return
        if self._noise > 0:
            raise ValueError("reset_noise cannot be combined with functions: write a function 'reset' that calls random(world)")
        rows = np.zeros((self.num_worlds, 0)) if fields is None else varied("fields", fields, self.num_worlds)
        width = rows[0].size
        self._core.set_functions(str(functions), count("observations", observations, 0), width, self._autoreset, seed % 2**32)
        if width:
            self.set_fields(rows)
            # first states and observations may depend on them
            self._core.reset(np.ones(self.num_worlds, np.uint8))
        self._take_results()

    def _vary(self, field, values, worlds, recompute):
        if recompute or len(worlds) != self.num_worlds:
            raise ValueError("a GpuSim varies all worlds at once, and recomputes no constants: use BatchSim(device='gpu')")
        self._core.vary(field, values)

    def set_fields(self, values):
        """Sets the numbers that `functions` read as `field(world, i)`.

        Args:
            values: array (n, ...).
        """
        self._core.set_fields(varied("fields", values, self.num_worlds))

    def _take_results(self):
        """Copies what the functions have written."""
        rewards, self._ended, observations = self._core.results()
        self._tables["rewards"][:] = rewards
        self._tables["observations"].reshape(-1)[:] = observations

    def _refuse_tensor(self, name):
        # results are copied together
        if name in self._tensors or (name in _RESULTS and not self._tensors.isdisjoint(_RESULTS)):
            raise ValueError(f"'{name}' is not copied while a program has its tensor on the device: use tensor({name!r})")

    @contextlib.contextmanager
    def _taking_over(self):
        """What fails while the device is not at work fails for good: there is nothing to take over later."""
        try:
            yield
        except Exception:
            if self._core.is_idle():
                self._ended_early = None
            raise

    def _finish(self):
        """Takes over what has become of steps that Ctrl-C has ended while the device was at work."""
        if self._ended_early is None:
            return
        # a program may have written to parts that it has kept
        written = self._host.view(self._bits) != self._known.view(self._bits)
        values = self._host[written]
        with self._taking_over():
            # until then Ctrl-C changes nothing
            self._core.states()
            self._settle(self._ended_early)
        if values.size:
            self._states()[written] = values

    def _states(self):
        """The table of states, as it is on the device unless a program has written to it."""
        self._finish()
        if self._tensors:
            # others may have written to the device
            self._upload()
            self._fetched = False
        if not self._fetched:
            self._fetch()
        self._lent = True
        return self._host

    def _fetch(self):
        self._host.reshape(-1)[:] = self._core.states()
        self._known[...] = self._host
        self._fetched = True

    def _upload(self):
        """Sends the states to the device if a program has written to them."""
        if self._lent and not np.array_equal(self._host.view(np.uint8), self._known.view(np.uint8)):
            if self._tensors:
                # others may have written to the device meanwhile: the numbers that were written here, and no others
                written = self._host.view(self._bits) != self._known.view(self._bits)
                states = self._core.states().reshape(self._host.shape)
                self._host[~written] = states[~written]
            self._core.set_states(self._host)
        self._lent = False

    def _forget(self):
        """The device has other states now. Parts that a program has kept show them at once."""
        # the attribute, and the argument of the call
        self._fetched = False
        if sys.getrefcount(self._host) > 2:
            self._states()

    @property
    def adapter(self):
        """Name of the GPU and its interface."""
        return self._core.adapter

    @property
    def compilation(self):
        """How long the kernels took to compile (s)."""
        return self._core.compilation

    @property
    def contacts(self):
        """Number of contacts of each world at the beginning of the last step, (n,). A copy."""
        return np.array(self._core.contacts())

    @property
    def sensordata(self):
        """Sensor values at the beginning of the last step, (n, nsensordata), zero before the first. A copy.

        A model with sensors that are not computed on a GPU raises `NotImplementedError`, with the names of all of them.
        """
        return self._core.sensordata().reshape(self.num_worlds, self.model.nsensordata)

    @property
    def errors(self):
        """Why worlds failed in the last step and restarted: a text for each world, or None."""
        self._finish()
        return [None] * self.num_worlds if self._errors is None else list(self._errors)

    @property
    def terminated(self):
        """Worlds that failed in the last step, and those that `functions` end, (n,). A copy."""
        self._refuse_tensor("terminated")
        self._finish()
        return self._failed() | self._ended

    @property
    def failed(self):
        """Worlds that failed in the last step, (n,), a copy; None when there are none."""
        self._finish()
        return None if self._errors is None else self._failed()

    def _failed(self):
        if self._errors is None:
            return np.zeros(self.num_worlds, bool)
        return np.array([error is not None for error in self._errors])

    @property
    def truncated(self):
        """Worlds that reached the time limit with the last step, (n,). A copy."""
        self._finish()
        return np.zeros(self.num_worlds, bool) if self._limit is None else self._ages >= self._limit

    def _finite_controls(self):
        controls = self._tables["ctrl"]
        if not np.isfinite(controls, out=self._finite).all():
            world, control = np.argwhere(~np.isfinite(controls))[0]
            raise ValueError(f"control {control} of world {world} is {controls[world, control]}, which is not a finite number")
        return controls

    def _refuse_writes(self):
        """While steps are under way the device has other states: what a program has written to those it sees would be lost."""
        if self._begun and not np.array_equal(self._host.view(np.uint8), self._known.view(np.uint8)):
            self._host[...] = self._known
            raise ValueError("states were written while steps are under way: call finish_step first; they are as they were")

    def begin_step(self, nstep=1):
        """Begins steps of all worlds with the controls in `ctrl`, and returns at once.

        Up to two such calls may be under way, so that the device works while a program looks at earlier states. Until all are finished, `ctrl`
        may be set, and `qpos`, `qvel` and `act` show the states after the last `finish_step`; writing to them raises `ValueError`. It does not
        work with `functions`.

        Args:
            nstep: number of batch steps, of `frame_skip` physics steps each.
        """
        nstep = count("nstep", nstep, 1)
        self._finish()
        controls = self._finite_controls()
        self._refuse_writes()
        # what a program sees meanwhile is not what the device has
        if not self._fetched:
            self._fetch()
        self._upload()
        self._core.begin_step(controls, nstep * self._frame_skip)
        self._begun.append(nstep)

    def finish_step(self):
        """Waits for the steps that were begun first; then `qpos`, `qvel` and `act` show the states after them.

        Worlds that failed are in `errors` and `terminated` once nothing is under way any more.
        """
        self._refuse_writes()
        states = self._core.finish_step()
        self._host.reshape(-1)[:] = states
        self._known[...] = self._host
        self._fetched = True
        self._ages += self._begun.pop(0)
        self._errors = None if self._begun else self._core.take_errors()
        if self._errors is not None:
            self._ages[self._failed()] = 0
        self._tables["rewards"][:] = 0

    def step(self, nstep=1):
        """Steps all worlds with the controls in `ctrl`; other Python threads run meanwhile. Ctrl-C ends the steps early.

        Where the device is at work for longer then, with a large step or since its driver compiles kernels when they run first, it goes on by
        itself, and whatever is read or called next waits for it. Arrays that were kept show the new states after that.

        Args:
            nstep: number of batch steps, of `frame_skip` physics steps each.
        """
        nstep = count("nstep", nstep, 1)
        self._finish()
        controls = None if "ctrl" in self._tensors else self._finite_controls()
        self._upload()
        total, done = nstep * self._frame_skip, 0
        try:
            while done < total:
                # functions see all of these steps as one
                piece = total if self._functions else min(self._piece, total - done)
                begin = time.perf_counter()
                self._core.step(controls, piece)
                done += piece
                self._set_pace(piece, time.perf_counter() - begin)
        finally:
            # also when Ctrl-C or a failure ends them early
            self._fetched = False
            if done >= total or self._core.is_idle():
                self._settle(done // self._frame_skip)
            else:
                self._ended_early = done // self._frame_skip

    def _set_pace(self, steps, seconds):
        """Fits the number of steps between looks for Ctrl-C to how long they take."""
        if seconds > 2 * _PIECE_TIME:
            self._piece = max(1, int(steps * _PIECE_TIME / seconds))
        elif steps == self._piece and seconds < 0.5 * _PIECE_TIME:
            self._piece *= 2

    def _settle(self, steps):
        """Takes over what so many steps have left on the device; again when Ctrl-C has ended that."""
        self._ended_early = steps
        has_results = self._functions and self._tensors.isdisjoint(_RESULTS)
        with self._taking_over():
            if has_results:
                self._take_results()
            self._errors = self._core.take_errors()
        self._ended_early = None
        self._ages += steps
        if self._errors is not None:
            self._ages[[error is not None for error in self._errors]] = 0
        if has_results and self._autoreset:
            self._ages[self._ended] = 0
        if not self._functions:
            self._tables["rewards"][:] = 0
        self._forget()

    def tensor(self, name):
        """Numbers of all worlds on the device, for PyTorch, CuPy and JAX to read and write in place; needs CUDA on Linux.

        What is written to states and controls is where the next step begins. Once there is a tensor of `ctrl`, steps take controls from it
        and the attribute `ctrl` is an error; so are `rewards`, `terminated` and `observations` once there is a tensor of one of them. States
        may be read and written by their attributes, too: what a program writes there is sent before the next step, and nothing else. Tensors
        stay the same memory as long as they live.

        Args:
            name: "qpos", "qvel", "act", "ctrl", "sensordata", "rewards", "terminated" (one where an episode has ended), "observations", or
                "states", rows of qpos, qvel, act and the last accelerations.
        """
        if name in _RESULTS and self._limit is not None:
            raise ValueError("time_limit counts on the host, which does not see episodes end that are tensors")
        self._upload()
        try:
            core = self._core.tensor(name)
            if name == "ctrl" and "ctrl" not in self._tensors:
                self._core.set_controls(self._finite_controls())
            self._tensors.add(name)
        finally:
            self._forget()
        return DeviceTensor(core)

    def kernel_times(self, nstep=1):
        """Makes steps as `step` does, each kernel by itself, and tells how long they took by the device's own clock.

        Args:
            nstep: number of batch steps, of `frame_skip` physics steps each.

        Returns:
            (name, s) of each kernel of a step, in order; empty where the device has no clock.
        """
        nstep = count("nstep", nstep, 1)
        self._finish()
        self._upload()
        if "ctrl" not in self._tensors:
            self._core.set_controls(self._finite_controls())
        try:
            times = self._core.kernel_times(nstep * self._frame_skip)
        finally:
            self._fetched = False
        self._settle(nstep)
        return times

    @property
    def solver_totals(self):
        """Steps of all worlds since the simulator was made, and iterations, rows and contacts of their solvers, as a dictionary."""
        return dict(zip(("steps", "iterations", "rows", "contacts"), self._core.solver_totals(), strict=True))

    def reset(self, mask=None):
        """Returns worlds to their first states; controls stay.

        Args:
            mask: array (n,) of truth values; None for all worlds.
        """
        mask = np.ones(self.num_worlds, np.uint8) if mask is None else mask_bytes(mask, self.num_worlds)
        self._finish()
        self._upload()
        self._core.reset(mask)
        chosen = mask.astype(bool)
        self._ages[chosen] = 0
        if self._noise > 0 and chosen.any():
            states = self._core.states().reshape(self._host.shape)
            count = self.model.nq + self.model.nv
            noise = self._random.uniform(-self._noise, self._noise, (self.num_worlds, count))
            states[chosen, :count] += noise[chosen].astype(self._type)
            self._core.set_states(states)
        if self._functions:
            self._take_results()
        self._forget()

    def seed(self, seed):
        """Restarts the random numbers of first states.

        Args:
            seed: a number; the same one gives the same states.
        """
        self._random = np.random.default_rng(count("seed", seed, 0))

    def __repr__(self):
        return (f"GpuSim({self.num_worlds} worlds, nq={self.model.nq}, nv={self.model.nv}, nu={self.model.nu}, "
                f"adapter={self.adapter!r})")
