//! Quadratic programs with an ellipsoidal constraint in a few dimensions, as friction cones need them:
//! minimize `½ xᵀ A x + xᵀ b` subject to `Σ (xᵢ/dᵢ)² ≤ r²`.
//!
//! After scaling by `d` the solution is `−(A + λ 1)⁻¹ b` with `λ = 0` inside the ball, or else the `λ` at
//! which its length is `r`. Newton's method on `|x(λ)|² − r²` is convex and increasing from below, at most
//! twenty steps.
//!
//! ```
//! use kinetree_math::qcqp::qcqp;
//!
//! // the point of the unit disc nearest to (3, 4)
//! let (x, at_bound) = qcqp(&[1.0, 0.0, 0.0, 1.0], &[-3.0, -4.0], &[1.0, 1.0], 1.0, 2);
//! assert!(at_bound && (x[0] - 0.6).abs() < 1e-9 && (x[1] - 0.8).abs() < 1e-9);
//! ```

use crate::dense::{chol_factor, chol_solve, dot};

/// Most dimensions that [`qcqp`] takes.
pub const QCQP_MAX_DIM: usize = 5;

const MAX_ITERATIONS: usize = 20;
const TOLERANCE: f64 = 1e-10;

/// Solves the problem for `N` ≤ 5 dimensions. Returns the solution and whether the constraint is active; a
/// matrix that is not positive definite gives zero. Two and three dimensions use explicit inverses.
#[must_use]
pub fn qcqp(a: &[f64], b: &[f64], d: &[f64], r: f64, n: usize) -> ([f64; QCQP_MAX_DIM], bool) {
    debug_assert!(n <= QCQP_MAX_DIM);
    let mut x = [0.0; QCQP_MAX_DIM];
    let active = match n {
        2 => qcqp2(&mut x, a, b, d, r),
        3 => qcqp3(&mut x, a, b, d, r),
        _ => qcqp_general(&mut x, a, b, d, r, n),
    };
    match active {
        Some(active) => {
            for (x, d) in x.iter_mut().zip(d) {
                *x *= d;
            }
            (x, active)
        }
        None => ([0.0; QCQP_MAX_DIM], false),
    }
}

/// Newton's method on `λ`. `step(λ)` computes the scaled solution and returns `(|x|² − r², derivative)`, or
/// nothing if the matrix is not positive definite.
fn find_multiplier(mut step: impl FnMut(f64) -> Option<(f64, f64)>) -> Option<bool> {
    let mut lambda = 0.0;
    for _ in 0..MAX_ITERATIONS {
        let (value, derivative) = step(lambda)?;
        if value < TOLERANCE {
            break;
        }
        let delta = -value / derivative;
        if delta < TOLERANCE {
            break;
        }
        lambda += delta;
    }
    Some(lambda != 0.0)
}

fn qcqp2(x: &mut [f64], a: &[f64], b: &[f64], d: &[f64], r: f64) -> Option<bool> {
    let (b1, b2) = (b[0] * d[0], b[1] * d[1]);
    let (a11, a22, a12) = (a[0] * d[0] * d[0], a[3] * d[1] * d[1], a[1] * d[0] * d[1]);
    find_multiplier(|la| {
        let det = (a11 + la) * (a22 + la) - a12 * a12;
        if det < TOLERANCE {
            return None;
        }
        let inv = 1.0 / det;
        let (p11, p22, p12) = ((a22 + la) * inv, (a11 + la) * inv, -a12 * inv);
        let (v1, v2) = (-p11 * b1 - p12 * b2, -p12 * b1 - p22 * b2);
        x[0] = v1;
        x[1] = v2;
        let derivative = -2.0 * (p11 * v1 * v1 + 2.0 * p12 * v1 * v2 + p22 * v2 * v2);
        Some((v1 * v1 + v2 * v2 - r * r, derivative))
    })
}

fn qcqp3(x: &mut [f64], a: &[f64], b: &[f64], d: &[f64], r: f64) -> Option<bool> {
    let (b1, b2, b3) = (b[0] * d[0], b[1] * d[1], b[2] * d[2]);
    let (a11, a22, a33) = (a[0] * d[0] * d[0], a[4] * d[1] * d[1], a[8] * d[2] * d[2]);
    let (a12, a13, a23) = (a[1] * d[0] * d[1], a[2] * d[0] * d[2], a[5] * d[1] * d[2]);
    find_multiplier(|la| {
        // adjugate of A + λ 1
        let mut p11 = (a22 + la) * (a33 + la) - a23 * a23;
        let mut p22 = (a11 + la) * (a33 + la) - a13 * a13;
        let mut p33 = (a11 + la) * (a22 + la) - a12 * a12;
        let mut p12 = a13 * a23 - a12 * (a33 + la);
        let mut p13 = a12 * a23 - a13 * (a22 + la);
        let mut p23 = a12 * a13 - a23 * (a11 + la);
        let det = (a11 + la) * p11 + a12 * p12 + a13 * p13;
        if det < TOLERANCE {
            return None;
        }
        let inv = 1.0 / det;
        for p in [&mut p11, &mut p22, &mut p33, &mut p12, &mut p13, &mut p23] {
            *p *= inv;
        }
        let v1 = -p11 * b1 - p12 * b2 - p13 * b3;
        let v2 = -p12 * b1 - p22 * b2 - p23 * b3;
        let v3 = -p13 * b1 - p23 * b2 - p33 * b3;
        x[0] = v1;
        x[1] = v2;
        x[2] = v3;
        let derivative = -2.0 * (p11 * v1 * v1 + p22 * v2 * v2 + p33 * v3 * v3)
            - 4.0 * (p12 * v1 * v2 + p13 * v1 * v3 + p23 * v2 * v3);
        Some((v1 * v1 + v2 * v2 + v3 * v3 - r * r, derivative))
    })
}

fn qcqp_general(
    x: &mut [f64; QCQP_MAX_DIM],
    a: &[f64],
    b: &[f64],
    d: &[f64],
    r: f64,
    n: usize,
) -> Option<bool> {
    let mut scaled = [0.0; QCQP_MAX_DIM * QCQP_MAX_DIM];
    let mut rhs = [0.0; QCQP_MAX_DIM];
    for i in 0..n {
        rhs[i] = b[i] * d[i];
        for j in 0..n {
            scaled[i * n + j] = a[i * n + j] * d[i] * d[j];
        }
    }
    let x = &mut x[..n];
    find_multiplier(|la| {
        let mut factor = scaled;
        for i in 0..n {
            factor[i * (n + 1)] += la;
        }
        if chol_factor(&mut factor, n, TOLERANCE) < n {
            return None;
        }
        for (x, b) in x.iter_mut().zip(&rhs) {
            *x = -b;
        }
        chol_solve(x, &factor);
        let mut again = [0.0; QCQP_MAX_DIM];
        again[..n].copy_from_slice(x);
        chol_solve(&mut again[..n], &factor);
        Some((dot(x, x) - r * r, -2.0 * dot(x, &again)))
    })
}
