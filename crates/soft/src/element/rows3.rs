//! Three scalar constraints of one element, solved one after the other.

use wide::f64x4;

use super::Substep;
use crate::lane::quotient;

/// Values, multipliers and coupling of three constraints.
///
/// A Gauss–Seidel update of one constraint changes the rates of the others by their entries of the coupling
/// matrix `∇C M⁻¹ ∇Cᵀ`, so that vertices are read and written once for all three.
#[derive(Debug, Clone)]
pub(super) struct Rows3 {
    pub(super) value: [f64x4; 3],
    pub(super) multiplier: [f64x4; 3],
    /// Diagonal of the coupling matrix.
    pub(super) diagonal: [f64x4; 3],
    /// Its entries `10`, `20` and `21`.
    pub(super) mixed: [f64x4; 3],
}

impl Rows3 {
    pub(super) const ZERO: Self = {
        let zero = [f64x4::ZERO; 3];
        Self { value: zero, multiplier: zero, diagonal: zero, mixed: zero }
    };

    /// Changes of the multipliers by one sweep over the constraints, whose rates `∇C·d` are those at its
    /// beginning.
    #[inline(always)]
    pub(super) fn correct(&mut self, rate: [f64x4; 3], compliance: [f64x4; 3], step: &Substep) -> [f64x4; 3] {
        let mut update = |row: usize, rate: f64x4| {
            let compliance = compliance[row] * step.inverse_h2;
            let residual = self.value[row] + rate * step.damped + compliance * self.multiplier[row];
            // zero where all vertices are pinned, or the element has collapsed to a point
            let change = quotient(-residual, self.diagonal[row] * step.damped + compliance);
            self.multiplier[row] += change;
            change
        };
        let [mixed10, mixed20, mixed21] = self.mixed;
        let first = update(0, rate[0]);
        let second = update(1, rate[1] + mixed10 * first);
        let third = update(2, rate[2] + mixed20 * first + mixed21 * second);
        [first, second, third]
    }
}
