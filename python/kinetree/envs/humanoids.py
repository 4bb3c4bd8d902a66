"""Humanoid and HumanoidStandup."""

import numpy as np

from kinetree.envs.runners import Runner, control_cost, squares, within


class _HumanoidBase(Runner):
    """What both tasks observe: the state, inertias and velocities of bodies, actuator and contact forces."""

    _skipped = 2
    outputs: tuple[str, ...] = ("cinert", "cvel", "qfrc_actuator", "cfrc_ext", "ten_length", "ten_velocity")

    def __init__(self, num_envs=1, *, reset_noise_scale=1e-2, include_cinert_in_observation=True, include_cvel_in_observation=True,
                 include_qfrc_actuator_in_observation=True, include_cfrc_ext_in_observation=True, **arguments):
        # arrays that are observed, with the number of rows to leave out: the world body, or the free joint
        parts = (("cinert", 1, include_cinert_in_observation), ("cvel", 1, include_cvel_in_observation),
                 ("qfrc_actuator", 6, include_qfrc_actuator_in_observation), ("cfrc_ext", 1, include_cfrc_ext_in_observation))
        self._parts = [(name, first) for name, first, included in parts if included]
        super().__init__(num_envs, reset_noise_scale=reset_noise_scale, **arguments)

    def observe(self, worlds):
        """Positions without x and y, velocities, and the other arrays."""
        state = super().observe(worlds)
        parts = [getattr(self.batch, name)[worlds, first:].reshape(len(state), -1) for name, first in self._parts]
        return np.concatenate((state, *parts), axis=1)

    def after_reset(self, worlds):
        """The original does not compute contact forces of first states."""
        self.batch.cfrc_ext[worlds] = 0.0

    def _impact(self, weight, limits):
        """Bounded cost of contact forces."""
        return np.clip(weight * squares(self.batch.cfrc_ext), *limits)

    def _tendon_info(self):
        return {"tendon_length": self.batch.ten_length.copy(), "tendon_velocity": self.batch.ten_velocity.copy()}


class HumanoidVectorEnv(_HumanoidBase):
    """Humanoid: walk forward without falling."""

    _file = "humanoid.xml"
    outputs = (*_HumanoidBase.outputs, "xipos")

    def __init__(self, num_envs=1, *, forward_reward_weight=1.25, contact_cost_weight=5e-7, contact_cost_range=(-np.inf, 10.0),
                 healthy_reward=5.0, terminate_when_unhealthy=True, healthy_z_range=(1.0, 2.0), **arguments):
        self._contact_cost_weight, self._contact_cost_range = contact_cost_weight, contact_cost_range
        self._healthy_reward, self._terminate, self._z_range = healthy_reward, terminate_when_unhealthy, healthy_z_range
        super().__init__(num_envs, forward_reward_weight=forward_reward_weight, **arguments)
        # from the centres of mass of bodies to x and y of the whole: one product of matrices for all worlds
        self._mass_share = np.kron(self.model.body_mass / self.model.body_mass.sum(), np.eye(3, 2).T).T.copy()

    def remember(self):
        """Centre of mass in the plane."""
        return self.batch.xipos.reshape(self.num_envs, -1) @ self._mass_share

    def evaluate(self, actions, before):
        """Speed of the centre of mass and a bonus while upright, less the costs of controls and contacts."""
        speed = (self.remember() - before) / self.dt
        healthy = within(self._z_range[0], self.batch.qpos[:, 2], self._z_range[1])
        forward, survive = self._forward_reward_weight * speed[:, 0], healthy * self._healthy_reward
        cost = control_cost(self._ctrl_cost_weight, self.batch.ctrl)
        contact = self._impact(self._contact_cost_weight, self._contact_cost_range)
        info = {"x_velocity": speed[:, 0], "y_velocity": speed[:, 1], "reward_survive": survive, "reward_forward": forward,
                "reward_ctrl": -cost, "reward_contact": -contact, **self.reset_info()}
        return forward + survive - (cost + contact), ~healthy & self._terminate, info

    def reset_info(self):
        """Where the humanoid is, and its tendons."""
        return {**self._plane_info(), **self._tendon_info()}


class HumanoidStandupVectorEnv(_HumanoidBase):
    """HumanoidStandup: get up from the floor."""

    _file = "humanoidstandup.xml"

    def __init__(self, num_envs=1, *, uph_cost_weight=1, impact_cost_weight=0.5e-6, impact_cost_range=(-np.inf, 10.0), **arguments):
        # as in the original, nothing is made of the weight of the height
        self._impact_cost_weight, self._impact_cost_range = impact_cost_weight, impact_cost_range
        super().__init__(num_envs, **arguments)

    def evaluate(self, actions, before):
        """Height, less the costs of controls and contacts."""
        up = self.batch.qpos[:, 2] / self.model.opt.timestep
        cost = control_cost(self._ctrl_cost_weight, self.batch.ctrl)
        impact = self._impact(self._impact_cost_weight, self._impact_cost_range)
        info = {"reward_linup": up, "reward_quadctrl": -cost, "reward_impact": -impact, **self.reset_info()}
        return up - cost - impact + 1, np.zeros(self.num_envs, dtype=bool), info

    def reset_info(self):
        """Where the humanoid is, and its tendons."""
        x, y, z = self.batch.qpos[:, :3].T
        return {"x_position": x.copy(), "y_position": y.copy(), "z_distance_from_origin": z - self.init_qpos[2], **self._tendon_info()}
