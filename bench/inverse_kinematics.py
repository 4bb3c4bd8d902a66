"""`python -m bench.inverse_kinematics NAME=FILE.urdf:BASE:END …`: success and time of inverse kinematics beside public solvers.

All solvers get the same random reachable poses (joint values uniform within the limits) and the same random seeds. A pose counts as
solved when forward kinematics of Pinocchio, which reads the URDF file itself, is within the tolerances and the limits are kept.
Times are processor time of the solving process, all threads together, so that what else the machine does does not count.

    --poses N       poses for Kinetree (10000)
    --rival-poses N the first of them for TRAC-IK (1000), whose limit is of wall time
    --slow-poses N  the first of them for the differential tools (200)
    --write         put the tables into docs/performance.md

Needs `kinetree` and `pin`; takes what else is installed of `pytracik`, `mink` (with `mujoco`), `pin-pink` and `placo`.
"""

import argparse
import re
import tempfile
import time

import kinetree.ik
import numpy as np
import pinocchio

from bench import report

POSITION = ROTATION = 1e-5
MAX_ITERATIONS = 200
BLOCK = 100


def without_shapes(path):
    """A copy of a URDF file without visuals and collisions, whose meshes not every tool finds."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"<(visual|collision)\b(?:[^>]*/>|.*?</\1>)", "", file.read(), flags=re.DOTALL)
    with tempfile.NamedTemporaryFile("w", suffix=".urdf", delete=False, encoding="utf-8") as copy:
        copy.write(text)
    return copy.name


class Arm:
    """A chain of a URDF file, with Pinocchio as the judge."""

    def __init__(self, text):
        self.name, rest = text.split("=", 1)
        path, self.base, self.end = rest.rsplit(":", 2)
        self.path = without_shapes(path)
        self.model = kinetree.ik.load_model(self.path)
        self.chain = kinetree.ik.Chain(self.model, self.base, self.end)
        self.pin = pinocchio.buildModelFromUrdf(self.path)
        self.data = self.pin.createData()
        self.base_frame, self.end_frame = self.pin.getFrameId(self.base), self.pin.getFrameId(self.end)
        self.indices = [self.pin.joints[self.pin.getJointId(n)].idx_q for n in self.chain.joint_names]
        self.low, self.high = np.asarray(self.chain.limits).T

    def pin_q(self, q):
        """Joint values of Pinocchio's whole model."""
        full = pinocchio.neutral(self.pin)
        full[self.indices] = q
        return full

    def fk(self, q):
        """Pose of the end in the base."""
        pinocchio.framesForwardKinematics(self.pin, self.data, self.pin_q(q))
        return self.data.oMf[self.base_frame].actInv(self.data.oMf[self.end_frame])

    def solved(self, q, goal):
        """Whether a solution is one."""
        if q is None or not np.all(np.isfinite(q)):
            return False
        if np.any(q < self.low - 1e-9) or np.any(q > self.high + 1e-9):
            return False
        error = goal.actInv(self.fk(q))
        angle = np.linalg.norm(pinocchio.log3(error.rotation))
        return np.linalg.norm(error.translation) <= POSITION * 1.0001 and angle <= ROTATION * 1.0001


class Kinetree:
    """The solver of this project."""

    label, pace = "Kinetree", "fast"

    def __init__(self, arm):
        self.solver = kinetree.ik.Solver(arm.chain, position_tolerance=POSITION, rotation_tolerance=ROTATION)

    def prepare(self, goal):
        quat = pinocchio.Quaternion(goal.rotation)
        return goal.translation.copy(), np.array([quat.w, quat.x, quat.y, quat.z])

    def solve(self, goal, seed):
        return self.solver.solve(goal[0], goal[1], seed).q


class TracIk:
    """TRAC-IK: two solvers on two threads, each restarted from random values."""

    pace = "rival"

    def __init__(self, arm, timeout):
        import pytracik

        self.label, self.pytracik = f"TRAC-IK, {1000 * timeout:.0f} ms", pytracik
        with open(arm.path, encoding="utf-8") as file:
            text = file.read()
        # its tolerance is one of each component, the judge's one of the length of three
        tolerance = POSITION / np.sqrt(3)
        self.solver = pytracik.TRAC_IK(arm.base, arm.end, text, timeout, tolerance, pytracik.SolveType.Speed)
        # as soft limits of a safety controller it takes those that a file leaves out for zero
        pytracik.set_joint_limits(self.solver, list(arm.low), list(arm.high))

    def prepare(self, goal):
        quat = pinocchio.Quaternion(goal.rotation)
        return *goal.translation, quat.x, quat.y, quat.z, quat.w

    def solve(self, goal, seed):
        found = self.pytracik.ik(self.solver, seed, *goal)
        return np.array(found[1:]) if found[0] >= 0 else None


