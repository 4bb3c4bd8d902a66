"""Vector environments for Gymnasium: many worlds of a task in one process.

::

    envs = kinetree.envs.make_vec("Humanoid", num_envs=1024)
    observations, infos = envs.reset(seed=0)
    observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())

The tasks are Gymnasium's MuJoCo environments, version 5 (`TASKS`), and tasks of dm_control's suite (`SUITE_TASKS`, such as
"walker-walk"): the same models, observations, rewards, ends of episodes and first states. `import kinetree.envs` also registers them:
`gymnasium.make_vec("kinetree/Humanoid-v5", num_envs=1024)`. An environment of your own is a subclass of `BatchVectorEnv`.
`MixedVectorEnv` joins environments of robots of other sizes.
"""

import difflib

try:
    import gymnasium
except ImportError as missing:
    raise ImportError("kinetree.envs needs Gymnasium: pip install 'gymnasium>=1.1'") from missing

from kinetree.envs.gymnasium_tasks import CLASSES, EPISODES
from kinetree.envs.mixed import MixedVectorEnv
from kinetree.envs.suite import TASKS as SUITE_TASKS
from kinetree.envs.suite import SuiteVectorEnv
from kinetree.envs.vector import BatchVectorEnv, TaskVectorEnv

TASKS = tuple(cls.__name__.removesuffix("VectorEnv") for cls in CLASSES)
_NAMES = {task: f"kinetree/{task}-v5" for task in TASKS} | {task: f"kinetree/{task}-v1" for task in SUITE_TASKS}

__all__ = ["SUITE_TASKS", "TASKS", "BatchVectorEnv", "MixedVectorEnv", "SuiteVectorEnv", "TaskVectorEnv", "make_vec"]


def _register():
    for task, cls in zip(TASKS, CLASSES):
        if _NAMES[task] not in gymnasium.registry:
            gymnasium.register(_NAMES[task], vector_entry_point=f"{cls.__module__}:{cls.__name__}",
                               max_episode_steps=EPISODES.get(task, 1000))
    for task in SUITE_TASKS:
        if _NAMES[task] not in gymnasium.registry:
            gymnasium.register(_NAMES[task], vector_entry_point="kinetree.envs.suite:SuiteVectorEnv", max_episode_steps=1000,
                               kwargs={"task": task})


_register()


def make_vec(task, num_envs=1, **arguments):
    """A vector environment of a known task, such as "Ant", "Humanoid-v5" or "walker-walk".

    Args:
        task: name of the task.
        num_envs: number of worlds.
        arguments: those of the task (`forward_reward_weight`, `frame_skip`, `reset_noise_scale`…), and `autoreset_mode`,
            `max_episode_steps`, `nthread`, `device` and `adapter` of `BatchVectorEnv`; with `device="gpu"` physics run on a GPU.

    Raises:
        ValueError: there is no such task; the message lists the available ones.

    Example::

        envs = kinetree.envs.make_vec("Humanoid-v5", 1024)
        observations, infos = envs.reset(seed=0)
    """
    name = task.removeprefix("kinetree/").removesuffix("-v5").removesuffix("-v1")
    if name not in _NAMES:
        near = difflib.get_close_matches(name, _NAMES, 1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise ValueError(f"there is no task '{task}'{hint} There are {', '.join(_NAMES)}")
    return gymnasium.make_vec(_NAMES[name], num_envs=num_envs, **arguments)
