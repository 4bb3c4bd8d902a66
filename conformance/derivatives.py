"""`python -m conformance.derivatives [--random N] [FOLDER…]`: `mjd_transition` against centred differences of whole steps of MuJoCo.

Each model is taken to three states: at the start, moved and moving at random, and after it has fallen and come to rest. The solver runs to
convergence; states where the reference's stops before the optimum, or where a step ends in a warning, do not count. Differences of two sizes are
made from steps of the reference; a column of `A` or `B` counts where they agree, and is right when the analytic one is within 1e-5 of its largest
entry (or of one). Columns that are not are looked at again, and counted apart where the difference itself explains it: at a kink, such as a joint
at its limit, centred differences are a mean of both sides, and the analytic column may be that of one, or the step jumps; where contacts are those
of the state alone, and other ones to both sides, differences never see them; where the reference's search leaves contacts a little beside where the
surfaces touch, the column is right for steps of the reference with exact contacts (`exact_contacts.py`), or differences change by as much as the
error when the tolerance of the search does; and where they are noise, the analytic column lies no farther from those of one step size than those of
several lie from each other. Prints what is wrong, what is refused, and a summary.
"""

import argparse
import collections
import functools
import glob
import multiprocessing
import os

import numpy as np

from conformance import exact_contacts
from conformance.generator import make

SIZES, AGREEMENT, TOLERANCE, ONE_SIDED = (1e-6, 4e-6), 2e-6, 1e-5, 1e-4
# tolerance of the narrow phase, other ones whose differences are compared, and the share of an error that their change explains
CCD_TOLERANCE, OTHER_TOLERANCES, EXPLAINED = 1e-14, (1e-13, 1e-12, 1e-10), 0.3
# change of derivative within a step, relative to the derivative, from which on it is a jump
JUMP = 10
# further step sizes, near the two; two sizes may agree by chance
OTHER_SIZES = (7e-7, 1.5e-6, 2e-6, 3e-6)
# why a column is set apart, in the order in which it is asked
REASONS = ("at kinks", "with other contacts to both sides", "right with exact contacts",
           "where differences follow the tolerance of the narrow phase", "whose differences are noise")
# how far a contact may move over the smaller step size and be the same one
REACH = 1e-3
# residual of the equations of motion at the reference's solution, relative to the largest force
OPTIMUM = 1e-9


def converge(model):
    """Lets solver and collision detection run to the end. Newton's method gets there; the optimum is the same for all solvers.

    Options that have no derivatives are exchanged, so that the rest of a model is compared: RK4 for Euler, and no noslip solver.
    """
    model.opt.solver, model.opt.tolerance, model.opt.iterations, model.opt.ls_iterations = 2, 0, 200, 100
    model.opt.ccd_tolerance, model.opt.ccd_iterations = CCD_TOLERANCE, 500
    model.opt.noslip_iterations = 0
    if model.opt.integrator == 1:
        model.opt.integrator = 0


def states(mujoco, model, seed):
    """Data of the reference: at the start, moved at random, and later."""
    rng = np.random.default_rng(seed)
    for index in range(3):
        data = mujoco.MjData(model)
        if index:
            mujoco.mj_integratePos(model, data.qpos, rng.uniform(-1, 1, model.nv), 0.1)
            data.qvel[:] = rng.uniform(-1, 1, model.nv)
        if model.nu:
            low, high = model.actuator_ctrlrange.T
            inside = (low + high) / 2 + 0.3 * (high - low) * rng.uniform(-1, 1, model.nu)
            data.ctrl[:] = np.where(model.actuator_ctrllimited.astype(bool), inside, 0.3 * rng.uniform(-1, 1, model.nu))
        data.act[:] = 0.5 + 0.3 * rng.uniform(-1, 1, model.na)
        mujoco.mj_step(model, data, nstep=(1, 20, 150)[index])
        if np.isfinite(data.qpos).all() and np.isfinite(data.qvel).all() and not any(w.number for w in data.warning):
            yield data


def is_smooth_step(mujoco, model, data):
    """Whether a step from here ends without a warning, with accelerations that solve the equations of motion."""
    spec = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(model, spec))
    mujoco.mj_getState(model, data, state, spec)
    moved = mujoco.MjData(model)
    mujoco.mj_setState(model, moved, state, spec)
    mujoco.mj_step(model, moved)
    if any(w.number for w in moved.warning):
        return False
    mujoco.mj_setState(model, moved, state, spec)
    mujoco.mj_forward(model, moved)
    inertial = np.empty(model.nv)
    mujoco.mj_mulM(model, moved, inertial, moved.qacc)
    forces = moved.qfrc_smooth + moved.qfrc_constraint
    return np.abs(inertial - forces).max() <= OPTIMUM * max(1, np.abs(inertial).max(), np.abs(moved.qfrc_constraint).max())


