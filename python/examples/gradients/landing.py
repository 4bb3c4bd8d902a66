"""Lands a planar hopper by iLQR through its contact with the floor: `python landing.py [--plot FILE]`."""

import argparse

import ilqr
import kinetree
import numpy as np

XML = """
<mujoco><option timestep="0.005" integrator="implicitfast" cone="elliptic"/><default><geom friction="1"/></default>
 <worldbody><geom type="plane" size="9 9 1" solref="0.05 1"/>
  <body pos="0 0 1"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint axis="0 1 0" damping="0.1"/>
    <geom type="capsule" fromto="-0.2 0 0 0.2 0 0" size="0.07" mass="3"/>
    <body><joint name="hip" axis="0 1 0" damping="0.3" armature="0.01"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03" mass="0.4" contype="0" conaffinity="0"/>
      <body pos="0 0 -0.3"><joint name="knee" axis="0 1 0" damping="0.3" armature="0.01"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03" mass="0.3" contype="0" conaffinity="0"/>
        <geom type="sphere" pos="0 0 -0.3" size="0.06" mass="0.1"/></body></body>
  </body></worldbody>
 <actuator><motor joint="hip" gear="40"/><motor joint="knee" gear="40"/></actuator></mujoco>"""
HEIGHT = 0.53 - 1
POSTURE = np.array([-0.6, 1.2])


def hold_posture(_, d):
    """The first guess: springs and dampers that hold the leg bent."""
    return np.clip(6 * (POSTURE - d.qpos[3:]) - 0.25 * d.qvel[3:], -2, 2)


def error(d):
    """Distance from standing still with bent knees: height, pitch, all velocities, and the posture of the leg."""
    return np.concatenate([[d.qpos[1] - HEIGHT, d.qpos[2], *(d.qpos[3:] - POSTURE)], d.qvel])


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--plot", help="write the costs of all seeds to this picture")
    arguments = parser.parse_args()
    model = kinetree.MjModel.from_xml_string(XML)
    jacobian = np.zeros((9, 10))
    jacobian[0, 1] = jacobian[1, 2] = jacobian[2, 3] = jacobian[3, 4] = 1
    jacobian[4:, 5:] = np.eye(5)
    running = np.array([3.0, 6, 0.3, 0.3, 0.2, 0.2, 0.1, 0.005, 0.005])
    final = np.array([100.0, 200, 10, 10, 20, 20, 10, 1, 1])
    curves, landed = [], 0
    for seed in range(arguments.seeds):
        random = np.random.default_rng(seed)
        height, pitch = random.uniform(-0.15, 0.05), random.uniform(-0.1, 0.1)
        start = np.array([0, height, pitch, *POSTURE, random.uniform(-0.3, 0.3), random.uniform(-1, 0), 0, 0, 0])
        problem = ilqr.Problem(model, start, 200, error, jacobian, running, final, 0.02)
        guess = problem.simulate(np.zeros((200, 2)), hold_posture)[1]
        controls, costs = ilqr.solve(problem, guess, 150, limit=2.0)
        touches = []
        problem.simulate(controls, lambda t, d, controls=controls, touches=touches: (touches.append(d.ncon), controls[t])[1])
        d = problem.data
        # it stands: upright, slow, and on the floor in the last tenth of a second
        good = abs(d.qpos[2]) < 0.2 and abs(d.qpos[1] - HEIGHT) < 0.1 and np.abs(d.qvel[:3]).max() < 0.5 and max(touches[-20:]) > 0
        landed += good
        curves.append(costs)
        print(f"seed {seed}: pitch {d.qpos[2]:+.3f} rad, height off by {d.qpos[1] - HEIGHT:+.3f} m, speed {np.abs(d.qvel[:3]).max():.3f}, "
              f"cost {costs[0]:.0f} to {costs[-1]:.2f} in {len(costs) - 1} iterations{'' if good else '  FAILED'}")
    print(f"landed with {landed} of {arguments.seeds} seeds")
    if arguments.plot:
        from plot import curves_by_iteration

        curves_by_iteration(arguments.plot, curves, "cost", "landing of a planar hopper")


if __name__ == "__main__":
    main()
