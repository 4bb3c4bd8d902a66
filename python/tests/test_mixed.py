"""Worlds of several models in one batch, and environments of several robots in one."""

import kinetree as kt
import numpy as np
import pytest
from kinetree.batch import BatchSim
from kinetree.mixed import MixedBatch

POLE = """<mujoco><option timestep="0.01"/><worldbody>
  <body pos="0 0 1"><joint name="swing" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".02"/></body></worldbody>
  <actuator><motor joint="swing"/></actuator><sensor><jointpos joint="swing"/></sensor></mujoco>"""
ARM = """<mujoco><option timestep="0.005"/><default><joint damping=".2"/></default><worldbody>
  <body pos="0 0 1"><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".02"/>
    <body pos=".5 0 0"><joint name="b" type="ball"/><geom size=".05" pos=".2 0 0"/>
      <body pos=".2 0 0"><joint name="c" axis="1 0 0"/><geom size=".05" pos="0 .1 0"/></body></body></body></worldbody>
  <actuator><motor joint="a"/><motor joint="c"/></actuator>
  <sensor><jointpos joint="a"/><ballquat joint="b"/></sensor></mujoco>"""


@pytest.fixture(scope="module")
def pole():
    return kt.MjModel.from_xml_string(POLE)


@pytest.fixture(scope="module")
def arm():
    return kt.MjModel.from_xml_string(ARM)


def test_worlds_of_each_model_step_as_in_a_batch_of_their_own(pole, arm):
    mixed = MixedBatch([pole, arm], [5, 3], frame_skip=[1, 2], seed=4, reset_noise=0.1, time_limit=20)
    alone = [BatchSim(pole, 5, seed=4, reset_noise=0.1, time_limit=20), BatchSim(arm, 3, frame_skip=2, time_limit=20)]
    assert (mixed.num_worlds, mixed.model_of.tolist()) == (8, [0] * 5 + [1] * 3)
    np.testing.assert_array_equal(mixed.parts[0].qpos, alone[0].qpos)
    alone[1].qpos, alone[1].qvel = mixed.parts[1].qpos, mixed.parts[1].qvel
    controls = np.random.default_rng(0).uniform(-0.3, 0.3, (8, 2))
    mixed.ctrl = controls
    for _ in range(20):
        mixed.step()
    for part, rows, other in zip(mixed.parts, mixed.slices, alone):
        other.ctrl = controls[rows, :other.model.nu]
        other.step(20)
        for name in ("qpos", "qvel", "sensordata"):
            np.testing.assert_array_equal(getattr(part, name), getattr(other, name))
            width = getattr(part, name).shape[1]
            np.testing.assert_array_equal(getattr(mixed, name)[rows, :width], getattr(other, name))
            assert not getattr(mixed, name)[rows, width:].any()
            np.testing.assert_array_equal(mixed.mask(name)[rows], np.arange(mixed.mask(name).shape[1]) < np.full((len(part.qpos), 1), width))
    assert mixed.truncated.all() and not mixed.terminated.any() and mixed.errors == [None] * 8
    mixed.reset(np.arange(8) == 6)
    assert mixed.parts[1].qpos[1, 0] != alone[1].qpos[1, 0] and mixed.parts[1].qpos[0, 0] == alone[1].qpos[0, 0]


def test_the_same_model_twice_has_other_random_numbers(pole):
    mixed = MixedBatch([pole, pole], 2, seed=1, reset_noise=0.1)
    assert len(np.unique(mixed.qpos)) == 4
    before = mixed.qpos
    mixed.seed(1)
    mixed.reset()
    np.testing.assert_array_equal(mixed.qpos, before)


def test_each_model_has_a_task_of_its_own():
    pytest.importorskip("gymnasium", minversion="1.1")
    from kinetree.envs.vector import find_model

    names = {"Ant": "ant.xml", "HalfCheetah": "half_cheetah.xml"}
    models = [kt.MjModel.from_xml_path(find_model(file)) for file in names.values()]
    mixed = MixedBatch(models, [2, 3], tasks=[("Ant", {"ctrl_cost_weight": 0.1}), ("HalfCheetah", {})], frame_skip=5)
    mixed.ctrl = 0.3
    mixed.step()
    alone = [BatchSim(models[0], 2, task=("Ant", {"ctrl_cost_weight": 0.1}), frame_skip=5),
             BatchSim(models[1], 3, task=("HalfCheetah", {}), frame_skip=5)]
    for batch in alone:
        batch.ctrl = 0.3
        batch.step()
    np.testing.assert_array_equal(mixed.rewards, np.concatenate([batch.rewards for batch in alone]))
    for rows, batch in zip(mixed.slices, alone):
        width = batch.observations.shape[1]
        np.testing.assert_array_equal(mixed.observations[rows, :width], batch.observations)
    assert mixed.mask("observations").sum(axis=1).tolist() == [105] * 2 + [17] * 3