def differences(mujoco, model, data, size, sides=(1, -1), step=None):
    """`A` and `B` side by side, from whole steps to both sides, or between one side and the middle."""
    nv, na, spec = model.nv, model.na, mujoco.mjtState.mjSTATE_INTEGRATION
    step = step or mujoco.mj_step
    origin = np.empty(mujoco.mj_stateSize(model, spec))
    mujoco.mj_getState(model, data, origin, spec)
    moved, out = mujoco.MjData(model), np.empty((2 * nv + na, 2 * nv + na + model.nu))
    for column in range(out.shape[1]):
        ends = []
        for by in (size * side for side in sides):
            mujoco.mj_setState(model, moved, origin, spec)
            if column < nv:
                direction = np.zeros(nv)
                direction[column] = 1
                mujoco.mj_integratePos(model, moved.qpos, direction, by)
            elif column < 2 * nv:
                moved.qvel[column - nv] += by
            elif column < 2 * nv + na:
                moved.act[column - 2 * nv] += by
            else:
                moved.ctrl[column - 2 * nv - na] += by
            step(model, moved)
            ends.append((moved.qpos.copy(), np.concatenate([moved.qvel, moved.act])))
        change = np.empty(nv)
        width = (sides[0] - sides[1]) * size
        mujoco.mj_differentiatePos(model, change, width, ends[1][0], ends[0][0])
        out[:, column] = np.concatenate([change, (ends[0][1] - ends[1][1]) / width])
    return out


def kinks(mujoco, model, data, analytic, scale):
    """Columns at a kink, where differences to both sides differ and the analytic ones are those of one side; and at a jump."""
    sides = [differences(mujoco, model, data, SIZES[0], side) for side in ((1, 0), (0, -1))]
    bend = np.abs(sides[0] - sides[1]).max(axis=0) / scale
    from_one = np.minimum(*(np.abs(side - analytic).max(axis=0) for side in sides)) / scale
    # a small kink counts where the column is that of one side to much less than the sides differ by
    small = (bend > TOLERANCE) & (from_one < TOLERANCE / 10)
    return (bend > ONE_SIDED) & (from_one < ONE_SIDED) | small | (bend > JUMP)


def contacts(model, data):
    """Geoms, point and normal of each contact that has constraint rows, as rows of a matrix."""
    rows = [np.concatenate([c.geom, c.pos, c.frame[:3]]) for c in data.contact if c.efc_address >= 0]
    return np.array(rows).reshape(-1, 8), data.nefc


def are_others(here, there):
    """Whether contacts are other ones: in another number, with other rows, or with one that is not near any of the same geoms."""
    (near, rows), (far, other_rows) = here, there
    if rows != other_rows or len(near) != len(far):
        return True
    return any(np.abs(far[(far[:, :2] == c[:2]).all(axis=1)] - c).max(axis=1, initial=0).min(initial=np.inf) > REACH for c in near)


def isolated(mujoco, model, data, wrong):
    """Wrong columns of positions with other contacts to both sides than at the state itself, whose rows the differences never see."""
    spec = mujoco.mjtState.mjSTATE_INTEGRATION
    origin = np.empty(mujoco.mj_stateSize(model, spec))
    mujoco.mj_getState(model, data, origin, spec)
    moved, found = mujoco.MjData(model), np.zeros(len(wrong), dtype=bool)
    for column in np.flatnonzero(wrong[: model.nv]):
        sets = []
        for by in (0, SIZES[0], -SIZES[0]):
            mujoco.mj_setState(model, moved, origin, spec)
            mujoco.mj_integratePos(model, moved.qpos, np.eye(model.nv)[column], by)
            mujoco.mj_fwdPosition(model, moved)
            sets.append(contacts(model, moved))
        found[column] = all(are_others(sets[0], side) for side in sets[1:])
    return found


def searched(mujoco, model, data, analytic, scale):
    """Columns that are right for steps of the reference whose contacts are exact, where its own come from a search that is not."""
    islands = int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
    flags = model.opt.disableflags
    model.opt.disableflags = flags | islands
    fine, coarse = (differences(mujoco, model, data, size, step=functools.partial(exact_contacts.step, mujoco)) for size in SIZES)
    model.opt.disableflags = flags
    agree = np.abs(fine - coarse).max(axis=0) / scale < AGREEMENT
    return agree & (np.abs(analytic - fine).max(axis=0) / scale < TOLERANCE)


def inaccurate(mujoco, model, data, fine, errors, scale):
    """Columns whose differences depend on the tolerance of the narrow phase by as much as their errors."""
    change = np.zeros(len(errors))
    for tolerance in OTHER_TOLERANCES:
        model.opt.ccd_tolerance = tolerance
        other = differences(mujoco, model, data, SIZES[0])
        change = np.maximum(change, np.abs(other - fine).max(axis=0) / scale)
    model.opt.ccd_tolerance = CCD_TOLERANCE
    return change >= EXPLAINED * errors


