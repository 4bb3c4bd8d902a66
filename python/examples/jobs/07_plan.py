"""Swings a pole up by planning: random controls are tried in many rollouts, and the best ones averaged."""

import kinetree
import numpy as np
from kinetree import rollout

XML = """
<mujoco>
  <option timestep="0.02" integrator="implicitfast"/>
  <worldbody><body><joint name="hinge" axis="0 1 0" damping=".05"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".03"/></body></worldbody>
  <actuator><motor joint="hinge" ctrlrange="-1 1" gear="2"/></actuator>
</mujoco>
"""
model = kinetree.MjModel.from_xml_string(XML)
data = kinetree.MjData(model)
FULL = kinetree.mjtState.mjSTATE_FULLPHYSICS
state = np.zeros(kinetree.mj_stateSize(model, FULL))
random, plan = np.random.default_rng(0), np.zeros(40)
with rollout.Rollout(nthread=2) as roll:
    workers = [kinetree.MjData(model) for _ in range(2)]
    for _step in range(200):
        kinetree.mj_getState(model, data, state, FULL)
        tried = np.clip(plan + 0.5 * random.standard_normal((64, 40)), -1, 1)
        states, _ = roll.rollout(model, workers, np.tile(state, (64, 1)), tried[..., None])
        angle, velocity = states[..., 1], states[..., 2]
        cost = np.sum(1 + np.cos(angle) + 0.02 * velocity**2, axis=1)
        weights = np.exp(-(cost - cost.min()) / (0.1 * cost.std() + 1e-9))
        plan = weights @ tried / weights.sum()
        data.ctrl[0] = plan[0]
        kinetree.mj_step(model, data)
        plan = np.append(plan[1:], 0.0)
height = -np.cos(data.qpos[0])
print(f"after {data.time:.1f} s the pole is at {height:.2f} of its height")
assert height > 0.9
