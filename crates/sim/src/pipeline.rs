//! What this engine leaves in a model: the functions behind the methods of `Data`.

use crate::entry::{mj_forward, mj_inverse, mj_step};
use crate::reset::prepare;
use kinetree_model::{Model, Pipeline};

static PIPELINE: Pipeline =
    Pipeline { after_reset: prepare, step: mj_step, forward: mj_forward, inverse: mj_inverse };

/// Makes the methods of `Data` simulate this model with this engine, and every reset end with those trees
/// asleep that the model wants asleep. Every way to load a model does this. From the first time on, only data
/// of models of the same structure fit the model.
pub fn install_pipeline(model: &mut Model) {
    if model.pipeline.is_none() {
        model.seal();
    }
    model.pipeline = Some(&PIPELINE);
}
