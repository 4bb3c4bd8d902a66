//! What a description uses whose meaning at its reference level the compiler does not have: it is refused by
//! name.

use kinetree_model::{Difference, Model, point};
use kinetree_sim::refused_difference;

use super::draft::Draft;
use crate::spec::{Mesh, Orientation};

/// Refuses a description before anything of it is compiled.
pub(crate) fn check_description(draft: &mut Draft<'_>) {
    let spec = draft.spec;
    let level = spec.reference();
    let rotated = spec.defaults.iter().any(|class| {
        [&class.geom.alt, &class.site.alt, &class.camera.alt].into_iter().any(|alt| *alt != Orientation::Quat)
    });
    let uses = |setting: fn(&crate::spec::Compiler) -> bool| spec.compilers.iter().any(setting);
    let refused: [(bool, bool, &Difference); 4] = [
        (level.mesh_hulls(), spec.meshes.values().any(has_other_hull), &point::mesh_hulls),
        (level.class_orientation(), rotated, &point::class_orientation),
        (level.fuse_static(), uses(|compiler| compiler.fusestatic), &point::fuse_static),
        (level.discard_visual(), uses(|compiler| compiler.discardvisual), &point::discard_visual),
    ];
    for (_, _, difference) in refused.iter().filter(|(differs, used, _)| *differs && *used) {
        draft.report.error_global(difference.to_string());
    }
}

/// Refuses a model that is compiled.
pub(crate) fn check_compiled(draft: &mut Draft<'_>, model: &Model) {
    if let Some(difference) = refused_difference(model) {
        draft.report.error_global(difference.to_string());
    }
}

/// Whether other corners of a mesh are kept, or its faces are mirrored otherwise.
fn has_other_hull(mesh: &Mesh) -> bool {
    let mirrored = mesh.scale.iter().product::<f64>() < 0.0;
    mesh.maxhullvert >= 0 || mirrored && mesh.file.to_ascii_lowercase().ends_with(".msh")
}
