//! From text to `Model`: the editable Spec, MJCF and URDF readers, assets, diagnostics and the compiler.
#![forbid(unsafe_code)]

pub mod assets;
mod compile;
pub mod diagnostics;
pub mod spec;
pub mod vfs;

pub use diagnostics::{Diagnostic, Diagnostics};
pub use spec::Spec;
pub use vfs::Vfs;
