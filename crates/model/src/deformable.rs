//! Deformable bodies that a model carries for the crate that steps them.
//!
//! The section `<soft>` of a model file is an extension. A compiled model holds each of its bodies as a
//! custom text whose name begins with [`DEFORMABLE_PREFIX`]: the kind of body in the first line, an attribute
//! and its value in each other line. The engine's core does not step them.

use kinetree_math::Vec3;

use crate::enums::ObjType;
use crate::model::Model;
use crate::names::mj_id2name;

/// Beginning of the names of texts that describe deformable bodies.
pub const DEFORMABLE_PREFIX: &str = "soft/";

/// Kinds of deformable bodies: the first line of their texts.
pub const DEFORMABLE_KINDS: [&str; 3] = ["cloth", "body", "rope"];

/// What is drawn of a deformable body.
#[derive(Clone, Copy, Debug)]
pub struct Deformable<'a> {
    /// Its name, for labels.
    pub name: &'a str,
    /// Vertices (m).
    pub vertices: &'a [Vec3],
    /// Triangles of the surface, counter-clockwise from outside; none for ropes. A surface with a border is a
    /// sheet, and drawn from both sides.
    pub triangles: &'a [[u32; 3]],
    /// Segments of a rope. A body with triangles needs none.
    pub segments: &'a [[u32; 2]],
    /// Distance from a vertex to the surface (m): half the thickness of a sheet, the radius of a rope.
    pub radius: f64,
    /// Red, green, blue and opacity.
    pub rgba: [f32; 4],
}

impl Model {
    /// The deformable bodies that the model describes: their names and the lines about them. A text that only
    /// has such a name, but no kind of body in its first line, is not among them.
    pub fn deformable_bodies(&self) -> impl Iterator<Item = (&str, &str)> {
        (0..self.ntext).filter_map(|text| {
            let name = mj_id2name(self, ObjType::Text, text)?.strip_prefix(DEFORMABLE_PREFIX)?;
            let lines = self.text(text)?;
            DEFORMABLE_KINDS.contains(&lines.lines().next()?).then_some((name, lines))
        })
    }

    /// A custom text without its closing zero; `None` if there is no such text or it is not UTF-8.
    fn text(&self, text: usize) -> Option<&str> {
        let first = usize::try_from(*self.text_adr.get(text)?).ok()?;
        let count = usize::try_from(*self.text_size.get(text)?).ok()?.checked_sub(1)?;
        std::str::from_utf8(self.text_data.get(first..first.checked_add(count)?)?).ok()
    }
}
