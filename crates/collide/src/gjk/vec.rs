//! Three-vectors as plain arrays.
//!
//! The convex routines compare exact zeros and break ties by the last bit, so the order of every sum is part
//! of their definition. Writing the few operations out keeps that order in sight.

use kinetree_math::lanes3::{cross3, store3};
use std::ops::{Add, Mul, Neg, Sub};
use wide::{CmpGe, CmpGt, f64x4};

/// Three `f64`.
pub(crate) type V3 = [f64; 3];

/// A three-vector in one register, for the inner loops of the searches; the fourth number means nothing.
///
/// Besides the shorter arithmetic, such a vector goes to memory and comes back as a whole. Three numbers are
/// written as one and two or two and one, as the compiler likes, and reading them soon after in the other way
/// makes the processor wait until they have left it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Point(f64x4);

impl Point {
    #[inline(always)]
    pub(crate) fn new(x: f64, y: f64, z: f64) -> Self {
        Self(f64x4::new([x, y, z, 0.0]))
    }

    #[inline(always)]
    pub(crate) fn array(self) -> V3 {
        store3(self.0)
    }

    #[inline(always)]
    pub(crate) fn lanes(self) -> f64x4 {
        self.0
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> f64 {
        let [x, y, z] = (self * other).array();
        x + y + z
    }

    #[inline(always)]
    pub(crate) fn norm2(self) -> f64 {
        self.dot(self)
    }

    #[inline(always)]
    pub(crate) fn cross(self, other: Self) -> Self {
        Self(cross3(self.0, other.0))
    }

    /// The first coordinates of the planes `yz`, `xz`, `xy`.
    #[inline(always)]
    pub(crate) fn yxx(self) -> Self {
        let [x, y, _, w] = self.0.to_array();
        Self(f64x4::new([y, x, x, w]))
    }

    /// The second coordinates of the planes `yz`, `xz`, `xy`.
    #[inline(always)]
    pub(crate) fn zzy(self) -> Self {
        let [_, y, z, w] = self.0.to_array();
        Self(f64x4::new([z, z, y, w]))
    }

    #[inline(always)]
    pub(crate) fn with_z(self, z: f64) -> Self {
        let [x, y, _, w] = self.0.to_array();
        Self(f64x4::new([x, y, z, w]))
    }

    /// `self`, with the sign of each coordinate changed where that of `dir` is negative.
    #[inline(always)]
    pub(crate) fn with_signs_along(self, dir: Self) -> Self {
        Self(dir.0.cmp_ge(f64x4::ZERO).blend(self.0, (-self).0))
    }

    /// One bit for each positive coordinate.
    #[inline(always)]
    pub(crate) fn positive(self) -> i32 {
        self.0.cmp_gt(f64x4::ZERO).move_mask() & 7
    }

    /// Each coordinate divided by the same number.
    #[inline(always)]
    pub(crate) fn divided_by(self, divisor: f64) -> Self {
        Self(self.0 / f64x4::splat(divisor))
    }
}

impl From<V3> for Point {
    #[inline(always)]
    fn from([x, y, z]: V3) -> Self {
        Self::new(x, y, z)
    }
}

impl Add for Point {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Point {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

/// Coordinate by coordinate.
impl Mul for Point {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl Mul<f64> for Point {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        Self(self.0 * f64x4::splat(factor))
    }
}

impl Neg for Point {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0 ^ f64x4::splat(-0.0))
    }
}

/// `Σ weight[i] * point[i]` over the first `n` of four points.
#[inline(always)]
pub(crate) fn blend(weights: &[f64; 4], n: usize, [a, b, c, d]: [Point; 4]) -> Point {
    let w = weights;
    match n {
        1 => a * w[0],
        2 => a * w[0] + b * w[1],
        3 => a * w[0] + b * w[1] + c * w[2],
        _ => a * w[0] + b * w[1] + c * w[2] + d * w[3],
    }
}

#[inline(always)]
pub(crate) fn add(a: &V3, b: &V3) -> V3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(crate) fn sub(a: &V3, b: &V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(crate) fn scale(a: &V3, s: f64) -> V3 {
    [s * a[0], s * a[1], s * a[2]]
}

#[inline(always)]
pub(crate) fn neg(a: &V3) -> V3 {
    [-a[0], -a[1], -a[2]]
}

#[inline(always)]
pub(crate) fn dot(a: &V3, b: &V3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(crate) fn norm(a: &V3) -> f64 {
    dot(a, a).sqrt()
}

#[inline(always)]
pub(crate) fn cross(a: &V3, b: &V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Determinant of the matrix with columns `a`, `b`, `c`.
#[inline(always)]
pub(crate) fn det(a: &V3, b: &V3, c: &V3) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

/// Unit vector along `a`; the x axis where `a` is too short to have a direction.
#[inline(always)]
pub(crate) fn normalized(a: &V3) -> V3 {
    let length = norm(a);
    if length < kinetree_math::MINVAL { [1.0, 0.0, 0.0] } else { scale(a, 1.0 / length) }
}

/// Whether two points agree to within `MINVAL` in every coordinate.
#[inline(always)]
pub(crate) fn same_point(a: &V3, b: &V3) -> bool {
    let close = |i: usize| (a[i] - b[i]).abs() < kinetree_math::MINVAL;
    close(0) && close(1) && close(2)
}

/// `Σ weight[i] * point[i]` over three points.
#[inline(always)]
pub(crate) fn blend3(w: &V3, a: &V3, b: &V3, c: &V3) -> V3 {
    [
        w[0] * a[0] + w[1] * b[0] + w[2] * c[0],
        w[0] * a[1] + w[1] * b[1] + w[2] * c[1],
        w[0] * a[2] + w[1] * b[2] + w[2] * c[2],
    ]
}

/// A column of a matrix.
#[inline(always)]
pub(crate) fn column(mat: &kinetree_math::Mat3, j: usize) -> V3 {
    [mat[(0, j)], mat[(1, j)], mat[(2, j)]]
}

/// Rotation given by its three columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axes(pub(crate) [V3; 3]);

impl Axes {
    /// Columns of a matrix.
    pub(crate) fn of(mat: &kinetree_math::Mat3) -> Self {
        Self([column(mat, 0), column(mat, 1), column(mat, 2)])
    }

    /// World vector to local coordinates.
    #[inline(always)]
    pub(crate) fn to_local(self, v: &V3) -> V3 {
        [dot(&self.0[0], v), dot(&self.0[1], v), dot(&self.0[2], v)]
    }

    /// Local vector to world coordinates.
    #[inline(always)]
    pub(crate) fn to_world(self, v: &V3) -> V3 {
        blend3(v, &self.0[0], &self.0[1], &self.0[2])
    }

    /// `self * other` as matrices.
    pub(crate) fn mul(self, other: &Self) -> Self {
        Self([self.to_world(&other.0[0]), self.to_world(&other.0[1]), self.to_world(&other.0[2])])
    }

    /// Matrix transpose.
    pub(crate) fn transpose(self) -> Self {
        let row = |i: usize| [self.0[0][i], self.0[1][i], self.0[2][i]];
        Self([row(0), row(1), row(2)])
    }
}
