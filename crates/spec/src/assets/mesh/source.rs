//! Raw mesh data before compilation.

use std::collections::HashMap;

use super::MeshError;

/// Where the raw data came from; a few rules of the compiler depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MeshOrigin {
    /// Lists written in the model, or a built-in shape.
    #[default]
    Inline,
    /// STL file.
    Stl,
    /// OBJ file.
    Obj,
    /// Legacy binary file.
    Msh,
    /// COLLADA file.
    Collada,
    /// Surface of a distance field, in whose frame it stays.
    Field,
}

/// Flat lists as a file or the model gives them; unused ones are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshSource {
    /// Where the lists came from.
    pub origin: MeshOrigin,
    /// Vertex coordinates, three per vertex.
    pub vert: Vec<f32>,
    /// Normal coordinates, three per normal.
    pub normal: Vec<f32>,
    /// Texture coordinates, two per entry.
    pub texcoord: Vec<f32>,
    /// Vertex indices, three per triangle; empty: the faces of the convex hull are used.
    pub face: Vec<i32>,
    /// Normal indices, three per triangle.
    pub facenormal: Vec<i32>,
    /// Texture coordinate indices, three per triangle.
    pub facetexcoord: Vec<i32>,
}

impl MeshSource {
    /// Completes data read from a file with lists given in the model. The same list in both is an
    /// error.
    pub fn with_inline(mut self, inline: Self) -> Result<Self, MeshError> {
        // a file that indexes normals it does not have cannot be completed with the model's
        if !self.facenormal.is_empty() && self.normal.is_empty() && !inline.normal.is_empty() {
            return Err(MeshError::Repeated("facenormal"));
        }
        take_missing(&mut self.normal, inline.normal, "normal")?;
        take_missing(&mut self.texcoord, inline.texcoord, "texcoord")?;
        take_missing(&mut self.face, inline.face, "face")?;
        take_missing(&mut self.vert, inline.vert, "vertex")?;
        take_missing(&mut self.facenormal, inline.facenormal, "facenormal")?;
        take_missing(&mut self.facetexcoord, inline.facetexcoord, "facetexcoord")?;
        Ok(self)
    }

    /// Vertices without repetition, numbered by first appearance, and the triangles over them. A corner of
    /// a triangle that refers to no vertex becomes -1.
    pub(crate) fn shared_vertices(&self) -> (Vec<[f32; 3]>, Vec<[i32; 3]>) {
        let mut shared: Vec<[f32; 3]> = Vec::new();
        let mut known: HashMap<[u32; 3], i32> = HashMap::new();
        let mut number = Vec::new();
        for vertex in self.vert.as_chunks().0 {
            // both zeros are the same coordinate
            let key = vertex.map(|x: f32| (x + 0.0).to_bits());
            let next = shared.len() as i32;
            let index = *known.entry(key).or_insert(next);
            if index == next {
                shared.push(*vertex);
            }
            number.push(index);
        }
        let renumber = |corner: &i32| usize::try_from(*corner).ok().and_then(|i| number.get(i)).copied();
        let faces = self.face.as_chunks::<3>().0;
        let faces = faces.iter().map(|face| face.each_ref().map(|corner| renumber(corner).unwrap_or(-1)));
        let faces = faces.collect();
        (shared, faces)
    }
}

fn take_missing<T>(list: &mut Vec<T>, other: Vec<T>, what: &'static str) -> Result<(), MeshError> {
    if list.is_empty() {
        *list = other;
        Ok(())
    } else if other.is_empty() {
        Ok(())
    } else {
        Err(MeshError::Repeated(what))
    }
}
