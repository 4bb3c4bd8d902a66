//! Velocity derivatives of fluid forces, mapped into joint space.

use super::fluid_curvature::{ellipsoid_curvature, ellipsoid_jacobian};
use super::fluid_ellipsoid::ellipsoid_derivative;
use super::sparse_row::add_to_row;
use crate::forces::fluid::{element_frame, equivalent_box, fluid_elements, geom_semiaxes, velocity_in_fluid};
use crate::kinematics::chain::body_chain;
use crate::kinematics::jacobian::{offset_from_com, point_column};
use crate::sleep::awake_lists::Visit;
use crate::support::ObjectFrame;
use kinetree_math::Vec3;
use kinetree_math::misc::sign;
use kinetree_math::rot::mat3;
use kinetree_math::spatial::angular;
use kinetree_model::enums::{DisableBit, Integrator};
use kinetree_model::{Data, Model};
use nalgebra::{Matrix6, Vector6};
use std::f64::consts::PI;

/// Working memory: the dofs that move a body and their velocities in a local frame.
#[derive(Default)]
pub(crate) struct LocalJacobian {
    chain: Vec<i32>,
    /// Six rows, angular first, each as long as the chain.
    rows: [Vec<f64>; 6],
    combined: Vec<f64>,
}

impl LocalJacobian {
    /// Jacobian of a frame's velocity in its own axes.
    fn set(&mut self, model: &Model, data: &Data, frame: &ObjectFrame<'_>) {
        body_chain(model, frame.body, &mut self.chain);
        let axes = mat3(frame.mat);
        let offset = offset_from_com(model, data, &Vec3::from(*frame.pos), frame.body);
        self.rows.iter_mut().for_each(Vec::clear);
        for &dof in &self.chain {
            let cdof = &data.cdof[dof as usize];
            let rotation = axes.tr_mul(&angular(cdof));
            let translation = axes.tr_mul(&point_column(cdof, &offset));
            for i in 0..3 {
                self.rows[i].push(rotation[i]);
                self.rows[3 + i].push(translation[i]);
            }
        }
    }

    /// Adds `Jᵀ B J` to `qDeriv`.
    fn add(&mut self, model: &Model, deriv: &mut [f64], b: &Matrix6<f64>) {
        for i in 0..6 {
            // row i of B J
            self.combined.clear();
            self.combined.resize(self.chain.len(), 0.0);
            for j in 0..6 {
                if b[(i, j)] != 0.0 {
                    for (sum, value) in self.combined.iter_mut().zip(&self.rows[j]) {
                        *sum += b[(i, j)] * value;
                    }
                }
            }
            for (&dof, &value) in self.chain.iter().zip(&self.rows[i]) {
                if value != 0.0 {
                    add_to_row(model, deriv, dof as usize, &self.combined, &self.chain, value);
                }
            }
        }
    }
}

/// Whether a fluid damps motion.
pub(crate) fn has_fluid(model: &Model) -> bool {
    let passive = !model.disabled(DisableBit::Spring) || !model.disabled(DisableBit::Damper);
    passive && (model.opt.viscosity > 0.0 || model.opt.density > 0.0)
}

/// Adds the derivative of fluid forces to `qDeriv`.
pub(crate) fn add_fluid_derivative(model: &Model, data: &mut Data, jacobian: &mut LocalJacobian) {
    if !has_fluid(model) {
        return;
    }
    let visit = Visit::bodies(model, data);
    for k in 0..visit.count {
        let body = visit.at(&data.body_awake_ind, k);
        for element in fluid_elements(model, body) {
            let (frame, b) = element_damping(model, data, body, element);
            jacobian.set(model, data, &frame);
            jacobian.add(model, &mut data.qDeriv, &b);
        }
    }
}

/// Whether the derivative of an element is made symmetric: the fast implicit integrator solves with a
/// symmetric matrix.
fn is_symmetrized(model: &Model, element: Option<usize>) -> bool {
    element.is_some() && model.opt.integrator == Integrator::Implicitfast
}

/// The frame of an element and its derivative as the implicit integrators take it.
pub(crate) fn element_damping<'a>(
    model: &Model,
    data: &'a Data,
    body: usize,
    element: Option<usize>,
) -> (ObjectFrame<'a>, Matrix6<f64>) {
    let (frame, mut b) = element_with(model, data, body, element, |geom, ang, lin| {
        ellipsoid_derivative(model, geom, &geom_semiaxes(model, geom), ang, lin)
    });
    if is_symmetrized(model, element) {
        b = (b + b.transpose()) * 0.5;
    }
    (frame, b)
}

