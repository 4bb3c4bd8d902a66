"""Tasks of several robots in one vector environment, padded to the widest observation and action."""

import gymnasium
import numpy as np
from gymnasium.vector import VectorEnv

from kinetree.envs.vector import BatchVectorEnv, reset_mask, seeds_of
from kinetree.mixed import mask_of, pad


class MixedVectorEnv(VectorEnv):
    """Several vector environments of worlds as one, with robots of other sizes: for a policy that drives all of them.

    Observations and actions are as wide as the widest environment's: observations have zeros at their end, and actions are not read there.
    `observation_mask` and `action_mask` tell which numbers are used; infos have the keys of all environments, and `_key` tells which worlds
    have one.

    Args:
        envs: vector environments of `kinetree.envs`, with the same `autoreset_mode` and `render_mode`.

    Example::

        envs = MixedVectorEnv([kinetree.envs.make_vec("Ant", 64), kinetree.envs.make_vec("Humanoid", 32)])
        observations, infos = envs.reset(seed=0)
        observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())
    """

    def __init__(self, envs):
        self.envs = tuple(env.unwrapped for env in envs)
        wrong = next((env for env in self.envs if not isinstance(env, BatchVectorEnv)), None)
        if wrong is not None or not self.envs:
            raise TypeError("envs must be vector environments of kinetree.envs" + ("" if wrong is None else f", but one is {wrong!r}"))
        for name in ("autoreset_mode", "render_mode"):
            values = {getattr(env, name) for env in self.envs}
            if len(values) > 1:
                raise ValueError(f"environments have different values of {name}: {', '.join(sorted(map(str, values)))}; make them with the same")
        self.autoreset_mode, self.render_mode = self.envs[0].autoreset_mode, self.envs[0].render_mode
        self.metadata = dict(self.envs[0].metadata)
        heights = [env.num_envs for env in self.envs]
        ends = np.cumsum(heights).tolist()
        self.num_envs = ends[-1]
        self._slices = [slice(first, last) for first, last in zip([0, *ends], ends)]
        self.model_of = np.repeat(np.arange(len(self.envs)), heights)
        self.observation_mask = mask_of(heights, [env.single_observation_space.shape[0] for env in self.envs])
        self.action_mask = mask_of(heights, [env.single_action_space.shape[0] for env in self.envs])
        kinds = [env.single_action_space.dtype for env in self.envs]
        low, high = (pad([getattr(env.action_space, side) for env in self.envs]).astype(np.result_type(*kinds)) for side in ("low", "high"))
        self.action_space = gymnasium.spaces.Box(low, high, dtype=low.dtype)
        self.single_action_space = gymnasium.spaces.Box(low.min(axis=0), high.max(axis=0), dtype=low.dtype)
        width = self.observation_mask.shape[1]
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (width,), dtype=np.float64)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (self.num_envs, width), dtype=np.float64)

    observation_mask: np.ndarray
    """Which numbers of observations are used, (num_envs, ...)."""
    action_mask: np.ndarray
    """Which numbers of actions are used, (num_envs, ...)."""
    model_of: np.ndarray
    """Index of the environment of each world, (num_envs,)."""

    def reset(self, *, seed=None, options=None):
        """Begins new episodes, in all worlds or where `options["reset_mask"]` is true.

        Args:
            seed: one number, from which world i has seed + i, or a list with a seed or None for each world.
            options: a dictionary, in which `reset_mask` tells which worlds begin again.
        """
        mask, seeds = reset_mask(options, self.num_envs), seeds_of(seed, self.num_envs)
        observations, infos = [], []
        for rows, env in zip(self._slices, self.envs):
            own = mask[rows]
            if not own.any():
                observations.append(env._observe(slice(None), env.num_envs))
                infos.append({})
                continue
            observed, told = env.reset(seed=seeds[rows], options={**(options or {}), "reset_mask": own})
            observations.append(observed)
            infos.append(told)
        return self._wide(observations), self._merge(infos)

    def step(self, actions):
        """Makes a step of all worlds.

        Args:
            actions: array (num_envs, most actions); numbers that a robot has no actuator for are not read.

        Returns:
            Observations, rewards, terminations, truncations and infos.
        """
        actions = np.asarray(actions)
        if actions.dtype.kind not in "fiub":
            raise TypeError(f"actions must be an array of numbers of shape {self.action_space.shape}, but are {actions}")
        if actions.shape != self.action_space.shape:
            raise ValueError(f"actions must have shape {self.action_space.shape}, a row for each world, but have {actions.shape}")
        if not np.isfinite(actions[self.action_mask]).all():
            world, column = np.argwhere(~np.isfinite(actions) & self.action_mask)[0]
            raise ValueError(f"action {column} of world {world} is {actions[world, column]}; actions must be finite numbers")
        told = [env.step(np.ascontiguousarray(actions[rows, :env.single_action_space.shape[0]]))
                for rows, env in zip(self._slices, self.envs)]
        observations, rewards, terminated, truncated, infos = zip(*told)
        return (self._wide(observations), np.concatenate(rewards), np.concatenate(terminated), np.concatenate(truncated),
                self._merge(infos))

    def render(self):
        """A picture of each world; None without `render_mode`."""
        if self.render_mode is None:
            return None
        return tuple(picture for env in self.envs for picture in env.render())

    def close_extras(self, **kwargs):
        """Closes the environments."""
        for env in self.envs:
            env.close(**kwargs)

    def _wide(self, observations):
        return pad(observations, self.observation_mask.shape[1])

    def _merge(self, infos):
        """Infos of all environments: of keys that some have, the others have nothing."""
        keys = dict.fromkeys(key for info in infos for key in info if not key.startswith("_"))
        merged: dict = {}
        for key in keys:
            if any(isinstance(info.get(key), dict) for info in infos):
                merged[key] = self._merge([info.get(key, {}) for info in infos])
            else:
                merged[key] = self._column(key, [info.get(key) for info in infos])
            known = [info.get(f"_{key}") for info in infos]
            merged[f"_{key}"] = np.concatenate([np.zeros(env.num_envs, dtype=bool) if has is None else has
                                                for has, env in zip(known, self.envs)])
        return merged

    def _column(self, key, values):
        """Values of a key in all worlds."""
        given = [np.asarray(value) for value in values if value is not None]
        if any(value.dtype.hasobject for value in given) or len({value.ndim for value in given}) > 1:
            column = np.full(self.num_envs, None, dtype=object)
        else:
            column = np.zeros((self.num_envs, *np.max([value.shape[1:] for value in given], axis=0).astype(int)), np.result_type(*given))
        for rows, value in zip(self._slices, values):
            if value is None:
                continue
            if column.dtype.hasobject:
                for world, row in zip(range(rows.start, rows.stop), value):
                    column[world] = row
            else:
                place = (rows, *(slice(size) for size in value.shape[1:]))
                column[place] = value
        if key == "final_obs":
            for world in np.flatnonzero([row is not None for row in column]).tolist():
                column[world] = pad([column[world][None]], self.observation_mask.shape[1])[0]
        return column
