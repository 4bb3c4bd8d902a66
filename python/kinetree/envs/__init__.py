"""Vector environments for Gymnasium: many worlds of a task in one process.

::

    envs = kinetree.envs.make_vec("Humanoid", num_envs=1024)
    observations, infos = envs.reset(seed=0)
    observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())

The tasks are Gymnasium's MuJoCo environments, version 5: the same models, observations, rewards, ends of episodes and first states.
`import kinetree.envs` also registers them: `gymnasium.make_vec("kinetree/Humanoid-v5", num_envs=1024)`. An environment of your own is
a subclass of `BatchVectorEnv`.
"""

import difflib

try:
    import gymnasium
except ImportError as missing:
    raise ImportError("kinetree.envs needs Gymnasium: pip install 'gymnasium>=1.1'") from missing

from kinetree.envs.arms import PusherVectorEnv, ReacherVectorEnv
from kinetree.envs.humanoids import HumanoidStandupVectorEnv, HumanoidVectorEnv
from kinetree.envs.pendulums import InvertedDoublePendulumVectorEnv, InvertedPendulumVectorEnv
from kinetree.envs.runners import AntVectorEnv, HalfCheetahVectorEnv, HopperVectorEnv, SwimmerVectorEnv, Walker2dVectorEnv
from kinetree.envs.vector import BatchVectorEnv

_CLASSES = (
    AntVectorEnv, HalfCheetahVectorEnv, HopperVectorEnv, HumanoidStandupVectorEnv, HumanoidVectorEnv,
    InvertedDoublePendulumVectorEnv, InvertedPendulumVectorEnv, PusherVectorEnv, ReacherVectorEnv, SwimmerVectorEnv,
    Walker2dVectorEnv,
)
TASKS = tuple(cls.__name__.removesuffix("VectorEnv") for cls in _CLASSES)
_MAX_EPISODE_STEPS = {"Pusher": 100, "Reacher": 50}

__all__ = ["TASKS", "BatchVectorEnv", "make_vec", *(cls.__name__ for cls in _CLASSES)]


def _register():
    for task, cls in zip(TASKS, _CLASSES):
        name = f"kinetree/{task}-v5"
        if name not in gymnasium.registry:
            gymnasium.register(name, vector_entry_point=f"{cls.__module__}:{cls.__name__}",
                               max_episode_steps=_MAX_EPISODE_STEPS.get(task, 1000))


_register()


def make_vec(task, num_envs=1, **arguments):
    """A vector environment of a task: "Ant", "Humanoid-v5".

    Arguments are those of the task (`forward_reward_weight`, `frame_skip`, `reset_noise_scale`…), and `autoreset_mode`,
    `max_episode_steps` and `nthread` of `BatchVectorEnv`.
    """
    name = task.removeprefix("kinetree/").removesuffix("-v5")
    if name not in TASKS:
        near = difflib.get_close_matches(name, TASKS, 1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise ValueError(f"there is no task '{task}'{hint} There are {', '.join(TASKS)}")
    return gymnasium.make_vec(f"kinetree/{name}-v5", num_envs=num_envs, **arguments)
