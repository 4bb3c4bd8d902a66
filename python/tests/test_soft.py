"""Deformable bodies: views, steps, states and mistakes."""

import gc
import os
import signal
import threading
import time

import kinetree
import numpy as np
import pytest
from kinetree import soft

FLOOR = "<geom type='plane' size='1 1 1'/>"
BALL = "<body name='ball' pos='0 0 -.5'><freejoint/><geom size='.05' mass='.3'/><site name='top' pos='0 0 .1'/></body>"


def load(bodies):
    model = kinetree.MjModel.from_xml_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    return model, kinetree.MjData(model)


def test_views_see_steps_and_outlive_the_world():
    model, data = load(FLOOR)
    world = soft.SoftWorld()
    cloth = world.add(soft.Cloth.grid((4, 4), (0.2, 0.2), "Membrane", pos=(0, 0, 0.01)), drag=2.0)
    assert cloth.position.shape == cloth.velocity.shape == cloth.force.shape == (25, 3)
    before = cloth.position.copy()
    world.step(model, data, 200)
    assert data.time == pytest.approx(0.4)
    assert not np.array_equal(cloth.position, before)
    assert abs(cloth.position[:, 2].min()) < 1e-3
    # what is written counts
    cloth.velocity[:] = [0, 0, 1]
    world.step(model, data)
    assert cloth.position[:, 2].mean() > 1e-3
    position = cloth.position
    last = position.copy()
    del world, cloth
    gc.collect()
    np.testing.assert_array_equal(position, last)


def test_a_rope_carries_a_ball():
    model, data = load(BALL)
    world = soft.SoftWorld()
    rope = world.add(soft.CapsuleChain.straight((0, 0, 0), (0, 0, -0.4), 12), drag=2.0)
    rope.pin(0)
    rope.attach_to_site(model, data, 12, "top")
    world.step(model, data, 1000)
    assert abs(data.qacc[2]) < 1e-3 * 9.81
    assert np.abs(data.qvel).max() < 1e-3
    # its end is above the ball, and does not push it when it is let go
    rope.detach(12)
    world.step(model, data, 50)
    assert data.qvel[2] == pytest.approx(-0.981, rel=1e-6)


def test_bodies_touch_each_other_and_sleep():
    model, data = load(
        "<geom type='plane' size='1 1 1' priority='1' friction='1' solref='.004 1' solimp='.99 .999 .001'/>"
    )
    world = soft.SoftWorld()
    material = soft.Material(3e4, 0.3, 500, friction=1.0, damping=2e-2)
    lower, upper = (
        world.add(soft.SoftBody.block((2, 2, 2), (0.1,) * 3, material, pos=(0, 0, z)), drag=2.0, sleep=(2e-3, 0.1))
        for z in (0.05, 0.152)
    )
    world.step(model, data, 800)
    assert upper.position[:, 2].mean() > lower.position[:, 2].mean() + 0.09
    assert lower.asleep and upper.asleep
    assert lower.energy[0] == 0.0
    upper.wake()
    upper.velocity[:] = [0, 0, 0.5]
    world.step(model, data)
    assert not upper.asleep


def test_states_are_saved_restored_and_reset():
    model, data = load(FLOOR + "<body pos='0 0 .13'><freejoint/><geom type='box' size='.06 .06 .02' mass='.2'/></body>")
    world = soft.SoftWorld()
    block = world.add(soft.SoftBody.block((2, 2, 2), (0.1,) * 3, "Gelatin", pos=(0, 0, 0.05)))
    start = world.state(model, data)
    world.step(model, data, 20)
    middle = world.state(model, data)
    world.step(model, data, 20)
    end, position = world.state(model, data), block.position.copy()
    world.set_state(model, data, middle)
    world.step(model, data, 20)
    np.testing.assert_array_equal(world.state(model, data), end)
    np.testing.assert_array_equal(block.position, position)
    world.reset(model, data)
    np.testing.assert_array_equal(world.state(model, data), start)
    with pytest.raises(ValueError, match="the state has 3 entries"):
        world.set_state(model, data, np.zeros(3))


