//! Bodies that the compiler has fused with their parents: what a model file names, and the model does not
//! have.

/// A body without joints whose parts have become parts of its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct FusedBody {
    /// Its name.
    pub name: String,
    /// The body of the model that it is part of.
    pub body: usize,
    /// Position of its frame in that body (m).
    pub pos: [f64; 3],
    /// Orientation of its frame in that body.
    pub quat: [f64; 4],
}
