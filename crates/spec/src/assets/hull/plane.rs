//! Planes: distances, fitting, centres, and the flip test.

use super::arena::Builder;
use super::facet::PlaneState;
use super::{HullError, Point};

/// Unit normal and offset of a plane; points above have positive distance.
#[derive(Clone, Copy)]
struct Plane {
    normal: Point,
    offset: f64,
}

impl Builder<'_> {
    /// Signed distance of a position from a facet's plane.
    pub(super) fn distance(&self, p: &Point, facet: u32) -> f64 {
        let facet = self.facet(facet);
        facet.offset + p[0] * facet.normal[0] + p[1] * facet.normal[1] + p[2] * facet.normal[2]
    }

    /// Signed distance of an input point.
    pub(super) fn point_distance(&self, point: u32, facet: u32) -> f64 {
        self.distance(&self.points[point as usize], facet)
    }

    /// Signed distance of a vertex.
    pub(super) fn vertex_distance(&self, vertex: u32, facet: u32) -> f64 {
        self.distance(self.vertex_point(vertex), facet)
    }

    /// Fits the plane of a simplicial facet to its three vertices and tests its orientation.
    pub(super) fn set_plane(&mut self, facet: u32) -> Result<(), HullError> {
        let &[a, b, c] = self.facet(facet).vertices.as_slice() else {
            return Err(HullError::Internal("plane of a facet that is not a triangle"));
        };
        let corners = [*self.vertex_point(a), *self.vertex_point(b), *self.vertex_point(c)];
        let top = self.facet(facet).top;
        let mut plane = plane_by_cross(&corners, top);
        let mut reorient = false;

        // rounding can leave the other corners off the plane: solve for the normal with pivoting instead
        let off_plane = |p: &Point| {
            let n = &plane.normal;
            let dist = plane.offset + (p[0] * n[0] + p[1] * n[1] + p[2] * n[2]);
            dist > self.tol.dist_round || dist < -self.tol.dist_round
        };
        if corners[1..].iter().any(off_plane) {
            (plane, reorient) = self.plane_by_elimination(&corners, top);
        }

        let node = self.facet_mut(facet);
        node.normal = plane.normal;
        node.offset = plane.offset;
        if node.plane == PlaneState::Missing {
            node.plane = PlaneState::Outward;
        }
        if reorient {
            self.orient_outward(facet);
        }
        self.check_flipped(facet);
        Ok(())
    }

    /// Normal by Gaussian elimination of the edge vectors; the flag says that the orientation is uncertain.
    fn plane_by_elimination(&self, corners: &[Point; 3], top: bool) -> (Plane, bool) {
        let edge = |p: &Point| [p[0] - corners[0][0], p[1] - corners[0][1], p[2] - corners[0][2]];
        let mut rows = [edge(&corners[1]), edge(&corners[2])];
        let mut negative = top;
        let mut near_zero = false;

        // forward elimination, two rows and three columns
        if rows[1][0].abs() > rows[0][0].abs() {
            rows.swap(0, 1);
            negative = !negative;
        }
        let pivot = rows[0][0];
        near_zero |= pivot.abs() <= self.tol.near_zero[0];
        if pivot != 0.0 {
            let factor = rows[1][0] / pivot;
            rows[1][1] -= factor * rows[0][1];
            rows[1][2] -= factor * rows[0][2];
        }
        near_zero |= rows[1][1].abs() <= self.tol.near_zero[1];
        for k in [1, 0] {
            if rows[k][k] < 0.0 {
                negative = !negative;
            }
        }

        // back substitution
        let unit = if negative { -1.0 } else { 1.0 };
        let mut normal = [0.0, 0.0, unit];
        for i in [1, 0] {
            let mut sum = 0.0;
            for j in i + 1..3 {
                sum -= rows[i][j] * normal[j];
            }
            match divide(sum, rows[i][i], self.tol.min_divisor) {
                Some(quotient) => normal[i] = quotient,
                None => {
                    near_zero = true;
                    normal[i] = unit;
                    normal[i + 1..].fill(0.0);
                }
            }
        }
        normalize(&mut normal, true);
        let p = &corners[0];
        let mut offset = -(p[0] * normal[0]);
        offset -= p[1] * normal[1];
        offset -= p[2] * normal[2];
        (Plane { normal, offset }, near_zero)
    }

    /// Orients the plane so that the interior point is below it.
    pub(super) fn orient_outward(&mut self, facet: u32) {
        if self.distance(&self.interior, facet) > 0.0 {
            let node = self.facet_mut(facet);
            node.normal = node.normal.map(|x| -x);
            node.offset = -node.offset;
        }
    }

    /// Marks a facet that does not clearly have the interior point below it; returns whether it is fine.
    pub(super) fn check_flipped(&mut self, facet: u32) -> bool {
        if self.facet(facet).is_flipped() {
            return false;
        }
        if self.distance(&self.interior, facet) >= -self.tol.dist_round {
            self.facet_mut(facet).plane = PlaneState::Flipped;
            return false;
        }
        true
    }

    /// Mean position of some vertices.
    pub(super) fn mean(&self, vertices: &[u32]) -> Point {
        let mut center = [0.0; 3];
        for (k, x) in center.iter_mut().enumerate() {
            for &vertex in vertices {
                *x += self.vertex_point(vertex)[k];
            }
            *x /= vertices.len() as f64;
        }
        center
    }

    /// The facet's centre: mean of its vertices projected onto its plane, computed once until a merge changes
    /// it.
    pub(super) fn facet_center(&mut self, facet: u32) -> Point {
        if let Some(center) = self.facet(facet).center {
            return center;
        }
        let mean = self.mean(&self.facet(facet).vertices);
        let dist = self.distance(&mean, facet);
        let normal = self.facet(facet).normal;
        let center = [mean[0] - dist * normal[0], mean[1] - dist * normal[1], mean[2] - dist * normal[2]];
        self.facet_mut(facet).center = Some(center);
        center
    }

    /// How far the vertices of `facet` that are not in `neighbor` lie below and above its plane.
    pub(super) fn spread(&mut self, facet: u32, neighbor: u32) -> Spread {
        for i in 0..self.facet(facet).vertices.len() {
            let vertex = self.facet(facet).vertices[i];
            self.vertex_mut(vertex).seen = false;
        }
        for i in 0..self.facet(neighbor).vertices.len() {
            let vertex = self.facet(neighbor).vertices[i];
            self.vertex_mut(vertex).seen = true;
        }
        let (mut min, mut max) = (0.0, 0.0);
        for &vertex in &self.facet(facet).vertices {
            if !self.vertex(vertex).seen {
                let dist = self.vertex_distance(vertex, neighbor);
                if dist < min {
                    min = dist;
                } else if dist > max {
                    max = dist;
                }
            }
        }
        Spread { min, max }
    }
}

