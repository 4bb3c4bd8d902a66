"""Model descriptions: found, changed, added to, deleted from, attached, compiled, written."""

import io
import pickle

import kinetree
import numpy as np
import pytest
from conftest import XML


@pytest.fixture
def spec():
    return kinetree.MjSpec.from_string(XML)


def test_find_and_change(spec):
    assert [body.name for body in spec.bodies] == ["world", "upper", "lower", "ball"]
    assert spec.body("nobody") is None
    lower = spec.body("lower")
    assert lower.parent == spec.body("upper") and spec.worldbody.parent is None
    lower.pos = lower.pos + 1.0
    spec.joint("elbow").axis = [1, 0, 0]
    spec.geom("ball").type = kinetree.mjtGeom.mjGEOM_BOX
    spec.geom("ball").size = [0.1, 0.2, 0.3]
    model = spec.compile()
    np.testing.assert_allclose(model.body("lower").pos, [1.3, 1, 1])
    np.testing.assert_allclose(model.joint("elbow").axis, [1, 0, 0])
    np.testing.assert_allclose(model.geom("ball").size, [0.1, 0.2, 0.3])


def test_add_and_delete(spec):
    body = spec.worldbody.add_body(name="new", pos=[0, 0, 3])
    body.add_freejoint()
    body.add_geom(name="hull", size=[0.2], rgba=[1, 0, 0, 1])
    body.add_site(name="mark")
    spec.delete(spec.body("ball"))
    spec.delete(spec.site("mark"))
    # a keyframe has as many values as the model had
    model = kinetree.MjSpec.from_string("<mujoco/>").compile()
    assert model.nbody == 1
    assert [b.name for b in spec.bodies] == ["world", "upper", "lower", "new"]
    assert [g.name for g in body.geoms] == ["hull"] and body.sites == []
    model = spec.compile()
    assert model.nq == 9 and model.body("new").pos[2] == 3


def test_from_nothing():
    spec = kinetree.MjSpec()
    spec.modelname = "pendulum"
    arm = spec.worldbody.add_body(name="arm")
    arm.add_joint(name="hinge", axis=[0, 1, 0])
    arm.add_geom(type=kinetree.mjtGeom.mjGEOM_CAPSULE, fromto=[0, 0, 0, 1, 0, 0], size=[0.1])
    model = spec.compile()
    data = kinetree.MjData(model)
    kinetree.mj_step(model, data, nstep=10)
    arm.add_body(name="hand").add_geom(size=[0.1])
    model, data = spec.recompile(model, data)
    assert model.nbody == 3 and data.time > 0 and data.qpos[0] > 0


def test_arrays_write_through(spec):
    upper = spec.body("upper")
    pos = upper.pos
    pos[0] = 4
    pos[1:] += 1
    np.add(pos, 1, out=pos)
    expected = np.array(pos)
    assert upper.pos is pos
    np.testing.assert_array_equal(spec.compile().body("upper").pos, expected)
    # an array that somebody holds follows what is assigned
    upper.pos = [7, 8, 9]
    np.testing.assert_array_equal(pos, [7, 8, 9])
    # results of arithmetic belong to nobody
    double = pos * 2
    double[0] = 100
    assert type(double) is np.ndarray and upper.pos[0] == 7
    np.copyto(pos, [1, 2, 3])
    np.testing.assert_array_equal(upper.pos, [1, 2, 3])
    site = upper.add_site(userdata=[1, 2])
    site.userdata[1] = 5
    assert site.userdata.tolist() == [1, 5]
    site.userdata = [1, 2, 3]
    assert site.userdata.tolist() == [1, 2, 3]


def test_defaults_are_a_tree(spec):
    parent = spec.add_default("parent")
    child = spec.add_default("child", parent)
    parent.geom.density = 7
    child.geom.size[0] = 0.25
    geom = spec.worldbody.add_geom(child)
    assert geom.classname == child and child.parent == parent and parent.children == [child]
    assert geom.size[0] == 0.25
    spec.delete(parent)
    assert spec.find_default("child") is None and geom.classname == spec.default
    with pytest.raises(ValueError, match="exists already"):
        spec.add_default("main")


