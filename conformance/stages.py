"""The stages that are compared, their fields and tolerances.

The error of a field is max|a - b| / max(1, max|b|), where b is the reference's value.
"""

import numpy as np

STATE = (
    "qpos qvel act history qacc_warmstart ctrl qfrc_applied xfrc_applied eq_active mocap_pos mocap_quat userdata"
).split()

# stage: (tolerance, fields of MjData)
FIELDS = {
    "kinematics": (1e-9, "xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat cam_xpos "
                   "cam_xmat light_xpos light_xdir subtree_com cdof cinert"),
    "inertia": (1e-8, "crb qM M qLD qLDiagInv"),
    "smooth": (1e-8, "ten_length ten_J ten_velocity actuator_length actuator_moment actuator_velocity cvel cdof_dot "
               "qfrc_bias qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive actuator_force qfrc_actuator "
               "act_dot qfrc_smooth qacc_smooth"),
    "constraint": (1e-6, "efc_type efc_id efc_J efc_pos efc_margin efc_frictionloss efc_diagApprox efc_KBIP efc_D efc_R "
                   "efc_vel efc_aref"),
    "solve": (1e-6, "qacc qfrc_constraint efc_force"),
    "sensor": (1e-6, "sensordata"),
    "step": (1e-6, "qpos qvel act"),
    "inverse": (1e-6, "qfrc_inverse"),
}

CONTACT_FIELDS = "dist pos frame includemargin friction solref solreffriction solimp dim geom1 geom2 exclude".split()
CONTACT_TOLERANCE = 1e-6
MODEL_TOLERANCE = 1e-7

# every stage in order; a model's first failing stage is what is reported
STAGES = ["load", "fields", "kinematics", "inertia", "smooth", "contact", "constraint", "solve", "sensor", "step", "inverse"]


def error(mine, reference):
    """Relative error of one field; infinite when shapes differ or only one side has a NaN."""
    a, b = np.asarray(mine, dtype=float).ravel(), np.asarray(reference, dtype=float).ravel()
    if a.shape != b.shape:
        return float("inf")
    if not b.size:
        return 0.0
    bad = ~np.isfinite(b)
    if bad.any():
        if not np.array_equal(np.isnan(a), np.isnan(b)):
            return float("inf")
        a, b = a[~bad], b[~bad]
        if not b.size:
            return 0.0
    value = float(np.max(np.abs(a - b)) / max(1.0, np.max(np.abs(b))))
    return value if np.isfinite(value) else float("inf")
