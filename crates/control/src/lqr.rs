//! Linear-quadratic regulators of discrete time: of a system that does not change, from the algebraic Riccati
//! equation, and along a trajectory, from the Riccati recursion.
//!
//! The algebraic equation `P = Q + Aᵀ P (I + G P)⁻¹ A` with `G = B R⁻¹ Bᵀ` is solved by the
//! structure-preserving doubling algorithm (Chu, Fan, Lin and Wang, "Structure-preserving algorithms for
//! periodic discrete-time algebraic Riccati equations", 2004): each iteration doubles the horizon, so that it
//! converges quadratically.

use crate::error::{ControlError, expect};
use nalgebra::DMatrix;

/// Most doublings: 2⁶⁰ steps of horizon.
const MAX_DOUBLINGS: usize = 60;
/// Relative change of `P` that counts as none.
const TOLERANCE: f64 = 1e-13;

/// A regulator `u = ū − K (x − x̄)`, and the cost `½ (x − x̄)ᵀ P (x − x̄)` that remains from a state on.
#[derive(Clone, Debug, PartialEq)]
pub struct Regulator {
    /// Gains `K`, `nu × nx` row by row; one after the other for each step of a trajectory.
    pub gain: Vec<f64>,
    /// Hessian `P` of the cost, `nx × nx`; along a trajectory one for each step and one for the end.
    pub cost: Vec<f64>,
}

/// The regulator of `x' = A x + B u` that minimizes `Σ ½ (xᵀ Q x + uᵀ R u)` over all time. Matrices are row
/// by row: `a` and `q` of `nx × nx`, `b` of `nx × nu`, `r` of `nu × nu`; of `q` and `r` the symmetric parts
/// count.
///
/// # Errors
/// When a list has the wrong length or a number that is not finite, `r` is not positive definite, or no
/// feedback makes the system stable.
pub fn lqr(
    a: &[f64],
    b: &[f64],
    q: &[f64],
    r: &[f64],
    nx: usize,
    nu: usize,
) -> Result<Regulator, ControlError> {
    check(nx, nu)?;
    expect("A", a, nx * nx)?;
    expect("B", b, nx * nu)?;
    expect("Q", q, nx * nx)?;
    expect("R", r, nu * nu)?;
    let (a, b) = (DMatrix::from_row_slice(nx, nx, a), DMatrix::from_row_slice(nx, nu, b));
    let (q, r) = (symmetric(q, nx), symmetric(r, nu));
    let factor = r.clone().cholesky().ok_or(ControlError::ControlWeights { step: 0 })?;
    let weighted = &b * factor.solve(&b.transpose());
    let p = riccati(a.clone(), weighted, q)?;
    let (gain, closed) = feedback(&a, &b, &p, &r, 0)?;
    if !is_stable(closed) {
        return Err(ControlError::NoRegulator(
            "no feedback makes the system stable, or the cost does not see an unstable part of it",
        ));
    }
    Ok(Regulator { gain: rows(&gain), cost: rows(&p) })
}

