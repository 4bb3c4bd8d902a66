"""`python -m bench.classes`: classes of models that engines find hard, made by this script; time per step of both engines.

Both engines step the same model in turns, and the ratio is that of the least times, so that other work on the machine disturbs both
alike. A number above one means that Kinetree is faster. Only a release build says something: without inlining across units (`--profile
fast`) a step takes two to four times as long.
"""

import argparse
import math
import random
import time

SHAPES = (
    'type="capsule" size="0.05 0.1"', 'type="box" size="0.05 0.06 0.07"', 'type="cylinder" size="0.05 0.06"',
    'type="ellipsoid" size="0.05 0.06 0.08"',
)


def distances(shapes, geoms=6, bodies=4):
    """Bodies of several geoms, and a distance sensor between each two of them."""
    out = ['<mujoco><option gravity="0 0 0"/><worldbody>']
    for b in range(bodies):
        out.append(f'<body name="b{b}" pos="{b} 0 1"><freejoint/>')
        for i in range(geoms):
            place = f'pos="{0.1 * i:g} {0.13 * (i % 3):g} {0.2 * (i % 2):g}" euler="{20 * i} {35 * i} 0"'
            out.append(f'<geom {shapes[i % len(shapes)]} {place} contype="0" conaffinity="0"/>')
        out.append("</body>")
    out.append("</worldbody><sensor>")
    out += [f'<distance body1="b{a}" body2="b{b}" cutoff="10"/>' for a in range(bodies) for b in range(a + 1, bodies)]
    return "".join([*out, "</sensor></mujoco>"])


def pebbles(count=12, corners=24):
    """Meshes with many corners that have fallen onto each other into a tray."""
    rng = random.Random(1)
    out = ["<mujoco><asset>"]
    for k in range(3):
        points = []
        for i in range(corners):
            z = 1 - 2 * (i + 0.5) / corners
            r, angle = math.sqrt(1 - z * z), i * math.pi * (3 - math.sqrt(5))
            points += [0.1 * r * math.cos(angle), 0.08 * r * math.sin(angle), (0.06 + 0.01 * k) * z]
        out.append(f'<mesh name="m{k}" vertex="{" ".join(f"{x:.5g}" for x in points)}"/>')
    out.append('</asset><worldbody><geom type="plane" size="3 3 0.1"/>')
    for x, y, sx, sy in ((0.35, 0, 0.02, 0.35), (-0.35, 0, 0.02, 0.35), (0, 0.35, 0.35, 0.02), (0, -0.35, 0.35, 0.02)):
        out.append(f'<geom type="box" pos="{x} {y} 0.3" size="{sx} {sy} 0.3"/>')
    for i in range(count):
        place = f"{rng.uniform(-0.2, 0.2):.3g} {rng.uniform(-0.2, 0.2):.3g} {0.1 + 0.14 * i:.3g}"
        out.append(f'<body pos="{place}"><freejoint/><geom type="mesh" mesh="m{i % 3}"/></body>')
    return "".join([*out, "</worldbody></mujoco>"])


def warehouse(boxes=40, arms=6, option=""):
    """Stacks of boxes between arms: about 150 contacts."""
    out = [f'<mujoco>{option}<worldbody><geom type="plane" size="9 9 0.1"/>']
    for i in range(boxes):
        stack, level = divmod(i, 4)
        out.append(f'<body pos="{0.5 * (stack % 5)} {0.5 * (stack // 5)} {0.1 + 0.2 * level}"><freejoint/>'
                   '<geom type="box" size="0.1 0.1 0.1"/></body>')
    for i in range(arms):
        out.append(f'<body pos="{0.5 * i} -1 0.5">')
        for n in range(6):
            axis = ("0 0 1", "0 1 0", "1 0 0")[n % 3]
            out.append(f'<body pos="0.15 0 0"><joint axis="{axis}" damping="1"/>'
                       '<geom type="capsule" fromto="0 0 0 0.15 0 0" size="0.03"/>')
        out.append("</body>" * 7)
    return "".join([*out, "</worldbody></mujoco>"])


CLASSES = {
    "distances between bodies of capsules": (distances(SHAPES[:1]), 0),
    "distances between bodies of boxes": (distances(SHAPES[1:2]), 0),
    "distances between bodies of all shapes": (distances(SHAPES), 0),
    "meshes at rest on each other": (pebbles(), 1500),
    "large scene with many contacts": (warehouse(), 500),
    "the same with projected Gauss-Seidel": (warehouse(option='<option solver="PGS"/>'), 500),
}


def measure(engines, text, settle, steps, rounds):
    """Least seconds per step of each engine, and the contacts of the last one."""
    models = [(engine, engine.MjModel.from_xml_string(text)) for engine in engines]
    starts = []
    for engine, model in models:
        data = engine.MjData(model)
        for _ in range(settle):
            engine.mj_step(model, data)
        starts.append((data.qpos.copy(), data.qvel.copy()))
    least, contacts = [math.inf] * len(models), 0
    for _ in range(rounds):
        for k, (engine, model) in enumerate(models):
            data = engine.MjData(model)
            data.qpos[:], data.qvel[:] = starts[0]
            engine.mj_step(model, data, nstep=3)
            begin = time.process_time()
            engine.mj_step(model, data, nstep=steps)
            least[k] = min(least[k], (time.process_time() - begin) / steps)
            contacts = data.ncon
    return least, contacts


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="bench.classes", description=__doc__)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    import kinetree
    import mujoco

    print(f"{'class':<42}{'contacts':>9}{'mujoco µs':>11}{'kinetree µs':>13}{'ratio':>7}")
    for name, (text, settle) in CLASSES.items():
        (theirs, mine), contacts = measure((mujoco, kinetree), text, settle, arguments.steps, arguments.rounds)
        print(f"{name:<42}{contacts:>9}{1e6 * theirs:>11.1f}{1e6 * mine:>13.1f}{theirs / mine:>7.2f}", flush=True)


if __name__ == "__main__":
    main()
