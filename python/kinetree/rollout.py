"""Open-loop trajectories from many initial states, on many threads."""

import atexit

import numpy as np

from kinetree import _core
from kinetree.enums import mjtState
from kinetree.structs import MjModel

_FULL, _CTRL, _USER = (mjtState[f"mjSTATE_{n}"].value for n in ("FULLPHYSICS", "CTRL", "USER"))


class Rollout:
    """A pool of threads for open-loop rollouts of many trajectories.

    Args:
        nthread: number of threads; None or 0 for the calling thread.
    """

    def __init__(self, *, nthread=None):
        self.nthread = nthread or 0
        self.rollout_ = _core.Rollout(nthread=self.nthread)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        self.close()

    def close(self):
        """Ends the threads; no rollout is possible afterwards."""
        self.rollout_ = None

    def rollout(self, model, data, initial_state, control=None, *, control_spec=_CTRL, skip_checks=False, nstep=None,
                initial_warmstart=None, state=None, sensordata=None, chunk_size=None):
        """Rolls out trajectories.

        Args:
            model: a model, or one for each trajectory.
            data: a data, or one for each thread.
            initial_state: full physics states, shape (nbatch or 1, nstate).
            control: controls, shape (nbatch or 1, nstep or 1, ncontrol).
            control_spec: the state components that controls set, a combination of `mjtState` bits.
            skip_checks: whether all arguments have their full sizes already.
            nstep: number of steps; None for that of the arrays.
            initial_warmstart: accelerations to start the solver from, shape (nbatch or 1, nv).
            state: array (nbatch, nstep, nstate) for the states, or None for a new one.
            sensordata: array (nbatch, nstep, nsensordata) for the sensor values, or None for a new one.
            chunk_size: number of trajectories that a thread takes at once.

        Returns:
            States and sensor values after each step.

        Raises:
            ValueError: shapes do not fit each other.
        """
        if self.rollout_ is None:
            raise RuntimeError("rollout requested after thread pool shutdown")
        models = [model] if isinstance(model, MjModel) else list(model)
        datas = list(data) if isinstance(data, (list, tuple)) else [data]
        self._check_threads(datas)
        if skip_checks:
            self.rollout_.rollout(models, datas, nstep, int(control_spec), initial_state, initial_warmstart, control, state,
                                  sensordata, chunk_size)
            return state, sensordata
        inputs = _Inputs(models, int(control_spec), nstep, chunk_size, initial_state, initial_warmstart, control, state,
                         sensordata)
        self.rollout_.rollout(inputs.models, datas, inputs.nstep, int(control_spec), inputs.initial_state,
                              inputs.initial_warmstart, inputs.control, inputs.state, inputs.sensordata, chunk_size)
        return inputs.state, inputs.sensordata

    def _check_threads(self, datas):
        """There must be one data for each thread."""
        if not datas:
            raise ValueError("The list of data instances is empty")
        if self.nthread == 0 and len(datas) > 1:
            raise ValueError("More than one data instance passed but rollout is configured to run on main thread")
        if self.nthread > 0 and len(datas) != self.nthread:
            raise ValueError(f"Length of data: {len(datas)} not equal to nthread: {self.nthread}")


