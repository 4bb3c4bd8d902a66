//! Analytic derivatives of inverse dynamics and of the inertia matrix.
//!
//! The force of inverse dynamics is the residual `g(q, v, a)` of the equations of motion at a given
//! acceleration, so that its derivatives are those that forward dynamics begins with, and `∂g/∂a` is `H`.

use super::evaluated::evaluate_inverse;
use super::linearize::{Linearization, Residual};
use super::motion::rotates;
use super::transition::TransitionScratch;
use crate::derivative::error::DerivativeError;
use crate::derivative::finite::inverse::{InverseJacobians, check_sizes};
use crate::step_memory::StepMemory;
use kinetree_math::spatial::{cross_motion, dot6, mul_inert_vec};
use kinetree_model::enums::EnableBit;
use kinetree_model::{Data, Model};

/// Analytic derivatives of inverse dynamics at the position, velocity and acceleration of the data, laid out
/// as those of [`mjd_inverse_fd`](crate::mjd_inverse_fd). With `subtract_actuation` the force is what remains
/// after actuators have done their part. Sensors of
/// actuation are refused.
///
/// # Errors
/// When a matrix has the wrong size, inverse dynamics fail, or something has no analytic derivative, which
/// the error names.
pub(crate) fn mjd_inverse(
    model: &Model,
    data: &mut Data,
    work: &mut StepMemory,
    memory: &mut TransitionScratch,
    subtract_actuation: bool,
    out: InverseJacobians<'_>,
) -> Result<(), DerivativeError> {
    check_sizes(model, &out)?;
    let sensors = [&out.sensor_position, &out.sensor_velocity, &out.sensor_acceleration];
    let sensors = model.nsensordata > 0 && sensors.into_iter().any(Option::is_some);
    if model.enabled(EnableBit::Invdiscrete) {
        return Err(DerivativeError::Unsupported("discrete-time inverse dynamics"));
    }
    let mut data = evaluate_inverse(model, data, work, subtract_actuation, sensors)?;
    let TransitionScratch { linear, sensors: derivatives, .. } = memory;
    linear.set(model, &mut data, Residual::Inverse { actuation: subtract_actuation })?;
    write_force(model, linear, out.force_position, 0);
    write_force(model, linear, out.force_velocity, model.nv);
    write_hessian(model, linear, out.force_acceleration);
    if let Some(derivative) = out.inertia_position {
        write_inertia(model, &data, derivative);
        linear.armature.add_inertia_derivatives(model, &data, derivative);
    }
    if sensors {
        let out = [out.sensor_position, out.sensor_velocity, out.sensor_acceleration];
        derivatives.write_inverse(model, &data, linear, out)?;
    }
    Ok(())
}

/// Writes columns of `∂g` as rows.
fn write_force(model: &Model, linear: &Linearization, out: Option<&mut [f64]>, first: usize) {
    let Some(out) = out else { return };
    let (nv, width) = (model.nv, linear.gradient.width);
    for (at, out) in out.iter_mut().enumerate() {
        let (input, dof) = (at / nv, at % nv);
        *out = linear.gradient.values[dof * width + first + input];
    }
}

/// Writes `H`, of which the lower triangle is complete.
fn write_hessian(model: &Model, linear: &Linearization, out: Option<&mut [f64]>) {
    let Some(out) = out else { return };
    let nv = model.nv;
    for (at, out) in out.iter_mut().enumerate() {
        let (row, column) = (at / nv, at % nv);
        *out = linear.gradient.hessian[row.max(column) * nv + row.min(column)];
    }
}

/// `∂M_ik/∂q_j` for the entries of `qM`: dof `i` with itself and with each dof `k` before it.
///
/// `M_ik = S_i · I S_k` with the inertia `I` behind `i`. A nudge of `j` rotates what is behind `j`. If that
/// is all of it, nothing changes; if `k` is before `j`, what remains is minus the rotation of `S_k`; if `i`
/// is too, only the inertia behind `j` rotates.
fn write_inertia(model: &Model, data: &Data, out: &mut [f64]) {
    let n = model.nM;
    for j in 0..model.nv {
        let (axis, row) = (&data.cdof[j], &mut out[j * n..(j + 1) * n]);
        row.fill(0.0);
        let behind = &data.crb[model.dof_bodyid[j] as usize];
        for i in 0..model.nv {
            let rotated = rotates(model, j, i);
            // only where one moves the other
            if !rotated && !rotates(model, i, j) {
                continue;
            }
            let body = &data.crb[model.dof_bodyid[i] as usize];
            let (mut at, mut next) = (model.dof_Madr[i] as usize, i as i32);
            while let Ok(k) = usize::try_from(next) {
                let (s_i, s_k) = (&data.cdof[i], &data.cdof[k]);
                if !rotates(model, j, k) {
                    let back = cross_motion(s_k, axis);
                    row[at] = if rotated {
                        dot6(s_i, &mul_inert_vec(body, &back))
                    } else {
                        dot6(s_i, &mul_inert_vec(behind, &back))
                            + dot6(&cross_motion(s_i, axis), &mul_inert_vec(behind, s_k))
                    };
                }
                next = model.dof_parentid[k];
                at += 1;
            }
        }
    }
}
