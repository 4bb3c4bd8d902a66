//! Vectors of three numbers in one lane of four, whose last number means nothing.
//!
//! Products of such vectors are a few steps for all components at once, where three components one by one
//! take three times as many. Sums keep the order that the components have when they are written out.

use wide::f64x4;

/// Lane of a vector.
#[inline(always)]
#[must_use]
pub fn load3(v: &[f64; 3]) -> f64x4 {
    f64x4::new([v[0], v[1], v[2], v[2]])
}

/// Vector of a lane.
#[inline(always)]
#[must_use]
pub fn store3(v: f64x4) -> [f64; 3] {
    let [x, y, z, _] = v.to_array();
    [x, y, z]
}

/// The next component in each place: `[y, z, x]`.
#[inline(always)]
#[must_use]
pub fn next3(v: f64x4) -> f64x4 {
    let [x, y, z, w] = v.to_array();
    f64x4::new([y, z, x, w])
}

/// The component after the next one in each place: `[z, x, y]`.
#[inline(always)]
#[must_use]
pub fn after3(v: f64x4) -> f64x4 {
    let [x, y, z, w] = v.to_array();
    f64x4::new([z, x, y, w])
}

/// Cross product.
#[inline(always)]
#[must_use]
pub fn cross3(a: f64x4, b: f64x4) -> f64x4 {
    next3(turned_cross3(a, b))
}

/// Cross product with its components in another order, `[z, x, y]`: [`next3`] puts them, or a sum of such
/// products, in theirs.
#[inline(always)]
#[must_use]
pub fn turned_cross3(a: f64x4, b: f64x4) -> f64x4 {
    a * next3(b) - next3(a) * b
}
