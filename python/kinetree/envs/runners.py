"""Ant, HalfCheetah, Hopper, Swimmer and Walker2d: rewards for running forward."""

import numpy as np

from kinetree.envs.vector import BatchVectorEnv


def within(low, values, high):
    """Where values are between the limits."""
    return (low < values) & (values < high)


def control_cost(weight, actions):
    """Weighted sum of squares of each world's actions, in their own precision, as the originals have it."""
    return weight * np.square(actions).sum(axis=1)


def squares(rows):
    """Sum of squares of each row."""
    rows = rows.reshape(len(rows), -1)
    return np.einsum("wk,wk->w", rows, rows)


class Runner(BatchVectorEnv):
    """What runners have in common: noise around the first state, and observations that leave out how far they are."""

    _file = ""
    _skipped = 1
    """Positions that the observation leaves out."""
    _normal_velocities = False
    """Whether first velocities are normally distributed, not uniformly."""

    def __init__(self, num_envs=1, *, xml_file=None, frame_skip=5, forward_reward_weight=1.0, ctrl_cost_weight=0.1, reset_noise_scale=0.1,
                 exclude_current_positions_from_observation=True, **arguments):
        self._forward_reward_weight, self._ctrl_cost_weight = forward_reward_weight, ctrl_cost_weight
        self._noise = reset_noise_scale
        self._first = self._skipped if exclude_current_positions_from_observation else 0
        super().__init__(xml_file or self._file, num_envs, frame_skip=frame_skip, **arguments)

    def first_state(self, random):
        """Uniform noise in positions; uniform or normal noise in velocities."""
        nq, nv, noise = self.model.nq, self.model.nv, self._noise
        qpos = self.init_qpos + random.uniform(low=-noise, high=noise, size=nq)
        if self._normal_velocities:
            return qpos, self.init_qvel + noise * random.standard_normal(nv)
        return qpos, self.init_qvel + random.uniform(low=-noise, high=noise, size=nv)

    def observe(self, worlds):
        """Positions, without the first ones, and velocities."""
        return np.concatenate((self.batch.qpos[worlds, self._first:], self._velocities(worlds)), axis=1)

    def _velocities(self, worlds):
        return self.batch.qvel[worlds]

    def remember(self):
        """Where the runners are."""
        return self.batch.qpos[:, :2].copy()

    def _plane_info(self):
        x, y = self.batch.qpos[:, 0], self.batch.qpos[:, 1]
        return {"x_position": x.copy(), "y_position": y.copy(), "distance_from_origin": np.hypot(x, y)}

    def _height_info(self):
        return {"x_position": self.batch.qpos[:, 0].copy(), "z_distance_from_origin": self.batch.qpos[:, 1] - self.init_qpos[1]}


class HalfCheetahVectorEnv(Runner):
    """HalfCheetah: run forward."""

    _file, _normal_velocities = "half_cheetah.xml", True

    def evaluate(self, actions, before):
        """Speed, less the cost of controls."""
        speed = (self.batch.qpos[:, 0] - before[:, 0]) / self.dt
        forward, cost = self._forward_reward_weight * speed, control_cost(self._ctrl_cost_weight, actions)
        info = {"x_velocity": speed, "reward_forward": forward, "reward_ctrl": -cost, **self.reset_info()}
        return forward - cost, np.zeros(self.num_envs, dtype=bool), info

    def reset_info(self):
        """Where the runner is."""
        return {"x_position": self.batch.qpos[:, 0].copy()}


class SwimmerVectorEnv(Runner):
    """Swimmer: swim forward."""

    _file, _skipped = "swimmer.xml", 2

    def __init__(self, num_envs=1, *, frame_skip=4, ctrl_cost_weight=1e-4, **arguments):
        super().__init__(num_envs, frame_skip=frame_skip, ctrl_cost_weight=ctrl_cost_weight, **arguments)

    def evaluate(self, actions, before):
        """Speed, less the cost of controls."""
        speed = (self.batch.qpos[:, :2] - before) / self.dt
        forward, cost = self._forward_reward_weight * speed[:, 0], control_cost(self._ctrl_cost_weight, actions)
        info = {"x_velocity": speed[:, 0], "y_velocity": speed[:, 1], "reward_forward": forward, "reward_ctrl": -cost,
                **self.reset_info()}
        return forward - cost, np.zeros(self.num_envs, dtype=bool), info

    def reset_info(self):
        """Where the swimmer is."""
        return self._plane_info()


