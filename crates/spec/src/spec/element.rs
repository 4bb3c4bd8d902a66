//! What all elements share: a name, the default class they were made from, the compiler settings that apply
//! to them and the position in the text they came from.
//!
//! ```
//! use kinetree_spec::spec::{Element, Geom};
//!
//! let mut geom = Geom::default();
//! geom.name_mut().push_str("foot");
//! assert_eq!((Geom::KIND, geom.name()), ("geom", "foot"));
//! ```

use crate::diagnostics::SourcePos;

/// Index of a set of compiler settings in [`Spec::compilers`](super::Spec::compilers).
///
/// Number 0 belongs to the model itself; every attached sub-model brings its own, so that its angles, its
/// Euler sequence and its asset folders keep the meaning they had in its own file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CompilerId(pub u32);

/// Where an element comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// Name of the default class the element was made from; empty means the main class.
    pub class: String,
    /// Compiler settings that apply to the element.
    pub compiler: CompilerId,
    /// Position in the source text, for diagnostics.
    pub pos: SourcePos,
    /// What the program that made the element says about it, for diagnostics.
    pub info: String,
}

/// How the origins of another model's elements change when the elements are copied into this one.
#[derive(Clone, Debug, Default)]
pub(crate) struct OriginShift {
    /// Index of each of its compiler settings here.
    pub(super) compilers: Vec<CompilerId>,
    /// Number of source texts before its own.
    pub(super) file: u32,
}

impl OriginShift {
    pub(super) fn origin(&self, origin: &mut Origin) {
        origin.compiler = self.compilers.get(origin.compiler.0 as usize).copied().unwrap_or_default();
        self.pos(&mut origin.pos);
    }

    pub(super) fn pos(&self, pos: &mut SourcePos) {
        pos.file.0 += self.file;
    }
}

/// An element that can carry a name.
pub trait Element {
    /// Kind of the element as the schema spells it, for messages.
    const KIND: &'static str;
    /// Name; empty when the element has none.
    fn name(&self) -> &str;
    /// Name for editing.
    fn name_mut(&mut self) -> &mut String;
    /// Where the element comes from.
    fn origin(&self) -> &Origin;
    /// Where the element comes from, for editing.
    fn origin_mut(&mut self) -> &mut Origin;
}

/// Implements [`Element`] for structs with the fields `name` and `origin`.
macro_rules! impl_element {
    ($($ty:ty => $kind:literal),+ $(,)?) => {$(
        impl $crate::spec::element::Element for $ty {
            const KIND: &'static str = $kind;
            fn name(&self) -> &str { &self.name }
            fn name_mut(&mut self) -> &mut String { &mut self.name }
            fn origin(&self) -> &$crate::spec::element::Origin { &self.origin }
            fn origin_mut(&mut self) -> &mut $crate::spec::element::Origin { &mut self.origin }
        }
    )+};
}
pub(crate) use impl_element;
