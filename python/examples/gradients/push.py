"""Pushes a disk to a target with a finger, by gradients through contact: `python push.py [--plot FILE]`.

The finger follows a position command; its path is all that is optimised, by Adam on gradients of `kinetree.grad.rollout_vjp`. It begins
in contact, since without one the disk does not depend on the finger, and there is no gradient to follow.
"""

import argparse

import kinetree
import numpy as np
from kinetree import grad

XML = """
<mujoco><option timestep="0.01" integrator="implicitfast" gravity="0 0 0"/>
 <default><joint damping="2"/><geom type="sphere" mass="0.5" solref="0.04 1"/></default>
 <worldbody>
  <body><joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/><geom size="0.1"/></body>
  <body pos="-0.149 0 0"><joint name="fx" type="slide" axis="1 0 0"/><joint name="fy" type="slide" axis="0 1 0"/><geom size="0.05"/></body>
 </worldbody>
 <actuator><position joint="fx" kp="60" kv="8"/><position joint="fy" kp="60" kv="8"/></actuator></mujoco>"""
STEPS = 150


def loss_and_gradient(model, path, target):
    """Squared distance of the disk from the target at the end, speed included, with a small cost on moving fast, and its gradient."""
    data = kinetree.MjData(model)
    for command in path:
        data.ctrl[:] = command
        kinetree.mj_step(model, data)
    off = data.qpos[:2] - target
    moves = np.diff(path, axis=0, prepend=np.zeros((1, 2)))
    gradients = np.zeros((STEPS, 2 * model.nv))
    gradients[-1, :2], gradients[-1, model.nv:model.nv + 2] = 2 * off, 0.1 * data.qvel[:2]
    _, du = grad.rollout_vjp(model, kinetree.MjData(model), path, gradients)
    smooth = 2 * 0.3 * (moves - np.append(moves[1:], np.zeros((1, 2)), axis=0))
    return off @ off + 0.05 * data.qvel[:2] @ data.qvel[:2] + 0.3 * np.sum(moves**2), du + smooth, np.linalg.norm(off)


def adam(function, x, iterations=400, rate=0.01):
    """Adam (Kingma and Ba, 2015); returns the best point and all losses."""
    first, second, losses, best = np.zeros_like(x), np.zeros_like(x), [], (np.inf, x, np.inf)
    for k in range(1, iterations + 1):
        value, gradient, off = function(x)
        losses.append(value)
        if value < best[0]:
            best = (value, x.copy(), off)
        first, second = 0.9 * first + 0.1 * gradient, 0.99 * second + 0.01 * gradient**2
        x = x - rate * (first / (1 - 0.9**k)) / (np.sqrt(second / (1 - 0.99**k)) + 1e-9)
    return best, losses


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--plot", help="write the losses of all seeds to this picture")
    arguments = parser.parse_args()
    model = kinetree.MjModel.from_xml_string(XML)
    curves, reached = [], 0
    for seed in range(arguments.seeds):
        random = np.random.default_rng(seed)
        target = np.array([random.uniform(0.2, 0.5), random.uniform(-0.15, 0.15)])
        ramp = np.linspace(0, 1, STEPS)[:, None]
        path = ramp * np.array([0.15, 0.0]) + 0.002 * random.normal(size=2) * ramp
        (_, _, off), losses = adam(lambda p, target=target: loss_and_gradient(model, p, target), path)
        good = off < 0.02
        reached += good
        curves.append(losses)
        print(f"seed {seed}: target {np.round(target, 3)}, off by {off:.4f} m, loss {losses[0]:.4f} to {min(losses):.5f}{'' if good else '  FAILED'}")
    print(f"reached with {reached} of {arguments.seeds} seeds")
    if arguments.plot:
        from plot import curves_by_iteration

        curves_by_iteration(arguments.plot, curves, "loss", "pushing a disk to a target")


if __name__ == "__main__":
    main()
