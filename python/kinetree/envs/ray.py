"""Vector environments over the workers of a Ray cluster.

::

    ray.init()                                                      # or ray.init("auto") on a cluster
    envs = RayVectorEnv("Humanoid", num_envs=4096, num_workers=8)   # a Gymnasium vector environment
    observations, infos = envs.reset(seed=0)
    observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())

Each worker has a share of the worlds, and the results are those of one process with all of them. Arrays come through Ray's object store:
`step_shards` hands them out as they are there, without a copy. A worker that dies is replaced: its episodes end as truncated, in
`infos["restarted"]`, and restart in the next step, while the other worlds go on.
"""

import time

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from kinetree.envs import make_vec

try:
    import ray
except ImportError as missing:
    raise ImportError("kinetree.envs.ray needs Ray: pip install ray") from missing

__all__ = ["RayVectorEnv"]


class _Worker:
    """A share of the worlds, in a process of its own."""

    def __init__(self, task, num_envs, arguments):
        self.envs = make_vec(task, num_envs=num_envs, **arguments)

    def spaces(self):
        """Spaces of one world."""
        return self.envs.single_observation_space, self.envs.single_action_space

    def reset(self, seeds):
        """As of the vector environment."""
        return self.envs.reset(seed=seeds)

    def step(self, actions):
        """As of the vector environment."""
        # what comes from the object store cannot be written to
        return self.envs.step(np.array(actions))


class RayVectorEnv(VectorEnv):
    """Worlds of a task, shared out to workers.

    Args:
        task: name of the task, as of `make_vec`.
        num_envs: number of worlds of all workers.
        num_workers: number of workers.
        threads: threads of each worker, and processors that Ray reserves for it.
        arguments: those of the task; `autoreset_mode` is "NextStep".
    """

    def __init__(self, task, num_envs, *, num_workers=2, threads=1, **arguments):
        if not 1 <= num_workers <= num_envs:
            raise ValueError(f"num_workers must be at least 1 and at most the {num_envs} worlds, but is {num_workers}")
        if AutoresetMode(arguments.setdefault("autoreset_mode", AutoresetMode.NEXT_STEP)) != AutoresetMode.NEXT_STEP:
            raise ValueError("worlds of Ray workers restart in the next step: autoreset_mode must be 'NextStep'")
        self.num_envs = num_envs
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}
        self._definition = task, {**arguments, "nthread": threads}
        self._actor = ray.remote(num_cpus=threads)(_Worker)
        bounds = np.linspace(0, num_envs, num_workers + 1).astype(int).tolist()
        self.shards = [slice(first, last) for first, last in zip(bounds, bounds[1:])]
        """The worlds of each worker."""
        self.workers = [self._start(shard) for shard in self.shards]
        self.restarts = 0
        """Workers that were replaced."""
        self.single_observation_space, self.single_action_space = ray.get(self.workers[0].spaces.remote())
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seeds: list = [None] * num_envs
        # first results of workers that were replaced in the last step
        self._fresh: dict = {}
        self._last = np.zeros((num_envs, *self.single_observation_space.shape))
        self._steps, self._began = 0, time.perf_counter()

    def _start(self, shard):
        task, arguments = self._definition
        return self._actor.remote(task, shard.stop - shard.start, arguments)

    @property
    def throughput(self):
        """Steps of single worlds per second since the last reset."""
        return self._steps / max(time.perf_counter() - self._began, 1e-9)

    def reset(self, *, seed=None, options=None):
        """Begins new episodes in all worlds."""
        if options:
            raise ValueError(f"worlds of Ray workers are reset all together, without options, but there are {options}")
        if seed is None or isinstance(seed, (int, np.integer)):
            seed = [None if seed is None else int(seed) + world for world in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"there must be a seed for each of {self.num_envs} worlds, but there are {len(seed)}")
        self._seeds, self._fresh = list(seed), {}
        calls = [worker.reset.remote(self._seeds[shard]) for worker, shard in zip(self.workers, self.shards)]
        for k, call in enumerate(calls):
            try:
                ray.get(call)
            except ray.exceptions.RayActorError:
                self._replace(k)
                calls[k] = self._fresh.pop(k)
        parts = ray.get(calls)
        self._last = np.concatenate([observations for observations, _ in parts])
        self._steps, self._began = 0, time.perf_counter()
        return self._last.copy(), _join([infos for _, infos in parts], self.shards, self.num_envs)

    def step(self, actions):
        """Makes a step of all worlds."""
        parts = self.step_shards(actions)
        observations, rewards, terminated, truncated = (np.concatenate([part[k] for part in parts]) for k in range(4))
        self._last = observations
        return observations.copy(), rewards, terminated, truncated, _join([part[4] for part in parts], self.shards, self.num_envs)

    def step_shards(self, actions):
        """Makes a step of all worlds, and returns what each worker returned; arrays are read-only views of the object store."""
        actions = np.asarray(actions)
        if actions.shape != self.action_space.shape:
            raise ValueError(f"actions must have shape {self.action_space.shape}, a row for each world, but have {actions.shape}")
        calls = [None if k in self._fresh else worker.step.remote(actions[shard])
                 for k, (worker, shard) in enumerate(zip(self.workers, self.shards))]
        parts = [self._first(k) if call is None else self._get(k, call) for k, call in enumerate(calls)]
        self._steps += self.num_envs
        return parts

    def _get(self, k, call):
        """Result of a step; the end of all episodes when the worker has died."""
        try:
            return ray.get(call)
        except ray.exceptions.RayActorError:
            shard = self.shards[k]
            self._replace(k)
            count = shard.stop - shard.start
            yes, no = np.ones(count, dtype=bool), np.zeros(count, dtype=bool)
            return self._last[shard], np.zeros(count), no, yes, {"restarted": yes, "_restarted": yes.copy()}

    def _first(self, k):
        """The first observations of a worker that was replaced, in place of a step."""
        observations, infos = ray.get(self._fresh.pop(k))
        no = np.zeros(len(observations), dtype=bool)
        return observations, np.zeros(len(observations)), no, no.copy(), infos

    def _replace(self, k):
        """Starts a worker in the place of one that has died; its worlds get seeds that were not used yet."""
        self.restarts += 1
        shard = self.shards[k]
        self._seeds[shard] = [None if seed is None else seed + self.num_envs for seed in self._seeds[shard]]
        self.workers[k] = self._start(shard)
        self._fresh[k] = self.workers[k].reset.remote(self._seeds[shard])

    def close_extras(self, **_):
        """Ends the workers."""
        for worker in self.workers:
            ray.kill(worker)


def _join(parts, shards, num_envs):
    """Infos of all worlds, from those of the workers."""
    joined: dict = {}
    for infos, shard in zip(parts, shards):
        for key, values in infos.items():
            if key not in joined:
                joined[key] = np.zeros((num_envs, *values.shape[1:]), dtype=values.dtype)
            joined[key][shard] = values
    return joined
