"""Tasks of dm_control's suite: their models, from the installed package, and first states.

What is observed and rewarded is Rust (`crates/tasks`); first states are drawn here, from the same generators as in the originals.
"""

import importlib.util
import math
import os

import numpy as np

import kinetree
from kinetree.envs.vector import TaskVectorEnv


def find_model(domain):
    """Path of the model of a domain in the installed package."""
    package = importlib.util.find_spec("dm_control")
    if package is None or package.origin is None:
        raise ImportError(f"the tasks of dm_control need its models: pip install dm_control, or give model='…/{domain}.xml'")
    return os.path.join(os.path.dirname(package.origin), "suite", f"{domain}.xml")


class SuiteVectorEnv(TaskVectorEnv):
    """A task of dm_control's suite. Observations are flat, with the parts of the originals at `observation_columns`.

    Args:
        num_envs: number of worlds.
        task: domain and task, such as "walker-walk".
        model: a model, or the path of one; None for that of dm_control.
        frame_skip: steps of physics in a step; None for that of the domain.
        max_episode_steps: steps after which an episode ends; None for that of the domain.
        arguments: settings of the task (`move_speed`), and the arguments of `BatchVectorEnv`.
    """

    action_dtype = np.float64

    def __init__(self, num_envs=1, *, task, model=None, frame_skip=None, max_episode_steps=None, **arguments):
        self.domain, self.variant = task.split("-")
        model = model or find_model(self.domain)
        model = model if isinstance(model, kinetree.MjModel) else kinetree.MjModel.from_xml_path(os.fspath(model))
        interval, seconds = DOMAINS[self.domain]
        usual = 1 if interval is None else round(interval / model.opt.timestep)
        steps = usual if frame_skip is None else frame_skip
        limit = max_episode_steps or math.ceil(seconds / (model.opt.timestep * steps))
        self._scratch = kinetree.MjData(model)
        super().__init__(task, model, num_envs, frame_skip=steps, max_episode_steps=limit, **arguments)
        if self.domain == "reacher":
            sizes = np.array(model.geom_size)
            sizes[model.geom("target").id, 0] = {"easy": 0.05, "hard": 0.015}[self.variant]
            self.batch.vary("geom_size", np.tile(sizes.ravel(), (num_envs, 1)))
            self._places = np.tile(np.array(model.geom_pos), (num_envs, 1, 1))

    @property
    def observation_columns(self):
        """Parts of an observation: their columns by name."""
        return self.batch.observation_columns

    def generator(self, seed):
        """Random numbers of the kind that the originals use, and the seed.

        Args:
            seed: a number, or None for a random one.
        """
        return np.random.RandomState(seed), -1 if seed is None else seed

    def first_state(self, random):
        """`qpos` and `qvel` of one world at the beginning of an episode, as in the originals.

        Args:
            random: random numbers of the world.
        """
        qpos, qvel = self.init_qpos.copy(), np.zeros(self.model.nv)
        FIRST_STATES[self.domain](self, random, qpos, qvel)
        return qpos, qvel

    def _draw(self, worlds):
        super()._draw(worlds)
        if self.domain == "reacher":
            self._draw_targets(worlds)

    def _draw_targets(self, worlds):
        """The position of the target is a field of the model, drawn after the state."""
        target = self.model.geom("target").id
        for world in worlds:
            random = self._random[world][0]
            angle, radius = random.uniform(0, 2 * np.pi), random.uniform(0.05, 0.20)
            self._places[world, target, :2] = radius * np.sin(angle), radius * np.cos(angle)
        self.batch.vary("geom_pos", self._places[worlds], worlds)

    def has_contacts(self, qpos):
        """Whether there are contacts at a position.

        Args:
            qpos: position, shape (nq,).
        """
        self._scratch.qpos[:] = qpos
        kinetree.mj_forward(self.model, self._scratch)
        return self._scratch.ncon > 0


