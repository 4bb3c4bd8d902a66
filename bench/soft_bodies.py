"""Cost of deformable bodies beside NVIDIA Warp's XPBD integrator, on the processor and on the same sheet.

    cargo build --release -p kinetree-soft --features parallel --example cost
    python -m bench.soft_bodies [--cells 64] [--rounds 5]

Both step a square sheet of cells of 2 cm that hangs from one side, with one sweep over the constraints in each substep. Warp
(``pip install warp-lang==1.7.2``) has springs along edges and between the vertices on both sides of them, and hinges at edges, in
single precision. Kinetree has the same springs and hinges in double precision, and as a second body membrane elements with
the elastic constants of cotton and plate bending. Sides take turns, and the fastest substep of each counts, since others may
use the processor too.
"""

import argparse
import pathlib
import subprocess
import time

import numpy as np
import warp as wp
import warp.sim

PROGRAM = pathlib.Path(__file__).parents[1] / "target" / "release" / "examples" / "cost"


def warp_sheet(cells):
    """The sheet, and a function that makes one substep."""
    builder = wp.sim.ModelBuilder()
    builder.add_cloth_grid(
        pos=wp.vec3(0.0, 0.0, 0.0), rot=wp.quat_identity(), vel=wp.vec3(0.0, 0.0, 0.0), dim_x=cells, dim_y=cells,
        cell_x=0.02, cell_y=0.02, mass=1e-4, fix_left=True, add_springs=True, spring_ke=1e3, edge_ke=1.0,
    )
    model = builder.finalize("cpu")
    model.ground = False
    integrator = wp.sim.XPBDIntegrator(iterations=1)
    states = [model.state(), model.state()]

    def substep():
        states[0].clear_forces()
        integrator.simulate(model, states[0], states[1], 1e-4)
        states.reverse()

    return substep, lambda: states[0].particle_q.numpy()


def main():
    """Prints both costs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--substeps", type=int, default=200)
    arguments = parser.parse_args()
    wp.config.quiet = True
    wp.init()
    substep, positions = warp_sheet(arguments.cells)
    substep()
    own: dict[str, float] = {}
    other = float("inf")
    for _ in range(arguments.rounds):
        for kind in ("springs", "cloth"):
            call = [str(PROGRAM), kind, str(arguments.cells), str(arguments.substeps)]
            one_thread = {"RAYON_NUM_THREADS": "1"}
            seconds = float(subprocess.run(call, capture_output=True, text=True, check=True, env=one_thread).stdout)
            own[kind] = min(own.get(kind, seconds), seconds)
        for _ in range(arguments.substeps):
            start = time.perf_counter()
            substep()
            other = min(other, time.perf_counter() - start)
    assert np.isfinite(positions()).all()
    count = (arguments.cells + 1) ** 2
    print(f"{count} vertices, ns per vertex and substep: Warp {1e9 * other / count:.0f}")
    for kind, seconds in own.items():
        print(f"  Kinetree, {kind}: {1e9 * seconds / count:.0f} ({other / seconds:.2f} times as fast)")


if __name__ == "__main__":
    main()
