//! The point of a simplex that is closest to the origin, as barycentric coordinates.
//!
//! The signed-volumes method of Montanari, Petrinic and Barbieri (2017, ACM ToG 36(3)): compare the signs of
//! the volumes (areas, lengths) that the origin spans with the facets of the simplex. If all agree, the
//! origin projects inside; otherwise the answer lies on one of the facets whose sign disagrees, which are
//! searched one dimension down. Coordinates of vertices that do not matter are exactly zero.

use super::vec::Point;
use kinetree_math::MINVAL;
use wide::f64x4;

/// Both strictly positive or both strictly negative.
#[inline(always)]
fn same_sign(a: f64, b: f64) -> bool {
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

/// Closest point of the segment `a b`.
#[inline(always)]
pub(crate) fn closest_on_segment(a: Point, b: Point) -> [f64; 2] {
    let along = b - a;
    let t = -(b.dot(along) / along.norm2());
    let foot = b + along * t;

    // measure along the coordinate in which the segment is longest; the last one wins a tie
    let (extents, to_b, to_a) = ((a - b).array(), (foot - b).array(), (a - foot).array());
    let mut longest = (extents[0], to_b[0], to_a[0]);
    for i in 1..3 {
        longest = if extents[i].abs() >= longest.0.abs() { (extents[i], to_b[i], to_a[i]) } else { longest };
    }
    let (extent, to_b, to_a) = longest;
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
pub(crate) fn project_on_plane(a: Point, b: Point, c: Point) -> Option<Point> {
    let (ab, bc) = (b - a, c - b);
    let normal = bc.cross(ab);
    let offset = normal.dot(b);
    let norm2 = normal.norm2();
    if norm2 == 0.0 {
        return None;
    }
    if offset != 0.0 && norm2 > MINVAL {
        return Some(normal * (offset / norm2));
    }
    project_from_other_corners(a, c, ab, bc)
}

/// The rest of [`project_on_plane`], needed only for thin triangles.
#[cold]
fn project_from_other_corners(a: Point, c: Point, ab: Point, bc: Point) -> Option<Point> {
    let ac = c - a;
    let normal = ab.cross(ac);
    let offset = normal.dot(a);
    let norm2 = normal.norm2();
    if norm2 == 0.0 {
        return None;
    }
    if offset != 0.0 && norm2 > MINVAL {
        return Some(normal * (offset / norm2));
    }
    let normal = ac.cross(bc);
    Some(normal * (normal.dot(c) / normal.norm2()))
}

/// Signed areas of a triangle and of the three triangles that `p` spans with its sides, in the coordinate
/// plane where the triangle looks largest.
pub(crate) struct Areas {
    pub(crate) whole: f64,
    pub(crate) part: [f64; 3],
}

impl Areas {
    #[inline]
    pub(crate) fn new(a: Point, b: Point, c: Point, p: Point) -> Self {
        // in all three planes at once
        let [(ax, ay), (bx, by), (cx, cy), (px, py)] = [a, b, c, p].map(|q| (q.yxx(), q.zzy()));
        let whole = bx * cy - by * cx - ax * cy + ay * cx + ax * by - ay * bx;
        let area = |qx: Point, qy: Point, rx: Point, ry: Point| {
            (px * qy + py * rx + qx * ry - px * ry - py * qx - rx * qy).array()
        };
        let (pbc, pca, pab) = (area(bx, by, cx, cy), area(cx, cy, ax, ay), area(ax, ay, bx, by));

        let whole = whole.array();
        let [size_x, size_y, size_z] = whole.map(f64::abs);
        let plane = if size_x >= size_y && size_x >= size_z { 0 } else { 2 - usize::from(size_y >= size_z) };
        Self { whole: whole[plane], part: [pbc[plane], pca[plane], pab[plane]] }
    }

    /// Affine coordinates of the point.
    #[inline]
    pub(crate) fn coordinates(&self) -> Point {
        Point::from(self.part).divided_by(self.whole)
    }
}

/// Closest point of the triangle `a b c`.
#[inline]
pub(crate) fn closest_on_triangle(a: &Point, b: &Point, c: &Point) -> Point {
    let (a, b, c) = (*a, *b, *c);
    let Some(foot) = project_on_plane(a, b, c) else {
        let [la, lb] = closest_on_segment(a, b);
        return Point::new(la, lb, 0.0);
    };
    let areas = Areas::new(a, b, c, foot);
    let inside = areas.part.map(|part| same_sign(areas.whole, part));
    if inside[0] && inside[1] && inside[2] {
        return areas.coordinates();
    }

    let mut best = Point::default();
    let mut nearest = f64::MAX;
    if !inside[0] {
        let [lb, lc] = closest_on_segment(b, c);
        nearest = (b * lb + c * lc).norm2();
        best = Point::new(0.0, lb, lc);
    }
    if !inside[1] {
        let [la, lc] = closest_on_segment(a, c);
        let distance = (a * la + c * lc).norm2();
        if distance < nearest {
            nearest = distance;
            best = Point::new(la, 0.0, lc);
        }
    }
    if !inside[2] {
        let [la, lb] = closest_on_segment(a, b);
        if (a * la + b * lb).norm2() < nearest {
            best = Point::new(la, lb, 0.0);
        }
    }
    best
}

/// Closest point of the tetrahedron `s`.
///
/// With `accept_flat`, the weight of the last vertex survives from an earlier candidate face when the face
/// without that vertex turns out closest. The sum of weights is then more than one, and the tetrahedron looks
/// as if it held the origin: a search over a nearly flat tetrahedron ends there and leaves the pair to EPA.
/// The reference works like that, and contacts have to agree with it.
#[inline]
pub(crate) fn closest_on_tetrahedron(s: [&Point; 4], accept_flat: bool) -> f64x4 {
    let det = |i: usize, j: usize, k: usize| s[i].dot(s[j].cross(*s[k]));
    let volume = [-det(1, 2, 3), det(0, 2, 3), -det(0, 1, 3), det(0, 1, 2)];
    let whole = volume[0] + volume[1] + volume[2] + volume[3];
    let inside = volume.map(|part| same_sign(whole, part));
    if inside == [true; 4] {
        return f64x4::new(volume) / f64x4::splat(whole);
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
        let weights = closest_on_triangle(a, b, c).array();
        let distance = (*a * weights[0] + *b * weights[1] + *c * weights[2]).norm2();
        // the first face is taken unseen, as a start
        if left_out == 0 || distance < nearest {
            nearest = distance;
            best[left_out] = if accept_flat && left_out == 3 { best[3] } else { 0.0 };
            for (vertex, weight) in face.into_iter().zip(weights) {
                best[vertex] = weight;
            }
        }
    }
    f64x4::new(best)
}
