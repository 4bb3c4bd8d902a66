//! The point of a simplex that is closest to the origin, as barycentric coordinates.
//!
//! The signed-volumes method of Montanari, Petrinic and Barbieri (2017, ACM ToG 36(3)): compare the signs of the
//! volumes (areas, lengths) that the origin spans with the facets of the simplex. If all agree, the origin projects
//! inside; otherwise the answer lies on one of the facets whose sign disagrees, which are searched one dimension
//! down. Coordinates of vertices that do not matter are exactly zero.

use super::vec::{V3, blend2, blend3, cross, det, dot, scale, sub};
use kinetree_math::MINVAL;

/// Both strictly positive or both strictly negative.
#[inline(always)]
fn same_sign(a: f64, b: f64) -> bool {
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

/// Closest point of the segment `a b`.
#[inline]
pub(crate) fn closest_on_segment(a: &V3, b: &V3) -> [f64; 2] {
    let along = sub(b, a);
    let t = -(dot(b, &along) / dot(&along, &along));
    let foot = [b[0] + t * along[0], b[1] + t * along[1], b[2] + t * along[2]];

    // measure along the coordinate in which the segment is longest; the last one wins a tie
    let mut extent = a[0] - b[0];
    let mut axis = 0;
    for i in 1..3 {
        let candidate = a[i] - b[i];
        if candidate.abs() >= extent.abs() {
            (extent, axis) = (candidate, i);
        }
    }
    let to_b = foot[axis] - b[axis];
    let to_a = a[axis] - foot[axis];
    if same_sign(extent, to_b) && same_sign(extent, to_a) {
        [to_b / extent, to_a / extent]
    } else {
        [0.0, 1.0]
    }
}

/// Origin projected onto the plane through `a`, `b`, `c`; `None` where they span no plane.
///
/// The normal is taken at each corner in turn until one gives a usable result.
#[inline]
pub(crate) fn project_on_plane(a: &V3, b: &V3, c: &V3) -> Option<V3> {
    let (ab, bc) = (sub(b, a), sub(c, b));
    let normal = cross(&bc, &ab);
    let offset = dot(&normal, b);
    let norm2 = dot(&normal, &normal);
    if norm2 == 0.0 {
        return None;
    }
    if offset != 0.0 && norm2 > MINVAL {
        return Some(scale(&normal, offset / norm2));
    }
    project_from_other_corners(a, c, &ab, &bc)
}

/// The rest of [`project_on_plane`], needed only for thin triangles.
#[cold]
fn project_from_other_corners(a: &V3, c: &V3, ab: &V3, bc: &V3) -> Option<V3> {
    let ac = sub(c, a);
    let normal = cross(ab, &ac);
    let offset = dot(&normal, a);
    let norm2 = dot(&normal, &normal);
    if norm2 == 0.0 {
        return None;
    }
    if offset != 0.0 && norm2 > MINVAL {
        return Some(scale(&normal, offset / norm2));
    }
    let normal = cross(&ac, bc);
    Some(scale(&normal, dot(&normal, c) / dot(&normal, &normal)))
}

/// Signed areas of a triangle and of the three triangles that `p` spans with its sides, in the coordinate plane
/// where the triangle looks largest.
pub(crate) struct Areas {
    pub(crate) whole: f64,
    pub(crate) part: [f64; 3],
}

impl Areas {
    #[inline]
    pub(crate) fn new(a: &V3, b: &V3, c: &V3, p: &V3) -> Self {
        let shadow = |x: usize, y: usize| {
            b[x] * c[y] - b[y] * c[x] - a[x] * c[y] + a[y] * c[x] + a[x] * b[y] - a[y] * b[x]
        };
        let (along_x, along_y, along_z) = (shadow(1, 2), shadow(0, 2), shadow(0, 1));
        let (size_x, size_y, size_z) = (along_x.abs(), along_y.abs(), along_z.abs());
        let (whole, x, y) = if size_x >= size_y && size_x >= size_z {
            (along_x, 1, 2)
        } else if size_y >= size_z {
            (along_y, 0, 2)
        } else {
            (along_z, 0, 1)
        };
        let area = |q: &V3, r: &V3| {
            p[x] * q[y] + p[y] * r[x] + q[x] * r[y] - p[x] * r[y] - p[y] * q[x] - r[x] * q[y]
        };
        Self { whole, part: [area(b, c), area(c, a), area(a, b)] }
    }

    /// Affine coordinates of the point.
    #[inline]
    pub(crate) fn coordinates(&self) -> V3 {
        [self.part[0] / self.whole, self.part[1] / self.whole, self.part[2] / self.whole]
    }
}

/// Closest point of the triangle `a b c`.
#[inline]
pub(crate) fn closest_on_triangle(a: &V3, b: &V3, c: &V3) -> V3 {
    let Some(foot) = project_on_plane(a, b, c) else {
        let [la, lb] = closest_on_segment(a, b);
        return [la, lb, 0.0];
    };
    let areas = Areas::new(a, b, c, &foot);
    let inside = areas.part.map(|part| same_sign(areas.whole, part));
    if inside[0] && inside[1] && inside[2] {
        return areas.coordinates();
    }

    let mut best = [0.0; 3];
    let mut nearest = f64::MAX;
    if !inside[0] {
        let [lb, lc] = closest_on_segment(b, c);
        let x = blend2(&[lb, lc], b, c);
        nearest = dot(&x, &x);
        best = [0.0, lb, lc];
    }
    if !inside[1] {
        let [la, lc] = closest_on_segment(a, c);
        let x = blend2(&[la, lc], a, c);
        let distance = dot(&x, &x);
        if distance < nearest {
            nearest = distance;
            best = [la, 0.0, lc];
        }
    }
    if !inside[2] {
        let [la, lb] = closest_on_segment(a, b);
        let x = blend2(&[la, lb], a, b);
        if dot(&x, &x) < nearest {
            best = [la, lb, 0.0];
        }
    }
    best
}

/// Closest point of the tetrahedron `s`.
///
/// With `carry`, the weight of the last vertex survives from an earlier candidate face when the face without that
/// vertex turns out closest. The sum of weights is then more than one, and the tetrahedron looks as if it held the
/// origin: a search over a nearly flat tetrahedron ends there and leaves the pair to EPA. The reference works like
/// that, and contacts have to agree with it.
#[inline]
pub(crate) fn closest_on_tetrahedron(s: [&V3; 4], carry: bool) -> [f64; 4] {
    let volume =
        [-det(s[1], s[2], s[3]), det(s[0], s[2], s[3]), -det(s[0], s[1], s[3]), det(s[0], s[1], s[2])];
    let whole = volume[0] + volume[1] + volume[2] + volume[3];
    let inside = volume.map(|part| same_sign(whole, part));
    if inside == [true; 4] {
        return volume.map(|part| part / whole);
    }

    // each face leaves out one vertex
    const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];
    let mut best = [0.0; 4];
    let mut nearest = f64::MAX;
    for (left_out, face) in FACES.into_iter().enumerate() {
        if inside[left_out] {
            continue;
        }
        let (a, b, c) = (s[face[0]], s[face[1]], s[face[2]]);
        let weights = closest_on_triangle(a, b, c);
        let x = blend3(&weights, a, b, c);
        let distance = dot(&x, &x);
        // the first face is taken unseen, as a start
        if left_out == 0 || distance < nearest {
            nearest = distance;
            best[left_out] = if carry && left_out == 3 { best[3] } else { 0.0 };
            for (vertex, weight) in face.into_iter().zip(weights) {
                best[vertex] = weight;
            }
        }
    }
    best
}
