//! Merging new facets into coplanar horizon facets.
//!
//! When the new point lies in the plane of a horizon facet, the cone triangles on that facet are never given
//! planes of their own: the whole run of triangles along it is merged into it at once.

use super::HullError;
use super::arena::{Builder, KEEP_CENTER, MAX_MERGES, NONE, set_remove, set_replace};
use super::facet::{Duplicate, Horizon, Shape};
use super::pending::Cause;
use super::ridge::Convexity;

impl Builder<'_> {
    /// Merges all new facets without a plane into their horizon facets; returns whether there were any.
    pub(super) fn merge_into_horizon(&mut self) -> Result<bool, HullError> {
        let mut merged = false;
        let mut facet = self.new_facets;
        while Self::in_list(facet) {
            let mut next = self.facet(facet).next;
            if self.facet(facet).has_plane() {
                facet = next;
                continue;
            }
            if self.facet(facet).horizon != Horizon::MergesInto {
                return Err(HullError::Internal("new facet without plane"));
            }
            let horizon = self.facet(facet).neighbors[0];
            if self.facet(facet).same_cycle == facet {
                for i in 1..self.facet(facet).vertices.len() {
                    let vertex = self.facet(facet).vertices[i];
                    self.vertex_mut(vertex).lost_ridge = true;
                }
                self.facet_mut(horizon).new_cycle = NONE;
                self.merge_facets(facet, horizon, Cause::CoplanarHorizon, None)?;
            } else {
                let count = self.close_cycle(facet)?;
                while Self::in_list(next) && self.facet(next).cycle_done {
                    next = self.facet(next).next;
                }
                self.facet_mut(horizon).new_cycle = NONE;
                self.merge_cycle(facet, horizon)?;
                let node = self.facet_mut(horizon);
                node.merges = (node.merges + count).min(MAX_MERGES);
            }
            merged = true;
            facet = next;
        }
        if merged {
            let mut facet = self.new_facets;
            while Self::in_list(facet) {
                if self.facet(facet).horizon == Horizon::Coplanar {
                    self.test_redundant_neighbors(facet)?;
                    self.facet_mut(facet).horizon = Horizon::Below;
                }
                facet = self.facet(facet).next;
            }
            self.merge_degenerate()?;
        }
        Ok(merged)
    }

    /// Takes facets that did get a plane out of the ring that ends with `facet`; returns its size.
    fn close_cycle(&mut self, facet: u32) -> Result<u32, HullError> {
        let mut count = 0;
        let mut previous = facet;
        let mut same = self.facet(facet).same_cycle;
        loop {
            let next = self.facet(same).same_cycle;
            if self.facet(same).cycle_done || self.facet(same).is_removed() {
                return Err(HullError::Internal("ring of new facets is not closed"));
            }
            self.facet_mut(same).cycle_done = true;
            if self.facet(same).has_plane() {
                self.facet_mut(previous).same_cycle = next;
                self.facet_mut(same).same_cycle = NONE;
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
        let mut same = self.facet(last).same_cycle;
        while same != NONE {
            members.push(same);
            if same == last {
                break;
            }
            same = self.facet(same).same_cycle;
        }
        members
    }

    fn merge_cycle(&mut self, last: u32, into: u32) -> Result<(), HullError> {
        self.total_merges += 1;
        self.build_vertex_neighbors();
        let members = self.cycle_members(last);
        let apex = self.facet(last).vertices[0];
        self.make_ridges(into);
        let member_stamp = self.merge_cycle_neighbors(&members, into)?;
        self.merge_cycle_ridges(&members, into, member_stamp)?;
        self.merge_cycle_vertices(&members, into, member_stamp, apex);
        if self.facet(into).vertices.first() != Some(&apex) {
            self.facet_mut(into).vertices.insert(0, apex);
        }
        if !self.facet(into).is_new() {
            self.renew_vertices_of(into);
        }
        self.move_facet_to_end(into);
        let node = self.facet_mut(into);
        node.set_new(true);
        node.shape = Shape::Polygon;
        node.new_merge = true;
        for &same in &members {
            self.will_delete(same, into);
        }
        let node = self.facet_mut(into);
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
            self.facet_mut(same).visit = member_stamp;
        }
        self.facet_mut(into).visit = stamp;
        let mut neighbors = std::mem::take(&mut self.facet_mut(into).neighbors);
        neighbors.retain(|f| self.facet(*f).visit != member_stamp);
        for &neighbor in &neighbors {
            self.facet_mut(neighbor).visit = stamp;
        }
        self.facet_mut(into).neighbors = neighbors;

        for &same in members {
            for i in 0..self.facet(same).neighbors.len() {
                let neighbor = self.facet(same).neighbors[i];
                if self.facet(neighbor).visit == member_stamp {
                    continue;
                }
                let known = self.facet(neighbor).visit == stamp;
                if !self.facet(neighbor).is_triangle() {
                    set_remove(&mut self.facet_mut(neighbor).neighbors, same);
                    if !known {
                        self.facet_mut(neighbor).neighbors.push(into);
                        self.facet_mut(into).neighbors.push(neighbor);
                        self.facet_mut(neighbor).visit = stamp;
                    }
                } else if known {
                    self.make_ridges(neighbor);
                    set_remove(&mut self.facet_mut(neighbor).neighbors, same);
                } else {
                    self.facet_mut(into).neighbors.push(neighbor);
                    set_replace(&mut self.facet_mut(neighbor).neighbors, same, into)?;
                    self.facet_mut(neighbor).visit = stamp;
                    self.move_first_ridge(neighbor, same, into);
                }
            }
        }
        Ok(member_stamp)
    }

    /// Moves the ridge that a triangle shares with `from` over to `to`.
    fn move_first_ridge(&mut self, facet: u32, from: u32, to: u32) {
        for i in 0..self.facet(facet).ridges.len() {
            let ridge = self.facet(facet).ridges[i];
            let edge = self.ridge_mut(ridge);
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
        let mut ridges = std::mem::take(&mut self.facet_mut(into).ridges);
        ridges.retain(|r| self.facet(self.ridge(*r).other(into)).visit != member_stamp);
        self.facet_mut(into).ridges = ridges;

        for &same in members {
            let ridges = std::mem::take(&mut self.facet_mut(same).ridges);
            for &ridge in &ridges {
                let edge = self.ridge_mut(ridge);
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
                } else if self.facet(neighbor).visit == member_stamp {
                    set_remove(&mut self.facet_mut(neighbor).ridges, ridge);
                    self.delete_ridge(ridge);
                } else {
                    self.add_ridge_to(into, ridge);
                }
            }
            if !self.facet(same).is_triangle() {
                continue;
            }
            for i in 0..self.facet(same).neighbors.len() {
                let neighbor = self.facet(same).neighbors[i];
                if self.facet(neighbor).visit != member_stamp && self.facet(neighbor).is_triangle() {
                    let ridge = self.ridge_across(same, i, neighbor, into, Convexity::Untested);
                    self.add_ridge_to(into, ridge);
                    self.add_ridge_to(neighbor, ridge);
                }
            }
        }
        Ok(())
    }

    /// Vertices of the ring lose its facets; those between only two facets disappear.
    fn merge_cycle_vertices(&mut self, members: &[u32], into: u32, member_stamp: u32, apex: u32) {
        self.facet_mut(into).visit = member_stamp;
        self.vertex_visit += 1;
        let stamp = self.vertex_visit;
        self.vertex_mut(apex).visit = stamp;
        let mut base = Vec::new();
        for &same in members {
            if self.facet(same).duplicate >= Duplicate::Waits {
                continue;
            }
            for i in 0..self.facet(same).vertices.len() {
                let vertex = self.facet(same).vertices[i];
                if self.vertex(vertex).visit != stamp {
                    self.vertex_mut(vertex).visit = stamp;
                    base.push(vertex);
                }
            }
        }
        base.push(apex);
        for vertex in base {
            self.vertex_mut(vertex).lost_ridge = true;
            let mut neighbors = std::mem::take(&mut self.vertex_mut(vertex).neighbors);
            neighbors.retain(|f| self.facet(*f).visit != member_stamp);
            neighbors.push(into);
            let lonely = neighbors.len() < 2;
            self.vertex_mut(vertex).neighbors = neighbors;
            if lonely {
                self.remove_facet_vertex(into, vertex);
                self.drop_vertex(vertex);
            }
        }
    }
}
