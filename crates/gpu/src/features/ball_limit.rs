//! Limits of ball joints.

use crate::features::parameters::Table;
use crate::features::row_parameters::row_numbers;
use kinetree_model::Model;
use kinetree_model::enums::{DisableBit, JointType};
use kinetree_sim::row_gains;

/// The ball joints that have a limit.
#[derive(Clone, Debug)]
pub(crate) struct BallLimits(Vec<usize>);

impl BallLimits {
    pub(crate) fn new(model: &Model) -> Self {
        let off = model.disabled(DisableBit::Constraint) || model.disabled(DisableBit::Limit);
        let is_ball = |j: usize| model.jnt_type[j] == JointType::Ball as i32;
        Self((0..model.njnt).filter(|&j| !off && is_ball(j) && model.jnt_limited[j] != 0).collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The index of a joint among them.
    pub(crate) fn index_of(&self, joint: usize) -> Option<usize> {
        self.0.iter().position(|&j| j == joint)
    }

    /// Writes angle, margin, inverse inertia and gains of each.
    pub(crate) fn write(&self, model: &Model, table: &mut Table) {
        let numbers = |&j: &usize| {
            let [low, high] = model.jnt_range[j];
            let weight = model.dof_invweight0[model.jnt_dofadr[j] as usize];
            let gains = row_gains(model, &model.jnt_solref[j], &[0.0; 2], &model.jnt_solimp[j]);
            let own = [low.max(high), model.jnt_margin[j], weight];
            own.into_iter().chain(row_numbers(&gains)).collect::<Vec<_>>()
        };
        table.size("NBALL", self.len());
        table.size("BALL_SIZE", 12);
        table.ints("BALL_JNT", self.0.iter().map(|&j| j as i32));
        table.floats("BALL_NUMBERS", self.0.iter().flat_map(numbers));
    }
}
