"""Flexes: stages, rays and contacts beside the reference."""

import kinetree
import mujoco
import numpy as np
import pytest

CLOTH = """<mujoco><option timestep="0.001"/><worldbody><geom type="plane" size="1 1 0.1"/><geom type="sphere" size="0.1" pos="0 0 0.1"/>
<flexcomp name="cloth" type="grid" dim="2" count="6 6 1" spacing="0.06 0.06 0.06" pos="0 0 0.22" radius="0.01" mass="0.2">
<edge equality="true" damping="0.01"/><contact selfcollide="none"/></flexcomp></worldbody></mujoco>"""


@pytest.fixture(name="pair")
def two_engines():
    """The same state in both engines, after the cloth has met the sphere."""
    model = mujoco.MjModel.from_xml_string(CLOTH)
    data = mujoco.MjData(model)
    for _ in range(60):
        mujoco.mj_step(model, data)
    ours = kinetree.MjModel.from_xml_string(CLOTH)
    mine = kinetree.MjData(ours)
    mine.qpos[:], mine.qvel[:] = data.qpos, data.qvel
    fresh = mujoco.MjData(model)
    fresh.qpos[:], fresh.qvel[:] = data.qpos, data.qvel
    mujoco.mj_forward(model, fresh)
    kinetree.mj_forward(ours, mine)
    return model, fresh, ours, mine


def test_stages(pair):
    """Vertices, lengths and contacts agree."""
    model, data, ours, mine = pair
    assert data.ncon == mine.ncon > 0
    for field in ("flexvert_xpos", "flexedge_length", "flexedge_velocity", "flexelem_aabb", "qfrc_damper", "qacc"):
        np.testing.assert_allclose(np.ravel(getattr(mine, field)), np.ravel(getattr(data, field)), atol=1e-7, err_msg=field)
    np.testing.assert_array_equal(mine.contact.elem, data.contact.elem)
    mine.flexvert_xpos[:] = 0
    kinetree.mj_flex(ours, mine)
    np.testing.assert_allclose(mine.flexvert_xpos, data.flexvert_xpos, atol=1e-12)
    assert model.nflex == ours.nflex == 1


def test_rays(pair):
    """Rays hit the same parts of a flex."""
    model, data, ours, mine = pair
    rng = np.random.default_rng(1)
    hits = 0
    for flags in ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)):
        for _ in range(20):
            point, vector = np.array([*rng.uniform(-0.15, 0.15, 2), 0.6]), np.array([*rng.normal(size=2) * 0.1, -1.0])
            found = []
            for engine, m, d in ((mujoco, model, data), (kinetree, ours, mine)):
                vertex, normal = np.full((1, 1), -1, np.int32), np.zeros((3, 1))
                distance = engine.mj_rayFlex(m, d, 0, *flags, 0, point, vector, vertex, normal)
                found.append([distance, float(vertex[0, 0]), *normal.ravel()])
            np.testing.assert_allclose(found[1], found[0], atol=1e-9)
            hits += found[0][0] >= 0
    assert hits > 40


def test_ray_of_skin():
    """A ray against triangles tells the nearest vertex."""
    face, vert = np.array([0, 1, 2], np.int32), np.array([0, 0, 0, 1, 0, 0, 0, 1, 0], np.float32)
    vertex = np.zeros(1, np.int32)
    assert kinetree.mju_raySkin(1, 3, face, vert, np.array([0.7, 0.1, 2.0]), np.array([0.0, 0.0, -1.0]), vertex) == 2.0
    assert vertex[0] == 1
    assert kinetree.mju_raySkin(1, 3, face, vert, np.array([0.7, 0.7, 2.0]), np.array([0.0, 0.0, -1.0]), vertex) == -1.0
