//! What a GMSH file holds, and what can be wrong with it.

use crate::assets::linalg::V3;

/// Points and simplices of one dimension.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simplices {
    /// 1: lines, 2: triangles, 3: tetrahedra.
    pub dim: usize,
    /// Points (m).
    pub point: Vec<V3>,
    /// Points of each simplex, `dim + 1` of them.
    pub element: Vec<i32>,
}

/// Why a GMSH file could not be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GmshError {
    /// The file does not begin as one of this format does.
    #[error("a GMSH file must begin with $MeshFormat, a version and a file type")]
    Header,
    /// Another version.
    #[error("GMSH version {0} is not supported, only 2.2 and 4.1 are")]
    Version(f64),
    /// A section is missing or does not end.
    #[error("the section ${0} of the GMSH file is missing or does not end")]
    Section(&'static str),
    /// A section ends before all of it was read, or what is there is not a number.
    #[error("the section ${0} of the GMSH file is too short or malformed")]
    Malformed(&'static str),
    /// Version 2.2 without the number of nodes or elements.
    #[error("the section ${0} of the GMSH file must begin with a line that holds a count alone")]
    Count(&'static str),
    /// Version 4.1 with several blocks.
    #[error("all {0} of a GMSH 4.1 file must be in a single block")]
    Blocks(&'static str),
    /// Tags of nodes have gaps.
    #[error("tags of nodes in a GMSH file must be sequential")]
    Tags,
    /// A kind of element that is no simplex, or more than one kind.
    #[error("GMSH element type {found} in a mesh of {}", match dim { 0 => "unknown dimension", 1 => "lines", 2 => "triangles", _ => "tetrahedra" })]
    ElementType {
        /// Type in the file.
        found: i64,
        /// Dimension of the elements before; 0: this is the first.
        dim: usize,
    },
    /// An element refers to a node that is not there.
    #[error("a GMSH element refers to node {tag}, but there are {nodes} nodes")]
    Node {
        /// What the element says.
        tag: i64,
        /// Number of nodes.
        nodes: usize,
    },
}