def test_attach_is_by_reference_or_by_copy():
    def child():
        spec = kinetree.MjSpec()
        body = spec.worldbody.add_body(name="body")
        body.add_geom(name="geom", size=[0.1])
        return spec, body

    parent = kinetree.MjSpec()
    spec, body = child()
    frame = parent.worldbody.add_frame(pos=[1, 0, 0])
    assert frame.attach_body(body, prefix="a-") is body and body.name == "a-body"
    body.pos = [0, 0, 5]
    assert parent.compile().body("a-body").pos.tolist() == [1, 0, 5]
    with pytest.raises(ValueError, match="attached"):
        spec.compile()
    # the same child many times
    parent.copy_during_attach = True
    spec, body = child()
    for i in range(3):
        copy = parent.worldbody.add_frame().attach_body(body, prefix=f"c{i}-")
        assert copy is not body and copy.name == f"c{i}-body" and body.name == "body"
    assert parent.compile().nbody == 5 and spec.compile().nbody == 2
    parent.delete(parent.body("c1-body"))
    assert parent.compile().nbody == 4


def test_recompile_leaves_the_old_alone_when_an_edit_is_wrong(spec):
    model = spec.compile()
    data = kinetree.MjData(model)
    kinetree.mj_step(model, data, nstep=20)
    before = data.qpos.copy()
    spec.worldbody.add_geom(name="wrong", size=[-1])
    with pytest.raises(ValueError, match="Element name 'wrong'"):
        spec.recompile(model, data)
    np.testing.assert_array_equal(data.qpos, before)
    kinetree.mj_step(model, data)
    spec.delete(spec.geom("wrong"))
    other = kinetree.MjSpec().compile()
    with pytest.raises(ValueError, match="does not come from"):
        spec.recompile(other, kinetree.MjData(other))


def test_text_and_files(spec, tmp_path):
    text = spec.to_xml()
    again = kinetree.MjSpec.from_string(text)
    assert again.to_xml() == text
    a, b = spec.compile(), again.compile()
    np.testing.assert_allclose(a.body_inertia, b.body_inertia, rtol=1e-12)
    spec.to_file(tmp_path / "model.xml")
    assert kinetree.MjModel.from_xml_path(tmp_path / "model.xml").nbody == a.nbody
    archive = io.BytesIO()
    spec.to_zip(archive)
    archive.seek(0)
    assert kinetree.MjSpec.from_zip(archive).compile().nbody == a.nbody
    assert pickle.loads(pickle.dumps(a)).nq == a.nq
    kinetree.mj_saveLastXML(str(tmp_path / "last.xml"), b)
    assert kinetree.MjModel.from_xml_path(tmp_path / "last.xml").nq == a.nq


def test_binary_files_are_checked(spec, tmp_path):
    model = spec.compile()
    path = tmp_path / "model.mjb"
    kinetree.mj_saveModel(model, str(path))
    assert kinetree.MjModel.from_binary_path(path).nq == model.nq
    content = path.read_bytes()
    path.write_bytes(content[:-5])
    with pytest.raises(ValueError, match="truncated"):
        kinetree.MjModel.from_binary_path(path)
    path.write_bytes(b"<mujoco/>")
    with pytest.raises(ValueError, match="not a binary model"):
        kinetree.MjModel.from_binary_path(path)


def test_assets_from_arrays():
    spec = kinetree.MjSpec()
    spec.add_mesh(name="tetra", uservert=[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1])
    spec.add_hfield(name="field", size=[1, 1, 1, 0.1], nrow=2, ncol=3, userdata=np.arange(6.0))
    spec.add_texture(name="pixels", width=2, height=1, data=bytes(range(6)))
    spec.worldbody.add_geom(type=kinetree.mjtGeom.mjGEOM_MESH, meshname="tetra")
    spec.worldbody.add_geom(type=kinetree.mjtGeom.mjGEOM_HFIELD, hfieldname="field")
    model = spec.compile()
    assert (model.nmeshvert, model.nhfielddata, model.ntexdata) == (4, 6, 6)
    with pytest.raises(ValueError, match="PNG"):
        spec.to_xml()
    spec.delete(spec.texture("pixels"))
    again = kinetree.MjSpec.from_string(spec.to_xml()).compile()
    np.testing.assert_array_equal(again.hfield_data, model.hfield_data)


