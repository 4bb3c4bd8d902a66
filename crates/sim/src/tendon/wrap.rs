//! Shortest path of a tendon around a sphere or cylinder.
//!
//! The problem is planar: for a sphere in the plane of its centre and the two end points, for a cylinder in
//! the plane orthogonal to its axis, where the path is then stretched into a helix. Outside, the path leaves
//! the circle along the two tangents; of the two ways around, the one nearer to the side point, or the
//! shorter one, is taken. When the side point is inside, the tendon is pressed against the circle from within
//! and touches it in one point, where angle of incidence equals angle of reflection: the root of `asin(A z) +
//! asin(B z) − 2 asin(z) + G`, found by Newton's method.

use kinetree_math::rot::{mat3, mat3_row, normalize3};
use kinetree_math::{MINVAL, Mat3, Vec3};
use nalgebra::Vector2;
use std::f64::consts::PI;

type Vec2 = Vector2<f64>;

/// What a tendon may wrap around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrapShape {
    /// Sphere.
    Sphere,
    /// Infinite cylinder along the local z axis.
    Cylinder,
}

/// Where a tendon touches the object it wraps around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrapPath {
    /// The first and the last point on the surface.
    pub points: [Vec3; 2],
    /// Length of the path between them.
    pub length: f64,
}

/// Normalizes a 2D vector; a tiny one becomes the x axis.
fn normalized2(v: Vec2) -> Vec2 {
    let norm = (v.x * v.x + v.y * v.y).sqrt();
    if norm < MINVAL { Vec2::new(1.0, 0.0) } else { v * (1.0 / norm) }
}

/// Whether the segments `p1 p2` and `p3 p4` cross.
fn segments_cross(p1: &Vec2, p2: &Vec2, p3: &Vec2, p4: &Vec2) -> bool {
    let (d12, d34, d31) = (p2 - p1, p4 - p3, p1 - p3);
    let det = d34.y * d12.x - d34.x * d12.y;
    if det.abs() < MINVAL {
        return false;
    }
    // fractions of the segments at which they cross are within [0, 1]: no need to divide
    let size = det.abs();
    let within = |numerator: f64| {
        let fraction = if det < 0.0 { -numerator } else { numerator };
        fraction >= 0.0 && fraction <= size
    };
    within(d34.x * d31.y - d34.y * d31.x) & within(d12.x * d31.y - d12.y * d31.x)
}

/// Arc length from `p0` to `p1`, clockwise or counter-clockwise.
fn arc_length(p0: &Vec2, p1: &Vec2, second: bool, radius: f64) -> f64 {
    let cos = normalized2(*p0).dot(&normalized2(*p1));
    let mut angle = libm::acos(cos.clamp(-1.0, 1.0));
    let cross = p0.y * p1.x - p0.x * p1.y;
    if (cross > 0.0 && second) || (cross < 0.0 && !second) {
        angle = 2.0 * PI - angle;
    }
    radius * angle
}

/// Tangent points of the path from `ends[0]` to `ends[1]` around a circle at the origin, and whether it takes
/// the second way; `None` when the straight path is free.
fn wrap_circle(ends: &[Vec2; 2], side: Option<&Vec2>, radius: f64) -> Option<([Vec2; 2], bool)> {
    let [end0, end1] = ends;
    let (sqr0, sqr1, sqr_radius) = (end0.dot(end0), end1.dot(end1), radius * radius);
    if sqr0 < sqr_radius || sqr1 < sqr_radius || radius < MINVAL {
        return None;
    }
    let dif = end1 - end0;
    let dd = dif.dot(&dif);
    if dd < MINVAL {
        return None;
    }

    // the straight path stays outside, and on the right side: no contact
    let a = (-dif.dot(end0) / dd).clamp(0.0, 1.0);
    let nearest = dif * a + end0;
    if nearest.dot(&nearest) > sqr_radius && side.is_none_or(|side| side.dot(&nearest) >= 0.0) {
        return None;
    }

    // both ways around; crossing tangents are no way
    let (tangent0, tangent1) = ((sqr0 - sqr_radius).sqrt(), (sqr1 - sqr_radius).sqrt());
    let way = |sign: f64| {
        [
            Vec2::new(
                (end0.x * sqr_radius + sign * radius * end0.y * tangent0) / sqr0,
                (end0.y * sqr_radius - sign * radius * end0.x * tangent0) / sqr0,
            ),
            Vec2::new(
                (end1.x * sqr_radius - sign * radius * end1.y * tangent1) / sqr1,
                (end1.y * sqr_radius + sign * radius * end1.x * tangent1) / sqr1,
            ),
        ]
    };
    let ways = [way(1.0), way(-1.0)];
    let crossing = |k: usize| segments_cross(end0, &ways[k][0], end1, &ways[k][1]);
    let cross = [crossing(0), crossing(1)];
    let merit = |k: usize| {
        let [p0, p1] = &ways[k];
        if cross[k] {
            return -10000.0;
        }
        match side {
            Some(side) => normalized2(p0 + p1).dot(side),
            None => -(p0 - p1).dot(&(p0 - p1)),
        }
    };
    let second = merit(0) <= merit(1);
    let chosen = usize::from(second);
    (!cross[chosen]).then_some((ways[chosen], second))
}

