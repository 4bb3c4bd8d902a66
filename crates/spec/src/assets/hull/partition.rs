//! Assigning points to the facets they are above or coplanar with.

use super::HullError;
use super::arena::{Builder, NONE, TAIL};
use super::vertex::VertexStage;

/// Coplanar points further out than this many outside bounds are treated as outside points again.
const FAR_COPLANAR: f64 = 30.0;

impl Builder<'_> {
    /// Distributes all points over the initial simplex: each facet takes the points clearly above it, the
    /// rest is filed one by one.
    pub(super) fn partition_all(&mut self) -> Result<(), HullError> {
        let mut is_vertex = vec![false; self.points.len()];
        let mut vertex = self.vertex_head;
        while vertex != TAIL {
            is_vertex[self.vertex(vertex).point as usize] = true;
            vertex = self.vertex(vertex).next;
        }
        let mut rest: Vec<u32> = (0..self.points.len() as u32).filter(|p| !is_vertex[*p as usize]).collect();
        let enough = self.clearly_outside();
        for facet in self.all_facets() {
            let mut outside = std::mem::take(&mut self.facet_mut(facet).outside);
            let (mut best, mut best_dist) = (NONE, f64::MIN);
            rest.retain(|&point| {
                let dist = self.point_distance(point, facet);
                if dist < enough {
                    return true;
                }
                if best == NONE || dist > best_dist {
                    if best != NONE {
                        outside.push(best);
                    }
                    best = point;
                    best_dist = dist;
                } else {
                    outside.push(point);
                }
                false
            });
            if best != NONE {
                outside.push(best);
            }
            let node = self.facet_mut(facet);
            node.outside = outside;
            if best != NONE {
                node.furthest = best_dist;
            }
        }
        self.search_all_new = true;
        for point in rest {
            self.partition_point(point, self.facet_head)?;
        }
        self.search_all_new = false;
        Ok(())
    }

    /// Files a point under its best facet, searching from `start`.
    pub(super) fn partition_point(&mut self, point: u32, start: u32) -> Result<(), HullError> {
        let mut found = if self.search_all_new {
            self.search_new(point, start, false)?
        } else {
            self.walk(point, start, false, true)?
        };
        if self.facet(found.facet).is_removed() {
            return Err(HullError::Internal("point filed under a deleted facet"));
        }
        if self.narrow && found.dist >= -self.tol.near_inside {
            found.outside = true;
        }
        if found.outside {
            self.add_outside_point(point, found.facet, found.dist);
        } else if found.dist >= -self.tol.max_coplanar.max(self.tol.near_inside) {
            self.partition_coplanar(point, found.facet, Some(found.dist), false)?;
        }
        Ok(())
    }

    fn add_outside_point(&mut self, point: u32, facet: u32, dist: f64) {
        let (narrow, min_outside) = (self.narrow, self.tol.min_outside);
        let node = self.facet_mut(facet);
        let mut newly_outside = false;
        match node.outside.last().copied() {
            None => {
                node.outside.push(point);
                node.furthest = dist;
                newly_outside = !narrow || dist > min_outside;
            }
            Some(furthest) => {
                let previous = node.furthest;
                if previous < dist {
                    node.outside.push(point);
                    node.furthest = dist;
                    newly_outside = narrow && previous < min_outside && dist >= min_outside;
                } else {
                    node.outside.pop();
                    node.outside.push(point);
                    node.outside.push(furthest);
                }
            }
        }

        // the search for outside points must pass this facet again
        if newly_outside && self.facet_cursor != facet {
            if self.facet(facet).is_new() {
                if self.facet_cursor != NONE && self.facet(self.facet_cursor).is_new() {
                    self.facet_cursor = self.new_facets;
                }
            } else {
                self.move_facet_to_end(facet);
                if self.new_facets != NONE {
                    self.facet_mut(facet).set_new(true);
                }
            }
        }
    }

    /// Files a point that is not outside. Without a distance, `start` is only where the search begins.
    pub(super) fn partition_coplanar(
        &mut self,
        point: u32,
        start: u32,
        dist: Option<f64>,
        all_new: bool,
    ) -> Result<(), HullError> {
        let (facet, best_dist) = match dist {
            Some(dist) => (start, dist),
            None => {
                let found = if all_new {
                    self.search_new(point, start, true)?
                } else {
                    self.walk(point, start, true, false)?
                };
                if found.dist < -self.tol.near_inside {
                    self.repartitioned = NONE;
                    return Ok(());
                }
                (found.facet, found.dist)
            }
        };
        if self.facet(facet).is_removed() {
            return Err(HullError::Internal("coplanar point filed under a deleted facet"));
        }
        if best_dist > self.tol.max_outside {
            if self.must_repartition(start, facet, best_dist, dist.is_none())? {
                let previous = std::mem::replace(&mut self.search_all_new, false);
                self.partition_point(point, facet)?;
                self.search_all_new = previous;
                self.repartitioned = NONE;
                return Ok(());
            }
            self.repartitioned = NONE;
            self.tol.max_outside = best_dist;
        }

        // the furthest coplanar point stays last
        let last = self.facet(facet).coplanar.last().copied();
        let keeps_last = last.is_some_and(|last| self.point_distance(last, facet) >= best_dist);
        let coplanar = &mut self.facet_mut(facet).coplanar;
        coplanar.push(point);
        if keeps_last {
            let n = coplanar.len();
            coplanar.swap(n - 1, n - 2);
        }
        Ok(())
    }

    /// Whether a point that was thought coplanar is really above the facet found for it.
    fn must_repartition(
        &mut self,
        start: u32,
        facet: u32,
        dist: f64,
        searched: bool,
    ) -> Result<bool, HullError> {
        if searched && start != facet {
            let (a, b) = (&self.facet(start).normal, &self.facet(facet).normal);
            let mut cosine = 0.0;
            for k in 0..3 {
                cosine += a[k] * b[k];
            }
            if cosine < 0.0 {
                return Ok(true);
            }
        }
        if dist <= self.tol.outside_bound * FAR_COPLANAR {
            return Ok(false);
        }
        if start == facet {
            if self.repartitioned == facet {
                return Err(HullError::Degenerate("a point is both coplanar and outside"));
            }
            self.repartitioned = facet;
        }
        Ok(true)
    }

    /// Refiles the points of the deleted facets and the dropped vertices under the new facets.
    pub(super) fn partition_visible(&mut self) -> Result<(), HullError> {
        let mut visible = self.visible_facets;
        while Self::in_list(visible) && self.facet(visible).is_removed() {
            let outside = std::mem::take(&mut self.facet_mut(visible).outside);
            let coplanar = std::mem::take(&mut self.facet_mut(visible).coplanar);
            if !outside.is_empty() || !coplanar.is_empty() {
                let mut start = self.replacement_of(visible)?;
                if start == NONE {
                    start = self.new_facets;
                }
                if !Self::in_list(start) {
                    return Err(HullError::Degenerate("all new facets were merged away"));
                }
                for &point in &outside {
                    self.partition_point(point, start)?;
                }
                for &point in &coplanar {
                    self.partition_coplanar(point, start, None, self.search_all_new)?;
                }
            }
            // the buffers go back for reuse
            let node = self.facet_mut(visible);
            node.outside = outside;
            node.coplanar = coplanar;
            visible = node.next;
        }
        for i in 0..self.dropped_vertices.len() {
            let vertex = self.dropped_vertices[i];
            if self.vertex(vertex).awaits_partition() {
                if !Self::in_list(self.new_facets) {
                    return Err(HullError::Degenerate("all new facets were merged away"));
                }
                let point = self.vertex(vertex).point;
                self.partition_coplanar(point, self.new_facets, None, true)?;
                self.vertex_mut(vertex).stage = VertexStage::Dropped { partitioned: true };
            }
        }
        Ok(())
    }

    /// At the end of a narrow hull, points that were kept as outside become coplanar.
    pub(super) fn settle_narrow_points(&mut self) -> Result<(), HullError> {
        for facet in self.all_facets() {
            let outside = std::mem::take(&mut self.facet_mut(facet).outside);
            for &point in &outside {
                let dist = self.point_distance(point, facet);
                self.partition_coplanar(point, facet, Some(dist), self.search_all_new)?;
            }
        }
        Ok(())
    }
}
