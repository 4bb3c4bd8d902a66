//! Hull triangles merged into plane polygons.
//!
//! Triangles belong together when their normals round to the same pair of spherical angles, in steps of 0.01.
//! Triangles of one group that do not touch stay separate polygons. The outline of a polygon is what remains
//! of its triangles' directed edges after opposite ones have cancelled.

use std::collections::HashMap;

use super::polygon_order::BucketOrder;
use crate::assets::hash::FastHash;
use crate::assets::linalg::{V3, cross, dot, sub};
use kinetree_math::MINVAL;
use kinetree_model::Reference;

/// Rounding step of the normals' angles, in radians.
const ANGLE_STEP: f64 = 0.01;

/// The polygons of a hull as vertex loops, in the order of the reference level.
pub(super) fn hull_polygons(vert: &[V3], faces: &[[i32; 3]], reference: Reference) -> Vec<Vec<i32>> {
    let hash = if reference.mesh_polygons() { mixed_angle_hash } else { angle_hash };
    let mut known: HashMap<[i64; 2], usize, FastHash> = HashMap::with_hasher(FastHash);
    let mut order = BucketOrder::default();
    let mut groups: Vec<Outline> = Vec::new();
    for &face in faces {
        let [a, b, c] = face.map(|index| &vert[index as usize]);
        let Some(angles) = rounded_angles(a, b, c) else {
            continue;
        };
        let group = *known.entry(angles.map(|x| x as i64)).or_insert(groups.len());
        if group == groups.len() {
            order.insert(hash(angles));
            groups.push(Outline::default());
        }
        groups[group].insert(face);
    }
    let mut polygons = Vec::new();
    for group in order.iter() {
        groups[group].loops(&mut polygons);
    }
    polygons
}

/// Azimuth and polar angle of a triangle's normal in steps; `None` for a degenerate triangle.
fn rounded_angles(a: &V3, b: &V3, c: &V3) -> Option<[f64; 2]> {
    let normal = cross(&sub(b, a), &sub(c, a));
    let norm = dot(&normal, &normal).sqrt();
    if norm < MINVAL || norm.is_nan() {
        return None;
    }
    // adding zero turns −0 into +0, so that the azimuth of a normal in the x-z plane does not flip
    let [x, y, z] = normal.map(|n| n / norm + 0.0);
    if z.abs() > 1.0 - 1e-7 {
        let polar = if z < 0.0 { (std::f64::consts::PI / ANGLE_STEP).round() } else { 0.0 };
        return Some([0.0, polar]);
    }
    Some([(libm::atan2(y, x) / ANGLE_STEP).round(), (libm::acos(z) / ANGLE_STEP).round()])
}

/// Hash that decides the order of polygons in the compiled arrays.
fn angle_hash(angles: [f64; 2]) -> u64 {
    let [azimuth, polar] = angles.map(hash_bits);
    azimuth ^ polar
}

/// The same at reference level 4.0, which mixes the two angles as Boost's `hash_combine` does.
fn mixed_angle_hash(angles: [f64; 2]) -> u64 {
    let [azimuth, polar] = angles.map(hash_bits);
    let spread = (azimuth << 6).wrapping_add(azimuth >> 2);
    azimuth ^ polar.wrapping_add(0x9e37_79b9).wrapping_add(spread)
}

/// Both zeros hash alike.
fn hash_bits(x: f64) -> u64 {
    if x == 0.0 { 0 } else { x.to_bits() }
}

/// Directed boundary edges of a group of coplanar triangles, each with the number of its connected part.
#[derive(Default)]
struct Outline {
    edges: Vec<[i32; 2]>,
    parts: Vec<usize>,
    part_count: usize,
}

impl Outline {
    /// Adds a triangle: edges that were there in the opposite direction disappear, and parts it touches join.
    fn insert(&mut self, [a, b, c]: [i32; 3]) {
        let mut part: Option<usize> = None;
        let mut added = Vec::with_capacity(3);
        for [from, to] in [[a, b], [b, c], [c, a]] {
            let Some(at) = self.edges.iter().position(|e| *e == [to, from]) else {
                added.push([from, to]);
                continue;
            };
            let touched = self.parts[at];
            part = Some(match part {
                Some(current) if current != touched => self.join(current, touched),
                _ => touched,
            });
            self.edges.remove(at);
            self.parts.remove(at);
        }
        let part = part.unwrap_or_else(|| {
            self.part_count += 1;
            self.part_count - 1
        });
        self.parts.extend(added.iter().map(|_| part));
        self.edges.extend(added);
    }

    fn join(&mut self, a: usize, b: usize) -> usize {
        let (low, high) = (a.min(b), a.max(b));
        self.part_count -= 1;
        for part in &mut self.parts {
            if *part == high {
                *part = low;
            } else if *part > high {
                *part -= 1;
            }
        }
        low
    }

    /// Appends the closed loop of every part.
    fn loops(&self, out: &mut Vec<Vec<i32>>) {
        if let [[a, _], [b, _], [c, _]] = self.edges[..] {
            out.push(vec![a, b, c]);
            return;
        }
        let mut following: HashMap<(usize, i32), i32> = HashMap::new();
        for (edge, part) in self.edges.iter().zip(&self.parts).skip(1) {
            following.entry((*part, edge[0])).or_insert(edge[1]);
        }
        for part in 0..self.part_count {
            let Some(start) = self.parts.iter().position(|p| *p == part) else {
                continue;
            };
            let [first, mut next] = self.edges[start];
            let mut path = vec![first, next];
            for _ in 0..self.edges.len() {
                let Some(&after) = following.get(&(part, next)) else {
                    break;
                };
                next = after;
                if next == first {
                    if path.len() >= 3 {
                        out.push(path);
                    }
                    break;
                }
                path.push(next);
            }
        }
    }
}
