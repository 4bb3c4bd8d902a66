//! Dropping what only serves visualization: geoms and meshes that neither collide nor are referred to.

use super::draft::Draft;
use crate::spec::InertiaFromGeom;

/// Decides which geoms and meshes stay and numbers them.
pub(crate) fn number_geoms_and_meshes(draft: &mut Draft<'_>) {
    let discard = draft.drops_visuals();
    if discard && draft.spec.reference().discard_visual() {
        check_inertias(draft);
    }
    // a mesh stays when a geom that stays uses it
    for g in 0..draft.geoms.len() {
        if let (Some(mesh), false) = (draft.geoms[g].mesh, draft.geoms[g].visual) {
            draft.meshes[mesh].visual = false;
        }
    }
    let keep = |visual: bool| !discard || !visual;
    draft.geom_numbers = number(draft.geoms.iter().map(|geom| keep(geom.visual)));
    draft.mesh_numbers = number(draft.meshes.iter().map(|mesh| keep(mesh.visual)));
}

/// Refuses geoms whose mass would go with them: an inertia that was asked for would be another one without.
fn check_inertias(draft: &mut Draft<'_>) {
    let Draft { geoms, bodies, spec, report, .. } = draft;
    for geom in geoms.iter().filter(|geom| geom.visual && geom.mass > 0.0) {
        let body = &bodies[geom.body];
        if spec.compiler_of(&body.src.origin).inertiafromgeom == InertiaFromGeom::True {
            let what = "'discardvisual' would drop a geom with mass, which 'inertiafromgeom' asks to count";
            report
                .error(geom.src, format!("{what}: give the geom no mass, or set 'inertiafromgeom' to auto"));
        }
    }
}

/// Consecutive numbers for what is kept, `None` for the rest.
fn number(kept: impl Iterator<Item = bool>) -> Vec<Option<usize>> {
    let mut next = 0;
    kept.map(|keep| {
        let id = keep.then_some(next);
        next += usize::from(keep);
        id
    })
    .collect()
}
