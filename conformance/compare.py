"""Comparison of one model: a verdict per stage, with the worst field of each."""

import numpy as np

from conformance import exemptions, levels
from conformance.stages import CONTACT_FIELDS, CONTACT_TOLERANCE, FIELDS, MODEL_TOLERANCE, STAGES, STATE, error

NUM_STATES = 10


class Verdict:
    """Worst error per stage, with the field it came from, and the number of states at which stages were compared."""

    def __init__(self):
        self.stages = {}
        self.states = 0
        self.refused = False

    def note(self, stage, field, value, tolerance):
        """Keeps the worst error of a stage relative to its tolerance."""
        entry = self.stages.setdefault(stage, {"ok": True, "field": "", "error": 0.0, "failed": []})
        if value > entry["error"]:
            entry["field"], entry["error"] = field, value
        if value > tolerance:
            entry["ok"] = False
            if field not in entry["failed"]:
                entry["failed"].append(field)

    def fail(self, stage, message):
        """Marks a stage as failed with a message."""
        self.stages[stage] = {"ok": False, "field": "", "error": float("inf"), "failed": [], "message": message}

    def first_failure(self):
        """Name of the first stage that failed or was not reached; None when all passed."""
        for stage in STAGES:
            if stage not in self.stages or not self.stages[stage]["ok"]:
                return stage
        return None

    def outcome(self):
        """One of `report.OUTCOMES`."""
        if self.refused:
            return "refused by both"
        failed = [entry for entry in self.stages.values() if not entry["ok"]]
        if failed and all("unsupported: " in entry.get("message", "") for entry in failed):
            return "unsupported"
        if failed:
            return "failed"
        return "conformant" if self.states else "not compared"

    def as_row(self):
        """What a report needs of one model."""
        return {"outcome": self.outcome(), "states": self.states, "first_failure": self.first_failure(),
                "stages": self.stages}


def compare_model(path, kinetree, mujoco, adopt=False, steps=200, seed=1, reference=levels.V3_8.name):
    """Compares one file at a reference level. With `adopt`, the pipeline runs on the model that the reference compiled."""
    verdict, level = Verdict(), levels.LEVELS[reference]
    try:
        reference = mujoco.MjModel.from_xml_path(path)
    except ValueError as refusal:
        return compare_refusal(path, kinetree, str(refusal), verdict, level)
    try:
        if adopt:
            model = kinetree.MjModel._from_mujoco(reference)
        else:
            model = level.load(kinetree, path)
    except Exception as problem:  # noqa: BLE001  (whatever goes wrong is the verdict)
        verdict.fail("load", f"{type(problem).__name__}: {problem}"[:2000])
        return verdict
    verdict.note("load", "", 0.0, 0.0)
    verdict.note("fields", "", 0.0, 0.0)
    if not adopt:
        compare_fields(model, reference, verdict, exemptions.fields_of(path) | level.uncompared)
        if level is levels.V3_8 and exemptions.has_mimic_joint(path):
            # the extra equality changes the motion: compare the pipeline on the reference's own model
            model = kinetree.MjModel._from_mujoco(reference)
    try:
        compare_dynamics(model, reference, kinetree, mujoco, verdict, level, steps, seed)
    except kinetree.FatalError as problem:
        # what is refused when it comes about, as some contacts are at level 4.0
        if "unsupported: " not in str(problem):
            raise
        verdict.fail("step", str(problem)[:2000])
    return verdict


def compare_refusal(path, kinetree, refusal, verdict, level):
    """A model that the reference refuses must be refused; it has no other stage."""
    try:
        level.load(kinetree, path)
    except Exception:  # noqa: BLE001
        verdict.note("load", "", 0.0, 0.0)
        verdict.refused = True
        return verdict
    verdict.fail("load", f"loaded, but the reference refuses it: {refusal}"[:2000])
    return verdict


def compare_fields(model, reference, verdict, exempt):
    """Sizes and arrays of the compiled model."""
    for size, value in model._sizes().items():
        if size in exempt or not hasattr(reference, size):
            continue
        if int(getattr(reference, size)) != value:
            verdict.note("fields", size, float("inf"), 0.0)
    for field, array in model._fields.items():
        if field in exempt or not hasattr(reference, field):
            continue
        other = getattr(reference, field)
        if isinstance(other, bytes):
            other = np.frombuffer(other, np.uint8)
        other = np.asarray(other)
        exact = array.dtype.kind in "iu"
        if other.dtype.kind not in "fiub":
            other = np.frombuffer(other.tobytes(), np.uint8)
        verdict.note("fields", field, error(array, other), 0.0 if exact else MODEL_TOLERANCE)
    for group, mine in (("opt", model.opt), ("stat", model.stat)):
        for field, array in mine._fields.items():
            other = getattr(getattr(reference, group), field, None)
            if other is None:
                continue
            verdict.note("fields", f"{group}.{field}", error(array, other), MODEL_TOLERANCE)


