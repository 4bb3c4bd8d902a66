"""`python -m bench.contact_solvers`: conjugate gradients against projected Gauss-Seidel, and dense against sparse storage.

The first table steps walls of bricks, which all touch each other, so that they are one island. Told are the least times of a step, in processor
time and in turns, the iterations that the solver made, and how far its accelerations are from the solution, which Newton's method finds with a
tolerance of zero. The second steps chains that lie on the ground under Newton's method with the Jacobian and the Hessian stored densely and sparsely.
"""

import argparse
import time

import kinetree
import numpy as np

SOLVERS = ("CG", "PGS", "Newton")
BRICK = (0.1, 0.05, 0.05)


def wall(contacts):
    """A wall of bricks, each on two halves of others, with about so many contacts."""
    # a brick has four contacts with the ground, and four with each of the two below it
    rows = max(1, round((contacts / 16) ** 0.5))
    columns = max(1, round(contacts / (8 * rows - 4)))
    box = f'<geom type="box" size="{BRICK[0]} {BRICK[1]} {BRICK[2]}"/>'
    bricks = []
    for row in range(rows):
        for column in range(columns):
            x = 2.02 * BRICK[0] * (column + 0.5 * (row % 2))
            bricks.append(f'<body pos="{x} 0 {BRICK[2] * (2 * row + 0.995)}"><freejoint/>{box}</body>')
    return f'<mujoco><worldbody><geom type="plane" size="0 0 1"/>{"".join(bricks)}</worldbody></mujoco>'


def chains(count, links=10):
    """Chains of capsules that lie on the ground, three dofs a link, and touch the next chain."""
    link = '<joint type="ball" damping=".1"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".05"/>'
    bodies = []
    for k in range(count):
        inside = ""
        for _ in range(links - 1):
            inside = f'<body pos=".2 0 0">{link}{inside}</body>'
        bodies.append(f'<body pos="0 {0.099 * k} .0495">{link}{inside}</body>')
    return f'<mujoco><worldbody><geom type="plane" size="0 0 1"/>{"".join(bodies)}</worldbody></mujoco>'


def settled(xml, steps):
    """A model and its state after some steps under Newton's method."""
    model = kinetree.MjModel.from_xml_string(xml)
    data = kinetree.MjData(model)
    kinetree.mj_step(model, data, nstep=steps)
    kinetree.mj_forward(model, data)
    return model, data


def choice(option, value):
    """A function that sets an option of a model."""
    return lambda model: setattr(model.opt, option, value)


def least_seconds(model, start, variants, rounds, steps):
    """Least processor time of a step under each variant, a function that changes the model."""
    least = dict.fromkeys(variants, np.inf)
    for _ in range(rounds):
        for name, change in variants.items():
            change(model)
            data = start.__copy__()
            begin = time.process_time()
            kinetree.mj_step(model, data, nstep=steps)
            least[name] = min(least[name], (time.process_time() - begin) / steps)
    return least


def solution(model, start):
    """Accelerations that Newton's method finds with a tolerance of zero."""
    kept = model.opt.solver, model.opt.tolerance
    model.opt.solver, model.opt.tolerance = kinetree.mjtSolver.mjSOL_NEWTON, 0.0
    data = start.__copy__()
    kinetree.mj_forward(model, data)
    model.opt.solver, model.opt.tolerance = kept
    return data.qacc.copy()


def compare_solvers(counts, rounds, steps, iterations):
    """The table of solvers."""
    print(f"at most {iterations} iterations, tolerance 1e-8; error: of accelerations, of their largest")
    print("| contacts | dofs | " + " | ".join(f"{name}: ms, iterations, error" for name in SOLVERS) + " | PGS / CG |")
    print("|---|---|" + "---|" * (len(SOLVERS) + 1))
    for count in counts:
        model, start = settled(wall(count), 20)
        model.opt.iterations = iterations
        exact = solution(model, start)
        variants = {name: choice("solver", getattr(kinetree.mjtSolver, f"mjSOL_{name.upper()}")) for name in SOLVERS}
        least = least_seconds(model, start, variants, rounds, steps)
        cells = []
        for name, change in variants.items():
            change(model)
            data = start.__copy__()
            kinetree.mj_forward(model, data)
            error = np.abs(data.qacc - exact).max() / np.abs(exact).max()
            cells.append(f"{1e3 * least[name]:.3f}, {data.solver_niter.sum()}, {error:.0e}")
        print(f"| {start.ncon} | {model.nv} | {' | '.join(cells)} | {least['PGS'] / least['CG']:.2f} |", flush=True)


def compare_storage(rounds, steps):
    """The table of dense and sparse storage."""
    print("| dofs | contacts | dense: ms | sparse: ms | dense / sparse |\n|---|---|---|---|---|")
    for count in (1, 3, 10):
        model, start = settled(chains(count), 20)
        jacobian = kinetree.mjtJacobian
        kinds = {"dense": jacobian.mjJAC_DENSE, "sparse": jacobian.mjJAC_SPARSE}
        variants = {name: choice("jacobian", kind) for name, kind in kinds.items()}
        # states of one storage are none of the other's
        least = {}
        for _ in range(rounds):
            for name, change in variants.items():
                change(model)
                data = kinetree.MjData(model)
                data.qpos[:], data.qvel[:] = start.qpos, start.qvel
                kinetree.mj_step(model, data)
                begin = time.process_time()
                kinetree.mj_step(model, data, nstep=steps)
                least[name] = min(least.get(name, np.inf), (time.process_time() - begin) / steps)
        ratio = least["dense"] / least["sparse"]
        print(f"| {model.nv} | {start.ncon} | {1e3 * least['dense']:.3f} | {1e3 * least['sparse']:.3f} | {ratio:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="python -m bench.contact_solvers", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--contacts", type=int, nargs="+", default=[4, 12, 36, 100, 300, 1000])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--iterations", type=int, default=100)
    args = parser.parse_args()
    compare_solvers(args.contacts, args.rounds, args.steps, args.iterations)
    compare_storage(args.rounds, 2 * args.steps)


if __name__ == "__main__":
    main()
