//! When an iterative method asks whether its caller wants it to end: options may ask for billions of
//! iterations.

use kinetree_model::is_interrupted;

/// Iterations between two questions: few enough for large models, and more than most solves take.
const ROUND: i32 = 16;

/// Whether the method is to end with what it has after this iteration.
#[inline]
pub(crate) fn ends_early(iteration: i32) -> bool {
    iteration % ROUND == ROUND - 1 && is_interrupted()
}
