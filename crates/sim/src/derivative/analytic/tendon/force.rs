//! Forces along tendons, linearized.
//!
//! A tendon of length `L(q)` with Jacobian `J` that pulls with force `φ` gives `τ = Jᵀ φ`. What depends on
//! its length and rate (springs, dampers, actuators, constraint rows) is summed into a few derivatives of
//! `φ`; then `∂τ/∂q = Jᵀ ∂φ/∂q + φ ∂Jᵀ/∂q`, where `∂(J x)/∂q` is needed for velocities and accelerations `x`.

use super::path::for_each_piece;
use crate::derivative::analytic::body_forces::{BodyForces, wrench};
use crate::derivative::analytic::gradient::Gradient;
use crate::derivative::analytic::motion::{MotionField, at_point};
use crate::derivative::velocity::passive::damper_derivative;
use crate::forces::passive::{tendon_elongation, total_damping};
use crate::inertia::armature::Driven;
use kinetree_math::Vec3;
use kinetree_math::misc::{PolyKind, poly_force, poly_force_deriv};
use kinetree_math::spatial::angular;
use kinetree_model::enums::{DisableBit, WrapType};
use kinetree_model::{Data, Model};

/// The force along a tendon and its derivatives.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TendonForce {
    /// Force.
    pub(crate) force: f64,
    /// Derivative with length.
    pub(crate) by_length: f64,
    /// Derivative with the rate `J v`.
    pub(crate) by_rate: f64,
    /// Derivative with `J a`, of constraint rows.
    pub(crate) by_acceleration: f64,
}

/// Entries of a tendon's Jacobian.
pub(crate) fn tendon_row<'a>(model: &'a Model, data: &'a Data, tendon: usize) -> (&'a [i32], &'a [f64]) {
    let start = model.ten_J_rowadr[tendon] as usize;
    let range = start..start + model.ten_J_rownnz[tendon] as usize;
    (&model.ten_J_colind[range.clone()], &data.ten_J[range])
}

/// Springs and dampers.
pub(crate) fn passive_force(model: &Model, data: &Data, tendon: usize) -> TendonForce {
    let mut out = TendonForce::default();
    if !model.disabled(DisableBit::Spring) {
        let x = tendon_elongation(model, data, tendon);
        let (stiffness, poly) = (model.tendon_stiffness[tendon], &model.tendon_stiffnesspoly[tendon]);
        // slack between two lengths has no derivative; a single resting length has the same on both sides
        let [low, high] = model.tendon_lengthspring[tendon];
        if x != 0.0 || low == high {
            out.force -= x * poly_force(stiffness, poly, x, PolyKind::Signed);
            out.by_length -= poly_force_deriv(stiffness, poly, x, PolyKind::Signed);
        }
    }
    if !model.disabled(DisableBit::Damper) {
        let (damping, poly) = (model.tendon_damping[tendon], &model.tendon_dampingpoly[tendon]);
        let (linear, poly) = total_damping(model, Driven::Tendon(tendon), damping, poly);
        let v = data.ten_velocity[tendon];
        out.force -= v * poly_force(linear, &poly, v, PolyKind::Odd);
        out.by_rate -= damper_derivative(v, linear, &poly);
    }
    out
}

/// Whether a tendon is a weighted sum of joint positions, whose Jacobian is constant.
pub(crate) fn is_fixed(model: &Model, tendon: usize) -> bool {
    model.wrap_type[model.tendon_adr[tendon] as usize] == WrapType::Joint
}

/// Adds `∂(J x)/∂q` of a tendon to `out`, where `field` is the motion field of `x`.
pub(crate) fn add_rate_derivative(
    model: &Model,
    data: &Data,
    tendon: usize,
    field: &MotionField,
    scale: f64,
    out: &mut [f64],
) {
    // paths without derivatives have been refused
    let _ = for_each_piece(model, data, tendon, |piece| {
        let motion = piece.ends.map(|end| &field.body[end.body]);
        let u = [0, 1].map(|k| at_point(motion[k], &piece.ends[k].offset));
        piece.for_each_motion(model, data, |moved| {
            let j = moved.dof;
            let mut derivative = moved.rotation.dot(&(u[1] - u[0]));
            for (k, sign) in [(0, -1.0), (1, 1.0)] {
                let end = &piece.ends[k];
                let mut change = angular(motion[k]).cross(&moved.velocity[k]);
                if moved.moves[k] {
                    change += at_point(&field.derivative(end.body, j, &data.cdof[j]), &end.offset);
                }
                derivative += sign * piece.direction.dot(&change);
            }
            out[j] += scale * derivative / piece.divisor;
        });
    });
}

/// Adds the pull of a spatial tendon at fixed force to the forces on bodies.
fn add_pull(model: &Model, data: &Data, tendon: usize, force: f64, forces: &mut BodyForces) {
    let _ = for_each_piece(model, data, tendon, |piece| {
        let pull = piece.direction * (force / piece.divisor);
        for (end, sign) in piece.ends.iter().zip([-1.0, 1.0]) {
            forces.add(end.body, &wrench(&end.offset, &(pull * sign), &Vec3::zeros()));
        }
        piece.for_each_motion(model, data, |moved| {
            let rotated = moved.rotation * (force / piece.divisor);
            for (k, sign) in [(0, -1.0), (1, 1.0)] {
                let (end, pull) = (&piece.ends[k], pull * sign);
                let derivative = wrench(&end.offset, &(rotated * sign), &moved.velocity[k].cross(&pull));
                forces.add_derivative(end.body, moved.dof, &derivative);
            }
        });
    });
}

/// Subtracts a tendon's force from `∂g`; `rate_derivative` is working memory.
pub(crate) fn subtract_tendon(
    model: &Model,
    data: &Data,
    tendon: usize,
    total: &TendonForce,
    fields: [&MotionField; 2],
    rate_derivative: &mut Vec<f64>,
    forces: &mut BodyForces,
    gradient: &mut Gradient,
) {
    let (columns, jacobian) = tendon_row(model, data, tendon);
    rate_derivative.clear();
    rate_derivative.resize(model.nv, 0.0);
    if !is_fixed(model, tendon) {
        for (field, scale) in fields.into_iter().zip([total.by_rate, total.by_acceleration]) {
            if scale != 0.0 {
                add_rate_derivative(model, data, tendon, field, scale, rate_derivative);
            }
        }
        if total.force != 0.0 {
            add_pull(model, data, tendon, total.force, forces);
        }
    }
    for (&j, value) in columns.iter().zip(jacobian) {
        rate_derivative[j as usize] += total.by_length * value;
    }
    for (&k, jk) in columns.iter().zip(jacobian) {
        let k = k as usize;
        for &j in columns {
            gradient.add_position(k, j as usize, -jk * rate_derivative[j as usize]);
        }
        for (&j, jj) in columns.iter().zip(jacobian) {
            gradient.add_velocity(k, j as usize, -jk * total.by_rate * jj);
            gradient.add_hessian(k, j as usize, -jk * total.by_acceleration * jj);
        }
    }
}
