//! The renderer: draws the abstract scene with `wgpu` on Vulkan, Metal, Direct3D or OpenGL, hardware or
//! software, without a display.
//!
//! A [`Gpu`] is the device; a [`Renderer`] draws scenes of one model into colour pictures
//! ([`Renderer::color`]) or into objects and distances ([`Renderer::sense`]). Light, textures, shadows and
//! mirrors follow the reference's fixed-function picture, so that images can be compared and policies trained
//! on one work on the other.

mod assets;
mod batch;
mod blit;
mod bounds;
mod deformed;
mod detail;
mod device;
mod draw_into;
mod encode;
mod error;
mod frame_buffers;
mod image;
mod instance;
mod layout;
mod list;
mod mirror;
mod picture;
mod pipeline;
mod regions;
mod renderer;
mod shadow;
mod shape;
mod surfaces;
mod target;
mod tessellate;
mod text;
mod texture;
mod view;
mod visible;
mod window;

pub use device::Gpu;
pub use error::RenderError;
pub use image::{ColorImage, SensorImage, segmentation_color};
pub use list::Sensed;
pub use renderer::Renderer;
pub use wgpu;
