"""`python -m conformance.sensitivity RESULTS.json FOLDER`: of models that do not agree, whether the reference agrees with itself.

`RESULTS.json` is what `python -m conformance FOLDER --json` has written. At each state of a model's trajectory the reference is also run from
states that are changed in their last digits; a model whose differences are no larger than those this makes is counted as sensitive: contacts of
parallel surfaces have no single point, a row whose entries are zero up to rounding exists or not, forces of redundant rows are not unique.
"""

import argparse
import json
import os

import numpy as np

from conformance.compare import copy_state, states
from conformance.random_models import EXCESS, NUDGE
from conformance.stages import error

TOLERANCE, NUDGES = 1e-6, 30


def results(engine, model, data, qacc=None):
    """What an evaluation computes, and the inverse dynamics at the given acceleration or its own."""
    engine.mj_forward(model, data)
    contacts = list(data.contact)[: data.ncon]
    out = {name: np.array(getattr(data, name)) for name in ("qacc", "qfrc_constraint", "efc_force")}
    # a dense Jacobian of the reference may be longer than its rows
    out["efc_J"] = np.ravel(data.efc_J)[: data.nefc * data.qvel.size].copy()
    out["contact"] = np.array([np.concatenate([[c.dist], np.ravel(c.pos), np.ravel(c.frame)]) for c in contacts])
    data.qacc[:] = out["qacc"] if qacc is None else qacc
    engine.mj_inverse(model, data)
    out["qfrc_inverse"] = np.array(data.qfrc_inverse)
    return out


def next_state(engine, model, data):
    """Positions and velocities after a step."""
    engine.mj_step(model, data)
    return {"qpos": np.array(data.qpos), "qvel": np.array(data.qvel)}


def evaluate(engine, model, data, source, qacc=None, nudge=None):
    """All results at a state, which is changed in its last digits if asked for."""
    out = {}
    for stage in (lambda: results(engine, model, data, qacc), lambda: next_state(engine, model, data)):
        copy_state(data, source)
        for name in ("qpos", "qvel", "qacc_warmstart") if nudge else ():
            array = getattr(data, name)
            array += NUDGE * nudge.uniform(-1, 1, array.shape) * np.maximum(np.abs(array), 0.1)
        out.update(stage())
    return out


def unexplained(kinetree, mujoco, path, steps):
    """Fields that differ by more than the reference differs from itself."""
    reference, model = mujoco.MjModel.from_xml_path(path), kinetree.MjModel.from_xml_path(path)
    mine, theirs = kinetree.MjData(model), mujoco.MjData(reference)
    nudge, wrong = np.random.default_rng(0), {}
    for source in states(reference, mujoco, steps, 1):
        expected = evaluate(mujoco, reference, theirs, source)
        found = evaluate(kinetree, model, mine, source, expected["qacc"])
        bad = {name for name in expected if error(found[name], expected[name]) > TOLERANCE}
        for _ in range(NUDGES if bad else 0):
            other = evaluate(mujoco, reference, theirs, source, expected["qacc"], nudge)
            bad = {n for n in bad if EXCESS * error(other[n], expected[n]) < error(found[n], expected[n])}
        wrong.update({name: error(found[name], expected[name]) for name in bad})
    return wrong


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="conformance.sensitivity", description=__doc__.splitlines()[0])
    parser.add_argument("results")
    parser.add_argument("folder")
    parser.add_argument("--steps", type=int, default=200, help="length of each trajectory, as in the comparison")
    arguments = parser.parse_args()
    import kinetree
    import mujoco

    mujoco.set_mju_user_warning(lambda text: None)
    with open(arguments.results, encoding="utf-8") as file:
        rows = json.load(file)
    rows = rows if isinstance(rows, list) else rows["models"]
    failed = [row["path"] for row in rows if row["outcome"] == "failed"]
    sensitive = 0
    for path in failed:
        wrong = unexplained(kinetree, mujoco, os.path.join(arguments.folder, path), arguments.steps)
        sensitive += not wrong
        print(path, ", ".join(f"{name} {value:.2g}" for name, value in wrong.items()) or "as sensitive in the reference", flush=True)
    print(f"{len(rows) - len(failed)} of {len(rows)} agree, {sensitive} are as sensitive in the reference, {len(failed) - sensitive} differ")


if __name__ == "__main__":
    main()
