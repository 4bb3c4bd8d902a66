"""Finds the friction coefficient and the mass of a block from a trajectory: `python identify.py [--plot FILE]`.

The block slides over a floor under a known push. Friction alone slows it by `μ g`, the push speeds it up by `F / m`, so that a push that comes and
goes tells both. The trajectory is cut into segments that begin at measured states (multiple shooting): a guess of the friction that would hold the
block at rest from the start still slides in every segment in which the true block slides, and so has a gradient. The loss is the squared distance
from the measured positions; its gradient with respect to `geom_friction`, `body_mass` and `dof_M0` comes from sweeps backwards through all contacts
(`kinetree.grad.rollout_vjp`).
"""

import argparse

import kinetree
import numpy as np
from kinetree import grad

XML = """
<mujoco><option timestep="0.005" cone="elliptic" impratio="10"/><worldbody><geom type="plane" size="5 5 1" priority="0"/>
  <body pos="0 0 0.1"><joint name="x" type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
    <geom type="box" size="0.2 0.2 0.1" priority="1" mass="1"/></body></worldbody>
  <actuator><motor joint="x"/></actuator></mujoco>"""
STEPS, SEGMENT = 300, 20
TRUE_FRICTION, TRUE_MASS = 0.35, 1.7


def push():
    """The known force."""
    t = np.arange(STEPS) * 0.005
    return (9 * (t < 0.5) + 2 * np.sin(9 * t))[:, None]


def set_parameters(model, friction, mass):
    """Writes a guess to the model."""
    model.geom_friction[1, 0], model.body_mass[1] = friction, mass
    # the inertia matrix of a body that only slides is a constant of the model
    model.dof_M0[:] = mass


def start(model, state):
    """Data at a measured state."""
    data = kinetree.MjData(model)
    data.qpos[:], data.qvel[:] = state
    return data


def simulate(model, data, forces):
    """States before the first and after each step."""
    qpos, qvel = [data.qpos.copy()], [data.qvel.copy()]
    for force in forces:
        data.ctrl[:] = force
        kinetree.mj_step(model, data)
        qpos.append(data.qpos.copy())
        qvel.append(data.qvel.copy())
    return np.array(qpos), np.array(qvel)


def loss_and_gradient(model, parameters, measured):
    """Mean squared error in mm², and its gradient with respect to the logarithms of friction and mass."""
    friction, mass = np.exp(parameters)
    set_parameters(model, friction, mass)
    qpos, qvel = measured
    forces, loss, gradient = push(), 0.0, np.zeros(2)
    for first in range(0, STEPS, SEGMENT):
        last, state = first + SEGMENT, (qpos[first], qvel[first])
        found, _ = simulate(model, start(model, state), forces[first:last])
        error = found[1:, 0] - qpos[first + 1 : last + 1, 0]
        state_gradients = np.zeros((SEGMENT, 2 * model.nv))
        state_gradients[:, 0] = 2 * error / STEPS
        _, _, fields = grad.rollout_vjp(
            model, start(model, state), forces[first:last], state_gradients, ["geom_friction", "body_mass", "dof_M0"])
        loss += np.sum(error**2) / STEPS
        gradient += [fields["geom_friction"][1, 0] * friction, (fields["body_mass"][1] + fields["dof_M0"].sum()) * mass]
    # a segment is short: millimetres, not metres
    return 1e6 * loss, 1e6 * gradient


def bfgs(function, x, iterations=60, tolerance=1e-14):
    """Quasi-Newton method with a backtracking line search; returns the point and all losses."""
    inverse, (value, gradient) = np.eye(len(x)), function(x)
    values = [value]
    for _ in range(iterations):
        direction = -inverse @ gradient
        direction *= min(1.0, 0.5 / np.abs(direction).max())
        for step in 0.5 ** np.arange(20):
            trial, new_gradient = function(x + step * direction)
            if trial < value + 1e-4 * step * gradient @ direction:
                break
        else:
            break
        s, y = step * direction, new_gradient - gradient
        x, value, gradient = x + s, trial, new_gradient
        values.append(value)
        if s @ y > 1e-18:
            v = np.eye(len(x)) - np.outer(s, y) / (s @ y)
            inverse = v @ inverse @ v.T + np.outer(s, s) / (s @ y)
        if value < tolerance:
            break
    return x, values


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--plot", help="write the losses of all seeds to this picture")
    arguments = parser.parse_args()
    model = kinetree.MjModel.from_xml_string(XML)
    set_parameters(model, TRUE_FRICTION, TRUE_MASS)
    measured = simulate(model, kinetree.MjData(model), push())
    curves, found = [], 0
    for seed in range(arguments.seeds):
        guess = np.log([0.35, 1.7]) + np.random.default_rng(seed).uniform(-0.9, 0.9, 2)
        x, losses = bfgs(lambda p: loss_and_gradient(model, p, measured), guess)
        friction, mass = np.exp(x)
        good = abs(friction / TRUE_FRICTION - 1) < 1e-2 and abs(mass / TRUE_MASS - 1) < 1e-2
        found += good
        curves.append(losses)
        print(f"seed {seed}: from friction {np.exp(guess[0]):.3f}, mass {np.exp(guess[1]):.3f} to {friction:.4f}, {mass:.4f} "
              f"in {len(losses) - 1} iterations, loss {losses[-1]:.1e}{'' if good else '  FAILED'}")
    print(f"found by {found} of {arguments.seeds} seeds")
    if arguments.plot:
        from plot import curves_by_iteration

        curves_by_iteration(arguments.plot, curves, "mean squared error, mm²", "friction and mass of a sliding block")


if __name__ == "__main__":
    main()
