"""`python -m bench.flexes`: models with flexes beside MuJoCo 3.8.0, interleaved in one run, and growth with the number of vertices.

The panel: a cloth of a thousand vertices on a ball, a soft box of a thousand elements on a floor, a cable of a hundred links, the embedded
models with flexes, and some of the corpus where it is present. Kinetree is built in release as the example `step_time`, without its Python
package; MuJoCo is that of the Python that runs this. Both start each turn from the state that MuJoCo has reached; the ratio is that of the least
times, since whatever else the machine does only adds to them. `--write` puts the tables into `docs/performance.md`.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

import mujoco
import numpy as np

from bench import report
from bench.engines import ROOT
from bench.growth import table

EMBEDDED = [os.path.join(ROOT, "models", "showcase", f"{name}.xml") for name in ("cloth", "jelly", "trampoline", "rope")]
CORPUS = [f"mujoco/model/flex/{name}.xml" for name in (
    "plate", "poncho_edgeequality", "bunny", "jelly", "softbox", "sphere_full", "gripper_trilinear",
)]


def cloth(side):
    """A square cloth that lies on a ball."""
    spacing = f"{1 / (side - 1):.5f}"
    return f"""<mujoco><option timestep="0.002" solver="CG" tolerance="1e-6" integrator="implicitfast"/><worldbody>
    <geom type="plane" size="2 2 .1"/><geom type="sphere" size=".3" pos="0 0 .3"/>
    <flexcomp name="cloth" type="grid" dim="2" count="{side} {side} 1" spacing="{spacing} {spacing} .1" pos="0 0 .63" mass="1" radius="0.008">
      <edge equality="true" damping=".001"/><contact solref=".01 1" selfcollide="none"/></flexcomp></worldbody></mujoco>"""


def soft_box(x, y, z):
    """A box of tetrahedra on a floor."""
    return f"""<mujoco><option timestep="0.001" solver="CG" tolerance="1e-6" integrator="implicitfast"/><worldbody>
    <geom type="plane" size="2 2 .1"/>
    <flexcomp name="box" type="grid" dim="3" count="{x} {y} {z}" spacing=".1 .1 .1" pos="0 0 {0.05 * (z - 1) + 0.02}" mass="5" radius="0.005">
      <elasticity young="3e4" poisson=".2" damping="1e-4"/><contact solref=".01 1" selfcollide="none"/></flexcomp></worldbody></mujoco>"""


def cable(links):
    """A cable that lies on a floor."""
    return f"""<mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="2 2 .1"/>
    <composite prefix="a" type="cable" curve="s" count="{links + 1} 1 1" size="2" offset="-1 0 .3" initial="none">
      <joint kind="main" damping="0.01"/><geom type="capsule" size="0.01" density="500"/></composite></worldbody></mujoco>"""


PANEL = {"cloth of 1,024 vertices on a ball": cloth(32), "soft box of 1,050 elements": soft_box(8, 6, 6), "cable of 100 links": cable(100)}
SIDES = [8, 16, 32, 48]


def build():
    """Path of the program that times steps of Kinetree."""
    print("building kinetree in release …", file=sys.stderr, flush=True)
    subprocess.run(["cargo", "build", "--release", "-q", "-p", "kinetree", "--example", "step_time"], cwd=ROOT, check=True)
    return os.path.join(ROOT, "target", "release", "examples", "step_time")


class Kinetree:
    """A process that times steps from one state."""

    def __init__(self, program, model, state, steps):
        self.process = subprocess.Popen([program, model, state, str(steps)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def time(self):
        """Seconds that the steps take."""
        to_process, from_process = self.process.stdin, self.process.stdout
        assert to_process is not None and from_process is not None
        to_process.write("\n")
        to_process.flush()
        return float(from_process.readline())

    def end(self):
        """Ends the process."""
        self.process.communicate()


class Mujoco:
    """The reference, from one state."""

    kind = mujoco.mjtState.mjSTATE_INTEGRATION

    def __init__(self, path, settle):
        self.model = mujoco.MjModel.from_xml_path(path)
        self.data = mujoco.MjData(self.model)
        mujoco.mj_step(self.model, self.data, nstep=settle)
        self.state = np.zeros(mujoco.mj_stateSize(self.model, self.kind))
        mujoco.mj_getState(self.model, self.data, self.state, self.kind)

    def time(self, steps):
        """Seconds that the steps take."""
        mujoco.mj_setState(self.model, self.data, self.state, self.kind)
        mujoco.mj_step(self.model, self.data)
        start = time.perf_counter()
        mujoco.mj_step(self.model, self.data, nstep=steps)
        return time.perf_counter() - start


def measure(program, path, arguments):
    """Least seconds per step of both engines, and the number of dofs."""
    reference = Mujoco(path, settle=100)
    steps = max(3, int(arguments.seconds / (reference.time(5) / 5)))
    with tempfile.NamedTemporaryFile() as file:
        file.write(reference.state.tobytes())
        file.flush()
        own = Kinetree(program, path, file.name, steps)
        times = [(own.time(), reference.time(steps)) for _ in range(arguments.repetitions)]
        own.end()
    return {"kinetree": min(t[0] for t in times) / steps, "mujoco-3.8.0": min(t[1] for t in times) / steps}, reference.model.nv


def measure_text(program, text, arguments):
    """The same of a model that is made here."""
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(text)
        file.flush()
        return measure(program, file.name, arguments)


def panel(program, arguments):
    """The table of the panel."""
    lines = ["| model | dofs | kinetree, µs | mujoco-3.8.0, µs | ratio |", "|---|---|---|---|---|"]
    ratios = []

    def add(name, of):
        (mine, theirs), dofs = of[0].values(), of[1]
        ratios.append(theirs / mine)
        lines.append(f"| {name} | {dofs} | {1e6 * mine:.1f} | {1e6 * theirs:.1f} | **{ratios[-1]:.2f}** |")
        print(lines[-1], flush=True)

    for name, text in PANEL.items():
        add(name, measure_text(program, text, arguments))
    present = [path for path in (os.path.join(arguments.corpus, m) for m in CORPUS) if os.path.exists(path)]
    for path in EMBEDDED + present:
        name = "/".join(os.path.splitext(path)[0].split(os.sep)[-2:])
        add(name, measure(program, path, arguments))
    return [*lines, "", f"Geometric mean: {statistics.geometric_mean(ratios):.2f}."]


def growth(program, arguments):
    """The table of cloths of growing size."""
    curves = {"kinetree": [], "mujoco-3.8.0": []}
    for side in SIDES:
        for label, seconds in measure_text(program, cloth(side), arguments)[0].items():
            curves[label].append((side * side, 1e6 * seconds))
    return table("vertices of a cloth on a ball", curves)


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="bench.flexes", description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", default=os.path.join(os.path.dirname(ROOT), "shared", "corpus"))
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=0.03, help="length of one timing")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/performance.md")
    arguments = parser.parse_args()
    program = build()
    lines = panel(program, arguments)
    print(lines[-1], flush=True)
    grown = growth(program, arguments)
    print("\n".join(grown))
    if arguments.write:
        report.write_section("bench.flexes", [*lines, "", *grown])


if __name__ == "__main__":
    main()
