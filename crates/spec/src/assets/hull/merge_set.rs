//! Which facets and vertices are waiting to be merged, and in what order.

use std::cmp::Ordering;

use super::HullError;
use super::arena::{Builder, DUPLICATE_RIDGE};
use super::facet::Pending;
use super::pending::{Cause, FacetMerge, VertexMerge};
use super::ridge::Convexity;

impl Builder<'_> {
    /// Files a merge under its priority. Facets that are already redundant are not merged for another cause.
    pub(super) fn request_merge(
        &mut self,
        facet: u32,
        neighbor: u32,
        cause: Cause,
        distance: f64,
    ) -> Result<(), HullError> {
        let (first, second) = (self.facet(facet), self.facet(neighbor));
        if (first.is_redundant() && cause != Cause::Mirror) || second.is_redundant() {
            return Ok(());
        }
        if first.pending == Pending::Degenerate && cause == Cause::Degenerate {
            return Ok(());
        }
        if second.is_flipped() && !first.is_flipped() && cause != Cause::DuplicateEdge {
            return Err(HullError::Degenerate("merge into a flipped facet"));
        }
        let merge = FacetMerge { facet, neighbor, cause, distance };
        match cause {
            Cause::Degenerate => {
                self.facet_mut(facet).pending = Pending::Degenerate;
                let list = &mut self.merges.degenerate;
                if list.last().is_none_or(|last| last.cause == Cause::Degenerate) {
                    list.push(merge);
                } else {
                    list.insert(0, merge);
                }
            }
            Cause::Redundant => {
                self.facet_mut(facet).pending = Pending::Redundant;
                self.merges.degenerate.push(merge);
            }
            Cause::Mirror => {
                if first.is_redundant() || first.vertices != second.vertices {
                    return Err(HullError::Internal("mirrored facets differ"));
                }
                self.facet_mut(facet).pending = Pending::Redundant;
                self.facet_mut(neighbor).pending = Pending::Redundant;
                self.merges.degenerate.push(merge);
            }
            _ => self.merges.facets.push(merge),
        }
        Ok(())
    }

    /// Sorts facet merges so that the most urgent is last: lowest cause, then smallest distance.
    fn sort_merges(&mut self) {
        self.merges.facets.sort_by(|a, b| {
            let by_distance = b.distance.partial_cmp(&a.distance).unwrap_or(Ordering::Equal);
            b.cause.cmp(&a.cause).then(by_distance)
        });
    }

    /// Tests all new facets against all their neighbours.
    pub(super) fn collect_first_merges(&mut self) -> Result<(), HullError> {
        self.visit += 1;
        let stamp = self.visit;
        let mut facet = self.new_facets;
        while Self::in_list(facet) {
            self.facet_mut(facet).visit = stamp;
            for i in 0..self.facet(facet).neighbors.len() {
                let neighbor = self.facet(facet).neighbors[i];
                if self.facet(neighbor).visit == stamp || !self.test_convexity(facet, neighbor)? {
                    continue;
                }
                let shared = self
                    .facet(neighbor)
                    .ridges
                    .iter()
                    .copied()
                    .find(|r| self.ridge(*r).other(neighbor) == facet);
                if let Some(ridge) = shared {
                    self.ridge_mut(ridge).convexity = Convexity::Nonconvex;
                }
            }
            self.facet_mut(facet).tested = true;
            for i in 0..self.facet(facet).ridges.len() {
                let ridge = self.facet(facet).ridges[i];
                self.ridge_mut(ridge).set_tested();
            }
            facet = self.facet(facet).next;
        }
        self.sort_merges();
        Ok(())
    }

    /// Tests the ridges that merges have changed.
    pub(super) fn collect_merges(&mut self) -> Result<(), HullError> {
        self.visit += 1;
        let stamp = self.visit;
        let mut facet = self.new_facets;
        while Self::in_list(facet) {
            if !self.facet(facet).tested {
                self.facet_mut(facet).visit = stamp;
                for i in 0..self.facet(facet).neighbors.len() {
                    let neighbor = self.facet(facet).neighbors[i];
                    self.facet_mut(neighbor).seen = false;
                }
                for i in 0..self.facet(facet).ridges.len() {
                    self.test_ridge(facet, self.facet(facet).ridges[i], stamp)?;
                }
                self.facet_mut(facet).tested = true;
            }
            facet = self.facet(facet).next;
        }
        self.sort_merges();
        Ok(())
    }

    fn test_ridge(&mut self, facet: u32, ridge: u32, stamp: u32) -> Result<(), HullError> {
        if self.ridge(ridge).convexity == Convexity::Convex {
            return Ok(());
        }
        let neighbor = self.ridge(ridge).other(facet);
        if self.facet(neighbor).seen {
            // one ridge to each neighbour is enough
            self.ridge_mut(ridge).convexity = Convexity::Convex;
        } else if self.facet(neighbor).visit != stamp {
            self.facet_mut(neighbor).seen = true;
            let nonconvex = self.test_convexity(facet, neighbor)?;
            self.ridge_mut(ridge).convexity =
                if nonconvex { Convexity::Nonconvex } else { Convexity::Convex };
        }
        Ok(())
    }

    /// Requests a merge unless each facet's centre is clearly below the other facet.
    fn test_convexity(&mut self, facet: u32, neighbor: u32) -> Result<bool, HullError> {
        let radius = self.tol.centrum_radius;
        let center = self.facet_center(facet);
        let dist = self.distance(&center, neighbor);
        let center = self.facet_center(neighbor);
        let back = self.distance(&center, facet);
        let concave = dist > radius || back > radius;
        let is_coplanar = |d: f64| d <= radius && d >= -radius;
        let coplanar = is_coplanar(dist) || is_coplanar(back);
        match (concave, coplanar) {
            (false, false) => return Ok(false),
            (true, true) if dist > back => {
                self.request_merge(facet, neighbor, Cause::ConcaveCoplanar, dist)?;
            }
            (true, true) => self.request_merge(neighbor, facet, Cause::ConcaveCoplanar, back)?,
            (true, false) => self.request_merge(facet, neighbor, Cause::Concave, dist.max(back))?,
            (false, true) => {
                let nearest = dist.abs().min(back.abs());
                self.request_merge(facet, neighbor, Cause::Coplanar, nearest)?;
            }
        }
        Ok(true)
    }

    /// Requests that two vertices be merged because the given ridges join the same vertices.
    pub(super) fn request_vertex_merge(&mut self, ridge: u32, other: u32) {
        let [destination, vertex] = self.ridge(other).vertices;
        let (p, q) = (self.vertex_point(destination), self.vertex_point(vertex));
        let mut square = 0.0;
        for k in 0..3 {
            square += (p[k] - q[k]) * (p[k] - q[k]);
        }
        self.merges.vertices.push(VertexMerge {
            vertex,
            destination,
            distance: square.sqrt(),
            ridges: [ridge, other],
        });
    }

    /// Whether a mirror merge of the two facets is pending.
    pub(super) fn has_mirror_merge(&self, a: u32, b: u32) -> bool {
        self.merges.degenerate.iter().any(|m| {
            m.cause == Cause::Mirror
                && ((m.facet == a && m.neighbor == b) || (m.facet == b && m.neighbor == a))
        })
    }

    /// Whether a facet slot holds a real facet.
    pub(super) fn is_facet(slot: u32) -> bool {
        slot < DUPLICATE_RIDGE
    }
}
