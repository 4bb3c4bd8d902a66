//! Adding sparse rows and their products to `qDeriv`.

use kinetree_model::Model;

/// Adds `b jᵢ jₖ` to `qDeriv` for all pairs of entries of a sparse row `j`.
pub(crate) fn add_outer_product(model: &Model, deriv: &mut [f64], values: &[f64], columns: &[i32], b: f64) {
    // a single entry adds to the diagonal only
    if let ([value], [dof]) = (values, columns) {
        let dof = *dof as usize;
        deriv[(model.D_rowadr[dof] + model.D_diag[dof]) as usize] += value * (value * b);
        return;
    }
    for (&value, &dof) in values.iter().zip(columns) {
        add_to_row(model, deriv, dof as usize, values, columns, value * b);
    }
}

/// Adds a multiple of a sparse row to row `dof` of `qDeriv`, where the pattern has the column.
pub(crate) fn add_to_row(
    model: &Model,
    deriv: &mut [f64],
    dof: usize,
    values: &[f64],
    columns: &[i32],
    scale: f64,
) {
    let start = model.D_rowadr[dof] as usize;
    let range = start..start + model.D_rownnz[dof] as usize;
    let pattern = &model.D_colind[range.clone()];
    let row = &mut deriv[range];
    // the columns of a body that moves by itself follow each other
    if let (Some(&first), Some(&last)) = (pattern.first(), pattern.last())
        && i64::from(last) - i64::from(first) + 1 == pattern.len() as i64
    {
        for (&value, &column) in values.iter().zip(columns) {
            if let Some(entry) = usize::try_from(column - first).ok().and_then(|at| row.get_mut(at)) {
                *entry += value * scale;
            }
        }
        return;
    }
    // both lists are in increasing order
    let mut at = 0;
    for (&value, &column) in values.iter().zip(columns) {
        while at < pattern.len() && pattern[at] < column {
            at += 1;
        }
        if at == pattern.len() {
            return;
        }
        if pattern[at] == column {
            row[at] += value * scale;
        }
    }
}
