//! Vectors of four elements at once: each component is a SIMD lane with one number for each element.

mod atan2;

pub(crate) use atan2::atan2;

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use kinetree_math::Vec3;
use wide::{CmpNe, f64x4};

/// Number of elements of a block.
pub(crate) const WIDTH: usize = 4;

/// Vertices of a block: one for each of its elements.
pub(crate) type Indices = [u32; WIDTH];

/// Four vectors.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Lane3 {
    pub(crate) x: f64x4,
    pub(crate) y: f64x4,
    pub(crate) z: f64x4,
}

impl Lane3 {
    pub(crate) const ZERO: Self = Self { x: f64x4::ZERO, y: f64x4::ZERO, z: f64x4::ZERO };

    /// Four vectors, one after the other.
    pub(crate) fn new(vectors: [Vec3; WIDTH]) -> Self {
        let component = |k: usize| f64x4::new(vectors.map(|v| v[k]));
        Self { x: component(0), y: component(1), z: component(2) }
    }

    #[inline(always)]
    pub(crate) fn dot(&self, other: &Self) -> f64x4 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub(crate) fn cross(&self, other: &Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    #[inline(always)]
    pub(crate) fn norm_squared(&self) -> f64x4 {
        self.dot(self)
    }
}

impl Add for Lane3 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Sub for Lane3 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl Neg for Lane3 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z }
    }
}

impl AddAssign for Lane3 {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Lane3 {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// Each vector times its own factor.
impl Mul<Lane3> for f64x4 {
    type Output = Lane3;
    #[inline(always)]
    fn mul(self, v: Lane3) -> Lane3 {
        Lane3 { x: self * v.x, y: self * v.y, z: self * v.z }
    }
}

/// Rows of four numbers as columns: what [`columns`] of the result gives back.
#[inline(always)]
pub(crate) fn columns([a, b, c, d]: [[f64; 4]; WIDTH]) -> [f64x4; 4] {
    let column = |k: usize| f64x4::new([a[k], b[k], c[k], d[k]]);
    [column(0), column(1), column(2), column(3)]
}

/// Each number times a factor. A loop: the compiler does not always inline `map` of arrays.
#[inline(always)]
pub(crate) fn scaled<const N: usize>(mut numbers: [f64x4; N], factor: f64x4) -> [f64x4; N] {
    for number in &mut numbers {
        *number *= factor;
    }
    numbers
}

/// `a / b`, and zero where `b` is zero.
#[inline(always)]
pub(crate) fn quotient(a: f64x4, b: f64x4) -> f64x4 {
    b.cmp_ne(f64x4::ZERO).blend(a / b, f64x4::ZERO)
}
