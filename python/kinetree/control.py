"""Control by a model of the robot: linear-quadratic regulators and trajectory optimization.

States are in the tangent space where they are changes, as in `mjd_transition`: `nv` numbers for positions, `nv` for velocities, `na` for
activations, `nx` in all. States of a trajectory are rows of the integration state, `mj_getState` with `mjSTATE_INTEGRATION`.
"""

from __future__ import annotations  # `help` shows types by their names

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

import kinetree._core as _core
from kinetree import MjData, MjModel

__all__ = ["QuadraticCost", "Regulator", "SensorTerm", "Solution", "Transitions", "ilqr", "lqr", "transitions", "tvlqr"]

Array = NDArray[np.float64]


class Transitions(NamedTuple):
    """Derivatives of the steps of a trajectory: `dx' = A dx + B du`, `ds = C dx + D du`.

    `A` has shape `(steps, nx, nx)`, `B` `(steps, nx, nu)`, `C` `(steps, nsensordata, nx)` and `D` `(steps, nsensordata, nu)`; the latter two are
    None unless they were asked for.
    """

    A: Array
    B: Array
    C: Array | None
    D: Array | None


class Regulator(NamedTuple):
    """Gains `K` of the feedback `u = u0 - K dx`, and the Hessian `P` of the cost that remains, `dx' P dx / 2`.

    Along a trajectory `K` has shape `(steps, nu, nx)` and `P` `(steps + 1, nx, nx)`.
    """

    K: Array
    P: Array


@dataclass
class SensorTerm:
    """A cost `weight * norm(sensor - target)` of a sensor.

    Args:
        sensor: name or index of the sensor.
        target: values that cost nothing, as many as the sensor has.
        running: weight at each step.
        terminal: weight at the end.
        norm: `"quadratic"`, half the sum of squares; `"length"`, the length of the vector; `"absolute"`, the sum of absolute values. The latter
            two are quadratic within `width` of the target.
        width: that width, in units of the sensor.
    """

    sensor: str | int
    target: ArrayLike
    running: float = 0.0
    terminal: float = 0.0
    norm: str = "quadratic"
    width: float = 0.1


@dataclass
class QuadraticCost:
    """A cost of a trajectory: weighted squares of the state's difference from a target and of controls, and terms of sensors.

    Each step costs `(e' W e + (u - u0)' R (u - u0)) / 2`, the last state `e' W_end e / 2`, with diagonal weights and the difference `e` of the
    state from the target in the tangent space. What is None is zero, a target the model's reference position at rest.

    Args:
        qpos, qvel: the target.
        running: weights `W` of a step, `nx` numbers.
        terminal: weights `W_end` of the last state, `nx` numbers.
        control: weights `R`, `nu` numbers.
        control_target: controls `u0`, `nu` numbers.
        sensors: terms of sensors.
    """

    qpos: ArrayLike | None = None
    qvel: ArrayLike | None = None
    running: ArrayLike | None = None
    terminal: ArrayLike | None = None
    control: ArrayLike | None = None
    control_target: ArrayLike | None = None
    sensors: Sequence[SensorTerm] = field(default_factory=list)


@dataclass
class Solution:
    """What `ilqr` has found.

    Attributes:
        states: integration states before each step and after the last one, `(steps + 1, size)`.
        qpos, qvel: positions and velocities of these states.
        controls: `(steps, nu)`.
        sensordata: sensor values at the states, `(steps + 1, nsensordata)`.
        gains: feedback along the trajectory, `u = controls[t] - gains[t] @ dx`, `(steps, nu, nx)`.
        costs: the cost at the beginning and after each iteration that improved it.
        iterations: number of iterations.
        status: `"converged"`, `"stuck"` (the cost falls no more, but with a regularization so large that it may hide a better trajectory),
            `"iteration limit"` or `"interrupted"` (by Ctrl-C, see `ilqr`).
    """

    states: Array
    qpos: Array
    qvel: Array
    controls: Array
    sensordata: Array
    gains: Array
    costs: list[float]
    iterations: int
    status: str

    @property
    def cost(self) -> float:
        """The cost of the trajectory."""
        return self.costs[-1]


def transitions(m: MjModel, states: ArrayLike, controls: ArrayLike, sensors: bool = False) -> Transitions:
    """Analytic derivatives of many steps at once, on all threads.

    Args:
        m: the model.
        states: integration states, `(steps, size)`; they need not belong to one trajectory.
        controls: `(steps, nu)`.
        sensors: whether to compute `C` and `D`, too.

    Raises:
        ValueError: when the arrays do not fit the model or each other, a control is delayed, or a step has no derivatives (see `ilqr`).
        RuntimeError: when Python callbacks are set.
        MemoryError: when there is no memory for so many steps.
    """
    states = np.atleast_2d(np.asarray(states, dtype=float))
    nx, nu, ns, steps = 2 * m.nv + m.na, m.nu, m.nsensordata, len(states)
    a, b, c, d = _core.control_transitions(m, states, controls, sensors)
    shaped = (c.reshape(steps, ns, nx), d.reshape(steps, ns, nu)) if sensors else (None, None)
    return Transitions(a.reshape(steps, nx, nx), b.reshape(steps, nx, nu), *shaped)


