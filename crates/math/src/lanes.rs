//! Vectors in lanes of four numbers.
//!
//! A list that is padded to whole lanes needs no loop for its rest: every operation on it is a fixed
//! four-wide step that the compiler turns into one instruction, and the order of summation is the same on
//! every machine.
//!
//! ```
//! use kinetree_math::lanes::{add_scaled_lanes, lanes, sum_lane};
//!
//! let mut acc = [[1.0, 2.0, 3.0, 0.0]];
//! add_scaled_lanes(&mut acc, &[[1.0, 1.0, 1.0, 0.0]], 2.0);
//! assert_eq!((lanes(3), sum_lane(&acc[0])), (1, 12.0));
//! ```

use wide::f64x4;

/// Four neighbouring numbers.
pub type Lane = [f64; 4];

/// Number of lanes that hold `n` numbers.
#[inline]
#[must_use]
pub const fn lanes(n: usize) -> usize {
    // shorter than `div_ceil`, which no number here is large enough to need
    (n + 3) >> 2
}

/// Bits that keep the first numbers of a lane, by how many.
const KEEP: [[u64; 4]; 5] = {
    const ON: u64 = u64::MAX;
    [[0; 4], [ON, 0, 0, 0], [ON, ON, 0, 0], [ON, ON, ON, 0], [ON; 4]]
};

/// Mask that keeps the first `n` numbers of a lane.
#[inline(always)]
#[must_use]
pub fn keep_mask(n: usize) -> f64x4 {
    f64x4::new(KEEP[n].map(f64::from_bits))
}

/// Mask that keeps the element of a lane at the given index only.
#[inline(always)]
#[must_use]
pub fn pick_mask(index: usize) -> f64x4 {
    const ON: u64 = u64::MAX;
    const PICK: [[u64; 4]; 4] = [[ON, 0, 0, 0], [0, ON, 0, 0], [0, 0, ON, 0], [0, 0, 0, ON]];
    f64x4::new(PICK[index].map(f64::from_bits))
}

/// Sets the numbers of a lane from the given one on to zero.
#[inline(always)]
pub fn keep_before(lane: &mut Lane, from: usize) {
    if from < 4 {
        *lane = (f64x4::new(*lane) & keep_mask(from)).to_array();
    }
}

/// A lane from back to front.
#[inline(always)]
#[must_use]
pub fn reversed(v: f64x4) -> f64x4 {
    let [a, b, c, d] = v.to_array();
    f64x4::new([d, c, b, a])
}

/// Writes the first `n` numbers of a lane to the front of a list.
#[inline(always)]
pub fn store_first(to: &mut [f64], lane: f64x4, n: usize) {
    match to.first_chunk_mut::<4>() {
        Some(to) => *to = keep_mask(n).blend(lane, f64x4::new(*to)).to_array(),
        None => to.iter_mut().zip(lane.to_array()).take(n).for_each(|(to, x)| *to = x),
    }
}

/// Writes the last `n` numbers of a lane to the back of a list.
#[inline(always)]
pub fn store_last(to: &mut [f64], lane: f64x4, n: usize) {
    match to.last_chunk_mut::<4>() {
        Some(to) => *to = keep_mask(4 - n).blend(f64x4::new(*to), lane).to_array(),
        None => to.iter_mut().rev().zip(reversed(lane).to_array()).take(n).for_each(|(to, x)| *to = x),
    }
}

/// The numbers of some lanes.
#[inline(always)]
#[must_use]
pub fn numbers(lanes: &[f64x4]) -> &[f64] {
    bytemuck::cast_slice(lanes)
}

/// As [`numbers`], to be written.
#[inline(always)]
pub fn numbers_mut(lanes: &mut [f64x4]) -> &mut [f64] {
    bytemuck::cast_slice_mut(lanes)
}

/// Sum of a lane's numbers, in the order of all sums here.
#[inline]
#[must_use]
pub fn sum_lane(s: &Lane) -> f64 {
    (s[0] + s[2]) + (s[1] + s[3])
}

/// The sums of four lanes, as [`sum_lane`] takes them.
#[inline(always)]
#[must_use]
pub fn sum_lanes(s: &[Lane; 4]) -> Lane {
    /// The halves of two lanes.
    #[inline(always)]
    fn halves(a: &Lane, c: &Lane) -> Lane {
        (f64x4::new([a[0], a[1], c[0], c[1]]) + f64x4::new([a[2], a[3], c[2], c[3]])).to_array()
    }
    // of two lanes at once, and then of all four
    let (ac, bd) = (halves(&s[0], &s[2]), halves(&s[1], &s[3]));
    (f64x4::new([ac[0], bd[0], ac[2], bd[2]]) + f64x4::new([ac[1], bd[1], ac[3], bd[3]])).to_array()
}

/// `acc += s v`, on the length of `v`. `acc` is at least as long.
#[inline]
pub fn add_scaled_lanes(acc: &mut [Lane], v: &[Lane], s: f64) {
    for (a, x) in acc.iter_mut().zip(v) {
        *a = (f64x4::new(*a) + f64x4::new(*x) * f64x4::splat(s)).to_array();
    }
}

/// The four rows of a matrix with rows of the given width.
#[inline]
#[must_use]
pub fn split_four_mut<T>(rows: &mut [T], width: usize) -> [&mut [T]; 4] {
    let (a, rest) = rows.split_at_mut(width);
    let (b, rest) = rest.split_at_mut(width);
    let (c, d) = rest.split_at_mut(width);
    [a, b, c, d]
}

#[cfg(test)]
mod tests {
    use super::{store_first, store_last, sum_lane, sum_lanes};
    use wide::f64x4;

    #[test]
    fn parts_of_lanes_are_stored() {
        let lane = f64x4::new([1.0, 2.0, 3.0, 4.0]);
        for length in 0..7 {
            for n in 0..=4.min(length) {
                let (mut front, mut back) = (vec![9.0; length], vec![9.0; length]);
                store_first(&mut front, lane, n);
                store_last(&mut back, lane, n);
                let (first, last) = (&lane.to_array()[..n], &lane.to_array()[4 - n..]);
                assert_eq!(front, [first, &vec![9.0; length - n]].concat());
                assert_eq!(back, [&vec![9.0; length - n], last].concat());
            }
        }
    }

    #[test]
    fn four_sums_are_those_of_each_lane() {
        let lanes =
            [[0.1, 0.2, 0.3, 0.7], [1e17, 1.0, -1e17, 3.0], [1.0, 2.0, 4.0, 8.0], [-0.5, 0.3, 1e-9, 7.0]];
        assert_eq!(sum_lanes(&lanes), lanes.map(|lane| sum_lane(&lane)));
    }
}