class _Inputs:
    """Arguments of a rollout at their full sizes."""

    def __init__(self, models, control_spec, nstep, chunk_size, initial_state, initial_warmstart, control, state, sensordata):
        if control_spec & ~_USER:
            raise ValueError("control_spec can only contain bits in mjSTATE_USER")
        for name, value in (("nstep", nstep), ("chunk_size", chunk_size)):
            if value and not isinstance(value, (int, np.integer)):
                raise ValueError(f"{name} must be an integer")
        self.initial_state = _array("initial_state", initial_state, 2)
        self.initial_warmstart = _array("initial_warmstart", initial_warmstart, 2)
        self.control = _array("control", control, 3)
        self.state = _array("state", state, 3)
        self.sensordata = _array("sensordata", sensordata, 3)
        self._infer(models, nstep)
        self._check_widths(models, control_spec)
        self._fill_up()

    def _infer(self, models, nstep):
        """Number of trajectories and of steps."""
        deep = {"control": self.control, "state": self.state, "sensordata": self.sensordata}
        flat = {"initial_state": self.initial_state, "initial_warmstart": self.initial_warmstart}
        self.nbatch = _common(0, 1, {**flat, **deep})
        if self.nbatch == 1:
            self.nbatch = len(models)
        if len(models) not in (1, self.nbatch):
            raise ValueError(f"nbatch inferred as {self.nbatch} but model is length {len(models)}")
        self.nstep = int(_common(1, nstep or 1, deep))
        self.models = models

    def _check_widths(self, models, control_spec):
        """Compatible models, and rows of the right length."""
        def sizes(m):
            return _core.mj_stateSize(m, _FULL), _core.mj_stateSize(m, control_spec), m.nv, m.nsensordata

        self.nstate, ncontrol, nv, self.nsensordata = sizes(models[0])
        if any(sizes(m) != sizes(models[0]) for m in models[1:]):
            raise ValueError("models are not compatible")
        for name, array, width in (
            ("initial_state", self.initial_state, self.nstate), ("state", self.state, self.nstate),
            ("control", self.control, ncontrol), ("initial_warmstart", self.initial_warmstart, nv),
            ("sensordata", self.sensordata, self.nsensordata),
        ):
            if array is not None and array.shape[-1] != width:
                raise ValueError(f"trailing dimension of {name} must be {width}, got {array.shape[-1]}")

    def _fill_up(self):
        """Repeats single rows and makes arrays for results."""
        def full(array, *leading):
            return None if array is None else np.ascontiguousarray(np.broadcast_to(array, (*leading, array.shape[-1])))

        self.initial_state = full(self.initial_state, self.nbatch)
        self.initial_warmstart = full(self.initial_warmstart, self.nbatch)
        self.control = full(self.control, self.nbatch, self.nstep)
        if self.state is None:
            self.state = np.empty((self.nbatch, self.nstep, self.nstate))
        if self.sensordata is None:
            self.sensordata = np.empty((self.nbatch, self.nstep, self.nsensordata))


def _array(name, value, dimensions):
    """A contiguous array of doubles, with leading dimensions added; None stays None."""
    if value is None:
        return None
    if not isinstance(value, (np.ndarray, float)):
        raise ValueError(f"{name} must be a numpy array or float")
    array = np.asarray(value)
    if array.ndim > dimensions:
        raise ValueError(f"{name} can have at most {dimensions} dimensions")
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{name} must be a numpy array or float")
    array = array.reshape((1,) * (dimensions - array.ndim) + array.shape)
    return np.ascontiguousarray(array, dtype=np.float64)


def _common(axis, guess, arrays):
    """The size that arrays have along an axis, where 1 fits everything."""
    size = guess
    for name, array in arrays.items():
        found = size if array is None else array.shape[axis]
        if size == 1:
            size = found
        elif found not in (1, size):
            raise ValueError(f"dimension {axis} inferred as {size} but {name} has {found}")
    return size


persistent_rollout = None


def shutdown_persistent_pool():
    """Ends the pool that `rollout` keeps when asked to."""
    global persistent_rollout
    if persistent_rollout is not None:
        persistent_rollout.close()
    persistent_rollout = None


atexit.register(shutdown_persistent_pool)


def rollout(model, data, initial_state, control=None, *, control_spec=_CTRL, skip_checks=False, nstep=None,
            initial_warmstart=None, state=None, sensordata=None, chunk_size=None, persistent_pool=False):
    """Rolls out trajectories, on as many threads as there are data.

    Args:
        model: a model, or one for each trajectory.
        data: a data, or one for each thread.
        initial_state: full physics states, shape (nbatch or 1, nstate).
        control: controls, shape (nbatch or 1, nstep or 1, ncontrol).
        control_spec: the state components that controls set, a combination of `mjtState` bits.
        skip_checks: whether all arguments have their full sizes already.
        nstep: number of steps; None for that of the arrays.
        initial_warmstart: accelerations to start the solver from, shape (nbatch or 1, nv).
        state: array (nbatch, nstep, nstate) for the states, or None for a new one.
        sensordata: array (nbatch, nstep, nsensordata) for the sensor values, or None for a new one.
        chunk_size: number of trajectories that a thread takes at once.
        persistent_pool: whether threads are kept for the next call.

    Returns:
        States and sensor values after each step.

    Raises:
        ValueError: shapes do not fit each other.
    """
    global persistent_rollout
    datas = list(data) if isinstance(data, (list, tuple)) else [data]
    nthread = len(datas) if len(datas) > 1 else 0
    if persistent_pool:
        if persistent_rollout is None or persistent_rollout.nthread != nthread:
            shutdown_persistent_pool()
            persistent_rollout = Rollout(nthread=nthread)
        pool = persistent_rollout
    else:
        pool = Rollout(nthread=nthread)
    try:
        return pool.rollout(
            model, datas, initial_state, control, control_spec=control_spec, skip_checks=skip_checks, nstep=nstep,
            initial_warmstart=initial_warmstart, state=state, sensordata=sensordata, chunk_size=chunk_size,
        )
    finally:
        if not persistent_pool:
            pool.close()
