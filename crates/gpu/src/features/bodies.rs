//! Bodies and geoms: frames, inertias, gravity.

use crate::features::parameters::Table;
use kinetree_model::Model;
use kinetree_model::enums::DisableBit;

/// Writes what the kernels read of bodies.
pub(crate) fn write_bodies(model: &Model, table: &mut Table) {
    let gravity = if model.disabled(DisableBit::Gravity) { [0.0; 3] } else { model.opt.gravity };
    // gravity compensation is a passive force
    let passive = !(model.disabled(DisableBit::Spring) && model.disabled(DisableBit::Damper));
    table.flag("HAS_GRAVCOMP", model.ngravcomp > 0 && passive);
    table.floats("GRAVITY", gravity);
    table.floats("BODY_POS", model.body_pos.as_flattened().iter().copied());
    table.floats("BODY_QUAT", model.body_quat.as_flattened().iter().copied());
    table.floats("BODY_IPOS", model.body_ipos.as_flattened().iter().copied());
    table.floats("BODY_IQUAT", model.body_iquat.as_flattened().iter().copied());
    table.floats("BODY_INERTIA", model.body_inertia.as_flattened().iter().copied());
    table.floats("BODY_MASS", model.body_mass.iter().copied());
    table.floats("BODY_SUBTREEMASS", model.body_subtreemass.iter().copied());
    table.floats("BODY_GRAVCOMP", model.body_gravcomp.iter().copied());
    table.ints("BODY_PARENTID", model.body_parentid.iter().copied());
    table.ints("BODY_MOCAPID", model.body_mocapid.iter().copied());
    table.ints("BODY_JNTADR", model.body_jntadr.iter().map(|&adr| adr.max(0)));
    table.ints("BODY_JNTNUM", model.body_jntnum.iter().copied());
}

/// Writes what the kernels read of geoms.
pub(crate) fn write_geoms(model: &Model, table: &mut Table) {
    table.ints("GEOM_BODYID", model.geom_bodyid.iter().copied());
    table.floats("GEOM_POS", model.geom_pos.as_flattened().iter().copied());
    table.floats("GEOM_QUAT", model.geom_quat.as_flattened().iter().copied());
    table.floats("GEOM_SIZE", model.geom_size.as_flattened().iter().copied());
    table.floats("GEOM_RBOUND", model.geom_rbound.iter().copied());
}
