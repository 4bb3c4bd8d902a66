//! How many rows a contact has, and what they say besides their Jacobian.

use super::fill::fill_short_slices;
use kinetree_model::Data;
use kinetree_model::enums::ConstraintType;

/// Number of rows of a contact of dimension `dim`.
#[inline]
pub(super) fn row_count(dim: usize, pyramidal: bool) -> usize {
    match (dim, pyramidal) {
        (1, _) => 1,
        (_, true) => 2 * (dim - 1),
        (_, false) => dim,
    }
}

/// Sets violation, margin, type and id of the rows of contact `i`.
pub(super) fn describe_rows(data: &mut Data, i: usize, row: usize, rows: usize, pyramidal: bool) {
    let contact = &data.contact[i];
    let (dist, margin) = (contact.dist, contact.includemargin);
    let range = row..row + rows;
    let kind = match (contact.dim, pyramidal) {
        (1, _) => ConstraintType::ContactFrictionless,
        (_, true) => ConstraintType::ContactPyramidal,
        (_, false) => ConstraintType::ContactElliptic,
    };
    let lists = (
        &mut data.efc_type[range.clone()],
        &mut data.efc_id[range.clone()],
        &mut data.efc_pos[range.clone()],
        &mut data.efc_margin[range],
    );
    if kind == ConstraintType::ContactElliptic {
        // friction has no position
        fill_short_slices(lists, (kind as i32, i as i32, 0.0, 0.0));
        data.efc_pos[row] = dist;
        data.efc_margin[row] = margin;
    } else {
        fill_short_slices(lists, (kind as i32, i as i32, dist, margin));
    }
}
