//! Signed distance of a point from a closed surface of triangles.
//!
//! The nearest triangle is found through the tree of boxes over the faces; the sign is that of the side of
//! its plane on which the point is.

use crate::assets::linalg::{V3, cross, dot, normalize, sub};
use kinetree_collide::bvh::BvhTree;

/// Squared distance that any triangle is nearer than (m²).
const FAR: f64 = 1e20;

/// Triangles with the tree of boxes over them.
pub(super) struct Faces<'a> {
    pub(super) vert: &'a [V3],
    pub(super) face: &'a [[i32; 3]],
    pub(super) tree: &'a BvhTree,
}

impl Faces<'_> {
    fn corners(&self, face: usize) -> [&V3; 3] {
        self.face[face].map(|i| &self.vert[i as usize])
    }
}

/// The nearest point so far: its squared distance, its face, and its coordinates along two edges.
struct Nearest {
    squared: f64,
    face: Option<usize>,
    coordinates: [f64; 2],
}

/// Signed distance of a point, negative inside.
pub(super) fn signed_distance(faces: &Faces<'_>, point: &V3) -> f64 {
    if faces.tree.is_empty() {
        return 0.0;
    }
    let mut nearest = Nearest { squared: FAR, face: None, coordinates: [0.0; 2] };
    search(faces, 0, point, &mut nearest);
    let distance = nearest.squared.sqrt();
    let Some(face) = nearest.face else { return distance };
    let [a, b, c] = faces.corners(face);
    let (ab, ac) = (sub(b, a), sub(c, a));
    let mut normal = cross(&ab, &ac);
    let [u, v] = nearest.coordinates;
    let offset: V3 = std::array::from_fn(|k| point[k] - (a[k] + u * ab[k] + v * ac[k]));
    let side = dot(&offset, &normal);
    let length = normalize(&mut normal);
    if side > 1e-12 * length * distance { distance } else { -distance }
}

fn search(faces: &Faces<'_>, node: usize, point: &V3, nearest: &mut Nearest) {
    if box_distance(&faces.tree.aabb[node], point) >= nearest.squared {
        return;
    }
    let children = faces.tree.child[node];
    if children == [-1, -1] {
        if let Ok(face) = usize::try_from(faces.tree.nodeid[node]) {
            let (squared, coordinates) = triangle_distance(point, faces.corners(face));
            if squared < nearest.squared {
                *nearest = Nearest { squared, face: Some(face), coordinates };
            }
        }
        return;
    }
    for child in children.into_iter().filter_map(|child| usize::try_from(child).ok()) {
        search(faces, child, point, nearest);
    }
}

/// Squared distance from a box.
fn box_distance(aabb: &[f64; 6], point: &V3) -> f64 {
    let mut squared = 0.0;
    for k in 0..3 {
        let (low, high) = (aabb[k] - aabb[k + 3], aabb[k] + aabb[k + 3]);
        if point[k] < low {
            squared += (low - point[k]) * (low - point[k]);
        } else if point[k] > high {
            squared += (point[k] - high) * (point[k] - high);
        }
    }
    squared
}

/// Squared distance from a triangle, and the coordinates of its nearest point along the edges from the first
/// corner, by the Voronoi region that the point is in (Ericson, 2004).
fn triangle_distance(p: &V3, [a, b, c]: [&V3; 3]) -> (f64, [f64; 2]) {
    let (ab, ac, ap) = (sub(b, a), sub(c, a), sub(p, a));
    let at = |u: f64, v: f64| {
        let off: V3 = std::array::from_fn(|k| p[k] - (a[k] + u * ab[k] + v * ac[k]));
        (dot(&off, &off), [u, v])
    };
    let (d1, d2) = (dot(&ab, &ap), dot(&ac, &ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (dot(&ap, &ap), [0.0, 0.0]);
    }
    let bp = sub(p, b);
    let (d3, d4) = (dot(&ab, &bp), dot(&ac, &bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (dot(&bp, &bp), [1.0, 0.0]);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return at(d1 / (d1 - d3), 0.0);
    }
    let cp = sub(p, c);
    let (d5, d6) = (dot(&ab, &cp), dot(&ac, &cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (dot(&cp, &cp), [0.0, 1.0]);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return at(0.0, d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    let (along_b, along_c) = (d4 - d3, d5 - d6);
    if va <= 0.0 && along_b >= 0.0 && along_c >= 0.0 {
        let w = along_b / (along_b + along_c);
        let bc = sub(c, b);
        let off: V3 = std::array::from_fn(|k| p[k] - (b[k] + w * bc[k]));
        return (dot(&off, &off), [1.0 - w, w]);
    }
    let scale = 1.0 / (va + vb + vc);
    at(vb * scale, vc * scale)
}
