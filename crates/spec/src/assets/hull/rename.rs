//! Vertices that merging made superfluous.
//!
//! A vertex between only two facets is no corner any more: its ridges are moved to another vertex that the
//! two facets share. Ridges that thereby join the same two vertices twice reveal vertices that nearly
//! coincide; those are merged.

use std::collections::HashSet;

use super::HullError;
use super::arena::{Builder, NONE, TAIL, set_insert_unique, set_remove};
use super::pending::{Cause, VertexMerge};
use super::vertex::VertexStage;

/// Vertices further apart than this many merge distances are not merged.
const WIDE_PINCH: f64 = 100.0;

impl Builder<'_> {
    /// Removes superfluous vertices of merged facets; returns whether facets were merged.
    pub(super) fn reduce_vertices(&mut self) -> Result<bool, HullError> {
        let mut merged = self.merge_degenerate()?;
        'restart: loop {
            let mut facet = self.new_facets;
            while Self::in_list(facet) {
                if self.facet(facet).new_merge && self.remove_extra_vertices(facet) {
                    self.test_facet(facet)?;
                    if self.merge_degenerate()? {
                        merged = true;
                        continue 'restart;
                    }
                }
                facet = self.facet(facet).next;
            }
            let mut facet = self.new_facets;
            while Self::in_list(facet) {
                if self.facet(facet).new_merge {
                    self.facet_mut(facet).new_merge = false;
                    let mut i = 0;
                    while i < self.facet(facet).vertices.len() {
                        let vertex = self.facet(facet).vertices[i];
                        if self.vertex(vertex).lost_ridge && self.rename_shared_vertex(vertex, facet)? {
                            if self.merge_degenerate()? {
                                merged = true;
                                continue 'restart;
                            }
                        } else {
                            i += 1;
                        }
                    }
                }
                facet = self.facet(facet).next;
            }
            break;
        }
        let mut vertex = self.new_vertices;
        while vertex != NONE && vertex != TAIL {
            let node = self.vertex_mut(vertex);
            if !node.is_dropped() {
                node.lost_ridge = false;
            }
            vertex = node.next;
        }
        Ok(merged)
    }

    /// Removes vertices of a polygon that are on none of its ridges.
    fn remove_extra_vertices(&mut self, facet: u32) -> bool {
        if self.facet(facet).is_triangle() {
            return false;
        }
        for i in 0..self.facet(facet).vertices.len() {
            let vertex = self.facet(facet).vertices[i];
            self.vertex_mut(vertex).seen = false;
        }
        for i in 0..self.facet(facet).ridges.len() {
            for vertex in self.ridge(self.facet(facet).ridges[i]).vertices {
                self.vertex_mut(vertex).seen = true;
            }
        }
        let mut removed = false;
        let mut i = 0;
        while i < self.facet(facet).vertices.len() {
            let vertex = self.facet(facet).vertices[i];
            if self.vertex(vertex).seen {
                i += 1;
                continue;
            }
            removed = true;
            self.facet_mut(facet).vertices.remove(i);
            set_remove(&mut self.vertex_mut(vertex).neighbors, facet);
            if self.vertex(vertex).neighbors.is_empty() {
                self.drop_vertex(vertex);
            }
        }
        removed
    }

    /// Renames a vertex that only two facets share to another one of theirs; false if none fits.
    fn rename_shared_vertex(&mut self, vertex: u32, facet: u32) -> Result<bool, HullError> {
        let &[first, second] = self.vertex(vertex).neighbors.as_slice() else {
            return Ok(false);
        };
        let other = if first == facet { second } else { first };
        self.visit += 1;
        self.facet_mut(other).visit = self.visit;
        let mut ridges = Vec::new();
        self.ridges_at(vertex, facet, &mut ridges);
        let mut shared: Vec<u32> = self
            .facet(facet)
            .vertices
            .iter()
            .copied()
            .filter(|v| self.facet(other).vertices.contains(v))
            .collect();
        set_remove(&mut shared, vertex);
        match self.find_new_vertex(vertex, shared, &ridges) {
            Some(new) => {
                self.rename_between_two(vertex, new, &ridges, facet)?;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Collects the ridges of a facet at a vertex whose other facet carries the current stamp.
    fn ridges_at(&mut self, vertex: u32, facet: u32, out: &mut Vec<u32>) {
        for &ridge in &self.facet(facet).ridges {
            let edge = self.ridge(ridge);
            if self.facet(edge.other(facet)).visit == self.visit && edge.has(vertex) {
                out.push(ridge);
            }
        }
        self.facet_mut(facet).visit = self.visit - 1;
    }

    /// All ridges at a vertex. Without `all`, the last facet is left out: its ridges belong to earlier ones
    /// too.
    fn vertex_ridges(&mut self, vertex: u32, all: bool) -> Vec<u32> {
        self.visit += 2;
        let mut ridges = Vec::new();
        let count = self.vertex(vertex).neighbors.len();
        for i in 0..count {
            let facet = self.vertex(vertex).neighbors[i];
            self.facet_mut(facet).visit = self.visit;
        }
        for i in 0..count {
            if all || i + 1 < count {
                let facet = self.vertex(vertex).neighbors[i];
                self.ridges_at(vertex, facet, &mut ridges);
            }
        }
        ridges
    }

    /// A vertex to which the ridges can be moved without doubling an existing ridge.
    fn find_new_vertex(&mut self, old: u32, candidates: Vec<u32>, ridges: &[u32]) -> Option<u32> {
        let mut ranked: Vec<(usize, u32)> = candidates
            .into_iter()
            .map(|v| (ridges.iter().filter(|r| self.ridge(**r).has(v)).count(), v))
            .collect();
        let mut i = 0;
        while i < ranked.len() {
            if ranked[i].0 == 0 {
                ranked.swap_remove(i);
            } else {
                i += 1;
            }
        }
        self.vertex_visit = self.vertex_visit.max(ridges.len() as u32);
        ranked.sort_by_key(|(count, _)| *count);
        let far_ends: HashSet<u32> = ridges.iter().map(|r| self.ridge(*r).end_opposite(old)).collect();
        for (_, vertex) in ranked {
            let existing = self.vertex_ridges(vertex, false);
            let doubles = |ridge: &u32| {
                let end = self.ridge(*ridge).end_opposite(vertex);
                far_ends.contains(&end)
                    && ridges.iter().any(|r| r != ridge && self.ridge(*r).end_opposite(old) == end)
            };
            if !existing.iter().any(doubles) {
                return Some(vertex);
            }
        }
        None
    }

    /// Moves one end of a ridge; a ridge that would join a vertex with itself is deleted.
    fn rename_ridge_end(&mut self, ridge: u32, old: u32, new: u32) -> Result<bool, HullError> {
        let edge = *self.ridge(ridge);
        let Some(old_at) = edge.vertices.iter().position(|v| *v == old) else {
            return Err(HullError::Internal("renamed vertex is not on the ridge"));
        };
        let kept = edge.vertices[1 - old_at];
        if kept == new {
            self.delete_merged_ridge(ridge);
            return Ok(false);
        }
        let new_at = usize::from(kept > new);
        let edge = self.ridge_mut(ridge);
        edge.vertices = if new_at == 0 { [new, kept] } else { [kept, new] };
        if old_at != new_at {
            std::mem::swap(&mut edge.top, &mut edge.bottom);
        }
        Ok(true)
    }

    fn rename_ridges(&mut self, old: u32, new: u32, ridges: &[u32]) -> Result<(), HullError> {
        for &ridge in ridges {
            if self.rename_ridge_end(ridge, old, new)? {
                let edge = *self.ridge(ridge);
                let shrinks = |facet: u32| {
                    let node = self.facet(facet);
                    let size = node.vertices.len();
                    size < 3 || (size == 3 && !node.is_triangle() && node.vertices.contains(&new))
                };
                if !shrinks(edge.top) && !shrinks(edge.bottom) {
                    self.find_doubled_ridge(ridge);
                }
            }
        }
        Ok(())
    }

    /// Requests vertex merges where merged facets have another ridge with the same vertices.
    fn find_doubled_ridge(&mut self, ridge: u32) {
        let edge = *self.ridge(ridge);
        for facet in [edge.top, edge.bottom] {
            if self.facet(facet).is_triangle() || self.facet(facet).merges == 0 {
                continue;
            }
            for i in 0..self.facet(facet).ridges.len() {
                let other = self.facet(facet).ridges[i];
                if other != ridge && self.ridge(other).vertices == edge.vertices {
                    self.request_vertex_merge(ridge, other);
                }
            }
        }
    }

    fn rename_between_two(
        &mut self,
        old: u32,
        new: u32,
        ridges: &[u32],
        facet: u32,
    ) -> Result<(), HullError> {
        self.rename_ridges(old, new, ridges)?;
        for i in 0..self.vertex(old).neighbors.len() {
            let neighbor = self.vertex(old).neighbors[i];
            self.forget_vertex(neighbor, old);
            self.test_facet(neighbor)?;
        }
        self.drop_vertex(old);
        self.test_facet(facet)
    }

    /// Merges vertices whose ridges coincide, until there are none.
    pub(super) fn merge_pinched_vertices(&mut self) -> Result<(), HullError> {
        while !self.merges.vertices.is_empty() {
            self.build_vertex_neighbors();
            self.visible_facets = TAIL;
            self.new_facets = TAIL;
            self.new_vertices = TAIL;
            while let Some(merge) = self.next_vertex_merge()? {
                self.rename_adjacent(merge.vertex, merge.destination)?;
                self.merge_degenerate()?;
            }
            self.update_vertex_neighbors();
            self.collect_merges()?;
            self.merge_all(true)?;
            self.partition_visible()?;
            self.delete_visible();
            self.reset_lists();
        }
        Ok(())
    }

    /// The closest pending pair of vertices.
    fn next_vertex_merge(&mut self) -> Result<Option<VertexMerge>, HullError> {
        let vertices = &self.vertices;
        let dead = |v: u32| vertices[v as usize].is_dropped();
        self.merges.vertices.retain(|m| !dead(m.vertex) && !dead(m.destination));
        let mut best: Option<(usize, f64)> = None;
        for (i, merge) in self.merges.vertices.iter().enumerate() {
            if best.is_none_or(|(_, dist)| merge.distance < dist) {
                best = Some((i, merge.distance));
            }
        }
        let Some((at, dist)) = best else {
            return Ok(None);
        };
        if dist / self.tol.one_merge > WIDE_PINCH {
            return Err(HullError::Degenerate("coinciding ridges without close vertices"));
        }
        Ok(Some(self.merges.vertices.swap_remove(at)))
    }

    /// Renames a vertex to a neighbouring one in all its facets.
    fn rename_adjacent(&mut self, old: u32, new: u32) -> Result<(), HullError> {
        self.total_merges += 1;
        if self.vertex(old).is_dropped() || self.vertex(new).is_dropped() {
            return Ok(());
        }
        for i in 0..self.vertex(old).neighbors.len() {
            let facet = self.vertex(old).neighbors[i];
            if self.facet(facet).is_triangle() {
                if self.facet(facet).vertices.contains(&new) {
                    self.make_ridges(facet);
                } else {
                    self.replace_triangle_vertex(facet, old, new)?;
                    set_insert_unique(&mut self.vertex_mut(new).neighbors, facet);
                    self.renew_vertices_of(facet);
                }
            }
        }
        let ridges = self.vertex_ridges(old, true);
        for i in 0..self.vertex(old).neighbors.len() {
            let facet = self.vertex(old).neighbors[i];
            if !self.facet(facet).is_triangle() {
                self.insert_facet_vertex(facet, new);
                set_insert_unique(&mut self.vertex_mut(new).neighbors, facet);
                self.renew_vertices_of(facet);
                if self.new_facets == TAIL {
                    self.move_facet_to_end(facet);
                    self.facet_mut(facet).set_new(true);
                }
            }
        }
        self.rename_everywhere(old, new, &ridges)?;
        if self.vertex(old).awaits_partition() {
            self.file_renamed_point(old, new)?;
        }
        Ok(())
    }

    /// The point of a renamed vertex becomes a coplanar point of the furthest facet at its successor.
    fn file_renamed_point(&mut self, old: u32, new: u32) -> Result<(), HullError> {
        let point = self.vertex(old).point;
        let (mut best, mut best_dist) = (NONE, f64::MIN);
        for &facet in &self.vertex(new).neighbors {
            if !self.facet(facet).is_removed() {
                let dist = self.point_distance(point, facet);
                if dist > best_dist {
                    best = facet;
                    best_dist = dist;
                }
            }
        }
        if best == NONE {
            return Err(HullError::Internal("renamed vertex without facets"));
        }
        self.partition_coplanar(point, best, None, false)?;
        self.vertex_mut(old).stage = VertexStage::Dropped { partitioned: true };
        Ok(())
    }

    fn rename_everywhere(&mut self, old: u32, new: u32, ridges: &[u32]) -> Result<(), HullError> {
        self.rename_ridges(old, new, ridges)?;
        let mut i = 0;
        while i < self.vertex(old).neighbors.len() {
            let facet = self.vertex(old).neighbors[i];
            i += 1;
            if self.facet(facet).is_triangle() {
                self.test_facet(facet)?;
                continue;
            }
            self.drop_lost_neighbors(facet)?;
            self.forget_vertex(facet, old);
            if self.remove_extra_vertices(facet) {
                i -= 1;
            }
            self.test_facet(facet)?;
            self.test_redundant_neighbors(facet)?;
            self.test_degenerate_neighbors(facet)?;
        }
        if !self.vertex(old).is_dropped() {
            self.drop_vertex(old);
        }
        Ok(())
    }

    /// Removes neighbours with which a facet shares no ridge any more.
    fn drop_lost_neighbors(&mut self, facet: u32) -> Result<(), HullError> {
        self.visit += 1;
        let stamp = self.visit;
        for i in 0..self.facet(facet).ridges.len() {
            let edge = *self.ridge(self.facet(facet).ridges[i]);
            self.facet_mut(edge.top).visit = stamp;
            self.facet_mut(edge.bottom).visit = stamp;
        }
        let mut i = 0;
        while i < self.facet(facet).neighbors.len() {
            let neighbor = self.facet(facet).neighbors[i];
            if self.facet(neighbor).visit == stamp {
                i += 1;
                continue;
            }
            if self.facet(neighbor).is_triangle() {
                return Err(HullError::Internal("triangle lost a neighbour"));
            }
            set_remove(&mut self.facet_mut(neighbor).neighbors, facet);
            if self.facet(neighbor).neighbors.len() < 3 {
                self.request_merge(neighbor, neighbor, Cause::Degenerate, 0.0)?;
            }
            self.facet_mut(facet).neighbors.swap_remove(i);
        }
        if self.facet(facet).neighbors.len() < 3 {
            self.request_merge(facet, facet, Cause::Degenerate, 0.0)?;
        }
        Ok(())
    }

    /// Replaces a vertex of a triangle, keeping the order by id and the matching order of neighbours.
    fn replace_triangle_vertex(&mut self, facet: u32, old: u32, new: u32) -> Result<(), HullError> {
        let node = self.facet_mut(facet);
        let Some(old_at) = node.vertices.iter().position(|v| *v == old) else {
            return Err(HullError::Internal("renamed vertex is not on the facet"));
        };
        node.vertices.remove(old_at);
        let neighbor = node.neighbors.remove(old_at);
        let new_at = node.vertices.iter().position(|v| *v < new).unwrap_or(2);
        node.vertices.insert(new_at, new);
        node.neighbors.insert(new_at, neighbor);
        if old_at % 2 != new_at % 2 {
            node.top = !node.top;
        }
        Ok(())
    }

    /// Brings the facet lists of vertices up to date after vertices were renamed or polygons triangulated.
    pub(super) fn update_vertex_neighbors(&mut self) {
        let mut vertex = self.new_vertices;
        while vertex != NONE && vertex != TAIL {
            let mut neighbors = std::mem::take(&mut self.vertex_mut(vertex).neighbors);
            neighbors.retain(|f| !self.facet(*f).is_removed());
            let node = self.vertex_mut(vertex);
            node.neighbors = neighbors;
            vertex = node.next;
        }
        let mut facet = self.new_facets;
        while Self::in_list(facet) {
            if self.first_new_id > 0 && self.facet(facet).id >= self.first_new_id {
                self.add_to_its_vertices(facet);
            } else {
                for i in 0..self.facet(facet).vertices.len() {
                    let vertex = self.facet(facet).vertices[i];
                    set_insert_unique(&mut self.vertex_mut(vertex).neighbors, facet);
                }
            }
            facet = self.facet(facet).next;
        }
        self.drop_hidden_vertices();
    }
}