/// The regulator along a trajectory: gains for `δx' = Aₜ δx + Bₜ δu` that minimize
/// `Σ ½ (δxᵀ Q δx + δuᵀ R δu) + ½ δxᵀ Q_end δx`. `a` and `b` hold the matrices of all steps, as
/// [`Transitions`](crate::Transitions) does.
///
/// # Errors
/// When a list has the wrong length or a number that is not finite, or `r` is not positive definite.
pub fn tvlqr(
    a: &[f64],
    b: &[f64],
    q: &[f64],
    r: &[f64],
    q_end: &[f64],
    nx: usize,
    nu: usize,
) -> Result<Regulator, ControlError> {
    check(nx, nu)?;
    let steps = a.len() / (nx * nx);
    expect("A", a, steps * nx * nx)?;
    expect("B", b, steps * nx * nu)?;
    expect("Q", q, nx * nx)?;
    expect("R", r, nu * nu)?;
    expect("Q of the end", q_end, nx * nx)?;
    let (q, r) = (symmetric(q, nx), symmetric(r, nu));
    if r.clone().cholesky().is_none() {
        return Err(ControlError::ControlWeights { step: 0 });
    }
    let mut p = symmetric(q_end, nx);
    let (mut gain, mut cost) = (vec![0.0; steps * nu * nx], vec![0.0; (steps + 1) * nx * nx]);
    cost[steps * nx * nx..].copy_from_slice(&rows(&p));
    for step in (0..steps).rev() {
        let a = DMatrix::from_row_slice(nx, nx, &a[step * nx * nx..][..nx * nx]);
        let b = DMatrix::from_row_slice(nx, nu, &b[step * nx * nu..][..nx * nu]);
        let (k, closed) = feedback(&a, &b, &p, &r, step)?;
        // the form of Joseph: symmetric and without negative eigenvalues whatever the rounding of K
        p = &q + closed.transpose() * &p * &closed + k.transpose() * &r * &k;
        p = 0.5 * (&p + p.transpose());
        gain[step * nu * nx..][..nu * nx].copy_from_slice(&rows(&k));
        cost[step * nx * nx..][..nx * nx].copy_from_slice(&rows(&p));
    }
    Ok(Regulator { gain, cost })
}

fn check(nx: usize, nu: usize) -> Result<(), ControlError> {
    match (nx, nu) {
        (0, _) => Err(ControlError::Nothing("the state has no dimension")),
        (_, 0) => Err(ControlError::Nothing("there are no controls")),
        _ => Ok(()),
    }
}

fn symmetric(values: &[f64], n: usize) -> DMatrix<f64> {
    let matrix = DMatrix::from_row_slice(n, n, values);
    0.5 * (&matrix + matrix.transpose())
}

fn rows(matrix: &DMatrix<f64>) -> Vec<f64> {
    matrix.transpose().as_slice().to_vec()
}

/// `K = (R + Bᵀ P B)⁻¹ Bᵀ P A`, and the closed loop `A − B K`.
fn feedback(
    a: &DMatrix<f64>,
    b: &DMatrix<f64>,
    p: &DMatrix<f64>,
    r: &DMatrix<f64>,
    step: usize,
) -> Result<(DMatrix<f64>, DMatrix<f64>), ControlError> {
    let weighted = b.transpose() * p;
    let hessian = r + &weighted * b;
    let factor =
        (0.5 * (&hessian + hessian.transpose())).cholesky().ok_or(ControlError::ControlWeights { step })?;
    let gain = factor.solve(&(weighted * a));
    let closed = a - b * &gain;
    Ok((gain, closed))
}

/// Whether the powers of a matrix tend to zero: then and only then one of them has a norm below one.
fn is_stable(mut power: DMatrix<f64>) -> bool {
    for _ in 0..MAX_DOUBLINGS {
        let norm = power.norm();
        if norm < 1.0 {
            return true;
        }
        // it only grows, or is not a number any more
        if !norm.is_finite() {
            return false;
        }
        power = &power * &power;
    }
    false
}

/// Doubling: `A ← A W A`, `G ← G + A W G Aᵀ`, `P ← P + Aᵀ P W A` with `W = (I + G P)⁻¹`.
fn riccati(
    mut a: DMatrix<f64>,
    mut g: DMatrix<f64>,
    mut p: DMatrix<f64>,
) -> Result<DMatrix<f64>, ControlError> {
    let n = a.nrows();
    for _ in 0..MAX_DOUBLINGS {
        let lu = (DMatrix::identity(n, n) + &g * &p).lu();
        let failed = ControlError::NoRegulator("the Riccati equation has no solution");
        let (Some(wa), Some(wg)) = (lu.solve(&a), lu.solve(&g)) else { return Err(failed) };
        let change = a.transpose() * &p * &wa;
        g += &a * wg * a.transpose();
        g = 0.5 * (&g + g.transpose());
        p += &change;
        p = 0.5 * (&p + p.transpose());
        a = &a * wa;
        let size = p.norm();
        if !size.is_finite() {
            break;
        }
        if change.norm() <= TOLERANCE * size {
            return Ok(p);
        }
    }
    Err(ControlError::NoRegulator("no feedback makes the system stable"))
}
