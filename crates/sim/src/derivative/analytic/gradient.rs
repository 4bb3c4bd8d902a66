//! The residual of the equations of motion, linearized: `g = M a + c − τ − Jᵀ f`.

use kinetree_model::Model;

/// `∂g/∂(q, v, act, ctrl)` at fixed acceleration, a row for each dof, and the Hessian `H = ∂g/∂a`.
#[derive(Default)]
pub(super) struct Gradient {
    /// Row by row.
    pub(super) values: Vec<f64>,
    /// `H`, row by row; factored in place once it is complete.
    pub(super) hessian: Vec<f64>,
    /// Number of inputs.
    pub(super) width: usize,
    pub(super) nv: usize,
    na: usize,
}

impl Gradient {
    /// Begins with zeros.
    pub(super) fn clear(&mut self, model: &Model) {
        (self.nv, self.na, self.width) = (model.nv, model.na, 2 * model.nv + model.na + model.nu);
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
