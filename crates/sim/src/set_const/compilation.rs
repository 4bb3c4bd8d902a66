//! Places where the compilation of a model may end when its caller wants that.

use kinetree_model::{Model, checkpoint};

/// Ends the work when the model is only being compiled. The constants of one that is compiled already are set
/// as a whole: its owner goes on with it.
pub(super) fn checkpoint_of_compilation(model: &Model) {
    // the compiler installs the pipeline last
    if model.pipeline.is_none() {
        checkpoint();
    }
}
