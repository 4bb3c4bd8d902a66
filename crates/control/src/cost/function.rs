//! What a cost is: a value of each step and of the end, with its expansion to second order.

use kinetree_math::dense::{add_scaled, dot};
use kinetree_model::Model;

/// The state before a step, or after the last one, as a cost sees it.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    /// The model.
    pub model: &'a Model,
    /// Positions, `nq`.
    pub qpos: &'a [f64],
    /// Velocities, `nv`.
    pub qvel: &'a [f64],
    /// Activations, `na`.
    pub act: &'a [f64],
    /// Controls of the step, `nu`; empty at the end.
    pub ctrl: &'a [f64],
    /// Sensor values at this state, `nsensordata`.
    pub sensordata: &'a [f64],
}

/// Derivatives of sensor values: `C` with respect to the state, `D` with respect to controls. Empty for a
/// cost that uses no sensors.
#[derive(Clone, Copy, Debug)]
pub struct SensorJacobian<'a> {
    /// `nsensordata × nx`.
    pub c: &'a [f64],
    /// `nsensordata × nu`.
    pub d: &'a [f64],
}

/// Second-order expansion of a cost at a point: gradient and Hessian with respect to state (in the tangent
/// space `nx = 2 nv + na`) and controls. Terms are added to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expansion {
    /// Gradient with respect to the state, `nx`.
    pub x: Vec<f64>,
    /// Gradient with respect to controls, `nu`.
    pub u: Vec<f64>,
    /// Hessian with respect to the state, `nx × nx`, both triangles.
    pub xx: Vec<f64>,
    /// Hessian with respect to controls, `nu × nu`, both triangles.
    pub uu: Vec<f64>,
    /// Mixed Hessian, `nu × nx`.
    pub ux: Vec<f64>,
}

impl Expansion {
    /// Sets everything to zero, for `nx` and `nu`.
    pub fn clear(&mut self, nx: usize, nu: usize) {
        let sizes = [nx, nu, nx * nx, nu * nu, nu * nx];
        for (list, size) in
            [&mut self.x, &mut self.u, &mut self.xx, &mut self.uu, &mut self.ux].into_iter().zip(sizes)
        {
            list.clear();
            list.resize(size, 0.0);
        }
    }

    /// Adds a function of residuals with gradient `gradient` and Hessian `hessian` (`n × n`) by the
    /// Gauss–Newton approximation: `jx` (`n × nx`) and `ju` (`n × nu`, or empty) are the Jacobians of the
    /// residuals.
    pub fn add_residuals(&mut self, gradient: &[f64], hessian: &[f64], jx: &[f64], ju: &[f64]) {
        let (n, nx, nu) = (gradient.len(), self.x.len(), self.u.len());
        let with_controls = !ju.is_empty();
        for i in 0..n {
            add_scaled(&mut self.x, &jx[i * nx..(i + 1) * nx], gradient[i]);
            if with_controls {
                add_scaled(&mut self.u, &ju[i * nu..(i + 1) * nu], gradient[i]);
            }
            for j in 0..n {
                let weight = hessian[i * n + j];
                if weight == 0.0 {
                    continue;
                }
                let row = &jx[j * nx..(j + 1) * nx];
                add_outer(&mut self.xx, &jx[i * nx..(i + 1) * nx], row, weight);
                if with_controls {
                    let left = &ju[i * nu..(i + 1) * nu];
                    add_outer(&mut self.ux, left, row, weight);
                    add_outer(&mut self.uu, left, &ju[j * nu..(j + 1) * nu], weight);
                }
            }
        }
    }

    /// Whether all of it is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        // a product with zero is not zero when a value is not finite
        [&self.x, &self.u, &self.xx, &self.uu, &self.ux].iter().all(|list| dot(list, list).is_finite())
    }
}

/// Adds `weight · a bᵀ`.
fn add_outer(out: &mut [f64], a: &[f64], b: &[f64], weight: f64) {
    for (row, a) in out.chunks_exact_mut(b.len().max(1)).zip(a) {
        if *a != 0.0 {
            add_scaled(row, b, weight * a);
        }
    }
}

/// A cost of a trajectory: a sum over steps, and a cost of the end. Threads evaluate it for different
/// trajectories at once.
pub trait Cost: Sync {
    /// Whether it looks at sensors.
    fn uses_sensors(&self) -> bool {
        false
    }

    /// Cost of a step from a state with controls.
    fn running(&self, step: usize, point: &Point<'_>) -> f64;

    /// Cost of the last state.
    fn terminal(&self, point: &Point<'_>) -> f64;

    /// Adds the expansion of [`running`](Self::running). The Hessian should not have negative eigenvalues.
    fn expand_running(
        &self,
        step: usize,
        point: &Point<'_>,
        sensors: SensorJacobian<'_>,
        out: &mut Expansion,
    );

    /// Adds the expansion of [`terminal`](Self::terminal), of the state alone.
    fn expand_terminal(&self, point: &Point<'_>, sensors: SensorJacobian<'_>, out: &mut Expansion);
}
