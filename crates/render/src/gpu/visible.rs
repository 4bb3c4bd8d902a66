//! Cells of planes that the camera can see.
//!
//! A plane that reaches to the horizon has tens of thousands of cells, most of them out of the picture. Leaving those out
//! changes no pixel: the corners of the others, where light is computed, stay where they are.

use super::instance::for_each_shape;
use super::view::Eye;
use crate::scene::{MjvGeom, MjvScene};
use kinetree_model::enums::GeomType;
use nalgebra::{Matrix4, Vector4};
use std::ops::Range;

/// Planes with fewer cells are drawn whole.
const WORTH_CULLING: usize = 64;

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
    /// For the corners of one row of cells and the next: on which side of which plane of the frustum they are.
    outcodes: [Vec<u8>; 2],
}

impl VisibleCells {
    /// Finds the visible cells of all planes in a scene; without an eye every plane is drawn whole.
    pub(super) fn update(&mut self, scene: &MjvScene, grids: &[PlaneGrid], eye: Option<&Eye>) {
        self.indices.clear();
        self.ranges.clear();
        self.ranges.resize(grids.len(), None);
        let Some(eye) = eye else { return };
        for geom in scene.geoms.iter().filter(|g| g.type_ == GeomType::Plane as i32) {
            let Some(id) = usize::try_from(geom.dataid).ok().filter(|&id| id < grids.len()) else { continue };
            if (grids[id].x.len() - 1) * (grids[id].y.len() - 1) >= WORTH_CULLING {
                let first = self.indices.len() as u32;
                self.add_cells(&grids[id], &(eye.proj * eye.view * matrix(geom)));
                self.ranges[id] = Some(first..self.indices.len() as u32);
            }
        }
    }

    /// Indices of a plane, `None` when it is drawn whole.
    pub(super) fn range(&self, plane: usize) -> Option<Range<u32>> {
        self.ranges.get(plane)?.clone()
    }

    /// Adds the two triangles of each cell that is not wholly outside one plane of the frustum.
    fn add_cells(&mut self, grid: &PlaneGrid, clip: &Matrix4<f32>) {
        let row = |codes: &mut Vec<u8>, y: f32| {
            let base = clip.column(1) * y + clip.column(3);
            codes.clear();
            codes.extend(grid.x.iter().map(|&x| outcode(&(clip.column(0) * x + base))));
        };
        let columns = grid.x.len() as u32;
        let [below, above] = &mut self.outcodes;
        row(below, grid.y[0]);
        for (j, &y) in grid.y.iter().enumerate().skip(1) {
            row(above, y);
            for i in 0..grid.x.len() - 1 {
                if below[i] & below[i + 1] & above[i] & above[i + 1] == 0 {
                    let a = grid.first_vertex + (j as u32 - 1) * columns + i as u32;
                    let (b, c, d) = (a + 1, a + columns + 1, a + columns);
                    self.indices.extend([a, b, d, b, c, d]);
                }
            }
            std::mem::swap(below, above);
        }
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
fn matrix(geom: &MjvGeom) -> Matrix4<f32> {
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
        let mut cells = VisibleCells::default();
        cells.add_cells(&grid, &clip);
        assert_eq!(cells.indices.len(), 6 * 6 * 6);
        assert_eq!(cells.indices[0], 7 + 47 * 101 + 47);
    }
}
