"""`python -m bench.growth`: time per step as a model grows, beside MuJoCo 3.8.0, interleaved in one run.

Two families: copies of the embedded humanoid side by side on a floor, and chains of hinges. Prints a table with the exponent
of growth between neighbouring sizes; `--write` puts tables and plots into `docs/performance.md`.
"""

import argparse
import math
import os
import re
import statistics
import tempfile

from bench import chart, report
from bench.engines import ROOT, all_engines, interleaved

HUMANOIDS = [1, 2, 5, 10, 22, 50, 100]
CHAINS = [10, 20, 50, 100, 200, 500, 1000]


def humanoids(count):
    """Copies of the embedded humanoid in a square."""
    with open(os.path.join(ROOT, "models", "showcase", "humanoid.xml"), encoding="utf-8") as file:
        xml = file.read()
    # everything that names a part of the robot would need the copy's prefix: only the bodies are copied
    for element in ("actuator", "sensor", "keyframe", "tendon", "contact", "equality"):
        xml = re.sub(rf"<{element}>.*?</{element}>", "", xml, flags=re.DOTALL)
    start, end = xml.index("<body"), xml.index("</worldbody>")
    row = math.ceil(math.sqrt(count))
    copies = [
        f'<frame pos="{2 * (i % row)} {2 * (i // row)} 0"><replicate count="1" sep="_{i}_">{xml[start:end]}</replicate></frame>'
        for i in range(count)
    ]
    return xml[:start] + "".join(copies) + xml[end:]


def chain(count):
    """A chain of hinges with axes in turn along x and y, without contacts; four to a body, as files may not nest too deep."""
    bodies = []
    for first in range(0, count, 4):
        hinges = "".join(
            f'<joint axis="{i % 2} {1 - i % 2} 0" pos="0 0 {-0.025 * (i - first)}" damping="0.01" armature="0.01"/>'
            for i in range(first, min(first + 4, count))
        )
        bodies.append(f'<body pos="0 0 -0.1">{hinges}<geom type="capsule" fromto="0 0 0 0 0 -0.1" size="0.02"/>')
    head = '<mujoco><option><flag contact="disable"/></option><worldbody>'
    return head + "".join(bodies) + "</body>" * len(bodies) + "</worldbody></mujoco>"


def measure(engines, sizes, make, repetitions, seconds):
    """Median seconds per step of each engine for each size."""
    curves = {engine.label: [] for engine in engines}
    for size in sizes:
        with tempfile.NamedTemporaryFile("w", suffix=".xml", delete=False) as file:
            file.write(make(size))
        try:
            for engine in engines:
                engine.ask(do="load", path=file.name)
            for label, times in interleaved(engines, repetitions, seconds, settle=100).items():
                curves[label].append((size, 1e6 * statistics.median(times)))
        finally:
            os.unlink(file.name)
        print(size, {label: round(of[-1][1], 1) for label, of in curves.items()}, flush=True)
    return curves


def exponents(points):
    """Growth between neighbouring sizes."""
    pairs = zip(points, points[1:])
    return [math.log(b[1] / a[1]) / math.log(b[0] / a[0]) for a, b in pairs]


def table(what, curves):
    """Lines of a table."""
    labels = list(curves)
    lines = [f"| {what} | " + " | ".join(f"{label}, µs | exponent" for label in labels) + " |", "|---|" + "---|---|" * len(labels)]
    growth = {label: [math.nan, *exponents(points)] for label, points in curves.items()}
    for i, (size, _) in enumerate(curves[labels[0]]):
        cells = [f"{curves[label][i][1]:.1f} | " + (f"{growth[label][i]:.2f}" if i else "") for label in labels]
        lines.append(f"| {size} | " + " | ".join(cells) + " |")
    return lines


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="bench.growth", description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.1, help="length of one timing")
    parser.add_argument("--write", action="store_true", help="write tables and plots into docs/performance.md")
    arguments = parser.parse_args()
    engines = all_engines(newest=False)
    section = []
    for name, sizes, make in (("humanoids", HUMANOIDS, humanoids), ("hinges in a chain", CHAINS, chain)):
        curves = measure(engines, sizes, make, arguments.repetitions, arguments.seconds)
        lines = table(name, curves)
        print("\n".join(lines), flush=True)
        image = f"growth-{name.split()[0]}.svg"
        if arguments.write:
            report.write_image(image, chart.curves(f"Time per step, {name}", name, "µs per step", curves))
        section += [*lines, "", f"![time per step, {name}](images/{image})", ""]
    if arguments.write:
        report.write_section("bench.growth", section)


if __name__ == "__main__":
    main()
