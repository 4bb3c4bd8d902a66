//! What a world looks like: the abstract scene, made from a model and its data, and a renderer that draws it.
//!
//! [`scene`] knows no graphics library: it lists geoms, lights and cameras under the reference's names, so
//! that any renderer can draw them. [`gpu`] draws it with `wgpu`, without a window or display, into colour
//! pictures, distances and segmentation; it is the feature `wgpu`.
//!
//! ```
//! use kinetree_model::Data;
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
//! assert_eq!(scene.geoms.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod canvas;
pub mod font;
#[cfg(feature = "wgpu")]
pub mod gpu;
pub mod scene;
