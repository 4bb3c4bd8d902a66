//! Adding one point: the facets it sees are replaced by a cone of triangles from the point to their horizon.

use super::HullError;
use super::arena::{Builder, DUPLICATE_RIDGE, NONE, TAIL, set_remove, set_replace};
use super::facet::Horizon;
use super::vertex::VertexStage;
use kinetree_model::checkpoint;

impl Builder<'_> {
    /// Adds points until none is outside, or until the hull has `limit` vertices.
    pub(super) fn build(&mut self, limit: Option<usize>) -> Result<(), HullError> {
        self.facet_cursor = self.facet_head;
        self.furthest_facet_first();
        self.facet_cursor = self.facet_head;
        while let Some((point, facet)) = self.next_outside_point() {
            if limit.is_some_and(|limit| self.num_vertices >= limit) {
                return Ok(());
            }
            checkpoint();
            self.add_point(point, facet)?;
        }
        if self.narrow {
            self.settle_narrow_points()?;
        }
        Ok(())
    }

    /// Moves the facet with the furthest outside point to the front.
    fn furthest_facet_first(&mut self) {
        let (mut best, mut best_dist) = (NONE, f64::MIN);
        for facet in self.all_facets() {
            let node = self.facet(facet);
            if !node.outside.is_empty() && node.furthest > best_dist {
                best = facet;
                best_dist = node.furthest;
            }
        }
        if best != NONE {
            self.remove_facet(best);
            self.prepend_at_cursor(best);
        }
    }

    /// Takes the furthest point of the next facet that has outside points.
    fn next_outside_point(&mut self) -> Option<(u32, u32)> {
        while Self::in_list(self.facet_cursor) {
            let facet = self.facet_cursor;
            let min_outside = self.tol.min_outside;
            let (narrow, node) = (self.narrow, self.facet_mut(facet));
            if !node.outside.is_empty() && (!narrow || node.furthest >= min_outside) {
                return node.outside.pop().map(|point| (point, facet));
            }
            self.facet_cursor = self.facet(facet).next;
        }
        None
    }

    fn add_point(&mut self, point: u32, facet: u32) -> Result<(), HullError> {
        self.tol.update_outside_bound();
        self.find_horizon(point, facet)?;
        self.first_new_id = self.upcoming_id();
        self.make_cone(point)?;
        self.match_new_facets()?;
        let mut new = self.new_facets;
        while Self::in_list(new) {
            if self.facet(new).horizon != Horizon::MergesInto {
                self.set_plane(new)?;
            }
            new = self.facet(new).next;
        }
        self.update_neighbors_of_cone();

        self.search_all_new = false;
        self.merge_new_facets()?;
        self.search_all_new = self.many_merges() || self.has_new_polygon();
        self.partition_visible()?;
        self.search_all_new = false;
        self.new_facets_not_sharp = false;
        self.delete_visible();
        self.reset_lists();
        self.merge_pinched_vertices()
    }

    fn has_new_polygon(&self) -> bool {
        let mut facet = self.new_facets;
        while Self::in_list(facet) {
            if !self.facet(facet).is_triangle() {
                return true;
            }
            facet = self.facet(facet).next;
        }
        false
    }

    /// Collects the facets that the point sees at the end of the list; their other neighbours are the
    /// horizon.
    fn find_horizon(&mut self, point: u32, facet: u32) -> Result<(), HullError> {
        self.move_facet_to_end(facet);
        self.num_visible = 1;
        self.visible_facets = facet;
        self.mark_visible(facet);
        self.visit += 1;
        let stamp = self.visit;
        let mut has_horizon = false;
        let mut visible = facet;
        while visible != TAIL {
            self.facet_mut(visible).visit = stamp;
            for i in 0..self.facet(visible).neighbors.len() {
                let neighbor = self.facet(visible).neighbors[i];
                if self.facet(neighbor).visit == stamp {
                    continue;
                }
                self.facet_mut(neighbor).visit = stamp;
                let dist = self.point_distance(point, neighbor);
                if dist > self.tol.min_visible {
                    self.move_facet_to_end(neighbor);
                    self.mark_visible(neighbor);
                    self.num_visible += 1;
                } else {
                    has_horizon = true;
                    self.note_horizon(neighbor, dist);
                }
            }
            visible = self.facet(visible).next;
        }
        if has_horizon { Ok(()) } else { Err(HullError::Degenerate("a point is above all facets")) }
    }

    fn mark_visible(&mut self, facet: u32) {
        let node = self.facet_mut(facet);
        node.mark_removed(NONE);
    }

    fn note_horizon(&mut self, facet: u32, dist: f64) {
        let coplanar = dist >= -self.tol.max_coplanar;
        self.facet_mut(facet).horizon = if coplanar { Horizon::Coplanar } else { Horizon::Below };
        if coplanar {
            if dist > 0.0 {
                self.tol.max_outside = self.tol.max_outside.max(dist);
                let node = self.facet_mut(facet);
                node.max_outside = node.max_outside.max(dist);
            } else {
                self.tol.min_vertex = self.tol.min_vertex.min(dist);
            }
        }
    }

    /// Creates the triangles between the point and the horizon.
    fn make_cone(&mut self, point: u32) -> Result<(), HullError> {
        self.new_facets = TAIL;
        self.new_vertices = TAIL;
        let apex = self.create_vertex(point);
        self.append_vertex(apex);
        self.visit += 1;

        // a visible facet without horizon inherits the previous replacement; points search from there
        let mut from_triangle = NONE;
        let mut from_polygon = NONE;
        let mut visible = self.visible_facets;
        while Self::in_list(visible) && self.facet(visible).is_removed() {
            for i in 0..self.facet(visible).neighbors.len() {
                let neighbor = self.facet(visible).neighbors[i];
                self.facet_mut(neighbor).seen = false;
            }
            if self.facet(visible).had_ridges {
                self.facet_mut(visible).visit = self.visit;
                from_polygon = self.cone_from_ridges(visible, apex)?;
            }
            if self.facet(visible).is_triangle() {
                from_triangle = self.cone_from_triangle(visible, apex)?;
            }
            if from_polygon != NONE {
                from_triangle = from_polygon;
            }
            let node = self.facet_mut(visible);
            if from_triangle != NONE {
                node.mark_removed(from_triangle);
            }
            node.ridges.clear();
            node.neighbors.clear();
            visible = node.next;
        }
        Ok(())
    }

    /// New facets across the explicit ridges of a facet; returns the last one.
    pub(super) fn cone_from_ridges(&mut self, visible: u32, apex: u32) -> Result<u32, HullError> {
        let mut created = NONE;
        for i in 0..self.facet(visible).ridges.len() {
            let ridge = self.facet(visible).ridges[i];
            let edge = *self.ridge(ridge);
            let neighbor = edge.other(visible);
            if self.facet(neighbor).is_removed() {
                // both sides are gone once the other one was visited
                if self.facet(neighbor).visit == self.visit {
                    self.delete_ridge(ridge);
                }
            } else {
                let top = edge.top == visible;
                let vertices = [apex, edge.vertices[0], edge.vertices[1]];
                created = self.create_cone_facet(vertices, top, neighbor);
                self.join_horizon_cycle(created, neighbor);
                if self.facet(neighbor).seen {
                    if self.facet(neighbor).is_triangle() {
                        return Err(HullError::Internal("triangle with two ridges to one facet"));
                    }
                    self.facet_mut(neighbor).neighbors.push(created);
                } else {
                    set_replace(&mut self.facet_mut(neighbor).neighbors, visible, created)?;
                }
                if self.facet(neighbor).is_triangle() {
                    set_remove(&mut self.facet_mut(neighbor).ridges, ridge);
                    self.delete_ridge(ridge);
                } else {
                    self.add_ridge_to(created, ridge);
                    let edge = self.ridge_mut(ridge);
                    if top {
                        edge.top = created;
                    } else {
                        edge.bottom = created;
                    }
                }
            }
            self.facet_mut(neighbor).seen = true;
        }
        Ok(created)
    }

    /// Facets that will merge into the same coplanar horizon facet form a ring.
    fn join_horizon_cycle(&mut self, facet: u32, horizon: u32) {
        if self.facet(horizon).horizon != Horizon::Coplanar {
            return;
        }
        self.facet_mut(facet).horizon = Horizon::MergesInto;
        if self.facet(horizon).seen {
            let previous = self.facet(horizon).new_cycle;
            let next = self.facet(previous).same_cycle;
            self.facet_mut(facet).same_cycle = next;
            self.facet_mut(previous).same_cycle = facet;
        } else {
            self.facet_mut(facet).same_cycle = facet;
            self.facet_mut(horizon).new_cycle = facet;
        }
    }

    /// New facets across the edges of a triangle whose neighbours are triangles too.
    fn cone_from_triangle(&mut self, visible: u32, apex: u32) -> Result<u32, HullError> {
        let mut created = NONE;
        for i in 0..self.facet(visible).neighbors.len() {
            let horizon = self.facet(visible).neighbors[i];
            let node = self.facet(horizon);
            if node.seen || node.is_removed() {
                continue;
            }
            let Some(skip) = node.neighbors.iter().position(|f| *f == visible) else {
                return Err(HullError::Internal("inconsistent neighbours"));
            };
            let mut vertices = [apex; 3];
            let kept = node.vertices.iter().enumerate().filter(|(k, _)| *k != skip);
            for (slot, (_, vertex)) in vertices[1..].iter_mut().zip(kept) {
                *slot = *vertex;
            }
            let top = (skip % 2 == 1) == node.top;
            created = self.create_cone_facet(vertices, top, horizon);
            if self.facet(horizon).horizon == Horizon::Coplanar {
                let node = self.facet_mut(created);
                node.same_cycle = created;
                node.horizon = Horizon::MergesInto;
            }
            self.facet_mut(horizon).neighbors[skip] = created;
        }
        Ok(created)
    }

    fn create_cone_facet(&mut self, vertices: [u32; 3], top: bool, horizon: u32) -> u32 {
        for vertex in vertices {
            self.renew_vertex(vertex);
        }
        let facet = self.create_facet();
        let node = self.facet_mut(facet);
        node.vertices.extend(vertices);
        node.top = top;
        node.neighbors.extend([horizon, NONE, NONE]);
        self.append_facet(facet);
        facet
    }

    /// Connects the new facets with each other: two of them share the edge from the apex to a horizon vertex.
    pub(super) fn match_new_facets(&mut self) -> Result<(), HullError> {
        let mut table = super::duplicate::EdgeTable::default();
        let mut facet = self.new_facets;
        while Self::in_list(facet) {
            for skip in [1, 2] {
                self.match_neighbor(&mut table, facet, skip)?;
            }
            facet = self.facet(facet).next;
        }
        if table.unmatched == 0 {
            return Ok(());
        }
        let mut facet = self.new_facets;
        while Self::in_list(facet) {
            if self.facet(facet).has_duplicate_ridge() {
                for slot in 0..self.facet(facet).neighbors.len() {
                    if self.facet(facet).neighbors[slot] == DUPLICATE_RIDGE {
                        self.resolve_duplicate(&mut table, facet, slot)?;
                    }
                }
            }
            facet = self.facet(facet).next;
        }
        if table.unmatched == 0 { Ok(()) } else { Err(HullError::Internal("new facets do not match up")) }
    }

    /// Updates the facet lists of vertices after a cone was built, and drops vertices inside the horizon.
    fn update_neighbors_of_cone(&mut self) {
        if self.vertex_neighbors {
            let mut vertex = self.new_vertices;
            while vertex != TAIL && vertex != NONE {
                let mut neighbors = std::mem::take(&mut self.vertex_mut(vertex).neighbors);
                let mut i = 0;
                while i < neighbors.len() {
                    if self.facet(neighbors[i]).is_removed() {
                        neighbors.swap_remove(i);
                    } else {
                        i += 1;
                    }
                }
                let node = self.vertex_mut(vertex);
                node.neighbors = neighbors;
                vertex = node.next;
            }
            let mut facet = self.new_facets;
            while Self::in_list(facet) {
                self.add_to_its_vertices(facet);
                facet = self.facet(facet).next;
            }
        }
        self.drop_hidden_vertices();
    }

    pub(super) fn add_to_its_vertices(&mut self, facet: u32) {
        for i in 0..self.facet(facet).vertices.len() {
            let vertex = self.facet(facet).vertices[i];
            self.vertex_mut(vertex).neighbors.push(facet);
        }
    }

    /// Drops the vertices of visible facets that are on no other facet.
    pub(super) fn drop_hidden_vertices(&mut self) {
        let mut visible = self.visible_facets;
        while Self::in_list(visible) && self.facet(visible).is_removed() {
            for i in 0..self.facet(visible).vertices.len() {
                let vertex = self.facet(visible).vertices[i];
                if self.vertex(vertex).stage != VertexStage::Old {
                    continue;
                }
                let survives = self.vertex_neighbors
                    && self.vertex(vertex).neighbors.iter().any(|f| !self.facet(*f).is_removed());
                if survives {
                    set_remove(&mut self.vertex_mut(vertex).neighbors, visible);
                } else {
                    self.drop_vertex(vertex);
                }
            }
            visible = self.facet(visible).next;
        }
    }
}
