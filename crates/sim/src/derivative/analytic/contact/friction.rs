//! Gradients with respect to the friction coefficients of geoms.
//!
//! At fixed motion the force of a contact in its frame is a function `λ(f)` of its friction coefficients:
//! over the edges of a pyramid, `λ₀ = Σ φ` and `λ_k = Σ ±f_k φ` with `φ = −D (x₀ ± f_k x_k)`; inside an
//! elliptic cone, `λ₀ = −G` and `λ_k = G x_k f_k²/T` with `T² = Σ x_k² f_k²` and `G = D₀ (x₀ − T)/(1 + μ²)`,
//! where `x` is the residual along the axes. Regularizers depend on friction too.

use super::frame::{FrameVector, axes, components};
use crate::derivative::analytic::motion::{MotionField, Point, at_point};
use kinetree_math::Vec3;
use kinetree_math::spatial::angular;
use kinetree_model::enums::{ConstraintState, ConstraintType, EnableBit};
use kinetree_model::{Contact, Data, Model};
use std::cmp::Ordering;

/// Coefficients of a geom: slide, spin, roll; and the axes of a contact frame that each belongs to.
const AXES: [&[usize]; 3] = [&[1, 2], &[3], &[4, 5]];

/// Adds `μᵀ ∂(Jᵀ λ)/∂f` to the gradients of the geoms whose coefficients a contact has. `residual` is that of
/// all rows, `mu` the motion field of `μ`.
pub(crate) fn add_gradient(model: &Model, data: &Data, residual: &[f64], mu: &MotionField, out: &mut [f64]) {
    if model.enabled(EnableBit::Override) {
        return;
    }
    for contact in data.contact[..data.ncon].iter().filter(|c| c.exclude == 0 && c.efc_address >= 0) {
        let [Ok(first), Ok(second)] = contact.geom.map(usize::try_from) else { continue };
        let geoms = [first, second];
        if contact.dim < 3 || is_explicit(model, geoms) {
            continue;
        }
        let along = relative_motion(model, data, contact, geoms, mu);
        for (coefficient, axes) in AXES.into_iter().enumerate() {
            if axes[0] >= contact.dim as usize {
                continue;
            }
            let derivative = force_derivative(model, data, contact, residual, axes);
            let total: f64 = (0..contact.dim as usize).map(|k| along[k] * derivative[k]).sum();
            for (geom, share) in geoms.into_iter().zip(shares(model, geoms, coefficient)) {
                out[3 * geom + coefficient] += share * total;
            }
        }
    }
}

/// Whether a pair of geoms has coefficients of its own.
fn is_explicit(model: &Model, [a, b]: [usize; 2]) -> bool {
    (0..model.npair).any(|pair| {
        let found = [model.pair_geom1[pair] as usize, model.pair_geom2[pair] as usize];
        found == [a, b] || found == [b, a]
    })
}

/// How much a coefficient of a contact follows those of its geoms: that of the geom with priority, or the
/// larger one; equal ones share, so that moving both together counts once.
fn shares(model: &Model, geoms: [usize; 2], coefficient: usize) -> [f64; 2] {
    let [p, q] = geoms.map(|geom| model.geom_priority[geom]);
    let [a, b] = geoms.map(|geom| model.geom_friction[geom][coefficient]);
    match p.cmp(&q).then(a.total_cmp(&b)) {
        Ordering::Greater => [1.0, 0.0],
        Ordering::Less => [0.0, 1.0],
        Ordering::Equal => [0.5, 0.5],
    }
}

/// The motion field of `μ` at a contact, along the axes of its frame.
fn relative_motion(
    model: &Model,
    data: &Data,
    contact: &Contact,
    geoms: [usize; 2],
    field: &MotionField,
) -> FrameVector {
    let [a, b] = geoms.map(|geom| {
        let body = model.geom_bodyid[geom] as usize;
        let point = Point::new(model, data, body, &Vec3::from(contact.pos));
        (at_point(&field.body[body], &point.offset), angular(&field.body[body]))
    });
    components(&axes(contact), &(b.0 - a.0), &(b.1 - a.1), contact.dim as usize)
}

