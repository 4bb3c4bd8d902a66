//! The residual of the equations of motion, linearized: `g = M a + c − τ − Jᵀ f`.

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

    fn clear_blocks(&mut self, model: &Model) {
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

    /// Adds to `∂g_k/∂q_j`.
    #[inline]
    pub(super) fn add_position(&mut self, k: usize, j: usize, value: f64) {
        self.values[k * self.width + j] += value;
    }

    /// Adds to `∂g_k/∂v_j`.
    #[inline]
    pub(super) fn add_velocity(&mut self, k: usize, j: usize, value: f64) {
        self.values[k * self.width + self.nv + j] += value;
    }

    /// Adds to `∂g_k/∂act_i`.
    #[inline]
    pub(super) fn add_activation(&mut self, k: usize, i: usize, value: f64) {
        self.values[k * self.width + 2 * self.nv + i] += value;
    }

    /// Adds to `∂g_k/∂ctrl_i`.
    #[inline]
    pub(super) fn add_control(&mut self, k: usize, i: usize, value: f64) {
        self.values[k * self.width + 2 * self.nv + self.na + i] += value;
    }

    /// Adds to `H`.
    #[inline]
    pub(super) fn add_hessian(&mut self, k: usize, j: usize, value: f64) {
        self.hessian[k * self.nv + j] += value;
    }
}
