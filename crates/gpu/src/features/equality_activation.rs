//! Equality activation (`eq_active`): equalities that worlds activate and deactivate.
//!
//! Kernels of a model have rows for the equalities that are active at the start. Once a program changes one,
//! they are made anew with rows for all of them, of which those that are not active in a world have no
//! weight; whether they are lies in the world's inputs, behind controls and poses of mocap bodies.

use crate::features::body_equality::BodyEqualities;
use crate::features::linear_rows::LinearRows;
use crate::features::parameters::Table;

/// Writes which equality each row belongs to, and which are active at the start; nothing where worlds do not
/// activate them.
pub(crate) fn write_activation(
    first_active: Option<&[bool]>,
    linear_rows: &LinearRows,
    body_equalities: &BodyEqualities,
    table: &mut Table,
) {
    let Some(first) = first_active else { return };
    table.size("NEQ", first.len());
    table.floats("FIRST_ACTIVE", first.iter().map(|&active| f64::from(u8::from(active))));
    table.ints("FIXED_EQUALITY", linear_rows.equalities());
    table.ints("EQUALITY_ID", body_equalities.numbers());
}
