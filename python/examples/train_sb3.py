"""Trains a policy with Stable-Baselines3 in many worlds of one process.

    pip install stable-baselines3
    python python/examples/train_sb3.py [steps]

`Worlds` makes a vector environment of Stable-Baselines3 of one of Kinetree's: pass it to any of its algorithms.
"""

import sys

import numpy as np
from gymnasium.vector import AutoresetMode
from kinetree import envs
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv, VecMonitor


class Worlds(VecEnv):
    """A vector environment of Kinetree's as one of Stable-Baselines3, which wants worlds to begin anew in the step that ends them."""

    def __init__(self, worlds):
        if worlds.autoreset_mode is not AutoresetMode.SAME_STEP:
            raise ValueError("worlds must be made with autoreset_mode='SameStep'")
        self.worlds, self._actions = worlds, None
        super().__init__(worlds.num_envs, worlds.single_observation_space, worlds.single_action_space)

    def reset(self):
        """Begins new episodes."""
        observations, _ = self.worlds.reset(seed=[self._seeds[i] for i in range(self.num_envs)])
        self._reset_seeds()
        return observations.astype(np.float32)

    def step_async(self, actions):
        """Takes actions for the next step."""
        self._actions = actions

    def step_wait(self):
        """Makes a step of all worlds."""
        observations, rewards, terminated, truncated, found = self.worlds.step(self._actions)
        infos: list[dict] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(terminated | truncated):
            infos[i] = {"terminal_observation": found["final_obs"][i].astype(np.float32), "TimeLimit.truncated": not terminated[i]}
        return observations.astype(np.float32), rewards.astype(np.float32), terminated | truncated, infos

    def close(self):
        """Gives back what the worlds hold."""
        self.worlds.close()

    def get_attr(self, attr_name, indices=None):
        """An attribute, the same for all worlds."""
        return [getattr(self.worlds, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name, value, indices=None):
        """Sets an attribute of all worlds."""
        setattr(self.worlds, attr_name, value)

    def env_method(self, method_name, *args, indices=None, **kwargs):
        """Calls a method of all worlds."""
        return [getattr(self.worlds, method_name)(*args, **kwargs)] * len(list(self._get_indices(indices)))

    def env_is_wrapped(self, wrapper_class, indices=None):
        """Worlds are not wrapped one by one."""
        return [False] * len(list(self._get_indices(indices)))


def main():
    """Trains to balance a pole, for 200,000 steps unless another number is given."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    worlds = VecMonitor(Worlds(envs.make_vec("InvertedPendulum", num_envs=64, autoreset_mode="SameStep")))
    policy = PPO("MlpPolicy", worlds, n_steps=64, batch_size=1024, n_epochs=5, learning_rate=1e-3, gae_lambda=0.9, verbose=0)
    policy.learn(steps)
    lengths = [episode["l"] for episode in policy.ep_info_buffer]
    print(f"the last {len(lengths)} episodes lasted {np.mean(lengths):.0f} of 1000 steps")


if __name__ == "__main__":
    main()
