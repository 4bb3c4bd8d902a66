//! The initial tetrahedron.
//!
//! Starting from the points with smallest and largest x, points that maximise the determinant are added,
//! first among the six extreme points; all points are searched only when those give a suspiciously thin
//! simplex.

use super::arena::{Builder, NONE, TAIL, set_insert_unique};
use super::facet::PlaneState;
use super::{HullError, Point};

/// Determinants below this fraction of the expected size make the search go through all points.
const THIN: f64 = 1e-3;
/// Cosine between normals below which the hull counts as narrow.
const NARROW_COSINE: f64 = -0.99999999;

impl Builder<'_> {
    /// Builds the initial simplex and its planes.
    pub(super) fn create_first_simplex(&mut self, extremes: &[u32; 6]) -> Result<(), HullError> {
        let simplex = self.choose_simplex(extremes)?;
        let mut vertices = Vec::with_capacity(4);
        for point in simplex {
            vertices.push(self.create_vertex(point));
        }
        vertices.reverse();
        self.create_simplex(&vertices);
        self.reset_lists();
        self.facet_cursor = self.facet_head;
        self.interior = self.mean(&vertices);
        self.orient_simplex()?;
        self.check_simplex()
    }

    fn choose_simplex(&self, extremes: &[u32; 6]) -> Result<Vec<u32>, HullError> {
        let x = |point: u32| self.points[point as usize][0];
        let (mut low, mut high) = (extremes[0], extremes[0]);
        for &point in extremes {
            if x(high) < x(point) {
                high = point;
            }
            if x(low) > x(point) {
                low = point;
            }
        }
        let mut simplex = vec![low];
        set_insert_unique(&mut simplex, high);
        if simplex.len() < 2 {
            return Err(HullError::Flat);
        }
        let mut det = x(high) - x(low);
        for _ in 2..4 {
            let (point, next) = self.widest_point(&simplex, extremes, det)?;
            simplex.push(point);
            det = next;
        }
        Ok(simplex)
    }

    /// The point that spans the largest simplex with the ones so far, and its determinant.
    fn widest_point(
        &self,
        simplex: &[u32],
        extremes: &[u32; 6],
        previous: f64,
    ) -> Result<(u32, f64), HullError> {
        let mut best = NONE;
        let (mut best_det, mut best_near_zero) = (-1.0, false);
        for &point in extremes {
            if !simplex.contains(&point) && point != best {
                let (det, near_zero) = self.determinant(point, simplex);
                if det > best_det {
                    (best, best_det, best_near_zero) = (point, det, near_zero);
                }
            }
        }
        let target = previous * self.tol.width;
        let thin = best_det > 0.0 && best_det / target < THIN;
        if best == NONE || best_near_zero || thin {
            let enough = 10.0 * THIN * target;
            for point in 0..self.points.len() as u32 {
                if extremes.contains(&point) || simplex.contains(&point) {
                    continue;
                }
                let (det, near_zero) = self.determinant(point, simplex);
                if det > best_det {
                    (best, best_det) = (point, det);
                    if !near_zero && det > enough {
                        break;
                    }
                }
            }
        }
        if best == NONE {
            return Err(HullError::Flat);
        }
        Ok((best, best_det))
    }

    /// Absolute determinant of the simplex with the given apex, in as many coordinates as there are edges,
    /// and whether it may be rounding error.
    fn determinant(&self, apex: u32, simplex: &[u32]) -> (f64, bool) {
        let a = &self.points[apex as usize];
        let edge = |i: usize| -> Point {
            let p = &self.points[simplex[i] as usize];
            [p[0] - a[0], p[1] - a[1], p[2] - a[2]]
        };
        let det2 = |a1: f64, a2: f64, b1: f64, b2: f64| a1 * b2 - a2 * b1;
        let (det, zero) = if simplex.len() == 2 {
            let (e, f) = (edge(0), edge(1));
            (det2(e[0], e[1], f[0], f[1]), self.tol.near_zero[1])
        } else {
            let (e, f, g) = (edge(0), edge(1), edge(2));
            let det = e[0] * det2(f[1], f[2], g[1], g[2]) - f[0] * det2(e[1], e[2], g[1], g[2])
                + g[0] * det2(e[1], e[2], f[1], f[2]);
            (det, self.tol.near_zero[2])
        };
        (det.abs(), det.abs() < 10.0 * zero)
    }

    fn create_simplex(&mut self, vertices: &[u32]) {
        let mut created = Vec::with_capacity(4);
        for (i, &vertex) in vertices.iter().enumerate() {
            let facet = self.create_facet();
            let node = self.facet_mut(facet);
            node.vertices.extend(vertices.iter().filter(|v| **v != vertex));
            node.top = i % 2 == 0;
            self.append_facet(facet);
            self.append_vertex(vertex);
            created.push(facet);
        }
        for &facet in &created {
            let others = created.iter().copied().filter(|f| *f != facet);
            self.facet_mut(facet).neighbors.extend(others);
        }
    }

    fn orient_simplex(&mut self) -> Result<(), HullError> {
        let all = self.all_facets();
        let first = all[0];
        self.set_plane(first)?;
        self.facet_mut(first).plane = PlaneState::Outward;
        if self.distance(&self.interior, first) > self.tol.dist_round {
            for &facet in &all {
                let node = self.facet_mut(facet);
                node.top = !node.top;
            }
            self.set_plane(first)?;
        }
        for &facet in &all[1..] {
            self.set_plane(facet)?;
        }
        for &facet in &all {
            self.facet_mut(facet).plane = PlaneState::Outward;
            if self.distance(&self.interior, facet) > self.tol.dist_round {
                for &other in &all {
                    let node = self.facet_mut(other);
                    node.plane = PlaneState::Outward;
                    node.top = !node.top;
                    self.orient_outward(other);
                }
                break;
            }
        }
        Ok(())
    }

    /// Refuses a flat or non-convex simplex and notices a narrow one.
    fn check_simplex(&mut self) -> Result<(), HullError> {
        let all = self.all_facets();
        let mut min_cosine = f64::MAX;
        for &facet in &all {
            if !self.check_flipped(facet) {
                return Err(HullError::Flat);
            }
            for &neighbor in &self.facet(facet).neighbors {
                let (a, b) = (&self.facet(facet).normal, &self.facet(neighbor).normal);
                let mut cosine = 0.0;
                for k in 0..3 {
                    cosine += a[k] * b[k];
                }
                min_cosine = min_cosine.min(cosine);
            }
        }
        self.narrow = min_cosine < NARROW_COSINE;
        for &facet in &all {
            let node = self.facet(facet);
            for (&vertex, &neighbor) in node.vertices.iter().zip(&node.neighbors) {
                if self.vertex_distance(vertex, neighbor) >= -self.tol.dist_round {
                    return Err(HullError::Flat);
                }
            }
        }
        Ok(())
    }

    pub(super) fn all_facets(&self) -> Vec<u32> {
        let mut all = Vec::with_capacity(self.num_facets);
        let mut facet = self.facet_head;
        while facet != TAIL {
            all.push(facet);
            facet = self.facet(facet).next;
        }
        all
    }
}