class Walker2dVectorEnv(Runner):
    """Walker2d: walk forward and stay upright."""

    _file = "walker2d_v5.xml"

    def __init__(self, num_envs=1, *, frame_skip=4, ctrl_cost_weight=1e-3, healthy_reward=1.0, terminate_when_unhealthy=True,
                 healthy_z_range=(0.8, 2.0), healthy_angle_range=(-1.0, 1.0), reset_noise_scale=5e-3, **arguments):
        self._healthy_reward, self._terminate = healthy_reward, terminate_when_unhealthy
        self._z_range, self._angle_range = healthy_z_range, healthy_angle_range
        super().__init__(num_envs, frame_skip=frame_skip, ctrl_cost_weight=ctrl_cost_weight, reset_noise_scale=reset_noise_scale,
                         **arguments)

    def _velocities(self, worlds):
        return np.clip(self.batch.qvel[worlds], -10, 10)

    def _healthy(self):
        (low, high), (left, right) = self._z_range, self._angle_range
        return within(low, self.batch.qpos[:, 1], high) & within(left, self.batch.qpos[:, 2], right)

    def evaluate(self, actions, before):
        """Speed and a bonus while upright, less the cost of controls."""
        speed, healthy = (self.batch.qpos[:, 0] - before[:, 0]) / self.dt, self._healthy()
        forward, cost = self._forward_reward_weight * speed, control_cost(self._ctrl_cost_weight, actions)
        survive = healthy * self._healthy_reward
        info = {"x_velocity": speed, "reward_forward": forward, "reward_ctrl": -cost, "reward_survive": survive, **self.reset_info()}
        return forward + survive - cost, ~healthy & self._terminate, info

    def reset_info(self):
        """Where the walker is."""
        return self._height_info()


class HopperVectorEnv(Walker2dVectorEnv):
    """Hopper: hop forward and stay upright."""

    _file = "hopper.xml"

    def __init__(self, num_envs=1, *, healthy_state_range=(-100.0, 100.0), healthy_z_range=(0.7, float("inf")),
                 healthy_angle_range=(-0.2, 0.2), **arguments):
        self._state_range = healthy_state_range
        super().__init__(num_envs, healthy_z_range=healthy_z_range, healthy_angle_range=healthy_angle_range, **arguments)

    def _healthy(self):
        low, high = self._state_range
        inside = within(low, self.batch.qpos[:, 2:], high).all(axis=1) & within(low, self.batch.qvel, high).all(axis=1)
        return inside & super()._healthy()


class AntVectorEnv(Runner):
    """Ant: run forward on four legs."""

    _file, _skipped, _normal_velocities = "ant.xml", 2, True
    outputs = ("xpos", "cfrc_ext")

    def __init__(self, num_envs=1, *, forward_reward_weight=1, ctrl_cost_weight=0.5, contact_cost_weight=5e-4, healthy_reward=1.0,
                 main_body=1, terminate_when_unhealthy=True, healthy_z_range=(0.2, 1.0), contact_force_range=(-1.0, 1.0),
                 include_cfrc_ext_in_observation=True, **arguments):
        self._contact_cost_weight, self._contact_range = contact_cost_weight, contact_force_range
        self._healthy_reward, self._terminate, self._z_range = healthy_reward, terminate_when_unhealthy, healthy_z_range
        self._with_forces = include_cfrc_ext_in_observation
        super().__init__(num_envs, forward_reward_weight=forward_reward_weight, ctrl_cost_weight=ctrl_cost_weight, **arguments)
        self._main_body = self.model.body(main_body).id

    def remember(self):
        """Where the main body is."""
        return self._place().copy()

    def _place(self):
        return self.batch.xpos[:, self._main_body, :2]

    def _contact_forces(self, worlds):
        return np.clip(self.batch.cfrc_ext[worlds], *self._contact_range)

    def observe(self, worlds):
        """Positions without x and y, velocities, and clipped contact forces of all bodies but the world."""
        state = super().observe(worlds)
        if not self._with_forces:
            return state
        return np.concatenate((state, self._contact_forces(worlds)[:, 1:].reshape(len(state), -1)), axis=1)

    def after_reset(self, worlds):
        """The original does not compute contact forces of first states."""
        self.batch.cfrc_ext[worlds] = 0.0

    def evaluate(self, actions, before):
        """Speed and a bonus while healthy, less the costs of controls and contacts."""
        speed = (self._place() - before) / self.dt
        height, (low, high) = self.batch.qpos[:, 2], self._z_range
        finite = np.isfinite(self.batch.qpos).all(axis=1) & np.isfinite(self.batch.qvel).all(axis=1)
        healthy = finite & (low <= height) & (height <= high)
        forward, survive = speed[:, 0] * self._forward_reward_weight, healthy * self._healthy_reward
        cost = control_cost(self._ctrl_cost_weight, actions)
        contact = self._contact_cost_weight * squares(self._contact_forces(slice(None)))
        info = {"x_velocity": speed[:, 0], "y_velocity": speed[:, 1], "reward_forward": forward, "reward_ctrl": -cost,
                "reward_contact": -contact, "reward_survive": survive, **self.reset_info()}
        return forward + survive - (cost + contact), ~healthy & self._terminate, info

    def reset_info(self):
        """Where the ant is."""
        return self._plane_info()
