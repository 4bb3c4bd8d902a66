"""Models that differ from world to world, terrain, and pictures of worlds."""

import kinetree
import numpy as np
import pytest
from kinetree.batch import BatchSim

pytest.importorskip("gymnasium")
from kinetree.envs import BatchVectorEnv  # noqa: E402
from kinetree.envs.terrain import KINDS, Curriculum, Terrain  # noqa: E402
from kinetree.envs.vector import find_model  # noqa: E402

XML = """
<mujoco>
  <option timestep="0.005"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="cart" pos="0 0 1"><joint name="slide" type="slide" axis="1 0 0"/><geom type="box" size=".2 .1 .05" mass="1"/>
      <body name="pole"><joint name="hinge" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 0 0 .6" size=".03" mass=".2"/></body></body>
  </worldbody>
  <actuator><motor joint="slide" gear="20" ctrlrange="-1 1"/></actuator>
</mujoco>
"""


@pytest.fixture
def model():
    return kinetree.MjModel.from_xml_string(XML)


def single(model, steps, **fields):
    """The state of one world with other fields, after some steps."""
    other = kinetree.MjModel.from_xml_string(XML)
    for name, value in fields.items():
        if name in ("gravity", "timestep"):
            setattr(other.opt, name, value)
        else:
            getattr(other, name)[:] = value
    data = kinetree.MjData(other)
    if "body_mass" in fields:
        kinetree.mj_setConst(other, data)
    data.qpos[1], data.ctrl[0] = 0.3, 0.5
    kinetree.mj_step(other, data, nstep=steps)
    return np.concatenate((data.qpos, data.qvel))


def stepped(batch, steps):
    batch.reset()
    batch.qpos[:, 1], batch.ctrl = 0.3, 0.5
    batch.step(steps)
    return np.concatenate((batch.qpos, batch.qvel), axis=1)


def test_some_worlds_vary_and_what_follows_from_that(model):
    batch = BatchSim(model, 5)
    masses = np.array([[0, 2, 0.5], [0, 0.7, 0.1]])
    batch.vary("body_mass", masses, [1, 3], recompute=True)
    batch.vary("gravity", [[0, 0, -3.0]], worlds=[2])
    batch.vary("timestep", [[0.002], [0.004]], worlds=np.array([False, False, False, True, True]))
    found = stepped(batch, 50)
    expected = [single(model, 50), single(model, 50, body_mass=masses[0]), single(model, 50, gravity=[0, 0, -3]),
                single(model, 50, body_mass=masses[1], timestep=0.002), single(model, 50, timestep=0.004)]
    np.testing.assert_array_equal(found, expected)
    # again for one of them: the others keep theirs
    batch.vary("body_mass", masses[:1], [0], recompute=True)
    np.testing.assert_array_equal(stepped(batch, 50)[1:], expected[1:])
    batch.end_variations()
    np.testing.assert_array_equal(stepped(batch, 50), [expected[0]] * 5)


def test_what_cannot_be_is_refused(model):
    batch = BatchSim(model, 3)
    for call, told in (
        (lambda: batch.vary("body_mass", [[0, -1, 1]], [2]), r"body_mass\[1\] of world 2 is -1.0, which cannot be negative"),
        (lambda: batch.vary("timestep", [[0.0]], [1]), "timestep of world 1 is 0 .* nor zero"),
        (lambda: batch.vary("body_mass", [[0, 1, 1]], [3]), "no world 3"),
        (lambda: batch.vary("body_mass", [[0, 1, 1]], [True, False]), "3 booleans"),
        (lambda: batch.vary("body_mass", [[0, 1, 1]]), "each of 3 worlds"),
        (lambda: batch.vary("gravity", [[0, 0, np.nan]] * 3), "not a finite number"),
    ):
        with pytest.raises(ValueError, match=told):
            call()
    np.testing.assert_array_equal(stepped(batch, 10), [single(model, 10)] * 3)


class Balance(BatchVectorEnv):
    def observe(self, worlds):
        return np.concatenate((self.batch.qpos[worlds], self.batch.qvel[worlds]), axis=1)

    def evaluate(self, actions, before):
        return np.ones(self.num_envs), np.abs(self.batch.qpos[:, 1]) > 0.5, {}


def test_worlds_that_begin_get_models_of_their_own(model):
    class Randomized(Balance):
        def randomize(self, worlds, generators):
            assert len(worlds) == len(generators)
            masses = np.tile(self.model.body_mass, (len(worlds), 1))
            masses[:, 2] *= [random.uniform(0.5, 2) for random in generators]
            self.calls.append((list(worlds), masses[:, 2].tolist()))
            self.batch.vary("body_mass", masses, worlds, recompute=True)

    runs = []
    for _ in range(2):
        envs = Randomized(model, 6)
        envs.calls = []
        envs.reset(seed=3)
        for _step in range(150):
            observations, *_ = envs.step(np.ones((6, 1), np.float32))
        runs.append((envs.calls, observations))
    (calls, observations), again = runs
    assert calls == again[0] and np.array_equal(observations, again[1])
    assert calls[0][0] == list(range(6)) and len(set(calls[0][1])) == 6 and len(calls) > 1


