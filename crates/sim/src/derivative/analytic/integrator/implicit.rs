//! The implicit integrators, linearized.
//!
//! `M̂ = M − h D` with `D = ∂τ/∂v` of actuators, dampers, fluids and, in the full method, of Coriolis forces.
//! What `D` itself changes by is multiplied with the acceleration `ã` of the step: `damping.rs` has that of
//! forces; since Coriolis forces are quadratic in velocity, `∂c/∂v ã` is half the difference of those at
//! `v + ã` and `v − ã`.

use super::damping::{DampingDerivatives, is_taken};
use super::midpoint::FreeStep;
use super::step::StepDerivative;
use crate::derivative::analytic::dense_ltdl;
use crate::derivative::analytic::gradient::Gradient;
use crate::derivative::analytic::inverse_dynamics::{SubtreeTerms, add_inverse_dynamics};
use crate::derivative::analytic::linearize::Linearization;
use crate::derivative::analytic::motion::MotionField;
use crate::derivative::error::DerivativeError;
use crate::derivative::velocity::{DerivativeScratch, mjd_smooth_vel};
use crate::integrate::is_standalone;
use kinetree_math::sparse::{Pattern, lu_factor, lu_solve};
use kinetree_model::enums::{EnableBit, Integrator};
use kinetree_model::{Data, Model};
use std::ops::Range;

/// Working memory of the implicit integrators.
#[derive(Default)]
pub(crate) struct ImplicitDerivatives {
    damping: DampingDerivatives,
    gradient: Gradient,
    terms: SubtreeTerms,
    velocity: Vec<f64>,
    shifted: [MotionField; 2],
    coriolis: Vec<f64>,
    remaining: Vec<i32>,
    lu: Vec<f64>,
    column: Vec<f64>,
    /// Free bodies that stand alone, and six rows for each: the derivative of their next velocity.
    free: Vec<FreeStep>,
    free_rows: Vec<f64>,
}

/// Sets `ã`, `M̂` and `R` of an implicit step.
pub(crate) fn linearize(
    step: &mut StepDerivative,
    memory: &mut ImplicitDerivatives,
    model: &Model,
    data: &mut Data,
    linear: &mut Linearization,
    derivative: &mut DerivativeScratch,
) -> Result<(), DerivativeError> {
    let full = model.opt.integrator == Integrator::Implicit;
    mjd_smooth_vel(model, data, derivative, full);
    let (nv, width) = (model.nv, linear.gradient.width);
    step.begin_damped(model, data, &linear.gradient);
    if full {
        symmetrize(&mut step.matrix, nv);
    }
    for_each_damping(model, data, |k, j, value| step.matrix[k * nv + j] -= value);
    if full {
        memory.factor_full(model, &step.matrix, false)?;
        memory.solve_full(model, &mut step.qacc, 1);
    } else {
        dense_ltdl::factor(&mut step.matrix, nv, &step.coupling);
        dense_ltdl::solve_vector(&step.matrix, nv, &step.coupling, &mut step.qacc);
    }
    memory.damping.add(step, model, data, linear);
    if full {
        memory.add_coriolis_derivative(step, model, data, width);
    }
    step.add_inertia_difference(model, data, linear);
    memory.set_free_bodies(model, data, linear);
    Ok(())
}

/// Sets `∂ã` from `∂a`.
pub(crate) fn solve(
    step: &mut StepDerivative,
    memory: &mut ImplicitDerivatives,
    model: &Model,
    data: &Data,
    linear: &Linearization,
) {
    let width = linear.gradient.width;
    step.derivative.clone_from(&step.explicit);
    for_each_damping(model, data, |k, j, value| {
        let (from, to) = (&linear.derivative[j * width..(j + 1) * width], &mut step.derivative[k * width..]);
        for (out, x) in to.iter_mut().zip(from) {
            *out += value * x;
        }
    });
    if model.opt.integrator == Integrator::Implicit {
        memory.solve_full(model, &mut step.derivative, width);
    } else {
        dense_ltdl::solve(&step.matrix, model.nv, &step.coupling, &mut step.derivative, width);
    }
    step.add_own(linear);
    memory.set_free_rows(model, data, linear);
}

