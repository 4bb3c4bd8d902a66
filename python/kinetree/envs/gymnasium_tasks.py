"""Gymnasium's MuJoCo environments, version 5: their models, first states and usual settings.

What is observed and rewarded is Rust (`crates/tasks`); first states are drawn here, from the same generators as in the originals.
"""

import numpy as np

from kinetree.envs.vector import TaskVectorEnv, bundled_model


class GymnasiumVectorEnv(TaskVectorEnv):
    """A task with noise around the first state. Settings have the names of the originals."""

    file = ""
    """Model file, in Gymnasium's package."""
    steps = 5
    """Steps of physics in a step."""
    noise = 0.1
    """Noise of the first state."""
    normal_velocities = False
    """Whether first velocities are normally distributed, not uniformly."""

    def __init__(self, num_envs=1, *, xml_file=None, frame_skip=None, reset_noise_scale=None, **arguments):
        self._noise = self.noise if reset_noise_scale is None else reset_noise_scale
        # classes that others derive from these have names of their own
        task = next(kind.__name__ for kind in type(self).__mro__ if kind.__module__ == __name__).removesuffix("VectorEnv")
        super().__init__(task, xml_file or bundled_model(self.file), num_envs, frame_skip=self.steps if frame_skip is None else frame_skip,
                         **arguments)

    def first_state(self, random):
        """Uniform noise in positions; uniform or normal noise in velocities."""
        noise, nv = self._noise, len(self.init_qvel)
        qpos = self.init_qpos + random.uniform(-noise, noise, len(self.init_qpos))
        if self.normal_velocities:
            return qpos, self.init_qvel + noise * random.standard_normal(nv)
        return qpos, self.init_qvel + random.uniform(-noise, noise, nv)


class AntVectorEnv(GymnasiumVectorEnv):
    """Ant: run forward on four legs."""

    file, normal_velocities = "ant.xml", True

    def __init__(self, num_envs=1, *, main_body=1, **arguments):
        self._main_body = main_body
        super().__init__(num_envs, **arguments)

    def _task(self):
        name, settings = super()._task()
        return name, {**settings, "main_body": self.model.body(self._main_body).id}


class HalfCheetahVectorEnv(GymnasiumVectorEnv):
    """HalfCheetah: run forward."""

    file, normal_velocities = "half_cheetah.xml", True


class HopperVectorEnv(GymnasiumVectorEnv):
    """Hopper: hop forward and stay upright."""

    file, steps, noise = "hopper.xml", 4, 5e-3


class HumanoidVectorEnv(GymnasiumVectorEnv):
    """Humanoid: walk forward without falling."""

    file, noise = "humanoid.xml", 1e-2


class HumanoidStandupVectorEnv(GymnasiumVectorEnv):
    """HumanoidStandup: get up from the floor."""

    file, noise = "humanoidstandup.xml", 1e-2


class InvertedDoublePendulumVectorEnv(GymnasiumVectorEnv):
    """InvertedDoublePendulum: keep two poles upright, one on the other."""

    file, normal_velocities = "inverted_double_pendulum.xml", True


class InvertedPendulumVectorEnv(GymnasiumVectorEnv):
    """InvertedPendulum: keep a pole upright."""

    file, steps, noise = "inverted_pendulum.xml", 2, 0.01


class SwimmerVectorEnv(GymnasiumVectorEnv):
    """Swimmer: swim forward."""

    file, steps = "swimmer.xml", 4


class Walker2dVectorEnv(GymnasiumVectorEnv):
    """Walker2d: walk forward and stay upright."""

    file, steps, noise = "walker2d_v5.xml", 4, 5e-3


class ReacherVectorEnv(GymnasiumVectorEnv):
    """Reacher: bring the tip of an arm to a target."""

    file, steps = "reacher.xml", 2

    def first_state(self, random):
        """Noise around the first state, and a target in a disc."""
        qpos = random.uniform(low=-0.1, high=0.1, size=self.model.nq) + self.init_qpos
        goal = random.uniform(low=-0.2, high=0.2, size=2)
        while np.linalg.norm(goal) >= 0.2:
            goal = random.uniform(low=-0.2, high=0.2, size=2)
        qpos[-2:] = goal
        qvel = self.init_qvel + random.uniform(low=-0.005, high=0.005, size=self.model.nv)
        qvel[-2:] = 0
        return qpos, qvel


class PusherVectorEnv(GymnasiumVectorEnv):
    """Pusher: push an object to a goal."""

    file = "pusher_v5.xml"

    def first_state(self, random):
        """An object that is not at the goal already, and noise in velocities."""
        def place():
            return np.concatenate((random.uniform(low=-0.3, high=0, size=1), random.uniform(low=-0.2, high=0.2, size=1)))

        cylinder = place()
        while np.linalg.norm(cylinder) <= 0.17:
            cylinder = place()
        qpos = self.init_qpos.copy()
        qpos[-4:-2], qpos[-2:] = cylinder, 0
        qvel = self.init_qvel + random.uniform(low=-0.005, high=0.005, size=self.model.nv)
        qvel[-4:] = 0
        return qpos, qvel


CLASSES = (
    AntVectorEnv, HalfCheetahVectorEnv, HopperVectorEnv, HumanoidStandupVectorEnv, HumanoidVectorEnv,
    InvertedDoublePendulumVectorEnv, InvertedPendulumVectorEnv, PusherVectorEnv, ReacherVectorEnv, SwimmerVectorEnv,
    Walker2dVectorEnv,
)
EPISODES = {"Pusher": 100, "Reacher": 50}
"""Steps of an episode where they are not 1000."""
