//! What comes before and behind functions of the user.

use super::compose::{Composer, Conditions};
use super::modules::MODULES;
use crate::layout::buffer_layout::Layout;
use std::fmt::Write;

/// Functions that the user's text may call.
pub(crate) fn user_prelude(layout: &Layout) -> String {
    let conditions = Conditions::default()
        .with("EQUALITY_ACTIVATION", layout.first_active.is_some())
        .with("SENSORS", layout.sensordata > 0);
    Composer::new(MODULES, &conditions).compose("functions")
}

/// Activates the equalities of the model in worlds that functions of the user end: statements for one
/// `world`.
pub(crate) fn first_switches(layout: &Layout) -> String {
    let mut text = String::new();
    for (e, &active) in layout.first_active.iter().flatten().enumerate() {
        let value = if active { "1.0" } else { "0.0" };
        let _ = write!(text, "inputs[world * INPUT_SIZE + INPUT_EQUALITY + {e}u] = {value}; ");
    }
    text
}
