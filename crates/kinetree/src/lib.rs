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
//! | [`ik`] | kinematic chains, Jacobians and inverse kinematics of arms and whole bodies |
//! | [`control`] | regulators, trajectory optimization, predictive control, system identification |
//! | [`soft`] | cloth, soft solids and ropes beside a model; skinning |
//! | [`batch`] | many worlds at once: tables of controls and states, rewards, domain randomisation |
//! | [`tasks`] | tasks of Gymnasium and `dm_control` for batches: observations, rewards, ends of episodes |
//! | [`math`] | rotations, spatial vectors, factorizations |
//! | `render` | what a world looks like, and pictures of it; with the feature `render` |
//!
//! [`prelude`] brings in what most programs need.
//!
//! # Loading
//!
//! [`load_model`] reads a file, [`load_model_str`] a string. Errors name the place in the text and what to
//! try. Where a model names files that are not on the disk, [`load_model_with`] and [`load_model_str_with`]
//! take them from a [`Vfs`].
//!
//! ```
//! use kinetree::{Vfs, load_model, load_model_str, load_model_str_with, load_model_with};
//!
//! let humanoid = load_model(concat!(env!("CARGO_MANIFEST_DIR"), "/models/humanoid.xml"))?;
//! assert_eq!(humanoid.nv, 27);
//!
//! let mut files = Vfs::new();
//! files.add_buffer("ball.xml", *b"<mujoco><worldbody><geom size='0.1'/></worldbody></mujoco>")?;
//! let ball = load_model_with("ball.xml", &files)?;
//! let same = load_model_str_with("<mujoco><include file='ball.xml'/></mujoco>", &files)?;
//! assert_eq!((ball.ngeom, same.ngeom), (1, 1));
//!
//! let faults = load_model_str("<mujoco><worldbody><geom siez='1'/></worldbody></mujoco>").unwrap_err();
//! assert!(faults.to_string().contains("size"), "the message says what was probably meant");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Stepping
//!
//! [`Data::step`] and its siblings are the comfortable form of the functions in [`sim`], which carry MuJoCo's
//! names. Both work on the same types.
//!
//! ```
//! use kinetree::prelude::*;
//!
//! let ball = "<body pos='0 0 1'><freejoint/><geom size='0.1'/></body>";
//! let model = load_model_str(&format!("<mujoco><worldbody>{ball}</worldbody></mujoco>"))?;
//! let mut data = Data::new(&model);
//! data.steps(&model, 10)?;
//! mj_step(&model, &mut data)?;
//! assert!((data.time - 0.022).abs() < 1e-12 && data.qpos[2] < 1.0);
//!
//! // accelerations from the state and the inputs, and the way back
//! data.forward(&model)?;
//! assert!((data.qacc[2] + 9.81).abs() < 1e-9);
//! data.inverse(&model)?;
//! assert!(data.qfrc_inverse[2].abs() < 1e-9, "a free fall needs no force");
//!
//! data.reset(&model)?;
//! assert_eq!((data.time, data.qpos[2]), (0.0, 1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Callbacks
//!
//! They belong to a model and are closures: [`Model::set_control`], [`Model::set_passive`],
//! [`Model::set_contact_filter`], [`Model::set_sensor`] and those of user actuators.
//!
//! ```
//! use kinetree::prelude::*;
//!
//! let mut model = load_model_str(
//!     "<mujoco>
//!        <worldbody><body><joint name='j' type='slide'/><geom size='0.1' mass='1'/></body></worldbody>
//!        <actuator><motor joint='j'/></actuator>
//!      </mujoco>",
//! )?;
//! model.set_control(|_model, data| data.ctrl[0] = 9.81 - 10.0 * data.qpos[0] - 5.0 * data.qvel[0]);
//! let mut data = Data::new(&model);
//! data.qpos[0] = 0.3;
//! data.steps(&model, 2000)?;
//! assert!(data.qpos[0].abs() < 1e-3, "the controller holds the ball against gravity");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Editing models
//!
//! A [`Spec`] is a model before it is compiled.
//!
//! ```
//! use kinetree::Spec;
//! use kinetree::spec::spec::Geom;
//!
//! let mut spec: Spec = "<mujoco><worldbody><body name='b'/></worldbody></mujoco>".parse()?;
//! let body = spec.find_body("b").ok_or("no such body")?;
//! spec.add_geom(body, Geom { size: [0.1, 0.0, 0.0], ..Geom::default() });
//! assert_eq!(spec.compile()?.ngeom, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Many worlds
//!
//! A [`batch::BatchSim`] steps worlds of a model on all threads, with a row for each world in tables of
//! controls and states.
//!
//! ```
//! use kinetree::batch::BatchSim;
//! use kinetree::prelude::*;
//! use std::sync::Arc;
//!
//! let model = load_model_str(
//!     "<mujoco>
//!        <worldbody><body><joint name='j' type='slide'/><geom size='0.1' mass='1'/></body></worldbody>
//!        <actuator><motor joint='j'/></actuator>
//!      </mujoco>",
//! )?;
//! let mut batch = BatchSim::new(Arc::new(model), 3);
//! batch.controls_mut().copy_from_slice(&[0.0, 9.81, 20.0]);
//! let result = batch.step_all();
//! assert!(result.state(0)[1] < 0.0 && result.state(1)[1].abs() < 1e-9 && result.state(2)[1] > 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Geometry alone
//!
//! ```
//! use kinetree::collide::{CcdScratch, CcdSettings, Pose, Shape, collide};
//! use kinetree::math::{Mat3, Vec3};
//!
//! let at = |z: f64| Pose { pos: Vec3::new(0.0, 0.0, z), mat: Mat3::identity() };
//! let (ball, cube) = (Shape::Sphere { radius: 0.5 }, Shape::Box { half: Vec3::repeat(1.0) });
//! let (mut scratch, mut contacts) = (CcdScratch::default(), Vec::new());
//! collide(&ball, &at(1.4), &cube, &at(0.0), 0.0, &CcdSettings::default(), &mut scratch, &mut contacts);
//! assert!((contacts[0].dist + 0.1).abs() < 1e-12 && contacts[0].normal.z == -1.0);
//! ```
//!
//! # AVX2
//!
//! The engine's kernels are written in lanes of four numbers. A program that is compiled for AVX2
//! (`RUSTFLAGS="-C target-cpu=x86-64-v3"`, or `rustflags` in its `.cargo/config.toml`) runs them four at a
//! time; without, it is slower and computes the same bits. Such a program needs a CPU with AVX2;
//! [`check_cpu`] as the first line of `main` turns an illegal instruction on another CPU into an error:
//!
//! ```
//! fn main() -> Result<(), kinetree::UnsupportedCpu> {
//!     kinetree::check_cpu()?;
//!     // …
//!     Ok(())
//! }
//! ```
#![forbid(unsafe_code)]

