//! Storage of the growing polyhedron: facets, ridges and vertices in arenas, and the two ordered lists.
//!
//! The order of every list decides ties (which facet is searched first, which vertex is reported first), so
//! it is part of the algorithm: facets and vertices live in doubly linked lists whose tail holds what is new,
//! and sets of neighbours are vectors from which an element is removed by moving the last one into its place.

use super::error::{HullError, Point};
pub(super) use super::facet::NONE;
use super::facet::{Duplicate, Facet};
use super::pending::MergeSets;
use super::ridge::Ridge;
use super::tolerance::Tolerances;
use super::vertex::{Vertex, VertexStage};

/// Neighbour slot whose ridge is shared by more than two new facets and will be resolved by a merge.
pub(super) const MERGE_RIDGE: u32 = u32::MAX - 1;
/// Neighbour slot whose ridge has more than two candidates, not resolved yet.
pub(super) const DUPLICATE_RIDGE: u32 = u32::MAX - 2;
/// Index of the sentinel that ends the facet list and the vertex list.
pub(super) const TAIL: u32 = 0;
/// Facets with more vertices than this keep their centre when they grow.
pub(super) const KEEP_CENTER: usize = 8;
/// Limit of the merge counter of a facet.
pub(super) const MAX_MERGES: u32 = 511;

/// The polyhedron and the state of its construction.
pub(super) struct Builder<'p> {
    pub(super) points: &'p [Point],
    pub(super) tol: Tolerances,
    pub(super) interior: Point,
    pub(super) facets: Vec<Facet>,
    pub(super) ridges: Vec<Ridge>,
    pub(super) vertices: Vec<Vertex>,
    free_facets: Vec<u32>,
    free_ridges: Vec<u32>,
    next_facet_id: u32,
    pub(super) facet_head: u32,
    /// First facet created or changed by the current step.
    pub(super) new_facets: u32,
    /// First facet to be deleted; deleted ones precede the new ones.
    pub(super) visible_facets: u32,
    /// Where the search for the next outside point continues.
    pub(super) facet_cursor: u32,
    pub(super) first_new_id: u32,
    pub(super) num_facets: usize,
    pub(super) num_visible: usize,
    pub(super) vertex_head: u32,
    pub(super) new_vertices: u32,
    pub(super) num_vertices: usize,
    /// Vertices that lost all their facets in the current step.
    pub(super) dropped_vertices: Vec<u32>,
    /// Whether vertices keep their lists of facets; true from the first merge on.
    pub(super) vertex_neighbors: bool,
    pub(super) visit: u32,
    pub(super) vertex_visit: u32,
    pub(super) total_merges: usize,
    /// Whether points search all new facets instead of walking from the best one.
    pub(super) search_all_new: bool,
    pub(super) new_facets_not_sharp: bool,
    /// The initial simplex has a very sharp edge: points near the surface are kept as outside points.
    pub(super) narrow: bool,
    pub(super) repartitioned: u32,
    pub(super) merges: MergeSets,
    pub(super) scratch: Vec<u32>,
}

impl<'p> Builder<'p> {
    pub(super) fn new(points: &'p [Point], tol: Tolerances) -> Self {
        let sentinel = Facet { previous: NONE, next: NONE, ..Facet::default() };
        let end = Vertex { previous: NONE, next: NONE, ..Vertex::default() };
        Self {
            points,
            tol,
            interior: [0.0; 3],
            facets: vec![sentinel],
            ridges: Vec::new(),
            vertices: vec![end],
            free_facets: Vec::new(),
            free_ridges: Vec::new(),
            next_facet_id: 1,
            facet_head: TAIL,
            new_facets: TAIL,
            visible_facets: NONE,
            facet_cursor: NONE,
            first_new_id: 0,
            num_facets: 0,
            num_visible: 0,
            vertex_head: TAIL,
            new_vertices: TAIL,
            num_vertices: 0,
            dropped_vertices: Vec::new(),
            vertex_neighbors: false,
            visit: 0,
            vertex_visit: 0,
            total_merges: 0,
            search_all_new: false,
            new_facets_not_sharp: false,
            narrow: false,
            repartitioned: NONE,
            merges: MergeSets::default(),
            scratch: Vec::new(),
        }
    }

    pub(super) fn facet(&self, facet: u32) -> &Facet {
        &self.facets[facet as usize]
    }

    pub(super) fn facet_mut(&mut self, facet: u32) -> &mut Facet {
        &mut self.facets[facet as usize]
    }

    pub(super) fn vertex(&self, vertex: u32) -> &Vertex {
        &self.vertices[vertex as usize]
    }

    pub(super) fn vertex_mut(&mut self, vertex: u32) -> &mut Vertex {
        &mut self.vertices[vertex as usize]
    }

    pub(super) fn ridge(&self, ridge: u32) -> &Ridge {
        &self.ridges[ridge as usize]
    }

    pub(super) fn ridge_mut(&mut self, ridge: u32) -> &mut Ridge {
        &mut self.ridges[ridge as usize]
    }

