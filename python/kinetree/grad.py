"""Gradients of steps and trajectories, through contacts.

States are in the tangent space, as in `mjd_transition`: `nv` numbers for positions, `nv` for velocities, `na` for activations. `Step` takes
and returns states as they are stored, `(qpos, qvel, act)`, one or many at a time; `kinetree.grad_torch` and `kinetree.grad_jax` wrap it.
"""

from __future__ import annotations  # `help` shows types by their names

import copy
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike, NDArray

import kinetree._core as _core
from kinetree import MjData, MjModel

__all__ = ["Step", "rollout_vjp", "smooth_contacts", "step_jvp", "step_vjp"]

Array = NDArray[np.float64]
_FREE, _BALL = 0, 1


def smooth_contacts(m: MjModel, radius: float) -> MjModel:
    """A copy of a model whose contacts act before surfaces meet, so that gradients see them early.

    The impedance of contacts rises smoothly from almost nothing, at a distance `radius` before contact, to its full value at the depth
    `radius`. Bodies come to rest higher by up to `radius`.

    Args:
        m: the `MjModel`.
        radius: the distance in metres.
    """
    smooth = copy.copy(m)
    _core.smooth_contacts(smooth, float(radius))
    return smooth


def step_jvp(m: MjModel, d: MjData, dx: ArrayLike, du: ArrayLike) -> Array:
    """Change of the next state when state and controls change: a Jacobian-vector product.

    Args:
        m: the `MjModel`.
        d: its `MjData`, whose state is the starting point; it is kept.
        dx: change of the state, shape (2nv + na,).
        du: change of the controls, shape (nu,).

    Returns:
        Array (2nv + na,).

    Raises:
        FatalError: something in the model has no analytic derivative; the message names it.
    """
    return _core.step_jvp(m, d, dx, du)


def step_vjp(m: MjModel, d: MjData, adjoint: ArrayLike, fields: Sequence[str] = ()):
    """Gradients of a loss through one step: a vector-Jacobian product.

    Args:
        m: the `MjModel`.
        d: its `MjData`, whose state is the starting point; it is kept.
        adjoint: gradient of the loss by the next state, shape (2nv + na,).
        fields: names of fields of the model to differentiate by, too.

    Returns:
        Gradients by the state and by the controls, and with `fields` a dictionary of those by the fields, in their shapes.

    Raises:
        FatalError: something in the model has no analytic derivative; the message names it.
    """
    dx, du, values = _core.step_vjp(m, d, adjoint, _names(fields))
    return (dx, du, _named(m, fields, values)) if fields else (dx, du)


def rollout_vjp(m: MjModel, d: MjData, controls: ArrayLike, state_gradients: ArrayLike, fields: Sequence[str] = ()):
    """Gradients of a loss through a trajectory, in reverse mode. About the square root of its steps is kept in memory.

    Args:
        m: the `MjModel`.
        d: its `MjData`, whose state is the starting point;
            it ends in the last state.
        controls: controls of each step, shape (steps, nu).
        state_gradients: gradient of the loss by the state after each step, shape (steps, 2nv + na).
        fields: names of fields of the model to differentiate by, too.

    Returns:
        Gradients by the first state and by all controls, and with `fields` a dictionary of those by the fields.
    """
    dx, du, values = _core.rollout_vjp(m, d, controls, state_gradients, _names(fields))
    du = du.reshape(len(np.atleast_2d(state_gradients)) if m.nu == 0 else -1, m.nu)
    return (dx, du, _named(m, fields, values)) if fields else (dx, du)


def _names(fields: Sequence[str]) -> list[str]:
    if isinstance(fields, str):
        raise TypeError(f"fields must be a list of names, such as ({fields!r},)")
    return list(fields)


def _named(m: MjModel, fields: Sequence[str], values: Sequence[Array]) -> dict[str, Array]:
    return {name: value.reshape(getattr(m, name).shape) for name, value in zip(fields, values, strict=True)}


