//! From text to `Model`: the editable Spec, MJCF and URDF readers, assets, diagnostics and the compiler.
#![forbid(unsafe_code)]