    /// Coordinates of a vertex.
    pub(super) fn vertex_point(&self, vertex: u32) -> &Point {
        &self.points[self.vertex(vertex).point as usize]
    }

    /// Whether a link is a real facet, neither the sentinel nor absent.
    pub(super) fn in_list(facet: u32) -> bool {
        facet != TAIL && facet != NONE
    }

    pub(super) fn create_facet(&mut self) -> u32 {
        let index = match self.free_facets.pop() {
            Some(index) => {
                self.facet_mut(index).reset();
                index
            }
            None => {
                self.facets.push(Facet::default());
                (self.facets.len() - 1) as u32
            }
        };
        let id = self.next_facet_id;
        self.next_facet_id += 1;
        let max_outside = self.tol.dist_round;
        let facet = self.facet_mut(index);
        facet.id = id;
        facet.max_outside = max_outside;
        facet.set_new(true);
        facet.same_cycle = NONE;
        facet.new_cycle = NONE;
        index
    }

    /// Id that the next facet will get.
    pub(super) fn upcoming_id(&self) -> u32 {
        self.next_facet_id
    }

    pub(super) fn delete_facet(&mut self, facet: u32) {
        self.remove_facet(facet);
        self.free_facets.push(facet);
    }

    pub(super) fn create_ridge(&mut self, ridge: Ridge) -> u32 {
        if let Some(index) = self.free_ridges.pop() {
            *self.ridge_mut(index) = ridge;
            return index;
        }
        self.ridges.push(ridge);
        (self.ridges.len() - 1) as u32
    }

    /// Frees a ridge; the caller has taken it out of its facets.
    pub(super) fn delete_ridge(&mut self, ridge: u32) {
        self.free_ridges.push(ridge);
    }

    pub(super) fn add_ridge_to(&mut self, facet: u32, ridge: u32) {
        let facet = self.facet_mut(facet);
        facet.had_ridges = true;
        facet.ridges.push(ridge);
    }

    pub(super) fn create_vertex(&mut self, point: u32) -> u32 {
        self.vertices.push(Vertex { point, ..Vertex::default() });
        (self.vertices.len() - 1) as u32
    }

    pub(super) fn append_facet(&mut self, facet: u32) {
        if self.new_facets == TAIL {
            self.new_facets = facet;
            if self.visible_facets == TAIL {
                self.visible_facets = facet;
            }
        }
        if self.facet_cursor == TAIL {
            self.facet_cursor = facet;
        }
        self.insert_facet_before(facet, TAIL);
    }

    fn insert_facet_before(&mut self, facet: u32, next: u32) {
        let previous = self.facet(next).previous;
        let node = self.facet_mut(facet);
        node.previous = previous;
        node.next = next;
        self.facet_mut(next).previous = facet;
        if previous == NONE {
            self.facet_head = facet;
        } else {
            self.facet_mut(previous).next = facet;
        }
        self.num_facets += 1;
    }

    pub(super) fn remove_facet(&mut self, facet: u32) {
        let (previous, next) = (self.facet(facet).previous, self.facet(facet).next);
        if facet == self.new_facets {
            self.new_facets = next;
        }
        if facet == self.facet_cursor {
            self.facet_cursor = next;
        }
        if facet == self.visible_facets {
            self.visible_facets = next;
        }
        if previous == NONE {
            self.facet_head = next;
        } else {
            self.facet_mut(previous).next = next;
        }
        self.facet_mut(next).previous = previous;
        self.num_facets -= 1;
    }

    /// Moves a facet to the end of the list.
    pub(super) fn move_facet_to_end(&mut self, facet: u32) {
        self.remove_facet(facet);
        self.append_facet(facet);
    }

    /// Makes a removed facet the one at the search cursor.
    pub(super) fn prepend_at_cursor(&mut self, facet: u32) {
        let list = self.facet_cursor;
        self.insert_facet_before(facet, list);
        self.facet_cursor = facet;
    }

    /// Puts a facet on the list of those to be deleted.
    pub(super) fn will_delete(&mut self, facet: u32, replacement: u32) {
        self.remove_facet(facet);
        let list = if self.visible_facets == NONE { TAIL } else { self.visible_facets };
        self.insert_facet_before(facet, list);
        if self.facet_cursor == list {
            self.facet_cursor = facet;
        }
        self.visible_facets = facet;
        self.num_visible += 1;
        let node = self.facet_mut(facet);
        node.mark_removed(replacement);
        node.ridges.clear();
        node.neighbors.clear();
    }

    pub(super) fn append_vertex(&mut self, vertex: u32) {
        if self.new_vertices == TAIL {
            self.new_vertices = vertex;
        }
        let previous = self.vertex(TAIL).previous;
        let node = self.vertex_mut(vertex);
        node.stage = VertexStage::New;
        node.previous = previous;
        node.next = TAIL;
        self.vertex_mut(TAIL).previous = vertex;
        if previous == NONE {
            self.vertex_head = vertex;
        } else {
            self.vertex_mut(previous).next = vertex;
        }
        self.num_vertices += 1;
    }

