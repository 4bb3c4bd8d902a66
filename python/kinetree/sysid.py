"""System identification: parameters of a model from recorded trajectories.

`identify` simulates recordings and minimizes the differences from what was measured, by Levenberg-Marquardt on analytic sensitivities of the
rollouts. It returns values with intervals, and names what the data cannot tell. Programs that are written for `mujoco.sysid` run on Kinetree by
`kinetree.as_mujoco`.
"""

from __future__ import annotations  # `help` shows types by their names

import operator
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

import kinetree
import kinetree._core as _core
from kinetree import MjModel

__all__ = ["Estimate", "Identification", "Parameter", "Recording", "identify"]

Array = NDArray[np.float64]

#: Kinds of parameters, with the kind of object that they belong to.
KINDS = {
    "mass": "body",
    "inertia": "body",
    "damping": "joint",
    "armature": "joint",
    "frictionloss": "joint",
    "stiffness": "joint",
    "gain": "actuator",
    "servo_damping": "actuator",
    "delay": "actuator",
    "friction": "geom",
}
_HINGE, _SLIDE = 3, 2


@dataclass
class Parameter:
    """A quantity of the model that is identified.

    Args:
        kind: `"mass"` (moments of inertia go with it) or `"inertia"` of a body; `"damping"`, `"armature"`, `"frictionloss"` or `"stiffness"` of a
            joint (the same for all its dofs); `"gain"` of an actuator (with the feedback of a servo), `"servo_damping"` of a position servo,
            `"delay"` of its control in seconds; sliding `"friction"` of a geom; or the name of a field of the model, such as `"body_pos"`.
            `"inertia"` has ten coordinates: logarithms of the mass and of three radii, three shears, the centre of mass. All of them are free
            numbers: any values are the inertia of some body.
        target: name or index of the object; of a field the index in it as a flat array.
        initial: value to begin with, the model's own when None.
        lower, upper: bounds. What makes no sense, such as negative masses, is outside of them anyway.
        prior: mean and standard deviation of what is known in advance.
    """

    kind: str
    target: str | int
    initial: ArrayLike | None = None
    lower: ArrayLike | None = None
    upper: ArrayLike | None = None
    prior: tuple[ArrayLike, ArrayLike] | None = None


@dataclass
class Recording:
    """A recorded trajectory, in the form that `kinetree.rollout` returns them: values after each step.

    Args:
        start: integration state before the first step (`mj_getState` with `mjSTATE_INTEGRATION`), or a pair `(qpos, qvel)`.
        controls: `(steps, nu)`.
        qpos: measured positions of all hinge and slide joints, `(steps, nq)`, or of some of them: a dictionary from the joint's name to `(steps,)`.
        qvel: measured velocities, `(steps, nv)`.
        sensordata: measured sensors, `(steps, nsensordata)`, or a dictionary from the sensor's name to its values. As in MuJoCo they are those of the
            state before the step.
        noise: standard deviation of the noise: a number for all, or a list with one for each measured column, in the order of positions, velocities,
            sensors. Estimated for each column when None.
        free_start: whether the start is a first guess only, and is identified as well.

    Values that are not numbers (`nan`) were not measured.
    """

    start: ArrayLike | tuple[ArrayLike, ArrayLike]
    controls: ArrayLike
    qpos: ArrayLike | dict[str, ArrayLike] | None = None
    qvel: ArrayLike | None = None
    sensordata: ArrayLike | dict[str, ArrayLike] | None = None
    noise: ArrayLike | None = None
    free_start: bool = False


@dataclass
class Estimate:
    """A parameter with what is known of it.

    Attributes:
        name: what it is, such as `"damping of joint 'elbow'"`.
        value: the value.
        deviation: its standard deviation; `inf` when the data cannot tell it, 0 at a bound.
        interval: contains the true value with the probability asked for.
        at_bound: whether the value is held at one of its bounds.
    """

    name: str
    value: float
    deviation: float
    interval: tuple[float, float]
    at_bound: bool


