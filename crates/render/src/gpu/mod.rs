//! The renderer: draws the abstract scene with `wgpu` on Vulkan, Metal, Direct3D or OpenGL, hardware or
//! software, without a display.
//!
//! A [`Gpu`] is the device; a [`Renderer`] draws scenes of one model into colour pictures
//! ([`Renderer::color`]) or into objects and distances ([`Renderer::sense`]). Light, textures, shadows and
//! mirrors follow the reference's fixed-function picture, so that images can be compared and policies trained
//! on one work on the other.
//!
//! ```no_run
//! use kinetree_model::Data;
//! use kinetree_render::gpu::Renderer;
//! use kinetree_render::scene::{
//!     CAT_ALL, MjvCamera, MjvOption, MjvScene, mjv_default_free_camera, mjv_update_scene,
//! };
//!
//! let model = kinetree_spec::load_model_str("<mujoco><worldbody><geom size='0.1'/></worldbody></mujoco>")?;
//! let mut data = Data::new(&model);
//! kinetree_sim::mj_forward(&model, &mut data)?;
//! let (mut scene, mut camera) = (MjvScene::new(&model, 100), MjvCamera::default());
//! mjv_default_free_camera(&model, &mut camera);
//! mjv_update_scene(&model, &data, &MjvOption::default(), None, &mut camera, CAT_ALL, &mut scene)?;
//! // needs a graphics driver, hardware or software
//! let picture = Renderer::new(&model)?.color(&scene, 64, 48)?;
//! assert_eq!(picture.width, 64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assets;
mod batch;
mod blit;
mod bounds;
mod context;
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

pub use context::{AUX_BUFFERS, DrawBuffer, MjrContext};
pub use device::Gpu;
pub use error::RenderError;
pub use image::{ColorImage, SensorImage, segmentation_color};
pub use list::Sensed;
pub use renderer::Renderer;
pub use wgpu;
