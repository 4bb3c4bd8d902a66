//! The parameter buffers of a model: sizes, offsets, and what its features write.

use super::buffer_layout::{FRESH, Layout, STATUS_FRESH};
use crate::features::parameters::Table;
use crate::features::plan::Plan;
use crate::features::tree::Tree;
use kinetree_model::Model;

/// Writes everything that the kernels read. With `shared`, all worlds have one row of parameters; otherwise
/// each has its own.
pub(crate) fn write_model(plan: &Plan<'_>, layout: &Layout, shared: bool) -> Table {
    let mut table = Table::new(layout.precision);
    write_sizes(plan.model, &plan.tree, &mut table);
    layout.write(&mut table);
    plan.write(shared, &mut table);
    if layout.sensordata > 0 {
        table.size("STATUS_FRESH", STATUS_FRESH);
        table.size("FRESH", FRESH as usize);
    }
    table.size("FLOATS_STRIDE", if shared { 0 } else { table.floats.len() });
    table
}

fn write_sizes(model: &Model, tree: &Tree, table: &mut Table) {
    let sizes = [
        ("NBODY", model.nbody),
        ("NJNT", model.njnt),
        ("NQ", model.nq),
        ("NV", model.nv),
        ("NV4", model.nv.div_ceil(4)),
        ("NU", model.nu),
        ("NA", model.na),
        ("NMOCAP", model.nmocap),
        ("NGEOM", model.ngeom.max(1)),
        ("NROOT", tree.roots.len().max(1)),
        ("ROUNDS", tree.rounds),
        ("POSE_AT", tree.rounds % 2 * 2 * model.nbody),
        ("NTRANSMISSION", model.nu + model.ntendon),
        ("MAX_NTRANSMISSION", (model.nu + model.ntendon).max(1)),
    ];
    sizes.into_iter().for_each(|(name, value)| table.size(name, value));
}
