"""The surface of the package: loading, views, named access, copies, pickles, state vectors, derivatives."""

import copy
import gc
import importlib.metadata
import pickle

import kinetree
import numpy as np
import pytest


def run(model, data, steps=50):
    for _ in range(steps):
        kinetree.mj_step(model, data)


def test_loads_from_path_string_assets_and_binary(model, tmp_path):
    path = tmp_path / "box.xml"
    path.write_text('<mujoco><worldbody><geom type="box" size="1 2 3"/></worldbody></mujoco>')
    assert kinetree.MjModel.from_xml_path(path).ngeom == 1
    main = '<mujoco><include file="part.xml"/></mujoco>'
    part = b'<mujoco><worldbody><geom size="1"/><geom size="2"/></worldbody></mujoco>'
    assert kinetree.MjModel.from_xml_string(main, {"part.xml": part}).ngeom == 2
    binary = tmp_path / "arm.mjb"
    kinetree.mj_saveModel(model, str(binary))
    again = kinetree.MjModel.from_binary_path(binary)
    assert again.nq == model.nq and np.array_equal(again.body_pos, model.body_pos)


def test_arrays_are_writable_views_of_the_right_shape(model, data):
    assert model.body_pos.shape == (model.nbody, 3)
    assert data.qpos.shape == (model.nq,) and data.xmat.shape == (model.nbody, 9)
    view = data.qpos
    data.qpos[0] = 0.25
    assert view[0] == 0.25 and not view.flags.owndata
    data.ctrl = 0.5
    assert np.all(data.ctrl == 0.5)
    kinetree.mj_forward(model, data)
    assert data.xpos[1, 2] == 1.0


def test_views_keep_their_owner_alive(model):
    qpos = kinetree.MjData(model).qpos
    mass = kinetree.MjModel.from_xml_string("<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>").body_mass
    gc.collect()
    qpos[:] = 1.5
    assert np.all(qpos == 1.5) and mass[1] > 0


def test_fields_are_documented_on_the_classes():
    assert "qpos" in dir(kinetree.MjData) and "body_pos" in dir(kinetree.MjModel) and "nq" in dir(kinetree.MjModel)
    assert kinetree.MjModel.body_pos.__doc__ and kinetree.MjData.efc_J.__doc__ and kinetree.mj_step.__doc__


def test_named_access(model, data):
    kinetree.mj_forward(model, data)
    assert model.body("lower").id == 2 and model.joint(0).name == "shoulder"
    data.joint("elbow").qpos = 0.5
    assert data.qpos[1] == 0.5
    assert data.joint("root").qpos.shape == (7,) and data.joint("root").qvel.shape == (6,)
    np.testing.assert_array_equal(data.body("upper").xpos, data.xpos[1])
    np.testing.assert_array_equal(data.site("hand").xpos, data.site_xpos[0])
    data.actuator("drive").ctrl = 2.0
    assert data.ctrl[0] == 2.0
    assert data.sensor("place").data.shape == (3,)
    assert "qpos" in repr(data.joint("elbow"))


def test_options_are_views(model):
    model.opt.timestep = 0.01
    model.opt.gravity[2] = -1.0
    again = copy.copy(model)
    assert again.opt.timestep == 0.01 and again.opt.gravity[2] == -1.0
    model.opt.timestep = 0.02
    assert again.opt.timestep == 0.01
    assert kinetree.MjOption().timestep == 0.002


def test_contacts(model, data):
    run(model, data, 5)
    assert data.ncon == len(data.contact) == 1
    contact = data.contact[0]
    assert {contact.geom1, contact.geom2} == {model.geom("floor").id, model.geom("ball").id}
    assert contact.pos.shape == (3,) and data.contact.dist.shape == (1,)
    force = np.zeros(6)
    kinetree.mj_contactForce(model, data, 0, force)
    assert force[0] > 0


def test_contacts_can_be_added(model, data):
    kinetree.mj_forward(model, data)
    kinetree.mj_addContact(model, data, data.contact[0])
    assert data.ncon == 2 and np.array_equal(data.contact[0].pos, data.contact[1].pos)
    kinetree.mj_makeConstraint(model, data)
    kinetree.mj_step(model, data)
    assert data.ncon == 1


def test_enums_and_constants():
    assert kinetree.mjtObj.mjOBJ_BODY == 1 and kinetree.mjtJoint(0).name == "mjJNT_FREE"
    assert kinetree.mjMINVAL == 1e-15