@dataclass
class Identification:
    """What `identify` has found.

    Attributes:
        estimates: one for each coordinate, in the order of the parameters.
        covariance: of the values.
        undetermined: directions of parameter space that the data cannot tell. Each is a dictionary from names to shares, relative to the values:
            `{"mass of body 'arm'": 1.0, "mass of body 'load'": -0.5}` when the one may grow by 1 % as the other falls by 0.5 %.
        model: the model with these values.
        starts: integration states that the recordings begin with.
        predicted: simulated columns of each recording.
        noise: standard deviations of the columns' noise, for each recording.
        costs: half the sum of squared residuals in units of the noise, at the beginning and after each iteration.
        status: `"converged"`, `"iteration limit"` or `"interrupted"`.
        analytic: shares of steps whose derivatives were analytic: by the state, and by all parameters. The others are differences of one step.
    """

    estimates: list[Estimate]
    covariance: Array
    undetermined: list[dict[str, float]]
    model: MjModel
    starts: list[Array]
    predicted: list[Array]
    noise: list[Array]
    costs: list[float]
    status: str
    analytic: tuple[float, float]

    @property
    def values(self) -> Array:
        """The identified values, in the order of `estimates`. Shape (n,)."""
        return np.array([estimate.value for estimate in self.estimates])

    def __str__(self) -> str:
        lines = [
            f"{e.name}: {e.value:.6g} ± {e.deviation:.2g}, within {e.interval[0]:.6g} to {e.interval[1]:.6g}{', at a bound' if e.at_bound else ''}"
            for e in self.estimates
        ]
        lines += [
            "the data cannot tell: " + ", ".join(f"{name} ({share:+.2f})" for name, share in direction.items())
            for direction in self.undetermined
        ]
        return "\n".join(lines)


def identify(
    m: MjModel,
    parameters: Sequence[Parameter],
    recordings: Recording | Sequence[Recording],
    *,
    iterations: int = 50,
    tolerance: float = 1e-8,
    confidence: float = 0.95,
    undetermined: float = 1.0,
) -> Identification:
    """Identifies parameters of a model from recorded trajectories, on all threads.

    Args:
        m: the model; it remains as it is.
        parameters: what to identify.
        recordings: one or several recordings.
        iterations: most iterations, for each estimate of the noise.
        tolerance: relative decrease of the cost below which the search ends.
        confidence: probability that an interval contains the true value.
        undetermined: a direction of parameter space is named when its relative standard deviation is above this.

    Raises:
        ValueError: when a parameter or a recording does not fit the model, bounds leave no room, or the simulation is unstable with the first values.
        KeyError: when there is no object of a name.
        RuntimeError: when Python callbacks are set.
        MemoryError: when there is no memory for so many steps.
        KeyboardInterrupt: on Ctrl-C. The best values so far are its attribute `solution`, once there are any.
    """
    if isinstance(parameters, Parameter):
        parameters = [parameters]
    if isinstance(recordings, Recording):
        recordings = [recordings]
    unknowns = [_unknown(m, parameter) for parameter in parameters]
    lists = [_recording(m, recording) for recording in recordings]
    iterations = operator.index(iterations)
    if iterations < 0:
        raise ValueError(f"iterations should not be negative, but is {iterations}")
    widths = [len(each[3]) for each in lists]
    try:
        found = _core.sysid_identify(m, unknowns, lists, iterations, float(tolerance), float(confidence), float(undetermined))
    except BaseException as raised:
        if isinstance(getattr(raised, "solution", None), tuple):
            raised.solution = _identification(widths, raised.solution)  # type: ignore[attr-defined]
        raise
    return _identification(widths, found)


def _identification(widths: list[int], found: tuple) -> Identification:
    estimates, covariance, undetermined, loaded, (starts, predicted, noise), costs, status, analytic = found
    rows = [Estimate(name, value, deviation, tuple(interval), at_bound) for name, value, deviation, interval, at_bound in estimates]
    return Identification(
        estimates=rows,
        covariance=covariance.reshape(len(rows), len(rows)),
        undetermined=[{rows[index].name: share for index, share in direction} for direction in undetermined],
        model=MjModel(loaded),  # type: ignore[call-arg]
        starts=starts,
        predicted=[values.reshape(-1, width) for values, width in zip(predicted, widths)],
        noise=noise,
        costs=costs,
        status=status,
        analytic=tuple(analytic),
    )


