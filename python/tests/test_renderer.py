"""Pictures from Python: `Renderer`, `MjrContext` and the functions that draw."""

import kinetree as mujoco
import numpy as np
import pytest
from kinetree.batch import BatchSim

XML = """
<mujoco>
  <visual><map znear="0.01" zfar="100"/></visual>
  <statistic extent="1"/>
  <worldbody>
    <camera name="above" pos="0 0 3"/>
    <geom name="ball" size="0.5" rgba="1 0 0 1"/>
    <body pos="0.8 0 0"><geom name="box" type="box" size=".2 .2 .2" rgba="0 0 1 .5"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def world():
    """A model and its data; skips where nothing can be drawn."""
    model = mujoco.MjModel.from_xml_string(XML)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    try:
        mujoco.Renderer(model).close()
    except mujoco.FatalError as problem:
        if "no graphics adapter" in str(problem):
            pytest.skip(str(problem))
        raise
    return model, data


def test_colours_distances_and_objects(world):
    model, data = world
    with mujoco.Renderer(model, 60, 80) as renderer:
        renderer.update_scene(data, "above")
        color = renderer.render()
        assert color.shape == (60, 80, 3) and color.dtype == np.uint8
        assert color[30, 40, 0] > 50 and color[30, 40, 2] < color[30, 40, 0]
        renderer.enable_depth_rendering()
        depth = renderer.render()
        assert depth.shape == (60, 80) and depth.dtype == np.float32
        assert depth[30, 40] == pytest.approx(2.5, abs=0.01)
        assert depth[0, 0] == pytest.approx(100, rel=1e-5)
        renderer.enable_segmentation_rendering()
        objects = renderer.render()
        assert objects.shape == (60, 80, 2) and objects.dtype == np.int32
        assert tuple(objects[30, 40]) == (0, mujoco.mjtObj.mjOBJ_GEOM)
        assert tuple(objects[0, 0]) == (-1, -1)
        assert 1 in objects[..., 0], "transparent objects are seen too"
        renderer.disable_segmentation_rendering()
        assert np.array_equal(renderer.render(), color), "flags of the scene are as before"


def test_out_and_errors(world):
    model, data = world
    with pytest.raises(ValueError, match="width 4000 > framebuffer width"):
        mujoco.Renderer(model, 10, 4000)
    renderer = mujoco.Renderer(model, 20, 30)
    renderer.update_scene(data)
    out = np.zeros((20, 30, 3), np.uint8)
    assert renderer.render(out=out) is out and out.any()
    with pytest.raises(ValueError, match="out.shape"):
        renderer.render(out=np.zeros((30, 20, 3), np.uint8))
    for camera, text in (("nowhere", 'camera "nowhere" does not exist'), (7, "7 is out of range"), (-2, "-2 is out of range")):
        with pytest.raises(ValueError, match=text):
            renderer.update_scene(data, camera)
    renderer.close()
    renderer.close()
    with pytest.raises(RuntimeError, match="after close"):
        renderer.render()


def test_context_reads_what_was_rendered(world):
    model, data = world
    scene = mujoco.MjvScene(model, 100)
    camera = mujoco.MjvCamera()
    camera.type, camera.fixedcamid = int(mujoco.mjtCamera.mjCAMERA_FIXED), 0
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, camera, 7, scene)
    context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
    left, right = mujoco.MjrRect(0, 0, 64, 48), mujoco.MjrRect(64, 0, 64, 48)
    mujoco.mjr_render(left, scene, context)
    scene.geoms[0].rgba[:] = 0, 1, 0, 1
    mujoco.mjr_render(right, scene, context)
    scene.ngeom = 0
    rgb, depth = np.zeros((48, 128, 3), np.uint8), np.zeros((48, 128), np.float32)
    mujoco.mjr_readPixels(rgb, depth, mujoco.MjrRect(0, 0, 128, 48), context)
    assert rgb[24, 32, 0] > 100 > rgb[24, 32, 1] and rgb[24, 96, 1] > 100 > rgb[24, 96, 0]
    near, far = 0.01, 100
    expected = 1 - near * (far / 2.5 - 1) / (far - near)
    assert depth[24, 32] == pytest.approx(expected, abs=1e-5) and depth[0, 0] == 1
    context.readDepthMap = mujoco.mjtDepthMap.mjDEPTH_ZEROFAR
    mujoco.mjr_readPixels(None, depth, mujoco.MjrRect(0, 0, 128, 48), context)
    assert depth[24, 32] == pytest.approx(1 - expected, abs=1e-5) and depth[0, 0] == 0
    with pytest.raises(TypeError, match="rgb has"):
        mujoco.mjr_readPixels(np.zeros(3, np.uint8), None, left, context)
    with pytest.raises(mujoco.FatalError, match="beyond the buffer"):
        mujoco.mjr_readPixels(rgb, None, mujoco.MjrRect(0, 0, 1280, 480), context)


def test_rectangles_and_text(world):
    model, _ = world
    context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_150)
    full = mujoco.mjr_maxViewport(context)
    mujoco.mjr_rectangle(full, 0, 0, 0, 1)
    mujoco.mjr_rectangle(mujoco.MjrRect(10, 20, 30, 40), 0, 0, 1, 1)
    rgb = np.zeros((full.height, full.width, 3), np.uint8)
    mujoco.mjr_readPixels(rgb, None, full, context)
    expected = np.zeros_like(rgb)
    expected[20:60, 10:40, 2] = 255
    assert np.array_equal(rgb, expected)
    mujoco.mjr_overlay(
        mujoco.mjtFont.mjFONT_NORMAL, mujoco.mjtGridPos.mjGRID_TOPRIGHT, full, "time\nenergy", "1.5\n2.5", context
    )
    mujoco.mjr_readPixels(rgb, None, full, context)
    assert (rgb[-60:, -200:] == 255).all(-1).sum() > 100, "letters are white"
    # texts may be bytes, as dm_control's are
    same = np.zeros_like(rgb)
    mujoco.mjr_rectangle(full, 0, 0, 0, 1)
    mujoco.mjr_rectangle(mujoco.MjrRect(10, 20, 30, 40), 0, 0, 1, 1)
    mujoco.mjr_overlay(
        mujoco.mjtFont.mjFONT_NORMAL, mujoco.mjtGridPos.mjGRID_TOPRIGHT, full, b"time\nenergy", b"1.5\n2.5", context
    )
    mujoco.mjr_text(mujoco.mjtFont.mjFONT_NORMAL, b"", context, 0, 0, 1, 1, 1)
    mujoco.mjr_readPixels(same, None, full, context)
    assert np.array_equal(same, rgb)
    context.free()
    context.free()
    with pytest.raises(RuntimeError, match="freed"):
        mujoco.mjr_readPixels(rgb, None, full, context)


def test_a_scene_may_be_subclassed_with_other_arguments(world):
    model, data = world

    class Short(mujoco.MjvScene):
        """As programs do that count the geoms they need, and show only those in use."""

        def __init__(self, world, spare=2):
            super().__init__(world, world.ngeom + spare)

        @property
        def geoms(self):
            return super().geoms[: super().ngeom]

    scene = Short(world=model, spare=8)
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, mujoco.MjvCamera(), 7, scene)
    assert scene.maxgeom == 10 and len(scene.geoms) == scene.ngeom == 2
    with pytest.raises(ValueError, match="initialized twice"):
        scene.__init__(model)


def test_auxiliary_buffers_are_drawn_to_and_copied(world):
    model, data = world
    scene = mujoco.MjvScene(model, 100)
    camera = mujoco.MjvCamera()
    camera.type, camera.fixedcamid = int(mujoco.mjtCamera.mjCAMERA_FIXED), 0
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, camera, 7, scene)
    context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
    small = mujoco.MjrRect(0, 0, 40, 30)
    mujoco.mjr_addAux(3, 40, 30, 0, context)
    mujoco.mjr_setAux(3, context)
    mujoco.mjr_render(small, scene, context)
    there = np.zeros((30, 40, 3), np.uint8)
    mujoco.mjr_readPixels(there, None, small, context)
    with pytest.raises(mujoco.FatalError, match="beyond the buffer of 40 x 30"):
        mujoco.mjr_readPixels(np.zeros((30, 41, 3), np.uint8), None, mujoco.MjrRect(0, 0, 41, 30), context)
    mujoco.mjr_blitAux(3, small, 100, 50, context)
    here = np.zeros((30, 40, 3), np.uint8)
    mujoco.mjr_readPixels(here, None, mujoco.MjrRect(100, 50, 40, 30), context)
    assert there.any() and np.array_equal(here, there)
    mujoco.mjr_readPixels(here, None, small, context)
    assert not here.any(), "the offscreen buffer was not drawn to elsewhere"
    with pytest.raises(mujoco.FatalError, match="auxiliary buffer 10"):
        mujoco.mjr_setAux(10, context)


def test_figures_show_lines_in_their_colours(world):
    context = mujoco.MjrContext(world[0], mujoco.mjtFontScale.mjFONTSCALE_150)
    figure = mujoco.MjvFigure()
    mujoco.mjv_defaultFigure(figure)
    figure.title, figure.xlabel = "height", "time"
    figure.flg_extend, figure.gridsize[:] = 1, (3, 5)
    figure.range[:] = (0, 0), (0, 0)
    figure.linename[0] = b"ball"
    time = np.linspace(0, 4, 50)
    figure.linepnt[0], figure.linedata[0, :100] = 50, np.stack([time, time**2], 1).ravel()
    rect = mujoco.MjrRect(10, 20, 200, 120)
    mujoco.mjr_figure(rect, figure, context)
    assert figure.xaxisdata.tolist() == [0, 4] and figure.yaxisdata.tolist() == [0, 16]
    rgb = np.zeros((120, 200, 3), np.uint8)
    mujoco.mjr_readPixels(rgb, None, rect, context)
    line = np.rint(255 * figure.linergb[0]).astype(int)
    rows, columns = np.nonzero((np.abs(rgb.astype(int) - line) < 2).all(-1))
    # the parabola passes through a quarter of the height in the middle of the axis; the legend is above it
    x = (figure.xaxispixel.mean() - 10).astype(int)
    y = figure.yaxispixel[0] - 20 + 0.25 * np.ptp(figure.yaxispixel)
    assert abs(rows[columns == x].min() - y) < 4, (rows[columns == x], y)
    figure.flg_barplot = 1
    mujoco.mjr_figure(mujoco.MjrRect(-5, -5, 20, 20), figure, context)
    mujoco.mjr_figure(mujoco.MjrRect(5000, 0, 20, 20), figure, context)


def test_batches_show_what_single_pictures_show(world):
    model, data = world
    datas = [mujoco.MjData(model) for _ in range(3)]
    for d in datas:
        mujoco.mj_forward(model, d)
    with mujoco.BatchRenderer(model, 30, 40, cameras=("above", -1)) as renderer, mujoco.Renderer(model, 30, 40) as single:
        pixels = renderer.render(datas)
        assert pixels.shape == (3, 2, 30, 40, 3) and pixels.dtype == np.uint8
        for camera, seen in (("above", 0), (-1, 1)):
            # twice: endless planes are centred at where the camera was before
            for _ in range(2):
                single.update_scene(data, camera)
            np.testing.assert_array_equal(pixels[1, seen], single.render())
        out = np.zeros_like(pixels)
        assert renderer.render(datas, out=out) is out and (out == pixels).all()
        batch = mujoco.batch.BatchSim(model, 5)
        batch.forward()
        np.testing.assert_array_equal(renderer.render(batch)[4], pixels[0])
        assert renderer.render([]).shape == (0, 2, 30, 40, 3)
        single.enable_depth_rendering()
        np.testing.assert_array_equal(renderer.render_depth(datas)[1, 1], single.render())
        single.enable_segmentation_rendering()
        np.testing.assert_array_equal(renderer.render_segmentation(batch)[0, 1], renderer.render_segmentation(datas)[0, 1])
        np.testing.assert_array_equal(renderer.render_segmentation(datas)[1, 1], single.render())
        assert renderer.render_depth([]).shape == (0, 2, 30, 40) and renderer.render_depth([]).dtype == np.float32
        with pytest.raises(ValueError, match="out.shape"):
            renderer.render(datas, out=np.zeros(3))
    with pytest.raises(RuntimeError, match="after close"):
        renderer.render(datas)
    with pytest.raises(ValueError, match="does not exist"):
        mujoco.BatchRenderer(model, cameras=("nowhere",))


def test_a_picture_that_is_too_large_leaves_nothing_behind(model, data):
    mujoco.mj_forward(model, data)
    context, scene = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100), mujoco.MjvScene(model, 100)
    option, camera = mujoco.MjvOption(), mujoco.MjvCamera()
    mujoco.mjv_updateScene(model, data, option, None, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
    small = mujoco.MjrRect(0, 0, 32, 24)
    pixels, again = np.zeros((24, 32, 3), np.uint8), np.zeros((24, 32, 3), np.uint8)
    mujoco.mjr_render(small, scene, context)
    mujoco.mjr_readPixels(pixels, None, small, context)
    with pytest.raises(mujoco.FatalError, match="10000000"):
        mujoco.mjr_render(mujoco.MjrRect(0, 0, 10_000_000, 10_000_000), scene, context)
    mujoco.mjr_render(small, scene, context)
    mujoco.mjr_readPixels(again, None, small, context)
    assert np.array_equal(pixels, again) and pixels.any()


def test_batches_of_models_that_look_different_are_refused():
    def painted(color, size):
        return mujoco.MjModel.from_xml_string(f"""<mujoco><asset>
            <texture name='t' type='2d' builtin='flat' rgb1='{color}' width='2' height='2'/><material name='p' texture='t'/>
            <mesh name='m' vertex='0 0 0  1 0 0  0 1 0  0 0 {size}'/></asset>
            <worldbody><geom size='.1' material='p'/><geom type='mesh' mesh='m'/></worldbody></mujoco>""")

    with mujoco.renderer.BatchRenderer(painted("1 0 0", 1), 8, 8) as renderer:
        renderer.render(BatchSim(painted("1 0 0", 1), 2, nthread=1))
        for other in (painted("0 1 0", 1), painted("1 0 0", 2)):
            with pytest.raises(ValueError, match="another model than the renderer"):
                renderer.render(BatchSim(other, 2, nthread=1))
