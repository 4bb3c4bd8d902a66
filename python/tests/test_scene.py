"""Scenes in Python: structs whose fields are views, geoms of the program's own, cameras, selection, perturbations, mistakes."""

import copy
import gc
import pickle

import kinetree
import numpy as np
import pytest


@pytest.fixture
def world(model, data):
    kinetree.mj_forward(model, data)
    scene = kinetree.MjvScene(model, 200)
    return model, data, scene


def update(model, data, scene, option=None, camera=None, perturb=None):
    option, camera = option or kinetree.MjvOption(), camera or kinetree.MjvCamera()
    kinetree.mjv_updateScene(model, data, option, perturb, camera, kinetree.mjtCatBit.mjCAT_ALL, scene)


def test_scenes_list_the_geoms_of_the_model(world):
    model, data, scene = world
    update(model, data, scene)
    shown = [g for g in scene.geoms[: scene.ngeom] if g.objtype == kinetree.mjtObj.mjOBJ_GEOM]
    assert len(shown) == np.count_nonzero(model.geom_rgba[:, 3])
    for geom in shown:
        np.testing.assert_allclose(geom.pos, data.geom_xpos[geom.objid], atol=1e-6)
        np.testing.assert_allclose(geom.mat, data.geom_xmat[geom.objid].reshape(3, 3), atol=1e-6)
    assert scene.nlight >= 1 and scene.lights[0].headlight == 1
    assert scene.camera[0].frustum_near > 0


def test_flags_labels_and_groups_count(world):
    model, data, scene = world
    update(model, data, scene)
    plain = scene.ngeom
    option = kinetree.MjvOption()
    option.flags[kinetree.mjtVisFlag.mjVIS_JOINT] = 1
    option.label = kinetree.mjtLabel.mjLABEL_JOINT
    update(model, data, scene, option)
    assert scene.ngeom == plain + model.njnt
    assert scene.geoms[scene.ngeom - model.njnt].label == model.joint(0).name
    option.geomgroup[:] = 0
    update(model, data, scene, option)
    assert not any(g.objtype == kinetree.mjtObj.mjOBJ_GEOM for g in scene.geoms[: scene.ngeom])


def test_programs_add_their_own_geoms(world):
    model, data, scene = world
    update(model, data, scene)
    count = scene.ngeom
    geom = scene.geoms[scene.ngeom]
    kinetree.mjv_initGeom(geom, kinetree.mjtGeom.mjGEOM_SPHERE, [0.1, 0, 0], [1, 2, 3], np.eye(3).ravel(), [1, 0, 0, 1])
    geom.label = "mark"
    scene.ngeom += 1
    kinetree.mjv_connector(scene.geoms[scene.ngeom], kinetree.mjtGeom.mjGEOM_ARROW, 0.02, np.zeros(3), np.array([0.0, 0.0, 2.0]))
    scene.geoms[scene.ngeom].rgba[:] = [0, 1, 0, 1]
    scene.ngeom += 1
    assert scene.geoms[count].label == "mark" and scene.geoms[count].size.tolist() == pytest.approx([0.1] * 3)
    assert scene.geoms[count + 1].size[2] == 2.0 and scene.geoms[count + 1].rgba.tolist() == [0, 1, 0, 1]
    # more geoms of the model come after them
    kinetree.mjv_addGeoms(model, data, kinetree.MjvOption(), kinetree.MjvPerturb(), 7, scene)
    assert scene.ngeom == 2 * count + 2 and scene.geoms[count].label == "mark"
    scene.ngeom = 0
    assert scene.ngeom == 0


def test_fields_are_views_and_outlive_the_scene(world):
    model, data, scene = world
    update(model, data, scene)
    first, again = scene.geoms[0], scene.geoms[0]
    first.pos[:] = [7, 8, 9]
    assert again.pos.tolist() == [7, 8, 9] and scene.geoms[-1].type in (0, 1001)
    pos = first.pos
    del scene, first, again
    gc.collect()
    assert pos.tolist() == [7, 8, 9]
    pos[:] = 0


def test_structs_have_the_fields_and_defaults_of_the_reference():
    mujoco = pytest.importorskip("mujoco")
    for name in ("MjvCamera", "MjvGLCamera", "MjvOption", "MjvPerturb", "MjvFigure"):
        mine, theirs = getattr(kinetree, name)(), getattr(mujoco, name)()
        fields = [n for n in dir(theirs) if not n.startswith("_")]
        assert sorted(mine._fields) == sorted(fields)
        for field in fields:
            np.testing.assert_array_equal(getattr(mine, field), getattr(theirs, field), err_msg=f"{name}.{field}")
            assert type(getattr(mine, field)) is type(getattr(theirs, field)), field
    for name in ("MjvGeom", "MjvLight"):
        fields = [n for n in dir(getattr(mujoco, name)()) if not n.startswith("_")]
        assert sorted(getattr(kinetree, name)()._fields) == sorted(fields)


