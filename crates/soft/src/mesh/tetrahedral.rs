//! Meshes of tetrahedra.

use std::collections::BTreeMap;

use kinetree_math::Vec3;

use super::lattice;
use super::triangle::TriangleMesh;
use crate::element::tetrahedron_volume;
use crate::error::{SoftError, check_cells, check_finite, check_range, check_vertices};

/// A mesh of tetrahedra with positive volumes.
#[derive(Debug, Clone, PartialEq)]
pub struct TetrahedralMesh {
    position: Vec<Vec3>,
    tetrahedra: Vec<[u32; 4]>,
}

impl TetrahedralMesh {
    /// A mesh from its vertices (m) and tetrahedra, of which the last vertex lies on the side of the normal
    /// of the first three. Mesh generators such as Gmsh write them like that.
    ///
    /// # Errors
    /// When a number is not finite, or a tetrahedron refers to vertices that are not there, is flat or
    /// inverted.
    pub fn new(position: Vec<Vec3>, tetrahedra: Vec<[u32; 4]>) -> Result<Self, SoftError> {
        check_finite("vertex", &position)?;
        for (index, tetrahedron) in tetrahedra.iter().enumerate() {
            check_vertices("tetrahedron", index, tetrahedron, position.len())?;
            check_volume(index, tetrahedron.map(|v| &position[v as usize]))?;
        }
        Ok(Self { position, tetrahedra })
    }

    /// A block of cubic cells around the origin, with `cells` along its axes and the given size (m). Each
    /// cell is divided into six tetrahedra along its diagonal.
    ///
    /// # Errors
    /// When there is no cell along an axis, or a size is not positive.
    pub fn block(cells: [usize; 3], size: [f64; 3]) -> Result<Self, SoftError> {
        for axis in 0..3 {
            check_range("size of the block", size[axis], size[axis] > 0.0, "positive")?;
            let count = cells[axis] as f64;
            check_range("number of cells", count, (1.0..=1024.0).contains(&count), "between 1 and 1024")?;
        }
        check_cells(cells.iter().map(|&count| count as f64).product())?;
        let cell = Vec3::from_fn(|k, _| size[k] / cells[k] as f64);
        let corner = -0.5 * Vec3::from(size);
        let (position, tetrahedra) = lattice::fill(corner, cell, cells, |_| true);
        Self::new(position, tetrahedra)
    }

    /// Fills a closed surface with tetrahedra of about the size `cell` (m).
    ///
    /// The cells of a cubic lattice whose centres are inside are divided into tetrahedra, and the vertices at
    /// the border are moved onto the surface as far as no tetrahedron becomes flat. Details smaller than a
    /// cell are lost.
    ///
    /// # Errors
    /// When the surface is open or inside out, or no cell fits into it.
    pub fn from_surface(surface: &TriangleMesh, cell: f64) -> Result<Self, SoftError> {
        surface.check_closed()?;
        let (position, tetrahedra) = lattice::stuff(surface, cell)?;
        Self::new(position, tetrahedra)
    }

    /// Vertices (m).
    #[must_use]
    pub fn position(&self) -> &[Vec3] {
        &self.position
    }

    /// Tetrahedra.
    #[must_use]
    pub fn tetrahedra(&self) -> &[[u32; 4]] {
        &self.tetrahedra
    }

    /// Volume of each tetrahedron (m³).
    pub(crate) fn volumes(&self) -> impl Iterator<Item = f64> {
        self.tetrahedra.iter().map(|t| tetrahedron_volume(t.map(|v| &self.position[v as usize])).0)
    }

    /// Volume of all tetrahedra (m³).
    #[must_use]
    pub fn volume(&self) -> f64 {
        self.volumes().sum()
    }

    /// Faces that belong to one tetrahedron only, counter-clockwise seen from outside.
    #[must_use]
    pub fn surface(&self) -> Vec<[u32; 3]> {
        let mut faces: BTreeMap<[u32; 3], Option<[u32; 3]>> = BTreeMap::new();
        for &[a, b, c, d] in &self.tetrahedra {
            for face in [[a, c, b], [a, b, d], [b, c, d], [c, a, d]] {
                let mut key = face;
                key.sort_unstable();
                // a second one makes it an inner face
                faces.entry(key).and_modify(|face| *face = None).or_insert(Some(face));
            }
        }
        faces.into_values().flatten().collect()
    }
}

/// Volume that is too small for the size of the tetrahedron to divide by.
fn check_volume(index: usize, corner: [&Vec3; 4]) -> Result<(), SoftError> {
    let volume = tetrahedron_volume(corner).0;
    let size = corner.iter().fold(0.0, |most: f64, x| most.max((*x - corner[0]).norm()));
    let least = 1e-12 * size * size * size;
    if volume < -least {
        return Err(SoftError::Inverted { index, volume });
    }
    if volume > least && volume.is_normal() {
        return Ok(());
    }
    Err(SoftError::Degenerate { what: "tetrahedron", index, measure: "volume", value: volume })
}
