//! Four three-vectors at once, one in each lane.

use super::vec::Point;
use wide::f64x4;

/// Number of lanes.
pub(crate) const LANES: usize = 4;

/// A vector in each lane, by coordinates.
pub(crate) type Vectors = [f64x4; 3];

/// Four vectors side by side.
#[inline(always)]
pub(crate) fn gather(vectors: &[Point; LANES]) -> Vectors {
    let [a, b, c, d] = vectors;
    let ([x0, y0, z0], [x1, y1, z1]) = (a.array(), b.array());
    let ([x2, y2, z2], [x3, y3, z3]) = (c.array(), d.array());
    [f64x4::new([x0, x1, x2, x3]), f64x4::new([y0, y1, y2, y3]), f64x4::new([z0, z1, z2, z3])]
}

/// The vectors of the lanes, one by one.
#[inline(always)]
pub(crate) fn scatter([x, y, z]: Vectors) -> [Point; LANES] {
    let ([x0, x1, x2, x3], [y0, y1, y2, y3], [z0, z1, z2, z3]) = (x.to_array(), y.to_array(), z.to_array());
    [Point::new(x0, y0, z0), Point::new(x1, y1, z1), Point::new(x2, y2, z2), Point::new(x3, y3, z3)]
}

#[inline(always)]
pub(crate) fn sub([ax, ay, az]: Vectors, [bx, by, bz]: Vectors) -> Vectors {
    [ax - bx, ay - by, az - bz]
}

#[inline(always)]
pub(crate) fn dot([ax, ay, az]: Vectors, [bx, by, bz]: Vectors) -> f64x4 {
    ax * bx + ay * by + az * bz
}

#[inline(always)]
pub(crate) fn cross([ax, ay, az]: Vectors, [bx, by, bz]: Vectors) -> Vectors {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

/// `Σ weight[i] * column[i]`.
#[inline(always)]
pub(crate) fn combine([x, y, z]: Vectors, [a, b, c]: &[Vectors; 3]) -> Vectors {
    [x * a[0] + y * b[0] + z * c[0], x * a[1] + y * b[1] + z * c[1], x * a[2] + y * b[2] + z * c[2]]
}
