"""A seven-joint arm traces a figure of eight with its hand pointing down, each pose solved from the one before.

    python python/examples/ik_figure.py [PICTURE.svg]

Prints the largest errors and the time of a pose; draws the path and the joint angles when matplotlib is installed.
"""

import pathlib
import sys
import time

import kinetree.ik
import numpy as np

MODEL = pathlib.Path(__file__).parents[2] / "models" / "showcase" / "arm.xml"
DOWN = np.array([0.0, 1.0, 0.0, 0.0])
POSES = 600


def figure(t):
    """A lemniscate in an upright plane in front of the arm."""
    return np.array([0.5, 0.28 * np.sin(t), 0.45 + 0.12 * np.sin(2 * t)])


def main():
    model = kinetree.MjModel.from_xml_path(str(MODEL))
    chain = kinetree.ik.Chain(model, "world", "grip")
    solver = kinetree.ik.Solver(chain)
    times = np.linspace(0, 2 * np.pi, POSES)
    goals = np.array([figure(t) for t in times])
    # the first pose from anywhere, all others from the one before
    q = solver.solve(goals[0], DOWN, mode="nearest").q
    angles, errors, spent = [], [], 0.0
    for goal in goals:
        start = time.perf_counter()
        result = solver.solve(goal, DOWN, q)
        spent += time.perf_counter() - start
        assert result.converged, f"{goal} is not reached"
        q = result.q
        angles.append(q)
        errors.append((result.position_error, result.rotation_error))
    angles = np.array(angles)
    reached = chain.fk(angles)[0]
    jumps = np.abs(np.diff(angles, axis=0)).max()
    print(f"{POSES} poses, {1e6 * spent / POSES:.1f} µs each")
    print("largest errors: {:.1e} m, {:.1e} rad".format(*np.max(errors, axis=0)))
    print(f"largest change of a joint from pose to pose: {jumps:.3f} rad")
    assert np.abs(reached - goals).max() < 1e-5 and jumps < 0.1
    if len(sys.argv) > 1:
        draw(sys.argv[1], chain, times, goals, reached, angles)


def draw(path, chain, times, goals, reached, angles):
    """The path in its plane, and the joint angles over it."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "kinetree"
    import matplotlib.pyplot as plt

    figure_, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    left.plot(goals[:, 1], goals[:, 2], linewidth=5, color="#cbd5e0", label="goal")
    left.plot(reached[:, 1], reached[:, 2], color="#2b6cb0", label="hand")
    left.set(xlabel="y (m)", ylabel="z (m)", title="path of the hand", aspect="equal")
    left.legend(loc="upper center")
    right.plot(times / (2 * np.pi), angles)
    right.set(xlabel="fraction of the figure", ylabel="angle (rad)", title="joints")
    right.legend(chain.joint_names, fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure_.tight_layout()
    figure_.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
