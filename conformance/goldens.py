"""`python -m conformance.goldens`: writes trajectories of the reference that `cargo test` compares with.

There is a case for each disable flag and each enable flag, for each solver × cone × integrator × storage of the Jacobian, and
one for each model under `models/`. A case of a flag must differ from the same run without the flag; if it does not, this script
fails, because the case would prove nothing.

The file is text. A line `case name model steps key=value…` starts a case; lines `field step values…` give what is observed
after so many steps. Controls come from a generator of random numbers that both sides have (`Stream`), so that the file need not
hold them. They go beyond the range of the controls, so that clamping shows.
"""

import glob
import os

import mujoco
import numpy as np

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
TARGET = os.path.join(ROOT, "crates", "kinetree", "tests", "golden")
STEPS = 60
CHECKPOINTS = 2

# flag: model, and the fields of which at least one must change
DISABLED = {
    "CONSTRAINT": ("flags", "qpos"), "EQUALITY": ("flags", "qpos"), "FRICTIONLOSS": ("flags", "qpos"), "LIMIT": ("flags", "qpos"),
    "CONTACT": ("flags", "qpos"), "SPRING": ("flags", "qpos"), "DAMPER": ("flags", "qpos"), "GRAVITY": ("flags", "qpos"),
    "CLAMPCTRL": ("flags", "qpos"), "WARMSTART": ("flags", "niter"), "FILTERPARENT": ("flags", "qpos"),
    "ACTUATION": ("flags", "qpos"), "REFSAFE": ("flags", "qpos"), "SENSOR": ("flags", "sensordata"), "MIDPHASE": ("flags", "geoms"),
    "EULERDAMP": ("flags", "qpos"), "AUTORESET": ("flags", "qpos"), "NATIVECCD": ("flags", None), "ISLAND": ("flags", "counts"),
    "MULTICCD": ("convex_contacts", "qpos"),
}
ENABLED = {
    "OVERRIDE": ("flags", "qpos"), "ENERGY": ("flags", "energy"), "FWDINV": ("flags", "fwdinv"),
    "INVDISCRETE": ("flags", "qfrc_inverse"), "SLEEP": ("flags", "counts"),
}
# contacts of two distance fields are where a descent stops: begun 1e-15 away, the reference itself moves accelerations by 6e-6
LOOSE = "plugins/screw.xml"
CONTACT_FORCES = ("qfrc_inverse", "cfrc_ext", "cfrc_int")
# the only pair of shapes that needs `nativeccd` is one the reference sends to another library: no numbers are comparable there,
# so that the case holds that nothing else depends on the flag


