"""Reference levels: models with the meaning of MuJoCo 3.8 and of MuJoCo 4.0. Numbers of level 4.0 are from MuJoCo 4.0.1."""

import copy
import pickle

import kinetree
import numpy as np
import pytest

BOX = """<mujoco><option gravity="0 0 0" integrator="RK4" timestep="0.02"/><worldbody><body><freejoint/>
<geom type="box" size="0.1 0.2 0.3"/></body></worldbody></mujoco>"""
QUAT = [0.9958341882900263, 0.03133927553328372, 0.04820970315558949, 0.07076682671593529]


def turned(model):
    """The orientation of the box after a step."""
    data = kinetree.MjData(model)
    data.qvel[3:] = 3, 5, 7
    kinetree.mj_step(model, data)
    return data.qpos[3:]


def test_a_model_has_the_meaning_of_its_level(tmp_path):
    old, new = kinetree.MjModel.from_xml_string(BOX), kinetree.MjModel.from_xml_string(BOX, reference="4.0")
    assert (old.reference, new.reference) == ("3.8", "4.0")
    np.testing.assert_allclose(turned(new), QUAT, atol=1e-15)
    assert abs(turned(old)[1] - QUAT[1]) > 1e-5
    path = tmp_path / "box.xml"
    path.write_text(BOX)
    assert kinetree.MjModel.from_xml_path(path, reference="4.0").reference == "4.0"
    assert kinetree.MjModel.from_xml_path(path, None, "3.8").reference == "3.8"


def test_copies_and_files_keep_the_level(tmp_path):
    model = kinetree.MjModel.from_xml_string(BOX, reference="4.0")
    kinetree.mj_saveModel(model, str(tmp_path / "box.mjb"))
    read = kinetree.MjModel.from_binary_path(tmp_path / "box.mjb")
    for other in (copy.copy(model), pickle.loads(pickle.dumps(model)), read):
        assert other.reference == "4.0"
        np.testing.assert_array_equal(turned(other), turned(model))
    # a new default of level 4.0 is not written, an old one is
    model.opt.sleep_tolerance = 1e-4
    kinetree.mj_saveLastXML(str(tmp_path / "box.xml"), model)
    assert kinetree.MjModel.from_xml_path(tmp_path / "box.xml", reference="4.0").opt.sleep_tolerance == 1e-4


def test_descriptions_have_a_level(tmp_path):
    assert (kinetree.MjSpec().reference, kinetree.MjSpec(reference="4.0").reference) == ("3.8", "4.0")
    path = tmp_path / "box.xml"
    path.write_text(BOX)
    for spec in (kinetree.MjSpec.from_string(BOX, reference="4.0"), kinetree.MjSpec.from_file(path, reference="4.0")):
        assert spec.reference == spec.copy().reference == spec.compile().reference == "4.0"
    empty = kinetree.MjSpec(reference="4.0")
    assert empty.compile().opt.sleep_tolerance == 1e-3
    frame = empty.worldbody.add_frame()
    with pytest.raises(ValueError, match="level 3.8 cannot be attached to a description of level 4.0"):
        empty.attach(kinetree.MjSpec.from_string(BOX), frame=frame, prefix="a")


def test_what_a_level_does_not_have_is_refused_by_name():
    with pytest.raises(ValueError, match=r"there is no reference level '4.1'; there are '3.8' \(the default\) and '4.0'"):
        kinetree.MjModel.from_xml_string(BOX, reference="4.1")
    with pytest.raises(TypeError):
        kinetree.MjModel.from_xml_string(BOX, reference=4.0)
    with pytest.raises(ValueError, match="unsupported: the solver PGS at reference level 4.0"):
        kinetree.MjModel.from_xml_string(BOX.replace("<option", "<option solver='PGS'"), reference="4.0")
    scaled = "<mujoco><worldbody><frame scale='2'/></worldbody></mujoco>"
    with pytest.raises(ValueError, match="load with reference 4.0"):
        kinetree.MjModel.from_xml_string(scaled)
    model = kinetree.MjModel.from_xml_string(BOX, reference="4.0")
    model.opt.solver = kinetree.mjtSolver.mjSOL_PGS
    with pytest.raises(kinetree.FatalError, match="unsupported: the solver PGS at reference level 4.0"):
        kinetree.mj_step(model, kinetree.MjData(model))
    with pytest.raises((ValueError, kinetree.FatalError), match="level"):
        kinetree.gpu.GpuSim(kinetree.MjModel.from_xml_string(BOX, reference="4.0"), 1)
