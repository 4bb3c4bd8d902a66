//! Cutting merged polygons into triangles.
//!
//! Each polygon becomes a fan from its newest vertex to all its ridges. Fans of the two ridges at that vertex
//! are empty and are unlinked; two triangles that fold back onto each other cancel.

use super::HullError;
use super::arena::{Builder, NONE, TAIL, set_replace};
use super::facet::{Horizon, PlaneState, Shape};
use super::pending::Cause;

impl Builder<'_> {
    /// Triangulates every polygon of the finished hull.
    pub(super) fn triangulate(&mut self) -> Result<(), HullError> {
        if !self.vertex_neighbors {
            return Ok(());
        }
        self.visit += 1;
        self.new_vertices = TAIL;
        let mut first_changed = NONE;
        let mut fans = Vec::new();
        for facet in self.all_facets() {
            if !self.facet(facet).is_removed() && !self.facet(facet).is_triangle() {
                self.triangulate_polygon(facet, &mut first_changed, &mut fans)?;
            }
        }
        for &facet in &fans {
            let node = self.facet(facet);
            if !node.is_removed() && node.vertices[0] == node.vertices[1] {
                let &[first, second, ..] = node.neighbors.as_slice() else {
                    return Err(HullError::Internal("empty triangle without neighbours"));
                };
                self.relink(facet, first, facet, second)?;
                self.will_delete(facet, NONE);
            }
        }
        self.visible_facets = TAIL;
        while let Some(merge) = self.merges.degenerate.pop() {
            if merge.cause == Cause::Mirror {
                self.cancel_mirrored(merge.facet, merge.neighbor)?;
            }
        }
        self.new_vertices = first_changed;
        self.visible_facets = NONE;
        self.update_vertex_neighbors();
        self.reset_lists();
        for facet in self.all_facets() {
            if self.facet(facet).is_removed() {
                self.delete_facet(facet);
            }
        }
        Ok(())
    }

    fn triangulate_polygon(
        &mut self,
        polygon: u32,
        first_changed: &mut u32,
        fans: &mut Vec<u32>,
    ) -> Result<(), HullError> {
        self.first_new_id = self.upcoming_id();
        for i in 0..self.facet(polygon).neighbors.len() {
            let neighbor = self.facet(polygon).neighbors[i];
            let node = self.facet_mut(neighbor);
            node.seen = false;
            node.horizon = Horizon::Below;
        }
        self.visible_facets = TAIL;
        self.new_facets = TAIL;
        self.facet_mut(polygon).visit = self.visit;
        let apex = self.facet(polygon).vertices[0];
        self.cone_from_ridges(polygon, apex)?;
        self.will_delete(polygon, NONE);

        let (normal, offset) = (self.facet(polygon).normal, self.facet(polygon).offset);
        let mut facet = self.new_facets;
        while Self::in_list(facet) {
            let node = self.facet_mut(facet);
            node.shape = Shape::FanTriangle;
            node.normal = normal;
            node.offset = offset;
            node.plane = PlaneState::Outward;
            fans.push(facet);
            facet = node.next;
        }
        self.match_new_facets()?;
        if *first_changed == NONE {
            *first_changed = self.new_vertices;
        }
        self.new_vertices = NONE;
        self.visible_facets = NONE;
        self.update_vertex_neighbors();
        self.reset_lists();
        Ok(())
    }

    /// Makes two facets neighbours in place of the ones between them.
    fn relink(&mut self, old_a: u32, a: u32, old_b: u32, b: u32) -> Result<(), HullError> {
        let (knows_b, knows_a) = (self.facet(a).neighbors.contains(&b), self.facet(b).neighbors.contains(&a));
        if knows_a != knows_b {
            return Err(HullError::Internal("inconsistent neighbours"));
        }
        if knows_a
            && !(self.facet(a).is_redundant() && self.facet(b).is_redundant() && self.has_mirror_merge(a, b))
        {
            self.request_merge(a, b, Cause::Mirror, 0.0)?;
        }
        set_replace(&mut self.facet_mut(b).neighbors, old_b, a)?;
        set_replace(&mut self.facet_mut(a).neighbors, old_a, b)
    }

    /// Removes two triangles with the same vertices and connects their neighbours.
    fn cancel_mirrored(&mut self, a: u32, b: u32) -> Result<(), HullError> {
        for i in 0..self.facet(a).neighbors.len().min(self.facet(b).neighbors.len()) {
            let (first, second) = (self.facet(a).neighbors[i], self.facet(b).neighbors[i]);
            if first == b && second == a {
                continue;
            }
            let (m, n) = (self.facet(first), self.facet(second));
            if (m.is_redundant() && n.is_redundant() && self.has_mirror_merge(first, second))
                || (m.is_removed() && n.is_removed())
            {
                continue;
            }
            self.relink(a, first, b, second)?;
        }
        self.will_delete(a, NONE);
        self.will_delete(b, NONE);
        Ok(())
    }
}
