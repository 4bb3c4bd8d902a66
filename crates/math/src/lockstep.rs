//! Numbers of four worlds in lanes, a world a lane: how they come from the lists of the worlds and go back.
//!
//! ```
//! use kinetree_math::lockstep::{gather, scatter};
//! use wide::f64x4;
//!
//! // two values of each of four worlds
//! let mut lanes = [f64x4::ZERO; 2];
//! gather(&mut lanes, [&[1.0, 5.0], &[2.0, 6.0], &[3.0, 7.0], &[4.0, 8.0]]);
//! assert_eq!(lanes[0].to_array(), [1.0, 2.0, 3.0, 4.0]);
//! let [mut a, mut b, mut c, mut d] = [[0.0; 2]; 4];
//! scatter(&lanes, &mut a, &mut b, &mut c, &mut d);
//! assert_eq!(c, [3.0, 7.0]);
//! ```

use wide::f64x4;

/// Writes lists of lanes to four lists of numbers, of which each gets a lane of all.
///
/// Goes as far as the shortest of them.
// Four parameters, since the compiler knows of these that they do not overlap: it transposes four by four,
// in 19 instructions for 16 numbers.
#[inline(never)]
pub fn scatter(from: &[f64x4], a: &mut [f64], b: &mut [f64], c: &mut [f64], d: &mut [f64]) {
    let to = a.iter_mut().zip(b).zip(c).zip(d);
    for (lane, (((a, b), c), d)) in from.iter().zip(to) {
        [*a, *b, *c, *d] = *lane.as_array_ref();
    }
}

/// Reads four lists of numbers into a list of lanes; the inverse of [`scatter`].
#[inline(never)]
pub fn gather(to: &mut [f64x4], [a, b, c, d]: [&[f64]; 4]) {
    let numbers = a.iter().zip(b).zip(c).zip(d);
    for (to, (((a, b), c), d)) in to.iter_mut().zip(numbers) {
        *to = f64x4::new([*a, *b, *c, *d]);
    }
}