def _unknown(m: MjModel, parameter: Parameter) -> tuple:
    kind, target = parameter.kind, parameter.target
    field = ""
    if kind in KINDS:
        index = getattr(m, KINDS[kind])(target).id
    elif isinstance(getattr(m, kind, None), np.ndarray):
        kind, field, index = "field", kind, operator.index(target)  # type: ignore[arg-type]
    else:
        raise ValueError(f"there is no parameter '{kind}'; there are {', '.join(KINDS)}, and fields of the model such as 'body_pos'")
    if index < 0:
        raise ValueError(f"the index of {field or kind} should not be negative, but is {index}")
    lists = [None if values is None else _list(values) for values in (parameter.initial, parameter.lower, parameter.upper)]
    prior = None if parameter.prior is None else (_list(parameter.prior[0]), _list(parameter.prior[1]))
    return (kind, index, field), lists[0], lists[1:], prior


def _recording(m: MjModel, recording: Recording) -> tuple:
    controls = np.asarray(recording.controls, dtype=float)
    controls = controls.reshape(-1, 1) if m.nu == 1 and controls.ndim == 1 else controls
    if controls.ndim != 2 or controls.shape[1] != m.nu:
        raise ValueError(f"controls should have shape (steps, {m.nu}), but has {controls.shape}")
    steps = len(controls)
    channels: list[tuple[str, int]] = []
    columns: list[Array] = []

    def add(name: str, values: ArrayLike, where: list[tuple[str, int]]) -> None:
        array = np.asarray(values, dtype=float)
        array = array.reshape(-1, 1) if array.ndim == 1 else array
        if array.shape != (steps, len(where)):
            raise ValueError(f"{name} should have shape ({steps}, {len(where)}), but has {array.shape}")
        columns.append(array)
        channels.extend(where)

    if isinstance(recording.qpos, dict):
        for name, values in recording.qpos.items():
            add(f"qpos of '{name}'", values, [("position", m.joint(name).id)])
    elif recording.qpos is not None:
        if not np.all((m.jnt_type == _HINGE) | (m.jnt_type == _SLIDE)):
            raise ValueError("qpos holds quaternions: give positions of hinges and slides by name, and measure other joints by sensors")
        add("qpos", recording.qpos, [("position", joint) for joint in range(m.njnt)])
    if recording.qvel is not None:
        add("qvel", recording.qvel, [("velocity", dof) for dof in range(m.nv)])
    if isinstance(recording.sensordata, dict):
        for name, values in recording.sensordata.items():
            sensor = m.sensor(name)
            first, count = int(np.ravel(sensor.adr)[0]), int(np.ravel(sensor.dim)[0])
            add(f"sensordata of '{name}'", values, [("sensor", first + k) for k in range(count)])
    elif recording.sensordata is not None:
        add("sensordata", recording.sensordata, [("sensor", k) for k in range(m.nsensordata)])
    if not columns:
        raise ValueError("nothing was measured: give qpos, qvel or sensordata")
    noise = None
    if recording.noise is not None:
        noise = np.broadcast_to(np.asarray(recording.noise, dtype=float), len(channels)).tolist()
    return _start(m, recording.start), bool(recording.free_start), controls, channels, np.hstack(columns), noise


def _start(m: MjModel, start: ArrayLike | tuple[ArrayLike, ArrayLike]) -> Array:
    """The integration state of a start."""
    if not isinstance(start, tuple):
        return np.asarray(start, dtype=float)
    d = kinetree.MjData(m)
    for name, values in zip(("qpos", "qvel"), start):
        array = np.asarray(values, dtype=float)
        if array.shape != getattr(d, name).shape:
            raise ValueError(f"{name} of the start should have shape {getattr(d, name).shape}, but has {array.shape}")
        getattr(d, name)[:] = array
    row = np.empty(kinetree.mj_stateSize(m, kinetree.mjtState.mjSTATE_INTEGRATION.value))
    kinetree.mj_getState(m, d, row, kinetree.mjtState.mjSTATE_INTEGRATION.value)
    return row


def _list(values: ArrayLike) -> list[float]:
    return np.asarray(values, dtype=float).ravel().tolist()
