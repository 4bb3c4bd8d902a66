"""Predictive control, for `kinetree.control`."""

from __future__ import annotations  # `help` shows types by their names

import operator
import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import kinetree._core as _core
from kinetree import MjData, MjModel
from kinetree._costs import QuadraticCost, cost_lists, positive

Array = NDArray[np.float64]


@dataclass
class Plan:
    """A planned trajectory.

    Attributes:
        time: time of the world that it begins with; `d.time - time` is its age.
        cost: its cost.
        iterations: iterations that it took.
        seconds: time that it took.
        states: integration states before each step and after the last one, `(horizon + 1, size)`.
        controls: `(horizon, nu)`.
    """

    time: float
    cost: float
    iterations: int
    seconds: float
    states: Array
    controls: Array


class Mpc:
    """Model predictive control: a thread plans again and again from the latest state that it was shown, beginning with its last plan.

    Call `observe(d)` whenever the planner should know where the world is, and `control(d)` for the controls of the latest plan. With `replan(d)`
    instead of `observe(d)` the world waits for the plan; without `time` that gives the same bits in every run.

    Args:
        m: the model. The planner works on a copy: later changes do not matter to it.
        horizon: number of steps of a plan.
        cost: what to minimize.
        planner: `"ilqr"`, `"predictive_sampling"`, `"cem"` or `"mppi"`.
        iterations: most iterations of a plan.
        time: seconds after which no further iteration of a plan begins; None for no limit.
        samples, knots, interpolation, noise, seed, elites, least_spread, temperature: settings of samplers, see `kinetree.control`.

    Raises:
        ValueError: when the horizon has no steps, a setting makes no sense, the cost does not fit the model, or the planner is not known.
        RuntimeError: when Python callbacks are set.
        MemoryError: when there is no memory for such plans.

    Example:
        controller = Mpc(m, 50, QuadraticCost(qpos=[0, np.pi], running=[1, 10, 0.1, 0.1], control=[0.01]), time=0.01)
        while True:
            controller.observe(d)
            d.ctrl[:] = controller.control(d)
            kinetree.mj_step(m, d)
    """

    def __init__(
        self,
        m: MjModel,
        horizon: int,
        cost: QuadraticCost,
        *,
        planner: str = "ilqr",
        iterations: int = 10,
        time: float | None = None,
        samples: int = 32,
        knots: int = 8,
        interpolation: str = "cubic",
        noise: float = 0.2,
        seed: int = 0,
        elites: int = 8,
        least_spread: float = 0.1,
        temperature: float = 1.0,
    ):
        methods = {
            "ilqr": None,
            "predictive_sampling": ("predictive", 0.0, 0.0),
            "cem": ("cem", float(elites), float(least_spread)),
            "mppi": ("mppi", float(temperature), 0.0),
        }
        if planner not in methods:
            raise ValueError(f"there is no planner '{planner}'; there are {', '.join(methods)}")
        if planner == "cem" and not 1 <= elites <= samples:
            raise ValueError(f"elites should be from 1 to the number of samples, {samples}, but is {elites}")
        seed = operator.index(seed)
        if not 0 <= seed < 2**64:
            raise ValueError(f"seed should be from 0 to 2**64 - 1, but is {seed}")
        method = methods[planner]
        settings = None
        if method is not None:
            settings = (method, positive("samples", samples), positive("knots", knots), interpolation, float(noise), seed)
        horizon, iterations = positive("horizon", horizon), positive("iterations", iterations)
        self._core = _core.CoreMpc(m, horizon, cost_lists(m, cost), settings, iterations, None if time is None else float(time))
        self._model, self._size, self._process = m, (horizon, m.nu), os.getpid()

    def observe(self, d: MjData) -> None:
        """Shows the planner where the world is; it plans from there when it is done with what it is at.

        Args:
            d: the data of the world, an `MjData`, of which time and state are copied.
        """
        self._check()
        self._core.observe(self._model, d)

    def replan(self, d: MjData) -> Plan:
        """Plans from where the world is, and waits for that.

        Args:
            d: the data of the world, an `MjData`, of which time and state are copied.

        Raises:
            ValueError: when there is no plan from there; the last one remains.
            KeyboardInterrupt: on Ctrl-C; the planner goes on.
        """
        self._check()
        return self._plan(self._core.replan(self._model, d))

    def control(self, d: MjData) -> Array:
        """Controls of the latest plan at the world's time and state, with feedback along it where the planner is `"ilqr"`; zeros before the first
        plan, and the last controls of a plan that is over. Shape (nu,).

        Args:
            d: the data of the world, an `MjData`, which is read.
        """
        return self._core.control(self._model, d)

    @property
    def plan(self) -> Plan | None:
        """The latest plan, if there is one already."""
        plan = self._core.state()[0]
        return None if plan is None else self._plan(plan)

    @property
    def plans(self) -> int:
        """How many plans were made."""
        return self._core.state()[1]

    @property
    def problem(self) -> str | None:
        """Why the last attempt to plan has failed; None when it has not."""
        return self._core.state()[2]

    def _check(self) -> None:
        if os.getpid() != self._process:
            raise RuntimeError("the planner's thread belongs to the process that made this Mpc; make one here")

    def _plan(self, found: tuple) -> Plan:
        time, cost, iterations, seconds, (states, controls) = found
        return Plan(time, cost, iterations, seconds, states.reshape(self._size[0] + 1, -1), controls.reshape(self._size))
