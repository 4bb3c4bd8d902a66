"""Costs of trajectories, for `kinetree.control`."""

from __future__ import annotations  # `help` shows types by their names

import operator
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from kinetree import MjModel


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


def cost_lists(m: MjModel, cost: QuadraticCost) -> tuple:
    """The lists that describe a cost."""
    target = None
    if cost.qpos is not None or cost.qvel is not None:
        target = (numbers(m.qpos0 if cost.qpos is None else cost.qpos), numbers(np.zeros(m.nv) if cost.qvel is None else cost.qvel))
    weights = [None if w is None else numbers(w) for w in (cost.running, cost.terminal, cost.control, cost.control_target)]
    terms = [
        (m.sensor(s.sensor).id, numbers(s.target), float(s.running), float(s.terminal), s.norm, float(s.width)) for s in cost.sensors
    ]
    return target, weights, terms


def positive(name: str, value: object) -> int:
    """A whole number of at least one."""
    count = operator.index(value)  # type: ignore[arg-type]
    if count < 1:
        raise ValueError(f"{name} should be at least 1, but is {count}")
    return count


def numbers(values: ArrayLike) -> list[float]:
    """Any numbers as a flat list."""
    return np.asarray(values, dtype=float).ravel().tolist()
