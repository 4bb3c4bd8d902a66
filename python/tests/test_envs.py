"""Vector environments: Gymnasium's rules, agreement with the originals, and mistakes."""

import importlib.util
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
gymnasium = pytest.importorskip("gymnasium", minversion="1.1", reason="vector environments need gymnasium")

from gymnasium.utils.env_checker import data_equivalence  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402
from kinetree import envs  # noqa: E402

from conformance import environments_vec  # noqa: E402


def all_tasks():
    """Tasks of Gymnasium, and those of dm_control where its models are installed."""
    reason = "the models of these tasks come with dm_control"
    missing = pytest.mark.skipif(importlib.util.find_spec("dm_control") is None, reason=reason)
    return [*envs.TASKS, *(pytest.param(task, marks=missing) for task in envs.SUITE_TASKS)]


def test_all_tasks_are_registered():
    assert len(envs.TASKS) == 11 and len(envs.SUITE_TASKS) == 21
    assert {f"kinetree/{task}-v1" for task in envs.SUITE_TASKS} <= set(gymnasium.registry)
    for task in envs.TASKS:
        made = gymnasium.make_vec(f"kinetree/{task}-v5", num_envs=2)
        assert made.spec.id == f"kinetree/{task}-v5" and made.max_episode_steps == made.spec.max_episode_steps
        made.close()


@pytest.mark.parametrize("task", all_tasks())
def test_gymnasiums_rules(task):
    """Spaces, types and shapes of everything that is returned, and equal results for equal seeds."""
    def run():
        made = envs.make_vec(task, num_envs=3, max_episode_steps=6)
        made.action_space.seed(1)
        records = [made.reset(seed=1)]
        assert made.observation_space.contains(records[0][0]) and made.single_observation_space.contains(records[0][0][0])
        for _ in range(15):
            observations, rewards, terminated, truncated, infos = record = made.step(made.action_space.sample())
            assert made.observation_space.contains(observations)
            assert rewards.shape == (3,) and rewards.dtype == np.float64
            assert terminated.dtype == bool and truncated.dtype == bool and terminated.shape == truncated.shape == (3,)
            for key, value in infos.items():
                assert key.startswith("_") or (len(value) == 3 and infos[f"_{key}"].dtype == bool)
            records.append(record)
        return records

    assert data_equivalence(run(), run(), exact=True)


def test_next_step_resets_where_an_episode_has_ended():
    made = envs.make_vec("HalfCheetah", num_envs=2, max_episode_steps=3)
    assert made.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    made.reset(seed=[5, None])
    action = np.zeros(made.action_space.shape, dtype=np.float32)
    flags = [made.step(action)[3].tolist() for _ in range(8)]
    assert flags == [[end, end] for end in (False, False, True, False, False, False, True, False)]
    assert made.np_random_seed[0] == 5 and made.np_random_seed[1] != 5


def test_same_step_keeps_the_last_observation():
    made = envs.make_vec("HalfCheetah", num_envs=2, max_episode_steps=2, autoreset_mode=AutoresetMode.SAME_STEP)
    made.reset(seed=0)
    made.reset(seed=1, options={"reset_mask": np.array([False, True])})
    action = np.ones(made.action_space.shape, dtype=np.float32)
    made.step(action)
    after, _, _, truncated, infos = made.step(action)
    assert truncated.all() and infos["_final_obs"].all() and infos["_final_info"].all()
    # the last observation is that of the same run without a limit, and the new one that of a reset
    other = envs.make_vec("HalfCheetah", num_envs=2, max_episode_steps=None)
    other.reset(seed=[0, 2])
    other.step(action)
    last, *_ = other.step(action)
    first, _ = other.reset()
    for world in range(2):
        assert np.array_equal(infos["final_obs"][world], last[world]) and np.array_equal(after[world], first[world])
    assert (infos["final_info"]["x_velocity"] != 0).all() and "x_velocity" not in infos and infos["_x_position"].all()


