//! Cells of planes that the camera can see.
//!
//! A plane that reaches to the horizon has tens of thousands of cells, most of them out of the picture.
//! Leaving those out changes no pixel: the corners of the others, where light is computed, stay where they
//! are. Cells that are small in the picture are joined where light hardly changes from one to the next.

use super::detail::Lens;
use super::instance::for_each_shape;
use super::layout::SHININESS;
use super::view::Eye;
use crate::scene::{MjvGeom, MjvScene};
use kinetree_model::enums::{GeomType, LightType};
use nalgebra::{Matrix4, Vector3, Vector4};
use std::ops::Range;

/// Planes with fewer cells are drawn whole.
const WORTH_CULLING: usize = 64;
/// Largest distance of lines where only the plane itself matters (pixels).
const GEOMETRY_SPACING: f32 = 32.0;
/// Largest distance of lines, relative to that of the camera, at which a highlight of the shininess below
/// errs by a third of a grey value.
const HIGHLIGHT_SHARE: f32 = 0.06;
/// The exponent of highlights that materials have by default.
const REFERENCE_SHININESS: f32 = 64.0;
/// Largest distance of lines, relative to the distance of a light.
const LIGHT_SHARE: f32 = 0.2;
/// Largest distance of lines where the cone of a spotlight has a visible edge (pixels).
const EDGE_SPACING: f32 = 4.0;
/// Brightness at the edge of a cone, relative to its axis, from which it is visible.
const VISIBLE_EDGE: f32 = 0.3;

/// What the cells are drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Light at their corners.
    Shading,
    /// The plane that they cover.
    Geometry,
}

/// A position over a plane, in its frame, and the largest distance of lines relative to the distance from
/// there.
#[derive(Clone, Copy, Debug)]
struct Spacing {
    from: Vector3<f32>,
    share: f32,
}

/// Where a plane is divided, and its first vertex on the device.
#[derive(Debug)]
pub(super) struct PlaneGrid {
    pub(super) x: Vec<f32>,
    pub(super) y: Vec<f32>,
    pub(super) first_vertex: u32,
}

/// Indices of the visible cells of this frame.
#[derive(Debug, Default)]
pub(super) struct VisibleCells {
    pub(super) indices: Vec<u32>,
    /// By plane: its part of the indices, unless it is drawn whole.
    ranges: Vec<Option<Range<u32>>>,
    /// By region of the picture: the part of the indices of its only plane.
    parts: Vec<Range<u32>>,
    /// For the corners of one row of cells and the next: on which side of which plane of the frustum they
    /// are.
    outcodes: [Vec<u8>; 2],
    /// The lines along y and x that are kept.
    lines: [Vec<usize>; 2],
    /// How far apart lines may be.
    spacings: Vec<Spacing>,
}

impl VisibleCells {
    /// Finds the visible cells of all planes in a scene; without an eye every plane is drawn whole.
    pub(super) fn update(
        &mut self,
        scene: &MjvScene,
        grids: &[PlaneGrid],
        eye: Option<(&Eye, Lens)>,
        purpose: Purpose,
    ) {
        self.indices.clear();
        self.ranges.clear();
        self.parts.clear();
        self.ranges.resize(grids.len(), None);
        let Some((eye, lens)) = eye else { return };
        for geom in scene.geoms.iter().filter(|g| g.type_ == GeomType::Plane as i32) {
            let Some(id) = usize::try_from(geom.dataid).ok().filter(|&id| id < grids.len()) else { continue };
            if (grids[id].x.len() - 1) * (grids[id].y.len() - 1) >= WORTH_CULLING {
                let first = self.indices.len() as u32;
                let pose = pose(geom);
                self.choose_spacings(scene, geom, &pose, &lens, purpose);
                self.choose_lines(&grids[id]);
                self.add_cells(&grids[id], &(eye.proj * eye.view * pose));
                self.ranges[id] = Some(first..self.indices.len() as u32);
            }
        }
    }

