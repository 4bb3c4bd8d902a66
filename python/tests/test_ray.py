"""Worlds on Ray workers: the results of one process, and what happens when a worker dies."""

import numpy as np
import pytest

ray = pytest.importorskip("ray", reason="ray is not installed: pip install ray")
pytest.importorskip("gymnasium", minversion="1.1", reason="vector environments need gymnasium")

from kinetree import envs  # noqa: E402
from kinetree.envs.ray import RayVectorEnv  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def test_a_worker_that_dies_loses_nothing_but_its_steps():
    worlds, lost = 6, slice(3, 6)
    shared = RayVectorEnv("Walker2d", worlds, num_workers=2)
    alone = envs.make_vec("Walker2d", num_envs=worlds)
    observations, infos = shared.reset(seed=4)
    expected, told = alone.reset(seed=4)
    assert np.array_equal(observations, expected) and infos.keys() == told.keys()
    alone.action_space.seed(1)

    def step(rows):
        """Both make the same step; these rows are the same."""
        actions = alone.action_space.sample()
        mine, theirs = shared.step(actions), alone.step(actions)
        for one, other in zip(mine[:4], theirs[:4]):
            assert np.array_equal(one[rows], other[rows])
        for key, values in theirs[4].items():
            assert np.array_equal(mine[4][key][rows], values[rows]), key
        return mine

    ended = sum(int(step(slice(None))[2].sum()) for _ in range(60))
    assert ended > 0 and shared.throughput > 0
    ray.kill(shared.workers[1])
    # until that has happened the worker goes on
    for _ in range(1000):
        *_, terminated, truncated, infos = step(slice(0, 3))
        if "restarted" in infos:
            break
    assert truncated[lost].all() and not terminated[lost].any()
    assert infos["restarted"].tolist() == [False] * 3 + [True] * 3 and shared.restarts == 1
    # new episodes begin in the next step, and go on from there
    observations, rewards, terminated, truncated, infos = step(slice(0, 3))
    assert not rewards[lost].any() and not truncated[lost].any() and "restarted" not in infos
    first, _ = envs.make_vec("Walker2d", num_envs=3).reset(seed=[4 + world + worlds for world in range(3, 6)])
    assert np.array_equal(observations[lost], first)
    for _ in range(20):
        step(slice(0, 3))
    shared.close()


def test_observations_of_shards_are_views_of_the_object_store():
    shared = RayVectorEnv("Humanoid", 128, num_workers=2)
    shared.reset(seed=0)
    parts = shared.step_shards(np.zeros(shared.action_space.shape, dtype=np.float32))
    assert [part[0].shape[0] for part in parts] == [64, 64]
    assert not any(part[0].flags.owndata or part[0].flags.writeable for part in parts)
    shared.close()


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="at most the 4 worlds"):
        RayVectorEnv("Ant", 4, num_workers=5)
    with pytest.raises(ValueError, match="NextStep"):
        RayVectorEnv("Ant", 4, autoreset_mode="SameStep")
    shared = RayVectorEnv("Ant", 2)
    with pytest.raises(ValueError, match=r"shape \(2, 8\)"):
        shared.step(np.zeros(8))
    with pytest.raises(ValueError, match="options"):
        shared.reset(options={"reset_mask": np.ones(2, dtype=bool)})
    with pytest.raises(ValueError, match="seed for each"):
        shared.reset(seed=[1])
    shared.close()
