//! What a world looks like: the abstract scene, made from a model and its data, and a renderer that draws it.
//!
//! [`scene`] knows no graphics library: it lists geoms, lights and cameras under the reference's names, so
//! that any renderer can draw them. [`gpu`] draws it with `wgpu`, without a window or display, into colour
//! pictures, distances and segmentation; it is the feature `wgpu`.
#![forbid(unsafe_code)]

pub mod font;
#[cfg(feature = "wgpu")]
pub mod gpu;
pub mod scene;
