"""Gradients of steps and trajectories, through contacts.

States are in the tangent space, as in `mjd_transitionFD`: `nv` numbers for positions, `nv` for velocities, `na` for activations.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinetree import _core

__all__ = ["rollout_vjp", "step_jvp", "step_vjp"]

Gradients = tuple[NDArray[np.float64], NDArray[np.float64]]


def _flat(values: ArrayLike) -> NDArray[np.float64]:
    return np.ascontiguousarray(values, dtype=np.float64).reshape(-1)


def step_jvp(m, d, dx: ArrayLike, du: ArrayLike) -> NDArray[np.float64]:
    """The change of the next state when state and controls change by `dx` and `du`."""
    return np.asarray(_core.step_jvp(m, d, _flat(dx), _flat(du)))


def step_vjp(m, d, adjoint: ArrayLike) -> Gradients:
    """Gradients `(dx, du)` of a loss whose gradient with respect to the next state is `adjoint`. The state of `d` remains."""
    dx, du = _core.step_vjp(m, d, _flat(adjoint))
    return np.asarray(dx), np.asarray(du)


def rollout_vjp(m, d, controls: ArrayLike, state_gradients: ArrayLike) -> Gradients:
    """Gradients `(dx, du)` with respect to the first state and to all controls along a trajectory from the state of `d`.

    `controls` has shape `(steps, nu)`, `state_gradients`, the gradient of the loss with respect to the state after each step, has shape
    `(steps, 2 nv + na)`. Keeps about the square root of `steps` states in memory. `d` ends in the last state.
    """
    controls = np.asarray(controls, dtype=np.float64)
    dx, du = _core.rollout_vjp(m, d, _flat(controls), _flat(state_gradients))
    return np.asarray(dx), np.asarray(du).reshape(controls.shape)