def test_presets_have_names():
    assert len(soft.Material.PRESETS) == 14
    assert (len(soft.Cloth.PRESETS), len(soft.SoftBody.PRESETS), len(soft.CapsuleChain.PRESETS)) == (6, 6, 5)
    assert soft.Material.preset("soft_tissue") == soft.Material.preset("SoftTissue")
    with pytest.raises(ValueError, match="unknown cloth 'velvet': take one of Cotton"):
        soft.Cloth.grid((1, 1), (1, 1), "velvet")


def test_mistakes_name_the_element():
    model, data = load(BALL)
    world = soft.SoftWorld()
    tetrahedron = np.vstack([np.zeros(3), np.eye(3)])
    rubber = soft.Material.preset("Rubber")
    for cells, message in [
        ([[0, 1, 3, 2]], "tetrahedron 0 is inverted"),
        ([[0, 1, 2, 4]], "tetrahedron 0 has the vertices"),
        ([[0, 1, 2, -1]], "tetrahedron 0 has the vertices"),
    ]:
        with pytest.raises(ValueError, match=message):
            world.add(soft.SoftBody(tetrahedron, cells, rubber))
    with pytest.raises(ValueError, match="triangle 0 is degenerate: its area"):
        world.add(soft.Cloth(np.zeros((3, 3)) + [[0], [1], [2]], [[0, 1, 2]], rubber, 1e-3))
    with pytest.raises(ValueError, match="vertex 1 is not a finite number"):
        world.add(soft.Cloth([[0, 0, 0], [np.nan, 0, 0], [0, 1, 0]], [[0, 1, 2]], rubber, 1e-3))
    with pytest.raises(TypeError, match=r"triangles must have shape \(n, 3\)"):
        world.add(soft.Cloth(tetrahedron, [0, 1, 2], rubber, 1e-3))
    with pytest.raises(ValueError, match="Poisson's ratio is 0.5"):
        world.add(soft.SoftBody(tetrahedron, [[0, 1, 2, 3]], soft.Material(1e5, 0.5, 1000)))
    with pytest.raises(TypeError, match="expected a Cloth"):
        world.add("cloth")
    assert len(world) == 0
    cloth = world.add(soft.Cloth.grid((1, 1), (1, 1), "Silk"))
    for hold in (cloth.pin, cloth.unpin, cloth.detach):
        with pytest.raises(IndexError, match="there is no vertex 4: there are 4"):
            hold(4)
    with pytest.raises(IndexError, match="there is no site 3: there are 1"):
        cloth.attach_to_site(model, data, 0, 3)
    cloth.velocity[2] = np.inf
    with pytest.raises(ValueError, match="velocity 2 is not a finite number"):
        world.step(model, data)
    # a model with an integrator that cannot take part
    other = kinetree.MjModel.from_xml_string("<mujoco><option integrator='RK4'/></mujoco>")
    cloth.velocity[2] = 0
    with pytest.raises(kinetree.FatalError, match="unsupported: deformable bodies with the integrator RK4"):
        world.step(other, kinetree.MjData(other))
    with pytest.raises(ValueError, match="the data was made for a model of other sizes"):
        world.step(model, kinetree.MjData(other))