@pytest.mark.parametrize(("call", "kind", "message"), [
    (lambda pole, arm: MixedBatch([], 2), TypeError, "models must be a list"),
    (lambda pole, arm: MixedBatch(["arm.xml"], 2), TypeError, "it has 'arm.xml'"),
    (lambda pole, arm: MixedBatch([pole, arm], [2]), ValueError, "worlds must be one for all models or a list of 2"),
    (lambda pole, arm: MixedBatch([pole, arm], 2, tasks=[None]), ValueError, "tasks must be one for all models or a list of 2"),
    (lambda pole, arm: setattr(MixedBatch([pole, arm], 2), "ctrl", np.zeros((3, 2))), ValueError, r"ctrl has shape \(4, 2\).*\(3, 2\) does not fit"),
    (lambda pole, arm: MixedBatch([pole, arm], 2).mask("xpos"), ValueError, "no padded table 'xpos'"),
    (lambda pole, arm: MixedBatch([pole, arm], 2).vary, AttributeError, r"each model's is `parts\[i\].vary`"),
    (lambda pole, arm: MixedBatch([pole, arm], 2).reset(np.ones(3, bool)), ValueError, "4 booleans"),
    (lambda pole, arm: MixedBatch([pole, arm], 2).step(0), ValueError, "nstep must be at least 1"),
])
def test_mistakes_are_named(pole, arm, call, kind, message):
    with pytest.raises(kind, match=message):
        call(pole, arm)


def test_a_control_that_is_no_number_steps_no_model(pole, arm):
    mixed = MixedBatch([pole, arm], 2)
    mixed.parts[1].ctrl[1, 0] = np.nan
    before = mixed.qpos
    with pytest.raises(ValueError, match="control 0 of world 3 is nan"):
        mixed.step()
    np.testing.assert_array_equal(mixed.qpos, before)
    with pytest.raises(ValueError, match="read-only"):
        mixed.qpos[0, 0] = 1.0


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_environments_of_several_robots_are_one(mode):
    pytest.importorskip("gymnasium", minversion="1.1")
    from kinetree import envs

    def make():
        settings = {"autoreset_mode": mode, "max_episode_steps": 4}
        return [envs.make_vec("HalfCheetah", 2, **settings), envs.make_vec("Ant", 3, **settings), envs.make_vec("InvertedPendulum", 2, **settings)]

    mixed, alone = envs.MixedVectorEnv(make()), make()
    mixed.action_space.seed(0)
    observations, infos = mixed.reset(seed=3)
    own = [env.reset(seed=[3 + world for world in range(7)][rows]) for env, rows in zip(alone, mixed._slices)]
    for _ in range(6):
        for rows, (observed, told) in zip(mixed._slices, own):
            width = observed.shape[1]
            np.testing.assert_array_equal(observations[rows, :width], observed)
            assert not observations[rows, width:].any() and mixed.observation_mask[rows, :width].all()
            for key, value in told.items():
                if key.startswith("_"):
                    np.testing.assert_array_equal(infos[key][rows], value)
        actions = mixed.action_space.sample()
        observations, rewards, terminated, truncated, infos = mixed.step(actions)
        own = []
        for rows, env in zip(mixed._slices, alone):
            observed, reward, end, cut, told = env.step(actions[rows, :env.single_action_space.shape[0]])
            np.testing.assert_array_equal(rewards[rows], reward)
            np.testing.assert_array_equal(terminated[rows], end)
            np.testing.assert_array_equal(truncated[rows], cut)
            own.append((observed, told))
        ended = terminated | truncated
        if mode == "SameStep" and ended.any():
            for world in np.flatnonzero(ended):
                assert infos["final_obs"][world].shape == mixed.single_observation_space.shape
        if mode == "Disabled" and ended.any():
            mask = np.arange(7) == np.flatnonzero(ended)[0]
            others = mixed._slices[1:] if mask[0] else mixed._slices[:1]
            before = observations.copy()
            observations, infos = mixed.reset(seed=5, options={"reset_mask": mask})
            for rows in others:
                np.testing.assert_array_equal(observations[rows], before[rows])
            break
    mixed.close()


def test_environments_that_do_not_fit_are_refused():
    pytest.importorskip("gymnasium", minversion="1.1")
    from kinetree import envs

    with pytest.raises(ValueError, match="different values of autoreset_mode"):
        envs.MixedVectorEnv([envs.make_vec("Ant", 1), envs.make_vec("Hopper", 1, autoreset_mode="SameStep")])
    with pytest.raises(TypeError, match="must be vector environments of kinetree.envs"):
        envs.MixedVectorEnv([])
    mixed = envs.MixedVectorEnv([envs.make_vec("Ant", 1), envs.make_vec("Hopper", 1)])
    mixed.reset(seed=0)
    with pytest.raises(ValueError, match=r"must have shape \(2, 8\)"):
        mixed.step(np.zeros((2, 3)))
    actions = np.zeros((2, 8))
    actions[1, 5] = np.nan    # the hopper has three actuators
    mixed.step(actions)
    actions[1, 2] = np.nan
    with pytest.raises(ValueError, match="action 2 of world 1 is nan"):
        mixed.step(actions)
