"""Swings a pole on a cart up by iLQR: `python swing_up.py [--plot FILE]`."""

import argparse

import ilqr
import kinetree
import numpy as np

XML = """
<mujoco><option timestep="0.02" integrator="implicitfast"/><worldbody>
  <body><joint name="cart" type="slide" axis="1 0 0" damping="0.05"/><geom type="box" size="0.15 0.1 0.05" mass="1"/>
    <body><joint name="pole" axis="0 1 0" damping="0.01"/><geom type="capsule" fromto="0 0 0 0 0 -0.6" size="0.03" mass="0.3"/></body>
  </body></worldbody><actuator><motor joint="cart" gear="10"/></actuator></mujoco>"""


def error(d):
    """Distance from upright at the origin; the pole hangs at angle zero."""
    return np.array([d.qpos[0], d.qpos[1] - np.pi, d.qvel[0], d.qvel[1]])


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--plot", help="write the costs of all seeds to this picture")
    arguments = parser.parse_args()
    model = kinetree.MjModel.from_xml_string(XML)
    curves, up = [], 0
    for seed in range(arguments.seeds):
        random = np.random.default_rng(seed)
        start = np.concatenate([random.uniform(-0.3, 0.3, 2), random.uniform(-0.3, 0.3, 2)])
        problem = ilqr.Problem(model, start, 150, error, np.eye(4), np.zeros(4), np.array([100.0, 200, 20, 20]), 0.1)
        controls, costs = ilqr.solve(problem, 0.02 * random.normal(size=(150, 1)), 200)
        problem.simulate(controls)
        angle, speed = abs(problem.data.qpos[1] - np.pi), abs(problem.data.qvel[1])
        good = angle < 0.1 and speed < 0.3
        up += good
        curves.append(costs)
        print(f"seed {seed}: {angle:.4f} rad from upright, {speed:.3f} rad/s, cost {costs[0]:.0f} to {costs[-1]:.2f} "
              f"in {len(costs) - 1} iterations{'' if good else '  FAILED'}")
    print(f"up with {up} of {arguments.seeds} seeds")
    if arguments.plot:
        from plot import curves_by_iteration

        curves_by_iteration(arguments.plot, curves, "cost", "swing-up of a pole on a cart")


if __name__ == "__main__":
    main()