/// The point where a tendon that is held inside a circle touches it; `None` when the straight path is inside.
fn wrap_inside(ends: &[Vec2; 2], radius: f64) -> Option<Vec2> {
    let [end0, end1] = ends;
    let (len0, len1) = (end0.dot(end0).sqrt(), end1.dot(end1).sqrt());
    if len0 <= radius || len1 <= radius || radius < MINVAL || len0 < MINVAL || len1 < MINVAL {
        return None;
    }
    let dif = end1 - end0;
    let dd = dif.dot(&dif);
    if dd > MINVAL {
        let a = -dif.dot(end0) / dd;
        if a > 0.0 && a < 1.0 {
            let nearest = end0 + dif * a;
            if nearest.dot(&nearest).sqrt() <= radius {
                return None;
            }
        }
    }

    // below, the point half way is the answer when the equation has no useful root
    let middle = normalized2((end0 + end1) * 0.5) * radius;
    let (a, b) = (radius / len0, radius / len1);
    let cos_gap = (len0 * len0 + len1 * len1 - dd) / (2.0 * len0 * len1);
    if cos_gap < -1.0 + MINVAL {
        return None;
    }
    if cos_gap > 1.0 - MINVAL {
        return Some(middle);
    }
    let Some(z) = reflection_root(a, b, libm::acos(cos_gap)) else { return Some(middle) };

    // rotate from one of the end points towards the other
    let (from, ratio) = if end0.x * end1.y - end0.y * end1.x > 0.0 { (end0, a) } else { (end1, b) };
    let angle = libm::asin(z) - libm::asin(ratio * z);
    let dir = normalized2(*from);
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    Some(Vec2::new(radius * (cos * dir.x - sin * dir.y), radius * (sin * dir.x + cos * dir.y)))
}

/// Root of `asin(a z) + asin(b z) − 2 asin(z) + gap`, approached from the right; `None` when Newton's method
/// fails.
fn reflection_root(a: f64, b: f64, gap: f64) -> Option<f64> {
    const MAX_ITERATIONS: usize = 20;
    const START: f64 = 1.0 - 1e-7;
    const TOLERANCE: f64 = 1e-6;
    let value = |z: f64| libm::asin(a * z) + libm::asin(b * z) - 2.0 * libm::asin(z) + gap;
    let derivative_of = |k: f64, z: f64| k / (1.0 - z * z * k * k).sqrt().max(MINVAL);
    let mut z = START;
    let mut f = value(z);
    if f > 0.0 {
        return None;
    }
    let mut iteration = 0;
    while iteration < MAX_ITERATIONS && f.abs() > TOLERANCE {
        let derivative = derivative_of(a, z) + derivative_of(b, z) - 2.0 * derivative_of(1.0, z);
        if derivative > -MINVAL {
            return None;
        }
        let next = z - f / derivative;
        if next > z {
            return None;
        }
        z = next;
        f = value(z);
        if f > TOLERANCE {
            return None;
        }
        iteration += 1;
    }
    (iteration < MAX_ITERATIONS).then_some(z)
}

/// The two axes, in the frame of the wrapped object, of the plane in which the path is found.
fn wrap_plane(shape: WrapShape, p0: &Vec3, p1: &Vec3) -> [Vec3; 2] {
    if shape == WrapShape::Cylinder {
        return [Vec3::x(), Vec3::y()];
    }
    let mut axis0 = *p0;
    normalize3(&mut axis0);
    let mut normal = p0.cross(p1);
    if normalize3(&mut normal) < MINVAL {
        // the end points are in line with the centre: any plane through them will do
        let size = axis0.abs();
        let mut other = Vec3::new(1.0, 1.0, 1.0);
        let largest = if size.y > size.x && size.y > size.z {
            1
        } else if size.z > size.x && size.z > size.y {
            2
        } else {
            0
        };
        other[largest] = 0.0;
        normal = axis0.cross(&other);
        normalize3(&mut normal);
    }
    let mut axis1 = normal.cross(&axis0);
    normalize3(&mut axis1);
    [axis0, axis1]
}