def test_model_files_describe_bodies():
    text = """<mujoco><worldbody><geom type='plane' size='1 1 1'/></worldbody>
      <soft><cloth name='flag' preset='Membrane' cells='4 4' size='.2 .2' pos='0 0 .01' drag='2'/></soft></mujoco>"""
    model = kinetree.MjModel.from_xml_string(text)
    world = soft.SoftWorld.from_model(model)
    data = kinetree.MjData(model)
    world.step(model, data, 200)
    assert len(world) == 1
    assert abs(world[0].position[:, 2].min()) < 1e-3
    spec = kinetree.MjSpec.from_string(text)
    again = kinetree.MjModel.from_xml_string(spec.to_xml())
    assert len(soft.SoftWorld.from_model(again)) == 1
    assert '<cloth name="flag" preset="Membrane"' in spec.to_xml()
    with pytest.raises(ValueError, match=r"'velvet' is not a valid 'preset' of <cloth>\n --> <string>:2:40(?s:.*)one of: Cotton"):
        kinetree.MjModel.from_xml_string(text.replace("Membrane", "velvet"))


def test_a_step_of_the_model_alone_is_refused():
    text = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody><soft><rope name='r'/></soft></mujoco>"
    model = kinetree.MjModel.from_xml_string(text)
    data = kinetree.MjData(model)
    kinetree.mj_forward(model, data)
    for function in (kinetree.mj_step, kinetree.mj_step1, kinetree.mj_step2):
        with pytest.raises(kinetree.FatalError, match=r"kinetree.soft.SoftWorld.from_model\(model\)"):
            function(model, data)
    soft.SoftWorld.from_model(model).step(model, data)
    assert data.time == model.opt.timestep


def test_bodies_beyond_memory_are_refused():
    for make in (
        lambda: soft.SoftBody.block((1024,) * 3, (1, 1, 1)),
        lambda: soft.SoftBody.block((2**62, 1, 1), (1, 1, 1)),
        lambda: soft.Cloth.grid((4096, 4096), (1, 1)),
        lambda: soft.SoftBody.from_surface(np.vstack([np.zeros(3), np.eye(3)]), [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], 1e-6),
    ):
        with pytest.raises(ValueError, match="number of cells"):
            make()
    for segments in (0, 2**31, 2**80):
        with pytest.raises(ValueError, match="between one and a million"):
            soft.CapsuleChain.straight((0, 0, 0), (1, 0, 0), segments)


@pytest.mark.skipif(os.name != "posix", reason="signals are sent to this process")
def test_ctrl_c_ends_a_long_run():
    model, data = load(FLOOR)
    world = soft.SoftWorld()
    world.add(soft.Cloth.grid((4, 4), (0.2, 0.2), "Membrane", pos=(0, 0, 0.1)))
    # a shell that starts the tests in the background has them ignore the signal
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            world.step(model, data, 1_000_000_000)
        assert time.monotonic() - start < 10
    finally:
        signal.signal(signal.SIGINT, before)
    assert data.time > 0
    world.step(model, data)


def test_bodies_have_names_and_colours():
    text = "<mujoco><soft><cloth name='flag' rgba='1 .5 .25 1'/><rope name='line' preset='Hair'/></soft></mujoco>"
    world = soft.SoftWorld.from_model(kinetree.MjModel.from_xml_string(text))
    assert [body.name for body in world] == ["flag", "line"]
    assert world[0].rgba == [1, 0.5, 0.25, 1]
    world[1].rgba = (0, 0, 1, 0.5)
    assert world[1].rgba == [0, 0, 1, 0.5]
    with pytest.raises(ValueError, match="a number of rgba is 2"):
        world[1].rgba = (2, 0, 0, 1)
    foam = world.add(soft.SoftBody.block((1, 1, 1), (1, 1, 1), "Foam"))
    assert (foam.name, foam.rgba) != ("", world[0].rgba)
    assert world.add(soft.Cloth.grid((1, 1), (1, 1)), rgba=(0, 1, 0, 1)).rgba == [0, 1, 0, 1]