def test_without_autoreset_ended_worlds_must_be_reset():
    made = envs.make_vec("HalfCheetah", num_envs=2, max_episode_steps=1, autoreset_mode="Disabled")
    made.reset(seed=0)
    action = np.zeros(made.action_space.shape, dtype=np.float32)
    ended = made.step(action)[3]
    with pytest.raises(ValueError, match="reset_mask"):
        made.step(action)
    made.reset(options={"reset_mask": ended})
    made.step(action)


def test_a_world_that_fails_ends_its_episode():
    made = envs.make_vec("Swimmer", num_envs=3)
    made.reset(seed=0)
    made.batch.qvel[1] = 1e200
    action = np.zeros(made.action_space.shape, dtype=np.float32)
    observations, rewards, terminated, _, infos = made.step(action)
    assert terminated.tolist() == [False, True, False] and rewards[1] == 0.0
    assert np.isfinite(observations).all() and np.isfinite(rewards).all()
    assert infos["error"][1] and infos["error"][0] is None
    _, _, terminated, _, infos = made.step(action)
    assert not terminated.any() and "error" not in infos


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("task", ["Ant", "Hopper", "HalfCheetah"])
def test_a_subclass_has_a_say_in_what_a_task_of_the_extension_tells(task, mode):
    original = type(envs.make_vec(task))

    class Shaped(original):
        def evaluate(self, actions, before):
            rewards, terminated, info = super().evaluate(actions, before)
            return rewards + 1.0, terminated, info

    def run(cls, together):
        made = cls(6, max_episode_steps=9, autoreset_mode=mode, **({} if task == "HalfCheetah" else {"terminate_when_unhealthy": False}))
        made.action_space.seed(1)
        made.reset(seed=1)
        made.step(made.action_space.sample())
        if not together:
            # episodes of half of the worlds end at other times
            made.reset(options={"reset_mask": np.arange(6) % 2 == 0})
        for step in range(40):
            if step == 12 and not together:
                made.batch.qvel[4] = 1e200
            yield made.step(made.action_space.sample())

    for together in (True, False):
        kinds, failed = set(), False
        for (observations, rewards, *ends, infos), (others, shaped, *other_ends, other_infos) in zip(
                run(original, together), run(Shaped, together)):
            assert np.array_equal(observations, others) and data_equivalence(ends, other_ends)
            assert infos.keys() == other_infos.keys() and data_equivalence(infos, other_infos)
            # begun or failed
            begun = shaped == 0.0
            kinds.add((begun.any(), begun.all()))
            failed |= "error" in infos
            assert np.array_equal(np.where(begun, 0.0, rewards + 1.0), shaped)
        assert failed != together
        assert kinds == ({(False, False)} if together and mode == "SameStep" else {(False, False), (True, together)})


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_subclass_has_a_say_in_infos_of_first_states(mode):
    class Told(type(envs.make_vec("Hopper"))):
        def reset_info(self):
            return {"height": self.batch.qpos[:, 1].copy()}

    made = Told(3, max_episode_steps=2, autoreset_mode=mode)
    _, infos = made.reset(seed=0)
    assert np.array_equal(infos["height"], made.batch.qpos[:, 1]) and infos["_height"].all()
    action = np.zeros(made.action_space.shape, dtype=np.float32)
    told = ["height" in made.step(action)[4] for _ in range(4)]
    assert told == ([False, False, True, False] if mode == "NextStep" else [False, True, False, True])