def test_misuse(spec):
    with pytest.raises(AttributeError, match="colour"):
        spec.body("upper").colour = 1
    with pytest.raises(ValueError):
        spec.body("upper").pos = [1, 2, 3, 4]
    with pytest.raises(TypeError):
        spec.body("upper").pos = "here"
    with pytest.raises(ValueError):
        spec.delete(spec.worldbody)
    ball = spec.body("ball")
    spec.delete(ball)
    with pytest.raises(ValueError, match="deleted"):
        _ = ball.pos
    with pytest.raises(TypeError, match="Valid options are"):
        spec.worldbody.add_geom(colour=1)
    with pytest.raises(ValueError, match="repeated name 'upper'"):
        spec.body("lower").name = "upper"
    with pytest.raises(ValueError, match="another body"):
        spec.body("lower").set_frame(spec.body("lower").add_frame())
    with pytest.raises(ValueError, match="shoulderr"):
        kinetree.MjSpec.from_string('<mujoco><actuator><motor joint="shoulderr"/></actuator></mujoco>').compile()


EDITED = """<mujoco><worldbody><body name="b" pos="0 0 1"><joint name="h" range="-10 20"/>
<geom name="g" type="capsule" fromto="0 0 0 0 0 1" size=".1"/><frame pos="1 0 0"><site name="s" pos="0 1 0"/></frame></body></worldbody>
<tendon><fixed><joint joint="h" coef="2"/></fixed></tendon><actuator><position joint="h" kp="10"/></actuator></mujoco>"""


def test_changes_of_a_model_are_written(tmp_path):
    model = kinetree.MjModel.from_xml_string(EDITED)
    model.body_mass[1], model.geom_pos[0], model.site_pos[0], model.jnt_range[0] = 3, [0.1, 0.2, 0.3], [5, 6, 7], [-1, 0.5]
    model.dof_damping[0], model.actuator_gainprm[0, 0], model.qpos0[0], model.tendon_range[0] = 2, 20, 0.3, [0, 1]
    model.opt.timestep, model.stat.extent = 0.001, 5
    kinetree.mj_saveLastXML(str(tmp_path / "edited.xml"), model)
    again = kinetree.MjModel.from_xml_path(str(tmp_path / "edited.xml"))
    for name in ("body_mass", "body_inertia", "geom_pos", "geom_quat", "geom_size", "site_pos", "jnt_range", "dof_damping",
                 "actuator_gainprm", "actuator_biasprm", "qpos0", "tendon_range"):
        np.testing.assert_allclose(getattr(again, name), getattr(model, name), rtol=1e-12, atol=1e-15, err_msg=name)
    assert again.opt.timestep == 0.001 and again.stat.extent == 5
    # what was not changed stays as it was written
    untouched = kinetree.MjModel.from_xml_string(EDITED)
    kinetree.mj_saveLastXML(str(tmp_path / "same.xml"), untouched)
    text = (tmp_path / "same.xml").read_text()
    assert "fromto" in text and "<inertial" not in text


def test_files_by_function(tmp_path):
    spec = kinetree.MjSpec.from_string(EDITED)
    kinetree.mj_saveXML(spec, str(tmp_path / "model.xml"))
    assert (tmp_path / "model.xml").read_text() == kinetree.mj_saveXMLString(spec)
    kinetree.mj_saveModel(spec.compile(), str(tmp_path / "model.mjb"))
    assert kinetree.mj_loadModel(str(tmp_path / "model.mjb")).nbody == 2


def test_arrays_of_a_model_are_made_when_asked_for():
    model = kinetree.MjModel.from_xml_string(EDITED)
    assert "geom_pos" not in model.__dict__
    first = model.geom_pos
    assert model.geom_pos is first and model.__dict__["geom_pos"] is first
    model.geom_pos = [[1, 2, 3]]
    assert first.tolist() == [[1, 2, 3]]
