//! The integrator: how often a step evaluates the dynamics.

use kinetree_model::Model;
use kinetree_model::enums::Integrator;

/// How often the kernels run in a step.
pub(crate) fn evaluations(model: &Model) -> usize {
    if model.opt.integrator == Integrator::Rk4 as i32 { 4 } else { 1 }
}