class Mink:
    """mink: one descent of differential steps."""

    label, pace = "mink", "slow"

    def __init__(self, arm):
        import mink
        import mujoco

        spec = mujoco.MjSpec.from_file(arm.path)
        spec.compiler.fusestatic = False
        self.mink, self.model, self.arm = mink, spec.compile(), arm
        self.configuration = mink.Configuration(self.model)
        self.task = mink.FrameTask(arm.end, "body", position_cost=1.0, orientation_cost=1.0)
        self.limits = [mink.ConfigurationLimit(self.model)]
        self.addresses = [self.model.joint(name).qposadr[0] for name in arm.chain.joint_names]
        self.base = self.configuration.get_transform_frame_to_world(arm.base, "body")

    def prepare(self, goal):
        return self.base @ self.mink.SE3.from_matrix(goal.homogeneous)

    def solve(self, goal, seed):
        q = self.model.qpos0.copy()
        q[self.addresses] = seed
        self.configuration.update(q)
        self.task.set_target(goal)
        for _ in range(MAX_ITERATIONS):
            error = self.task.compute_error(self.configuration)
            if np.linalg.norm(error[:3]) <= 0.99 * POSITION and np.linalg.norm(error[3:]) <= 0.99 * ROTATION:
                break
            velocity = self.mink.solve_ik(self.configuration, [self.task], 1.0, "daqp", 1e-8, limits=self.limits)
            self.configuration.integrate_inplace(velocity, 1.0)
        return self.configuration.q[self.addresses]


class Pink:
    """Pink: one descent of differential steps."""

    label, pace = "Pink", "slow"

    def __init__(self, arm):
        import pink
        from pink.limits import ConfigurationLimit
        from pink.tasks import FrameTask

        self.pink, self.arm = pink, arm
        self.task = FrameTask(arm.end, position_cost=1.0, orientation_cost=1.0)
        self.limits = [ConfigurationLimit(arm.pin)]
        self.data = arm.pin.createData()
        pinocchio.framesForwardKinematics(arm.pin, self.data, pinocchio.neutral(arm.pin))
        self.base = self.data.oMf[arm.base_frame].copy()

    def prepare(self, goal):
        return self.base * goal

    def solve(self, goal, seed):
        q = np.clip(self.arm.pin_q(seed), self.arm.pin.lowerPositionLimit, self.arm.pin.upperPositionLimit)
        configuration = self.pink.Configuration(self.arm.pin, self.data, q)
        self.task.set_target(goal)
        for _ in range(MAX_ITERATIONS):
            error = self.task.compute_error(configuration)
            if np.linalg.norm(error[:3]) <= 0.99 * POSITION and np.linalg.norm(error[3:]) <= 0.99 * ROTATION:
                break
            try:
                velocity = self.pink.solve_ik(configuration, [self.task], 1.0, solver="daqp", damping=1e-8,
                                              limits=self.limits, safety_break=False)
            except Exception:  # its program may have no solution at a limit
                break
            configuration.integrate_inplace(velocity, 1.0)
        return configuration.q[self.arm.indices]


class Placo:
    """placo: one descent of differential steps."""

    label, pace = "placo", "slow"

    def __init__(self, arm):
        import placo

        self.arm = arm
        self.robot = placo.RobotWrapper(arm.path, placo.Flags.ignore_collisions)
        self.solver = placo.KinematicsSolver(self.robot)
        self.solver.mask_fbase(True)
        self.robot.update_kinematics()
        self.base = self.robot.get_T_world_frame(arm.base)
        self.task = self.solver.add_frame_task(arm.end, np.eye(4))
        self.task.configure(arm.end, "soft", 1.0, 1.0)

    def prepare(self, goal):
        return self.base @ goal.homogeneous

    def solve(self, goal, seed):
        for name, value in zip(self.arm.chain.joint_names, seed):
            self.robot.set_joint(name, value)
        self.robot.update_kinematics()
        self.task.T_world_frame = goal
        for _ in range(MAX_ITERATIONS):
            self.solver.solve(True)
            self.robot.update_kinematics()
            if self.task.position().error_norm() <= 0.99 * POSITION and self.task.orientation().error_norm() <= 0.99 * ROTATION:
                break
        return np.array([self.robot.get_joint(name) for name in self.arm.chain.joint_names])


def solvers(arm):
    """All solvers that are installed and read the arm."""
    makers = [Kinetree, lambda arm: TracIk(arm, 0.005), lambda arm: TracIk(arm, 0.05), Mink, Pink, Placo]
    for make in makers:
        try:
            yield make(arm)
        except Exception as problem:
            print(f"left out: {getattr(make, 'label', make)}: {problem}", flush=True)