class Stream:
    """Random numbers between −1 and 1 that are easy to make again in any language."""

    def __init__(self, seed=1):
        self.state = seed

    def next(self):
        """The next number."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 11) / 2.0**52 - 1.0


def set_controls(model, data, stream):
    """Random controls, half as far again as their range."""
    for i in range(model.nu):
        value = stream.next()
        if model.actuator_ctrllimited[i]:
            low, high = model.actuator_ctrlrange[i]
            value = low + (high - low) * (0.5 + 0.75 * value)
        data.ctrl[i] = value


# what an evaluation leaves beside the state, compared for each model as it is
DERIVED = ("actuator_length", "actuator_velocity", "actuator_force", "qfrc_passive", "qfrc_bias", "ten_length", "ten_velocity",
           "cvel", "xipos", "efc_pos", "efc_margin", "cfrc_ext", "cfrc_int")


def observe(model, data):
    """Everything that a case records, after a forward pass at the state reached; the state itself comes first."""
    niter = int(sum(data.solver_niter[: max(1, data.nisland)]))
    state = {"time": [data.time], "qpos": data.qpos.copy(), "qvel": data.qvel.copy(), "act": data.act.copy()}
    fwdinv, energy = data.solver_fwdinv.copy(), data.energy.copy()
    sensors, counts = data.sensordata.copy(), [data.ncon, data.nefc, data.nisland]
    geoms = [g for c in list(data.contact)[: data.ncon] for g in c.geom]
    warnings = [w.number for w in data.warning]
    mujoco.mj_rnePostConstraint(model, data)
    derived = {field: getattr(data, field).ravel().copy() for field in DERIVED}
    with_inverse = model.opt.integrator != mujoco.mjtIntegrator.mjINT_RK4
    if with_inverse:
        mujoco.mj_inverse(model, data)
    inverse = data.qfrc_inverse.copy() if with_inverse else np.zeros(0)
    return {**state, "sensordata": sensors, "energy": energy, "counts": counts, "geoms": geoms, "niter": [niter],
            "warnings": warnings, "fwdinv": fwdinv, "qfrc_inverse": inverse, **derived}


def trajectory(path, steps, options):
    """What is observed at the checkpoints of a run."""
    model = mujoco.MjModel.from_xml_path(os.path.join(ROOT, "models", path))
    model.opt.disableflags |= options.get("disable", 0)
    model.opt.enableflags |= options.get("enable", 0)
    for name in ("solver", "cone", "integrator", "jacobian", "iterations", "noslip_iterations"):
        if name in options:
            setattr(model.opt, name, options[name])
    model.opt.tolerance = options.get("tolerance", model.opt.tolerance)
    data, stream, out = mujoco.MjData(model), Stream(), []
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    for i in range(model.nv if "shove" in options else 0):
        data.qvel[i] = options["shove"] * stream.next()
    for step in range(1, steps + 1):
        set_controls(model, data, stream)
        if step == options.get("kick"):
            # a velocity beyond all bounds: the step must start anew, or go on, as the flag says
            data.qvel[0] = 1e11
        mujoco.mj_step(model, data)
        if step % (steps // CHECKPOINTS) == 0:
            twin = mujoco.MjData(model)
            mujoco.mj_copyData(twin, model, data)
            out.append((step, observe(model, twin)))
    return out


def differs(one, other, field):
    """Whether a field changes visibly between two runs."""
    for (_, a), (_, b) in zip(one, other):
        x, y = np.asarray(a[field], float), np.asarray(b[field], float)
        if x.shape != y.shape or np.max(np.abs(x - y), initial=0.0) > 1e-7 * max(1.0, np.max(np.abs(y), initial=0.0)):
            return True
    return False


def write(name, cases):
    """One file with many cases."""
    lines = []
    for case, path, steps, options, rows in cases:
        if case != "model":
            rows = [(step, {f: v for f, v in fields.items() if f not in DERIVED}) for step, fields in rows]
        if case == "solver" or (case.startswith(("disable", "enable")) and case != "enable/invdiscrete"):
            # forces of stiff contacts magnify what rounding does to a trajectory; the flag that needs them keeps them
            rows = [(step, {f: v for f, v in fields.items() if f != "qfrc_inverse"}) for step, fields in rows]
        extra = "".join(f" {key}={value}" for key, value in options.items())
        lines.append(f"case {case} {path} {steps}{extra}")
        for step, fields in rows:
            for field, values in fields.items():
                digits = 10 if field in DERIVED else 13
                text = " ".join(f"{v:.{digits}g}" if isinstance(v, float) else str(v) for v in np.asarray(values).tolist())
                if text:
                    lines.append(f"{field} {step} {text}")
    os.makedirs(TARGET, exist_ok=True)
    with open(os.path.join(TARGET, f"{name}.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def flag_cases():
    """A case for each flag, checked to have an effect."""
    for kind, table, enum, prefix in (("disable", DISABLED, mujoco.mjtDisableBit, "mjDSBL_"), ("enable", ENABLED, mujoco.mjtEnableBit, "mjENBL_")):
        names = [n for n in enum.__members__ if n.startswith(prefix)]
        assert sorted(names) == sorted(prefix + n for n in table), "every flag has a case"
        for flag, (stem, field) in table.items():
            bit = int(getattr(enum, prefix + flag))
            # forward and inverse dynamics differ only where the solver is stopped early
            # faces that stay flat on each other have one contact without the flag, and the last bit says at which corner
            base = {"AUTORESET": {"kick": STEPS}, "FWDINV": {"iterations": 1}, "MULTICCD": {"shove": 1}}.get(flag, {})
            steps = {"SLEEP": 400, "FWDINV": 10}.get(flag, STEPS)
            with_flag = {**base, kind: bit}
            rows, plain = trajectory(f"{stem}.xml", steps, with_flag), trajectory(f"{stem}.xml", steps, base)
            changed = [f for f in rows[0][1] if differs(rows, plain, f)]
            if field is not None and field not in changed:
                raise SystemExit(f"{kind} {flag}: {field} does not change, only {changed}")
            if field is None and changed:
                raise SystemExit(f"{kind} {flag}: {changed} change")
            yield f"{kind}/{flag.lower()}", f"{stem}.xml", steps, with_flag, rows


def solver_cases():
    """Each solver × cone × integrator × storage."""
    for solver in range(3):
        for cone in range(2):
            for integrator in range(4):
                for jacobian in range(2):
                    options: dict[str, float] = {"solver": solver, "cone": cone, "integrator": integrator, "jacobian": jacobian}
                    if solver == mujoco.mjtSolver.mjSOL_CG:
                        # the path of conjugate gradients depends on rounding, its end does not
                        options.update(tolerance=1e-13, iterations=300)
                    yield "solver", "flags.xml", 30, options, trajectory("flags.xml", 30, options)


def noslip_cases():
    """A second pass over friction, after each solver × cone × storage."""
    for solver in (mujoco.mjtSolver.mjSOL_PGS, mujoco.mjtSolver.mjSOL_NEWTON):
        for cone in range(2):
            for jacobian in range(2):
                options = {"solver": int(solver), "cone": cone, "jacobian": jacobian, "noslip_iterations": 4}
                yield "solver", "flags.xml", 30, options, trajectory("flags.xml", 30, options)


def model_cases():
    """Each model as it is."""
    for path in sorted(glob.glob(os.path.join(ROOT, "models", "**", "*.xml"), recursive=True)):
        relative = os.path.relpath(path, os.path.join(ROOT, "models"))
        try:
            rows = trajectory(relative, 40, {})
        except ValueError:
            # a part that is no model by itself
            continue
        if len(rows[0][1]["qpos"]):
            if relative == LOOSE:
                rows = [(step, {f: v for f, v in fields.items() if f not in CONTACT_FORCES}) for step, fields in rows]
            yield "model", relative, 40, {}, rows
            for integrator in (mujoco.mjtIntegrator.mjINT_IMPLICIT, mujoco.mjtIntegrator.mjINT_IMPLICITFAST):
                # derivatives of forces with respect to velocities show in the state
                options = {"integrator": int(integrator)}
                rows = [(n, {f: fields[f] for f in ("qpos", "qvel", "act")}) for n, fields in trajectory(relative, 40, options)]
                yield "implicit", relative, 40, options, rows[-1:]


def main():
    """Writes all files."""
    write("flags", flag_cases())
    write("solvers", [*solver_cases(), *noslip_cases()])
    write("models", model_cases())


if __name__ == "__main__":
    main()
