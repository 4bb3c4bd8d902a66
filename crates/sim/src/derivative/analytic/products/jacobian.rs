//! All derivatives of a step at once: of the next state with respect to state, controls and fields of the
//! model, of the sensors with respect to state and controls.
//!
//! The step is linearized once; then each row of the Jacobians is a gradient that is pulled back.

use super::adjoint::{AdjointScratch, PulledStep};
use super::fields::{FieldGradient, FieldScratch, add_field_gradient, check_field, field_gradient_size};
use crate::derivative::analytic::evaluated::evaluate;
use crate::derivative::analytic::transition::{TransitionScratch, linearize};
use crate::derivative::error::{DerivativeError, expect, expect_transition};
use crate::stage_memory::StageMemory;
use kinetree_model::{Data, Model};

/// As [`mjd_transition`](crate::mjd_transition), with `A` and `B`, and besides the derivatives of the next
/// state with respect to fields of the model: `nx` rows of the size of the field.
///
/// # Errors
/// As [`mjd_transition`](crate::mjd_transition); also when a field has no gradients.
pub(crate) fn mjd_transition_fields(
    model: &Model,
    data: &mut Data,
    stages: &mut StageMemory,
    derivatives: &mut TransitionScratch,
    memory: &mut AdjointScratch,
    scratch: &mut FieldScratch,
    a: &mut [f64],
    b: &mut [f64],
    c: Option<&mut [f64]>,
    d: Option<&mut [f64]>,
    fields: &mut [FieldGradient<'_>],
) -> Result<(), DerivativeError> {
    let (nx, nu) = (2 * model.nv + model.na, model.nu);
    expect_transition(model, [Some(a), Some(b), c.as_deref(), d.as_deref()])?;
    for field in &mut *fields {
        let size = field_gradient_size(model, field.field)?;
        expect("gradient of the field", Some(field.values), nx * size)?;
        check_field(model, field.field)?;
        field.values.fill(0.0);
    }
    let sensors = model.nsensordata > 0 && (c.is_some() || d.is_some());
    let mut data = evaluate(model, data, stages, sensors)?;
    let mut step = linearize(model, &mut data, stages, derivatives)?;
    let mut unit = vec![0.0; nx];
    for row in 0..nx {
        unit[row] = 1.0;
        memory.pull(model, &data, &mut step, &unit)?;
        unit[row] = 0.0;
        let pulled = PulledStep { step: &*step.0, adjoint: &*memory };
        let (by_state, by_controls) = pulled.gradients(model);
        a[row * nx..(row + 1) * nx].copy_from_slice(by_state);
        b[row * nu..(row + 1) * nu].copy_from_slice(by_controls);
        for field in &mut *fields {
            let size = field.values.len() / nx;
            let values = &mut field.values[row * size..(row + 1) * size];
            let mut gradient = FieldGradient { field: field.field, values };
            add_field_gradient(model, &data, &pulled, scratch, &mut gradient)?;
        }
    }
    if sensors {
        let TransitionScratch { sensors, linear, .. } = &mut *step.solve(model, &data).0;
        sensors.write(model, &data, linear, c, d)?;
    }
    Ok(())
}
