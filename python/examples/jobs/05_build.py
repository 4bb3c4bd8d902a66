"""Builds a table with four cups from parts, writes it as MJCF, and changes it while it is simulated."""

import kinetree
import numpy as np

cup = kinetree.MjSpec()
body = cup.worldbody.add_body(name="cup")
body.add_freejoint()
body.add_geom(name="wall", type=kinetree.mjtGeom.mjGEOM_CYLINDER, size=[0.04, 0.05, 0], rgba=[0.8, 0.3, 0.2, 1])

scene = kinetree.MjSpec()
scene.modelname = "table"
scene.worldbody.add_geom(name="top", type=kinetree.mjtGeom.mjGEOM_BOX, size=[0.5, 0.5, 0.02], pos=[0, 0, 0.5])
for i in range(4):
    frame = scene.worldbody.add_frame(pos=[0.3 * np.cos(1.6 * i), 0.3 * np.sin(1.6 * i), 0.6])
    scene.attach(cup.copy(), frame=frame, prefix=f"{i}-")
model = scene.compile()
data = kinetree.MjData(model)
kinetree.mj_step(model, data, nstep=500)
assert kinetree.MjModel.from_xml_string(scene.to_xml()).nbody == model.nbody == 5

# one goes, the others stay where they are
before = data.body("3-cup").xpos.copy()
scene.delete(scene.body("0-cup"))
model, data = scene.recompile(model, data)
kinetree.mj_forward(model, data)
print(f"{model.nbody - 1} cups are left; the last one stands at {np.round(data.body('3-cup').xpos, 3)}")
np.testing.assert_allclose(data.body("3-cup").xpos, before, atol=1e-6)
