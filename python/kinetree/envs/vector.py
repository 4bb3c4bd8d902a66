"""Gymnasium vector environments over a batch of worlds: tasks of one's own in Python, and tasks of the extension module."""

import inspect
import os
import pathlib

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from kinetree import _core
from kinetree.batch import BatchSim
from kinetree.enums import mjtCamera, mjtObj
from kinetree.renderer import BatchRenderer
from kinetree.scene import MjvCamera
from kinetree.structs import MjModel
from kinetree.worlds import one_model


def bundled_model(name):
    """Path of a model of Gymnasium's."""
    return pathlib.Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets" / name


def find_model(file):
    """Path of a model: a file, or else one of Gymnasium's by name alone."""
    file = os.fspath(file)
    if os.path.exists(file):
        return file
    if not os.path.dirname(file) and bundled_model(file).exists():
        return str(bundled_model(file))
    raise FileNotFoundError(f"there is no model {file!r}: neither in {os.getcwd()}, nor among Gymnasium's")


def tracking_camera(model):
    """The camera of the model named "track", or else one that follows the first body that moves, with all its tree in sight."""
    index = model._name2id(int(mjtObj.mjOBJ_CAMERA), "track")
    if index >= 0:
        return index
    camera = MjvCamera()
    _core.mjv_defaultFreeCamera(model, camera)
    moving = np.flatnonzero(model.body_treeid >= 0)
    if len(moving):
        camera.type, camera.trackbodyid = int(mjtCamera.mjCAMERA_TRACKING), int(moving[0])
        reach = np.linalg.norm(model.body_pos[moving[model.body_treeid[moving] == model.body_treeid[moving[0]]][1:]], axis=1).sum()
        camera.distance = max(2.5 * float(reach), 3.0)
        camera.elevation = -20.0
    return camera


def reset_mask(options, worlds):
    """Which worlds a reset with these options is for."""
    mask = (options or {}).get("reset_mask")
    mask = np.ones(worlds, dtype=bool) if mask is None else np.asarray(mask)
    if mask.dtype != bool:
        raise TypeError(f"options['reset_mask'] must be an array of booleans, but has type {mask.dtype}")
    if mask.shape != (worlds,) or not mask.any():
        raise ValueError(f"options['reset_mask'] must have shape ({worlds},), with at least one true value, but is {mask}")
    return mask


def seeds_of(seed, worlds):
    """A seed or None for each world."""
    if seed is None or isinstance(seed, (int, np.integer)):
        return [None if seed is None else int(seed) + world for world in range(worlds)]
    seeds = list(seed)
    if len(seeds) != worlds:
        raise ValueError(f"there must be a seed for each of {worlds} worlds, but there are {len(seeds)}")
    return seeds


