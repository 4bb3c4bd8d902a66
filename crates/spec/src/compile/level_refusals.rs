//! What a description uses whose meaning at its reference level the compiler does not have: it is refused by
//! name.

use kinetree_model::{Model, point};
use kinetree_sim::refused_difference;

use super::draft::Draft;
use crate::spec::Mesh;

/// Refuses a description before anything of it is compiled.
pub(crate) fn check_description(draft: &mut Draft<'_>) {
    let spec = draft.spec;
    let level = spec.reference();
    if level.mesh_hulls() && spec.meshes.values().any(has_other_hull) {
        draft.report.error_global(point::mesh_hulls.to_string());
    }
}

/// Refuses a model that is compiled.
pub(crate) fn check_compiled(draft: &mut Draft<'_>, model: &Model) {
    if let Some(difference) = refused_difference(model) {
        draft.report.error_global(difference.to_string());
    }
}

/// Refuses a model by the constants that were computed of it.
pub(crate) fn check_constants(draft: &mut Draft<'_>, model: &Model) {
    if model.reference().pivots() && !model.dof_invweight0.iter().all(|weight| weight.is_finite()) {
        draft.report.error_global(point::pivots.to_string());
    }
}

/// Whether other corners of a mesh are kept, or its faces are mirrored otherwise.
fn has_other_hull(mesh: &Mesh) -> bool {
    let mirrored = mesh.scale.iter().product::<f64>() < 0.0;
    mesh.maxhullvert >= 0 || mirrored && mesh.file.to_ascii_lowercase().ends_with(".msh")
}