/// Derivative of the force in the frame with the coefficient of some axes.
fn force_derivative(
    model: &Model,
    data: &Data,
    contact: &Contact,
    residual: &[f64],
    axes: &[usize],
) -> FrameVector {
    let row = contact.efc_address as usize;
    if data.efc_type[row] == ConstraintType::ContactPyramidal {
        return pyramid_derivative(data, contact, residual, axes);
    }
    let dim = contact.dim as usize;
    let x: FrameVector = std::array::from_fn(|k| if k < dim { residual[row + k] } else { 0.0 });
    match data.efc_state[row] {
        s if s == ConstraintState::Quadratic => quadratic_derivative(data, contact, row, axes),
        s if s == ConstraintState::Cone => {
            let scale = 1.0 / model.opt.impratio.max(kinetree_math::MINVAL).sqrt();
            cone_derivative(contact, &x, data.efc_D[row], axes, scale)
        }
        _ => [0.0; 6],
    }
}

fn pyramid_derivative(data: &Data, contact: &Contact, residual: &[f64], axes: &[usize]) -> FrameVector {
    let (row, mut out) = (contact.efc_address as usize, [0.0; 6]);
    let slide = contact.friction[0];
    // D is proportional to 1 / (f² (1 + f²)) with the sliding coefficient
    let scaling = if axes[0] == 1 { -2.0 / slide - 2.0 * slide / (1.0 + slide * slide) } else { 0.0 };
    for edge in 0..2 * (contact.dim as usize - 1) {
        let at = row + edge;
        if data.efc_state[at] != ConstraintState::Quadratic {
            continue;
        }
        let (k, sign) = (edge / 2 + 1, if edge % 2 == 0 { 1.0 } else { -1.0 });
        let friction = contact.friction[k - 1];
        let force = data.efc_force[at];
        let mut derivative = scaling * force;
        if axes.contains(&k) {
            let pair = row + 2 * (k - 1);
            let along = (residual[pair] - residual[pair + 1]) / (2.0 * friction);
            derivative -= data.efc_D[at] * sign * along;
            out[k] += sign * force;
        }
        out[0] += derivative;
        out[k] += sign * friction * derivative;
    }
    out
}

/// In the dual cone: `R f²` is the same for all axes, and does not change for the first.
fn quadratic_derivative(data: &Data, contact: &Contact, row: usize, axes: &[usize]) -> FrameVector {
    let mut out = [0.0; 6];
    for k in 2..contact.dim as usize {
        let own = if axes.contains(&k) { 2.0 / contact.friction[k - 1] } else { 0.0 };
        let first = if axes[0] == 1 { -2.0 / contact.friction[0] } else { 0.0 };
        out[k] = data.efc_force[row + k] * (own + first);
    }
    out
}

fn cone_derivative(contact: &Contact, x: &FrameVector, d: f64, axes: &[usize], scale: f64) -> FrameVector {
    let dim = contact.dim as usize;
    let friction = |k: usize| contact.friction[k - 1];
    let by = |k: usize| f64::from(u8::from(axes.contains(&k)));
    let square: f64 = (1..dim).map(|k| (x[k] * friction(k)) * (x[k] * friction(k))).sum();
    let t = square.sqrt();
    let mu = contact.mu;
    let dmu = if axes[0] == 1 { scale } else { 0.0 };
    let g = d * (x[0] - t) / (1.0 + mu * mu);
    let dt: f64 = (1..dim).map(|k| x[k] * x[k] * friction(k) * by(k)).sum::<f64>() / t;
    let dg = (-2.0 * mu * dmu * g - d * dt) / (1.0 + mu * mu);
    let mut out = [0.0; 6];
    out[0] = -dg;
    for k in 1..dim {
        let f = friction(k);
        out[k] = (dg / t - g * dt / square) * x[k] * f * f + 2.0 * g * x[k] * f * by(k) / t;
    }
    out
}
