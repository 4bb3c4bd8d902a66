"""A task of dm_control's suite as a `dm_env.Environment`: one world, for programs that are written for that interface."""

import collections

import numpy as np

from kinetree.envs.suite import SuiteVectorEnv

try:
    import dm_env
    from dm_env import specs
except ImportError as missing:
    raise ImportError("kinetree.envs.dm needs dm_env: pip install dm_env") from missing

__all__ = ["load"]


class _Environment(dm_env.Environment):
    """One world of a vector environment. Observations are dictionaries with the parts of the originals."""

    def __init__(self, envs, seed):
        self._envs, self._seed = envs, seed
        self._ended = True

    def reset(self):
        """Begins an episode."""
        observations, _ = self._envs.reset(seed=self._seed)
        # later episodes go on with the same random numbers
        self._seed, self._ended = None, False
        return dm_env.restart(self._parts(observations[0]))

    def step(self, action):
        """Makes a step; begins an episode where one has ended."""
        if self._ended:
            return self.reset()
        actions = np.asarray(action, dtype=np.float64)[np.newaxis]
        observations, rewards, terminated, truncated, _ = self._envs.step(actions)
        observation, reward = self._parts(observations[0]), float(rewards[0])
        self._ended = bool(terminated[0] or truncated[0])
        if terminated[0]:
            return dm_env.termination(reward, observation)
        return dm_env.truncation(reward, observation) if truncated[0] else dm_env.transition(reward, observation)

    def _parts(self, row):
        return collections.OrderedDict((name, row[place]) for name, place in self._envs.observation_columns.items())

    def observation_spec(self):
        """Shapes of the parts of an observation."""
        columns = self._envs.observation_columns.items()
        return collections.OrderedDict((name, specs.Array((place.stop - place.start,), np.float64, name)) for name, place in columns)

    def action_spec(self):
        """Limits of actions."""
        space = self._envs.single_action_space
        return specs.BoundedArray(space.shape, space.dtype, space.low, space.high)


def load(domain, task, *, seed=None, **arguments):
    """An environment: `load("walker", "walk")`. Arguments are those of `SuiteVectorEnv`."""
    return _Environment(SuiteVectorEnv(1, task=f"{domain}-{task}", autoreset_mode="Disabled", **arguments), seed)
