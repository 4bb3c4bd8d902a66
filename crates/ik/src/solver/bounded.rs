//! Small dense quadratic programs with bounds: minimize `½ dᵀ A d + gᵀ d` subject to `lower ≤ d ≤ upper`.
//!
//! Block principal pivoting (Júdice and Pires, 1994): variables are guessed to be free or at a bound, the
//! free ones are solved for, and all that break their condition change sides at once; when that does not make
//! fewer of them, only the last one does, which ends for every positive definite matrix (Murty, 1974). Mostly
//! no bound is active, and one elimination is all.

/// Where a variable is guessed to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Side {
    /// Between its bounds.
    #[default]
    Free,
    /// At its lower bound.
    Lower,
    /// At its upper bound.
    Upper,
}

/// How often all variables may change sides without getting better.
const PATIENCE: usize = 3;

/// A program of at most `N` variables; those beyond the count have a unit row and no gradient.
#[derive(Clone, Debug)]
pub(super) struct BoundedProgram<const N: usize> {
    pub(super) matrix: [[f64; N]; N],
    pub(super) gradient: [f64; N],
    pub(super) lower: [f64; N],
    pub(super) upper: [f64; N],
    /// The guess, which is kept from program to program, and the answer.
    pub(super) side: [Side; N],
}

impl<const N: usize> Default for BoundedProgram<N> {
    fn default() -> Self {
        Self {
            matrix: [[0.0; N]; N],
            gradient: [0.0; N],
            lower: [f64::NEG_INFINITY; N],
            upper: [f64::INFINITY; N],
            side: [Side::Free; N],
        }
    }
}

impl<const N: usize> BoundedProgram<N> {
    /// The minimum, with `damping` added to the diagonal; `None` when the matrix is not positive definite on
    /// the free variables.
    #[inline]
    pub(super) fn solve(&mut self, damping: f64) -> Option<[f64; N]> {
        let (mut fewest, mut patience) = (N + 1, PATIENCE);
        let mut d = [0.0; N];
        // far more rounds than the method takes; each leaves a point within the bounds
        for _ in 0..20 * N {
            d = self.free_minimum(damping)?;
            let wrong = self.wrong_sides(&d, damping);
            let count = wrong.iter().flatten().count();
            if count == 0 {
                break;
            }
            if count < fewest {
                (fewest, patience) = (count, PATIENCE);
            } else {
                patience = patience.saturating_sub(1);
            }
            let last = wrong.iter().rposition(Option::is_some);
            for (i, side) in wrong.iter().enumerate() {
                if let Some(side) = side.filter(|_| patience > 0 || last == Some(i)) {
                    self.side[i] = side;
                }
            }
        }
        for i in 0..N {
            d[i] = d[i].max(self.lower[i]).min(self.upper[i]);
        }
        Some(d)
    }

    /// Sides that variables must change to.
    #[inline(always)]
    fn wrong_sides(&self, d: &[f64; N], damping: f64) -> [Option<Side>; N] {
        let mut wrong = [None; N];
        for i in 0..N {
            match self.side[i] {
                Side::Free if d[i] < self.lower[i] => wrong[i] = Some(Side::Lower),
                Side::Free if d[i] > self.upper[i] => wrong[i] = Some(Side::Upper),
                Side::Free => {}
                at_bound => {
                    let gradient = self.gradient_at(i, d, damping);
                    let outward = if at_bound == Side::Lower { gradient >= 0.0 } else { gradient <= 0.0 };
                    if !outward {
                        wrong[i] = Some(Side::Free);
                    }
                }
            }
        }
        wrong
    }

    /// Partial derivative of the objective by variable `i`.
    fn gradient_at(&self, i: usize, d: &[f64; N], damping: f64) -> f64 {
        let product: f64 = self.matrix[i].iter().zip(d).map(|(a, d)| a * d).sum();
        product + damping * d[i] + self.gradient[i]
    }

    /// Solves for the free variables, the others being at their bounds.
    #[inline(always)]
    fn free_minimum(&self, damping: f64) -> Option<[f64; N]> {
        let mut a = self.matrix;
        let mut b = [0.0; N];
        for i in 0..N {
            a[i][i] += damping;
            b[i] = -self.gradient[i];
        }
        for (i, side) in self.side.iter().enumerate() {
            let bound = match side {
                Side::Free => continue,
                Side::Lower => self.lower[i],
                Side::Upper => self.upper[i],
            };
            for j in 0..N {
                b[j] -= self.matrix[j][i] * bound;
                (a[i][j], a[j][i]) = (0.0, 0.0);
            }
            a[i][i] = 1.0;
        }
        for (i, side) in self.side.iter().enumerate() {
            match side {
                Side::Free => {}
                Side::Lower => b[i] = self.lower[i],
                Side::Upper => b[i] = self.upper[i],
            }
        }
        eliminate(&mut a, &mut b).then_some(b)
    }
}

/// Solves `A x = b` for a symmetric positive definite matrix by elimination without pivoting (`LDLᵀ`); the
/// solution replaces `b`. False when a pivot is not positive.
#[inline(always)]
fn eliminate<const N: usize>(a: &mut [[f64; N]; N], b: &mut [f64; N]) -> bool {
    let mut inverse = [0.0; N];
    let mut positive = true;
    for j in 0..N {
        positive &= a[j][j] > 0.0;
        inverse[j] = 1.0 / a[j][j];
        let pivot = a[j];
        for i in j + 1..N {
            let factor = pivot[i] * inverse[j];
            for k in 0..N {
                a[i][k] -= factor * pivot[k];
            }
            b[i] -= factor * b[j];
        }
    }
    for j in (0..N).rev() {
        let mut sum = b[j];
        for k in j + 1..N {
            sum -= a[j][k] * b[k];
        }
        b[j] = sum * inverse[j];
    }
    positive
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinetree_math::boxqp::BoxQp;

    /// The minimum is that of the projected Newton method.
    #[test]
    fn agrees_with_another_method() {
        const N: usize = 7;
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let mut active = 0;
        for _ in 0..2000 {
            let rows: [[f64; N]; 6] = std::array::from_fn(|_| std::array::from_fn(|_| random()));
            let mut program = BoundedProgram::<N>::default();
            for i in 0..N {
                for j in 0..N {
                    program.matrix[i][j] = rows.iter().map(|r| r[i] * r[j]).sum();
                }
                program.gradient[i] = random();
                (program.lower[i], program.upper[i]) = (-0.4 * random().abs() - 1e-3, 0.4 * random().abs());
            }
            let d = program.solve(1e-2).unwrap();
            let mut h = program.matrix;
            for (i, row) in h.iter_mut().enumerate() {
                row[i] += 1e-2;
            }
            let mut expected = [0.0; N];
            let mut other = BoxQp::default();
            other
                .solve(
                    &mut expected,
                    h.as_flattened(),
                    &program.gradient,
                    Some(&program.lower),
                    Some(&program.upper),
                )
                .unwrap();
            for i in 0..N {
                assert!((d[i] - expected[i]).abs() < 1e-6, "{d:?} {expected:?}");
                active += usize::from(program.side[i] != Side::Free);
            }
        }
        assert!(active > 2000);
    }
}
