//! What can be wrong with a deformable body.

/// An error of this crate. Each names the element that is wrong and, where there is one, the way out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SoftError {
    /// A number is infinite or not a number.
    #[error("{what} {index} is not a finite number")]
    NotFinite {
        /// What holds the number.
        what: &'static str,
        /// Which one of them.
        index: usize,
    },
    /// A parameter is outside of its range.
    #[error("{what} is {value:?}: it must be {range}")]
    Parameter {
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// There are too few elements of a kind to make a body.
    #[error("a body needs at least {least} {what}, and there are {count}")]
    TooFew {
        /// What is missing.
        what: &'static str,
        /// How many are needed.
        least: usize,
        /// How many there are.
        count: usize,
    },
    /// An element refers to a vertex that is not there, or twice to the same one.
    #[error("{what} {index} has the vertices {vertices:?}: they must be different and below {count}")]
    Vertices {
        /// Kind of element.
        what: &'static str,
        /// Which one of them.
        index: usize,
        /// The vertices it names.
        vertices: Vec<usize>,
        /// Number of vertices.
        count: usize,
    },
    /// An element has no length, area or volume.
    #[error("{what} {index} is degenerate: its {measure} is {value:e}")]
    Degenerate {
        /// Kind of element.
        what: &'static str,
        /// Which one of them.
        index: usize,
        /// What should be positive.
        measure: &'static str,
        /// Its value.
        value: f64,
    },
    /// A tetrahedron is turned inside out.
    #[error("tetrahedron {index} is inverted (its volume is {volume:e}): exchange two of its vertices")]
    Inverted {
        /// Which one.
        index: usize,
        /// Signed volume (m³).
        volume: f64,
    },
    /// More than two triangles meet at an edge, or two run through it in the same direction.
    #[error(
        "the edge between the vertices {vertices:?} is not manifold: \
         triangles {triangles:?} run through it in the same direction"
    )]
    NotManifold {
        /// Ends of the edge.
        vertices: [usize; 2],
        /// Two of the triangles.
        triangles: [usize; 2],
    },
    /// A surface that must be closed has a border.
    #[error("the surface is open at the edge between the vertices {vertices:?} of triangle {triangle}")]
    Open {
        /// Ends of the edge.
        vertices: [usize; 2],
        /// The triangle on its one side.
        triangle: usize,
    },
    /// A vertex belongs to no element and would have no mass.
    #[error("vertex {vertex} has no mass: it belongs to no {element}")]
    NoMass {
        /// The vertex.
        vertex: usize,
        /// Kind of element that gives mass to vertices.
        element: &'static str,
    },
    /// Two arrays that belong together have different lengths.
    #[error("{what} has {count} entries, and {expected} are needed")]
    Length {
        /// The array.
        what: &'static str,
        /// Its length.
        count: usize,
        /// The length it should have.
        expected: usize,
    },
    /// An index is out of range.
    #[error("there is no {what} {index}: there are {count}")]
    OutOfRange {
        /// Kind of element.
        what: &'static str,
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// Bones of a skeleton are not listed from parents to children.
    #[error("bone '{bone}' names parent {parent}, which does not come before it")]
    BoneOrder {
        /// Name of the bone.
        bone: String,
        /// Its parent.
        parent: usize,
    },
    /// The state of the model could not be read or set.
    #[error(transparent)]
    State(#[from] kinetree_model::StateError),
    /// The model and its data could not be stepped.
    #[error(transparent)]
    Step(#[from] kinetree_model::StepError),
    /// An element of a model file is wrong.
    #[error("deformable body '{body}': {cause}")]
    Description {
        /// Name of the body.
        body: String,
        /// What is wrong with it.
        cause: String,
    },
    /// The world was made for another model.
    #[error("these deformable bodies belong to another model: make a world for this one")]
    OtherModel,
    /// The caller has ended a step early; the state is that before the step.
    #[error("the step was interrupted")]
    Interrupted,
    /// No cell of the lattice lies inside a surface.
    #[error("no cell of size {cell} lies inside of the surface: take smaller cells")]
    NoCells {
        /// Size of the cells (m).
        cell: f64,
    },
}

/// Most cells of a solid or a sheet: what is made of more would not fit into memory.
const MOST_CELLS: f64 = 1e6;

/// An error unless so many cells can be held.
pub(crate) fn check_cells(total: f64) -> Result<(), SoftError> {
    let range = "at most a million: take larger cells";
    check_range("number of cells", total, total <= MOST_CELLS, range)
}

/// `Ok` when a parameter is finite and inside of a range.
pub(crate) fn check_range(
    what: &'static str,
    value: f64,
    inside: bool,
    range: &'static str,
) -> Result<(), SoftError> {
    if inside && value.is_finite() { Ok(()) } else { Err(SoftError::Parameter { what, value, range }) }
}

/// `Ok` when all vectors are finite.
pub(crate) fn check_finite(what: &'static str, vectors: &[kinetree_math::Vec3]) -> Result<(), SoftError> {
    match vectors.iter().position(|v| !(v.x + v.y + v.z).is_finite()) {
        Some(index) => Err(SoftError::NotFinite { what, index }),
        None => Ok(()),
    }
}

/// `Ok` when the vertices of an element are different and exist.
pub(crate) fn check_vertices(
    what: &'static str,
    index: usize,
    vertices: &[u32],
    count: usize,
) -> Result<(), SoftError> {
    let repeated = |k: usize| vertices[..k].contains(&vertices[k]);
    if (0..vertices.len()).any(|k| vertices[k] as usize >= count || repeated(k)) {
        let vertices = vertices.iter().map(|&v| v as usize).collect();
        return Err(SoftError::Vertices { what, index, vertices, count });
    }
    Ok(())
}