    pub(super) fn remove_vertex(&mut self, vertex: u32) {
        let (previous, next) = (self.vertex(vertex).previous, self.vertex(vertex).next);
        if vertex == self.new_vertices {
            self.new_vertices = next;
        }
        if previous == NONE {
            self.vertex_head = next;
        } else {
            self.vertex_mut(previous).next = next;
        }
        self.vertex_mut(next).previous = previous;
        self.num_vertices -= 1;
    }

    /// Marks a vertex as changed by moving it to the end of the list.
    pub(super) fn renew_vertex(&mut self, vertex: u32) {
        if self.vertex(vertex).stage == VertexStage::Old {
            self.remove_vertex(vertex);
            self.append_vertex(vertex);
        }
    }

    /// The same for all vertices of a facet.
    pub(super) fn renew_vertices_of(&mut self, facet: u32) {
        for i in 0..self.facet(facet).vertices.len() {
            let vertex = self.facet(facet).vertices[i];
            self.renew_vertex(vertex);
        }
    }

    /// Forgets a vertex that has no facets left; its point is filed as coplanar later.
    pub(super) fn drop_vertex(&mut self, vertex: u32) {
        self.vertex_mut(vertex).stage = VertexStage::Dropped { partitioned: false };
        self.dropped_vertices.push(vertex);
    }

    /// Ends a step: nothing is new any more.
    pub(super) fn reset_lists(&mut self) {
        let mut vertex = self.new_vertices;
        while vertex != NONE && vertex != TAIL {
            let node = self.vertex_mut(vertex);
            if node.stage == VertexStage::New {
                node.stage = VertexStage::Old;
            }
            vertex = node.next;
        }
        self.new_vertices = NONE;
        self.first_new_id = 0;
        let mut facet = self.new_facets;
        while Self::in_list(facet) {
            let node = self.facet_mut(facet);
            node.set_new(false);
            node.duplicate = Duplicate::None;
            facet = node.next;
        }
        self.new_facets = NONE;
        self.visible_facets = NONE;
    }

    /// Deletes the facets and vertices that the current step removed from the hull.
    pub(super) fn delete_visible(&mut self) {
        let mut facet = self.visible_facets;
        while Self::in_list(facet) && self.facet(facet).is_removed() {
            let next = self.facet(facet).next;
            self.delete_facet(facet);
            facet = next;
        }
        self.num_visible = 0;
        for i in 0..self.dropped_vertices.len() {
            self.remove_vertex(self.dropped_vertices[i]);
        }
        self.dropped_vertices.clear();
    }

    /// The facet that stands where a deleted one was, or `NONE`.
    pub(super) fn replacement_of(&self, facet: u32) -> Result<u32, HullError> {
        let mut result = facet;
        let mut steps = 0;
        while result != NONE && self.facet(result).is_removed() {
            result = self.facet(result).replacement();
            steps += 1;
            if steps > self.next_facet_id {
                return Err(HullError::Internal("cycle of replaced facets"));
            }
        }
        Ok(result)
    }

    /// Gives every vertex its list of facets, from now on kept up to date.
    pub(super) fn build_vertex_neighbors(&mut self) {
        if self.vertex_neighbors {
            return;
        }
        self.vertex_visit += 1;
        let stamp = self.vertex_visit;
        let mut facet = self.facet_head;
        while facet != TAIL {
            if !self.facet(facet).is_removed() {
                for i in 0..self.facet(facet).vertices.len() {
                    let index = self.facet(facet).vertices[i];
                    let vertex = self.vertex_mut(index);
                    if vertex.visit != stamp {
                        vertex.visit = stamp;
                        vertex.neighbors.clear();
                    }
                    vertex.neighbors.push(facet);
                }
            }
            facet = self.facet(facet).next;
        }
        self.vertex_neighbors = true;
    }
}

/// Removes an element by moving the last one into its place; false if it is absent.
pub(super) fn set_remove(set: &mut Vec<u32>, element: u32) -> bool {
    match set.iter().position(|e| *e == element) {
        Some(at) => {
            set.swap_remove(at);
            true
        }
        None => false,
    }
}

/// Removes an element and keeps the order of the rest.
pub(super) fn set_remove_sorted(set: &mut Vec<u32>, element: u32) {
    if let Some(at) = set.iter().position(|e| *e == element) {
        set.remove(at);
    }
}

/// Replaces the first occurrence of an element.
pub(super) fn set_replace(set: &mut [u32], old: u32, new: u32) -> Result<(), HullError> {
    match set.iter_mut().find(|e| **e == old) {
        Some(slot) => {
            *slot = new;
            Ok(())
        }
        None => Err(HullError::Internal("inconsistent neighbours")),
    }
}

/// Appends an element that is not there yet.
pub(super) fn set_insert_unique(set: &mut Vec<u32>, element: u32) {
    if !set.contains(&element) {
        set.push(element);
    }
}