/// How `B x` of an element changes with its velocity for a motion `x`, where `B` is that of
/// [`element_damping`]: column by column.
pub(crate) fn element_curvature(
    model: &Model,
    data: &Data,
    body: usize,
    element: Option<usize>,
    x: &Vector6<f64>,
) -> Matrix6<f64> {
    let frame = element_frame(data, body, element);
    let (ang, lin) = velocity_in_fluid(model, data, &frame, &mat3(frame.mat));
    if let Some(geom) = element {
        let x = std::array::from_fn(|k| x[k]);
        return ellipsoid_curvature(model, geom, (&ang, &lin), &x, is_symmetrized(model, element));
    }
    // the mean of both sides where a component of velocity changes its sign
    let (by_spin, by_speed) = box_drag(model, body);
    let spins = by_spin.component_mul(&ang.map(sign));
    let speeds = by_speed.component_mul(&lin.map(sign));
    let derivative = Vector6::new(spins.x, spins.y, spins.z, speeds.x, speeds.y, speeds.z);
    Matrix6::from_diagonal(&-derivative.component_mul(x))
}

/// Derivative of the force on an element with its velocity, as it is: in the axes of its frame, angular part
/// first.
pub(crate) fn element_jacobian<'a>(
    model: &Model,
    data: &'a Data,
    body: usize,
    element: Option<usize>,
) -> (ObjectFrame<'a>, Matrix6<f64>) {
    element_with(model, data, body, element, |geom, ang, lin| ellipsoid_jacobian(model, geom, ang, lin))
}

/// The frame of an element and the derivative of its force with respect to its velocity, given that of an
/// ellipsoid, of which there are two: they differ where guards against division by zero bite.
fn element_with<'a>(
    model: &Model,
    data: &'a Data,
    body: usize,
    element: Option<usize>,
    of_ellipsoid: impl FnOnce(usize, &Vec3, &Vec3) -> Matrix6<f64>,
) -> (ObjectFrame<'a>, Matrix6<f64>) {
    let frame = element_frame(data, body, element);
    let (ang, lin) = velocity_in_fluid(model, data, &frame, &mat3(frame.mat));
    let derivative = match element {
        Some(geom) => of_ellipsoid(geom, &ang, &lin),
        None => box_derivative(model, body, &ang, &lin),
    };
    (frame, derivative)
}

/// Inertia-box model: each component of force depends on its own component of velocity.
fn box_derivative(model: &Model, body: usize, ang: &Vec3, lin: &Vec3) -> Matrix6<f64> {
    let side = equivalent_box(&model.body_inertia[body], model.body_mass[body]);
    let viscosity = model.opt.viscosity;
    let mut b = Matrix6::zeros();
    if viscosity > 0.0 {
        let diameter = (side[0] + side[1] + side[2]) / 3.0;
        for i in 0..3 {
            b[(i, i)] = -PI * diameter * diameter * diameter * viscosity;
            b[(3 + i, 3 + i)] = -3.0 * PI * diameter * viscosity;
        }
    }
    let (by_spin, by_speed) = box_drag(model, body);
    for i in 0..3 {
        b[(i, i)] -= by_spin[i] * ang[i].abs();
        b[(3 + i, 3 + i)] -= by_speed[i] * lin[i].abs();
    }
    b
}

/// Quadratic drag of the inertia-box model: derivatives of the damping about and along each axis with the
/// size of its component of velocity.
fn box_drag(model: &Model, body: usize) -> (Vec3, Vec3) {
    let density = model.opt.density;
    if density <= 0.0 {
        return (Vec3::zeros(), Vec3::zeros());
    }
    let side = equivalent_box(&model.body_inertia[body], model.body_mass[body]);
    let sides = |i: usize| (side[(i + 1) % 3], side[(i + 2) % 3]);
    let by_spin = Vec3::from_fn(|i, _| {
        let (c, d) = sides(i);
        density * side[i] * (c * c * c * c + d * d * d * d) * 2.0 / 64.0
    });
    let by_speed = Vec3::from_fn(|i, _| {
        let (c, d) = sides(i);
        0.5 * density * c * d * 2.0
    });
    (by_spin, by_speed)
}