def test_pictures_show_bodies():
    text = """<mujoco><visual><headlight ambient='.5 .5 .5'/></visual><worldbody><camera name='above' pos='0 0 1'/>
      <geom type='plane' size='1 1 .1' rgba='0 0 1 1'/></worldbody></mujoco>"""
    model = kinetree.MjModel.from_xml_string(text)
    data = kinetree.MjData(model)
    kinetree.mj_forward(model, data)
    world = soft.SoftWorld()
    sheet = world.add(soft.Cloth.grid((4, 4), (0.4, 0.4), "Membrane", pos=(0, 0, 0.1)), rgba=(1, 0, 0, 1))
    try:
        renderer = kinetree.Renderer(model, 33, 33)
    except kinetree.FatalError as problem:
        if "no graphics adapter" in str(problem):
            pytest.skip(str(problem))
        raise
    with renderer:
        renderer.update_scene(data, "above")
        floor = renderer.render()[16, 16]
        assert floor[2] > 2 * int(floor[0])
        renderer.update_scene(data, "above", soft=world)
        assert renderer.scene.geoms[renderer.scene.ngeom - 1].type == kinetree.mjtGeom.mjGEOM_FLEX
        colour = renderer.render()[16, 16]
        assert colour[0] > 2 * int(colour[2])
        renderer.enable_depth_rendering()
        assert renderer.render()[16, 16] == pytest.approx(0.9, abs=1e-3)
        # what is drawn follows the body
        sheet.position[:, 2] += 0.2
        renderer.update_scene(data, "above", soft=world)
        assert renderer.render()[16, 16] == pytest.approx(0.7, abs=1e-3)
        with pytest.raises(TypeError, match="soft must be a kinetree.soft.SoftWorld"):
            renderer.update_scene(data, "above", soft=[world])


def test_networks_keep_distances_and_volumes():
    model, data = load("")
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    network = soft.Network(corners, 0.1).volume((0, 1, 2, 3))
    for pair in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]:
        network.distance(pair)
    world = soft.SoftWorld()
    body = world.add(network)
    body.pin(0)
    world.step(model, data, 50)
    assert np.linalg.norm(body.position[1] - body.position[0]) == pytest.approx(1, abs=1e-3)
    assert body.position[1, 2] < -1e-3
    with pytest.raises(IndexError, match="no vertex 7"):
        network.distance((0, 7))
    with pytest.raises(ValueError, match="expected 4 vertices"):
        network.dihedral((0, 1))
    with pytest.raises(ValueError, match="compliance"):
        world.add(soft.Network(corners, 0.1).distance((0, 1), compliance=-1))
    with pytest.raises(ValueError, match="mass"):
        world.add(soft.Network(corners, 0))


def test_bones_move_a_mesh():
    bones = [soft.Bone("upper"), soft.Bone("lower", 0, (1, 0, 0))]
    position, triangles = [[0, 0, 0], [1, 0.1, 0], [2, 0, 0]], [[0, 1, 2]]
    mesh = soft.SkinnedMesh(bones, position, triangles, [[1, 0], [1, 1], [0, 1]])
    turned = [np.cos(np.pi / 4), 0, 0, np.sin(np.pi / 4)]
    for method in ("dual", "linear"):
        vertices, normals = mesh.deform([[0, 0, 0], [1, 0, 0]], [[1, 0, 0, 0], turned], method, local=True)
        np.testing.assert_allclose(vertices[[0, 2]], [[0, 0, 0], [1, 1, 0]], atol=1e-12)
        assert normals.shape == (3, 3)
    np.testing.assert_allclose(soft.vertex_normals(position, triangles), [[0, 0, -1]] * 3)
    with pytest.raises(ValueError, match="take 'dual' or 'linear'"):
        mesh.deform([[0, 0, 0]] * 2, [[1, 0, 0, 0]] * 2, "best")
    with pytest.raises(ValueError, match="row 1 of orientation"):
        mesh.deform([[0, 0, 0]] * 2, [[1, 0, 0, 0], [0, 0, 0, 0]])
    with pytest.raises(TypeError, match="weights must have shape"):
        soft.SkinnedMesh(bones, position, triangles, [[1, 0]])
