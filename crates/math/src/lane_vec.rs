//! Lists of lanes on the heap.

use crate::lanes::Lane;
use core::ops::{Deref, DerefMut};
use wide::f64x4;

/// A list of lanes, each of which lies in one cache line: a plain list of arrays may start anywhere, and then
/// half of its lanes lie in two, which are read and written at half the speed.
#[derive(Clone, Debug, Default)]
pub struct LaneVec(Vec<f64x4>);

impl LaneVec {
    /// Removes all lanes.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Changes the number of lanes; new ones are zero.
    pub fn resize(&mut self, count: usize) {
        self.0.resize(count, f64x4::ZERO);
    }

    /// Appends a lane.
    pub fn push(&mut self, lane: Lane) {
        self.0.push(f64x4::new(lane));
    }

    /// Appends copies of lanes.
    #[inline]
    pub fn extend_from_slice(&mut self, lanes: &[Lane]) {
        // most lists are short, and then cost less than a call that copies any length
        match lanes {
            [a] => self.extend_from_array([a]),
            [a, b] => self.extend_from_array([a, b]),
            [a, b, c] => self.extend_from_array([a, b, c]),
            [a, b, c, d] => self.extend_from_array([a, b, c, d]),
            _ => self.0.extend(lanes.iter().copied().map(f64x4::new)),
        }
    }

    #[inline(always)]
    fn extend_from_array<const N: usize>(&mut self, lanes: [&Lane; N]) {
        self.0.extend_from_slice(&lanes.map(|lane| f64x4::new(*lane)));
    }
}

impl Deref for LaneVec {
    type Target = [Lane];

    #[inline]
    fn deref(&self) -> &[Lane] {
        bytemuck::cast_slice(&self.0)
    }
}

impl DerefMut for LaneVec {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Lane] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}
