//! The acceleration that an integrator advances with, linearized.
//!
//! Integrators advance with `ã`, the root of `M̂ ã = M a`, where `M̂ = M − h D` takes part of the forces
//! implicitly. Differentiated, `M̂ ∂ã = M ∂a + R` with `R = ∂M (a − ã) + h ∂D ã`, so that
//! `∂ã = ∂a + M̂⁻¹ (h D ∂a + R)`.

use super::coupling::Coupling;
use super::dense_ltdl;
use super::gradient::Gradient;
use super::inverse_dynamics::add_inertia_slope;
use super::linearize::{Linearization, add_inertia};
use super::motion::MotionField;
use crate::derivative::dof_damping_slope;
use crate::forces::passive::with_dof_damping;
use kinetree_model::{Data, Model};

/// The derivative of the acceleration that an integrator advances with.
#[derive(Default)]
pub(super) struct StepSlope {
    /// `ã`.
    pub(super) qacc: Vec<f64>,
    /// Whether `M̂` differs from `M`. If not, `ã = a`, and `matrix` and `explicit` are not set.
    pub(super) damped: bool,
    /// `a − ã`, as a motion field and as joint-space values.
    pub(super) difference: Vec<f64>,
    field: MotionField,
    /// `M̂`: factored where it is symmetric, as it is for the full implicit method.
    pub(super) matrix: Vec<f64>,
    /// What may differ from zero in the matrix and in `R`.
    pub(super) coupling: Coupling,
    /// `R`, row by row.
    pub(super) explicit: Vec<f64>,
    /// `∂ã`, row by row.
    pub(super) slope: Vec<f64>,
}

impl StepSlope {
    /// An integrator that advances with the acceleration of the dynamics.
    pub(super) fn set_plain(&mut self, data: &Data) {
        self.damped = false;
        self.qacc.clear();
        self.qacc.extend_from_slice(&data.qacc);
        self.difference.clear();
        self.difference.resize(data.qacc.len(), 0.0);
    }

    /// Begins with `M̂ = M`, the force as the right-hand side of `ã`, and `R = 0`.
    pub(super) fn begin_damped(&mut self, model: &Model, data: &Data, gradient: &Gradient) {
        let (nv, width) = (model.nv, gradient.width);
        self.damped = true;
        if self.matrix.len() == nv * nv && self.explicit.len() == nv * width {
            self.coupling.clear_dofs(&mut self.matrix);
            self.coupling.clear_inputs(&mut self.explicit, width);
        } else {
            self.matrix.clear();
            self.matrix.resize(nv * nv, 0.0);
            self.explicit.clear();
            self.explicit.resize(nv * width, 0.0);
        }
        self.coupling.copy_from(&gradient.coupling);
        add_inertia(model, data, &mut self.matrix);
        self.qacc.clear();
        self.qacc.extend(data.qfrc_smooth.iter().zip(&data.qfrc_constraint).map(|(a, b)| a + b));
    }

    /// Euler with dampers: `D` is minus the diagonal of their slopes.
    pub(super) fn set_euler(&mut self, model: &Model, data: &Data, linear: &mut Linearization) {
        let (nv, h, width) = (model.nv, model.opt.timestep, linear.gradient.width);
        self.begin_damped(model, data, &linear.gradient);
        for dof in 0..nv {
            self.matrix[dof * nv + dof] += h * dof_damping_slope(model, data, dof);
        }
        dense_ltdl::factor(&mut self.matrix, nv, &self.coupling);
        dense_ltdl::solve_vector(&self.matrix, nv, &self.coupling, &mut self.qacc);
        for dof in 0..nv {
            let curvature = damping_curvature(model, data, dof);
            self.explicit[dof * width + nv + dof] -= h * curvature * self.qacc[dof];
        }
        self.add_inertia_difference(model, data, linear);
    }

    /// `∂ã` of Euler with dampers, from `∂a`.
    pub(super) fn solve_euler(&mut self, model: &Model, data: &Data, linear: &Linearization) {
        let (nv, h, width) = (model.nv, model.opt.timestep, linear.gradient.width);
        self.slope.clone_from(&self.explicit);
        for dof in 0..nv {
            let damping = h * dof_damping_slope(model, data, dof);
            let row = dof * width..(dof + 1) * width;
            for (out, slope) in self.slope[row.clone()].iter_mut().zip(&linear.slope[row]) {
                *out -= damping * slope;
            }
        }
        dense_ltdl::solve(&self.matrix, nv, &self.coupling, &mut self.slope, width);
        self.add_own(linear);
    }

    /// Adds `∂a`.
    pub(super) fn add_own(&mut self, linear: &Linearization) {
        for (total, own) in self.slope.iter_mut().zip(&linear.slope) {
            *total += own;
        }
    }

    /// Adds `∂M (a − ã)` to `R`.
    pub(super) fn add_inertia_difference(&mut self, model: &Model, data: &Data, linear: &mut Linearization) {
        let width = linear.gradient.width;
        self.difference.clear();
        self.difference.extend(data.qacc.iter().zip(&self.qacc).map(|(a, b)| a - b));
        self.field.set(model, &data.cdof, &self.difference);
        add_inertia_slope(model, data, &mut linear.terms, &self.field, 1.0, &mut self.explicit, width);
    }
}

/// Second derivative of a dof's damping force, without its sign.
pub(super) fn damping_curvature(model: &Model, data: &Data, dof: usize) -> f64 {
    let v = data.qvel[dof];
    with_dof_damping(model, dof, |_, poly| {
        // the mean of both sides where the velocity changes its sign
        kinetree_math::misc::sign(v) * (2.0 * poly[0] + 6.0 * poly[1] * v.abs())
    })
}
