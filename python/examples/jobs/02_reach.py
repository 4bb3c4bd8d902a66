"""Finds joint angles with which an arm reaches targets, and drives it there."""

import pathlib

import kinetree
import numpy as np
from kinetree import ik

XML = """
<mujoco>
  <option gravity="0 0 0"/>
  <default><joint damping="2"/><geom type="capsule" size=".03"/><position kp="80"/></default>
  <worldbody>
    <body name="base"><joint name="j0" axis="0 0 1" range="-180 180"/><geom fromto="0 0 0 0 0 .3"/>
      <body pos="0 0 .3"><joint name="j1" axis="0 1 0" range="-120 120"/><geom fromto="0 0 0 0 0 .4"/>
        <body pos="0 0 .4"><joint name="j2" axis="0 1 0" range="-150 150"/><geom fromto="0 0 0 0 0 .3"/>
          <body name="hand" pos="0 0 .3"/>
        </body></body></body>
  </worldbody>
  <actuator><position joint="j0"/><position joint="j1"/><position joint="j2"/></actuator>
</mujoco>
"""
model = kinetree.MjModel.from_xml_string(XML)
data = kinetree.MjData(model)
configuration = ik.Configuration(model)
task = ik.FrameTask("hand", "body", position_cost=1.0, orientation_cost=0.0)
for target in ([0.3, 0.2, 0.6], [-0.2, 0.35, 0.5], [0.1, -0.4, 0.4]):
    task.set_target(target, [1, 0, 0, 0])
    for _ in range(200):
        velocity = ik.solve_ik(configuration, [task], dt=0.05)
        configuration.integrate_inplace(velocity, 0.05)
    data.ctrl[:] = configuration.q
    kinetree.mj_step(model, data, nstep=2000)
    error = np.linalg.norm(data.body("hand").xpos - target)
    print(f"{pathlib.Path(__file__).stem}: the hand is {1000 * error:.2f} mm from {target}")
    assert error < 0.01
