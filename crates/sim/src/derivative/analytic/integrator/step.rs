//! The acceleration that an integrator advances with, linearized.
//!
//! Integrators advance with `ã`, the root of `M̂ ã = M a`, where `M̂ = M − h D` takes part of the forces
//! implicitly. Differentiated, `M̂ ∂ã = M ∂a + R` with `R = ∂M (a − ã) + h ∂D ã`, so that
//! `∂ã = ∂a + M̂⁻¹ (h D ∂a + R)`.

use crate::damped_inertia::{factor_damped_inertia, has_implicit_damping};
use crate::derivative::analytic::coupling::Coupling;
use crate::derivative::analytic::dense_ltdl;
use crate::derivative::analytic::gradient::Gradient;
use crate::derivative::analytic::inverse_dynamics::{SubtreeTerms, add_inertia_derivative};
use crate::derivative::analytic::linearize::{Linearization, add_inertia};
use crate::derivative::analytic::motion::MotionField;
use crate::derivative::velocity::passive::dof_damping_derivative;
use crate::forces::passive::with_dof_damping;
use crate::inertia::mass_matrix::m_pattern;
use crate::integrate::spring_derivative;
use kinetree_math::dense::add_scaled;
use kinetree_math::sparse::{LtdlFactorizer, ltdl_solve};
use kinetree_model::enums::{DisableBit, JointType};
use kinetree_model::{Data, Model};

/// The derivative of the acceleration that an integrator advances with.
#[derive(Default)]
pub(crate) struct StepDerivative {
    /// `ã`.
    pub(crate) qacc: Vec<f64>,
    /// Whether `M̂` differs from `M`. If not, `ã = a`, and `matrix` and `explicit` are not set.
    pub(crate) damped: bool,
    /// `a − ã`, as a motion field and as joint-space values.
    pub(crate) difference: Vec<f64>,
    field: MotionField,
    /// The diagonal of `M̂ − M`, where that is all of it.
    diagonal: Vec<f64>,
    /// `M̂`: factored where it is symmetric, as it is for the full implicit method.
    pub(crate) matrix: Vec<f64>,
    /// What may differ from zero in the matrix and in `R`.
    pub(crate) coupling: Coupling,
    /// `R`, row by row.
    pub(crate) explicit: Vec<f64>,
    /// `∂ã`, row by row.
    pub(crate) derivative: Vec<f64>,
}

impl StepDerivative {
    /// An integrator that advances with the acceleration of the dynamics.
    pub(crate) fn set_plain(&mut self, data: &Data) {
        self.damped = false;
        self.qacc.clear();
        self.qacc.extend_from_slice(&data.qacc);
        self.difference.clear();
        self.difference.resize(data.qacc.len(), 0.0);
    }

    /// The acceleration that the Euler integrator advances with, by the sparse factor of `M̂`, which stays in
    /// the data.
    pub(crate) fn set_advance(&mut self, model: &Model, data: &mut Data, factorizer: &mut LtdlFactorizer) {
        self.set_plain(data);
        if !has_implicit_damping(model, data) {
            return;
        }
        self.damped = true;
        factor_damped_inertia(model, data, factorizer);
        for (out, (a, b)) in self.qacc.iter_mut().zip(data.qfrc_smooth.iter().zip(&data.qfrc_constraint)) {
            *out = a + b;
        }
        solve_damped(model, data, &mut self.qacc);
        for (out, (a, b)) in self.difference.iter_mut().zip(data.qacc.iter().zip(&self.qacc)) {
            *out = a - b;
        }
    }

    /// Adds `νᵀ R` of the Euler integrator to the gradient with respect to the inputs.
    pub(crate) fn pull_explicit(
        &mut self,
        model: &Model,
        data: &Data,
        terms: &mut SubtreeTerms,
        nu: &[f64],
        inputs: &mut [f64],
    ) {
        let (nv, h) = (model.nv, model.opt.timestep);
        for dof in 0..nv {
            inputs[nv + dof] -= nu[dof] * h * damping_curvature(model, data, dof) * self.qacc[dof];
        }
        self.field.set(model, &data.cdof, &self.difference);
        add_inertia_derivative(model, data, terms, &self.field, |k, j, derivative| {
            inputs[j] += nu[k] * derivative;
        });
    }

    /// Adds `νᵀ R` of an integrator whose `R` is there to the gradient with respect to the inputs.
    pub(crate) fn add_explicit(&self, nu: &[f64], width: usize, inputs: &mut [f64]) {
        for (dof, weight) in nu.iter().enumerate() {
            let row = &self.explicit[dof * width..(dof + 1) * width];
            for columns in self.coupling.columns(dof) {
                add_scaled(&mut inputs[columns.clone()], &row[columns], *weight);
            }
        }
    }

