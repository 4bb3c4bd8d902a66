//! The backward pass: gains and feedforward of all steps, from the end to the beginning.

use crate::cost::Expansion;
use crate::transitions::Transitions;
use kinetree_math::boxqp::{BoxQp, BoxQpError};
use kinetree_math::dense::{
    add_scaled, chol_solve, dot, mul_mat_mat, mul_mat_t_mat, mul_mat_t_vec, symmetrize,
};

/// The result of a backward pass: controls become `u + α k − K δx`.
#[derive(Clone, Debug, Default)]
pub(super) struct Gains {
    /// Feedforward `k` of all steps, `nu` numbers each.
    pub(super) feedforward: Vec<f64>,
    /// Gains `K` of all steps, `nu × nx` each.
    pub(super) feedback: Vec<f64>,
    /// Expected change of the cost for a step length `α`: `α linear + α² quadratic`.
    pub(super) linear: f64,
    pub(super) quadratic: f64,
}

/// Memory of a backward pass.
#[derive(Debug, Default)]
pub(super) struct Backward {
    qp: BoxQp,
    /// Gradient and Hessian of the cost that remains.
    vx: Vec<f64>,
    vxx: Vec<f64>,
    qx: Vec<f64>,
    qu: Vec<f64>,
    quu: Vec<f64>,
    qux: Vec<f64>,
    /// Those with regularization, from which gains are computed.
    quu_reg: Vec<f64>,
    qux_reg: Vec<f64>,
    /// `Vxx A` and `Vxx B`.
    va: Vec<f64>,
    vb: Vec<f64>,
    product: Vec<f64>,
    column: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Backward {
    /// Computes gains around a trajectory. `limits` holds the least and greatest value of each control. With
    /// a `regularization` of `μ` the Hessian of the cost that remains counts as `Vxx + μ I`, which keeps new
    /// states near those of the trajectory.
    ///
    /// # Errors
    /// The step whose Hessian is not positive definite; none when numbers became too large.
    pub(super) fn run(
        &mut self,
        steps: &Transitions,
        costs: &[Expansion],
        controls: &[f64],
        limits: Option<&[[f64; 2]]>,
        regularization: f64,
        gains: &mut Gains,
    ) -> Result<(), Option<usize>> {
        let (nx, nu) = (steps.nx, steps.nu);
        self.resize(nx, nu);
        let end = &costs[costs.len() - 1];
        self.vx.copy_from_slice(&end.x);
        self.vxx.copy_from_slice(&end.xx);
        (gains.linear, gains.quadratic) = (0.0, 0.0);
        for step in (0..controls.len() / nu).rev() {
            self.expand(steps.a(step), steps.b(step), &costs[step], regularization, nx, nu);
            let k = &mut gains.feedforward[step * nu..][..nu];
            let feedback = &mut gains.feedback[step * nu * nx..][..nu * nx];
            if !self.minimize(&controls[step * nu..][..nu], limits, k, feedback, nx) {
                return Err(Some(step));
            }
            let (linear, quadratic) = self.go_back(&costs[step], k, feedback, steps.a(step), nx, nu);
            gains.linear += linear;
            gains.quadratic += quadratic;
        }
        if gains.linear.is_finite() && gains.quadratic.is_finite() { Ok(()) } else { Err(None) }
    }

    fn resize(&mut self, nx: usize, nu: usize) {
        let sizes = [
            (&mut self.vx, nx),
            (&mut self.qx, nx),
            (&mut self.vxx, nx * nx),
            (&mut self.va, nx * nx),
            (&mut self.vb, nx * nu),
            (&mut self.qu, nu),
            (&mut self.quu, nu * nu),
            (&mut self.quu_reg, nu * nu),
            (&mut self.qux, nu * nx),
            (&mut self.qux_reg, nu * nx),
            (&mut self.product, nx.max(nu) * nx.max(nu)),
            (&mut self.column, nu),
            (&mut self.lower, nu),
            (&mut self.upper, nu),
        ];
        sizes.into_iter().for_each(|(list, size)| list.resize(size, 0.0));
    }

    /// Expansion of the cost of this step and all later ones: `Qx`, `Qu`, `Quu`, `Qux`, and the latter two
    /// with regularization.
    fn expand(&mut self, a: &[f64], b: &[f64], cost: &Expansion, regularization: f64, nx: usize, nu: usize) {
        mul_mat_t_vec(&mut self.qx, a, &self.vx);
        mul_mat_t_vec(&mut self.qu, b, &self.vx);
        add_scaled(&mut self.qx, &cost.x, 1.0);
        add_scaled(&mut self.qu, &cost.u, 1.0);
        mul_mat_mat(&mut self.va, &self.vxx, a, nx, nx, nx);
        mul_mat_mat(&mut self.vb, &self.vxx, b, nx, nx, nu);
        mul_mat_t_mat(&mut self.quu, b, &self.vb, nx, nu, nu);
        mul_mat_t_mat(&mut self.qux, b, &self.va, nx, nu, nx);
        add_scaled(&mut self.quu, &cost.uu, 1.0);
        add_scaled(&mut self.qux, &cost.ux, 1.0);
        // Bᵀ (Vxx + μ I) B and Bᵀ (Vxx + μ I) A
        let product = &mut self.product[..nu * nu];
        mul_mat_t_mat(product, b, b, nx, nu, nu);
        self.quu_reg.copy_from_slice(&self.quu);
        add_scaled(&mut self.quu_reg, product, regularization);
        let product = &mut self.product[..nu * nx];
        mul_mat_t_mat(product, b, a, nx, nu, nx);
        self.qux_reg.copy_from_slice(&self.qux);
        add_scaled(&mut self.qux_reg, product, regularization);
    }

    /// Feedforward and gains: the minimum of the quadratic model within the limits, and how it moves with the
    /// state, where controls at a limit do not move. Returns whether the Hessian is positive definite.
    fn minimize(
        &mut self,
        controls: &[f64],
        limits: Option<&[[f64; 2]]>,
        k: &mut [f64],
        feedback: &mut [f64],
        nx: usize,
    ) -> bool {
        let nu = controls.len();
        for i in 0..nu {
            let [low, high] = limits.map_or([f64::NEG_INFINITY, f64::INFINITY], |limits| limits[i]);
            (self.lower[i], self.upper[i]) = (low - controls[i], high - controls[i]);
            k[i] = k[i].max(self.lower[i]).min(self.upper[i]);
        }
        let bounds = limits.map(|_| (&*self.lower, &*self.upper));
        let (lower, upper) = bounds.unzip();
        match self.qp.solve(k, &self.quu_reg, &self.qu, lower, upper) {
            // without a descent direction the start, which is within the limits, is as good as it gets
            Ok(_) | Err(BoxQpError::NoDescent) => {}
            Err(_) => return false,
        }
        feedback.fill(0.0);
        let free = self.qp.free();
        let (n, factor) = (free.len(), self.qp.factor());
        for j in 0..nx {
            let column = &mut self.column[..n];
            for (value, i) in column.iter_mut().zip(free) {
                *value = self.qux_reg[*i as usize * nx + j];
            }
            chol_solve(column, factor);
            for (value, i) in column.iter().zip(free) {
                feedback[*i as usize * nx + j] = *value;
            }
        }
        true
    }

    /// The cost that remains before this step, under the feedback `u + k − K δx`. Returns the expected change
    /// of the cost, linear and quadratic in the step length.
    fn go_back(
        &mut self,
        cost: &Expansion,
        k: &[f64],
        feedback: &[f64],
        a: &[f64],
        nx: usize,
        nu: usize,
    ) -> (f64, f64) {
        let quu_k = &mut self.column[..nu];
        for (i, value) in quu_k.iter_mut().enumerate() {
            *value = dot(&self.quu[i * nu..(i + 1) * nu], k);
        }
        let change = (dot(k, &self.qu), 0.5 * dot(k, quu_k));
        // Vx = Qx + Quxᵀ k − Kᵀ (Qu + Quu k)
        self.vx.copy_from_slice(&self.qx);
        for i in 0..nu {
            add_scaled(&mut self.vx, &self.qux[i * nx..(i + 1) * nx], k[i]);
            add_scaled(&mut self.vx, &feedback[i * nx..(i + 1) * nx], -(self.qu[i] + quu_k[i]));
        }
        // Vxx = lxx + Aᵀ Vxx A + Kᵀ Quu K − Kᵀ Qux − Quxᵀ K
        mul_mat_t_mat(&mut self.vxx, a, &self.va, nx, nx, nx);
        add_scaled(&mut self.vxx, &cost.xx, 1.0);
        let half = &mut self.qux_reg;
        // K is at hand once more: half = ½ Quu K − Qux
        mul_mat_mat(half, &self.quu, feedback, nu, nu, nx);
        for (half, qux) in half.iter_mut().zip(&self.qux) {
            *half = 0.5 * *half - qux;
        }
        let product = &mut self.product[..nx * nx];
        mul_mat_t_mat(product, feedback, half, nu, nx, nx);
        for i in 0..nx {
            for j in 0..nx {
                self.vxx[i * nx + j] += product[i * nx + j] + product[j * nx + i];
            }
        }
        product.copy_from_slice(&self.vxx);
        symmetrize(&mut self.vxx, product, nx);
        change
    }
}
