"""Kinematic chains, Jacobians and inverse kinematics.

One chain::

    chain = kinetree.ik.Chain(model, "base_link", "tool0")
    solver = kinetree.ik.Solver(chain)
    result = solver.solve(pos, quat)

Whole bodies, with the names of differential inverse kinematics tools::

    configuration = kinetree.ik.Configuration(model)
    task = kinetree.ik.FrameTask("hand", "body", position_cost=1.0, orientation_cost=0.1)
    task.set_target(pos, quat)
    velocity = kinetree.ik.solve_ik(configuration, [task], dt=0.01)
    configuration.integrate_inplace(velocity, 0.01)

Quaternions are ``(w, x, y, z)`` of unit length; positions are in metres, angles in radians.
"""

import dataclasses
import os
import typing
import warnings

import numpy as np

from kinetree import _core
from kinetree.chain import AnalyticalJacobianCalculator, Chain, convert_jacobian
from kinetree.enums import mjtObj
from kinetree.structs import MjModel

__all__ = [
    "AnalyticalJacobianCalculator", "Chain", "CollisionAvoidanceLimit", "ComTask", "Configuration", "ConfigurationLimit", "DampingTask",
    "EqualityConstraintTask", "FrameTask", "GlobalResult", "LookAtTask", "PostureTask", "RelativeFrameTask", "Result",
    "Solver", "VelocityLimit", "convert_jacobian", "load_model", "solve_global", "solve_ik",
]


def load_model(path):
    """Loads a model for kinematics and keeps the links that no joint moves, such as a tool's: a URDF otherwise loses them.

    Meshes that are missing and inertias that no body can have do not matter: geoms made of files are left out then and inertias mended, and a
    `UserWarning` says so in a line. A file without such faults is loaded as it is.

    Args:
        path: path of an MJCF or URDF file.
    """
    loaded, summary = _core.load_kinematics(os.fsdecode(path))
    if summary is not None:
        warnings.warn(summary, stacklevel=2)
    return MjModel(loaded)


@dataclasses.dataclass(slots=True)
class Result:
    """A solution, or arrays of solutions of a batch: joint values `q`, `converged`, `position_error` (m), `rotation_error` (rad),
    `iterations`, `restarts` and `active_limits`."""

    q: np.ndarray
    """Joint values within the limits: the nearest pose when the target is not reached."""
    converged: bool | np.ndarray
    position_error: float | np.ndarray
    """Distance from the target (m)."""
    rotation_error: float | np.ndarray
    """Angle from the target (rad)."""
    iterations: int | np.ndarray
    restarts: int | np.ndarray
    active_limits: np.ndarray
    """For each joint -1 at its lower limit, 1 at its upper one, 0 between them."""


class Solver:
    """Inverse kinematics of a chain: damped Gauss-Newton within the joint limits, with restarts.

    Args:
        chain: the chain.
        position_tolerance: largest distance from the target (m).
        rotation_tolerance: largest angle from the target (rad).
        max_restarts: most descents from other starting points.
        max_iterations: most steps of all descents together; bounds the time that an unreachable target takes.
    """

    def __init__(self, chain, *, position_tolerance=1e-5, rotation_tolerance=1e-5, max_restarts=300, max_iterations=2000):
        self.chain = chain
        self._core = _core.CoreSolver(chain, position_tolerance, rotation_tolerance, max_restarts, max_iterations)

    def solve(self, pos=None, quat=None, seed=None, *, axis=None, weights=None, mode="first"):
        """Joint values that reach a target in the chain's base.

        Args:
            pos: position; without it, the orientation only.
            quat: orientation; without it, the position only.
            seed: joint values to start from; the middle of the limits without it.
            axis: instead of `quat`, a pair: an axis of the end and the direction in the base that it shall have.
            weights: six weights, three of the position and three of the rotation; zero leaves a direction free.
            mode: "first" solution, or the "nearest" to the seed of all that a search finds.
        """
        if mode not in ("first", "nearest"):
            raise ValueError(f"unknown mode {mode!r}: take 'first' or 'nearest'")
        return Result(**self._core.solve(mode, pos, quat, seed, axis, weights))

    def solve_all(self, pos=None, quat=None, seed=None, *, axis=None, weights=None, count=64):
        """Distinct solutions, nearest to the seed first.

        Args:
            pos: position; None for the orientation only.
            quat: orientation; None for the position only.
            seed: joint values to start from; None for the middle of the limits.
            axis: instead of `quat`, a pair of an axis of the end and its direction in the base.
            weights: six weights, of position and rotation.
            count: largest number of solutions.

        Returns:
            A list of `Result`.
        """
        return [Result(**one) for one in self._core.solve_all(count, pos, quat, seed, axis, weights)]

    def solve_batch(self, pos, quat, seeds=None, *, threads=0):
        """Solutions for many targets, on threads.

        Args:
            pos: positions, shape (n, 3).
            quat: orientations, shape (n, 4).
            seeds: joint values to start from, (nq,) for all targets or (n, nq); None for the middle of the limits.
            threads: number of threads; 0 for one per processor.

        Returns:
            A `Result` of arrays.
        """
        return Result(**self._core.solve_batch(pos, quat, seeds, threads))