@pytest.mark.parametrize("call, message", [
    (lambda: envs.make_vec("Humanoit", num_envs=2), "did you mean 'Humanoid'"),
    (lambda: envs.make_vec("Ant", num_envs=0), "at least 1"),
    (lambda: envs.make_vec("Ant", render_mode="human"), "render_mode"),
    (lambda: envs.make_vec("Ant", ctrl_cost=1.0), "no setting 'ctrl_cost'; it has forward_reward_weight, ctrl_cost_weight"),
    (lambda: envs.make_vec("Ant", healthy_z_range=1.0), "'healthy_z_range' must be two numbers"),
    (lambda: envs.make_vec("Reacher", xml_file="ant.xml"), "the task needs a body 'fingertip'"),
    (lambda: envs.make_vec("Humanoid", xml_file="reacher.xml"), "the task fails with the first state of the model"),
    (lambda: envs.make_vec("Ant", num_envs=2).step(np.zeros(8)), r"shape \(2, 8\)"),
    (lambda: envs.make_vec("Ant", num_envs=2).step(np.full((2, 8), np.nan)), "action 0 of world 0 is nan"),
    (lambda: envs.make_vec("Ant", num_envs=2).reset(seed=[1]), "seed for each of 2"),
    (lambda: envs.make_vec("Ant", num_envs=2).reset(options={"reset_mask": [1, 0]}), "booleans"),
    (lambda: envs.make_vec("Ant", num_envs=2).reset(options={"reset_mask": [True]}), r"shape \(2,\)"),
    (lambda: envs.make_vec("Ant", num_envs=2).step("forward"), "array of numbers"),
])
def test_mistakes_are_named(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("task", all_tasks())
def test_agreement_with_the_originals(task, mode):
    """Observations, rewards, ends of episodes and infos of the first steps, on the reference engine."""
    pytest.importorskip("mujoco", reason="the originals need the reference engine")
    theirs = environments_vec.play(environments_vec.original(task, 2, mode), 3, 25)
    mine = environments_vec.play(environments_vec.batch(task, 2, mode), 3, 25)
    assert environments_vec.compare(mine, theirs, 26)[0] <= environments_vec.TOLERANCE


def test_an_environment_of_ones_own():
    """Swings a pole up, in a dozen lines."""
    import kinetree

    class Swing(envs.BatchVectorEnv):
        outputs = ("site_xpos",)

        def first_state(self, random):
            return random.uniform(-1, 1, 1), np.zeros(1)

        def observe(self, worlds):
            return np.concatenate((np.cos(self.batch.qpos[worlds]), np.sin(self.batch.qpos[worlds]), self.batch.qvel[worlds]), axis=1)

        def evaluate(self, actions, before):
            height = self.batch.site_xpos[:, 0, 2]
            return height, np.abs(self.batch.qvel[:, 0]) > 20, {"height": height.copy()}

    model = kinetree.MjModel.from_xml_string("""<mujoco><worldbody><body>
      <joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".02"/><site pos="0 0 -.5"/>
    </body></worldbody><actuator><motor joint="hinge" ctrlrange="-1 1"/></actuator></mujoco>""")
    made = Swing(model, 16, frame_skip=4, max_episode_steps=200)
    observations, _ = made.reset(seed=0)
    assert observations.shape == (16, 3) and made.single_action_space.shape == (1,)
    _, rewards, _, _, infos = made.step(made.action_space.sample())
    assert (rewards == infos["height"]).all() and (rewards < 0).all()


@pytest.mark.parametrize("task, settings", [
    ("Ant", {"include_cfrc_ext_in_observation": False, "main_body": "torso", "contact_cost_weight": 0.1, "terminate_when_unhealthy": False}),
    ("Humanoid", {"include_cinert_in_observation": False, "exclude_current_positions_from_observation": False, "healthy_reward": 1.0}),
    ("Hopper", {"healthy_angle_range": (-0.05, 0.05), "reset_noise_scale": 0.02, "frame_skip": 2}),
    ("Swimmer", {"forward_reward_weight": 3.0, "exclude_current_positions_from_observation": False}),
])
def test_settings_do_what_they_do_in_the_originals(task, settings):
    pytest.importorskip("mujoco", reason="the originals need the reference engine")
    theirs = gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make(f"{task}-v5", **settings)] * 2)
    mine = envs.make_vec(task, num_envs=2, **settings)
    records = [environments_vec.play(played, 5, 12) for played in (mine, theirs)]
    assert environments_vec.compare(*records, 13)[0] <= environments_vec.TOLERANCE


def test_a_task_as_dm_env():
    """Parts of observations, steps and ends of episodes, as of the original."""
    pytest.importorskip("dm_control", reason="the models of these tasks come with dm_control")
    from dm_control import suite
    from kinetree.envs import dm

    mine, theirs = dm.load("walker", "walk", seed=3, max_episode_steps=5), suite.load("walker", "walk", task_kwargs={"random": 3})
    assert list(mine.observation_spec()) == list(theirs.observation_spec())
    assert np.array_equal(mine.action_spec().maximum, theirs.action_spec().maximum)
    step, other = mine.reset(), theirs.reset()
    assert step.first() and step.reward is None
    for _ in range(5):
        action = np.full(mine.action_spec().shape, 0.3)
        step, other = mine.step(action), theirs.step(action)
        for name, values in other.observation.items():
            assert np.allclose(step.observation[name], values, rtol=0, atol=1e-9), name
        assert abs(step.reward - other.reward) < 1e-9
    assert step.last() and step.discount == 1.0 and mine.step(action).first()


