//! Finding the facet that a point is furthest above.
//!
//! Walking from facet to facet while the distance grows is fast but can stop early where merged facets or a
//! sharp cone of new facets make the surface rough; then all new facets are tried. Either way the facets
//! around the best one are explored as long as they are within the search distance, because near-coplanar
//! facets can hide a better one.

use super::HullError;
use super::arena::{Builder, DUPLICATE_RIDGE, MERGE_RIDGE, NONE, TAIL};

/// Merges after which the walk is no longer trusted.
const MANY_MERGES: usize = 50;

/// The best facet for a point.
#[derive(Clone, Copy)]
pub(super) struct Located {
    pub(super) facet: u32,
    pub(super) dist: f64,
    /// Whether the point is clearly above it.
    pub(super) outside: bool,
}

impl Builder<'_> {
    pub(super) fn many_merges(&self) -> bool {
        self.total_merges > MANY_MERGES
    }

    fn roughness_factor(&self) -> f64 {
        if self.many_merges() { 2.0 } else { 1.0 }
    }

    /// Distance at which the first facet found is good enough.
    pub(super) fn clearly_outside(&self) -> f64 {
        self.roughness_factor() * (2.0 * self.tol.min_outside).max(self.tol.max_outside)
    }

    fn search_distance(&self) -> f64 {
        let tol = &self.tol;
        self.roughness_factor()
            * (tol.max_outside + 2.0 * tol.dist_round + tol.min_visible.max(tol.max_coplanar))
    }

    /// Walks uphill from a facet. Unless `want_best`, the first facet that the point is outside of ends the
    /// walk. With `only_new`, the walk stays on new facets.
    pub(super) fn walk(
        &mut self,
        point: u32,
        start: u32,
        want_best: bool,
        only_new: bool,
    ) -> Result<Located, HullError> {
        self.visit += 1;
        let stamp = self.visit;
        let mut best = NONE;
        let mut best_dist = f64::MIN / 2.0;
        if !self.facet(start).is_flipped() {
            best_dist = self.point_distance(point, start);
            best = start;
            if !want_best && best_dist >= self.tol.min_outside {
                return Ok(outside(start, best_dist));
            }
        }
        self.facet_mut(start).visit = stamp;
        let mut facet = start;
        'walk: loop {
            for i in 0..self.facet(facet).neighbors.len() {
                let neighbor = self.facet(facet).neighbors[i];
                if neighbor >= DUPLICATE_RIDGE {
                    continue;
                }
                let node = self.facet_mut(neighbor);
                if (only_new && !node.is_new()) || node.visit == stamp {
                    continue;
                }
                node.visit = stamp;
                if node.is_flipped() {
                    continue;
                }
                let dist = self.point_distance(point, neighbor);
                if dist > best_dist {
                    if !want_best && dist >= self.tol.min_outside {
                        return Ok(outside(neighbor, dist));
                    }
                    best = neighbor;
                    best_dist = dist;
                    facet = neighbor;
                    continue 'walk;
                }
            }
            break;
        }
        self.finish_walk(point, facet, (best, best_dist), want_best, only_new)
    }

    /// Corrects the result of a walk that may have stopped in a local maximum.
    fn finish_walk(
        &mut self,
        point: u32,
        last: u32,
        (mut best, mut best_dist): (u32, f64),
        want_best: bool,
        only_new: bool,
    ) -> Result<Located, HullError> {
        let mut explored = false;
        if only_new {
            let from = if best == NONE {
                Some(self.new_facets)
            } else if !self.new_facets_not_sharp && best_dist < -self.tol.dist_round {
                if self.new_cone_is_sharp() {
                    self.search_all_new = true;
                    Some(best)
                } else {
                    self.new_facets_not_sharp = true;
                    None
                }
            } else {
                None
            };
            if let Some(from) = from {
                let found = self.search_new(point, from, want_best)?;
                (best, best_dist) = (found.facet, found.dist);
                explored = true;
            }
        }
        if best == NONE {
            (best, best_dist) = self.best_unflipped_neighbor(point, last)?;
        }
        if !explored {
            (best, best_dist) = self.explore_around(point, best, best_dist);
        }
        Ok(Located { facet: best, dist: best_dist, outside: best_dist >= self.tol.min_outside })
    }

    /// Tries all new facets, those from `start` on first. Unless `want_best`, a clear distance ends the
    /// search.
    pub(super) fn search_new(
        &mut self,
        point: u32,
        start: u32,
        want_best: bool,
    ) -> Result<Located, HullError> {
        if !Self::in_list(start) {
            return Err(HullError::Degenerate("all new facets were merged away"));
        }
        self.visit += 1;
        let stamp = self.visit;
        let enough = if want_best { f64::INFINITY } else { self.clearly_outside() };
        let mut best = NONE;
        let mut best_dist = f64::MIN / 2.0;
        for (first, end) in [(start, TAIL), (self.new_facets, start)] {
            let mut facet = first;
            while Self::in_list(facet) && facet != end {
                self.facet_mut(facet).visit = stamp;
                if !self.facet(facet).is_flipped() {
                    let dist = self.point_distance(point, facet);
                    if dist > best_dist {
                        if dist >= enough {
                            return Ok(outside(facet, dist));
                        }
                        best = facet;
                        best_dist = dist;
                    }
                }
                facet = self.facet(facet).next;
            }
        }
        let from = if best == NONE { start } else { best };
        let (facet, dist) = self.explore_around(point, from, best_dist);
        Ok(Located { facet, dist, outside: dist >= self.tol.min_outside })
    }

    /// Explores the facets around `start` that are within the search distance of the best one.
    fn explore_around(&mut self, point: u32, start: u32, start_dist: f64) -> (u32, f64) {
        self.visit += 1;
        let stamp = self.visit;
        let (mut best, mut best_dist) = (start, start_dist);
        let reach = self.search_distance();
        let mut min_dist = best_dist - reach;
        let mut pending = std::mem::take(&mut self.scratch);
        pending.clear();
        self.facet_mut(start).visit = stamp;
        let mut facet = start;
        loop {
            // the neighbour found last is continued with directly, the ones before it wait
            let mut next = NONE;
            for i in 0..self.facet(facet).neighbors.len() {
                let neighbor = self.facet(facet).neighbors[i];
                if neighbor >= DUPLICATE_RIDGE || self.facet(neighbor).visit == stamp {
                    continue;
                }
                self.facet_mut(neighbor).visit = stamp;
                if !self.facet(neighbor).is_flipped() {
                    let dist = self.point_distance(point, neighbor);
                    if dist > best_dist {
                        min_dist = dist - reach;
                        if dist > best_dist + reach {
                            pending.clear();
                        }
                        best = neighbor;
                        best_dist = dist;
                    } else if dist < min_dist {
                        continue;
                    }
                }
                if next != NONE {
                    pending.push(next);
                }
                next = neighbor;
            }
            facet = match (next, pending.pop()) {
                (NONE, Some(waiting)) => waiting,
                (NONE, None) => break,
                (next, waiting) => {
                    pending.extend(waiting);
                    next
                }
            };
        }
        self.scratch = pending;
        (best, best_dist)
    }

    /// Whether the normals of the new facets point into different octants.
    fn new_cone_is_sharp(&self) -> bool {
        let octant = |facet: u32| self.facet(facet).normal.map(|x| x > 0.0);
        let mut facet = self.new_facets;
        if !Self::in_list(facet) {
            return false;
        }
        let first = octant(facet);
        while Self::in_list(facet) {
            if octant(facet) != first {
                return true;
            }
            facet = self.facet(facet).next;
        }
        false
    }

    /// For a walk that met only flipped facets: the best neighbour of where it ended, or of any facet.
    fn best_unflipped_neighbor(&self, point: u32, last: u32) -> Result<(u32, f64), HullError> {
        let mut candidates = self.facet(last).neighbors.clone();
        candidates.retain(|f| *f != MERGE_RIDGE && *f != DUPLICATE_RIDGE);
        for pass in 0..2 {
            let mut best = (NONE, f64::MIN / 2.0);
            for &facet in &candidates {
                if !self.facet(facet).is_flipped() {
                    let dist = self.point_distance(point, facet);
                    if dist > best.1 {
                        best = (facet, dist);
                    }
                }
            }
            if best.0 != NONE {
                return Ok(best);
            }
            if pass == 0 {
                candidates = self.all_facets();
                candidates.retain(|f| !self.facet(*f).is_removed());
            }
        }
        Err(HullError::Degenerate("all facets are flipped"))
    }
}

fn outside(facet: u32, dist: f64) -> Located {
    Located { facet, dist, outside: true }
}