class Configuration:
    """Joint positions of a model with the poses that follow from them.

    Args:
        model: the `MjModel`.
        q: joint positions, shape (nq,); None for `qpos0`.
    """

    def __init__(self, model, q=None):
        self.model = model
        self._core = _core.CoreConfiguration(model)
        if q is not None:
            self.update(q)

    @property
    def q(self):
        """A copy of the joint positions."""
        return self._core.q

    @property
    def nq(self):
        """Number of joint positions."""
        return self.model.nq

    @property
    def nv(self):
        """Number of degrees of freedom."""
        return self.model.nv

    def update(self, q):
        """Sets the joint positions.

        Args:
            q: joint positions, shape (nq,).
        """
        self._core.update(q)

    def update_from_keyframe(self, key):
        """Sets the joint positions to those of a keyframe.

        Args:
            key: its name or index.
        """
        self._core.update_from_keyframe(self.model.key(key).id)

    def integrate_inplace(self, velocity, dt):
        """Moves along a velocity.

        Args:
            velocity: velocity of all dofs, shape (nv,).
            dt: time in seconds.
        """
        self._core.integrate_inplace(velocity, dt)

    def get_transform_frame_to_world(self, frame_name, frame_type=None):
        """Position and quaternion of a frame in the world.

        Args:
            frame_name: name of the frame.
            frame_type: "body", "site" or "geom"; None where the name is unique.
        """
        return self._core.frame_pose(frame_name, frame_type)

    def get_frame_jacobian(self, frame_name, frame_type=None):
        """6 x nv Jacobian of a frame in the world's axes, linear rows first.

        Args:
            frame_name: name of the frame.
            frame_type: "body", "site" or "geom"; None where the name is unique.
        """
        return self._core.frame_jacobian(frame_name, frame_type)

    @property
    def center_of_mass(self):
        """Centre of mass of the whole model."""
        return self._core.center_of_mass()


class _Task:
    """What tasks have in common: the engine's task is made when the model is known."""

    def __init__(self, gain, lm_damping, priority):
        self.gain, self.lm_damping, self.priority = gain, lm_damping, priority
        self._made_for, self._target = None, None
        self._task: typing.Any = None

    def _make(self, model):
        raise NotImplementedError

    def _apply(self, model, task):
        """Hands the target to the engine's task."""

    def _get(self, model):
        """The engine's task for a model."""
        if self._made_for is not model:
            self._made_for, self._task = model, self._make(model)
            self._apply(model, self._task)
        task = self._task
        task.set_options(self.gain, self.lm_damping, self.priority)
        return task

    def _set(self, target):
        self._target = target
        if self._made_for is not None:
            self._apply(self._made_for, self._task)

    def _set_from(self, configuration):
        self._target = None
        self._get(configuration.model).set_from(configuration._core)


class FrameTask(_Task):
    """A frame shall have a pose in the world.

    Args:
        frame_name: name of the frame.
        frame_type: "body", "site" or "geom".
        position_cost: one number or three; zero leaves a direction free.
        orientation_cost: one number or three; zero leaves a direction free.
        gain: share of the error that a step removes, 0 to 1.
        lm_damping: Levenberg-Marquardt damping, which grows with the error.
        priority: tasks of a lower number are served first.
    """

    _root: tuple | None = None

    def __init__(self, frame_name, frame_type, position_cost, orientation_cost, gain=1.0, lm_damping=0.0, *, priority=0):
        super().__init__(gain, lm_damping, priority)
        self._frame, self._costs = (frame_name, frame_type), (position_cost, orientation_cost)

    def _make(self, model):
        return _core.CoreTask.frame(model, self._frame, self._root, *self._costs)

    def _apply(self, model, task):
        if self._target is not None:
            task.set_pose(*self._target)

    def set_target(self, pos, quat=None):
        """Sets the pose.

        Args:
            pos: position, shape (3,); or seven numbers, a quaternion and a position, or an object that has them as `wxyz_xyz`.
            quat: quaternion, shape (4,).
        """
        if quat is None:
            seven = np.asarray(getattr(pos, "wxyz_xyz", pos), dtype=float)
            if seven.shape != (7,):
                raise ValueError(f"give a position and a quaternion, or seven numbers; this has shape {seven.shape}")
            pos, quat = seven[4:], seven[:4]
        self._set((pos, quat))

    def set_target_from_configuration(self, configuration):
        """Takes the pose of the frame in a `configuration` as target."""
        self._set_from(configuration)