def states(reference, mujoco, steps, seed):
    """Data of the reference at the start and at each keyframe, and at states along trajectories with random controls from there."""
    rng = np.random.default_rng(seed)
    data = mujoco.MjData(reference)
    starts = [None] + list(range(min(reference.nkey, 3)))
    per_start = max(1, NUM_STATES // len(starts) - 1)
    low, high = reference.actuator_ctrlrange[:, 0], reference.actuator_ctrlrange[:, 1]
    limited = reference.actuator_ctrllimited.astype(bool)
    for start in starts:
        mujoco.mj_resetData(reference, data)
        if start is not None:
            mujoco.mj_resetDataKeyframe(reference, data, start)
        yield data
        gap = max(1, steps // per_start)
        for _ in range(per_start):
            for _ in range(gap):
                if reference.nu:
                    noise = rng.uniform(-1.0, 1.0, reference.nu)
                    data.ctrl[:] = np.where(limited, low + (high - low) * (noise + 1) / 2, noise)
                mujoco.mj_step(reference, data)
            if any(w.number for w in data.warning) or not np.isfinite(np.concatenate([data.qpos, data.qvel, data.act])).all():
                # the reference diverged: nothing meaningful follows
                return
            yield data


def copy_state(target, source):
    """Copies the integration state."""
    target.time = source.time
    for field in STATE:
        array = getattr(target, field)
        if array.size:
            array[...] = np.asarray(getattr(source, field)).reshape(array.shape)


def compare_dynamics(model, reference, kinetree, mujoco, verdict, level, steps, seed):
    """All stages of the pipeline at states along the trajectory."""
    mine, theirs = kinetree.MjData(model), mujoco.MjData(reference)
    for data in states(reference, mujoco, steps, seed):
        verdict.states += 1
        for stage in STAGES[2:]:
            verdict.note(stage, "", 0.0, 0.0)
        copy_state(theirs, data)
        copy_state(mine, data)
        mujoco.mj_forward(reference, theirs)
        kinetree.mj_forward(model, mine)
        for stage in ("kinematics", "inertia", "smooth"):
            note_fields(verdict, stage, mine, theirs, level)
        compare_contacts(verdict, mine, theirs)
        for stage in ("constraint", "solve", "sensor"):
            note_fields(verdict, stage, mine, theirs, level)

        # inverse dynamics at the reference's acceleration
        mine.qacc[:] = theirs.qacc
        mujoco.mj_inverse(reference, theirs)
        kinetree.mj_inverse(model, mine)
        note_fields(verdict, "inverse", mine, theirs, level)

        # one step
        copy_state(theirs, data)
        copy_state(mine, data)
        mujoco.mj_step(reference, theirs)
        kinetree.mj_step(model, mine)
        note_fields(verdict, "step", mine, theirs, level)


def dense_moment(data):
    """The moment matrix with all its zeros."""
    out = np.zeros((data.ctrl.size, data.qvel.size))
    values, columns = np.ravel(data.actuator_moment), np.ravel(data.moment_colind)
    for row, (start, count) in enumerate(zip(np.ravel(data.moment_rowadr), np.ravel(data.moment_rownnz))):
        out[row, columns[start:start + count]] = values[start:start + count]
    return out


def note_fields(verdict, stage, mine, theirs, level):
    """Errors of all fields of one stage."""
    tolerance, fields = FIELDS[stage]
    for field in fields.split():
        if field == "actuator_moment":
            # entries that are exactly zero are left out of the sparse form, and rounding decides which are
            verdict.note(stage, field, error(dense_moment(mine), dense_moment(theirs)), tolerance)
            continue
        other = level.of(field)
        if other is None:
            continue
        reference = np.ravel(getattr(theirs, other))
        rows = theirs.nefc * theirs.qvel.size
        if field == "efc_J" and np.size(mine.efc_J) == rows < reference.size:
            # a dense array may be longer than its rows: equalities that no dof moves are counted and then left out
            reference = reference[:rows]
        verdict.note(stage, field, error(getattr(mine, field), reference), tolerance)


def compare_contacts(verdict, mine, theirs):
    """Number and fields of contacts."""
    if mine.ncon != theirs.ncon:
        verdict.note("contact", "ncon", float("inf"), 0.0)
        return
    for a, b in zip(mine.contact, list(theirs.contact)[: theirs.ncon]):
        for field in CONTACT_FIELDS:
            verdict.note("contact", field, error(getattr(a, field), getattr(b, field)), CONTACT_TOLERANCE)