def noisy(mujoco, model, data, fine, coarse, analytic, scale):
    """Columns that lie no farther from differences of one of several step sizes than these lie from each other."""
    found = np.stack([fine, coarse, *(differences(mujoco, model, data, size) for size in OTHER_SIZES)])
    spread = (found.max(axis=0) - found.min(axis=0)).max(axis=0) / scale
    return np.abs(found - analytic).max(axis=1).min(axis=0) / scale <= np.where(spread >= TOLERANCE / 10, spread, 0)


def check_state(kinetree, mujoco, model, reference, data):
    """Columns that count, those of them that are wrong, the largest error, and those that `REASONS` set apart."""
    spec = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(reference, spec))
    mujoco.mj_getState(reference, data, state, spec)
    own = kinetree.MjData(model)
    kinetree.mj_setState(model, own, state, int(spec))
    nx = 2 * model.nv + model.na
    a, b = np.zeros((nx, nx)), np.zeros((nx, model.nu))
    kinetree.mjd_transition(model, own, a, b)
    fine, coarse = (differences(mujoco, reference, data, size) for size in SIZES)
    scale = np.maximum(1, np.abs(fine).max(axis=0))
    counts = np.abs(fine - coarse).max(axis=0) / scale < AGREEMENT
    analytic = np.hstack([a, b])
    errors = np.nan_to_num(np.abs(analytic - fine).max(axis=0) / scale, nan=np.inf)
    explanations = (
        lambda _: kinks(mujoco, reference, data, analytic, scale),
        lambda wrong: isolated(mujoco, reference, data, wrong),
        lambda _: searched(mujoco, reference, data, analytic, scale),
        lambda _: inaccurate(mujoco, reference, data, fine, errors, scale),
        lambda _: noisy(mujoco, reference, data, fine, coarse, analytic, scale),
    )
    apart = np.zeros(len(REASONS), dtype=int)
    for k, explain in enumerate(explanations):
        wrong = counts & (errors >= TOLERANCE)
        if wrong.any():
            wrong &= explain(wrong)
            counts &= ~wrong
            apart[k] = wrong.sum()
    errors = errors[counts]
    return len(errors), int((errors >= TOLERANCE).sum()), errors.max(initial=0), apart


def load(package, case):
    """The model of a file, or of the seed of a random one."""
    return package.MjModel.from_xml_path(case) if isinstance(case, str) else package.MjModel.from_xml_string(make(case))


def check_model(case):
    """Counts of one model: columns, wrong ones, largest error, those apart, and why states were refused; None when it cannot be loaded."""
    import kinetree
    import mujoco

    try:
        model, reference = load(kinetree, case), load(mujoco, case)
    except ValueError:
        return None
    if not 0 < model.nv <= 60:
        return None
    columns, wrong, worst, apart, refused = 0, 0, 0.0, np.zeros(len(REASONS), dtype=int), set()
    for data in states(mujoco, reference, len(str(case))):
        converge(model), converge(reference)
        if not is_smooth_step(mujoco, reference, data):
            continue
        try:
            found = check_state(kinetree, mujoco, model, reference, data)
            columns, wrong, worst, apart = columns + found[0], wrong + found[1], max(worst, found[2]), apart + found[3]
        except kinetree.FatalError as error:
            refused.add(str(error))
    return columns, wrong, worst, apart, refused


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="conformance.derivatives", description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", help="folders with model files")
    parser.add_argument("--random", type=int, default=0, help="number of random models")
    parser.add_argument("--first", type=int, default=0, help="seed of the first random model")
    parser.add_argument("--every", type=int, default=1, help="only each so many files")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="number of processes")
    arguments = parser.parse_args()
    files = sorted(path for folder in arguments.folders for path in glob.glob(os.path.join(folder, "**", "*.xml"), recursive=True))
    cases = [*files[:: arguments.every], *range(arguments.first, arguments.first + arguments.random)]
    right = wrong = unseen = blank = columns = bad = 0
    separate = np.zeros(len(REASONS), dtype=int)
    reasons = collections.Counter()
    with multiprocessing.get_context("spawn").Pool(arguments.jobs) as pool:
        for case, result in zip(cases, pool.imap(check_model, cases), strict=True):
            if result is None:
                blank += 1
                continue
            found, faults, worst, apart, refused = result
            reasons.update(refused)
            columns, bad, separate = columns + found, bad + faults, separate + apart
            if found:
                right, wrong = right + (faults == 0 and not refused), wrong + (faults > 0)
            unseen += bool(refused) and not faults
            if not found and not refused:
                blank += 1
                print(f"NO STATE COUNTS {case}", flush=True)
            if faults:
                print(f"WRONG {case}: {faults} of {found} columns, up to {worst:.1e} {refused or ''}", flush=True)
    print(f"{right} models right in all states, {unseen} refused in some, {wrong} wrong, {blank} without a state that counts, or not loaded")
    print(f"{columns} columns compared, {bad} wrong; apart: " + ", ".join(f"{n} {why}" for n, why in zip(separate, REASONS, strict=True)))
    for reason, count in reasons.most_common():
        print(f"refused in {count} models: {reason}")


if __name__ == "__main__":
    main()
