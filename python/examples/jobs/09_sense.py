"""Reads sensors of a car in a room: distances all around, acceleration, and how sure they are."""

import kinetree
import numpy as np

sites = "".join(f'<site name="ray{i}" zaxis="{np.cos(a):.6f} {np.sin(a):.6f} 0"/>' for i, a in enumerate(np.linspace(0, 2 * np.pi, 24, False)))
rays = "".join(f'<rangefinder site="ray{i}"/>' for i in range(24))
model = kinetree.MjModel.from_xml_string(f"""
<mujoco>
  <worldbody>
    <geom type="box" size=".1 2 .5" pos="2 0 0"/><geom type="box" size=".1 2 .5" pos="-2 0 0"/>
    <geom type="box" size="2 .1 .5" pos="0 1 0"/><geom type="box" size="2 .1 .5" pos="0 -1 0"/>
    <body name="car"><joint type="slide" axis="1 0 0"/><geom type="box" size=".1 .1 .05"/><site name="imu"/>{sites}</body>
  </worldbody>
  <sensor>{rays}<accelerometer name="imu" site="imu" noise="0.05"/></sensor>
</mujoco>""")
data = kinetree.MjData(model)
data.qfrc_applied[0] = 2.0
kinetree.mj_step(model, data, nstep=100)
distances = data.sensordata[:24]
noise = np.random.default_rng(0).normal(0, model.sensor("imu").noise[0], (1000, 3))
measured = data.sensor("imu").data + noise
print(f"walls at {distances[0]:.2f} m ahead and {distances[6]:.2f} m aside; acceleration {measured.mean(axis=0).round(2)}")
np.testing.assert_allclose([distances[0], distances[12]], [1.9 - data.qpos[0], 1.9 + data.qpos[0]], atol=0.01)
np.testing.assert_allclose(distances[6], 0.9, atol=0.01)
