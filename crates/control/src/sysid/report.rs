//! What is known of parameters: covariance, intervals, and directions that the data cannot tell.

use super::normal::NormalEquations;
use super::parameters::Column;
use nalgebra::{DMatrix, Dyn, SymmetricEigen};

/// Eigenvalue of the information below which it is rounding, relative to the largest.
const RANK: f64 = 1e-12;
/// Share of a coordinate in a direction below which it is not named.
const SHARE: f64 = 0.05;

/// A coordinate with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// What it is, such as `damping of joint 'elbow'`.
    pub name: String,
    /// The value.
    pub value: f64,
    /// Its standard deviation: infinite when the data cannot tell it, zero at a bound.
    pub deviation: f64,
    /// The interval that contains the true value with the probability asked for, within the bounds.
    pub interval: [f64; 2],
    /// Whether the value is at its lower or upper bound, where it is held.
    pub at_bound: bool,
}

/// All that is known.
pub(crate) struct Report {
    pub(crate) estimates: Vec<Estimate>,
    pub(crate) covariance: Vec<f64>,
    pub(crate) undetermined: Vec<Vec<(usize, f64)>>,
}

/// What is known of the parameters at the solution.
pub(crate) fn report(
    columns: &[Column],
    values: &[f64],
    scales: &[f64],
    equations: &NormalEquations,
    confidence: f64,
    limit: f64,
) -> Report {
    let (n, count) = (equations.size, columns.len());
    let is_held = |i: usize| {
        columns.get(i).is_some_and(|column| {
            let [low, high] = column.bounds;
            let outwards = equations.gradient[i];
            (values[i] <= low && outwards >= 0.0) || (values[i] >= high && outwards <= 0.0)
        })
    };
    let free: Vec<usize> = (0..n).filter(|&i| !is_held(i)).collect();
    // relative units: a change of one is one that is neither small nor large; of starts, one deviation
    let scale = |i: usize| match scales.get(i) {
        Some(scale) => *scale,
        None => 1.0 / equations.hessian[i * n + i].max(f64::MIN_POSITIVE).sqrt(),
    };
    let information = |with_priors: bool| {
        DMatrix::from_fn(free.len(), free.len(), |a, b| {
            let (i, j) = (free[a], free[b]);
            let prior = if with_priors && a == b { equations.priors[i] } else { 0.0 };
            (equations.hessian[i * n + j] + prior) * scale(i) * scale(j)
        })
    };
    let undetermined = directions(information(false), &free, count, limit);
    let (covariance, unknown) = invert(information(true));
    let mut full = vec![0.0; count * count];
    let mut is_unknown = vec![false; count];
    for (a, &i) in free.iter().enumerate().filter(|(_, i)| **i < count) {
        is_unknown[i] = unknown[a];
        for (b, &j) in free.iter().enumerate().filter(|(_, j)| **j < count) {
            full[i * count + j] = covariance[(a, b)] * scale(i) * scale(j);
        }
    }
    for i in (0..count).filter(|&i| is_unknown[i]) {
        full[i * count + i] = f64::INFINITY;
    }
    let quantile = normal_quantile(0.5 + 0.5 * confidence);
    let estimates = (0..count).map(|i| {
        let (deviation, [low, high]) = (full[i * count + i].max(0.0).sqrt(), columns[i].bounds);
        let half = quantile * deviation;
        let interval = [(values[i] - half).max(low), (values[i] + half).min(high)];
        Estimate {
            name: columns[i].name.clone(),
            value: values[i],
            deviation,
            interval,
            at_bound: is_held(i),
        }
    });
    Report { estimates: estimates.collect(), covariance: full, undetermined }
}

/// Eigenvalues and eigenvectors. None of an empty matrix, which is what is left when all are at bounds, nor
/// where numbers are not finite, with which their search does not end.
fn eigen(matrix: DMatrix<f64>) -> Option<SymmetricEigen<f64, Dyn>> {
    let is_sound = !matrix.is_empty() && matrix.iter().all(|x| x.is_finite());
    if is_sound { SymmetricEigen::try_new(matrix, f64::EPSILON, 10_000) } else { None }
}

/// Directions of the parameters whose relative deviation is above a limit, or which change nothing at all.
fn directions(information: DMatrix<f64>, free: &[usize], count: usize, limit: f64) -> Vec<Vec<(usize, f64)>> {
    let Some(eigen) = eigen(information) else { return Vec::new() };
    let largest = eigen.eigenvalues.iter().fold(0.0_f64, |most, value| most.max(*value));
    let mut found = Vec::new();
    for (value, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
        if *value > RANK * largest && *value > 1.0 / (limit * limit) {
            continue;
        }
        let mut shares: Vec<(usize, f64)> = free
            .iter()
            .zip(vector.iter())
            .filter(|(i, _)| **i < count)
            .map(|(i, share)| (*i, *share))
            .collect();
        let most = shares
            .iter()
            .fold(0.0_f64, |most, (_, share)| if share.abs() > most.abs() { *share } else { most });
        // of a start, not of parameters
        if most.abs() < 1e-3 {
            continue;
        }
        shares.iter_mut().for_each(|(_, share)| *share /= most);
        shares.retain(|(_, share)| share.abs() >= SHARE);
        found.push(shares);
    }
    found
}

/// The inverse of the information, and which coordinates have a part in directions without any.
fn invert(information: DMatrix<f64>) -> (DMatrix<f64>, Vec<bool>) {
    let n = information.nrows();
    let Some(eigen) = eigen(information) else { return (DMatrix::zeros(n, n), vec![true; n]) };
    let largest = eigen.eigenvalues.iter().fold(0.0_f64, |most, value| most.max(*value));
    let (mut covariance, mut unknown) = (DMatrix::zeros(n, n), vec![false; n]);
    for (value, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
        if *value > RANK * largest {
            covariance += vector * vector.transpose() / *value;
        } else {
            unknown.iter_mut().zip(vector.iter()).for_each(|(unknown, share)| *unknown |= share.abs() > 1e-3);
        }
    }
    (covariance, unknown)
}

/// The value below which a standard normal number is with a probability: Newton's method on the distribution.
fn normal_quantile(probability: f64) -> f64 {
    let mut x = 0.0;
    for _ in 0..100 {
        let error = 0.5 * libm::erfc(-x / std::f64::consts::SQRT_2) - probability;
        let density = libm::exp(-0.5 * x * x) / std::f64::consts::TAU.sqrt();
        let step = (error / density).clamp(-1.0, 1.0);
        x -= step;
        if step.abs() < 1e-12 {
            break;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::normal_quantile;

    #[test]
    fn quantiles_are_those_of_tables() {
        for (probability, expected) in
            [(0.5, 0.0), (0.975, 1.959_963_984_540_054), (0.9995, 3.290_526_731_491_926)]
        {
            assert!((normal_quantile(probability) - expected).abs() < 1e-10);
        }
    }
}
