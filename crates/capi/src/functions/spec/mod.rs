//! Descriptions: elements added, found, changed, attached and deleted.

mod add;
mod attach;
mod defaults;
mod find;
mod plugins;
mod presets;
mod values;

pub use values::show_wraps;