    /// Finds the cells that are visible in a region of a picture of one plane at most, which was updated
    /// before.
    pub(super) fn add_region(&mut self, scene: &MjvScene, grids: &[PlaneGrid], eye: &Eye) {
        let first = self.indices.len() as u32;
        let plane = scene.geoms.iter().find(|g| g.type_ == GeomType::Plane as i32);
        let id = plane.and_then(|geom| usize::try_from(geom.dataid).ok());
        if let (Some(geom), Some(id)) = (plane, id.filter(|&id| self.range(id).is_some())) {
            self.add_cells(&grids[id], &(eye.proj * eye.view * pose(geom)));
        }
        self.parts.push(first..self.indices.len() as u32);
    }

    /// Indices of a plane, `None` when it is drawn whole.
    pub(super) fn range(&self, plane: usize) -> Option<Range<u32>> {
        self.ranges.get(plane)?.clone()
    }

    /// Indices of a plane in a window: the picture itself, or the regions that follow.
    pub(super) fn window_range(&self, plane: usize, window: usize) -> Range<u32> {
        match window.checked_sub(1).and_then(|region| self.parts.get(region)) {
            Some(part) => part.clone(),
            None => self.range(plane).unwrap_or(0..0),
        }
    }

    /// Finds how far apart the corners of cells may be; nothing is left out where there is no perspective.
    ///
    /// Light between corners is interpolated linearly, which errs by an eighth of the second derivative times
    /// the distance squared. The sharpest feature of smooth light is a highlight, the cosine of the angle to
    /// the half vector to the power of the shininess. Light from nearby changes over its distance.
    fn choose_spacings(
        &mut self,
        scene: &MjvScene,
        geom: &MjvGeom,
        pose: &Matrix4<f32>,
        lens: &Lens,
        purpose: Purpose,
    ) {
        self.spacings.clear();
        let Some(from) = lens.position_in(pose).filter(|_| lens.perspective) else { return };
        if purpose == Purpose::Geometry {
            self.spacings.push(Spacing { from, share: GEOMETRY_SPACING / lens.pixels });
            return;
        }
        let sharpness =
            libm::sqrtf((SHININESS * geom.shininess).max(REFERENCE_SHININESS) / REFERENCE_SHININESS);
        let mut share = HIGHLIGHT_SHARE / sharpness;
        let rotation = pose.fixed_view::<3, 3>(0, 0).transpose();
        for light in scene.lights.iter().filter(|l| l.type_ != LightType::Directional as i32) {
            let from = rotation * (Vector3::from(light.pos) - Vector3::from(geom.pos));
            self.spacings.push(Spacing { from, share: LIGHT_SHARE });
            let edge = libm::powf(libm::cosf(light.cutoff.to_radians()).max(0.0), light.exponent);
            if light.type_ == LightType::Spot as i32 && light.cutoff <= 90.0 && edge > VISIBLE_EDGE {
                share = share.min(EDGE_SPACING / lens.pixels);
            }
        }
        self.spacings.push(Spacing { from, share });
    }

    /// Chooses the lines of a grid that are kept: all near the camera and lights, fewer where cells are small
    /// in the picture and light hardly changes.
    fn choose_lines(&mut self, grid: &PlaneGrid) {
        for (side, (kept, lines)) in self.lines.iter_mut().zip([&grid.x, &grid.y]).enumerate() {
            kept.clear();
            match self.spacings.is_empty() {
                true => kept.extend(0..lines.len()),
                false => thin(kept, lines, side, &self.spacings),
            }
        }
    }

