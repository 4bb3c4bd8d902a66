//! The working memory of derivatives.

use super::analytic::{AdjointScratch, FieldScratch, TransitionScratch};

/// Buffers of analytic derivatives.
#[derive(Default)]
pub(crate) struct DerivativeMemory {
    /// The linearized step.
    pub transition: TransitionScratch,
    /// Reverse mode of one step.
    pub adjoint: AdjointScratch,
    /// Gradients with respect to fields of the model.
    pub fields: FieldScratch,
    /// `A` and `B` of one step, for products with them.
    pub matrices: [Vec<f64>; 2],
}
