//! Smoothed contacts for gradient-based optimisation: impedance that rises with distance.
//!
//! Where nothing touches, gradients know nothing of contacts. With impedance that rises from almost nothing
//! at some distance to its full value at the same depth, a step is a smooth function of the state on the way
//! into a contact, and its gradient pulls before surfaces meet.

use super::error::DerivativeError;
use kinetree_model::Model;
use kinetree_model::consts::MINIMP;
use kinetree_model::enums::EnableBit;

/// Lets all contacts of a model begin at the distance `radius` from where they would, with an impedance that
/// rises smoothly from almost zero to its full value at the depth `radius`.
///
/// Steps of such a model differ from those of the original: bodies come to rest higher by up to `radius`.
/// Optimise with a radius that is small beside the sizes of geoms, or with one that shrinks.
///
/// # Errors
/// When the radius is not a positive finite number.
pub fn smooth_contacts(model: &mut Model, radius: f64) -> Result<(), DerivativeError> {
    if !(radius > 0.0 && radius.is_finite()) {
        return Err(DerivativeError::Radius(radius));
    }
    let soften = |solimp: &mut [f64; 5]| {
        let [_, full, ..] = *solimp;
        *solimp = [MINIMP, full, 2.0 * radius, 0.5, 2.0];
    };
    // margins of two geoms are added
    for margin in model.geom_margin.iter_mut().chain(&mut model.flex_margin) {
        *margin += 0.5 * radius;
    }
    model.pair_margin.iter_mut().for_each(|margin| *margin += radius);
    model.geom_solimp.iter_mut().for_each(soften);
    model.flex_solimp.iter_mut().for_each(soften);
    model.pair_solimp.iter_mut().for_each(soften);
    if model.enabled(EnableBit::Override) {
        model.opt.o_margin += radius;
        soften(&mut model.opt.o_solimp);
    }
    Ok(())
}
