"""InvertedPendulum and InvertedDoublePendulum: poles on a cart."""

import numpy as np

from kinetree.envs.runners import Runner


class InvertedPendulumVectorEnv(Runner):
    """InvertedPendulum: keep a pole upright."""

    _file, _skipped = "inverted_pendulum.xml", 0

    def __init__(self, num_envs=1, *, frame_skip=2, reset_noise_scale=0.01, **arguments):
        super().__init__(num_envs, frame_skip=frame_skip, reset_noise_scale=reset_noise_scale, **arguments)

    def evaluate(self, actions, before):
        """One for each step in which the pole is upright."""
        finite = np.isfinite(self.batch.qpos).all(axis=1) & np.isfinite(self.batch.qvel).all(axis=1)
        fallen = ~finite | (np.abs(self.batch.qpos[:, 1]) > 0.2)
        upright = (~fallen).astype(int)
        return upright, fallen, {"reward_survive": upright}


class InvertedDoublePendulumVectorEnv(Runner):
    """InvertedDoublePendulum: keep two poles upright, one on the other."""

    _file, _normal_velocities = "inverted_double_pendulum.xml", True
    outputs = ("site_xpos", "qfrc_constraint")

    def __init__(self, num_envs=1, *, healthy_reward=10.0, **arguments):
        self._healthy_reward = healthy_reward
        super().__init__(num_envs, **arguments)

    def observe(self, worlds):
        """Place of the cart, sines and cosines of the angles, clipped velocities, and the force at the end of the rail."""
        qpos, force = self.batch.qpos[worlds], self.batch.qfrc_constraint[worlds, :1]
        velocities = np.clip(self.batch.qvel[worlds], -10, 10)
        return np.concatenate((qpos[:, :1], np.sin(qpos[:, 1:]), np.cos(qpos[:, 1:]), velocities, np.clip(force, -10, 10)), axis=1)

    def evaluate(self, actions, before):
        """A bonus while the tip is high, less distance and speed."""
        x, y = self.batch.site_xpos[:, 0, 0], self.batch.site_xpos[:, 0, 2]
        fallen = y <= 1
        distance = 0.01 * x**2 + (y - 2) ** 2
        speed = 1e-3 * self.batch.qvel[:, 1] ** 2 + 5e-3 * self.batch.qvel[:, 2] ** 2
        alive = self._healthy_reward * ~fallen
        info = {"reward_survive": alive, "distance_penalty": -distance, "velocity_penalty": -speed}
        return alive - distance - speed, fallen, info
