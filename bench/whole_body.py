"""`python -m bench.whole_body`: a differential step of whole-body inverse kinematics beside mink, on the same tasks.

The humanoid of `python/examples/ik_humanoid.py` with its tasks, limits and pairs of geoms. Both tools step along their own path towards
the same goals, in turns; times are processor time of a step with the integration. `--write` puts the table into docs/performance.md.
"""

import importlib.util
import os
import sys
import time

import kinetree
import kinetree.ik
import mink
import mujoco
import numpy as np

from bench import report

EXAMPLE = os.path.join(report.ROOT, "python", "examples", "ik_humanoid.py")


def load_example():
    """The example as a module."""
    spec = importlib.util.spec_from_file_location("ik_humanoid", EXAMPLE)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def mink_problem(example, path):
    """The same problem for mink."""
    model = mujoco.MjModel.from_xml_path(path)
    configuration = mink.Configuration(model)
    configuration.update(model.qpos0)
    hands = [mink.FrameTask(f"hand_{side}", "geom", 1.0, 0.0, gain=0.3, lm_damping=1e-3) for side in ("right", "left")]
    feet = [mink.FrameTask(f"foot_{side}", "site", 10.0, 10.0) for side in ("right", "left")]
    com, posture = mink.ComTask([5.0, 5.0, 0.0]), mink.PostureTask(model, 1e-2)
    for task in (*feet, com, posture):
        task.set_target_from_configuration(configuration)
    collision = mink.CollisionAvoidanceLimit(
        model, example.self_pairs(), minimum_distance_from_collisions=example.CLEARANCE, collision_detection_distance=0.15)
    joints = [model.joint(i).name for i in range(1, model.njnt)]
    limits = [mink.ConfigurationLimit(model), mink.VelocityLimit(model, dict.fromkeys(joints, 6.0)), collision]
    return model, configuration, hands, [*hands, *feet, com, posture], limits


def main():
    example = load_example()
    path = str(example.MODEL)
    model = kinetree.MjModel.from_xml_path(path)
    ours = kinetree.ik.Configuration(model)
    hands, tasks, limits, collision = example.build(model, ours)
    pairs, data = collision.geom_id_pairs, kinetree.MjData(model)
    _, theirs, their_hands, their_tasks, their_limits = mink_problem(example, path)
    spent, misses, closest = ({"Kinetree": [], "mink": []} for _ in range(3))
    for step in range(example.STEPS):
        wanted = example.goals(step * example.DT)
        for task, other, goal in zip(hands, their_hands, wanted):
            task.set_target(goal, [1.0, 0.0, 0.0, 0.0])
            other.set_target(mink.SE3.from_translation(goal))
        start = time.process_time_ns()
        velocity = kinetree.ik.solve_ik(ours, tasks, example.DT, damping=example.DAMPING, limits=limits)
        ours.integrate_inplace(velocity, example.DT)
        middle = time.process_time_ns()
        velocity = mink.solve_ik(theirs, their_tasks, example.DT, "daqp", example.DAMPING, limits=their_limits)
        theirs.integrate_inplace(velocity, example.DT)
        end = time.process_time_ns()
        spent["Kinetree"].append(middle - start)
        spent["mink"].append(end - middle)
        for label, q in (("Kinetree", ours.q), ("mink", theirs.q)):
            data.qpos[:] = q
            kinetree.mj_kinematics(model, data)
            closest[label].append(example.distances(model, data, pairs))
        for side, goal in zip(("right", "left"), wanted):
            misses["Kinetree"].append(np.linalg.norm(ours.get_transform_frame_to_world(f"hand_{side}", "geom")[0] - goal))
            found = theirs.get_transform_frame_to_world(f"hand_{side}", "geom").translation()
            misses["mink"].append(np.linalg.norm(found - goal))
    lines = [f"{model.nv} dofs, {len(tasks)} tasks, {len(collision.geom_id_pairs)} pairs of geoms, {example.STEPS} steps:", "",
             "| solver | mean, µs | median, µs | 99 %, µs | hands from their goals, mean, mm | smallest distance of a pair, mm |",
             "|---|---|---|---|---|---|"]
    for label, nanoseconds in spent.items():
        micro = np.array(nanoseconds) / 1000
        miss = 1000 * np.mean(misses[label])
        lines.append(f"| {label} | {micro.mean():.0f} | {np.median(micro):.0f} | {np.percentile(micro, 99):.0f} | {miss:.1f} | "
                     f"{1000 * min(closest[label]):.1f} |")
    print("\n".join(lines))
    if "--write" in sys.argv[1:]:
        report.write_section("bench.whole_body", lines)


if __name__ == "__main__":
    main()
