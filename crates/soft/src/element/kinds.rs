//! The kinds of elements.

use super::bending::TriangleBending;
use super::membrane::Membrane;
use super::nodal_volume::NodalVolume;
use super::row::Row;
use super::strain::StrainPatch;

/// What an element is made of.
#[derive(Debug, Clone)]
pub(crate) enum Element {
    /// Distance between two vertices.
    Distance(Row<2>),
    /// Angle between two triangles.
    Dihedral(Row<4>),
    /// Volume of a tetrahedron.
    Volume(Row<4>),
    /// Strain of a triangle.
    Membrane(Membrane),
    /// Curvature of a triangle.
    Bending(TriangleBending),
    /// Green strain of a patch, six constraints at once.
    Strain(StrainPatch),
    /// Mean relative change of volume around a vertex.
    NodalVolume(NodalVolume),
}

impl Element {
    pub(crate) fn vertices(&self) -> &[u32] {
        match self {
            Self::Distance(element) => &element.vertices,
            Self::Dihedral(element) | Self::Volume(element) => &element.vertices,
            Self::Membrane(element) => &element.vertices,
            Self::Bending(element) => element.vertices(),
            Self::Strain(element) => &element.vertices,
            Self::NodalVolume(element) => &element.vertices,
        }
    }

    /// The same element of vertices with other numbers.
    pub(crate) fn renumbered(&self, number: impl Fn(u32) -> u32) -> Self {
        let mut element = self.clone();
        match &mut element {
            Self::Distance(element) => element.vertices = element.vertices.map(number),
            Self::Dihedral(element) | Self::Volume(element) => {
                element.vertices = element.vertices.map(number);
            }
            Self::Membrane(element) => element.vertices = element.vertices.map(number),
            Self::Bending(element) => element.renumber(number),
            Self::Strain(element) => element.vertices.iter_mut().for_each(|v| *v = number(*v)),
            Self::NodalVolume(element) => element.vertices.iter_mut().for_each(|v| *v = number(*v)),
        }
        element
    }

    /// Elements fit into one block when these are equal: kind, number of vertices, and how they hang
    /// together where that is not the same for all.
    pub(crate) fn shape(&self) -> (usize, usize, &[[u32; 4]]) {
        match self {
            Self::Distance(_) => (0, 2, &[]),
            Self::Dihedral(_) => (1, 4, &[]),
            Self::Volume(_) => (2, 4, &[]),
            Self::Membrane(_) => (3, 3, &[]),
            Self::Bending(_) => (4, 6, &[]),
            Self::Strain(element) => (5, element.vertices.len(), &[]),
            Self::NodalVolume(element) => (6, element.vertices.len(), &element.link),
        }
    }
}
