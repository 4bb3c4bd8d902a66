//! Matching the edges of new facets, and the rare edges that more than two of them share.
//!
//! A nearly flat cone can fold over itself, so that an edge from the apex gets three or more facets. The pair
//! that lies closest together is connected, or the pair furthest apart is kept when none is close; the
//! remaining facets get a mark and are merged with their neighbour later.

use std::collections::HashMap;

use super::HullError;
use super::arena::{Builder, DUPLICATE_RIDGE, MERGE_RIDGE, NONE};
use super::facet::{Duplicate, Shape};
use crate::assets::hash::FastHash;

/// Facets further apart than this many merge distances are not a good match for a duplicate edge.
pub(super) const WIDE_DUPLICATE: f64 = 50.0;

/// Unmatched facet edges by their vertex away from the apex.
#[derive(Default)]
pub(super) struct EdgeTable {
    edges: HashMap<u32, Vec<u32>, FastHash>,
    pub(super) unmatched: i64,
}

impl EdgeTable {
    fn insert(&mut self, vertex: u32, facet: u32) {
        let list = self.edges.entry(vertex).or_default();
        if !list.contains(&facet) {
            list.push(facet);
        }
    }

    fn candidates(&self, vertex: u32) -> Vec<u32> {
        self.edges.get(&vertex).cloned().unwrap_or_default()
    }
}

/// One side of an edge: a facet and the index of its vertex across from the edge.
#[derive(Clone, Copy, PartialEq)]
struct Side {
    facet: u32,
    skip: usize,
}

/// Two sides that could be connected.
#[derive(Clone, Copy)]
struct Match {
    first: Side,
    second: Side,
    dist: f64,
}