class BatchVectorEnv(VectorEnv):
    """A task on a batch of worlds. Subclasses say what is observed and rewarded, for all worlds at once.

    A subclass defines `observe` and `evaluate`, and if need be `outputs`, `first_state`, `randomize`, `remember` and `reset_info`. Tables
    of all worlds are in `self.batch`.

    A world that fails (its state is no longer finite) ends its episode: it is terminated with reward 0, numbers of its observation
    that are not finite are 0, and `infos["error"]` says why. Other worlds go on.

    Args:
        model: a model, or the path of one.
        num_envs: number of worlds.
        frame_skip: steps of physics in a step.
        max_episode_steps: steps after which an episode is truncated; None for no limit.
        autoreset_mode: when worlds whose episode has ended restart: in the next step, in the same step, or not (`AutoresetMode`).
        nthread: number of threads; zero for one per processor.
        render_mode: "rgb_array" for pictures from `render`, or None.
        width: columns of a picture.
        height: rows of a picture.
        camera: camera of the pictures, by name, number or as an `MjvCamera`; without one, a camera named "track", or else one that follows
            the first body that moves.
        device: "cpu", or "gpu" for physics on a GPU in single precision; models with something that it does not simulate are refused.
        adapter: part of the name of the GPU; the fastest one without it.
    """

    outputs: tuple[str, ...] = ()
    """Arrays of MjData that the task needs, as attributes of `self.batch`."""
    action_dtype: type = np.float32
    """Type of the numbers of actions."""

    def __init__(self, model, num_envs, *, frame_skip=1, max_episode_steps=None, autoreset_mode=AutoresetMode.NEXT_STEP, nthread=0,
                 render_mode=None, width=480, height=480, camera=None, device="cpu", adapter=None):
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode must be 'rgb_array' or None, but is {render_mode!r}: show a single world in a window with "
                             "kinetree.viewer.launch_passive")
        self.num_envs, self.render_mode = num_envs, render_mode
        self._pictures, self._renderer = (width, height, camera), None
        model = one_model(model)
        self.model = model if isinstance(model, MjModel) else MjModel.from_xml_path(find_model(model))
        self.batch = BatchSim(self.model, num_envs, nthread=nthread, frame_skip=frame_skip, time_limit=max_episode_steps,
                              outputs=self.outputs, task=self._task(), device=device, adapter=adapter)
        self.dt = self.model.opt.timestep * frame_skip
        self.init_qpos, self.init_qvel = np.array(self.model.qpos0), np.zeros(self.model.nv)
        self.max_episode_steps = max_episode_steps
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": round(1.0 / self.dt), "autoreset_mode": self.autoreset_mode}
        low, high = self.model.actuator_ctrlrange.astype(self.action_dtype).T
        self.single_action_space = gymnasium.spaces.Box(low, high, dtype=self.action_dtype)
        self.action_space = batch_space(self.single_action_space, num_envs)
        shape = self._observe(slice(None), num_envs).shape[1:]
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, shape, dtype=np.float64)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        # generator and seed of each world, made when they are needed
        self._random: list = [None] * num_envs
        # worlds whose episode has ended
        self._ended: list[int] = []

    def _task(self):
        """Name and settings of a task of the extension module, if it is one."""
        return None

    # what a task is

    def observe(self, worlds):
        """Observations of some worlds; subclasses define it.

        Args:
            worlds: index of rows, as in `self.batch.qpos[worlds]`.

        Returns:
            A new array with a row for each of these worlds.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say what it observes: define `observe(self, worlds)`, which returns an array "
                                  "with a row for each of these worlds, such as "
                                  "np.concatenate((self.batch.qpos[worlds], self.batch.qvel[worlds]), axis=1)")

    def evaluate(self, actions, before):
        """Rewards and ends of episodes of all worlds after a step; subclasses define it.

        Args:
            actions: the actions of the step, one row per world.
            before: what `remember` returned before the step.

        Returns:
            Rewards and terminations, an array each, and infos, a dictionary of arrays.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say what it rewards: define `evaluate(self, actions, before)`, which returns "
                                  "rewards, terminations (an array each, with a number for each world) and infos (a dictionary of arrays)")

    def remember(self):
        """What `evaluate` needs to know about the states before a step."""
        return None

    def first_state(self, random):
        """`qpos` and `qvel` of one world at the beginning of an episode.

        Args:
            random: random numbers of the world, a NumPy generator.
        """
        return self.init_qpos, self.init_qvel

    def randomize(self, worlds, generators):
        """Changes the models of the worlds that begin an episode, before their first states are drawn; does nothing by default.

        Call `self.batch.vary("body_mass", masses, worlds, recompute=True)` in it, for example.

        Args:
            worlds: indices of the worlds.
            generators: random numbers of each, NumPy generators.
        """

    def reset_info(self):
        """Infos of worlds that have just been reset: a dictionary of arrays, of all worlds."""
        return {}

    def generator(self, seed):
        """Random numbers of a world, and the seed that they come from.

        Args:
            seed: a number, or None for a random one.
        """
        return seeding.np_random(seed)

    # Gymnasium's interface

    @property
    def np_random(self):
        """The random numbers of each world."""
        for world in range(self.num_envs):
            self._seed(world, None)
        return tuple(random for random, _ in self._random)

    @np_random.setter
    def np_random(self, generators):
        if len(generators) != self.num_envs:
            raise ValueError(f"there must be a generator for each of {self.num_envs} worlds, but there are {len(generators)}")
        self._random = [(generator, -1) for generator in generators]

    @property
    def np_random_seed(self):
        """The seed of each world; -1 where only the generator is known."""
        for world in range(self.num_envs):
            self._seed(world, None)
        return tuple(seed for _, seed in self._random)

    def reset(self, *, seed=None, options=None):
        """Begins new episodes, in all worlds or where `options["reset_mask"]` is true.

        `seed` is one number, from which world i has seed + i, or a list with a seed or None for each world.
        """
        mask, seeds = reset_mask(options, self.num_envs), seeds_of(seed, self.num_envs)
        worlds = _worlds(mask)
        for world in worlds:
            self._seed(world, seeds[world])
        self._begin(worlds)
        infos = {}
        _add(infos, self.reset_info(), mask)
        return self._observe(slice(None), self.num_envs), infos

    def step(self, actions):
        """Makes a step of all worlds.

        Args:
            actions: array (num_envs, nu).

        Returns:
            Observations, rewards, terminations, truncations and infos.
        """
        actions = self._check(actions)
        fresh = self._fresh()
        observations, rewards, terminated, truncated, info = self._advance(actions, fresh)
        self._ended = _worlds(terminated | truncated)
        return observations, rewards, terminated, truncated, self._tell(observations, info, fresh)

    def render(self):
        """A picture of each world, (height, width, 3) bytes; None without `render_mode`."""
        if self.render_mode is None:
            return None
        if self._renderer is None:
            width, height, camera = self._pictures
            self._renderer = BatchRenderer(self.model, height, width, cameras=(tracking_camera(self.model) if camera is None else camera,))
        return tuple(self._renderer.render(self.batch)[:, 0])

    def close_extras(self, **kwargs):
        """Gives back what draws."""
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None

    def _fresh(self):
        """Worlds that begin an episode in the next step, instead of going on."""
        return self._ended if self.autoreset_mode is AutoresetMode.NEXT_STEP else []

    def _advance(self, actions, fresh):
        """Makes a step; worlds in `fresh` begin an episode instead. What came of it, with infos of all worlds."""
        before = self.remember()
        self.batch.take_actions(actions)
        self._draw(fresh)
        self.batch.step_or_begin(self._mask(fresh) if fresh else None, actions.dtype == np.float32)
        rewards, terminated, info = self.evaluate(actions, before)
        rewards, terminated = np.array(rewards, dtype=np.float64), np.array(terminated, dtype=bool)
        for name, values in (("rewards", rewards), ("terminations", terminated)):
            if values.shape != (self.num_envs,):
                raise ValueError(f"{type(self).__name__}.evaluate must return {name} of shape ({self.num_envs},), one for each world, "
                                 f"but theirs is {values.shape}")
        observations, failed = self._observe(slice(None), self.num_envs), self.batch.failed
        if failed is not None:
            rewards[failed], terminated = 0.0, terminated | failed
            info["error"] = np.array(self.batch.errors, dtype=object)
            observations[failed] = np.nan_to_num(observations[failed], nan=0.0, posinf=0.0, neginf=0.0)
        rewards[fresh], terminated[fresh] = 0.0, False
        return observations, rewards, terminated, self.batch.truncated, info

    def _tell(self, observations, info, fresh):
        """Infos of a step, given those of all worlds. Where worlds restart in the same step, they do so here."""
        if self._ended and self.autoreset_mode is AutoresetMode.SAME_STEP:
            return self._finish(observations, info, self._ended)
        infos: dict = {}
        if fresh:
            _add(infos, self.reset_info(), self._mask(fresh))
        _add(infos, info, ~self._mask(fresh) if fresh else None)
        return infos

    def _finish(self, observations, info, worlds):
        """Restarts worlds whose episodes have ended; what was there last goes into the infos, which are returned."""
        final, ended = np.full(self.num_envs, None, dtype=object), self._mask(worlds)
        for world in worlds:
            final[world] = observations[world].copy()
        last: dict = {}
        _add(last, info, ended)
        infos = {"final_obs": final, "_final_obs": ended.copy(), "final_info": last, "_final_info": ended.copy()}
        self._begin(worlds)
        observations[worlds] = self._observe(worlds, len(worlds))
        _add(infos, self.reset_info(), ended)
        _add(infos, info, ~ended)
        return infos

    def _observe(self, worlds, count):
        """Observations of so many worlds, if there is a row for each."""
        observations = np.asarray(self.observe(worlds))
        if observations.ndim == 0 or len(observations) != count:
            raise ValueError(f"{type(self).__name__}.observe must return a row for each of {count} worlds, "
                             f"but the shape is {observations.shape}")
        return observations

    def _check(self, actions):
        """Actions as an array, if it has the right type and shape."""
        actions = np.asarray(actions)
        if actions.ndim == 0 or actions.dtype.kind not in "fiub":
            raise TypeError(f"actions must be an array of numbers of shape {self.action_space.shape}, but are {actions}")
        if actions.shape != self.action_space.shape:
            raise ValueError(f"actions must have shape {self.action_space.shape}, a row for each world, but have {actions.shape}")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended:
            raise ValueError(f"the episode of world {self._ended[0]} has ended; reset it with "
                             "reset(options={'reset_mask': terminated | truncated}) before the next step")
        return actions

    def _seed(self, world, seed):
        """The generator of a world: a new one when there is a seed or none was made yet."""
        if seed is not None or self._random[world] is None:
            self._random[world] = self.generator(seed)

    def _draw(self, worlds):
        """Writes first states of worlds into the tables."""
        qpos, qvel = self.batch.qpos, self.batch.qvel
        for world in worlds:
            self._seed(world, None)
        if worlds and type(self).randomize is not BatchVectorEnv.randomize:
            self.randomize(worlds, [self._random[world][0] for world in worlds])
        for world in worlds:
            qpos[world], qvel[world] = self.first_state(self._random[world][0])
        finite = np.isfinite(qpos[worlds]).all(axis=1) & np.isfinite(qvel[worlds]).all(axis=1)
        if not finite.all():
            wrong = np.asarray(worlds)[~finite]
            qpos[wrong], qvel[wrong] = self.init_qpos, self.init_qvel
            raise ValueError(f"{type(self).__name__}.first_state has returned numbers for world {wrong[0]} that are not finite")

    def _begin(self, worlds):
        """Begins new episodes."""
        self._draw(worlds)
        self.batch.begin(self._mask(worlds))
        begun = set(worlds)
        self._ended = [world for world in self._ended if world not in begun]

    def _mask(self, worlds):
        """A flag for each world, true for those in a list."""
        mask = np.zeros(self.num_envs, dtype=bool)
        mask[worlds] = True
        return mask