/// The object that a tendon wraps around.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrapped<'a> {
    /// Centre.
    pub(crate) pos: &'a [f64; 3],
    /// Axes in the columns, row-major.
    pub(crate) mat: &'a [f64; 9],
    /// Radius.
    pub(crate) radius: f64,
    /// What it is.
    pub(crate) shape: WrapShape,
}

/// Where a path touches an object, in the plane of the path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// End points of the path, in the frame of the object.
    ends: [Vec3; 2],
    /// Axes of the plane.
    axes: [Vec3; 2],
    /// The first and the last point on the circle.
    points: [Vec2; 2],
    /// Whether the path takes the second way around the circle; nothing when it is inside.
    second: Option<bool>,
}

impl Wrapped<'_> {
    /// Where the path from `x0` to `x1` touches; `None` when the straight path is free.
    pub(crate) fn touch(&self, x0: &Vec3, x1: &Vec3, side: Option<&Vec3>) -> Option<Touch> {
        let (mat, pos, radius) = (mat3(self.mat), Vec3::from(*self.pos), self.radius);
        let to_local = |x: &Vec3| mat.tr_mul(&(x - pos));
        let (p0, p1) = (to_local(x0), to_local(x1));
        if p0.norm() < MINVAL || p1.norm() < MINVAL {
            return None;
        }
        let axes = wrap_plane(self.shape, &p0, &p1);
        let project = |p: &Vec3| Vec2::new(p.dot(&axes[0]), p.dot(&axes[1]));
        let flat = [project(&p0), project(&p1)];
        let side_local = side.map(to_local);
        let (points, second) = match &side_local {
            Some(side) if side.norm() < radius => {
                let point = wrap_inside(&flat, radius)?;
                ([point, point], None)
            }
            _ => {
                let side = side_local.map(|side| normalized2(project(&side)) * radius);
                let (points, second) = wrap_circle(&flat, side.as_ref(), radius)?;
                (points, Some(second))
            }
        };
        Some(Touch { ends: [p0, p1], axes, points, second })
    }

    /// The path in space.
    pub(crate) fn path(&self, touch: &Touch) -> WrapPath {
        let Touch { ends: [p0, p1], axes, points, second } = touch;
        let mut length = second.map_or(0.0, |second| arc_length(&points[0], &points[1], second, self.radius));
        let in_space = |q: &Vec2| axes[0] * q.x + axes[1] * q.y;
        let mut local = [in_space(&points[0]), in_space(&points[1])];

        // cylinder: height grows in proportion to the length of the unrolled path
        if self.shape == WrapShape::Cylinder {
            let planar = |p: &Vec3, q: &Vec3| ((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y)).sqrt();
            let (before, after) = (planar(p0, &local[0]), planar(p1, &local[1]));
            let total = before + length + after;
            local[0].z = p0.z + (p1.z - p0.z) * before / total;
            local[1].z = p0.z + (p1.z - p0.z) * (before + length) / total;
            let height = local[1].z - local[0].z;
            length = (length * length + height * height).sqrt();
        }
        let (mat, pos) = (mat3(self.mat), Vec3::from(*self.pos));
        WrapPath { points: [mat * local[0] + pos, mat * local[1] + pos], length }
    }
}

/// Path from `x0` to `x1` around an object at `pos` with axes in the columns of `mat`; `None` when the
/// straight path is free. `side` is a point that tells on which side to pass, or, when it is inside the
/// object, that the tendon runs inside.
#[must_use]
pub fn wrap(
    x0: &Vec3,
    x1: &Vec3,
    pos: &Vec3,
    mat: &Mat3,
    radius: f64,
    shape: WrapShape,
    side: Option<&Vec3>,
) -> Option<WrapPath> {
    let (pos, mat) = ((*pos).into(), mat3_row(mat));
    let object = Wrapped { pos: &pos, mat: &mat, radius, shape };
    object.touch(x0, x1, side).map(|touch| object.path(&touch))
}