def lqr(A: ArrayLike, B: ArrayLike, Q: ArrayLike, R: ArrayLike) -> Regulator:
    """The linear-quadratic regulator of `x' = A x + B u` in discrete time: least sum of `(x' Q x + u' R u) / 2` over all time.

    Raises:
        ValueError: when shapes do not fit, `R` is not positive definite, or no feedback makes the system stable.
    """
    A, B = np.asarray(A, dtype=float), np.asarray(B, dtype=float)
    nx, nu = _sizes(A, B, 2)
    gain, cost = _core.control_lqr(A, B, Q, R, nx, nu)
    return Regulator(gain.reshape(nu, nx), cost.reshape(nx, nx))


def tvlqr(A: ArrayLike, B: ArrayLike, Q: ArrayLike, R: ArrayLike, Q_end: ArrayLike) -> Regulator:
    """The linear-quadratic regulator along a trajectory, with `A` and `B` of all its steps as `transitions` gives them.

    Raises:
        ValueError: when shapes do not fit, or `R` is not positive definite.
    """
    A, B = np.asarray(A, dtype=float), np.asarray(B, dtype=float)
    nx, nu = _sizes(A, B, 3)
    gain, cost = _core.control_tvlqr(A, B, Q, R, Q_end, nx, nu)
    return Regulator(gain.reshape(len(A), nu, nx), cost.reshape(len(A) + 1, nx, nx))


def ilqr(
    m: MjModel,
    d: MjData,
    controls: ArrayLike,
    cost: QuadraticCost,
    *,
    iterations: int = 100,
    tolerance: float = 1e-7,
    regularization: float = 1e-6,
    limits: bool = True,
) -> Solution:
    """Minimizes a cost over the controls of a trajectory by iterative LQR, on all threads.

    Args:
        m: the model.
        d: the state to begin with; it remains as it is.
        controls: first guess, `(steps, nu)`; their number is the horizon.
        cost: what to minimize.
        iterations: most iterations.
        tolerance: relative decrease of the cost below which the search ends.
        regularization: penalty on leaving the states of the trajectory, at the beginning; it is lowered as long as that helps.
        limits: whether controls stay within the control ranges of the model.

    Raises:
        ValueError: when arrays do not fit the model, a number is not finite, a control range is empty, a control that moves nothing has no weight,
            or the first guess is unstable. Also when a step has no derivatives: with the Runge-Kutta integrator, delayed controls, plugins,
            flexes and other deformable bodies, the noslip solver, and what else the message names.
        RuntimeError: when Python callbacks are set.
        MemoryError: when there is no memory for so many steps.
        KeyboardInterrupt: on Ctrl-C. The best plan so far is its attribute `solution`, unless the first guess was not yet simulated. So it is of
            any exception that a signal handler raises.
    """
    guess = np.asarray(controls, dtype=float)
    if guess.ndim != 2 or guess.shape[1] != m.nu:
        raise ValueError(f"controls should have shape (steps, {m.nu}), but has {guess.shape}")
    steps = len(guess)
    target = None
    if cost.qpos is not None or cost.qvel is not None:
        target = (_list(m.qpos0 if cost.qpos is None else cost.qpos), _list(np.zeros(m.nv) if cost.qvel is None else cost.qvel))
    weights = [None if w is None else _list(w) for w in (cost.running, cost.terminal, cost.control, cost.control_target)]
    terms = [
        (m.sensor(s.sensor).id, _list(s.target), float(s.running), float(s.terminal), s.norm, float(s.width)) for s in cost.sensors
    ]
    try:
        found = _core.control_ilqr(m, d, guess, steps, target, weights, terms, iterations, float(tolerance), float(regularization), limits)
    except BaseException as raised:
        if isinstance(getattr(raised, "solution", None), tuple):
            raised.solution = _solution(m, steps, raised.solution)  # type: ignore[attr-defined]
        raise
    return _solution(m, steps, found)


def _solution(m: MjModel, steps: int, found: tuple) -> Solution:
    (states, used, sensors, gains), costs, count, status = found
    states = states.reshape(steps + 1, -1)
    return Solution(
        states=states,
        qpos=states[:, 1 : 1 + m.nq],
        qvel=states[:, 1 + m.nq : 1 + m.nq + m.nv],
        controls=used.reshape(steps, m.nu),
        sensordata=sensors.reshape(steps + 1, m.nsensordata),
        gains=gains.reshape(steps, m.nu, 2 * m.nv + m.na),
        costs=costs,
        iterations=count,
        status=status,
    )


def _list(values: ArrayLike) -> list[float]:
    return np.asarray(values, dtype=float).ravel().tolist()


def _sizes(A: Array, B: Array, dimensions: int) -> tuple[int, int]:
    """`nx` and `nu` of matrices `A` and `B`, or of stacks of them."""
    if A.ndim != dimensions or B.ndim != dimensions or A.shape[-1] != A.shape[-2] or A.shape[:-1] != B.shape[:-1]:
        raise ValueError(f"A and B should be matrices of nx rows, with nx and nu columns; their shapes are {A.shape} and {B.shape}")
    return B.shape[-2], B.shape[-1]