def test_a_task_says_what_is_missing(model):
    with pytest.raises(NotImplementedError, match=r"BatchVectorEnv does not say what it observes: define `observe\(self, worlds\)`"):
        BatchVectorEnv(model, 2)


def test_models_are_found_where_one_works(tmp_path, monkeypatch):
    (tmp_path / "ant.xml").write_text(XML)
    monkeypatch.chdir(tmp_path)
    assert find_model("ant.xml") == "ant.xml" and find_model("hopper.xml").endswith("assets/hopper.xml")
    assert Balance("ant.xml", 2).model.nq == 2
    with pytest.raises(FileNotFoundError, match="neither in"):
        find_model("nowhere.xml")


def test_pictures_follow_what_moves(model):
    envs = Balance(model, 2, render_mode="rgb_array", width=64, height=48)
    envs.reset(seed=0)
    try:
        first = envs.render()
    except kinetree.FatalError as problem:
        pytest.skip(str(problem))
    assert len(first) == 2 and first[0].shape == (48, 64, 3) and first[0].dtype == np.uint8 and first[0].std() > 1
    assert envs.render_mode == "rgb_array" and envs.metadata["render_modes"] == ["rgb_array"]
    # a camera that follows shows the cart at the same place when it has moved
    envs.batch.qpos[0, 0] = 2.0
    envs.batch.begin()
    moved = envs.render()
    assert np.abs(moved[0].astype(int) - moved[1]).mean() < 12
    envs.close()
    with pytest.raises(ValueError, match="render_mode"):
        Balance(model, 2, render_mode="human")


@pytest.mark.parametrize("kind", KINDS)
def test_terrain_gets_harder_and_is_flat_where_one_begins(kind):
    terrain = Terrain(kinds=(kind,), levels=4, size=6.0)
    tiles = np.split(terrain.heights, 4)
    rough = [np.abs(np.diff(tile, axis=0)).sum() for tile in tiles]
    assert rough == sorted(rough) and rough[0] > 0
    for level, tile in enumerate(tiles):
        assert np.ptp(tile[27:33, 27:33]) < 1e-9 and tile.min() == 0
        assert terrain.origin(level, 0)[2] == tile[30, 30]


@pytest.mark.parametrize("as_boxes", [False, True])
def test_terrain_is_as_high_as_it_says(as_boxes):
    terrain = Terrain(kinds=("stairs", "stones"), levels=2, size=4.0, cell=0.1)
    spec = kinetree.MjSpec()
    geoms = terrain.add_to(spec, as_boxes=as_boxes)
    model = spec.compile()
    assert model.ngeom == len(geoms) and (model.ngeom > 10) == as_boxes
    data = kinetree.MjData(model)
    kinetree.mj_forward(model, data)
    rows, columns = terrain.heights.shape
    for i, j in ((5, 7), (19, 20), (33, 61), (60, 12)):
        at = np.array([(i + 0.5 - rows / 2) * 0.1, (j + 0.5 - columns / 2) * 0.1, 5.0])
        depth = kinetree.mj_ray(model, data, at, [0, 0, -1], None, 1, -1, np.zeros(1, np.int32))
        # boxes are as high as their cell, and a height field is so at the middle of the cell
        assert 5.0 - depth == pytest.approx(terrain.heights[i, j], abs=1e-6), (i, j)
    for level in range(2):
        for kind in range(2):
            x, y, z = terrain.origin(level, kind)
            assert kinetree.mj_ray(model, data, [x, y, z + 1], [0, 0, -1], None, 1, -1, np.zeros(1, np.int32)) == pytest.approx(1, abs=1e-6)


def test_a_curriculum_follows_what_worlds_can():
    terrain = Terrain(kinds=("slope", "noise"), levels=3, size=4.0)
    curriculum = Curriculum(terrain, 4)
    assert curriculum.kinds.tolist() == [0, 1, 0, 1] and curriculum.levels.tolist() == [0] * 4
    far = np.array([3.0, 3.0, 1.0, 0.1])
    curriculum.update([0, 1, 2], far)
    assert curriculum.levels.tolist() == [1, 1, 0, 0]
    curriculum.update(np.array([True, False, False, True]), far)
    assert curriculum.levels.tolist() == [2, 1, 0, 0]
    curriculum.update([0], far)
    assert 0 <= curriculum.levels[0] < 3
    assert np.array_equal(curriculum.origin(1), terrain.origin(1, 1))
    with pytest.raises(ValueError, match="a distance for each of 4"):
        curriculum.update([0], [1.0])
    with pytest.raises(ValueError, match="no terrain 'lava'"):
        Terrain(kinds=("lava",))
