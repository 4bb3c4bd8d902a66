//! The force of one contact, read back from the constraint rows.

use kinetree_model::enums::Cone;
use kinetree_model::{Data, Model};

/// Force (three components) and torque (three components) of contact `id`, in the contact frame.
///
/// The force acts on the second body. Components that the contact has no rows for are zero, and so is everything when the contact is
/// excluded or `id` is out of range.
#[must_use]
pub fn mj_contact_force(model: &Model, data: &Data, id: usize) -> [f64; 6] {
    let mut result = [0.0; 6];
    let Some(contact) = data.contact.get(id) else { return result };
    let Ok(row) = usize::try_from(contact.efc_address) else { return result };
    let dim = contact.dim as usize;
    if model.opt.cone == Cone::Elliptic as i32 || dim == 1 {
        result[..dim].copy_from_slice(&data.efc_force[row..row + dim]);
        return result;
    }
    // each pair of pyramid edges adds to the normal and pulls along its friction direction
    for (k, edges) in data.efc_force[row..row + 2 * (dim - 1)].chunks_exact(2).enumerate() {
        result[0] += edges[0] + edges[1];
        result[k + 1] = (edges[0] - edges[1]) * contact.friction[k];
    }
    result
}