class RelativeFrameTask(FrameTask):
    """A frame shall have a pose in another frame, which may move too.

    Args:
        frame_name: name of the frame.
        frame_type: "body", "site" or "geom".
        root_name: name of the other frame.
        root_type: its kind.
        position_cost: one number or three; zero leaves a direction free.
        orientation_cost: one number or three; zero leaves a direction free.
        gain: share of the error that a step removes, 0 to 1.
        lm_damping: Levenberg-Marquardt damping, which grows with the error.
        priority: tasks of a lower number are served first.
    """

    def __init__(self, frame_name, frame_type, root_name, root_type, position_cost, orientation_cost, gain=1.0,
                 lm_damping=0.0, *, priority=0):
        super().__init__(frame_name, frame_type, position_cost, orientation_cost, gain, lm_damping, priority=priority)
        self._root = (root_name, root_type)


class ComTask(_Task):
    """The centre of mass shall be at a point of the world.

    Args:
        cost: one number or three.
        gain: share of the error that a step removes, 0 to 1.
        lm_damping: Levenberg-Marquardt damping, which grows with the error.
        priority: tasks of a lower number are served first.
    """

    def __init__(self, cost, gain=1.0, lm_damping=0.0, *, priority=0):
        super().__init__(gain, lm_damping, priority)
        self._cost = cost

    def _make(self, model):
        return _core.CoreTask.com(self._cost)

    def _apply(self, model, task):
        if self._target is not None:
            task.set_point(self._target)

    def set_target(self, target):
        """Sets the point, `target`, shape (3,)."""
        self._set(target)

    def set_target_from_configuration(self, configuration):
        """Takes the centre of mass in a `configuration` as target."""
        self._set_from(configuration)


class PostureTask(_Task):
    """Joints shall be at given positions; free joints are left out.

    Args:
        model: the `MjModel`.
        cost: one number or one for each dof.
        gain: share of the error that a step removes, 0 to 1.
        lm_damping: Levenberg-Marquardt damping, which grows with the error.
        priority: tasks of a lower number are served first.
    """

    def __init__(self, model, cost, gain=1.0, lm_damping=0.0, *, priority=0):
        super().__init__(gain, lm_damping, priority)
        self._cost = cost
        self._get(model)

    def _make(self, model):
        return _core.CoreTask.posture(model, self._cost)

    def _apply(self, model, task):
        if self._target is not None:
            task.set_posture(model, self._target)

    def set_target(self, target_q):
        """Sets the joint positions, `target_q`, shape (nq,)."""
        self._set(target_q)

    def set_target_from_configuration(self, configuration):
        """Takes the joint positions of a `configuration` as target."""
        self._set_from(configuration)


class DampingTask(_Task):
    """Joints shall move little.

    Args:
        model: the `MjModel`.
        cost: one number or one for each dof.
        priority: tasks of a lower number are served first.
    """

    def __init__(self, model, cost, *, priority=0):
        super().__init__(1.0, 0.0, priority)
        self._cost = cost
        self._get(model)

    def _make(self, model):
        return _core.CoreTask.damping(model, self._cost)


class LookAtTask(_Task):
    """An axis of a frame shall point towards a point of the world.

    Args:
        frame_name: name of the frame.
        frame_type: "body", "site" or "geom".
        axis: axis in the frame, shape (3,).
        cost: a number.
        gain: share of the error that a step removes, 0 to 1.
        lm_damping: Levenberg-Marquardt damping, which grows with the error.
        priority: tasks of a lower number are served first.
    """

    def __init__(self, frame_name, frame_type, axis, cost, gain=1.0, lm_damping=0.0, *, priority=0):
        super().__init__(gain, lm_damping, priority)
        self._frame, self._axis, self._cost = (frame_name, frame_type), axis, cost

    def _make(self, model):
        return _core.CoreTask.look_at(model, self._frame, self._axis, self._cost)

    def _apply(self, model, task):
        if self._target is not None:
            task.set_point(self._target)

    def set_target(self, target):
        """Sets the point to look at, `target`, shape (3,)."""
        self._set(target)


