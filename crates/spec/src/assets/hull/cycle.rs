//! Merging new facets into coplanar horizon facets.
//!
//! When the new point lies in the plane of a horizon facet, the cone triangles on that facet are never given planes of
//! their own: the whole run of triangles along it is merged into it at once.

use super::HullError;
use super::arena::{Builder, NONE, set_remove, set_replace};
use super::merge_set::Cause;

/// Facets with more vertices than this keep their centre when they grow.
const KEEP_CENTER: usize = 8;
/// Limit of the merge counter of a facet.
const MAX_MERGES: u32 = 511;

impl Builder<'_> {
    /// Merges all new facets without a plane into their horizon facets; returns whether there were any.
    pub(super) fn merge_into_horizon(&mut self) -> Result<bool, HullError> {
        let mut merged = false;
        let mut facet = self.new_facets;
        while Self::in_list(facet) {
            let mut next = self.f(facet).next;
            if self.f(facet).has_normal {
                facet = next;
                continue;
            }
            if !self.f(facet).merge_horizon {
                return Err(HullError::Internal("new facet without plane"));
            }
            let horizon = self.f(facet).neighbors[0];
            if self.f(facet).same_cycle == facet {
                for i in 1..self.f(facet).vertices.len() {
                    let vertex = self.f(facet).vertices[i];
                    self.vm(vertex).lost_ridge = true;
                }
                self.fm(horizon).new_cycle = NONE;
                self.merge_facets(facet, horizon, Cause::CoplanarHorizon, None)?;
            } else {
                let count = self.close_cycle(facet)?;
                while Self::in_list(next) && self.f(next).cycle_done {
                    next = self.f(next).next;
                }
                self.fm(horizon).new_cycle = NONE;
                self.merge_cycle(facet, horizon)?;
                let node = self.fm(horizon);
                node.merges = (node.merges + count).min(MAX_MERGES);
            }
            merged = true;
            facet = next;
        }
        if merged {
            let mut facet = self.new_facets;
            while Self::in_list(facet) {
                if self.f(facet).coplanar_horizon {
                    self.test_redundant_neighbors(facet)?;
                    self.fm(facet).coplanar_horizon = false;
                }
                facet = self.f(facet).next;
            }
            self.merge_degenerate()?;
        }
        Ok(merged)
    }

    /// Takes facets that did get a plane out of the ring that ends with `facet`; returns its size.
    fn close_cycle(&mut self, facet: u32) -> Result<u32, HullError> {
        let mut count = 0;
        let mut previous = facet;
        let mut same = self.f(facet).same_cycle;
        loop {
            let next = self.f(same).same_cycle;
            if self.f(same).cycle_done || self.f(same).visible {
                return Err(HullError::Internal("ring of new facets is not closed"));
            }
            self.fm(same).cycle_done = true;
            if self.f(same).has_normal {
                self.fm(previous).same_cycle = next;
                self.fm(same).same_cycle = NONE;
            } else {
                previous = same;
                count += 1;
            }
            if same == facet {
                return Ok(count);
            }
            same = next;
        }
    }

    /// The members of a ring, `last` at the end.
    fn cycle_members(&self, last: u32) -> Vec<u32> {
        let mut members = Vec::new();
        let mut same = self.f(last).same_cycle;
        while same != NONE {
            members.push(same);
            if same == last {
                break;
            }
            same = self.f(same).same_cycle;
        }
        members
    }

    fn merge_cycle(&mut self, last: u32, into: u32) -> Result<(), HullError> {
        self.total_merges += 1;
        self.build_vertex_neighbors();
        let members = self.cycle_members(last);
        let apex = self.f(last).vertices[0];
        self.make_ridges(into);
        let member_stamp = self.merge_cycle_neighbors(&members, into)?;
        self.merge_cycle_ridges(&members, into, member_stamp)?;
        self.merge_cycle_vertices(&members, into, member_stamp, apex);
        if self.f(into).vertices.first() != Some(&apex) {
            self.fm(into).vertices.insert(0, apex);
        }
        if !self.f(into).is_new {
            self.renew_vertices_of(into);
        }
        self.move_facet_to_end(into);
        let node = self.fm(into);
        node.is_new = true;
        node.simplicial = false;
        node.new_merge = true;
        for &same in &members {
            self.will_delete(same, into);
        }
        let node = self.fm(into);
        if node.vertices.len() <= KEEP_CENTER {
            node.center = None;
        }
        Ok(())
    }

    /// Neighbours of the ring become neighbours of the facet. Returns the stamp of the ring's members.
    fn merge_cycle_neighbors(&mut self, members: &[u32], into: u32) -> Result<u32, HullError> {
        self.visit += 2;
        let (member_stamp, stamp) = (self.visit - 1, self.visit);
        for &same in members {
            self.fm(same).visit = member_stamp;
        }
        self.fm(into).visit = stamp;
        let mut neighbors = std::mem::take(&mut self.fm(into).neighbors);
        neighbors.retain(|f| self.f(*f).visit != member_stamp);
        for &neighbor in &neighbors {
            self.fm(neighbor).visit = stamp;
        }
        self.fm(into).neighbors = neighbors;

        for &same in members {
            for i in 0..self.f(same).neighbors.len() {
                let neighbor = self.f(same).neighbors[i];
                if self.f(neighbor).visit == member_stamp {
                    continue;
                }
                let known = self.f(neighbor).visit == stamp;
                if !self.f(neighbor).simplicial {
                    set_remove(&mut self.fm(neighbor).neighbors, same);
                    if !known {
                        self.fm(neighbor).neighbors.push(into);
                        self.fm(into).neighbors.push(neighbor);
                        self.fm(neighbor).visit = stamp;
                    }
                } else if known {
                    self.make_ridges(neighbor);
                    set_remove(&mut self.fm(neighbor).neighbors, same);
                } else {
                    self.fm(into).neighbors.push(neighbor);
                    set_replace(&mut self.fm(neighbor).neighbors, same, into)?;
                    self.fm(neighbor).visit = stamp;
                    self.move_first_ridge(neighbor, same, into);
                }
            }
        }
        Ok(member_stamp)
    }

    /// Moves the ridge that a triangle shares with `from` over to `to`.
    fn move_first_ridge(&mut self, facet: u32, from: u32, to: u32) {
        for i in 0..self.f(facet).ridges.len() {
            let ridge = self.f(facet).ridges[i];
            let edge = self.rm(ridge);
            if edge.top == from {
                edge.top = to;
                return;
            } else if edge.bottom == from {
                edge.bottom = to;
                return;
            }
        }
    }

    fn merge_cycle_ridges(&mut self, members: &[u32], into: u32, member_stamp: u32) -> Result<(), HullError> {
        let mut ridges = std::mem::take(&mut self.fm(into).ridges);
        ridges.retain(|r| self.f(self.r(*r).other(into)).visit != member_stamp);
        self.fm(into).ridges = ridges;

        for &same in members {
            let ridges = std::mem::take(&mut self.fm(same).ridges);
            for &ridge in &ridges {
                let edge = self.rm(ridge);
                let neighbor = if edge.top == same {
                    edge.top = into;
                    edge.bottom
                } else if edge.bottom == same {
                    edge.bottom = into;
                    edge.top
                } else if edge.top == into || edge.bottom == into {
                    self.add_ridge_to(into, ridge);
                    continue;
                } else {
                    return Err(HullError::Internal("ridge of another facet"));
                };
                if neighbor == into {
                    self.delete_ridge(ridge);
                } else if self.f(neighbor).visit == member_stamp {
                    set_remove(&mut self.fm(neighbor).ridges, ridge);
                    self.delete_ridge(ridge);
                } else {
                    self.add_ridge_to(into, ridge);
                }
            }
            if !self.f(same).simplicial {
                continue;
            }
            for i in 0..self.f(same).neighbors.len() {
                let neighbor = self.f(same).neighbors[i];
                if self.f(neighbor).visit != member_stamp && self.f(neighbor).simplicial {
                    let ridge = self.ridge_across(same, i, neighbor, into, false);
                    self.add_ridge_to(into, ridge);
                    self.add_ridge_to(neighbor, ridge);
                }
            }
        }
        Ok(())
    }

    /// Vertices of the ring lose its facets; those between only two facets disappear.
    fn merge_cycle_vertices(&mut self, members: &[u32], into: u32, member_stamp: u32, apex: u32) {
        self.fm(into).visit = member_stamp;
        self.vertex_visit += 1;
        let stamp = self.vertex_visit;
        self.vm(apex).visit = stamp;
        let mut base = Vec::new();
        for &same in members {
            if self.f(same).merge_ridge {
                continue;
            }
            for i in 0..self.f(same).vertices.len() {
                let vertex = self.f(same).vertices[i];
                if self.v(vertex).visit != stamp {
                    self.vm(vertex).visit = stamp;
                    base.push(vertex);
                }
            }
        }
        base.push(apex);
        for vertex in base {
            self.vm(vertex).lost_ridge = true;
            let mut neighbors = std::mem::take(&mut self.vm(vertex).neighbors);
            neighbors.retain(|f| self.f(*f).visit != member_stamp);
            neighbors.push(into);
            let lonely = neighbors.len() < 2;
            self.vm(vertex).neighbors = neighbors;
            if lonely {
                self.remove_facet_vertex(into, vertex);
                self.drop_vertex(vertex);
            }
        }
    }
}
