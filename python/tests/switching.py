"""What all simulators of many worlds must do, on threads and on a GPU."""

import kinetree
import numpy as np
import pytest

LINKED = """
<mujoco>
  <worldbody>
    <body><joint name="a" axis="0 1 0"/><geom size="0.1" pos="0.2 0 0"/></body>
    <body pos="0 1 0"><joint name="b" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/></body>
  </worldbody>
  <equality><joint joint1="a"/><joint joint1="b" joint2="a" active="false"/></equality>
</mujoco>"""

HELD = """
<mujoco>
  <worldbody>
    <body name="hand" mocap="true" pos="0 0 1"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom size="0.1"/></body>
  </worldbody>
  <equality><weld body1="hand" body2="ball"/></equality>
</mujoco>"""


def check_equalities(make, tolerance):
    """Equalities are activated and deactivated world by world, until a world is reset."""
    model = kinetree.MjModel.from_xml_string(LINKED)
    batch = make(model, 3)
    assert batch.eq_active.tolist() == [[True, False]] * 3
    active = np.array([[True, False], [False, True], [False, False]])
    batch.eq_active = active
    assert np.array_equal(batch.eq_active, active)
    batch.step(10)
    for world, row in enumerate(active):
        data = kinetree.MjData(model)
        data.eq_active[:] = row
        kinetree.mj_step(model, data, 10)
        np.testing.assert_allclose(batch.qpos[world], data.qpos, rtol=0, atol=tolerance)
    batch.reset(np.array([False, True, False]))
    assert batch.eq_active.tolist() == [[True, False], [True, False], [False, False]]
    with pytest.raises(ValueError, match="read-only"):
        batch.eq_active[0, 0] = False
    with pytest.raises(ValueError, match="row for each world"):
        batch.eq_active = np.ones((2, 2), bool)
    with pytest.raises(ValueError, match="booleans"):
        batch.eq_active = np.ones((3, 2))


def check_mocap(make, tolerance):
    """Mocap bodies are moved world by world, until a world is reset."""
    model = kinetree.MjModel.from_xml_string(HELD)
    batch = make(model, 2)
    assert batch.mocap_pos.tolist() == [[[0, 0, 1]]] * 2 and batch.mocap_quat.tolist() == [[[1, 0, 0, 0]]] * 2
    places, turn = np.array([[[0.1, 0, 1]], [[0, -0.1, 1.1]]]), [np.cos(0.2), np.sin(0.2), 0, 0]
    batch.mocap_pos, batch.mocap_quat = places, turn
    np.testing.assert_allclose(batch.mocap_pos, places, rtol=0, atol=tolerance)
    batch.step(20)
    for world, place in enumerate(places):
        data = kinetree.MjData(model)
        data.mocap_pos[:], data.mocap_quat[:] = place, turn
        kinetree.mj_step(model, data, 20)
        np.testing.assert_allclose(batch.qpos[world], data.qpos, rtol=0, atol=tolerance)
    batch.reset(np.array([True, False]))
    np.testing.assert_allclose(batch.mocap_pos, [[[0, 0, 1]], places[1]], rtol=0, atol=tolerance)
    with pytest.raises(ValueError, match="read-only"):
        batch.mocap_pos[0] = 0
    with pytest.raises(ValueError, match="row for each world"):
        batch.mocap_pos = np.zeros((3, 1, 3))
    for wrong in (np.nan, np.inf):
        with pytest.raises(ValueError, match="finite"):
            batch.mocap_quat = np.full((2, 1, 4), wrong)
