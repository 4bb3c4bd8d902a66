"""What was made for another model is refused in every face."""

import copy
import pickle

import kinetree
import numpy as np
import pytest
from kinetree import ik, soft
from kinetree.batch import BatchSim

SMALL = "<mujoco><worldbody><geom type='plane' size='1 1 1'/></worldbody></mujoco>"
CLOTH = """<mujoco><worldbody><geom type='plane' size='1 1 1'/>
<body name='a'><freejoint/><geom size='.1'/></body><body name='b' pos='1 0 1'><freejoint/><geom size='.1'/><site name='s'/></body>
</worldbody></mujoco>"""


@pytest.fixture
def other():
    """A model that is smaller."""
    return kinetree.MjModel.from_xml_string(SMALL)


def test_deformable_bodies(other):
    model = kinetree.MjModel.from_xml_string(CLOTH)
    data, small = kinetree.MjData(model), kinetree.MjData(other)
    kinetree.mj_forward(model, data)
    kinetree.mj_forward(other, small)
    world = soft.SoftWorld()
    body = world.add(soft.Cloth.grid((4, 4), (1, 1), pos=(0, 0, 1)))
    # not yet made for a model
    world.step(other, small)
    body.attach_to_body(model, data, 0, 2)
    for use in (world.step, world.reset, world.state, lambda m, d: body.attach_to_site(m, d, 1, 0)):
        with pytest.raises((ValueError, kinetree.FatalError), match="another model"):
            use(other, small)
    world.step(model, data)
    with pytest.raises(ValueError, match="other sizes"):
        world.step(model, small)


def test_tasks_and_limits(model, other):
    big = ik.Configuration(model)
    arm = kinetree.MjModel.from_xml_string(CLOTH)
    wrong = ik.Configuration(arm)
    limits = [ik.CollisionAvoidanceLimit(model, [([1], [3])], collision_detection_distance=9), ik.VelocityLimit(model, {"shoulder": 1.0})]
    task = ik.FrameTask("hand", "site", 1.0, 0.0)
    task.set_target_from_configuration(big)
    for limit in limits:
        ik.solve_ik(big, [task], 0.1, limits=[limit])
        fitting = ik.FrameTask("s", "site", 1.0, 0.0)
        fitting.set_target_from_configuration(wrong)
        with pytest.raises(ValueError, match="another model"):
            ik.solve_ik(wrong, [fitting], 0.1, limits=[limit])


def test_pictures(model, other):
    renderer = kinetree.BatchRenderer(model, 16, 16)
    with pytest.raises(ValueError, match="another model"):
        renderer.render(BatchSim(other, 2))
    assert renderer.render(BatchSim(model, 2)).shape == (2, 1, 16, 16, 3)


LEFT = """<mujoco><worldbody>
<body name='a'><joint name='j'/><geom size='.1'/><body name='b' pos='0 0 1'><joint/><geom size='.1'/></body></body>
<body name='c' pos='1 0 0'><geom size='.1'/></body>
</worldbody><sensor><jointpos joint='j'/><framepos objtype='body' objname='a'/></sensor></mujoco>"""
LAST = "<body name='c' pos='1 0 0'><geom size='.1'/></body>"


@pytest.mark.parametrize("other", [
    # a body hangs elsewhere
    LEFT.replace("</body></body>", "</body>").replace(LAST, f"{LAST}</body>"),
    # a joint slides
    LEFT.replace("<joint name='j'/>", "<joint name='j' type='slide'/>"),
    # sensor values lie elsewhere
    LEFT.replace("<jointpos joint='j'/>", "").replace("</sensor>", "<jointpos joint='j'/></sensor>"),
])
def test_models_of_equal_sizes_and_another_structure(other):
    one, two = kinetree.MjModel.from_xml_string(LEFT), kinetree.MjModel.from_xml_string(other)
    assert (one.nq, one.nv, one.nbody, one.nsensordata) == (two.nq, two.nv, two.nbody, two.nsensordata)
    data = kinetree.MjData(one)
    for call in (kinetree.mj_step, kinetree.mj_forward, kinetree.mj_resetData):
        with pytest.raises(ValueError, match="other sizes or structure"):
            call(two, data)
    kinetree.mj_step(one, data)
    with pytest.raises(ValueError, match="another model"):
        kinetree.BatchRenderer(one, 16, 16).render(BatchSim(two, 2))


def test_models_of_the_same_structure_share_data():
    one = kinetree.MjModel.from_xml_string(LEFT)
    # values may differ: as when a program randomises copies of a model, or compiles a description again
    other, again = copy.copy(one), kinetree.MjModel.from_xml_string(LEFT.replace("size='.1'", "size='.2 .2 .2' type='box' rgba='1 0 0 1'"))
    other.body_mass[:] *= 2
    # as a copy, so a pickle and a file
    through_pickle = pickle.loads(pickle.dumps(one))
    data = kinetree.MjData(one)
    for model in (one, other, again, through_pickle):
        kinetree.mj_step(model, data)
        assert kinetree.MjData(model).signature == data.signature == model.signature
    # what a program writes to a copy changes nothing about what fits
    edited = copy.copy(one)
    edited.geom_contype[:] = 0
    kinetree.mj_step(copy.copy(edited), data)


