//! Triangle meshes whose edges are known.

use std::collections::BTreeMap;

use kinetree_math::Vec3;

use crate::error::{SoftError, check_cells, check_finite, check_range, check_vertices};

/// A manifold triangle mesh: every edge belongs to one triangle, or to two that run through it in opposite
/// directions.
#[derive(Debug, Clone, PartialEq)]
pub struct TriangleMesh {
    position: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// For each edge of each triangle, from corner `k` to corner `k + 1`, the triangle beyond it.
    neighbors: Vec<[Option<u32>; 3]>,
}

impl TriangleMesh {
    /// A mesh from its vertices (m) and triangles.
    ///
    /// # Errors
    /// When a number is not finite, or a triangle refers to vertices that are not there, has no area, or is
    /// one too many at its edge.
    pub fn new(position: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, SoftError> {
        check_finite("vertex", &position)?;
        for (index, triangle) in triangles.iter().enumerate() {
            check_vertices("triangle", index, triangle, position.len())?;
            check_area(index, &triangle.map(|v| position[v as usize]))?;
        }
        let neighbors = neighbors(&triangles)?;
        Ok(Self { position, triangles, neighbors })
    }

    /// A flat rectangle around the origin in the plane of x and y with the given size (m), divided into
    /// `cells` along its sides. Diagonals alternate, so that no direction is preferred; vertices are numbered
    /// along x first.
    ///
    /// # Errors
    /// When there is no cell along a side, or a size is not positive.
    pub fn grid(cells: [usize; 2], size: [f64; 2]) -> Result<Self, SoftError> {
        for axis in 0..2 {
            let count = cells[axis] as f64;
            check_range("number of cells", count, (1.0..=4096.0).contains(&count), "between 1 and 4096")?;
            check_range("size of the sheet", size[axis], size[axis] > 0.0, "positive")?;
        }
        check_cells(cells.iter().map(|&count| count as f64).product())?;
        let [columns, rows] = cells;
        let along = |k: usize, axis: usize| (k as f64 / cells[axis] as f64 - 0.5) * size[axis];
        let position =
            (0..=rows).flat_map(|j| (0..=columns).map(move |i| Vec3::new(along(i, 0), along(j, 1), 0.0)));
        let mut triangles = Vec::new();
        for (j, i) in (0..rows).flat_map(|j| (0..columns).map(move |i| (j, i))) {
            let a = (j * (columns + 1) + i) as u32;
            let (b, c) = (a + 1, a + columns as u32 + 1);
            let d = c + 1;
            triangles.extend(if (i + j) % 2 == 0 { [[a, b, d], [a, d, c]] } else { [[a, b, c], [b, d, c]] });
        }
        Self::new(position.collect(), triangles)
    }

    /// Vertices (m).
    #[must_use]
    pub fn position(&self) -> &[Vec3] {
        &self.position
    }

    /// Triangles, counter-clockwise seen from outside.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// For each triangle, the vertices beyond its edges from corner `k` to corner `k + 1`.
    pub(crate) fn opposite_vertices(&self) -> impl Iterator<Item = [Option<u32>; 3]> {
        self.triangles.iter().zip(&self.neighbors).map(|(triangle, neighbors)| {
            neighbors.map(|neighbor| {
                let other = self.triangles[neighbor? as usize];
                // a triangle that shares two edges with another one has no vertex of its own beyond them
                other.into_iter().find(|vertex| !triangle.contains(vertex))
            })
        })
    }

    /// Whether the surface is closed and encloses a positive volume.
    ///
    /// # Errors
    /// When an edge has only one triangle, or the triangles are turned inside out.
    pub fn check_closed(&self) -> Result<(), SoftError> {
        for (triangle, neighbors) in self.neighbors.iter().enumerate() {
            if let Some(edge) = neighbors.iter().position(Option::is_none) {
                let corner = self.triangles[triangle].map(|v| v as usize);
                return Err(SoftError::Open { vertices: [corner[edge], corner[(edge + 1) % 3]], triangle });
            }
        }
        let volume = self.volume();
        let range = "positive: the triangles must be counter-clockwise seen from outside";
        crate::error::check_range("the volume inside of the surface", volume, volume > 0.0, range)
    }

    /// Enclosed volume (m³) of a closed surface.
    #[must_use]
    pub fn volume(&self) -> f64 {
        let Some(&base) = self.position.first() else { return 0.0 };
        let term = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| self.position[v as usize] - base);
            a.cross(&b).dot(&c) / 6.0
        };
        self.triangles.iter().map(term).sum()
    }
}

/// Area that is too small for the size of the triangle to divide by.
fn check_area(index: usize, [a, b, c]: &[Vec3; 3]) -> Result<(), SoftError> {
    let (u, v) = (b - a, c - a);
    let area = 0.5 * u.cross(&v).norm();
    let size2 = u.norm_squared().max(v.norm_squared());
    if area > 1e-12 * size2 && area.is_normal() {
        return Ok(());
    }
    Err(SoftError::Degenerate { what: "triangle", index, measure: "area", value: area })
}

/// For each edge of each triangle the triangle beyond it.
fn neighbors(triangles: &[[u32; 3]]) -> Result<Vec<[Option<u32>; 3]>, SoftError> {
    let mut owner = BTreeMap::new();
    for (index, triangle) in triangles.iter().enumerate() {
        for k in 0..3 {
            let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
            if let Some(first) = owner.insert((from, to), index) {
                let vertices = [from as usize, to as usize];
                return Err(SoftError::NotManifold { vertices, triangles: [first, index] });
            }
        }
    }
    let beyond = |triangle: &[u32; 3]| {
        [0, 1, 2].map(|k| owner.get(&(triangle[(k + 1) % 3], triangle[k])).map(|&other| other as u32))
    };
    Ok(triangles.iter().map(beyond).collect())
}
