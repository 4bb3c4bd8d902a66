//! `H μ = b` for the reverse mode of steps, without dense matrices.
//!
//! `H` is the matrix of Newton's method at the optimum, and is factored as the solver does it, on supernodes.
//! Where that factor would be too large, or a large model has another solver, conjugate gradients need
//! `H x = M x + Jᵀ s'' J x` alone, in time that grows with the entries of `M` and `J`; they run until the
//! residual is at rounding, preconditioned by `M` with the diagonal of `Jᵀ s'' J`, which is factored on the
//! pattern of `M`. With `μ`, all parts of `∂g` are multiplied with it as they are made (`gradient.rs`,
//! `body_forces.rs`, `contact/product.rs`).

use crate::constraint::RowScratch;
use crate::derivative::analytic::linearize::is_clamped;
use crate::derivative::analytic::tendon::armature::bent_armature;
use crate::inertia::mass_matrix::m_pattern;
use crate::solver::{Hessian, Weights};
use kinetree_math::LaneVec;
use kinetree_math::dense::{add_scaled, dot};
use kinetree_math::lanes::lanes;
use kinetree_math::sparse::{Csr, ltdl_factor, ltdl_solve, mul_sym_vec};
use kinetree_model::enums::{ConstraintState, Solver};
use kinetree_model::{Data, Model};

/// Dofs up to which `H` is factored whatever the solver of the model.
const SMALL: usize = 200;
/// Ratio of pivots under which `H` is singular, or so near to it that matrices are to decide.
const SINGULAR: f64 = 1e3 * f64::EPSILON;
/// Reduction of the residual, in the norm of the inverse preconditioner, at which it is rounding.
const ROUNDING: f64 = 1e-15;

/// Working memory.
#[derive(Default)]
pub(crate) struct ProductSolver {
    hessian: Hessian,
    /// The vector that is solved for, padded.
    padded: LaneVec,
    residual: Vec<f64>,
    preconditioned: Vec<f64>,
    search: Vec<f64>,
    image: Vec<f64>,
    active: ActiveRows,
    /// Of a cone, in constraint space.
    cone: Vec<f64>,
    /// Preconditioner: its factor, and the inverse of that one's diagonal.
    factor: Vec<f64>,
    inverse: Vec<f64>,
}

/// Curvature of the cost of a row by itself.
fn curvature(data: &Data, row: usize) -> f64 {
    match data.efc_state[row] {
        state if state == ConstraintState::Quadratic => data.efc_D[row],
        state if state == ConstraintState::Cone => {
            let contact = &data.contact[data.efc_id[row] as usize];
            let (dim, k) = (contact.dim as usize, row - contact.efc_address as usize);
            contact.H[k * dim + k]
        }
        _ => 0.0,
    }
}

impl ProductSolver {
    /// Whether a step has nothing that needs matrices.
    pub(crate) fn applies(model: &Model, data: &Data) -> bool {
        model.jnt_actgravcomp.iter().all(|&actgravcomp| actgravcomp == 0)
            && !(0..model.njnt).any(|joint| is_clamped(model, data, joint))
            && (0..model.ntendon).all(|tendon| bent_armature(model, tendon) == 0.0)
    }

    /// Solves `H x = b` in place; the states of rows and the Hessians of cones have been settled. Returns
    /// whether it has worked; if not, `x` is of no use.
    pub(crate) fn solve(&mut self, model: &Model, data: &Data, rows: &mut RowScratch, x: &mut [f64]) -> bool {
        if model.nv > SMALL && model.opt.solver != Solver::Newton && model.is_sparse() {
            return self.iterate(model, data, x);
        }
        let blocks = rows.blocks_of_arrays(model, data);
        let jacobian = blocks.all();
        let prepared = self.hessian.prepare(Csr::new(m_pattern(model), &data.M), &jacobian).is_ok();
        let definite = prepared && {
            let Data { efc_D: d, efc_state: state, efc_id: id, contact, .. } = data;
            self.hessian.factorize(&jacobian, &Weights { d, state, id, contact })
        };
        rows.reuse(blocks);
        if !prepared {
            return model.is_sparse() && self.iterate(model, data, x);
        }
        if !definite || self.hessian.pivot_ratio() < SINGULAR {
            return false;
        }
        let Self { hessian, padded, .. } = self;
        padded.clear();
        padded.resize(lanes(model.nv));
        padded.as_flattened_mut()[..model.nv].copy_from_slice(x);
        hessian.solve(padded);
        x.copy_from_slice(&padded.as_flattened()[..model.nv]);
        true
    }

