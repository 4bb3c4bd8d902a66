//! Ranges of controls.

use crate::error::ControlError;
use crate::trajectory::actuator;
use kinetree_model::Model;

/// Least and greatest value of each control.
pub(crate) fn limits_of(model: &Model) -> Result<Vec<[f64; 2]>, ControlError> {
    let range = |i: usize| {
        if model.actuator_ctrllimited[i] == 0 {
            return Ok([f64::NEG_INFINITY, f64::INFINITY]);
        }
        let [low, high] = model.actuator_ctrlrange[i];
        if low < high {
            Ok([low, high])
        } else {
            Err(ControlError::ControlRange { actuator: actuator(model, i), low, high })
        }
    };
    (0..model.nu).map(range).collect()
}

/// Keeps rows of controls within limits, if there are any.
pub(crate) fn clamp(rows: &mut [f64], limits: &[[f64; 2]]) {
    for row in rows.chunks_exact_mut(limits.len().max(1)) {
        for (control, [low, high]) in row.iter_mut().zip(limits) {
            *control = control.max(*low).min(*high);
        }
    }
}