class EqualityConstraintTask(_Task):
    """Equality constraints of the model (connect, weld, joint) shall hold.

    Args:
        model: the `MjModel`.
        cost: a number.
        equalities: names or indices; None for all.
        gain: share of the error that a step removes, 0 to 1.
        lm_damping: Levenberg-Marquardt damping, which grows with the error.
        priority: tasks of a lower number are served first.
    """

    def __init__(self, model, cost, equalities=None, gain=1.0, lm_damping=0.0, *, priority=0):
        super().__init__(gain, lm_damping, priority)
        self._cost, self._equalities = cost, equalities
        self._get(model)

    def _make(self, model):
        ids = None
        if self._equalities is not None:
            ids = [_element(model, mjtObj.mjOBJ_EQUALITY, "equality", one) for one in self._equalities]
        return _core.CoreTask.equality(model, self._cost, ids)


def _element(model, kind, word, name):
    """Number of an element that is given by name or number."""
    if not isinstance(name, str):
        return int(name)
    found = _core.mj_name2id(model, kind, name)
    if found < 0:
        raise ValueError(f"there is no {word} called '{name}' in the model")
    return found


class ConfigurationLimit:
    """Hinges and slides stay within their ranges.

    Args:
        model: accepted for other tools' sake.
        gain: share of the distance to a limit that one step may use.
        min_distance_from_limits: distance that is kept (m or rad).
    """

    def __init__(self, model=None, gain=0.95, min_distance_from_limits=0.0):
        self._core = _core.CoreLimit.configuration(gain, min_distance_from_limits)


class VelocityLimit:
    """Joints do not move faster than given velocities.

    Args:
        model: the `MjModel`.
        velocities: dictionary from names of joints to velocities (m/s or rad/s).
    """

    def __init__(self, model, velocities):
        self._core = _core.CoreLimit.velocity(model, [(name, float(v)) for name, v in velocities.items()])


class CollisionAvoidanceLimit:
    """Pairs of geoms keep a distance. Pairs on one body, or on a body and its parent, are left out.

    Args:
        model: the `MjModel`.
        geom_pairs: list of pairs of lists of geoms, by name or index.
        gain: share of the distance that one step may use.
        minimum_distance_from_collisions: distance that is kept (m).
        collision_detection_distance: distance from which pairs count (m).
    """

    def __init__(self, model, geom_pairs, gain=0.85, minimum_distance_from_collisions=0.005,
                 collision_detection_distance=0.01):
        groups = [tuple([_element(model, mjtObj.mjOBJ_GEOM, "geom", one) for one in group] for group in pair)
                  for pair in geom_pairs]
        self._core = _core.CoreLimit.collision(
            model, groups, gain, minimum_distance_from_collisions, collision_detection_distance)

    @property
    def geom_id_pairs(self):
        """The pairs that are looked at."""
        return self._core.pairs


def _parts(configuration, tasks, limits, constraints):
    """Tasks, limits and constraints of the engine; joint ranges count unless limits are given."""
    limits = [ConfigurationLimit()] if limits is None else limits
    model = configuration.model
    return ([task._get(model) for task in tasks], [limit._core for limit in limits],
            [task._get(model) for task in constraints or ()])


def solve_ik(configuration, tasks, dt, solver=None, damping=1e-12, *, limits=None, constraints=None):
    """Velocity of all dofs that serves the tasks best for one step of `dt` within the limits.

    Args:
        configuration: where the model is.
        tasks: the tasks.
        dt: time step (s).
        solver: accepted, since other tools let one choose; there is one solver here.
        damping: added to the diagonal of the quadratic program.
        limits: limits; without them, the joint ranges.
        constraints: tasks that hold exactly.
    """
    tasks, limits, constraints = _parts(configuration, tasks, limits, constraints)
    return configuration._core.solve_ik(tasks, dt, damping, limits, constraints)


@dataclasses.dataclass(slots=True)
class GlobalResult:
    """How `solve_global` ended: whether it `converged`, the `error` and the number of `iterations`."""

    converged: bool
    error: float
    """Norm of the weighted errors of all tasks."""
    iterations: int


def solve_global(configuration, tasks, *, limits=None, constraints=None, max_iterations=200, error_tolerance=1e-5):
    """Moves the configuration until the tasks are reached or no step makes them better.

    Args:
        configuration: the `Configuration`, which is changed.
        tasks: the tasks.
        limits: limits; None for the joint ranges.
        constraints: tasks that hold exactly.
        max_iterations: largest number of steps.
        error_tolerance: norm of the weighted errors at which the tasks count as reached.

    Returns:
        A `GlobalResult`.
    """
    tasks, limits, constraints = _parts(configuration, tasks, limits, constraints)
    return GlobalResult(*configuration._core.solve_global(tasks, limits, constraints, max_iterations, error_tolerance))
