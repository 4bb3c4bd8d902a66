//! The drift `J̇ qvel` of connect and weld rows.
//!
//! A point fixed to a body has acceleration `J qacc + J̇ qvel`. The second part comes from the motion of the
//! dofs' axes and of the point itself: for each dof, `(ȧ + α̇ × r + α × ṙ) q̇` with `(α, a)` its spatial axis
//! and `r` the point relative to the tree's centre.

use super::equality::{anchors, weld_orientations};
use crate::kinematics::chain::chain_dofs;
use crate::kinematics::jacobian::{dof_motion_rate, point_rate_column};
use kinetree_math::Vec3;
use kinetree_math::rot::{quat_conj, quat_deriv, quat_mul, quat_mul_axis};
use kinetree_math::spatial::{angular, linear};
use kinetree_model::enums::{EqType, ObjType};
use kinetree_model::{Data, Model};

/// Subtracts the drift from `efc_aref` of all connect and weld rows.
pub(crate) fn subtract_drift(model: &Model, data: &mut Data) {
    let mut aref = std::mem::take(&mut data.efc_aref);
    subtract_drift_from(model, data, &mut aref);
    data.efc_aref = aref;
}

/// Subtracts the drift of all connect and weld rows from numbers of which there is one for each row.
pub(crate) fn subtract_drift_from(model: &Model, data: &Data, rows: &mut [f64]) {
    let mut row = 0;
    while row < data.ne {
        let eq = data.efc_id[row] as usize;
        let kind = model.eq_type[eq];
        if kind == EqType::Connect {
            let (lin, _) = relative_drift(model, data, eq);
            subtract(&mut rows[row..row + 3], &lin);
            row += 3;
        } else if kind == EqType::Weld {
            let (lin, ang) = relative_drift(model, data, eq);
            let rot = orientation_drift(model, data, eq, &ang);
            subtract(&mut rows[row..row + 3], &lin);
            subtract(&mut rows[row + 3..row + 6], &rot);
            row += 6;
        } else {
            row += 1;
        }
    }
}

fn subtract(target: &mut [f64], drift: &Vec3) {
    for (a, x) in target.iter_mut().zip(drift.iter()) {
        *a -= x;
    }
}

/// Difference of the two anchors' drifts, linear and angular.
fn relative_drift(model: &Model, data: &Data, eq: usize) -> (Vec3, Vec3) {
    let anchors = anchors(model, data, eq);
    let (lin1, ang1) = point_drift(model, data, anchors.body[0], &anchors.point[0]);
    let (lin2, ang2) = point_drift(model, data, anchors.body[1], &anchors.point[1]);
    (lin1 - lin2, ang1 - ang2)
}

/// `J̇ qvel` of a point fixed to a body, linear and angular.
fn point_drift(model: &Model, data: &Data, body: usize, point: &[f64; 3]) -> (Vec3, Vec3) {
    let offset = Vec3::from(*point) - Vec3::from(data.subtree_com[model.body_rootid[body] as usize]);
    let cvel = &data.cvel[body];
    let point_vel = linear(cvel) + angular(cvel).cross(&offset);
    let (mut lin, mut ang) = (Vec3::zeros(), Vec3::zeros());
    for dof in chain_dofs(model, body) {
        let rate = dof_motion_rate(model, data, dof);
        lin += point_rate_column(&rate, &data.cdof[dof], &offset, &point_vel) * data.qvel[dof];
        ang += angular(&rate) * data.qvel[dof];
    }
    (lin, ang)
}

/// Drift of the three orientation rows of a weld, by the product rule on `½ q₂⁻¹ (ω₁ − ω₂) q₁ q_rel`.
fn orientation_drift(model: &Model, data: &Data, eq: usize, angular_drift: &Vec3) -> Vec3 {
    let by_site = model.eq_objtype[eq] == ObjType::Site;
    let obj = [model.eq_obj1id[eq] as usize, model.eq_obj2id[eq] as usize];
    let body = if by_site { obj.map(|s| model.site_bodyid[s] as usize) } else { obj };
    let (q1_rel, q2_inv) = weld_orientations(model, data, eq, body);
    let omega = body.map(|b| angular(&data.cvel[b]));
    let relative = omega[0] - omega[1];

    let prm = &model.eq_data[eq];
    let (q1_rel_dot, q2_dot) = if by_site {
        (quat_deriv(&q1_rel, &omega[0]), quat_deriv(&quat_conj(&q2_inv), &omega[1]))
    } else {
        let q1_dot = quat_deriv(&data.xquat[body[0]], &omega[0]);
        (quat_mul(&q1_dot, &[prm[6], prm[7], prm[8], prm[9]]), quat_deriv(&data.xquat[body[1]], &omega[1]))
    };
    let terms = [
        quat_mul(&quat_mul_axis(&quat_conj(&q2_dot), &relative), &q1_rel),
        quat_mul(&quat_mul_axis(&q2_inv, angular_drift), &q1_rel),
        quat_mul(&quat_mul_axis(&q2_inv, &relative), &q1_rel_dot),
    ];
    let mut drift = Vec3::zeros();
    for k in 0..3 {
        drift[k] = 0.5 * (terms[0][k + 1] + terms[1][k + 1] + terms[2][k + 1]) * prm[10];
    }
    drift
}
