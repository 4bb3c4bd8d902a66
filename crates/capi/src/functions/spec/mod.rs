//! Descriptions: elements added, found, changed, attached and deleted.

mod add;
mod attach;
mod defaults;
mod find;
mod presets;
mod values;