    /// Adds the two triangles of each cell between kept lines that is not wholly outside one plane of the
    /// frustum.
    fn add_cells(&mut self, grid: &PlaneGrid, clip: &Matrix4<f32>) {
        let columns = grid.x.len() as u32;
        let [below, above] = &mut self.outcodes;
        let [across, up] = &self.lines;
        let row = |codes: &mut Vec<u8>, y: f32| {
            let base = clip.column(1) * y + clip.column(3);
            codes.clear();
            codes.extend(across.iter().map(|&i| outcode(&(clip.column(0) * grid.x[i] + base))));
        };
        row(below, grid.y[up[0]]);
        for rows in up.windows(2) {
            row(above, grid.y[rows[1]]);
            for (k, lines) in across.windows(2).enumerate() {
                if below[k] & below[k + 1] & above[k] & above[k + 1] == 0 {
                    let at = |i: usize, j: usize| grid.first_vertex + j as u32 * columns + i as u32;
                    let [a, b] = [at(lines[0], rows[0]), at(lines[1], rows[0])];
                    let [d, c] = [at(lines[0], rows[1]), at(lines[1], rows[1])];
                    self.indices.extend([a, b, d, b, c, d]);
                }
            }
            std::mem::swap(below, above);
        }
    }
}

/// Thins the lines of a grid: the spacing of neighbours is at most a share of their distance to given
/// positions, unless the grid itself is coarser. The first and the last line stay.
fn thin(kept: &mut Vec<usize>, lines: &[f32], side: usize, spacings: &[Spacing]) {
    let last = lines.len() - 1;
    kept.push(0);
    let mut line = 0;
    while line < last {
        let mut next = line + 1;
        while next < last {
            let [low, high] = [lines[line], lines[next + 1]];
            let is_close = |s: &Spacing| {
                // the point of the strip that is nearest to the position
                let aside = (low - s.from[side]).max(s.from[side] - high).max(0.0);
                high - low <= s.share * aside.hypot(s.from.z)
            };
            if !spacings.iter().all(is_close) {
                break;
            }
            next += 1;
        }
        kept.push(next);
        line = next;
    }
}

/// Outside which planes of the frustum a point in clip space is, one bit each.
fn outcode(p: &Vector4<f32>) -> u8 {
    u8::from(p.x < -p.w)
        | u8::from(p.x > p.w) << 1
        | u8::from(p.y < -p.w) << 2
        | u8::from(p.y > p.w) << 3
        | u8::from(p.z < 0.0) << 4
        | u8::from(p.z > p.w) << 5
}

/// The pose of a plane.
pub(super) fn pose(geom: &MjvGeom) -> Matrix4<f32> {
    let mut matrix = Matrix4::identity();
    for_each_shape(geom, |_, affine, _| {
        for (r, row) in affine.iter().enumerate() {
            for (c, &value) in row.iter().enumerate() {
                matrix[(r, c)] = value;
            }
        }
    });
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a grid around the origin, seen from above through a narrow window, only the middle remains.
    #[test]
    fn cells_outside_the_picture_are_left_out() {
        let lines: Vec<f32> = (-50..=50).map(|i| i as f32).collect();
        let grid = PlaneGrid { x: lines.clone(), y: lines, first_vertex: 7 };
        // orthographic: x and y within 2.5 are visible
        let clip = Matrix4::new_nonuniform_scaling(&nalgebra::Vector3::new(0.4, 0.4, 0.5))
            .append_translation(&nalgebra::Vector3::new(0.0, 0.0, 0.5));
        let all: Vec<usize> = (0..grid.x.len()).collect();
        let mut cells = VisibleCells { lines: [all.clone(), all], ..Default::default() };
        cells.add_cells(&grid, &clip);
        assert_eq!(cells.indices.len(), 6 * 6 * 6);
        assert_eq!(cells.indices[0], 7 + 47 * 101 + 47);
    }

    /// Near the camera every line stays, far away only some do, and always the rims.
    #[test]
    fn far_lines_are_left_out() {
        let lines: Vec<f32> = (-500..=500).map(|i| 0.1 * i as f32).collect();
        let mut kept = Vec::new();
        thin(&mut kept, &lines, 0, &[Spacing { from: Vector3::z(), share: 0.05 }]);
        assert!(kept.len() < 200 && kept[0] == 0 && kept.last() == Some(&1000), "{}", kept.len());
        assert!((490..510).all(|i| kept.contains(&i)), "cells of 0.1 at a distance of 1 are seen");
        assert!(kept.windows(2).all(|w| w[1] == w[0] + 1 || lines[w[1]] - lines[w[0]] <= 0.05 * 51.0));
    }
}