def test_versions():
    # ours is the one that the package is installed as; the functions tell which MuJoCo they are compatible with
    assert kinetree.__version__ == importlib.metadata.version("kinetree")
    assert kinetree.reference_version == kinetree.mj_versionString() == "3.8.0" and kinetree.mj_version() == 3_008_000


def test_copies_are_independent_and_go_on_alike(model, data):
    run(model, data)
    other = copy.copy(data)
    assert other.model is model
    run(model, data)
    assert not np.array_equal(data.qpos, other.qpos)
    run(model, other)
    np.testing.assert_array_equal(data.qpos, other.qpos)
    deep = copy.deepcopy(data)
    assert deep.model is not model
    run(deep.model, deep)
    run(model, data)
    np.testing.assert_array_equal(data.qpos, deep.qpos)


def test_pickles_go_on_alike(model, data):
    run(model, data)
    other = pickle.loads(pickle.dumps(data))
    np.testing.assert_array_equal(data.efc_J, other.efc_J)
    assert other.contact == data.contact
    run(model, data)
    run(other.model, other)
    np.testing.assert_array_equal(data.qpos, other.qpos)
    assert pickle.loads(pickle.dumps(model)).names == model.names


def test_many_steps_equal_single_ones(model, data):
    other = kinetree.MjData(model)
    run(model, data, 20)
    kinetree.mj_step(model, other, nstep=20)
    np.testing.assert_array_equal(data.qpos, other.qpos)


def test_state_vectors_and_keyframes(model, data):
    run(model, data)
    signature = kinetree.mjtState.mjSTATE_INTEGRATION
    state = np.empty(kinetree.mj_stateSize(model, signature))
    kinetree.mj_getState(model, data, state, signature)
    other = kinetree.MjData(model)
    kinetree.mj_setState(model, other, state, signature)
    run(model, data)
    run(model, other)
    np.testing.assert_array_equal(data.qpos, other.qpos)
    kinetree.mj_resetDataKeyframe(model, data, 0)
    assert data.qpos[0] == 0.5 and data.act[0] == 0.3


def test_results_are_written_in_place(model, data):
    kinetree.mj_forward(model, data)
    jacp, jacr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    kinetree.mj_jacSite(model, data, jacp, jacr, 0)
    assert np.abs(jacp).max() > 0.1
    full = np.zeros((model.nv, model.nv))
    kinetree.mj_fullM(model, full, data.qM)
    np.testing.assert_allclose(full, full.T)
    quat = np.zeros(4)
    kinetree.mju_axisAngle2Quat(quat, [0, 0, 1], np.pi)
    np.testing.assert_allclose(quat, [0, 0, 0, 1], atol=1e-15)


def test_derivatives(model, data):
    kinetree.mj_forward(model, data)
    nx = 2 * model.nv + model.na
    a, b = np.zeros((nx, nx)), np.zeros((nx, model.nu))
    kinetree.mjd_transitionFD(model, data, 1e-6, True, a, b, None, None)
    # a position moves with its velocity by a time step
    assert a[0, model.nv] == pytest.approx(model.opt.timestep, rel=0.1)
    inertia = np.zeros((model.nv, model.nv))
    kinetree.mjd_inverseFD(model, data, 1e-6, False, None, None, inertia, None, None, None, None)
    assert inertia[0, 0] > 0


def test_length_range():
    xml = """<mujoco><worldbody><body><joint name="j" axis="0 0 1" limited="true" range="-1 1"/>
      <geom type="capsule" fromto="0 0 0 1 0 0" size="0.1"/></body></worldbody>
      <actuator><motor joint="j" gear="1"/></actuator></mujoco>"""
    model = kinetree.MjModel.from_xml_string(xml.replace("range=\"-1 1\"", "range=\"-57.29577951308232 57.29577951308232\""))
    options = kinetree.MjLROpt()
    options.uselimit, options.mode = 1, kinetree.mjtLRMode.mjLRMODE_ALL
    kinetree.mj_setLengthRange(model, kinetree.MjData(model), 0, options)
    np.testing.assert_allclose(model.actuator_lengthrange[0], [-1, 1], rtol=1e-6)


def test_trees_start_asleep():
    model = kinetree.MjModel.from_xml_string("""<mujoco><option><flag sleep="enable"/></option><worldbody>
      <geom type="plane" size="1 1 1"/><body pos="0 0 0.1" sleep="init"><freejoint/><geom size="0.1"/></body>
      </worldbody></mujoco>""")
    data = kinetree.MjData(model)
    assert data.ntree_awake == 0 and data.xpos[1, 2] == pytest.approx(0.1)


def test_schema_is_printed():
    assert "worldbody" in kinetree.mj_printSchema(False, True)