def on_gpu(task, **arguments):
    """An environment on a GPU, or a skipped test where there is none, not even a software driver."""
    try:
        return envs.make_vec(task, device="gpu", **arguments)
    except RuntimeError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("task, mode", [("HalfCheetah", "NextStep"), ("Hopper", "SameStep"), ("Ant", "NextStep"),
                                        ("InvertedDoublePendulum", "SameStep")])
def test_a_gpu_makes_the_same_steps(task, mode):
    """Observations, rewards, ends of episodes and infos: tasks that read states, and tasks that read forces and poses."""
    settings = {"num_envs": 2, "max_episode_steps": 5, "autoreset_mode": mode}
    gpu, cpu = on_gpu(task, **settings), envs.make_vec(task, **settings)
    assert gpu.observation_space == cpu.observation_space and gpu.action_space == cpu.action_space
    first = [made.reset(seed=1) for made in (gpu, cpu)]
    assert data_equivalence(*first, exact=True)
    cpu.action_space.seed(2)
    ends = 0
    for _ in range(8):
        actions = 0.3 * cpu.action_space.sample()
        (mine, rewards, *flags, infos), (theirs, wanted, *wanted_flags, wanted_infos) = gpu.step(actions), cpu.step(actions)
        np.testing.assert_allclose(mine, theirs, rtol=2e-3, atol=2e-3)
        np.testing.assert_allclose(rewards, wanted, rtol=2e-3, atol=2e-3)
        assert np.array_equal(flags, wanted_flags) and infos.keys() == wanted_infos.keys()
        ends += np.sum(flags)
    assert ends >= 2


def test_a_gpu_refuses_what_it_does_not_simulate(tmp_path):
    on_gpu("HalfCheetah").close()
    assets = pathlib.Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
    xml = (assets / "half_cheetah.xml").read_text().replace("<worldbody>", '<option><flag autoreset="disable"/></option><worldbody>')
    (tmp_path / "cheetah.xml").write_text(xml)
    with pytest.raises(ValueError, match="unsupported: the GPU does not simulate the flag that disables autoreset; use a batch on threads"):
        envs.make_vec("HalfCheetah", num_envs=2, xml_file=str(tmp_path / "cheetah.xml"), device="gpu")


class Counting(envs.BatchVectorEnv):
    """A task that may return the wrong number of rows."""

    rows = ends = None
    first = 0.0

    def observe(self, worlds):
        return np.array(self.batch.qpos[worlds])[: self.rows]

    def evaluate(self, actions, before):
        rewards = np.zeros(self.num_envs)
        return rewards[: self.ends], np.zeros(self.num_envs, bool), {}

    def first_state(self, random):
        return self.init_qpos + self.first, self.init_qvel


def test_wrong_numbers_of_rows(model):
    env = Counting(model, 4)
    env.reset(seed=0)
    actions = np.zeros((4, model.nu), np.float32)
    env.step(actions)
    env.rows = 3
    with pytest.raises(ValueError, match="Counting.observe must return a row for each of 4 worlds"):
        env.step(actions)
    env.rows, env.ends = None, 2
    with pytest.raises(ValueError, match="Counting.evaluate must return rewards"):
        env.step(actions)
    env.ends, env.first = None, np.inf
    with pytest.raises(ValueError, match="first_state"):
        env.reset(seed=0)
    assert np.isfinite(env.batch.qpos).all()
    for count in (0, -1):
        with pytest.raises(ValueError, match="frame_skip"):
            Counting(model, 4, frame_skip=count)
        with pytest.raises(ValueError, match="frame_skip"):
            envs.make_vec("Hopper-v5", 2, frame_skip=count)
