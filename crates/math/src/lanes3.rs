//! Permutations and products of the three components of a vector, all at once.
//!
//! Of one world the components lie in one SIMD register, so that a product is a few steps for all of them,
//! where one component after the other takes three times as many. Sums keep the order that the components
//! have when they are written out.
//!
//! ```
//! use kinetree_math::lanes3::{cross3, load3, store3};
//!
//! let z = cross3(load3(&[1.0, 0.0, 0.0]), load3(&[0.0, 1.0, 0.0]));
//! assert_eq!(store3(z), [0.0, 0.0, 1.0]);
//! ```

use crate::real::Components;
use wide::f64x4;

/// Components of a vector of one world.
#[inline(always)]
#[must_use]
pub fn load3(v: &[f64; 3]) -> f64x4 {
    Components::<3>::load(v)
}

/// Vector of one world from its components.
#[inline(always)]
#[must_use]
pub fn store3(v: f64x4) -> [f64; 3] {
    Components::<3>::store(v)
}

/// Cyclic permutation to the next components: `[y, z, x]`.
#[inline(always)]
#[must_use]
pub fn next3<V: Components<3>>(v: V) -> V {
    v.permuted([1, 2, 0])
}

/// Cyclic permutation to the components after the next: `[z, x, y]`.
#[inline(always)]
#[must_use]
pub fn after3<V: Components<3>>(v: V) -> V {
    v.permuted([2, 0, 1])
}

/// Cross product.
#[inline(always)]
#[must_use]
pub fn cross3<V: Components<3>>(a: V, b: V) -> V {
    next3(permuted_cross3(a, b))
}

/// Cross product with its components in another order, `[z, x, y]`: [`next3`] puts them, or a sum of such
/// products, in theirs.
#[inline(always)]
#[must_use]
pub fn permuted_cross3<V: Components<3>>(a: V, b: V) -> V {
    a * next3(b) - next3(a) * b
}
