"""`python -m bench.plugins`: signed distance fields and cables beside MuJoCo 3.8.0, interleaved in one run.

Fields of plugins and of meshes against each other and against primitive shapes, and cables with elasticity, under `models/plugins`, made here,
and of the corpus where it is present. Both engines are timed as in `bench.flexes`. `--write` puts the table into `docs/performance.md`.
"""

import argparse
import os
import statistics

from bench import report
from bench.engines import ROOT
from bench.flexes import build, measure, measure_text

MODELS = [os.path.join(ROOT, "models", "plugins", f"{name}.xml") for name in ("fields", "mesh_field", "screw", "cable", "pid", "touch_grid")]
CORPUS = [f"mujoco/model/plugin/{name}.xml" for name in (
    "sdf/torus", "sdf/bowl", "sdf/mesh", "sdf/mug", "sdf/cow", "elasticity/belt", "elasticity/cable", "elasticity/coil",
)]


def cable(links):
    """A cable with elasticity that lies on a floor."""
    return f"""<mujoco><extension><plugin plugin="mujoco.elasticity.cable"/></extension><option timestep="0.002"/><worldbody>
    <geom type="plane" size="2 2 .1"/>
    <composite prefix="a" type="cable" curve="s" count="{links + 1} 1 1" size="2" offset="-1 0 .3" initial="none">
      <plugin plugin="mujoco.elasticity.cable"><config key="twist" value="1e6"/><config key="bend" value="1e6"/></plugin>
      <joint kind="main" damping="0.01"/><geom type="capsule" size="0.01" density="500"/></composite></worldbody></mujoco>"""


def gears(count):
    """Gears that mesh, driven by the first."""
    bodies = "".join(
        f"""<body pos="0 {0.86 * i} 0.5"><joint axis="0 0 1" damping="0.1"/>
        <geom type="sdf" mesh="wheel"><plugin instance="wheel"/></geom></body>""" for i in range(count))
    return f"""<mujoco><extension><plugin plugin="mujoco.sdf.gear"><instance name="wheel"><config key="teeth" value="12"/>
      <config key="diameter" value="0.8"/><config key="thickness" value="0.1"/>
      <config key="innerdiameter" value="0.2"/></instance></plugin></extension>
    <option sdf_iterations="8" sdf_initpoints="20"/><asset><mesh name="wheel"><plugin instance="wheel"/></mesh></asset>
    <worldbody>{bodies}</worldbody></mujoco>"""


PANEL = {"cable of 50 links with elasticity": cable(50), "cable of 100 links with elasticity": cable(100), "four gears": gears(4)}


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="bench.plugins", description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", default=os.path.join(os.path.dirname(ROOT), "shared", "corpus"))
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=0.03, help="length of one timing")
    parser.add_argument("--write", action="store_true", help="write the table into docs/performance.md")
    arguments = parser.parse_args()
    program = build()
    lines = ["| model | dofs | kinetree, µs | mujoco-3.8.0, µs | ratio |", "|---|---|---|---|---|"]
    ratios = []
    present = [path for path in (os.path.join(arguments.corpus, name) for name in CORPUS) if os.path.exists(path)]
    timings = [(name, lambda text=text: measure_text(program, text, arguments)) for name, text in PANEL.items()]
    timings += [("/".join(os.path.splitext(path)[0].split(os.sep)[-2:]), lambda path=path: measure(program, path, arguments))
                for path in MODELS + present]
    for name, take in timings:
        times, dofs = take()
        mine, theirs = times.values()
        ratios.append(theirs / mine)
        lines.append(f"| {name} | {dofs} | {1e6 * mine:.1f} | {1e6 * theirs:.1f} | **{ratios[-1]:.2f}** |")
        print(lines[-1], flush=True)
    lines += ["", f"Geometric mean: {statistics.geometric_mean(ratios):.2f}."]
    print(lines[-1])
    if arguments.write:
        report.write_section("bench.plugins", lines)


if __name__ == "__main__":
    main()