/// Solves `M̂ᵀ x = b` in place.
///
/// # Errors
/// When the matrix is singular.
pub(crate) fn solve_transposed(
    step: &StepDerivative,
    memory: &mut ImplicitDerivatives,
    model: &Model,
    x: &mut [f64],
) -> Result<(), DerivativeError> {
    if model.opt.integrator == Integrator::Implicit {
        memory.factor_full(model, &step.matrix, true)?;
        memory.solve_full(model, x, 1);
    } else {
        dense_ltdl::solve_vector(&step.matrix, model.nv, &step.coupling, x);
    }
    Ok(())
}

/// Calls `visit` with row, column and value of each entry of `h D` that the integrator takes.
fn for_each_damping(model: &Model, data: &Data, mut visit: impl FnMut(usize, usize, f64)) {
    for k in 0..model.nv {
        let start = model.D_rowadr[k] as usize;
        for at in start..start + model.D_rownnz[k] as usize {
            let j = model.D_colind[at] as usize;
            if is_taken(model, k, j) {
                visit(k, j, model.opt.timestep * data.qDeriv[at]);
            }
        }
    }
}

/// Copies the lower triangle to the upper one.
fn symmetrize(matrix: &mut [f64], n: usize) {
    for k in 0..n {
        for j in 0..k {
            matrix[j * n + k] = matrix[k * n + j];
        }
    }
}

/// Calls `visit` with row, column and value of each entry of the inertia matrix of a free body that stands
/// alone.
pub(crate) fn for_each_free_inertia(
    model: &Model,
    data: &Data,
    dof: usize,
    mut visit: impl FnMut(usize, usize, f64),
) {
    for row in dof..dof + 6 {
        let start = model.M_rowadr[row] as usize;
        for at in start..start + model.M_rownnz[row] as usize {
            let column = model.M_colind[at] as usize;
            visit(row, column, data.M[at]);
            if column != row {
                visit(column, row, data.M[at]);
            }
        }
    }
}

impl ImplicitDerivatives {
    /// Steps of free bodies that stand alone, whose external force is that of inverse dynamics.
    fn set_free_bodies(&mut self, model: &Model, data: &Data, linear: &mut Linearization) {
        self.free.clear();
        let free = |joint: &usize| is_standalone(model, *joint);
        if model.enabled(EnableBit::Invdiscrete) || !(0..model.njnt).any(|joint| free(&joint)) {
            return;
        }
        self.gradient.clear(model);
        linear.add_inverse_dynamics(model, data, &mut self.gradient);
        for joint in (0..model.njnt).filter(free) {
            let dof = model.jnt_dofadr[joint] as usize;
            let force = std::array::from_fn(|k| {
                data.qfrc_smooth[dof + k] + data.qfrc_constraint[dof + k] + data.qfrc_bias[dof + k]
            });
            self.free.push(FreeStep::new(model, data, joint, &force));
        }
    }

    /// The derivative of the next velocity of free bodies that stand alone: of the external force, `∂(M a +
    /// c)`.
    fn set_free_rows(&mut self, model: &Model, data: &Data, linear: &Linearization) {
        let (nv, width) = (model.nv, linear.gradient.width);
        self.free_rows.clear();
        self.free_rows.resize(6 * self.free.len() * width, 0.0);
        let Self { free, free_rows, gradient, .. } = self;
        for (step, rows) in free.iter().zip(free_rows.chunks_exact_mut((6 * width).max(1))) {
            let dof = step.dof;
            // M ∂a, of which the lower triangle is stored
            for_each_free_inertia(model, data, dof, |row, column, value| {
                let to = &mut gradient.values[row * width..(row + 1) * width];
                let from = &linear.derivative[column * width..(column + 1) * width];
                for (out, x) in to.iter_mut().zip(from) {
                    *out += value * x;
                }
            });
            for (k, row) in rows.chunks_exact_mut(width).enumerate() {
                for i in 0..6 {
                    let (by, from) = (step.by_force[i][k], &gradient.values[(dof + i) * width..]);
                    for (out, x) in row.iter_mut().zip(from) {
                        *out += by * x;
                    }
                    row[nv + dof + i] += step.by_velocity[i][k];
                }
                for i in 0..3 {
                    row[dof + 3 + i] += step.by_rotation[i][k];
                }
            }
        }
    }

    /// Free bodies that stand alone.
    pub(crate) fn free_bodies(&self) -> &[FreeStep] {
        &self.free
    }

    /// Derivative of the external force on such bodies at fixed acceleration: rows of all dofs, of which
    /// theirs are set. Valid until `∂ã` is solved for.
    pub(crate) fn free_force_derivative(&self) -> &[f64] {
        &self.gradient.values
    }