pub use kinetree_batch as batch;
pub use kinetree_collide as collide;
pub use kinetree_control as control;
#[cfg(feature = "gpu")]
pub use kinetree_gpu as gpu;
pub use kinetree_ik as ik;
pub use kinetree_math as math;
pub use kinetree_model as model;
#[cfg(feature = "render")]
pub use kinetree_render as render;
pub use kinetree_sim as sim;
pub use kinetree_soft as soft;
pub use kinetree_spec as spec;
pub use kinetree_tasks as tasks;

pub use kinetree_math::{UnsupportedCpu, check_cpu};
pub use kinetree_model::{Contact, Data, Model, Reference, StepError};
pub use kinetree_spec::{
    AssetCache, Diagnostics, Loader, Spec, Vfs, load_model, load_model_str, load_model_str_with,
    load_model_with,
};

/// What most programs need, for `use kinetree::prelude::*`.
pub mod prelude {
    pub use kinetree_math::{Mat3, Quat, Vec3};
    pub use kinetree_model::enums::{JointType, ObjType};
    pub use kinetree_model::{
        Contact, Data, Model, StepError, mj_id2name, mj_name2id, mj_reset_data, mj_reset_data_keyframe,
    };
    pub use kinetree_sim::{
        mj_contact_force, mj_forward, mj_inverse, mj_jac, mj_jac_body, mj_jac_site, mj_step, mj_step1,
        mj_step2,
    };
    pub use kinetree_spec::{
        Diagnostics, Spec, Vfs, load_model, load_model_str, load_model_str_with, load_model_with,
    };
}

/// The Rust program of this page is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/editing.md")]
struct Editing;

/// The Rust programs of this page are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/plugins.md")]
struct Plugins;

/// The Rust program of this page is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/soft-bodies.md")]
struct SoftBodies;
