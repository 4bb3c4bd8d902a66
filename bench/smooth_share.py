"""`python -m bench.smooth_share`: the share of a step that lanes across worlds could make faster.

Worlds of one model have the same tree, so that the smooth stages (kinematics, inertia, factor, bias, transmissions) of four worlds could
run in lockstep, a world a lane. Contacts and the solver differ from world to world. This measures the stages of a moving world with its
contacts, and says how much faster a step could be at most (Amdahl's law): with lanes that are four times as fast, and with those that
`cargo run --release -p kinetree-math --example lanes_across_worlds` measures.
"""

import argparse
import functools
import time

import kinetree
import numpy as np

SMOOTH = ("mj_kinematics", "mj_comPos", "mj_tendon", "mj_makeM", "mj_factorM", "mj_transmission", "mj_fwdVelocity", "mj_fwdActuation",
          "mj_fwdAcceleration")
MODELS = ("models/showcase/humanoid.xml", "models/showcase/quadruped.xml", "ant.xml", "humanoid.xml")


def microseconds(call, count=2000, rounds=7):
    """Processor time of a call, the least of some rounds."""
    best = np.inf
    for _ in range(rounds):
        begin = time.process_time()
        for _ in range(count):
            call()
        best = min(best, (time.process_time() - begin) / count)
    return 1e6 * best


def shares(path):
    """Time of a step, and of its smooth stages, in µs."""
    model = kinetree.MjModel.from_xml_path(path)
    data, random = kinetree.MjData(model), np.random.default_rng(0)
    if model.nkey:
        kinetree.mj_resetDataKeyframe(model, data, 0)
    for _ in range(300):
        data.ctrl[:] = random.uniform(-0.4, 0.4, model.nu)
        kinetree.mj_step(model, data)
    state = [(array, array.copy()) for array in (data.qpos, data.qvel, data.qacc_warmstart)]

    def restore():
        for array, values in state:
            array[:] = values

    def step():
        restore()
        kinetree.mj_step(model, data)

    whole = microseconds(step) - microseconds(restore)
    kinetree.mj_forward(model, data)
    # what a call costs by itself
    empty = microseconds(lambda: kinetree.mj_getTotalmass(model))
    stages = [functools.partial(getattr(kinetree, name), model, data) for name in SMOOTH]
    smooth = sum(max(0.0, microseconds(stage) - empty) for stage in stages)
    evaluations = 4 if model.opt.integrator == kinetree.mjtIntegrator.mjINT_RK4 else 1
    return whole, evaluations * smooth


def main():
    """Command line."""
    from kinetree.envs.vector import find_model

    parser = argparse.ArgumentParser(prog="bench.smooth_share", description=__doc__)
    parser.add_argument("models", nargs="*", default=MODELS, help="files; names alone are Gymnasium's")
    parser.add_argument("--gain", type=float, default=1.7, help="how much faster lockstep makes the smooth stages")
    arguments = parser.parse_args()
    print(f"{'model':<34} {'step, µs':>9} {'smooth, µs':>11} {'share':>6} {'bound, 4x':>10} {'bound, ' + str(arguments.gain) + 'x':>12}")
    for path in arguments.models:
        whole, smooth = shares(find_model(path))
        share = smooth / whole
        bounds = [1.0 / (1.0 - share + share / gain) for gain in (4.0, arguments.gain)]
        print(f"{path:<34} {whole:>9.1f} {smooth:>11.1f} {share:>6.0%} {bounds[0]:>10.2f} {bounds[1]:>12.2f}", flush=True)


if __name__ == "__main__":
    main()
