"""`python -m bench.derivatives`: analytic derivatives of a step beside finite differences of MuJoCo 3.8.0, in one run.

Each model is taken through 150 steps by MuJoCo; both engines then start from that state. The table shows the time of `mjd_transitionFD` (one-sided,
`A` and `B`) of MuJoCo, of `mjd_transition` of Kinetree, their ratio (above one: Kinetree is faster), and what a step and a reverse product of
a step take. All take turns; each figure is the median of processor times. `--write` puts the table into `docs/performance.md`.
"""

import argparse
import os
import statistics
import time

import kinetree
import mujoco
import numpy as np
from kinetree import grad

from bench import report
from bench.compare import CORPUS, EMBEDDED, display_name
from bench.engines import ROOT


def clocked(function, count):
    """Seconds of processor time of a call, over some calls."""
    start = time.process_time()
    for _ in range(count):
        function()
    return (time.process_time() - start) / count


def calls(path):
    """Sizes, and what is timed: name and function."""
    model, ours = mujoco.MjModel.from_xml_path(path), kinetree.MjModel.from_xml_path(path)
    data, other = mujoco.MjData(model), kinetree.MjData(ours)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_step(model, data, nstep=150)
    full = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(model, full))
    mujoco.mj_getState(model, data, state, full)
    kinetree.mj_setState(ours, other, state, int(full))
    nx = 2 * model.nv + model.na
    a, b, adjoint = np.zeros((nx, nx)), np.zeros((nx, model.nu)), np.ones(nx)

    def step():
        kinetree.mj_setState(ours, other, state, int(full))
        kinetree.mj_step(ours, other)

    # the state remains in all others
    def restored(function):
        kinetree.mj_setState(ours, other, state, int(full))
        function()
        return function

    return model.nv, {
        "differences": lambda: mujoco.mjd_transitionFD(model, data, 1e-6, 0, a, b, None, None),
        "step": step,
        "analytic": restored(lambda: kinetree.mjd_transition(ours, other, a, b)),
        "product": restored(lambda: grad.step_vjp(ours, other, adjoint)),
    }


def time_model(path, repetitions, seconds):
    """Sizes and median times of one model."""
    nv, functions = calls(path)
    counts = {name: max(1, int(seconds / max(1e-6, clocked(function, 1)))) for name, function in functions.items()}
    times = {name: [] for name in functions}
    for _ in range(repetitions):
        for name, function in functions.items():
            times[name].append(clocked(function, counts[name]))
    return {"model": display_name(path), "nv": nv, **{name: statistics.median(t) for name, t in times.items()}}


def table_row(row):
    """One line of the table."""
    micro = {name: 1e6 * row[name] for name in ("differences", "analytic", "step", "product")}
    ratio, steps = row["differences"] / row["analytic"], row["product"] / row["step"]
    return (f"| {row['model']} | {row['nv']} | {micro['differences']:.0f} | {micro['analytic']:.1f} | **{ratio:.1f}** | "
            f"{micro['step']:.1f} | {micro['product']:.1f} | {steps:.2f} |")


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="bench.derivatives", description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", help="model files (default: embedded ones, and the corpus where present)")
    parser.add_argument("--corpus", default=os.path.join(os.path.dirname(ROOT), "shared", "corpus"))
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.05, help="length of one timing")
    parser.add_argument("--write", action="store_true", help="write the table into docs/performance.md")
    arguments = parser.parse_args()
    present = [path for path in (os.path.join(arguments.corpus, m) for m in CORPUS) if os.path.exists(path)]
    lines = ["| model | dofs | differences, µs | analytic, µs | ratio | step, µs | reverse product, µs | in steps |", "|---|" + "---|" * 7]
    print("\n".join(lines), flush=True)
    rows = []
    for path in arguments.models or EMBEDDED + present:
        try:
            rows.append(time_model(path, arguments.repetitions, arguments.seconds))
            lines.append(table_row(rows[-1]))
        except kinetree.FatalError as error:
            lines.append(f"| {display_name(path)} | refused: {error} |" + " |" * 6)
        print(lines[-1], flush=True)
    if rows:
        ratio = statistics.geometric_mean(row["differences"] / row["analytic"] for row in rows)
        steps = statistics.geometric_mean(row["product"] / row["step"] for row in rows)
        lines += ["", f"Geometric means: {ratio:.1f} times as fast as finite differences; a reverse product costs {steps:.2f} steps."]
        print("\n".join(lines[-2:]))
    if arguments.write:
        report.write_section("bench.derivatives", lines)


if __name__ == "__main__":
    main()
