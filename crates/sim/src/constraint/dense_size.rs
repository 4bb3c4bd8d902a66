//! What dense matrices can hold: they grow with the product of rows and dofs.

use super::contact_description::row_count;
use super::project::mj_is_dual;
use crate::flex::cells::MAX_NODES;
use kinetree_model::enums::EqType;
use kinetree_model::{Data, Model};

/// Most entries of a dense matrix of the rows: four gibibytes.
const MOST_ENTRIES: u64 = 1 << 29;

/// Whether dense matrices can hold as many rows as there may be.
pub(super) fn rows_fit(model: &Model, data: &Data) -> bool {
    // a gibibyte holds 32,768 rows of 4,096 entries: few models need a closer look
    if model.is_sparse() || (model.nv < 1 << 12 && data.ncon < 1 << 12 && model.neq < 1 << 12) {
        return true;
    }
    let equalities: usize = (0..model.neq)
        .map(|eq| match EqType::try_from(model.eq_type[eq]) {
            Ok(EqType::Flex) => model.flex_edgenum[model.eq_obj1id[eq] as usize] as usize,
            Ok(EqType::Flexvert) => 2 * model.flex_vertnum[model.eq_obj1id[eq] as usize] as usize,
            Ok(EqType::Flexstrain) => 3 * MAX_NODES,
            _ => 6,
        })
        .sum();
    let friction = model.dof_frictionloss.iter().filter(|&&loss| loss > 0.0).count();
    let limits = model.jnt_limited.iter().filter(|&&limited| limited != 0).count();
    let pyramidal = !model.is_elliptic();
    let contacts: usize = data.contact.iter().map(|c| row_count(c.dim as usize, pyramidal)).sum();
    let rows = (equalities + friction + limits + contacts) as u64;
    rows * model.nv as u64 <= MOST_ENTRIES && (!mj_is_dual(model) || rows * rows <= MOST_ENTRIES)
}
