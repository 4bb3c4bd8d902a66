"""Control by a model of the robot: linear-quadratic regulators, trajectory optimization, control by samples.

States are in the tangent space where they are changes, as in `mjd_transition`: `nv` numbers for positions, `nv` for velocities, `na` for
activations, `nx` in all. States of a trajectory are rows of the integration state, `mj_getState` with `mjSTATE_INTEGRATION`.
"""

from __future__ import annotations  # `help` shows types by their names

import operator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

import kinetree._core as _core
from kinetree import MjData, MjModel
from kinetree._costs import QuadraticCost, SensorTerm, cost_lists, positive
from kinetree._mpc import Mpc, Plan

__all__ = [
    "Mpc",
    "Plan",
    "QuadraticCost",
    "Regulator",
    "SampledSolution",
    "SensorTerm",
    "Solution",
    "Transitions",
    "cem",
    "ilqr",
    "lqr",
    "mppi",
    "predictive_sampling",
    "transitions",
    "tvlqr",
]

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


@dataclass
class SampledSolution:
    """What `predictive_sampling`, `cem` or `mppi` has found.

    Attributes:
        states: integration states before each step of the best sample of all and after its last one, `(steps + 1, size)`.
        qpos, qvel: positions and velocities of these states.
        controls: its controls, `(steps, nu)`.
        sensordata: its sensor values at the states, `(steps + 1, nsensordata)`.
        knots: the plan at the end, `(knots, nu)`: what the next search may begin with.
        costs: the least cost until after each iteration.
        status: `"iteration limit"`, or `"interrupted"` (by Ctrl-C, see `predictive_sampling`).
    """

    states: Array
    qpos: Array
    qvel: Array
    controls: Array
    sensordata: Array
    knots: Array
    costs: list[float]
    status: str

    @property
    def cost(self) -> float:
        """The cost of the best sample."""
        return self.costs[-1]

    @property
    def iterations(self) -> int:
        """Number of iterations that were complete."""
        return len(self.costs)


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

    Args:
        A: derivative of the next state by the state, shape (nx, nx).
        B: derivative of the next state by the controls, shape (nx, nu).
        Q: weights of the state, shape (nx, nx), symmetric.
        R: weights of the controls, shape (nu, nu), symmetric and positive definite.

    Raises:
        ValueError: when shapes do not fit, `R` is not positive definite, or no feedback makes the system stable.
    """
    A, B = np.asarray(A, dtype=float), np.asarray(B, dtype=float)
    nx, nu = _sizes(A, B, 2)
    gain, cost = _core.control_lqr(A, B, Q, R, nx, nu)
    return Regulator(gain.reshape(nu, nx), cost.reshape(nx, nx))


def tvlqr(A: ArrayLike, B: ArrayLike, Q: ArrayLike, R: ArrayLike, Q_end: ArrayLike) -> Regulator:
    """The linear-quadratic regulator along a trajectory, with `A` and `B` of all its steps as `transitions` gives them.

    Args:
        A: derivatives of the next state by the state, shape (steps, nx, nx).
        B: derivatives of the next state by the controls, shape (steps, nx, nu).
        Q: weights of the state in each step, shape (nx, nx), symmetric.
        R: weights of the controls, shape (nu, nu), symmetric and positive definite.
        Q_end: weights of the last state, shape (nx, nx), symmetric.

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
    try:
        found = _core.control_ilqr(m, d, guess, steps, cost_lists(m, cost), iterations, float(tolerance), float(regularization), limits)
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


def predictive_sampling(
    m: MjModel,
    d: MjData,
    steps: int,
    cost: QuadraticCost,
    *,
    iterations: int = 50,
    samples: int = 32,
    knots: int | ArrayLike = 8,
    interpolation: str = "cubic",
    noise: float = 0.2,
    seed: int = 0,
) -> SampledSolution:
    """Minimizes a cost over splines of controls by predictive sampling: of many random changes of the plan the best one is the next plan.

    Needs no derivatives: contacts that come and go, delays and plugins do not matter. Samples are simulated on all threads of the processor; the
    same seed gives the same bits on any number of them.

    Args:
        m: the model.
        d: the state to begin with; it remains as it is.
        steps: number of steps of a trajectory.
        cost: what to minimize.
        iterations: how often the plan is improved.
        samples: trajectories of an iteration, one of which is that of the plan.
        knots: number of knots of the spline, which begin at zero, or their first values, `(knots, nu)`, as `SampledSolution.knots` has them.
        interpolation: `"zero"` (each knot holds until the next), `"linear"` or `"cubic"`.
        noise: standard deviation of the change of a knot, as a share of half the control's range; of a control without a range the deviation itself.
        seed: seed of the random numbers.

    Raises:
        ValueError: when a number makes no sense, the cost does not fit the model, a control range is empty, or no sample has a finite cost.
        RuntimeError: when Python callbacks are set.
        MemoryError: when there is no memory for so many samples.
        KeyboardInterrupt: on Ctrl-C. The best plan so far is its attribute `solution`, once an iteration was complete.
    """
    return _sample(m, d, steps, cost, ("predictive", 0.0, 0.0), iterations, samples, knots, interpolation, noise, seed)


