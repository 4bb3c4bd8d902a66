//! Dense `LᵀDL` factorization that eliminates from the last dof to the first and passes zeros by: where a
//! matrix has the pattern of a tree, so does the factor, and constraints fill in only what they couple. What
//! lies outside of the blocks of coupled dofs is not looked at.

use super::coupling::Coupling;

/// Share of a diagonal entry that elimination must leave of it: what is left has lost the digits of the rest,
/// and solutions are right to the rounding of doubles divided by this.
const LEAST_SHARE: f64 = 1e-10;

/// Factors a symmetric matrix in place, of which the lower triangle is read: `L` below the diagonal, `D` on
/// it. Returns whether it is positive definite beyond rounding.
pub(super) fn factor(matrix: &mut [f64], n: usize, coupling: &Coupling) -> bool {
    let mut definite = true;
    for k in (0..n).rev() {
        let (above, row) = matrix.split_at_mut(k * n);
        definite &= row[k] > kinetree_math::MINVAL;
        let inverse = 1.0 / row[k];
        let first = coupling.block(k).start;
        for i in (first..k).rev() {
            let value = row[i];
            if value != 0.0 {
                let factor = value * inverse;
                for (a, b) in above[i * n + first..=i * n + i].iter_mut().zip(&row[first..=i]) {
                    *a -= factor * b;
                }
            }
        }
        row[first..k].iter_mut().for_each(|x| *x *= inverse);
    }
    definite && (0..n).all(|k| keeps_digits(matrix, n, coupling, k))
}

/// Whether enough of a diagonal entry is left: it was `D_k + Σ L_ik² D_i`.
fn keeps_digits(factor: &[f64], n: usize, coupling: &Coupling, k: usize) -> bool {
    let coupled = (k + 1..n).filter(|&i| coupling.block(i).start <= k);
    let eliminated: f64 = coupled.map(|i| factor[i * n + k] * factor[i * n + k] * factor[i * n + i]).sum();
    let left = factor[k * n + k];
    left > LEAST_SHARE * (left + eliminated)
}

/// Solves in place for all columns of a matrix with rows of length `width`.
pub(super) fn solve(matrix: &[f64], n: usize, coupling: &Coupling, x: &mut [f64], width: usize) {
    if width == 0 {
        return;
    }
    for k in (0..n).rev() {
        let (above, row) = x.split_at_mut(k * width);
        for i in coupling.block(k).start..k {
            let l = matrix[k * n + i];
            if l != 0.0 {
                subtract(&mut above[i * width..(i + 1) * width], &row[..width], l);
            }
        }
    }
    for k in 0..n {
        let (above, row) = x.split_at_mut(k * width);
        let row = &mut row[..width];
        let inverse = 1.0 / matrix[k * n + k];
        row.iter_mut().for_each(|x| *x *= inverse);
        for i in coupling.block(k).start..k {
            let l = matrix[k * n + i];
            if l != 0.0 {
                subtract(row, &above[i * width..(i + 1) * width], l);
            }
        }
    }
}

/// Solves in place for one vector.
pub(super) fn solve_vector(matrix: &[f64], n: usize, coupling: &Coupling, x: &mut [f64]) {
    for k in (0..n).rev() {
        let (above, rest) = x.split_at_mut(k);
        if rest[0] != 0.0 {
            let first = coupling.block(k).start;
            subtract(&mut above[first..], &matrix[k * n + first..k * n + k], rest[0]);
        }
    }
    for k in 0..n {
        let first = coupling.block(k).start;
        let row = &matrix[k * n + first..k * n + k];
        x[k] = x[k] / matrix[k * n + k] - kinetree_math::dense::dot(row, &x[first..k]);
    }
}

#[inline(always)]
fn subtract(row: &mut [f64], other: &[f64], factor: f64) {
    for (a, b) in row.iter_mut().zip(other) {
        *a -= factor * b;
    }
}

#[cfg(test)]
mod tests {
    use super::Coupling;

    #[test]
    fn solves_for_one_and_for_several_columns() {
        let n = 5;
        let mut matrix = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                matrix[i * n + j] = if i == j { 4.0 } else { 1.0 / (1.0 + (i + j) as f64) };
            }
        }
        let right: Vec<f64> = (0..2 * n).map(|i| (i as f64).sin()).collect();
        let (mut factored, mut x) = (matrix.clone(), right.clone());
        let coupling = Coupling::of_one_block(n);
        assert!(super::factor(&mut factored, n, &coupling));
        super::solve(&factored, n, &coupling, &mut x, 2);
        let mut first: Vec<f64> = right.iter().step_by(2).copied().collect();
        super::solve_vector(&factored, n, &coupling, &mut first);
        assert!(first.iter().zip(x.iter().step_by(2)).all(|(a, b)| (a - b).abs() < 1e-14));
        for i in 0..n {
            for c in 0..2 {
                let product: f64 = (0..n).map(|j| matrix[i * n + j] * x[2 * j + c]).sum();
                assert!((product - right[2 * i + c]).abs() < 1e-13);
            }
        }
    }
}
