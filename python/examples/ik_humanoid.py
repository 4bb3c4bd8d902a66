"""A humanoid reaches with both hands for moving points while it keeps its feet on the floor, its centre of mass above them, and does
not touch itself: whole-body inverse kinematics, one step of 5 ms after the other.

    python python/examples/ik_humanoid.py [PICTURE.svg]

Prints how well the tasks are served and the time of a step; draws distances over time when matplotlib is installed.
"""

import pathlib
import sys
import time

import kinetree.ik
import numpy as np

MODEL = pathlib.Path(__file__).parents[2] / "models" / "showcase" / "humanoid.xml"
DT, STEPS = 0.005, 1200
CLEARANCE = 0.02
# keeps joints from trading motions that serve no task
DAMPING = 1e-2


def self_pairs():
    """Pairs of geoms that arms and legs may hit: 20 of them."""
    right, left = ["forearm_right", "hand_right"], ["forearm_left", "hand_left"]
    return [
        (right, ["chest", "belly", "head", "thigh_right"]),
        (left, ["chest", "belly", "head", "thigh_left"]),
        (right[:1], left[:1]),
        (["thigh_right"], ["thigh_left"]),
        (["shin_right"], ["shin_left"]),
        (["foot_right"], ["foot_left"]),
    ]


def build(model, configuration):
    """Tasks and limits."""
    ik = kinetree.ik
    hands = [ik.FrameTask(f"hand_{side}", "geom", position_cost=1.0, orientation_cost=0.0, gain=0.3, lm_damping=1e-3)
             for side in ("right", "left")]
    feet = [ik.FrameTask(f"foot_{side}", "site", position_cost=10.0, orientation_cost=10.0) for side in ("right", "left")]
    com = ik.ComTask([5.0, 5.0, 0.0])
    posture = ik.PostureTask(model, 1e-2)
    for task in (*feet, com, posture):
        task.set_target_from_configuration(configuration)
    collision = ik.CollisionAvoidanceLimit(model, self_pairs(), minimum_distance_from_collisions=CLEARANCE,
                                           collision_detection_distance=0.15)
    joints = [model.joint(i).name for i in range(1, model.njnt)]
    limits = [ik.ConfigurationLimit(model), ik.VelocityLimit(model, dict.fromkeys(joints, 6.0)), collision]
    return hands, [*hands, *feet, com, posture], limits, collision


def goals(t):
    """Points for the right and the left hand: they go up and down and cross in front of the chest."""
    side = 0.2 * np.cos(1.1 * t)
    return (np.array([0.32 + 0.03 * np.sin(2 * t), -side, 1.25 + 0.18 * np.sin(t)]),
            np.array([0.32 - 0.03 * np.sin(2 * t), side, 1.25 - 0.12 * np.sin(t)]))


def distances(model, data, pairs):
    """Smallest distance of the pairs. The search answers zero without points where it fails, as between parallel faces."""
    found, segment = [], np.zeros(6)
    for a, b in pairs:
        distance = kinetree.mj_geomDistance(model, data, a, b, 1.0, segment)
        if distance != 0 or np.any(segment):
            found.append(distance)
    return min(found)


def main():
    model = kinetree.MjModel.from_xml_path(str(MODEL))
    configuration = kinetree.ik.Configuration(model)
    hands, tasks, limits, collision = build(model, configuration)
    pairs = collision.geom_id_pairs
    center = configuration.center_of_mass.copy()
    foot = configuration.get_transform_frame_to_world("foot_right", "site")[0]
    data = kinetree.MjData(model)
    rows, spent = [], 0.0
    for step in range(STEPS):
        wanted = goals(step * DT)
        for task, goal in zip(hands, wanted):
            task.set_target(goal, [1.0, 0.0, 0.0, 0.0])
        start = time.perf_counter()
        velocity = kinetree.ik.solve_ik(configuration, tasks, DT, damping=DAMPING, limits=limits)
        configuration.integrate_inplace(velocity, DT)
        spent += time.perf_counter() - start
        data.qpos[:] = configuration.q
        kinetree.mj_kinematics(model, data)
        misses = [np.linalg.norm(configuration.get_transform_frame_to_world(f"hand_{side}", "geom")[0] - goal)
                  for side, goal in zip(("right", "left"), wanted)]
        slip = np.linalg.norm(configuration.get_transform_frame_to_world("foot_right", "site")[0] - foot)
        sway = np.linalg.norm((configuration.center_of_mass - center)[:2])
        rows.append((step * DT, *misses, distances(model, data, pairs), slip, sway))
    rows = np.array(rows)
    settled = rows[100:]
    print(f"{model.nv} dofs, {len(tasks)} tasks, {len(pairs)} pairs of geoms: {1e6 * spent / STEPS:.0f} µs a step")
    print(f"hands: mean distance from their points {settled[:, 1:3].mean():.3f} m")
    print(f"closest approach of the pairs: {rows[:, 3].min():.4f} m (wanted: {CLEARANCE} m)")
    print(f"largest slip of a foot {rows[:, 4].max():.1e} m, largest sway of the centre of mass {rows[:, 5].max():.1e} m")
    assert rows[:, 3].min() > 0.5 * CLEARANCE and rows[:, 4].max() < 5e-3
    if len(sys.argv) > 1:
        draw(sys.argv[1], rows)


def draw(path, rows):
    """Distances of the hands from their points, and of the body from itself."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "kinetree"
    import matplotlib.pyplot as plt

    figure, (upper, lower) = plt.subplots(2, 1, figsize=(8, 5), sharex=True)
    upper.plot(rows[:, 0], rows[:, 1], label="right hand")
    upper.plot(rows[:, 0], rows[:, 2], label="left hand")
    upper.set(ylabel="distance from goal (m)", title="reaching with both hands")
    upper.legend()
    lower.plot(rows[:, 0], rows[:, 3], color="#2f855a", label="smallest distance of 20 pairs")
    lower.axhline(CLEARANCE, color="#c53030", linestyle="--", label="wanted")
    lower.plot(rows[:, 0], rows[:, 5], color="#718096", label="sway of the centre of mass")
    lower.set(xlabel="time (s)", ylabel="m")
    lower.set_ylim(bottom=0)
    lower.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