def cem(
    m: MjModel,
    d: MjData,
    steps: int,
    cost: QuadraticCost,
    *,
    elites: int = 8,
    least_spread: float = 0.1,
    iterations: int = 50,
    samples: int = 32,
    knots: int | ArrayLike = 8,
    interpolation: str = "cubic",
    noise: float = 0.5,
    seed: int = 0,
) -> SampledSolution:
    """Minimizes a cost over splines of controls by the cross-entropy method: mean and spread of the next samples are those of the best ones.

    Args:
        m, d, steps, cost, iterations, samples, knots, interpolation, noise, seed: as for `predictive_sampling`.
        elites: how many of the samples count.
        least_spread: the spread of a knot falls no lower than this share of the noise.

    Raises:
        ValueError, RuntimeError, MemoryError, KeyboardInterrupt: as `predictive_sampling`.
    """
    if not 1 <= elites <= samples:
        raise ValueError(f"elites should be from 1 to the number of samples, {samples}, but is {elites}")
    return _sample(m, d, steps, cost, ("cem", float(elites), float(least_spread)), iterations, samples, knots, interpolation, noise, seed)


def mppi(
    m: MjModel,
    d: MjData,
    steps: int,
    cost: QuadraticCost,
    *,
    temperature: float = 1.0,
    iterations: int = 50,
    samples: int = 32,
    knots: int | ArrayLike = 8,
    interpolation: str = "cubic",
    noise: float = 0.2,
    seed: int = 0,
) -> SampledSolution:
    """Minimizes a cost over splines of controls by path integrals: the next plan is the mean of all samples, weighted by
    `exp(-(cost - least cost) / temperature)`.

    Args:
        m, d, steps, cost, iterations, samples, knots, interpolation, noise, seed: as for `predictive_sampling`.
        temperature: the temperature, in units of the cost: the lower, the fewer samples count.

    Raises:
        ValueError, RuntimeError, MemoryError, KeyboardInterrupt: as `predictive_sampling`.
    """
    return _sample(m, d, steps, cost, ("mppi", float(temperature), 0.0), iterations, samples, knots, interpolation, noise, seed)


def _sample(
    m: MjModel,
    d: MjData,
    steps: int,
    cost: QuadraticCost,
    method: tuple[str, float, float],
    iterations: int,
    samples: int,
    knots: int | ArrayLike,
    interpolation: str,
    noise: float,
    seed: int,
) -> SampledSolution:
    steps, samples, iterations = (positive(name, value) for name, value in (("steps", steps), ("samples", samples), ("iterations", iterations)))
    spline: tuple[int, Array | None]
    if np.ndim(knots) == 0:
        spline = (positive("knots", knots), None)
    else:
        first = np.asarray(knots, dtype=float)
        if first.ndim != 2 or first.shape[1] != m.nu:
            raise ValueError(f"knots should be a number, or have shape (knots, {m.nu}), but has {first.shape}")
        spline = (len(first), first)
    seed = operator.index(seed)
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed should be from 0 to 2**64 - 1, but is {seed}")
    try:
        found = _core.control_sample(m, d, steps, cost_lists(m, cost), method, samples, spline, interpolation, float(noise), seed, iterations)
    except BaseException as raised:
        if isinstance(getattr(raised, "solution", None), tuple):
            raised.solution = _sampled(m, steps, raised.solution)  # type: ignore[attr-defined]
        raise
    return _sampled(m, steps, found)


def _sampled(m: MjModel, steps: int, found: tuple) -> SampledSolution:
    (states, used, sensors, knots), costs, is_interrupted = found
    states = states.reshape(steps + 1, -1)
    return SampledSolution(
        states=states,
        qpos=states[:, 1 : 1 + m.nq],
        qvel=states[:, 1 + m.nq : 1 + m.nq + m.nv],
        controls=used.reshape(steps, m.nu),
        sensordata=sensors.reshape(steps + 1, m.nsensordata),
        knots=knots.reshape(-1, m.nu),
        costs=costs,
        status="interrupted" if is_interrupted else "iteration limit",
    )


def _sizes(A: Array, B: Array, dimensions: int) -> tuple[int, int]:
    """`nx` and `nu` of matrices `A` and `B`, or of stacks of them."""
    if A.ndim != dimensions or B.ndim != dimensions or A.shape[-1] != A.shape[-2] or A.shape[:-1] != B.shape[:-1]:
        raise ValueError(f"A and B should be matrices of nx rows, with nx and nu columns; their shapes are {A.shape} and {B.shape}")
    return B.shape[-2], B.shape[-1]
