//! From text to `Model`: the editable Spec, MJCF and URDF readers, assets, diagnostics and the compiler.
//!
//! ```
//! use kinetree_spec::{Spec, load_model_str};
//!
//! let text = "<mujoco><worldbody><body name='b'><freejoint/><geom size='0.1'/></body></worldbody></mujoco>";
//! assert_eq!(load_model_str(text)?.nv, 6);
//! let spec: Spec = text.parse()?;
//! assert!(spec.find_body("b").is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod assets;
pub mod codec;
mod compile;
pub mod diagnostics;
mod find;
mod kinematics;
mod load;
pub mod migrate;
mod mjcf;
mod nesting;
pub mod provider;
mod recompile;
pub mod spec;
mod urdf;
pub mod vfs;
mod writer;
mod xml;

/// The plugins that come with the engine.
pub use kinetree_plugins as plugins;

pub use assets::cache::AssetCache;
pub use diagnostics::{Diagnostic, Diagnostics};
pub use find::find_models;
pub use kinematics::{Kinematics, load_kinematics};
pub use load::{
    Loader, dependencies, load_binary, load_binary_with, load_model, load_model_str, load_model_str_with,
    load_model_with,
};
pub use migrate::{MigrateError, Migration, MigrationNote, NoteKind};
pub use mjcf::schema_text::schema_text;
pub use recompile::{RecompileError, StateLayout, carry_state_by_name};
pub use spec::Spec;
pub use vfs::Vfs;
pub use writer::WriteError;
