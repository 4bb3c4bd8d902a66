//! The solver's kernels, of a whole world and of a cluster of trees: their constants, and the Hessian.

use super::conditions::uses_gradients;
use super::hessian::{hessian_functions, inverse_functions};
use crate::features::parameters::Table;
use crate::features::plan::Plan;
use crate::precision::Precision;
use kinetree_model::enums::DisableBit;

/// The smallest tolerance of the solver that single precision can tell from rounding.
const LEAST_TOLERANCE: f64 = 1e-6;

/// From so many iterations on, the solver converges from anywhere and begins at the last acceleration. Models
/// that stop it earlier begin like the processor at the better of that and the unconstrained one.
const MANY_ITERATIONS: i32 = 50;

/// Constants of a kernel for so many dofs.
pub(super) fn settings(plan: &Plan<'_>, precision: Precision, width: usize) -> String {
    let (model, opt) = (plan.model, &plan.model.opt);
    let warm = !model.disabled(DisableBit::Warmstart);
    let mut settings = Table::new(precision);
    settings.size("WIDTH4", width.div_ceil(4));
    settings.size("FRICTIONS", (plan.pairs.largest_dimension() - 1).max(1));
    settings.size("MAX_ITERATIONS", opt.iterations.max(0) as usize);
    settings.size("LS_ITERATIONS", opt.ls_iterations.max(1) as usize);
    // an improvement of conjugate gradients that is small does not mean that the next one is smaller
    let least = if uses_gradients(plan) { 0.0 } else { LEAST_TOLERANCE };
    settings.quantity("TOLERANCE", opt.tolerance.max(precision.least_tolerance(least)));
    settings.quantity("LS_TOLERANCE", opt.ls_tolerance);
    settings.quantity("SCALE", 1.0 / (model.stat.meaninertia * model.nv.max(1) as f64));
    settings.quantity("IMPRATIO", opt.impratio.max(1e-15));
    settings.quantity("TIMESTEP", opt.timestep);
    settings.flag("WARMSTART", warm);
    // conjugate gradients have the unconstrained acceleration at no cost
    let many = opt.iterations >= MANY_ITERATIONS && !uses_gradients(plan);
    settings.flag("WARM_ALONE", warm && many);
    settings.constants
}

/// Functions over rows of the Hessian, or of the inverse inertia, in registers.
pub(super) fn hessian(plan: &Plan<'_>, width: usize) -> String {
    if uses_gradients(plan) { inverse_functions(width) } else { hessian_functions(width) }
}