/// Range of distances of one facet's vertices from another's plane; contains zero.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spread {
    pub(super) min: f64,
    pub(super) max: f64,
}

impl Spread {
    /// Largest absolute distance.
    pub(super) fn size(&self) -> f64 {
        if self.max > -self.min { self.max } else { -self.min }
    }
}

fn plane_by_cross(corners: &[Point; 3], top: bool) -> Plane {
    let [p, q, r] = corners;
    let d1 = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
    let d2 = [r[0] - p[0], r[1] - p[1], r[2] - p[2]];
    let mut normal =
        [d2[1] * d1[2] - d2[2] * d1[1], d1[0] * d2[2] - d1[2] * d2[0], d2[0] * d1[1] - d2[1] * d1[0]];
    normalize(&mut normal, top);
    let offset = -(p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2]);
    Plane { normal, offset }
}

/// Makes a normal unit length, reversed unless `top`; a zero vector becomes the space diagonal.
fn normalize(normal: &mut Point, top: bool) {
    let norm = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
    if norm == 0.0 {
        *normal = [(1.0f64 / 3.0).sqrt(); 3];
        return;
    }
    let signed = if top { norm } else { -norm };
    for x in normal {
        *x /= signed;
    }
}

/// Quotient, or `None` when the divisor is too small for it to mean anything.
fn divide(numerator: f64, divisor: f64, min_divisor: f64) -> Option<f64> {
    if divisor.abs() > min_divisor {
        return Some(numerator / divisor);
    }
    let tiny = (f64::MIN_POSITIVE * 3.0).sqrt();
    if numerator < tiny && numerator > -tiny {
        return (numerator.abs() < divisor.abs()).then(|| numerator / divisor);
    }
    let ratio = divisor / numerator;
    (ratio > tiny || ratio < -tiny).then(|| numerator / divisor)
}