    /// Begins with `M̂ = M`, the force as the right-hand side of `ã`, and `R = 0`.
    pub(crate) fn begin_damped(&mut self, model: &Model, data: &Data, gradient: &Gradient) {
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

    /// Euler with dampers: `D` is minus the diagonal of their derivatives.
    pub(crate) fn set_euler(&mut self, model: &Model, data: &Data, linear: &mut Linearization) {
        let h = model.opt.timestep;
        self.diagonal.clear();
        self.diagonal.extend((0..model.nv).map(|dof| h * dof_damping_derivative(model, data, dof)));
        self.begin_damped(model, data, &linear.gradient);
        self.set_diagonal(model, data, linear, true);
    }

    /// Backward Euler for the dampers and springs of joints: `(M + h B + h² K) ã = M a − h K v`, with
    /// diagonal derivatives of dampers `B` and of springs `K`.
    pub(crate) fn set_spring_damper(&mut self, model: &Model, data: &Data, linear: &mut Linearization) {
        let (nv, h, width) = (model.nv, model.opt.timestep, linear.gradient.width);
        let dampers = !model.disabled(DisableBit::Damper);
        let stiffness = |dof: usize| spring_derivative(model, data, dof);
        self.diagonal.clear();
        self.diagonal.extend((0..nv).map(|dof| {
            let damping = if dampers { dof_damping_derivative(model, data, dof) } else { 0.0 };
            h * damping + h * h * stiffness(dof)
        }));
        self.begin_damped(model, data, &linear.gradient);
        for (dof, force) in self.qacc.iter_mut().enumerate() {
            *force -= h * stiffness(dof) * data.qvel[dof];
        }
        self.set_diagonal(model, data, linear, dampers);
        for dof in 0..nv {
            let row = &mut self.explicit[dof * width..];
            row[nv + dof] -= h * stiffness(dof);
            let curvature = spring_curvature(model, data, dof);
            row[dof] -= h * curvature * (data.qvel[dof] + h * self.qacc[dof]);
        }
    }

    /// `ã` and `R` of a diagonal `M̂ − M`; the right-hand side of `ã` is set.
    fn set_diagonal(&mut self, model: &Model, data: &Data, linear: &mut Linearization, dampers: bool) {
        let (nv, h, width) = (model.nv, model.opt.timestep, linear.gradient.width);
        for dof in 0..nv {
            self.matrix[dof * nv + dof] += self.diagonal[dof];
        }
        dense_ltdl::factor(&mut self.matrix, nv, &self.coupling);
        dense_ltdl::solve_vector(&self.matrix, nv, &self.coupling, &mut self.qacc);
        if dampers {
            for dof in 0..nv {
                let curvature = damping_curvature(model, data, dof);
                self.explicit[dof * width + nv + dof] -= h * curvature * self.qacc[dof];
            }
        }
        self.add_inertia_difference(model, data, linear);
    }

    /// `∂ã` of a diagonal `M̂ − M`, from `∂a`.
    pub(crate) fn solve_diagonal(&mut self, model: &Model, linear: &Linearization) {
        let (nv, width) = (model.nv, linear.gradient.width);
        self.derivative.clone_from(&self.explicit);
        for dof in 0..nv {
            let row = dof * width..(dof + 1) * width;
            for (out, derivative) in self.derivative[row.clone()].iter_mut().zip(&linear.derivative[row]) {
                *out -= self.diagonal[dof] * derivative;
            }
        }
        dense_ltdl::solve(&self.matrix, nv, &self.coupling, &mut self.derivative, width);
        self.add_own(linear);
    }

    /// Adds `∂a`.
    pub(crate) fn add_own(&mut self, linear: &Linearization) {
        for (total, own) in self.derivative.iter_mut().zip(&linear.derivative) {
            *total += own;
        }
    }

    /// Adds `∂M (a − ã)` to `R`.
    pub(crate) fn add_inertia_difference(&mut self, model: &Model, data: &Data, linear: &mut Linearization) {
        let width = linear.gradient.width;
        self.difference.clear();
        self.difference.extend(data.qacc.iter().zip(&self.qacc).map(|(a, b)| a - b));
        self.field.set(model, &data.cdof, &self.difference);
        add_inertia_derivative(model, data, &mut linear.terms, &self.field, |k, j, derivative| {
            self.explicit[k * width + j] += derivative;
        });
        linear.armature.add(model, data, &self.difference, None, &mut self.explicit, width);
    }
}

/// Solves with the factor of `M̂` that [`StepDerivative::set_advance`] has left in the data.
pub(crate) fn solve_damped(model: &Model, data: &Data, x: &mut [f64]) {
    ltdl_solve(x, &data.qH, &data.qHDiagInv, m_pattern(model), None);
}

/// Second derivative of a dof's damping force, without its sign.
pub(crate) fn damping_curvature(model: &Model, data: &Data, dof: usize) -> f64 {
    with_dof_damping(model, dof, |_, poly| damper_curvature(data.qvel[dof], poly))
}

/// Second derivative of the force of a damper with respect to its velocity, without its sign.
pub(crate) fn damper_curvature(v: f64, poly: &[f64; 2]) -> f64 {
    // the mean of both sides where the velocity changes its sign
    kinetree_math::misc::sign(v) * (2.0 * poly[0] + 6.0 * poly[1] * v.abs())
}

/// Derivative of the stiffness of a dof's spring with its position.
fn spring_curvature(model: &Model, data: &Data, dof: usize) -> f64 {
    let joint = model.dof_jntid[dof] as usize;
    let kind = model.jnt_type[joint];
    // a derivative that was negative has been set to zero
    if (kind != JointType::Hinge && kind != JointType::Slide) || spring_derivative(model, data, dof) == 0.0 {
        return 0.0;
    }
    let address = model.jnt_qposadr[joint] as usize;
    let poly = &model.jnt_stiffnesspoly[joint];
    2.0 * poly[0] + 6.0 * poly[1] * (data.qpos[address] - model.qpos_spring[address])
}