def test_recompiled_descriptions(model, other):
    spec = kinetree.MjSpec.from_string(CLOTH)
    own = spec.compile()
    twin = kinetree.MjModel.from_xml_string(CLOTH.replace("<freejoint/>", "<joint type='slide'/>"))
    small, data = kinetree.MjData(other), kinetree.MjData(own)
    for m, d in ((own, small), (other, small), (twin, kinetree.MjData(twin))):
        with pytest.raises(ValueError, match="other sizes|does not come from"):
            spec.recompile(m, d)
    assert spec.recompile(own, data)[0].nq == own.nq


def test_frames_of_another_description_or_body():
    spec, other = kinetree.MjSpec(), kinetree.MjSpec()
    a, b = spec.worldbody.add_body(name="a"), spec.worldbody.add_body(name="b")
    foreign = other.worldbody.add_body().add_frame(name="far")
    frame = a.add_frame(name="near")
    geom = b.add_geom(size=[0.1, 0, 0])
    for work in (lambda: b.add_geom(foreign), lambda: geom.set_frame(foreign), lambda: setattr(geom, "frame", foreign)):
        with pytest.raises(ValueError, match="another description"):
            work()
    for work in (lambda: b.add_geom(frame), lambda: geom.set_frame(frame)):
        with pytest.raises(ValueError, match="another body"):
            work()
    with pytest.raises(TypeError, match="MjsFrame"):
        geom.set_frame(a)
    a.add_geom(frame, size=[0.1, 0, 0])
    assert spec.compile().ngeom == 2


def test_keyframes_after_a_body_is_deleted():
    spec = kinetree.MjSpec.from_string("""<mujoco><worldbody>
<body name='a'><joint name='ja' type='slide'/><geom size='.1'/></body>
<body name='b'><freejoint/><geom size='.1'/></body>
<body name='c' mocap='true'><geom size='.1'/></body>
<body name='e'><joint name='je' type='hinge'/><geom size='.1'/></body>
</worldbody>
<actuator><motor name='ma' joint='ja'/><general name='me' joint='je' dyntype='integrator'/></actuator>
<keyframe><key time='2' qpos='1 2 3 4 1 0 0 0 5' qvel='1 2 3 4 5 6 7 8' ctrl='.1 .2' act='.7' mpos='9 8 7' mquat='0 1 0 0'/><key/></keyframe>
</mujoco>""")
    expected = {  # as the reference has them
        "a": ([2, 3, 4, 1, 0, 0, 0, 5], [2, 3, 4, 5, 6, 7, 8], [0.2], [0.7], [9, 8, 7]),
        "b": ([1, 5], [1, 8], [0.1, 0.2], [0.7], [9, 8, 7]),
        "c": ([1, 2, 3, 4, 1, 0, 0, 0, 5], [1, 2, 3, 4, 5, 6, 7, 8], [0.1, 0.2], [0.7], []),
        "e": ([1, 2, 3, 4, 1, 0, 0, 0], [1, 2, 3, 4, 5, 6, 7], [0.1], [], [9, 8, 7]),
    }
    for name, (qpos, qvel, ctrl, act, mpos) in expected.items():
        copy = spec.copy()
        copy.delete(copy.body(name))
        model = copy.compile()
        assert model.key_time.tolist() == [2, 0]
        for array, values in ((model.key_qpos, qpos), (model.key_qvel, qvel), (model.key_ctrl, ctrl), (model.key_act, act)):
            assert array[0].tolist() == values
        assert np.ravel(model.key_mpos[0]).tolist() == mpos
        assert np.array_equal(model.key_qpos[1], model.qpos0)


def filled(m):
    """A scene with the geoms of a model."""
    d, scene = kinetree.MjData(m), kinetree.MjvScene(m, 100)
    kinetree.mj_forward(m, d)
    kinetree.mjv_updateScene(m, d, kinetree.MjvOption(), None, kinetree.MjvCamera(), kinetree.mjtCatBit.mjCAT_ALL, scene)
    return scene


def test_scenes(model, other):
    context, area = kinetree.MjrContext(model), kinetree.MjrRect(0, 0, 16, 16)
    for m in (other, kinetree.MjModel.from_xml_string(CLOTH)):
        with pytest.raises(ValueError, match="another model than the context"):
            kinetree.mjr_render(area, filled(m), context)
    kinetree.mjr_render(area, filled(copy.copy(model)), context)
    # a scene that a program fills on its own is nobody's
    kinetree.mjr_render(area, kinetree.MjvScene(None, 10), context)
    drawing = kinetree.Renderer(model, 16, 16)
    d = kinetree.MjData(other)
    kinetree.mjv_updateScene(other, d, kinetree.MjvOption(), None, kinetree.MjvCamera(), kinetree.mjtCatBit.mjCAT_ALL, drawing.scene)
    with pytest.raises(ValueError, match="another model than the renderer"):
        drawing.render()
