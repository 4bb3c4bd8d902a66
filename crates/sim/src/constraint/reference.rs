//! Reference acceleration of each row: what the constraint asks for.
//!
//! `aref = −B v − K d (pos − margin)`, a critically damped return to zero violation, with `v = J qvel`. For connect and weld rows the
//! drift `J̇ qvel` is taken off, so that `J qacc = aref` really gives the wanted relative acceleration.

use super::jacobian_drift::subtract_drift;
use super::product::mj_mul_jac_vec;
use kinetree_model::{Data, Model};

/// Computes `efc_vel` and `efc_aref`.
pub fn mj_reference_constraint(model: &Model, data: &mut Data) {
    let mut vel = std::mem::take(&mut data.efc_vel);
    mj_mul_jac_vec(model, data, &mut vel, &data.qvel);
    for (i, &v) in vel.iter().enumerate() {
        let [k, b, imp, _] = data.efc_KBIP[i];
        data.efc_aref[i] = -b * v - k * imp * (data.efc_pos[i] - data.efc_margin[i]);
    }
    data.efc_vel = vel;
    if data.ne > 0 {
        subtract_drift(model, data);
    }
}