    /// The same by conjugate gradients; returns whether they have converged. The Jacobian is sparse.
    fn iterate(&mut self, model: &Model, data: &Data, x: &mut [f64]) -> bool {
        let nv = model.nv;
        self.residual.clear();
        self.residual.extend_from_slice(x);
        x.fill(0.0);
        self.factor_preconditioner(model, data);
        self.active.set(data);
        self.precondition(model);
        self.search.clear();
        self.search.extend_from_slice(&self.preconditioned);
        let mut square = dot(&self.residual, &self.preconditioned);
        let goal = square * ROUNDING * ROUNDING;
        for _ in 0..2 * nv {
            if square <= goal {
                return true;
            }
            self.multiply(model, data);
            let length = square / dot(&self.search, &self.image);
            if !length.is_finite() {
                return false;
            }
            add_scaled(x, &self.search, length);
            add_scaled(&mut self.residual, &self.image, -length);
            self.precondition(model);
            let next = dot(&self.residual, &self.preconditioned);
            let along = next / square;
            for (search, own) in self.search.iter_mut().zip(&self.preconditioned) {
                *search = own + along * *search;
            }
            square = next;
        }
        false
    }

    /// Factors the inertia matrix with the diagonal of `Jᵀ s'' J`.
    fn factor_preconditioner(&mut self, model: &Model, data: &Data) {
        let Self { factor, inverse, .. } = self;
        factor.clear();
        factor.extend_from_slice(&data.M);
        inverse.clear();
        inverse.resize(model.nv, 0.0);
        for row in 0..data.nefc {
            let weight = curvature(data, row);
            if weight == 0.0 {
                continue;
            }
            let (columns, values) = entries(data, row);
            for (&dof, x) in columns.iter().zip(values) {
                let last = model.M_rowadr[dof as usize] + model.M_rownnz[dof as usize] - 1;
                factor[last as usize] += weight * x * x;
            }
        }
        ltdl_factor(factor, inverse, m_pattern(model), None);
    }

    /// The inverse of the preconditioner times the residual.
    fn precondition(&mut self, model: &Model) {
        self.preconditioned.clear();
        self.preconditioned.extend_from_slice(&self.residual);
        ltdl_solve(&mut self.preconditioned, &self.factor, &self.inverse, m_pattern(model), None);
    }

    /// `H` times the search direction.
    fn multiply(&mut self, model: &Model, data: &Data) {
        let Self { search, image, active, cone, .. } = self;
        image.clear();
        image.resize(model.nv, 0.0);
        mul_sym_vec(image, Csr::new(m_pattern(model), &data.M), search);
        active.add_product(search, image);
        for &row in &active.cones {
            let contact = &data.contact[data.efc_id[row] as usize];
            let dim = contact.dim as usize;
            cone.clear();
            cone.extend((row..row + dim).map(|row| along(data, row, search)));
            for k in 0..dim {
                let force = dot(&contact.H[k * dim..(k + 1) * dim], cone);
                let (columns, values) = entries(data, row + k);
                for (&dof, x) in columns.iter().zip(values) {
                    image[dof as usize] += force * x;
                }
            }
        }
    }
}

/// Columns and values of a row of the sparse Jacobian.
fn entries(data: &Data, row: usize) -> (&[i32], &[f64]) {
    let start = data.efc_J_rowadr[row] as usize;
    let range = start..start + data.efc_J_rownnz[row] as usize;
    (&data.efc_J_colind[range.clone()], &data.efc_J[range])
}

/// A row of the sparse Jacobian times a vector.
fn along(data: &Data, row: usize, x: &[f64]) -> f64 {
    let (columns, values) = entries(data, row);
    columns.iter().zip(values).map(|(&dof, value)| value * x[dof as usize]).sum()
}

/// Rows of the Jacobian whose cost is curved: those that are quadratic by themselves one behind the other,
/// each times the root of its curvature, and the first rows of cones.
#[derive(Default)]
struct ActiveRows {
    columns: Vec<i32>,
    values: Vec<f64>,
    ends: Vec<usize>,
    cones: Vec<usize>,
}

impl ActiveRows {
    fn set(&mut self, data: &Data) {
        let Self { columns, values, ends, cones } = self;
        columns.clear();
        values.clear();
        ends.clear();
        cones.clear();
        for row in 0..data.nefc {
            if data.efc_state[row] == ConstraintState::Quadratic {
                let (own_columns, own_values) = entries(data, row);
                let root = data.efc_D[row].sqrt();
                columns.extend_from_slice(own_columns);
                values.extend(own_values.iter().map(|x| root * x));
                ends.push(values.len());
            } else if data.efc_state[row] == ConstraintState::Cone {
                let first = data.contact[data.efc_id[row] as usize].efc_address as usize;
                if first == row {
                    cones.push(row);
                }
            }
        }
    }

    /// Adds `Jᵀ D J x` of the quadratic rows.
    fn add_product(&self, x: &[f64], out: &mut [f64]) {
        let mut start = 0;
        for &end in &self.ends {
            let (columns, values) = (&self.columns[start..end], &self.values[start..end]);
            let force: f64 = columns.iter().zip(values).map(|(&dof, value)| value * x[dof as usize]).sum();
            for (&dof, value) in columns.iter().zip(values) {
                out[dof as usize] += force * value;
            }
            start = end;
        }
    }
}