# names of the arguments of `BatchVectorEnv` that are no settings of a task
_ARGUMENTS = tuple(inspect.signature(BatchVectorEnv).parameters)[2:]


class TaskVectorEnv(BatchVectorEnv):
    """A task that the extension module computes: a step with observations and rewards is one call.

    Args:
        task: name of the task.
        model: a model, or the path of one.
        num_envs: number of worlds.
        settings: numbers, ranges and flags of the task by name; and the arguments of `BatchVectorEnv`.
    """

    def __init__(self, task, model, num_envs, **settings):
        arguments = {name: settings.pop(name) for name in _ARGUMENTS if name in settings}
        self._choice = task, settings
        super().__init__(model, num_envs, **arguments)
        self._of_states, of_steps = self.batch.metric_columns
        self._metrics = {**self._of_states, **of_steps}
        # unless a subclass has a say in it
        methods = ("observe", "evaluate", "remember", "reset_info")
        self._at_once = all(getattr(type(self), name) is getattr(TaskVectorEnv, name) for name in methods)

    def _task(self):
        return self._choice

    def observe(self, worlds):
        """A copy of the observations of some worlds.

        Args:
            worlds: index of rows.
        """
        return np.array(self.batch.observations[worlds])

    def evaluate(self, actions, before):
        """Does nothing: rewards and ends of episodes come with the step. `actions` and `before` are not used."""
        return self.batch.rewards, self.batch.terminated, _columns(self.batch.metrics, self._metrics)

    def reset_info(self):
        """Metrics that first states have, too."""
        return _columns(self.batch.metrics, self._of_states)

    def step(self, actions):
        """Makes a step of all worlds.

        Args:
            actions: array (num_envs, nu).

        Returns:
            Observations, rewards, terminations, truncations and infos.
        """
        if not self._at_once:
            return super().step(actions)
        # little of the interpreter is left in the processor's caches after a step, so that each line here is slow
        stuck = self._ended and self.autoreset_mode is AutoresetMode.DISABLED
        if stuck or not (isinstance(actions, np.ndarray) and actions.dtype.kind == "f" and actions.ndim == 2):
            actions = self._check(actions)
        fresh = self._fresh()
        single_precision = self.batch.take_actions(actions)
        if fresh:
            self._draw(fresh)
        observations, rewards, terminated, truncated, infos, self._ended, failed = self.batch.act(fresh, single_precision)
        if failed:
            _add(infos, {"error": np.array(self.batch.errors, dtype=object)}, ~self._mask(fresh))
        if self._ended and self.autoreset_mode is AutoresetMode.SAME_STEP:
            infos = self._finish(observations, {name: infos[name] for name in infos if not name.startswith("_")}, self._ended)
        return observations, rewards, terminated, truncated, infos


def _worlds(mask):
    """Where a mask is true."""
    return mask.nonzero()[0].tolist()


def _columns(table, places):
    """Copies of metrics by name: an array of numbers, or of rows for those that have several columns."""
    return {name: np.array(table[:, place.start if place.stop == place.start + 1 else place]) for name, place in places.items()}


def _add(infos, info, mask):
    """Adds the infos of the worlds where the mask is true, as Gymnasium lays them out: `_key` tells which worlds have `key`.

    No mask means all worlds. Arrays are taken over, not copied.
    """
    if mask is None:
        for key, values in info.items():
            infos[key], infos[f"_{key}"] = values, np.ones(len(values), dtype=bool)
        return
    worlds, rest = np.flatnonzero(mask), np.flatnonzero(~mask)
    if len(worlds) == 0:
        return
    for key, values in info.items():
        values = np.asarray(values)
        if key in infos:
            infos[key][worlds] = values[worlds]
            infos[f"_{key}"] = infos[f"_{key}"] | mask
            continue
        array = values.copy()
        array[rest] = None if values.dtype.hasobject else 0
        infos[key], infos[f"_{key}"] = array, mask.copy()
