"""`python -m bench.collision`: contacts of two geoms beside MuJoCo 3.8.0, pair kind by pair kind, in one run.

For each pair of geom kinds a model with two geoms is set to random poses in which they are close. Kinematics are computed
beforehand; what is timed is `mj_collision` alone. Both engines take turns on each pose. The cost of the call from
Python is measured at each pose on the same model with contacts switched off and subtracted.
The contacts of both engines are compared on every pose. `--bodies` times the broad phase on fields of free bodies.
"""

import argparse
import json
import statistics
import sys
import time

import kinetree
import mujoco
import numpy as np

from bench import report
from conformance import manifold

KINDS = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
SIZES = {
    "plane": 'size="3 3 .1"',
    "hfield": 'hfield="field"',
    "sphere": 'size=".11"',
    "capsule": 'size=".08 .13"',
    "ellipsoid": 'size=".08 .12 .16"',
    "cylinder": 'size=".1 .12"',
    "box": 'size=".08 .1 .13"',
    "mesh": 'mesh="stone"',
}
TURNS = 4
NO_CONTACT = int(mujoco.mjtDisableBit.mjDSBL_CONTACT)


def assets():
    """A stone of forty vertices on an ellipsoid, and a field of hills of 21 by 21 points."""
    random = np.random.default_rng(0)
    points = random.normal(size=(40, 3))
    points *= np.array([0.1, 0.12, 0.14]) / np.linalg.norm(points, axis=1, keepdims=True)
    vertices = " ".join(f"{x:.6f}" for x in points.ravel())
    grid = np.arange(21)
    heights = 0.5 + 0.3 * np.sin(0.8 * grid)[:, None] * np.cos(0.6 * grid)[None, :]
    elevation = " ".join(f"{x:.6f}" for x in heights.ravel())
    return (
        f'<asset><mesh name="stone" vertex="{vertices}"/>'
        f'<hfield name="field" nrow="21" ncol="21" size="1 1 .3 .1" elevation="{elevation}"/></asset>'
    )


def pair_xml(first, second):
    """A model with two geoms; the second always moves, the first unless it can only be fixed."""
    geom = '<geom type="{}" {}/>'
    one = geom.format(first, SIZES[first])
    fixed = first in ("plane", "hfield")
    body1 = one if fixed else f"<body><freejoint/>{one}</body>"
    body2 = f"<body><freejoint/>{geom.format(second, SIZES[second])}</body>"
    return f"<mujoco>{assets()}<worldbody>{body1}{body2}</worldbody></mujoco>"


def close_pose(random, first):
    """Positions and orientations at which two geoms of about 0.1 m are near each other."""
    turn = random.normal(size=(2, 4))
    turn /= np.linalg.norm(turn, axis=1, keepdims=True)
    if first == "plane":
        place = np.array([*random.uniform(-1, 1, 2), random.uniform(0, 0.18)])
        return np.concatenate([place, turn[1]])
    if first == "hfield":
        place = np.array([*random.uniform(-0.8, 0.8, 2), random.uniform(0.1, 0.35)])
        return np.concatenate([place, turn[1]])
    direction = random.normal(size=3)
    direction *= random.uniform(0.08, 0.26) / np.linalg.norm(direction)
    return np.concatenate([np.zeros(3), turn[0], direction, turn[1]])


class Side:
    """A model on one engine."""

    def __init__(self, engine, xml):
        self.engine = engine
        self.model = engine.MjModel.from_xml_string(xml)
        self.data = engine.MjData(self.model)
        self.flags = int(self.model.opt.disableflags)

    def pose(self, qpos):
        """Sets a pose and what follows from it."""
        self.data.qpos[:] = qpos
        self.engine.mj_kinematics(self.model, self.data)
        self.engine.mj_comPos(self.model, self.data)

    def time(self, calls):
        """Nanoseconds per `mj_collision`."""
        run, model, data = self.engine.mj_collision, self.model, self.data
        repeat = range(calls)
        start = time.perf_counter_ns()
        for _ in repeat:
            run(model, data)
        return (time.perf_counter_ns() - start) / calls

    def time_empty(self, calls):
        """Nanoseconds per call that does nothing."""
        self.model.opt.disableflags = self.flags | NO_CONTACT
        cost = self.time(calls)
        self.model.opt.disableflags = self.flags
        return cost

    def contacts(self):
        """Distance, position and frame of every contact as an array."""
        self.engine.mj_collision(self.model, self.data)
        return manifold.rows(self.data.contact, int(self.data.ncon))