    /// Replaces the rows of free bodies in the next velocity; those of the velocity that moves positions are
    /// the mean of both ends.
    pub(crate) fn replace_rows(
        &self,
        nv: usize,
        width: usize,
        inputs: &Range<usize>,
        next: &mut [f64],
        moving: &mut [f64],
    ) {
        let n = inputs.len();
        for (b, step) in self.free.iter().enumerate() {
            for k in step.first..6 {
                let dof = step.dof + k;
                let row = &self.free_rows[(6 * b + k) * width..(6 * b + k + 1) * width][inputs.clone()];
                next[dof * n..(dof + 1) * n].copy_from_slice(row);
                let moving = &mut moving[dof * n..(dof + 1) * n];
                for (c, (out, value)) in moving.iter_mut().zip(row).enumerate() {
                    let old = f64::from(u8::from(inputs.start + c == nv + dof));
                    *out = 0.5 * (value + old);
                }
            }
        }
    }

    /// The velocity that moves a dof, where the midpoint rule gives it.
    pub(crate) fn moving_velocity(&self, dof: usize) -> Option<f64> {
        let step = self.free.iter().find(|step| step.moves(dof))?;
        let k = dof - step.dof;
        Some(0.5 * (step.old[k] + step.new[k]))
    }

    /// Forgets the free bodies of another step.
    pub(crate) fn clear(&mut self) {
        self.free.clear();
    }

    /// Factors the full matrix, or its transpose, on the pattern of `D`, which is symmetric.
    fn factor_full(
        &mut self,
        model: &Model,
        matrix: &[f64],
        transposed: bool,
    ) -> Result<(), DerivativeError> {
        self.lu.clear();
        for k in 0..model.nv {
            let start = model.D_rowadr[k] as usize;
            let columns = &model.D_colind[start..start + model.D_rownnz[k] as usize];
            self.lu.extend(columns.iter().map(|&j| {
                let j = j as usize;
                if transposed { matrix[j * model.nv + k] } else { matrix[k * model.nv + j] }
            }));
        }
        self.remaining.clear();
        self.remaining.resize(model.nv, 0);
        let pattern = Pattern::new(&model.D_rownnz, &model.D_rowadr, &model.D_colind);
        lu_factor(&mut self.lu, &mut self.remaining, pattern, None)
            .map_err(|error| DerivativeError::Step(error.into()))
    }

    /// Solves with the full matrix for all columns.
    fn solve_full(&mut self, model: &Model, x: &mut [f64], width: usize) {
        let pattern = Pattern::new(&model.D_rownnz, &model.D_rowadr, &model.D_colind);
        for c in 0..width {
            self.column.clear();
            self.column.extend((0..model.nv).map(|k| x[k * width + c]));
            lu_solve(&mut self.column, &self.lu, pattern, &model.D_diag, None);
            for (k, value) in self.column.iter().enumerate() {
                x[k * width + c] = *value;
            }
        }
    }

    /// Adds `h ∂D ã` of Coriolis and centrifugal forces, which enter `D` with a minus.
    fn add_coriolis_derivative(
        &mut self,
        step: &mut StepDerivative,
        model: &Model,
        data: &mut Data,
        width: usize,
    ) {
        let (nv, h) = (model.nv, model.opt.timestep);
        self.coriolis.clear();
        self.coriolis.resize(nv * 2 * nv, 0.0);
        for sign in [1.0, -1.0] {
            self.velocity.clear();
            self.velocity.extend(data.qvel.iter().zip(&step.qacc).map(|(v, a)| v + sign * a));
            let [moved, accelerated] = &mut self.shifted;
            moved.set(model, &data.cdof, &self.velocity);
            accelerated.set_velocity_products(model, &data.cdof, moved, &self.velocity);
            self.gradient.clear(model);
            let velocity = &self.velocity;
            let gradient = &mut self.gradient;
            add_inverse_dynamics(model, data, velocity, &mut self.terms, moved, accelerated, |k, j, p, v| {
                gradient.add_motion(k, j, p, v);
            });
            for k in 0..nv {
                for j in 0..2 * nv {
                    self.coriolis[k * 2 * nv + j] += 0.5 * sign * self.gradient.values[k * width + j];
                }
            }
        }
        for k in 0..nv {
            for j in 0..2 * nv {
                step.explicit[k * width + j] -= h * self.coriolis[k * 2 * nv + j];
            }
        }
    }
}
