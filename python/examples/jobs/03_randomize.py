"""Trains a pole to balance in many worlds, each with masses, gravity and friction of its own, and tests it on ones it has not seen."""

import numpy as np
from kinetree.envs import BatchVectorEnv
from kinetree.structs import MjModel

XML = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body name="cart"><joint name="slide" type="slide" axis="1 0 0"/><geom type="box" size=".2 .1 .05" mass="1"/>
      <body name="pole"><joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .6" size=".03" mass=".2"/></body></body>
  </worldbody>
  <actuator><motor joint="slide" gear="20" ctrlrange="-1 1"/></actuator>
</mujoco>
"""


class Balance(BatchVectorEnv):
    """Keep a pole upright. Worlds that begin get a model of their own."""

    def randomize(self, worlds, generators):
        """Masses within a factor of two, gravity within a tenth."""
        scale = np.array([random.uniform(0.5, 2.0, 2) for random in generators])
        masses = np.tile(self.model.body_mass, (len(worlds), 1))
        masses[:, 1:] *= scale
        gravity = np.tile(self.model.opt.gravity, (len(worlds), 1)) * [[random.uniform(0.9, 1.1)] for random in generators]
        self.batch.vary("body_mass", masses, worlds, recompute=True)
        self.batch.vary("gravity", gravity, worlds)

    def first_state(self, random):
        """Nearly upright."""
        return random.uniform(-0.05, 0.05, 2), random.uniform(-0.05, 0.05, 2)

    def observe(self, worlds):
        """Positions and velocities."""
        return np.concatenate((self.batch.qpos[worlds], self.batch.qvel[worlds]), axis=1)

    def evaluate(self, actions, before):
        """One for each step; the episode ends when the pole leans too much."""
        ends = np.abs(self.batch.qpos[:, 1]) > 0.3
        return np.ones(self.num_envs), ends, {}


def steps_upright(envs, gains, seed, length=200):
    """How long poles stay upright on average, each world with gains of its own."""
    observations, _ = envs.reset(seed=seed)
    upright, total = np.ones(envs.num_envs, bool), 0
    for _ in range(length):
        actions = np.clip(np.sum(observations * gains, axis=1, keepdims=True), -1, 1).astype(np.float32)
        observations, _, terminated, _, _ = envs.step(actions)
        upright &= ~terminated
        total = total + upright
    return total


envs = Balance(MjModel.from_xml_string(XML), 256)
random, mean, spread = np.random.default_rng(0), np.zeros(4), 2.0
for generation in range(15):
    tried = mean + spread * random.standard_normal((256, 4))
    score = steps_upright(envs, tried, generation)
    best = tried[np.argsort(score)[-32:]]
    mean, spread = best.mean(axis=0), best.std(axis=0) + 0.05
    print(f"generation {generation}: {score.mean():.0f} of 200 steps upright")
final = steps_upright(envs, mean, 1000).mean()
print(f"gains {np.round(mean, 1)}: {final:.0f} of 200 steps in worlds that were not seen before")
assert final > 180
