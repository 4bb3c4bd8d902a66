//! Numbers of four worlds in lanes, a world a lane: how they come from the lists of the worlds and go back.

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
