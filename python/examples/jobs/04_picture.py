"""Draws a scene: colours, distances, and which geom each pixel shows."""

import pathlib

import kinetree
import numpy as np

MODELS = pathlib.Path(__file__).parents[3] / "models" / "showcase"
model = kinetree.MjModel.from_xml_path(MODELS / "arm.xml")
data = kinetree.MjData(model)
kinetree.mj_forward(model, data)
try:
    renderer = kinetree.Renderer(model, 240, 320)
except kinetree.FatalError as problem:
    print(f"no pictures here: {problem}")
else:
    with renderer:
        renderer.update_scene(data)
        colors = renderer.render()
        renderer.enable_depth_rendering()
        depth = renderer.render()
        renderer.disable_depth_rendering()
        renderer.enable_segmentation_rendering()
        objects = renderer.render()
    geoms = np.unique(objects[..., 0][objects[..., 1] == int(kinetree.mjtObj.mjOBJ_GEOM)])
    print(f"a picture of {colors.shape}, nearest point at {depth.min():.2f} m, {len(geoms)} geoms in sight")
    assert colors.std() > 10 and len(geoms) > 5