impl Builder<'_> {
    /// The vertex that, with the apex, spans the edge across from `skip`.
    fn edge_vertex(&self, side: Side) -> u32 {
        self.facet(side.facet).vertices[3 - side.skip]
    }

    /// The side of `facet` with the given edge vertex.
    fn side_with(&self, facet: u32, vertex: u32) -> Option<Side> {
        let vertices = &self.facet(facet).vertices;
        let skip = if vertices[1] == vertex {
            2
        } else if vertices[2] == vertex {
            1
        } else {
            return None;
        };
        Some(Side { facet, skip })
    }

    fn link(&self, side: Side) -> u32 {
        self.facet(side.facet).neighbors[side.skip]
    }

    fn set_link(&mut self, side: Side, neighbor: u32) {
        self.facet_mut(side.facet).neighbors[side.skip] = neighbor;
    }

    fn connect(&mut self, a: Side, b: Side) {
        self.set_link(a, b.facet);
        self.set_link(b, a.facet);
    }

    /// Whether two sides traverse the edge in opposite directions.
    fn opposed(&self, a: Side, b: Side) -> bool {
        (a.skip % 2 == b.skip % 2) == (self.facet(a.facet).top != self.facet(b.facet).top)
    }

    /// Connects one side of a new facet, or remembers it.
    pub(super) fn match_neighbor(
        &mut self,
        table: &mut EdgeTable,
        facet: u32,
        skip: usize,
    ) -> Result<(), HullError> {
        let side = Side { facet, skip };
        let key = self.edge_vertex(side);
        let other = table
            .edges
            .get(&key)
            .and_then(|list| list.iter().find(|f| **f != facet))
            .and_then(|f| self.side_with(*f, key));
        let Some(other) = other else {
            table.insert(key, facet);
            table.unmatched += 1;
            return Ok(());
        };
        let linked = self.link(other);
        if linked == NONE && self.opposed(side, other) {
            self.connect(side, other);
            table.unmatched -= 1;
            return Ok(());
        }

        // a third facet: all sides of this edge wait for a decision
        self.set_link(side, DUPLICATE_RIDGE);
        self.facet_mut(facet).duplicate = Duplicate::Found;
        table.insert(key, facet);
        table.unmatched += 1;
        if linked != DUPLICATE_RIDGE {
            self.set_link(other, DUPLICATE_RIDGE);
            self.facet_mut(other.facet).duplicate = Duplicate::Found;
            if linked != NONE {
                let Some(skip) = self.facet(linked).neighbors.iter().position(|f| *f == other.facet) else {
                    return Err(HullError::Degenerate("duplicate edge without return link"));
                };
                self.set_link(Side { facet: linked, skip }, DUPLICATE_RIDGE);
                self.facet_mut(linked).duplicate = Duplicate::Found;
                table.insert(key, linked);
                table.unmatched += 2;
            }
        }
        Ok(())
    }

    /// Decides which facets meet at a duplicate edge.
    pub(super) fn resolve_duplicate(
        &mut self,
        table: &mut EdgeTable,
        facet: u32,
        skip: usize,
    ) -> Result<(), HullError> {
        let at = Side { facet, skip };
        let key = self.edge_vertex(at);
        let sides: Vec<Side> =
            table.candidates(key).into_iter().filter_map(|f| self.side_with(f, key)).collect();
        let (good, widest) = self.rate_pairs(at, &sides)?;
        let Some(chosen) = good.or(widest) else {
            return Err(HullError::Degenerate("no match for a duplicate edge"));
        };
        self.connect(chosen.first, chosen.second);
        table.unmatched -= 2;
        self.connect_rest(table, at, &sides, good)
    }

    /// The closest acceptable pair and the pair that is furthest apart.
    fn rate_pairs(&mut self, at: Side, sides: &[Side]) -> Result<(Option<Match>, Option<Match>), HullError> {
        let max_good = WIDE_DUPLICATE * (self.tol.one_merge + self.tol.dist_round);
        let (mut good, mut widest): (Option<Match>, Option<Match>) = (None, None);
        let mut same_vertices = false;
        self.visit += 1;
        let stamp = self.visit;
        let mut current = Some(at);
        while let Some(new) = current.take() {
            self.facet_mut(new.facet).visit = stamp;
            for &old in sides {
                if !self.facet(old.facet).has_duplicate_ridge() || self.facet(old.facet).visit == stamp {
                    continue;
                }
                same_vertices |=
                    self.facet(new.facet).vertices[new.skip] == self.facet(old.facet).vertices[old.skip];
                if self.link(old) != DUPLICATE_RIDGE {
                    return Err(HullError::Degenerate("inconsistent duplicate edge"));
                }
                if !self.opposed(new, old) {
                    current = Some(old);
                    continue;
                }
                if self.link(new) != DUPLICATE_RIDGE {
                    continue;
                }
                for side in [old, new] {
                    if !self.facet(side.facet).has_plane() {
                        self.set_plane(side.facet)?;
                    }
                }
                let forward = self.spread(old.facet, new.facet).size();
                let backward = self.spread(new.facet, old.facet).size();
                if same_vertices {
                    good = None;
                    widest = Some(Match { first: old, second: new, dist: forward.min(backward) });
                    break;
                }
                self.rate_pair(old, new, forward, backward, max_good, &mut good, &mut widest);
            }
        }
        Ok((good, widest))
    }

    fn rate_pair(
        &self,
        old: Side,
        new: Side,
        forward: f64,
        backward: f64,
        max_good: f64,
        good: &mut Option<Match>,
        widest: &mut Option<Match>,
    ) {
        let (old_flipped, new_flipped) =
            (self.facet(old.facet).is_flipped(), self.facet(new.facet).is_flipped());
        let good_is_flipped = good.map(|g| self.facet(g.first.facet).is_flipped());
        let flipped_better = |dist: f64| good.is_none_or(|g| good_is_flipped == Some(false) || dist < g.dist);
        let plain_better = |dist: f64| good.is_none_or(|g| good_is_flipped == Some(false) && dist < g.dist);
        let pair = |first: Side, second: Side, dist: f64| Match { first, second, dist };
        if old_flipped && !new_flipped && forward < max_good {
            if flipped_better(forward) {
                *good = Some(pair(old, new, forward));
            }
        } else if new_flipped && !old_flipped && backward < max_good {
            if flipped_better(backward) {
                *good = Some(pair(new, old, backward));
            }
        } else if forward < max_good && (!new_flipped || old_flipped) {
            if plain_better(forward) {
                *good = Some(pair(old, new, forward));
            }
        } else if backward < max_good && (!old_flipped || new_flipped) {
            if plain_better(backward) {
                *good = Some(pair(new, old, backward));
            }
        } else if good.is_none() {
            let dist = if !new_flipped || old_flipped { forward.min(backward) } else { forward };
            if widest.is_none_or(|w| dist > w.dist) {
                *widest = Some(pair(old, new, dist));
            }
        }
    }

    /// Pairs up what is left of a duplicate edge; one link of each pair is marked for merging.
    fn connect_rest(
        &mut self,
        table: &mut EdgeTable,
        at: Side,
        sides: &[Side],
        good: Option<Match>,
    ) -> Result<(), HullError> {
        let mut mark = good.map(|g| g.second);
        self.visit += 1;
        let stamp = self.visit;
        let mut current = Some(at);
        while let Some(new) = current.take() {
            self.facet_mut(new.facet).visit = stamp;
            for &old in sides {
                if !self.facet(old.facet).has_duplicate_ridge()
                    || self.facet(old.facet).visit == stamp
                    || self.link(old) != DUPLICATE_RIDGE
                {
                    continue;
                }
                if !self.opposed(new, old) {
                    current = Some(old);
                } else if self.link(new) == DUPLICATE_RIDGE {
                    table.unmatched -= 2;
                    if self.facet(new.facet).shape == Shape::FanTriangle {
                        self.connect(new, old);
                    } else if let Some(marked) = mark.take() {
                        self.set_link(marked, MERGE_RIDGE);
                        self.connect(new, old);
                    } else {
                        self.set_link(old, new.facet);
                        self.set_link(new, MERGE_RIDGE);
                    }
                }
            }
            if self.link(new) == DUPLICATE_RIDGE {
                return Err(HullError::Internal("duplicate edge without match"));
            }
        }
        Ok(())
    }
}
