//! Three-vectors as plain arrays.
//!
//! The convex routines compare exact zeros and break ties by the last bit, so the order of every sum is part of
//! their definition. Writing the few operations out keeps that order in sight.

/// Three `f64`.
pub(crate) type V3 = [f64; 3];

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

/// `Σ weight[i] * point[i]` over two points.
#[inline(always)]
pub(crate) fn blend2(w: &[f64; 2], a: &V3, b: &V3) -> V3 {
    [w[0] * a[0] + w[1] * b[0], w[0] * a[1] + w[1] * b[1], w[0] * a[2] + w[1] * b[2]]
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
