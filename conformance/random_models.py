"""`python -m conformance.random_models --count 1000 --steps 200`: steps random models in both engines and compares them.

Two measures are taken. Step by step: at each state of the reference's trajectory Kinetree makes the same step from the same
state, and the next state, the sensors and the forces must agree. Free running: both engines go their own way from the same
start; contact makes motion chaotic, so that rounding grows, and what is reported is how far they are apart at the end.

Some steps are ill conditioned: conjugate gradients that stop after a hundred iterations, or a search for the contact of two
curved surfaces that stops at its own tolerance, turn a change of the last digit of the state into a change of the sixth digit of
the result. Where the engines differ by more than the tolerance, the reference itself is run from states that are changed in
their last digits; a model whose difference is no larger than what the reference makes of that is counted as `sensitive`. So is
one whose iterative solver stopped at different points: both engines must then agree when the tolerance of the solver is zero, or, where
it does not get any further, differ no more than the reference does from the solution that its Newton solver finds.
Only what remains counts as a disagreement.
"""

import argparse
import collections
import multiprocessing as mp
import os
import sys

import numpy as np

from conformance.compare import Verdict, compare_fields, copy_state
from conformance.exemptions import SIZES
from conformance.generator import make
from conformance.stages import error

TOLERANCE = 1e-6
# changes of the last digits, how many of them are tried, and how much larger than their effect a difference may be
NUDGE, NUDGES, EXCESS = 4e-15, 100, 5.0
COMPARED = "qpos qvel act qacc qfrc_constraint qfrc_passive qfrc_actuator sensordata".split()


def controls(model, rng, data):
    """Random controls within their ranges, and now and then a push."""
    if model.nu:
        low, high = model.actuator_ctrlrange[:, 0], model.actuator_ctrlrange[:, 1]
        noise = rng.uniform(-1.0, 1.0, model.nu)
        data.ctrl[:] = np.where(model.actuator_ctrllimited.astype(bool), low + (high - low) * (noise + 1) / 2, noise)
    data.xfrc_applied[:] = 0
    if rng.random() < 0.02:
        data.xfrc_applied[rng.integers(1, model.nbody)] = rng.uniform(-3, 3, 6)


def is_sensitive(mujoco, reference, data, rng, field, difference):
    """Whether changes in the last digits of the state change a field of the reference as much as the engines differ."""
    plain, nudged = mujoco.MjData(reference), mujoco.MjData(reference)
    copy_state(plain, data)
    mujoco.mj_step(reference, plain)
    base = np.array(getattr(plain, field))
    for _ in range(NUDGES):
        copy_state(nudged, data)
        for name in ("qpos", "qvel", "qacc_warmstart"):
            array = getattr(nudged, name)
            array += NUDGE * rng.uniform(-1, 1, array.shape) * np.maximum(np.abs(array), 0.1)
        mujoco.mj_step(reference, nudged)
        if nudged.ncon != plain.ncon or EXCESS * error(getattr(nudged, field), base) >= difference:
            return True
    return False


def agree_when_solved(kinetree, mujoco, model, reference, data):
    """Whether a step agrees when the solver goes on as long as it improves anything."""
    kept = reference.opt.tolerance, reference.opt.iterations
    theirs, mine = mujoco.MjData(reference), kinetree.MjData(model)
    copy_state(theirs, data)
    copy_state(mine, data)
    for m in (reference, model):
        m.opt.tolerance, m.opt.iterations = 0.0, 5000
    mujoco.mj_step(reference, theirs)
    kinetree.mj_step(model, mine)
    for m in (reference, model):
        m.opt.tolerance, m.opt.iterations = kept
    return all(error(getattr(mine, f), getattr(theirs, f)) <= TOLERANCE for f in COMPARED)


def stopped_as_far_away(mujoco, reference, data, field, difference):
    """Whether the reference's own iterative solver stops as far from the solution as the engines differ."""
    newton = int(mujoco.mjtSolver.mjSOL_NEWTON)
    if reference.opt.solver == newton:
        return False
    kept = reference.opt.solver, reference.opt.tolerance, reference.opt.iterations
    plain, solved = mujoco.MjData(reference), mujoco.MjData(reference)
    copy_state(plain, data)
    copy_state(solved, data)
    mujoco.mj_step(reference, plain)
    reference.opt.solver, reference.opt.tolerance, reference.opt.iterations = newton, 0.0, 100
    mujoco.mj_step(reference, solved)
    reference.opt.solver, reference.opt.tolerance, reference.opt.iterations = kept
    return EXCESS * error(getattr(plain, field), getattr(solved, field)) >= difference


