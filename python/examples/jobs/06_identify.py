"""Finds the mass and the damping of a pendulum from how it swings."""

import kinetree
import numpy as np
from kinetree import minimize, rollout

XML = """
<mujoco>
  <worldbody><body name="bob"><joint axis="0 1 0" damping="{damping}"/><geom pos="0 0 -.5" size=".05" mass="{mass}"/></body></worldbody>
  <actuator><motor joint="0"/></actuator>
</mujoco>
"""
XML = XML.replace('<joint axis', '<joint name="hinge" axis').replace('joint="0"', 'joint="hinge"')
controls = np.sin(np.linspace(0, 12, 300))[None, :, None]


def swing(mass, damping):
    """Angles of the pendulum under known torques."""
    model = kinetree.MjModel.from_xml_string(XML.format(mass=mass, damping=damping))
    data = kinetree.MjData(model)
    size = kinetree.mj_stateSize(model, kinetree.mjtState.mjSTATE_FULLPHYSICS)
    state = np.zeros(size)
    kinetree.mj_getState(model, data, state, kinetree.mjtState.mjSTATE_FULLPHYSICS)
    states, _ = rollout.rollout(model, data, state, controls)
    return states[0, :, 1]


measured = swing(0.7, 0.12) + 1e-4 * np.random.default_rng(0).standard_normal(300)
guess = np.array([1.5, 0.5])


def residual(parameters):
    """Differences of angles, for one or several columns of parameters."""
    columns = parameters.reshape(2, -1).T
    return np.array([swing(*column) - measured for column in columns]).T.reshape(300, *parameters.shape[1:])


found, _ = minimize.least_squares(guess, residual, bounds=[np.full(2, 1e-3), np.full(2, 5.0)], verbose=minimize.Verbosity.SILENT)
print(f"mass {found[0]:.4f} kg (0.7), damping {found[1]:.4f} N m s (0.12)")
np.testing.assert_allclose(found, [0.7, 0.12], rtol=0.02)
