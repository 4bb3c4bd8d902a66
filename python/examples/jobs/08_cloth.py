"""Lets a sheet fall over a ball."""

import kinetree
import numpy as np
from kinetree import soft

model = kinetree.MjModel.from_xml_string("""
<mujoco><worldbody><geom type="plane" size="2 2 .1"/><geom name="ball" type="sphere" pos="0 0 .3" size=".3"/></worldbody></mujoco>
""")
data = kinetree.MjData(model)
world = soft.SoftWorld()
sheet = world.add(soft.Cloth.grid((12, 12), (1.0, 1.0), pos=(0, 0, 0.7)))
while data.time < 1.0:
    world.step(model, data)
above = np.linalg.norm(sheet.position - [0, 0, 0.3], axis=1).min()
print(f"the sheet hangs from {sheet.position[:, 2].max():.2f} m to {sheet.position[:, 2].min():.2f} m")
assert above > 0.29
