//! The residual of the equations of motion, linearized: `g = M a + c − τ − Jᵀ f`.
//!
//! It is either gathered as a matrix, with the Hessian, or multiplied with a row vector `μ` from the left as
//! it is gathered: `μᵀ ∂g` takes no memory for the matrix, and no time for its zeros.

use super::coupling::Coupling;
use kinetree_model::{Data, Model};

/// `∂g/∂(q, v, act, ctrl)` at fixed acceleration, a row for each dof, and the Hessian `H = ∂g/∂a`.
#[derive(Default)]
pub(super) struct Gradient {
    /// Row by row.
    pub(super) values: Vec<f64>,
    /// `H`, row by row; factored in place once it is complete.
    pub(super) hessian: Vec<f64>,
    /// What may differ from zero in both.
    pub(super) coupling: Coupling,
    /// Number of inputs.
    pub(super) width: usize,
    pub(super) nv: usize,
    na: usize,
    /// Whether it is the product `μᵀ ∂g` that is gathered, with these weights `μ`.
    pub(super) pulled: bool,
    weights: Vec<f64>,
    pub(super) product: Vec<f64>,
}

impl Gradient {
    /// Begins with zeros, where all dofs may be coupled.
    pub(super) fn clear(&mut self, model: &Model) {
        self.clear_blocks(model);
        self.coupling.set_whole(model);
    }

    /// Begins with zeros, where dofs are coupled as constraints, tendons and actuators of the data do it.
    pub(super) fn clear_coupled(&mut self, model: &Model, data: &Data) {
        self.clear_blocks(model);
        self.coupling.set(model, data);
    }

    /// Begins a product with a row vector: the matrix and the Hessian remain as they are.
    pub(super) fn begin_product(&mut self, model: &Model, weights: &[f64]) {
        self.pulled = true;
        if (self.nv, self.na) != (model.nv, model.na) {
            // a matrix of another model is of no use
            *self = Self { nv: model.nv, na: model.na, pulled: true, ..Self::default() };
        }
        self.weights.clear();
        self.weights.extend_from_slice(weights);
        self.product.clear();
        self.product.resize(2 * model.nv + model.na + model.nu, 0.0);
    }

    fn clear_blocks(&mut self, model: &Model) {
        self.pulled = false;
        let sizes = (model.nv, model.na, 2 * model.nv + model.na + model.nu);
        if sizes == (self.nv, self.na, self.width) {
            self.coupling.clear_inputs(&mut self.values, self.width);
            self.coupling.clear_dofs(&mut self.hessian);
            return;
        }
        (self.nv, self.na, self.width) = sizes;
        self.values.clear();
        self.values.resize(self.nv * self.width, 0.0);
        self.hessian.clear();
        self.hessian.resize(self.nv * self.nv, 0.0);
    }

    /// Adds to the derivative of `g_k` with respect to an input.
    #[inline(always)]
    fn add(&mut self, k: usize, input: usize, value: f64) {
        if self.pulled {
            self.product[input] += self.weights[k] * value;
        } else {
            self.values[k * self.width + input] += value;
        }
    }

    /// Adds to `∂g_k/∂q_j`.
    #[inline]
    pub(super) fn add_position(&mut self, k: usize, j: usize, value: f64) {
        self.add(k, j, value);
    }

    /// Adds to `∂g_k/∂v_j`.
    #[inline]
    pub(super) fn add_velocity(&mut self, k: usize, j: usize, value: f64) {
        self.add(k, self.nv + j, value);
    }

    /// Adds to `∂g_k/∂q_j` and `∂g_k/∂v_j`.
    #[inline]
    pub(super) fn add_motion(&mut self, k: usize, j: usize, by_position: f64, by_velocity: f64) {
        self.add_position(k, j, by_position);
        self.add_velocity(k, j, by_velocity);
    }

    /// Adds to `∂g_k/∂act_i`.
    #[inline]
    pub(super) fn add_activation(&mut self, k: usize, i: usize, value: f64) {
        self.add(k, 2 * self.nv + i, value);
    }

    /// Adds to `∂g_k/∂ctrl_i`.
    #[inline]
    pub(super) fn add_control(&mut self, k: usize, i: usize, value: f64) {
        self.add(k, 2 * self.nv + self.na + i, value);
    }

    /// Adds to the product with the columns of position and velocity of a dof.
    #[inline]
    pub(super) fn add_product(&mut self, j: usize, by_position: f64, by_velocity: f64) {
        self.product[j] += by_position;
        self.product[self.nv + j] += by_velocity;
    }

    /// Adds to `H`, unless a product is gathered.
    #[inline]
    pub(super) fn add_hessian(&mut self, k: usize, j: usize, value: f64) {
        if !self.pulled {
            self.hessian[k * self.nv + j] += value;
        }
    }
}
