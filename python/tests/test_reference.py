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


SERVO = """<mujoco><worldbody><body><joint name="a" axis="0 1 0"/><geom name="g" type="capsule" fromto="0 0 0 1 0 0" size=".05" gap=".01"/>
<body pos="1 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".05"/></body></body></worldbody>
<actuator><position name="servo" joint="a" kp="100" dampratio="1"/></actuator></mujoco>"""


def moved(model):
    """Positions after fifty steps with a control."""
    data = kinetree.MjData(model)
    data.ctrl[:] = 0.5
    kinetree.mj_step(model, data, nstep=50)
    return data.qpos.copy()


def test_descriptions_are_migrated(tmp_path):
    spec = kinetree.MjSpec.from_string(SERVO)
    migration = spec.migrate("4.0")
    assert (spec.reference, migration.spec.reference) == ("3.8", "4.0")
    new = migration.spec.compile()
    np.testing.assert_allclose(moved(new), moved(spec.compile()), atol=1e-9)
    assert np.abs(moved(kinetree.MjModel.from_xml_string(SERVO, reference="4.0")) - moved(new)).max() > 1e-3
    assert abs(new.actuator_biasprm[0, 2] + 94.9637) < 1e-4
    notes = {note.element: note for note in migration.notes}
    assert notes["actuator 'servo'"].kind == "changed" and "94.96" in notes["actuator 'servo'"].text
    assert str(notes["geom 'g'"]) == "geom 'g': margin 0 is -0.01 now, which the gap of 0.01 is outside of"
    migration.spec.to_file(tmp_path / "new.xml")
    np.testing.assert_array_equal(moved(kinetree.MjModel.from_xml_path(tmp_path / "new.xml", reference="4.0")), moved(new))
    back = migration.spec.migrate("3.8").spec.compile()
    np.testing.assert_allclose(moved(back), moved(new), atol=1e-9)


def test_migration_names_what_moves_otherwise():
    spec = kinetree.MjSpec.from_string(BOX)
    with pytest.raises(ValueError, match="option: the integrator RK4"):
        spec.migrate("4.0")
    notes = spec.migrate("4.0", allow_differences=True).notes
    assert [note.element for note in notes if note.kind == "difference"] == ["option"]
    with pytest.raises(ValueError, match="there is no reference level '5'"):
        spec.migrate("5")