def _joints(env, random, qpos):
    """Joints anywhere in their limits, hinges without limits at any angle, orientations of free bodies at random."""
    model, kinds = env.model, kinetree.mjtJoint
    for joint in range(model.njnt):
        kind, place = model.jnt_type[joint], model.jnt_qposadr[joint]
        if kind == kinds.mjJNT_FREE:
            # uniform, not normal, numbers: orientations of the originals are in one eighth of all
            quat = random.rand(4)
            qpos[place + 3:place + 7] = quat / np.linalg.norm(quat)
        elif kind == kinds.mjJNT_BALL:
            raise NotImplementedError("first states of ball joints")
        elif model.jnt_limited[joint]:
            qpos[place] = random.uniform(*model.jnt_range[joint])
        elif kind == kinds.mjJNT_HINGE:
            qpos[place] = random.uniform(-np.pi, np.pi)


def _random_joints(env, random, qpos, qvel):
    _joints(env, random, qpos)


def _acrobot(env, random, qpos, qvel):
    qpos[:2] = random.uniform(-np.pi, np.pi, 2)


def _pendulum(env, random, qpos, qvel):
    qpos[0] = random.uniform(-np.pi, np.pi)


def _ball_in_cup(env, random, qpos, qvel):
    x, z = (env.model.joint(name).qposadr[0] for name in ("ball_x", "ball_z"))
    while True:
        qpos[x], qpos[z] = random.uniform(-0.2, 0.2), random.uniform(0.2, 0.5)
        if not env.has_contacts(qpos):
            return


def _cartpole(env, random, qpos, qvel):
    if env.variant.startswith("swingup"):
        qpos[0] = 0.01 * random.randn()
        qpos[1] = np.pi + 0.01 * random.randn()
        qpos[2:] = 0.1 * random.randn(env.model.nv - 2)
    else:
        qpos[0] = random.uniform(-0.1, 0.1)
        qpos[1:] = random.uniform(-0.034, 0.034, env.model.nv - 1)
    qvel[:] = 0.01 * random.randn(env.model.nv)


def _cheetah(env, random, qpos, qvel):
    limited = env.model.jnt_limited == 1
    qpos[limited] = random.uniform(*env.model.jnt_range[limited].T)


def _fish(env, random, qpos, qvel):
    quat = random.randn(4)
    qpos[3:7] = quat / np.linalg.norm(quat)
    for name in ("tail1", "tail_twist", "tail2", "finright_roll", "finright_pitch", "finleft_roll", "finleft_pitch"):
        qpos[env.model.joint(name).qposadr[0]] = random.uniform(-0.2, 0.2)


def _humanoid(env, random, qpos, qvel):
    while True:
        _joints(env, random, qpos)
        if not env.has_contacts(qpos):
            return


# seconds between actions, None for every step of physics; and seconds of an episode
DOMAINS = {
    "acrobot": (None, 10), "ball_in_cup": (0.02, 20), "cartpole": (None, 10), "cheetah": (None, 10), "fish": (0.04, 40),
    "hopper": (0.02, 20), "humanoid": (0.025, 25), "pendulum": (None, 20), "point_mass": (None, 20), "reacher": (None, 20),
    "walker": (0.025, 25),
}
FIRST_STATES = {
    "acrobot": _acrobot, "ball_in_cup": _ball_in_cup, "cartpole": _cartpole, "cheetah": _cheetah, "fish": _fish,
    "hopper": _random_joints, "humanoid": _humanoid, "pendulum": _pendulum, "point_mass": _random_joints, "reacher": _random_joints,
    "walker": _random_joints,
}
TASKS = (
    "acrobot-swingup", "acrobot-swingup_sparse", "ball_in_cup-catch", "cartpole-balance", "cartpole-balance_sparse", "cartpole-swingup",
    "cartpole-swingup_sparse", "cheetah-run", "fish-upright", "hopper-hop", "hopper-stand", "humanoid-run", "humanoid-stand",
    "humanoid-walk", "pendulum-swingup", "point_mass-easy", "reacher-easy", "reacher-hard", "walker-run", "walker-stand", "walker-walk",
)
