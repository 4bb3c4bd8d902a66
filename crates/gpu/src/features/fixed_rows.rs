//! Rows of constraints that do not depend on contacts.

use crate::features::ball_limit::BallLimits;
use crate::features::body_equality::BodyEqualities;
use crate::features::linear_rows::LinearRows;
use kinetree_model::Model;

/// Rows that the model always has.
pub(crate) fn fixed_rows(model: &Model) -> usize {
    LinearRows::new(model).len() + BodyEqualities::new(model).rows(model) + BallLimits::new(model).len()
}
