//! Numbers of a row of constraints, as the kernels take them.

use kinetree_sim::RowGains;

/// Stiffness, damping and impedance of a row.
pub(crate) fn row_numbers(gains: &RowGains) -> impl Iterator<Item = f64> + use<> {
    [gains.stiffness, gains.damping].into_iter().chain(impedance(gains))
}

/// The impedance function.
pub(crate) fn impedance(gains: &RowGains) -> impl Iterator<Item = f64> + use<> {
    gains.solimp.into_iter().chain(gains.scale)
}
