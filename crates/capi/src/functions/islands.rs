//! Rows, dofs and inertia in the order of islands: programs may read them, though nothing of this engine
//! does.

use crate::ffi::fault::Served;
use kinetree_model::{Data, Model};
use kinetree_sim as sim;

/// Finds the islands and fills all of it.
pub fn find_islands(m: &Model, d: &mut Data) -> Served {
    sim::mj_island(m, d)?;
    if d.nisland == 0 {
        forget_matrices(d);
    }
    show_values(d);
    Ok(())
}

/// Fills all of it after an evaluation, which has found the islands.
pub fn show_islands(m: &Model, d: &mut Data) -> Served {
    if d.nisland > 0 {
        return find_islands(m, d);
    }
    show_islands_of_step(d);
    Ok(())
}

/// The same after a step, but for Jacobian, inertia and factor: to copy these takes a tenth of a step, so
/// they are nowhere then.
pub fn show_islands_of_step(d: &mut Data) {
    forget_matrices(d);
    show_values(d);
}

/// Which elements of an array, and in which order.
#[derive(Clone, Copy)]
enum Order<'a> {
    /// The first ones, as they are.
    Same(usize),
    Listed(&'a [i32]),
}

impl<'a> Order<'a> {
    /// The first `count` of a list, which counts up where there is one island.
    fn new(list: &'a [i32], count: usize, counts_up: bool) -> Self {
        let count = count.min(list.len());
        if counts_up { Self::Same(count) } else { Self::Listed(&list[..count]) }
    }

    fn gather<T: Copy + Default>(self, to: &mut Vec<T>, from: &[T]) {
        to.clear();
        match self {
            Self::Same(count) => {
                to.extend_from_slice(&from[..count.min(from.len())]);
                to.resize(count, T::default());
            }
            Self::Listed(order) => {
                to.extend(order.iter().map(|&i| from.get(i as usize).copied().unwrap_or_default()));
            }
        }
    }
}

/// Fills what is given row by row and dof by dof; it is nowhere when there are no islands.
fn show_values(d: &mut Data) {
    if d.nisland == 0 {
        return forget_values(d);
    }
    let one = d.nisland == 1;
    let rows = Order::new(&d.map_iefc2efc, d.nefc, one);
    for (to, from) in
        [(&mut d.iefc_type, &d.efc_type), (&mut d.iefc_id, &d.efc_id), (&mut d.iefc_state, &d.efc_state)]
    {
        rows.gather(to, from);
    }
    for (to, from) in [
        (&mut d.iefc_frictionloss, &d.efc_frictionloss),
        (&mut d.iefc_D, &d.efc_D),
        (&mut d.iefc_R, &d.efc_R),
        (&mut d.iefc_aref, &d.efc_aref),
        (&mut d.iefc_force, &d.efc_force),
    ] {
        rows.gather(to, from);
    }
    let dofs = Order::new(&d.map_idof2dof, d.nidof, one && d.nidof == d.qacc.len());
    for (to, from) in [
        (&mut d.ifrc_smooth, &d.qfrc_smooth[..]),
        (&mut d.iacc_smooth, &d.qacc_smooth[..]),
        (&mut d.iacc, &d.qacc[..]),
        (&mut d.ifrc_constraint, &d.qfrc_constraint[..]),
    ] {
        dofs.gather(to, from);
    }
}

fn forget_values(d: &mut Data) {
    for numbers in [&mut d.iefc_type, &mut d.iefc_id, &mut d.iefc_state] {
        numbers.clear();
    }
    for values in [
        &mut d.iefc_frictionloss,
        &mut d.iefc_D,
        &mut d.iefc_R,
        &mut d.iefc_aref,
        &mut d.iefc_force,
        &mut d.ifrc_smooth,
        &mut d.iacc_smooth,
        &mut d.iacc,
        &mut d.ifrc_constraint,
    ] {
        values.clear();
    }
}

fn forget_matrices(d: &mut Data) {
    for numbers in [
        &mut d.iM_rownnz,
        &mut d.iM_rowadr,
        &mut d.iM_colind,
        &mut d.iefc_J_rownnz,
        &mut d.iefc_J_rowadr,
        &mut d.iefc_J_rowsuper,
        &mut d.iefc_J_colind,
    ] {
        numbers.clear();
    }
    for values in [&mut d.iM, &mut d.iLD, &mut d.iLDiagInv, &mut d.iefc_J] {
        values.clear();
    }
}