class Step:
    """`mj_step` as a function of states and controls, with its gradient, for one world or many on threads.

    A state is `(qpos, qvel, act)` in one row. Gradients with respect to quaternions are those along the unit sphere. `kinetree.grad_torch`
    and `kinetree.grad_jax` wrap it.

    Args:
        model: the `MjModel`.
        threads: number of threads.
    """

    def __init__(self, model: MjModel, *, threads: int = 1):
        if not 1 <= threads <= _core.MAX_THREADS:
            raise ValueError(f"threads should be from 1 to {_core.MAX_THREADS}, but is {threads}")
        self.model = model
        self._datas = [MjData(model) for _ in range(threads)]
        self._pool: ThreadPoolExecutor | None = None
        self._process = os.getpid()
        quats = [int(model.jnt_qposadr[j]) + 3 * (model.jnt_type[j] == _FREE)
                 for j in range(model.njnt) if model.jnt_type[j] in (_FREE, _BALL)]
        turns = [int(model.jnt_dofadr[j]) + 3 * (model.jnt_type[j] == _FREE)
                 for j in range(model.njnt) if model.jnt_type[j] in (_FREE, _BALL)]
        self._quats = np.array(quats, dtype=int)[:, None] + np.arange(4)
        self._turns = np.array(turns, dtype=int)[:, None] + np.arange(3)
        self._plain = np.setdiff1d(np.arange(model.nq), self._quats)
        self._plain_dofs = np.setdiff1d(np.arange(model.nv), self._turns)

    @property
    def state_size(self) -> int:
        """Number of values of a state."""
        return self.model.nq + self.model.nv + self.model.na

    def forward(self, state: ArrayLike, ctrl: ArrayLike) -> Array:
        """States after a step.

        Args:
            state: array (..., nq + nv + na).
            ctrl: array (..., nu) with the same leading dimensions.
        """
        states, controls = self._rows(state, ctrl)
        out = np.empty_like(states)

        def world(d: MjData, i: int) -> None:
            self._set(d, states[i], controls[i])
            _core.mj_step(self.model, d)
            out[i] = np.concatenate([d.qpos, d.qvel, d.act])

        self._each(len(states), world)
        return out.reshape(np.shape(state))

    def backward(self, state: ArrayLike, ctrl: ArrayLike, gradient: ArrayLike) -> tuple[Array, Array]:
        """Gradients of a loss by states and controls.

        Args:
            state: states before the step, array (..., nq + nv + na).
            ctrl: controls, array (..., nu).
            gradient: gradient of the loss by the states after the step, in the shape of `state`.
        """
        states, controls = self._rows(state, ctrl)
        gradients = self._matrix("gradient", gradient, self.state_size)
        if len(gradients) != len(states):
            raise TypeError(f"gradient has {len(gradients)} rows, but state has {len(states)}")
        nq, nv = self.model.nq, self.model.nv
        dstate, dctrl = np.empty_like(states), np.empty_like(controls)

        def world(d: MjData, i: int) -> None:
            self._set(d, states[i], controls[i])
            _core.mj_step(self.model, d)
            tangent = np.concatenate([self._to_tangent(d.qpos, gradients[i, :nq]), gradients[i, nq:]])
            self._set(d, states[i], controls[i])
            dx, dctrl[i], _ = _core.step_vjp(self.model, d, tangent, [])
            dstate[i] = np.concatenate([self._from_tangent(states[i, :nq], dx[:nv]), dx[nv:]])

        self._each(len(states), world)
        return dstate.reshape(np.shape(state)), dctrl.reshape(np.shape(ctrl))

    def _matrix(self, name: str, values: ArrayLike, width: int) -> Array:
        array = np.asarray(values, dtype=np.float64)
        if array.ndim == 0 or array.shape[-1] != width:
            raise TypeError(f"{name} should have {width} values in its last dimension, but has the shape {array.shape}")
        return array.reshape(int(np.prod(array.shape[:-1])), width)

    def _rows(self, state: ArrayLike, ctrl: ArrayLike) -> tuple[Array, Array]:
        states, controls = self._matrix("state", state, self.state_size), self._matrix("ctrl", ctrl, self.model.nu)
        if len(states) != len(controls):
            raise TypeError(f"state has {len(states)} rows, but ctrl has {len(controls)}")
        return states, controls

    def _set(self, d: MjData, state: Array, ctrl: Array) -> None:
        nq, nv = self.model.nq, self.model.nv
        d.time = 0.0
        d.qpos[:], d.qvel[:], d.act[:] = state[:nq], state[nq:nq + nv], state[nq + nv:]
        d.ctrl[:] = ctrl
        # what the solver starts from must not depend on which world was here before
        d.qacc_warmstart[:] = 0.0

    def _each(self, count: int, world: Callable[[MjData, int], None]) -> None:
        if len(self._datas) == 1:
            for i in range(count):
                world(self._datas[0], i)
            return
        # a child process has none of the threads of its parent
        if self._pool is None or self._process != os.getpid():
            self._pool, self._process = ThreadPoolExecutor(len(self._datas)), os.getpid()

        def part(k: int) -> None:
            for i in range(k, count, len(self._datas)):
                world(self._datas[k], i)

        list(self._pool.map(part, range(len(self._datas))))

    def _axes(self, qpos: Array) -> Array:
        """`∂q/∂ω` of each quaternion: half the columns of `q ∘ (0, e)`, shape `(quaternions, 4, 3)`."""
        q = qpos[self._quats]
        q = q / np.linalg.norm(q, axis=-1, keepdims=True)
        w, x, y, z = q.T
        return 0.5 * np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]).transpose(2, 0, 1)

    def _to_tangent(self, qpos: Array, gradient: Array) -> Array:
        out = np.empty(self.model.nv)
        out[self._plain_dofs] = gradient[self._plain]
        if len(self._quats):
            out[self._turns] = np.einsum("nij,ni->nj", self._axes(qpos), gradient[self._quats])
        return out

    def _from_tangent(self, qpos: Array, gradient: Array) -> Array:
        out = np.empty(self.model.nq)
        out[self._plain] = gradient[self._plain_dofs]
        if len(self._quats):
            # the columns of the map are orthogonal and half as long as one
            out[self._quats] = 4.0 * np.einsum("nij,nj->ni", self._axes(qpos), gradient[self._turns])
        return out