def measure(first, second, poses, calls, random):
    """Times one pair kind; returns a row of the table."""
    xml = pair_xml(first, second)
    sides = [Side(kinetree, xml), Side(mujoco, xml)]
    times, empty = ([], []), ([], [])
    different = touching = 0
    for _ in range(poses):
        qpos = close_pose(random, first)
        for side in sides:
            side.pose(qpos)
        own, theirs = (side.contacts() for side in sides)
        touching += len(theirs) > 0
        different += not (manifold.equal(own, theirs) or manifold.equivalent(own, theirs))
        if not calls:
            continue
        # other work on the machine only ever adds time: the least of a few turns is the cost
        turns = [[(side.time_empty(calls), side.time(calls)) for side in sides] for _ in range(TURNS)]
        for which in (0, 1):
            empty[which].append(min(turn[which][0] for turn in turns))
            times[which].append(min(turn[which][1] for turn in turns))
    row = {"pair": f"{first}–{second}", "poses": poses, "touching": touching, "different": different}
    if calls:
        # both were timed at the same moment: how fast the machine was then cancels
        net = [np.maximum(np.array(t) - np.array(e), 1.0) for t, e in zip(times, empty)]
        row["kinetree_ns"], row["mujoco_ns"] = (float(np.median(n)) for n in net)
        row["mean_ns"] = [float(np.mean(np.sort(n)[: max(1, int(0.95 * len(n)))])) for n in net]
        row["ratio"] = row["mujoco_ns"] / row["kinetree_ns"]
        row["ratio_of_means"] = row["mean_ns"][1] / row["mean_ns"][0]
    return row


def field_xml(count, spacing=0.28):
    """Free bodies of mixed kinds on a grid over a plane, close enough that some touch."""
    random = np.random.default_rng(count)
    side = int(np.ceil(count ** (1 / 3)))
    bodies = []
    for i in range(count):
        x, y, z = i % side, i // side % side, i // side**2
        kind = ("sphere", "capsule", "box")[i % 3]
        place = spacing * (np.array([x, y, z]) + random.uniform(-0.2, 0.2, 3)) + [0, 0, 0.15]
        bodies.append(
            f'<body pos="{place[0]:.4f} {place[1]:.4f} {place[2]:.4f}"><freejoint/><geom type="{kind}" {SIZES[kind]}/></body>'
        )
    return f'<mujoco><size memory="2G"/><worldbody><geom type="plane" size="9 9 .1"/>{"".join(bodies)}</worldbody></mujoco>'


def measure_bodies(count):
    """Times `mj_collision` over many free bodies; returns nanoseconds per body on each engine and the contacts."""
    sides = [Side(kinetree, field_xml(count)), Side(mujoco, field_xml(count))]
    random = np.random.default_rng(1)
    home = np.array(sides[1].data.qpos)
    times = ([], [])
    for index in range(max(5, min(300, 30000 // count))):
        qpos = home.copy().reshape(-1, 7)
        qpos[:, :3] += 0.002 * random.normal(size=(count, 3))
        for which in (0, 1) if index % 2 else (1, 0):
            sides[which].pose(qpos.ravel())
            times[which].append(sides[which].time(1))
    own, theirs = (statistics.median(t) for t in times)
    contacts = [int(side.data.ncon) for side in sides]
    return {"bodies": count, "contacts": contacts, "kinetree_ns": own / count, "mujoco_ns": theirs / count, "ratio": theirs / own}


class Table:
    """A table that is printed as it grows."""

    def __init__(self, name, *titles):
        self.name, self.lines = name, []
        self.add(*titles)
        self.add(*["---"] * len(titles))

    def add(self, *cells):
        """Adds a line."""
        self.lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
        print(self.lines[-1], flush=True)

    def finish(self, write):
        """Writes the table into the documentation when asked to."""
        if write:
            report.write_section(self.name, self.lines)


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="bench.collision", description=__doc__.splitlines()[0])
    parser.add_argument("pairs", nargs="*", help="pairs such as box-mesh (default: all)")
    parser.add_argument("--poses", type=int, default=1000, help="random poses per pair")
    parser.add_argument("--calls", type=int, default=10, help="timed calls per pose; 0 only compares contacts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bodies", action="store_true", help="time fields of 10 to 10,000 free bodies instead")
    parser.add_argument("--json", help="write all numbers to this file")
    parser.add_argument("--write", action="store_true", help="write the table into docs/performance.md")
    arguments = parser.parse_args()
    if arguments.bodies:
        table = Table("bench.collision bodies", "bodies", "contacts", "MuJoCo ns/body", "Kinetree ns/body", "ratio")
        for count in (10, 100, 1000, 10000):
            row = measure_bodies(count)
            table.add(count, row["contacts"][0], f"{row['mujoco_ns']:.0f}", f"{row['kinetree_ns']:.0f}", f"{row['ratio']:.2f}")
        table.finish(arguments.write)
        return 0

    pairs = [tuple(p.split("-")) for p in arguments.pairs] or [
        (a, b) for i, a in enumerate(KINDS) for b in KINDS[max(i, 2) :]
    ]
    table = Table("bench.collision", "pair", "touching", "differ", "MuJoCo ns", "Kinetree ns", "ratio", "ratio of means")
    rows = []
    for first, second in pairs:
        row = measure(first, second, arguments.poses, arguments.calls, np.random.default_rng(arguments.seed))
        rows.append(row)
        timed = [""] * 4
        if arguments.calls:
            timed = [f"{row['mujoco_ns']:.0f}", f"{row['kinetree_ns']:.0f}", f"{row['ratio']:.2f}", f"{row['ratio_of_means']:.2f}"]
        table.add(row["pair"], row["touching"], row["different"], *timed)
    if arguments.calls:
        ratios = sorted(row["ratio"] for row in rows)
        table.lines += ["", f"Median ratio {statistics.median(ratios):.2f}, lowest {ratios[0]:.2f}."]
        print("\n".join(table.lines[-2:]))
    table.finish(arguments.write)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(rows, file, indent=1)
    return int(any(row["different"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
