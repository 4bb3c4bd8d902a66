//! The functions of the header, by subject.

pub mod base64;
#[cfg(feature = "render")]
pub mod contexts;
pub mod copy_back;
pub mod derivatives;
pub mod fields;
pub mod figure;
pub mod internal;
pub mod internal_boxes;
pub mod internal_collision;
pub mod internal_derivatives;
pub mod internal_engine;
pub mod internal_inertia;
pub mod internal_parts;
pub mod internal_sparse;
pub mod islands;
pub mod jacobian;
pub mod life;
pub mod math;
pub mod plugins;
pub mod print;
pub mod rays;
pub mod refused;
#[cfg(feature = "render")]
pub mod render;
pub mod scene;
pub mod spec;
pub mod stages;
pub mod state;
pub mod support;
pub mod texts;
pub mod vfs;
pub mod xml;

use crate::ffi::fault::{Served, fault};

/// An index, unless there is no such thing.
pub fn index(what: &str, id: i32, count: usize) -> Served<usize> {
    match usize::try_from(id) {
        Ok(id) if id < count => Ok(id),
        _ => fault(format!("invalid {what} id {id}: there are {count}")),
    }
}
