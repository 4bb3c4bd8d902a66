//! Three scalar constraints of one element, solved one after the other.

use wide::f64x4;

use super::Substep;

/// Coupling matrix `∇C M⁻¹ ∇Cᵀ` of three constraints.
///
/// A Gauss–Seidel update of one constraint changes the rates of the others by their entries of this matrix,
/// so that vertices are read and written once for all three.
#[derive(Debug, Clone, Copy)]
pub(super) struct Coupling3 {
    pub(super) diagonal: [f64x4; 3],
    /// Entries `10`, `20` and `21`.
    pub(super) mixed: [f64x4; 3],
}

impl Coupling3 {
    pub(super) const ZERO: Self = Self { diagonal: [f64x4::ZERO; 3], mixed: [f64x4::ZERO; 3] };

    /// Changes of the multipliers by one sweep over the constraints, whose rates `∇C·d` are those at its
    /// beginning; `residual` is that without the rates.
    #[inline(always)]
    pub(super) fn correct(
        &self,
        residual: &mut [f64x4; 3],
        rate: [f64x4; 3],
        stiffness: [f64x4; 3],
        step: &Substep,
    ) -> [f64x4; 3] {
        let mut update = |row: usize, rate: f64x4| {
            let resistance = stiffness[row] * self.diagonal[row] * step.damped + step.inverse_h2;
            let change = -(residual[row] + rate * step.damped) / resistance;
            residual[row] += change * step.inverse_h2;
            stiffness[row] * change
        };
        let [mixed10, mixed20, mixed21] = self.mixed;
        let first = update(0, rate[0]);
        let second = update(1, rate[1] + mixed10 * first);
        let third = update(2, rate[2] + mixed20 * first + mixed21 * second);
        [first, second, third]
    }
}
