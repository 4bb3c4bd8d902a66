//! Bounds of a shape over a height field, seen from above.

/// The space between two vertical planes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab {
    /// Horizontal direction across the planes, of any length.
    pub(super) across: [f64; 2],
    /// Coordinates along it.
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Slab {
    /// No bound at all.
    pub(super) const EVERYTHING: Self =
        Self { across: [0.0; 2], low: f64::NEG_INFINITY, high: f64::INFINITY };
}
