//! Merging one facet into a neighbour.
//!
//! The neighbour keeps its plane and takes over the ridges, neighbours and vertices of the merged facet;
//! vertices between only two facets disappear. Facets that thereby become too small are queued for merging in
//! turn.

use super::HullError;
use super::arena::{
    Builder, KEEP_CENTER, MAX_MERGES, MERGE_RIDGE, set_remove, set_remove_sorted, set_replace,
};
use super::facet::{Duplicate, Shape};
use super::pending::Cause;
use super::plane::Spread;
use super::ridge::{Convexity, Ridge};

/// Multiple of the merge distance beyond which a merge means that the construction has failed.
const WIDE_MERGE: f64 = 100.0;

impl Builder<'_> {
    /// Gives a triangle explicit ridges, so that it can have more than three neighbours.
    pub(super) fn make_ridges(&mut self, facet: u32) {
        if !self.facet(facet).is_triangle() {
            return;
        }
        self.facet_mut(facet).shape = Shape::Polygon;
        let mut has_merge_ridge = false;
        for i in 0..self.facet(facet).neighbors.len() {
            let neighbor = self.facet(facet).neighbors[i];
            if neighbor == MERGE_RIDGE {
                has_merge_ridge = true;
            } else {
                self.facet_mut(neighbor).seen = false;
            }
        }
        for i in 0..self.facet(facet).ridges.len() {
            let neighbor = self.ridge(self.facet(facet).ridges[i]).other(facet);
            self.facet_mut(neighbor).seen = true;
        }
        for i in 0..self.facet(facet).neighbors.len() {
            let neighbor = self.facet(facet).neighbors[i];
            if neighbor == MERGE_RIDGE || self.facet(neighbor).seen {
                continue;
            }
            let tested = self.facet(facet).tested && !has_merge_ridge;
            let convexity = if tested { Convexity::Convex } else { Convexity::Untested };
            let ridge = self.ridge_across(facet, i, neighbor, facet, convexity);
            self.add_ridge_to(facet, ridge);
            self.add_ridge_to(neighbor, ridge);
        }
        if has_merge_ridge {
            while set_remove(&mut self.facet_mut(facet).neighbors, MERGE_RIDGE) {}
        }
    }

    /// Creates the ridge of a triangle across from vertex `skip`, between `owner` and the neighbour there.
    pub(super) fn ridge_across(
        &mut self,
        triangle: u32,
        skip: usize,
        neighbor: u32,
        owner: u32,
        convexity: Convexity,
    ) -> u32 {
        let node = self.facet(triangle);
        let v = &node.vertices;
        let vertices = match skip {
            0 => [v[1], v[2]],
            1 => [v[0], v[2]],
            _ => [v[0], v[1]],
        };
        let owner_on_top = node.top != (skip % 2 == 1);
        let (top, bottom) = if owner_on_top { (owner, neighbor) } else { (neighbor, owner) };
        self.create_ridge(Ridge { vertices, top, bottom, convexity })
    }

    /// Merges `facet` into `into`. `spread` is how far its vertices are from the plane of `into`, when
    /// measured.
    pub(super) fn merge_facets(
        &mut self,
        facet: u32,
        into: u32,
        cause: Cause,
        spread: Option<Spread>,
    ) -> Result<(), HullError> {
        self.total_merges += 1;
        self.check_merge(facet, into, spread)?;
        self.build_vertex_neighbors();
        self.make_ridges(facet);
        self.make_ridges(into);
        if let Some(spread) = spread {
            self.note_spread(into, spread);
        }
        let merges = (self.facet(facet).merges + self.facet(into).merges + 1).min(MAX_MERGES);
        let node = self.facet_mut(into);
        node.merges = merges;
        node.new_merge = true;
        node.duplicate = Duplicate::None;
        self.update_tested(facet, into);

        if self.facet(facet).vertices.len() == 3 {
            self.merge_triangle(facet, into, cause == Cause::CoplanarHorizon)?;
        } else {
            self.mark_vertices(into);
            self.merge_neighbors(facet, into)?;
            self.merge_vertices(facet, into);
            self.merge_ridges(facet, into);
            self.merge_vertex_neighbors(facet, into)?;
            if !self.facet(into).is_new() {
                self.renew_vertices_of(into);
            }
        }
        self.move_facet_to_end(into);
        let node = self.facet_mut(into);
        node.set_new(true);
        node.tested = false;
        if cause != Cause::CoplanarHorizon {
            self.test_redundant_neighbors(into)?;
            self.test_degenerate_neighbors(facet)?;
            self.test_facet(into)?;
        }
        self.will_delete(facet, into);
        Ok(())
    }

    fn check_merge(&self, facet: u32, into: u32, spread: Option<Spread>) -> Result<(), HullError> {
        let (first, second) = (self.facet(facet), self.facet(into));
        if let Some(spread) = spread {
            let limit = (WIDE_MERGE * self.tol.one_merge).max(first.max_outside).max(second.max_outside);
            if spread.max > limit || -spread.min > limit {
                return Err(HullError::Degenerate("merge of facets that are far apart"));
            }
        }
        if facet == into || first.is_removed() || second.is_removed() {
            return Err(HullError::Internal("merge of a deleted facet"));
        }
        if self.num_facets - self.num_visible <= 4 {
            return Err(HullError::Flat);
        }
        Ok(())
    }

    fn note_spread(&mut self, into: u32, spread: Spread) {
        let tol = &mut self.tol;
        tol.max_outside = tol.max_outside.max(spread.max);
        tol.min_vertex = tol.min_vertex.min(spread.min);
        let wide = tol.wide_facet;
        let node = self.facet_mut(into);
        node.max_outside = node.max_outside.max(spread.max);
        if spread.max > wide || spread.min < -wide {
            node.keep_center = true;
        }
    }

    /// Ridges that must be tested again after the merge; small facets also get a new centre.
    fn update_tested(&mut self, facet: u32, into: u32) {
        self.facet_mut(into).tested = false;
        self.untest_ridges(facet);
        if self.facet(into).center.is_none() {
            return;
        }
        let size = self.facet(into).vertices.len();
        let node = self.facet_mut(into);
        if !node.keep_center {
            if size > KEEP_CENTER {
                node.keep_center = true;
            }
        } else if size == 3 {
            node.keep_center = false;
        }
        if !node.keep_center {
            node.center = None;
            self.untest_ridges(into);
        }
    }

    fn untest_ridges(&mut self, facet: u32) {
        for i in 0..self.facet(facet).ridges.len() {
            let ridge = self.facet(facet).ridges[i];
            self.ridge_mut(ridge).set_untested();
        }
    }

    /// Merge of a triangle: only one vertex can be new to the other facet.
    fn merge_triangle(&mut self, facet: u32, into: u32, apex_is_new: bool) -> Result<(), HullError> {
        let (opposite, added) =
            if apex_is_new { self.add_apex(facet, into) } else { self.add_opposite(facet, into)? };
        for i in 0..self.facet(facet).vertices.len() {
            let vertex = self.facet(facet).vertices[i];
            if vertex == opposite && added {
                set_replace(&mut self.vertex_mut(vertex).neighbors, facet, into)?;
            } else {
                self.leave_facet(vertex, facet, into);
            }
        }
        self.visit += 1;
        let stamp = self.visit;
        for i in 0..self.facet(into).neighbors.len() {
            let neighbor = self.facet(into).neighbors[i];
            self.facet_mut(neighbor).visit = stamp;
        }
        let mut i = 0;
        while i < self.facet(facet).ridges.len() {
            let ridge = self.facet(facet).ridges[i];
            let other = self.ridge(ridge).other(facet);
            if other == into {
                self.delete_merged_ridge(ridge);
                set_remove(&mut self.facet_mut(into).neighbors, facet);
                continue;
            }
            if self.facet(other).has_duplicate_ridge() && !self.facet(other).neighbors.contains(&facet) {
                return Err(HullError::Degenerate("merge across a duplicate edge"));
            }
            self.add_ridge_to(into, ridge);
            self.adopt_neighbor(facet, into, other, stamp)?;
            self.move_ridge_side(ridge, facet, into);
            i += 1;
        }
        Ok(())
    }

    fn add_apex(&mut self, facet: u32, into: u32) -> (u32, bool) {
        let apex = self.facet(facet).vertices[0];
        if !self.facet(into).is_new() {
            self.renew_vertices_of(into);
        }
        let added = self.facet(into).vertices[0] != apex;
        if added {
            self.facet_mut(into).vertices.insert(0, apex);
        }
        (apex, added)
    }

    fn add_opposite(&mut self, facet: u32, into: u32) -> Result<(u32, bool), HullError> {
        let shared = self.facet(facet).ridges.iter().copied().find(|r| self.ridge(*r).other(facet) == into);
        let ends = shared.map(|r| self.ridge(r).vertices);
        for vertex in ends.into_iter().flatten() {
            self.vertex_mut(vertex).lost_ridge = true;
        }
        let is_end = |vertex: u32| ends.is_some_and(|ends| ends.contains(&vertex));
        let opposite = self.facet(facet).vertices.iter().copied().find(|v| !is_end(*v));
        let opposite = opposite.ok_or(HullError::Internal("triangle without opposite vertex"))?;
        let added = self.insert_facet_vertex(into, opposite);
        if !self.facet(into).is_new() {
            self.renew_vertices_of(into);
        } else {
            self.renew_vertex(opposite);
        }
        Ok((opposite, added))
    }

    /// Inserts a vertex by decreasing id; false if it is there.
    pub(super) fn insert_facet_vertex(&mut self, facet: u32, vertex: u32) -> bool {
        let vertices = &mut self.facet_mut(facet).vertices;
        let at = vertices.iter().position(|v| *v <= vertex).unwrap_or(vertices.len());
        if vertices.get(at) == Some(&vertex) {
            return false;
        }
        vertices.insert(at, vertex);
        true
    }

    /// A vertex of the merged facet that the other one has too; between only two facets it disappears.
    fn leave_facet(&mut self, vertex: u32, facet: u32, into: u32) {
        set_remove(&mut self.vertex_mut(vertex).neighbors, facet);
        if self.vertex(vertex).neighbors.len() < 2 {
            self.remove_facet_vertex(into, vertex);
            self.drop_vertex(vertex);
        }
    }

    /// Makes `other`, a neighbour of the merged facet, a neighbour of `into`; `stamp` marks those it has
    /// already.
    fn adopt_neighbor(&mut self, facet: u32, into: u32, other: u32, stamp: u32) -> Result<(), HullError> {
        if self.facet(other).visit != stamp {
            self.facet_mut(into).neighbors.push(other);
            set_replace(&mut self.facet_mut(other).neighbors, facet, into)?;
            self.facet_mut(other).visit = stamp;
            return Ok(());
        }
        self.make_ridges(other);
        self.drop_duplicate_link(other, facet, into)
    }

    /// Takes one of two links to the merged pair out of a neighbour, keeping the first slot.
    fn drop_duplicate_link(&mut self, other: u32, facet: u32, into: u32) -> Result<(), HullError> {
        let neighbors = &mut self.facet_mut(other).neighbors;
        if neighbors.first() == Some(&facet) {
            set_remove(neighbors, into);
            set_replace(neighbors, facet, into)
        } else {
            set_remove(neighbors, facet);
            Ok(())
        }
    }

    fn move_ridge_side(&mut self, ridge: u32, facet: u32, into: u32) {
        let edge = self.ridge_mut(ridge);
        if edge.top == facet {
            edge.top = into;
        } else {
            edge.bottom = into;
        }
    }

    fn merge_neighbors(&mut self, facet: u32, into: u32) -> Result<(), HullError> {
        self.visit += 1;
        let stamp = self.visit;
        for i in 0..self.facet(into).neighbors.len() {
            let neighbor = self.facet(into).neighbors[i];
            self.facet_mut(neighbor).visit = stamp;
        }
        for i in 0..self.facet(facet).neighbors.len() {
            let neighbor = self.facet(facet).neighbors[i];
            if self.facet(neighbor).visit == stamp {
                self.make_ridges(neighbor);
                self.drop_duplicate_link(neighbor, facet, into)?;
            } else if neighbor != into {
                self.facet_mut(into).neighbors.push(neighbor);
                set_replace(&mut self.facet_mut(neighbor).neighbors, facet, into)?;
            }
        }
        set_remove(&mut self.facet_mut(facet).neighbors, into);
        set_remove(&mut self.facet_mut(into).neighbors, facet);
        Ok(())
    }

    /// Union of the vertex sets, by decreasing id.
    fn merge_vertices(&mut self, facet: u32, into: u32) {
        let mut union =
            Vec::with_capacity(self.facet(facet).vertices.len() + self.facet(into).vertices.len());
        {
            let (a, b) = (&self.facet(facet).vertices, &self.facet(into).vertices);
            let (mut i, mut j) = (0, 0);
            while i < a.len() || j < b.len() {
                let next = match (a.get(i), b.get(j)) {
                    (Some(x), Some(y)) => *x.max(y),
                    (Some(x), None) | (None, Some(x)) => *x,
                    (None, None) => break,
                };
                i += usize::from(a.get(i) == Some(&next));
                j += usize::from(b.get(j) == Some(&next));
                union.push(next);
            }
        }
        self.facet_mut(into).vertices = union;
    }

    fn merge_ridges(&mut self, facet: u32, into: u32) {
        let mut i = 0;
        while i < self.facet(into).ridges.len() {
            let ridge = self.facet(into).ridges[i];
            if self.ridge(ridge).other(into) == facet {
                self.delete_merged_ridge(ridge);
            } else {
                i += 1;
            }
        }
        for i in 0..self.facet(facet).ridges.len() {
            let ridge = self.facet(facet).ridges[i];
            self.move_ridge_side(ridge, facet, into);
            self.add_ridge_to(into, ridge);
        }
    }

    fn merge_vertex_neighbors(&mut self, facet: u32, into: u32) -> Result<(), HullError> {
        for i in 0..self.facet(facet).vertices.len() {
            let vertex = self.facet(facet).vertices[i];
            if self.vertex(vertex).visit == self.vertex_visit {
                self.leave_facet(vertex, facet, into);
            } else {
                set_replace(&mut self.vertex_mut(vertex).neighbors, facet, into)?;
            }
        }
        Ok(())
    }

    /// Deletes the ridge between two merged facets; a non-convex mark moves to another ridge between them.
    pub(super) fn delete_merged_ridge(&mut self, ridge: u32) {
        self.copy_nonconvex(ridge);
        let edge = *self.ridge(ridge);
        for vertex in edge.vertices {
            self.vertex_mut(vertex).lost_ridge = true;
        }
        self.merges.vertices.retain(|m| !m.ridges.contains(&ridge));
        set_remove(&mut self.facet_mut(edge.top).ridges, ridge);
        set_remove(&mut self.facet_mut(edge.bottom).ridges, ridge);
        self.delete_ridge(ridge);
    }

    fn copy_nonconvex(&mut self, ridge: u32) {
        let edge = *self.ridge(ridge);
        if !edge.is_nonconvex() {
            return;
        }
        let sibling = self.facet(edge.top).ridges.iter().copied().find(|r| {
            *r != ridge && (self.ridge(*r).top == edge.bottom || self.ridge(*r).bottom == edge.bottom)
        });
        if let Some(sibling) = sibling {
            self.ridge_mut(sibling).convexity = Convexity::Nonconvex;
        }
    }

    /// Removes an old vertex from a facet's sorted list.
    pub(super) fn forget_vertex(&mut self, facet: u32, vertex: u32) {
        set_remove_sorted(&mut self.facet_mut(facet).vertices, vertex);
    }
}