def test_structs_can_be_copied_and_pickled():
    camera = kinetree.MjvCamera()
    camera.lookat = [1, 2, 3]
    camera.distance = 4
    for other in (copy.copy(camera), copy.deepcopy(camera), pickle.loads(pickle.dumps(camera))):
        assert other == camera
        other.lookat[0] = 9
        assert camera.lookat[0] == 1
    kinetree.mjv_defaultCamera(camera)
    assert camera == kinetree.MjvCamera()
    figure = kinetree.MjvFigure()
    figure.title, figure.linename[3] = "speed", "x"
    assert copy.copy(figure).title == "speed" and figure.linename[3] == b"x"


def test_a_click_selects_and_a_perturbation_pulls(world):
    model, data, scene = world
    camera = kinetree.MjvCamera()
    camera.lookat = data.geom_xpos[model.ngeom - 1]
    camera.distance = 1.0
    update(model, data, scene, camera=camera)
    point, ids = np.zeros(3), [np.zeros(1, np.int32) for _ in range(3)]
    body = kinetree.mjv_select(model, data, kinetree.MjvOption(), 1.0, 0.5, 0.5, scene, point, *ids)
    assert body >= 0 and model.geom_bodyid[ids[0][0]] == body and ids[1][0] == ids[2][0] == -1
    perturb = kinetree.MjvPerturb()
    perturb.select, perturb.active = model.nbody - 1, kinetree.mjtPertBit.mjPERT_TRANSLATE
    kinetree.mjv_initPerturb(model, data, scene, perturb)
    kinetree.mjv_movePerturb(model, data, kinetree.mjtMouse.mjMOUSE_MOVE_V, 0.2, 0.1, scene, perturb)
    kinetree.mjv_applyPerturbForce(model, data, perturb)
    assert np.linalg.norm(data.xfrc_applied[model.nbody - 1]) > 0


def test_mistakes_are_explained(world):
    model, data, scene = world
    with pytest.raises(kinetree.FatalError, match="update the scene"):
        kinetree.mjv_makeLights(model, data, scene)
    update(model, data, scene)
    camera = kinetree.MjvCamera()
    camera.type, camera.fixedcamid = kinetree.mjtCamera.mjCAMERA_FIXED, 99
    with pytest.raises(kinetree.FatalError, match="99"):
        update(model, data, scene, camera=camera)
    with pytest.raises(TypeError, match="MjvOption"):
        kinetree.mjv_updateScene(model, data, kinetree.MjvCamera(), None, camera, 7, scene)
    with pytest.raises(kinetree.FatalError, match="connector"):
        kinetree.mjv_connector(kinetree.MjvGeom(), 2, 0.1, [0, 0, 0], [1, 1, 1])
    with pytest.raises(kinetree.FatalError, match="mouse action 0"):
        kinetree.mjv_moveCamera(model, 0, 0, 0, scene, kinetree.MjvCamera())
    with pytest.raises(ValueError, match="room for 99"):
        kinetree.MjvGeom().label = "x" * 100
    with pytest.raises(AttributeError, match="colour"):
        kinetree.MjvGeom().colour = 1
    with pytest.raises(IndexError):
        scene.geoms[200]
    scene.ngeom = 1000
    with pytest.raises(ValueError, match="room for 200"):
        kinetree.mjv_addGeoms(model, data, kinetree.MjvOption(), None, 7, scene)
    update(model, data, scene)
    assert scene.ngeom <= 200
    small = kinetree.MjvScene(model, 1)
    update(model, data, small)
    assert (small.ngeom, small.status) == (1, 1)


def test_empty_scenes_and_broken_models(world):
    model, data, scene = world
    empty = kinetree.MjvScene()
    assert (empty.ngeom, len(empty.geoms), len(empty.lights), empty.maxgeom) == (0, 0, 100, 0)
    update(model, data, empty)
    assert empty.ngeom == 0
    with pytest.raises(ValueError):
        kinetree.MjvScene(model, 2**40)
    model.geom_matid[0] = 10**6
    with pytest.raises((kinetree.FatalError, kinetree.UnexpectedError, ValueError)):
        update(model, data, scene)
    model.geom_matid[0] = -1
    update(model, data, scene)