def step_by_step(kinetree, mujoco, model, reference, steps, seed):
    """Largest error of each field over a trajectory, each step from the reference's state."""
    rng = np.random.default_rng(seed)
    data, theirs, mine = mujoco.MjData(reference), mujoco.MjData(reference), kinetree.MjData(model)
    worst, contacts, sensitive = {}, 0, set()
    nudges = np.random.default_rng(seed)
    for index in range(steps):
        if not np.isfinite(data.qpos).all() or not np.isfinite(data.qvel).all():
            # the reference has diverged, and would reset; a state that a program sets so is an error here
            break
        controls(reference, rng, data)
        copy_state(theirs, data)
        copy_state(mine, data)
        mujoco.mj_step(reference, theirs)
        kinetree.mj_step(model, mine)
        if any(w.number for w in theirs.warning) or not np.isfinite(theirs.qvel).all():
            # the reference diverged: nothing meaningful follows
            break
        contacts = max(contacts, theirs.ncon)
        for field in COMPARED:
            value = error(getattr(mine, field), getattr(theirs, field))
            if value > TOLERANCE:
                if (
                    is_sensitive(mujoco, reference, data, nudges, field, value)
                    or agree_when_solved(kinetree, mujoco, model, reference, data)
                    or stopped_as_far_away(mujoco, reference, data, field, value)
                ):
                    sensitive.add(field)
                    continue
                if mine.ncon != theirs.ncon:
                    field = f"{field} ({mine.ncon} contacts for {theirs.ncon})"
            if value > worst.get(field, (0.0, 0))[0]:
                worst[field] = (value, index)
        mujoco.mj_step(reference, data)
    return worst, contacts, sensitive


def free_running(kinetree, mujoco, model, reference, steps, seed):
    """Error of the positions after all steps without exchange of states."""
    rng = np.random.default_rng(seed)
    theirs, mine = mujoco.MjData(reference), kinetree.MjData(model)
    for _ in range(steps):
        controls(reference, rng, theirs)
        mine.ctrl[:], mine.xfrc_applied[:] = theirs.ctrl, theirs.xfrc_applied
        mujoco.mj_step(reference, theirs)
        kinetree.mj_step(model, mine)
        if any(w.number for w in theirs.warning):
            return None
    return error(mine.qpos, theirs.qpos)


def compare(xml, steps, seed):
    """Verdict on one model: (problem or None, largest error, contacts, error of free running, sensitive fields)."""
    import kinetree
    import mujoco

    try:
        reference = mujoco.MjModel.from_xml_string(xml)
    except ValueError as refusal:
        try:
            kinetree.MjModel.from_xml_string(xml)
        except Exception:  # noqa: BLE001
            return None, 0.0, 0, None, set()
        return f"loaded, but the reference refuses it: {refusal}", 0.0, 0, None, set()
    try:
        model = kinetree.MjModel.from_xml_string(xml)
        verdict = Verdict()
        compare_fields(model, reference, verdict, SIZES)
        if not verdict.stages["fields"]["ok"]:
            return f"fields {verdict.stages['fields']['failed'][:4]}", verdict.stages["fields"]["error"], 0, None, set()
        worst, contacts, sensitive = step_by_step(kinetree, mujoco, model, reference, steps, seed)
        free = free_running(kinetree, mujoco, model, reference, steps, seed)
    except BaseException as problem:  # noqa: BLE001  (a panic is a verdict too)
        if isinstance(problem, KeyboardInterrupt):
            raise
        return f"{type(problem).__name__}: {problem}"[:300], float("inf"), 0, None, set()
    wrong = [f"{f} {e:.2g} at step {i}" for f, (e, i) in worst.items() if e > TOLERANCE]
    return ", ".join(wrong) or None, max((e for e, _ in worst.values()), default=0.0), contacts, free, sensitive


def _work(arguments):
    seed, steps = arguments
    return seed, compare(make(seed), steps, seed)


def summary(rows, steps):
    """The counts as text."""
    bad = [(seed, row[0]) for seed, row in rows if row[0]]
    touching = sum(row[2] > 0 for _, row in rows)
    free = np.array([row[3] for _, row in rows if row[3] is not None])
    lines = [f"seed {seed}: {problem}" for seed, problem in sorted(bad)]
    sensitive = sum(bool(row[4]) and not row[0] for _, row in rows)
    lines.append(f"{len(rows) - len(bad)} of {len(rows)} models agree in every one of {steps} steps: {len(rows) - len(bad) - sensitive} "
                 f"within {TOLERANCE:g}, {sensitive} where the reference is as sensitive to rounding; {touching} have contacts")
    errors = sorted(row[1] for _, row in rows if not row[0])
    if errors:
        lines.append(f"largest error of a step: median {errors[len(errors) // 2]:.1e}, worst of those that agree {errors[-1]:.1e}")
    if free.size:
        shares = ", ".join(f"{100 * np.mean(free <= limit):.1f} % within {limit:g}" for limit in (1e-9, 1e-6, 1e-3))
        lines.append(f"free running, positions after {steps} steps: {shares}")
    return "\n".join(lines)


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="conformance.random_models", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--seeds", type=int, nargs="*", help="only these seeds")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--print", type=int, metavar="SEED", help="print the model of a seed and do nothing else")
    parser.add_argument("--check", action="store_true", help="exit with an error when a model does not agree")
    arguments = parser.parse_args()
    if arguments.print is not None:
        sys.stdout.write(make(arguments.print))
        return
    chosen = arguments.seeds or range(arguments.first, arguments.first + arguments.count)
    seeds = [(seed, arguments.steps) for seed in chosen]
    with mp.get_context("spawn").Pool(arguments.jobs) as pool:
        rows = list(pool.imap_unordered(_work, seeds, chunksize=4))
    print(summary(rows, arguments.steps))
    counts = collections.Counter(bool(row[0]) for _, row in rows)
    if arguments.check and counts[True]:
        sys.exit(f"{counts[True]} models do not agree")


if __name__ == "__main__":
    main()
