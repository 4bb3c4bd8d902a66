//! After a cone is built: merge whatever is not clearly convex.

use super::HullError;
use super::arena::{Builder, MERGE_RIDGE, NONE, set_remove, set_remove_sorted};
use super::duplicate::WIDE_DUPLICATE;
use super::facet::{Duplicate, Pending};
use super::pending::Cause;
use super::plane::Spread;

/// Ratio of a forced merge to the usual merge distance at which the construction gives up.
const WIDE_FORCED: f64 = 100.0;
/// Facets with more vertices than this are compared by their centres only.
const LARGE_FACET: usize = 26;
/// Facets with more vertices than this try their non-convex ridges first.
const ROUND_FACET: usize = 18;

/// A neighbour to merge with.
#[derive(Clone, Copy)]
pub(super) struct BestNeighbor {
    pub(super) facet: u32,
    pub(super) dist: f64,
    pub(super) spread: Spread,
}

impl Builder<'_> {
    /// Restores convexity of the new facets by merging.
    pub(super) fn merge_new_facets(&mut self) -> Result<(), HullError> {
        if self.clearly_convex() {
            return Ok(());
        }
        self.mark_duplicate_edges()?;
        let mut merged = self.merge_into_horizon()?;
        merged |= self.merge_duplicates()?;
        merged |= self.merge_flipped()?;
        self.collect_first_merges()?;
        self.merge_all(merged)
    }

    /// Quick test: all new facets are triangles between triangles, and every opposite vertex is clearly
    /// below.
    fn clearly_convex(&mut self) -> bool {
        let mut facet = self.new_facets;
        while Self::in_list(facet) {
            let node = self.facet(facet);
            if !self.facet(node.neighbors[0]).is_triangle()
                || node.is_flipped()
                || node.has_duplicate_ridge()
                || !node.has_plane()
            {
                return false;
            }
            facet = node.next;
        }
        let limit = -2.0 * self.tol.dist_round;
        let mut facet = self.new_facets;
        while Self::in_list(facet) {
            let node = self.facet(facet);
            for i in 1..node.neighbors.len() {
                if self.vertex_distance(node.vertices[i], node.neighbors[i]) >= limit {
                    return false;
                }
            }
            let horizon = self.facet(node.neighbors[0]);
            let opposite = horizon.vertices.iter().find(|v| !node.vertices[1..].contains(v));
            if opposite.is_some_and(|v| self.vertex_distance(*v, facet) >= limit) {
                return false;
            }
            facet = node.next;
        }
        true
    }

    /// Performs pending merges until nothing is left, then removes vertices that became redundant.
    pub(super) fn merge_all(&mut self, mut merged_before: bool) -> Result<(), HullError> {
        loop {
            let mut merged = false;
            while !self.merges.facets.is_empty() || !self.merges.degenerate.is_empty() {
                if !self.merges.degenerate.is_empty() {
                    self.merge_degenerate()?;
                    merged = true;
                }
                while let Some(merge) = self.merges.facets.pop() {
                    let (first, second) = (self.facet(merge.facet), self.facet(merge.neighbor));
                    if first.is_removed() || second.is_removed() {
                        continue;
                    }
                    // coplanar facets that changed since the test are tested again first
                    let stale = (!first.tested && first.is_new()) || (!second.tested && second.is_new());
                    if merge.cause == Cause::Coplanar && stale {
                        continue;
                    }
                    self.merge_nonconvex(merge.facet, merge.neighbor, merge.cause)?;
                    self.merge_degenerate()?;
                    merged = true;
                }
                self.collect_merges()?;
            }
            if self.vertex_neighbors && (merged || merged_before) {
                merged_before = false;
                if self.reduce_vertices()? {
                    self.collect_merges()?;
                    continue;
                }
            }
            return Ok(());
        }
    }

    /// Merges one of two facets into its best neighbour.
    fn merge_nonconvex(&mut self, facet: u32, neighbor: u32, cause: Cause) -> Result<(), HullError> {
        let (first, second) = if self.facet(facet).is_new() { (facet, neighbor) } else { (neighbor, facet) };
        let for_first = self.best_neighbor(first)?;
        let for_second = self.best_neighbor(second)?;
        let (merging, into) =
            if for_first.dist < for_second.dist { (first, for_first) } else { (second, for_second) };
        self.merge_facets(merging, into.facet, cause, Some(into.spread))
    }

    /// The neighbour to whose plane a facet is closest.
    pub(super) fn best_neighbor(&mut self, facet: u32) -> Result<BestNeighbor, HullError> {
        let size = self.facet(facet).vertices.len();
        let by_center = size > LARGE_FACET;
        let mut best: Option<BestNeighbor> = None;
        if size > ROUND_FACET {
            for i in 0..self.facet(facet).ridges.len() {
                let ridge = *self.ridge(self.facet(facet).ridges[i]);
                if ridge.is_nonconvex() {
                    self.try_neighbor(facet, ridge.other(facet), by_center, &mut best);
                }
            }
        }
        if best.is_none() {
            for i in 0..self.facet(facet).neighbors.len() {
                let neighbor = self.facet(facet).neighbors[i];
                self.try_neighbor(facet, neighbor, by_center, &mut best);
            }
        }
        let mut best = best.ok_or(HullError::Internal("facet without neighbours"))?;
        if by_center {
            best.spread = self.spread(facet, best.facet);
        }
        Ok(best)
    }

    fn try_neighbor(&mut self, facet: u32, neighbor: u32, by_center: bool, best: &mut Option<BestNeighbor>) {
        let both_flipped = self.facet(facet).is_flipped() && self.facet(neighbor).is_flipped();
        if both_flipped && best.is_some_and(|b| !self.facet(b.facet).is_flipped()) {
            return;
        }
        let (dist, spread) = if by_center {
            let center = self.facet_center(facet);
            let dist = self.distance(&center, neighbor) * 3.0;
            (dist.abs(), Spread::default())
        } else {
            let spread = self.spread(facet, neighbor);
            (spread.size(), spread)
        };
        if best.is_none_or(|b| dist < b.dist) {
            *best = Some(BestNeighbor { facet: neighbor, dist, spread });
        }
    }

    /// Merges facets that have too few neighbours or only vertices of another facet.
    pub(super) fn merge_degenerate(&mut self) -> Result<bool, HullError> {
        let mut merged = false;
        while let Some(merge) = self.merges.degenerate.pop() {
            let facet = merge.facet;
            if self.facet(facet).is_removed() {
                continue;
            }
            self.facet_mut(facet).pending = Pending::No;
            if merge.cause == Cause::Redundant {
                let target = self.replacement_of(merge.neighbor)?;
                if !Self::is_facet(target) {
                    return Err(HullError::Internal("redundant facet without replacement"));
                }
                if facet != target {
                    self.merge_facets(facet, target, merge.cause, None)?;
                    merged = true;
                }
            } else {
                merged |= self.merge_lonely(facet)?;
            }
        }
        Ok(merged)
    }

    fn merge_lonely(&mut self, facet: u32) -> Result<bool, HullError> {
        match self.facet(facet).neighbors.len() {
            0 => {
                self.will_delete(facet, NONE);
                for i in 0..self.facet(facet).vertices.len() {
                    let vertex = self.facet(facet).vertices[i];
                    set_remove(&mut self.vertex_mut(vertex).neighbors, facet);
                    if self.vertex(vertex).neighbors.is_empty() {
                        self.drop_vertex(vertex);
                    }
                }
                Ok(true)
            }
            1 | 2 => {
                let best = self.best_neighbor(facet)?;
                self.merge_facets(facet, best.facet, Cause::Degenerate, Some(best.spread))?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Merges flipped facets into their best neighbours.
    fn merge_flipped(&mut self) -> Result<bool, HullError> {
        let mut facet = self.new_facets;
        while Self::in_list(facet) {
            if self.facet(facet).is_flipped() && !self.facet(facet).is_removed() {
                self.request_merge(facet, facet, Cause::Flip, 0.0)?;
            }
            facet = self.facet(facet).next;
        }
        let mut merged = false;
        let pending = std::mem::take(&mut self.merges.facets);
        for merge in &pending {
            if merge.cause == Cause::Flip && !self.facet(merge.facet).is_removed() {
                let best = self.best_neighbor(merge.facet)?;
                self.merge_facets(merge.facet, best.facet, Cause::Flip, Some(best.spread))?;
                merged = true;
            }
        }
        let live = pending
            .into_iter()
            .filter(|m| !self.facet(m.facet).is_removed() && !self.facet(m.neighbor).is_removed());
        let live: Vec<_> = live.collect();
        self.merges.facets.extend(live);
        self.merge_degenerate()?;
        Ok(merged)
    }

    /// Requests merges for edges shared by more than two facets.
    fn mark_duplicate_edges(&mut self) -> Result<(), HullError> {
        let mut found = false;
        let mut facet = self.new_facets;
        while Self::in_list(facet) {
            let node = self.facet_mut(facet);
            node.duplicate = node.duplicate.min(Duplicate::Found);
            facet = node.next;
        }
        let mut facet = self.new_facets;
        while Self::in_list(facet) {
            if self.facet(facet).has_duplicate_ridge() {
                found |= self.mark_duplicate_edges_of(facet)?;
            }
            facet = self.facet(facet).next;
        }
        if !found {
            return Ok(());
        }
        let mut facet = self.new_facets;
        while Self::in_list(facet) {
            if self.facet(facet).duplicate == Duplicate::Waits {
                self.make_ridges(facet);
            }
            facet = self.facet(facet).next;
        }
        for i in 0..self.merges.facets.len() {
            let merge = self.merges.facets[i];
            if merge.cause == Cause::DuplicateEdge {
                let other = self.facet(merge.neighbor);
                if other.duplicate == Duplicate::Merges && other.neighbors.contains(&merge.facet) {
                    return Err(HullError::Degenerate("several duplicate edges between two facets"));
                }
                self.facet_mut(merge.neighbor).neighbors.push(merge.facet);
                self.make_ridges(merge.facet);
            }
        }
        Ok(())
    }

    fn mark_duplicate_edges_of(&mut self, facet: u32) -> Result<bool, HullError> {
        let mut found = false;
        for i in 0..self.facet(facet).neighbors.len() {
            let neighbor = self.facet(facet).neighbors[i];
            if neighbor == MERGE_RIDGE {
                let node = self.facet_mut(facet);
                node.duplicate = node.duplicate.max(Duplicate::Waits);
                continue;
            }
            if !self.facet(neighbor).has_duplicate_ridge() {
                continue;
            }
            let one_way = !self.facet(neighbor).neighbors.contains(&facet);
            let same = self.facet(facet).vertices == self.facet(neighbor).vertices;
            if one_way || same {
                self.request_merge(facet, neighbor, Cause::DuplicateEdge, 0.0)?;
                self.facet_mut(facet).duplicate = Duplicate::Merges;
                found = true;
                if !one_way {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Merges the facets of duplicate edges, whatever their distance.
    fn merge_duplicates(&mut self) -> Result<bool, HullError> {
        let pending = std::mem::take(&mut self.merges.facets);
        let mut merged = false;
        let mut any = false;
        for merge in &pending {
            if merge.cause != Cause::DuplicateEdge {
                continue;
            }
            any = true;
            let first = self.replacement_of(merge.facet)?;
            let second = self.replacement_of(merge.neighbor)?;
            if first == second {
                continue;
            }
            if !Self::is_facet(first)
                || !Self::is_facet(second)
                || !self.facet(second).neighbors.contains(&first)
            {
                return Err(HullError::Internal("duplicate edge lost its facets"));
            }
            self.merge_duplicate(first, second)?;
            merged = true;
        }
        self.merges.facets.extend(pending.into_iter().filter(|m| m.cause != Cause::DuplicateEdge));
        if any {
            let mut facet = self.new_facets;
            while Self::in_list(facet) {
                if self.facet(facet).has_duplicate_ridge() {
                    let node = self.facet_mut(facet);
                    node.duplicate = Duplicate::None;
                    if node.neighbors.len() < 3 {
                        self.request_merge(facet, facet, Cause::Degenerate, 0.0)?;
                    }
                }
                facet = self.facet(facet).next;
            }
            self.merge_degenerate()?;
        }
        Ok(merged)
    }

    fn merge_duplicate(&mut self, first: u32, second: u32) -> Result<(), HullError> {
        let forward = self.spread(first, second);
        let backward = self.spread(second, first);
        let usual = (self.tol.one_merge + self.tol.dist_round)
            .max(self.tol.min_outside + self.tol.dist_round)
            .max(self.tol.max_outside.max(self.tol.dist_round) + self.tol.dist_round);
        if forward.size().min(backward.size()) / usual > WIDE_FORCED {
            return Err(HullError::Degenerate("wide merge of a duplicate edge"));
        }
        let limit = WIDE_DUPLICATE * (self.tol.one_merge + self.tol.dist_round);
        let (first_flipped, second_flipped) =
            (self.facet(first).is_flipped(), self.facet(second).is_flipped());
        let first_into_second = if forward.size() < backward.size() {
            !(second_flipped && !first_flipped && backward.size() < limit)
        } else {
            first_flipped && !second_flipped && forward.size() < limit
        };
        let (merging, into, spread) =
            if first_into_second { (first, second, forward) } else { (second, first, backward) };
        self.merge_facets(merging, into, Cause::DuplicateEdge, Some(spread))?;
        self.merge_degenerate()?;
        Ok(())
    }

    /// Requests the merge of a facet that is contained in a neighbour or has too few of them.
    pub(super) fn test_facet(&mut self, facet: u32) -> Result<(), HullError> {
        if self.facet(facet).is_flipped() {
            return Ok(());
        }
        for i in 0..self.facet(facet).neighbors.len() {
            let neighbor = self.facet(facet).neighbors[i];
            if self.facet(neighbor).is_flipped() {
                continue;
            }
            if self.facet(neighbor).is_removed() {
                return Err(HullError::Internal("deleted neighbour"));
            }
            self.mark_vertices(neighbor);
            if self.all_marked(facet) {
                return self.request_merge(facet, neighbor, Cause::Redundant, 0.0);
            }
        }
        if self.facet(facet).neighbors.len() < 3 {
            self.request_merge(facet, facet, Cause::Degenerate, 0.0)?;
        }
        Ok(())
    }

    /// Requests merges of neighbours that are contained in this facet.
    pub(super) fn test_redundant_neighbors(&mut self, facet: u32) -> Result<(), HullError> {
        if self.facet(facet).neighbors.len() < 3 {
            return self.request_merge(facet, facet, Cause::Degenerate, 0.0);
        }
        self.mark_vertices(facet);
        for i in 0..self.facet(facet).neighbors.len() {
            let neighbor = self.facet(facet).neighbors[i];
            let node = self.facet(neighbor);
            if node.is_removed() {
                return Err(HullError::Internal("deleted neighbour"));
            }
            if node.pending != Pending::No || node.has_duplicate_ridge() {
                continue;
            }
            if self.facet(facet).is_flipped() && !node.is_flipped() {
                continue;
            }
            if self.all_marked(neighbor) {
                self.request_merge(neighbor, facet, Cause::Redundant, 0.0)?;
            }
        }
        Ok(())
    }

    /// Requests merges of neighbours that lost too many of their own.
    pub(super) fn test_degenerate_neighbors(&mut self, facet: u32) -> Result<(), HullError> {
        for i in 0..self.facet(facet).neighbors.len() {
            let neighbor = self.facet(facet).neighbors[i];
            let node = self.facet(neighbor);
            if node.is_removed() {
                return Err(HullError::Internal("deleted neighbour"));
            }
            if node.pending != Pending::No || node.has_duplicate_ridge() || node.neighbors.len() >= 3 {
                continue;
            }
            self.request_merge(neighbor, neighbor, Cause::Degenerate, 0.0)?;
        }
        Ok(())
    }

    /// Stamps the vertices of a facet.
    pub(super) fn mark_vertices(&mut self, facet: u32) {
        self.vertex_visit += 1;
        for i in 0..self.facet(facet).vertices.len() {
            let vertex = self.facet(facet).vertices[i];
            self.vertex_mut(vertex).visit = self.vertex_visit;
        }
    }

    fn all_marked(&self, facet: u32) -> bool {
        self.facet(facet).vertices.iter().all(|v| self.vertex(*v).visit == self.vertex_visit)
    }

    /// Takes a vertex out of a facet that has no ridge at it any more.
    pub(super) fn remove_facet_vertex(&mut self, facet: u32, vertex: u32) {
        set_remove_sorted(&mut self.facet_mut(facet).vertices, vertex);
    }
}
