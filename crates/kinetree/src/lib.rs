//! Kinetree: a MuJoCo-compatible physics engine in pure Rust.
//!
//! A model is read from MJCF or URDF text and compiled once into an immutable [`Model`]; each world that is
//! simulated is a [`Data`]. Fields and functions carry MuJoCo's names (`qpos`, `xpos`,
//! [`mj_step`](sim::mj_step)), so that what is known about MuJoCo is known about Kinetree.
//!
//! ```
//! use kinetree::prelude::*;
//!
//! let model = load_model_str(
//!     r#"<mujoco>
//!          <worldbody>
//!            <body pos="0 0 1">
//!              <joint name="swing" axis="0 1 0"/>
//!              <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02"/>
//!            </body>
//!          </worldbody>
//!        </mujoco>"#,
//! )?;
//! let mut data = Data::new(&model);
//! while data.time < 0.25 {
//!     data.step(&model)?;
//! }
//! assert!(data.qpos[0] > 0.0, "the rod swings down");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where things are
//!
//! | module | what is in it |
//! |---|---|
//! | [`model`] | [`Model`], [`Data`], enums, names, keyframes and state vectors |
//! | [`sim`] | the pipeline, stage by stage: `mj_step`, `mj_forward`, Jacobians, sensors, rays, inverse dynamics |
//! | [`spec`] | reading, editing and compiling models; diagnostics |
//! | [`collide`] | shapes and how they touch, without a model: contacts, distances, rays, bounding volumes |
//! | [`math`] | rotations, spatial vectors, factorizations |
//! | `render` | what a world looks like, and pictures of it; with the feature `render` |
//!
//! [`prelude`] brings in what most programs need. [`Simulate`] gives `Data` the comfortable forms
//! `data.step(&model)`, `data.forward(&model)` and so on.
#![forbid(unsafe_code)]

mod simulate;

pub use kinetree_collide as collide;
pub use kinetree_math as math;
pub use kinetree_model as model;
#[cfg(feature = "render")]
pub use kinetree_render as render;
pub use kinetree_sim as sim;
pub use kinetree_spec as spec;

pub use kinetree_math::{UnsupportedCpu, check_cpu};
pub use kinetree_model::{Contact, Data, Model};
pub use kinetree_sim::StepError;
pub use kinetree_spec::{
    AssetCache, Diagnostics, Spec, Vfs, load_model, load_model_str, load_model_str_with, load_model_with,
};
pub use simulate::Simulate;

/// What most programs need, for `use kinetree::prelude::*`.
pub mod prelude {
    pub use crate::Simulate;
    pub use kinetree_math::{Mat3, Quat, Vec3};
    pub use kinetree_model::enums::{JointType, ObjType};
    pub use kinetree_model::{
        Callback, Contact, Data, Model, mj_id2name, mj_name2id, mj_reset_data, mj_reset_data_keyframe,
    };
    pub use kinetree_sim::{
        StepError, mj_contact_force, mj_forward, mj_inverse, mj_jac_body, mj_jac_site, mj_step, mj_step1,
        mj_step2,
    };
    pub use kinetree_spec::{
        Diagnostics, Spec, Vfs, load_model, load_model_str, load_model_str_with, load_model_with,
    };
}