def compare(arm, counts_of):
    """Rows of the table for one arm."""
    random, poses = np.random.default_rng(2026), counts_of["fast"]
    draws = random.uniform(arm.low, arm.high, (poses, 2, len(arm.low)))
    goals = [arm.fk(q).copy() for q in draws[:, 0]]
    running = list(solvers(arm))
    times, counts = {s.label: [] for s in running}, {s.label: 0 for s in running}
    # in turns, but long enough that each finds its own code in the caches
    for first in range(0, poses, BLOCK):
        for solver in running:
            last = min(first + BLOCK, counts_of[solver.pace])
            prepared = [solver.prepare(goal) for goal in goals[first:last]]
            found = []
            for goal, seed in zip(prepared, draws[first:last, 1]):
                start = time.process_time_ns()
                q = solver.solve(goal, seed)
                times[solver.label].append(time.process_time_ns() - start)
                found.append(q)
            counts[solver.label] += sum(arm.solved(q, goal) for q, goal in zip(found, goals[first:last]))
    for label, spent in times.items():
        micro = np.array(spent) / 1000
        rate = 100 * counts[label] / len(spent)
        yield (f"| {arm.name} | {label} | {len(spent)} | {rate:.2f} % | {micro.mean():.1f} | {np.median(micro):.1f} | "
               f"{np.percentile(micro, 99):.0f} |")


def trajectory(arm, count=2000):
    """Mean time of warm starts along a path through the middle of the limits."""
    solver = Kinetree(arm)
    middle, width = (arm.low + arm.high) / 2, (arm.high - arm.low) / 8
    phases = np.arange(len(middle))
    q = middle + width * np.sin(phases)
    spent, solved, steps = [], 0, 0
    for i in range(count):
        goal = arm.fk(middle + width * np.sin(2 * np.pi * i / count + phases))
        prepared = solver.prepare(goal)
        start = time.process_time_ns()
        result = solver.solver.solve(prepared[0], prepared[1], q)
        spent.append(time.process_time_ns() - start)
        solved, q, steps = solved + arm.solved(result.q, goal), result.q, steps + result.iterations
    return f"| {arm.name} | {100 * solved / count:.1f} % | {np.mean(spent) / 1000:.1f} | {np.median(spent) / 1000:.1f} | {steps / count:.1f} |"


def unreachable(arm, count=200):
    """Times of targets that no joint values reach."""
    solver, random = Kinetree(arm), np.random.default_rng(7)
    far, near = [], []
    for _ in range(count):
        goal = arm.fk(random.uniform(arm.low, arm.high))
        pos, quat = solver.prepare(goal)
        for list_, scale in ((far, 3.0), (near, 1.0)):
            # far outside of the reach; and at its rim, where the orientation cannot be had
            place = pos / np.linalg.norm(pos) * arm.chain.reach * (scale if scale > 1 else 0.9)
            start = time.process_time_ns()
            result = solver.solver.solve(place, quat)
            if not result.converged:
                list_.append((time.process_time_ns() - start) / 1e6)
    return f"| {arm.name} | {np.mean(far):.2f} | {max(far):.2f} | {np.mean(near):.2f} | {max(near):.2f} |"


def main():
    parser = argparse.ArgumentParser(prog="python -m bench.inverse_kinematics")
    parser.add_argument("arms", nargs="+", metavar="NAME=FILE:BASE:END")
    parser.add_argument("--poses", type=int, default=10_000)
    parser.add_argument("--rival-poses", type=int, default=1000)
    parser.add_argument("--slow-poses", type=int, default=200)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    counts = {"fast": arguments.poses, "rival": arguments.rival_poses, "slow": arguments.slow_poses}
    arms = [Arm(text) for text in arguments.arms]
    tables = [
        ["| arm | solver | poses | solved | mean, µs | median, µs | 99 %, µs |", "|---|---|---|---|---|---|---|"],
        ["", "Warm starts along a path of 2,000 poses:", "", "| arm | solved | mean, µs | median, µs | steps |",
         "|---|---|---|---|---|"],
        ["", "Unreachable targets, ms until the nearest pose is returned:", "",
         "| arm | far outside, mean | largest | at the rim, mean | largest |", "|---|---|---|---|---|"],
    ]
    for arm in arms:
        for table, rows in zip(tables, (compare(arm, counts), [trajectory(arm)], [unreachable(arm)])):
            for row in rows:
                print(row, flush=True)
                table.append(row)
    lines = [line for table in tables for line in table]
    if arguments.write:
        report.write_section("bench.inverse_kinematics", lines)


if __name__ == "__main__":
    main()
