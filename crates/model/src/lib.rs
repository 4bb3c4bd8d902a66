//! What things are: `Model`, `Data`, options, enums, names and state vectors. No physics happens here.
//!
//! [`Model`] is the compiled, immutable description of a system; [`Data`] is one world: its state, its inputs
//! and all that is computed from them. Both hold one flat array per reference field, under the reference's
//! name and in its memory order. The list of fields is written once, in the tables of `table/`; structs,
//! allocation, iteration, files and bindings are generated from it.
//!
//! ```
//! use kinetree_model::{Data, Model, Sizes};
//!
//! // a model of sizes alone; models are made from files by the crate `kinetree-spec`
//! let model = Model::with_sizes(Sizes { nq: 2, nv: 2, ..Sizes::default() });
//! let data = Data::new(&model);
//! assert_eq!((data.qpos.len(), data.time), (2, 0.0));
//! ```
#![forbid(unsafe_code)]

mod callbacks;
mod compare;
pub mod consts;
mod contact;
mod data;
mod deformable;
pub mod enums;
mod error;
mod field;
mod fixed_array;
mod flex_indices;
mod fused;
mod indices;
mod interrupt;
mod island_indices;
mod list_indices;
mod memory;
mod mjb;
mod model;
mod names;
mod options;
mod pipeline;
pub mod plugin;
mod print;
mod reference;
mod reset;
mod row_indices;
mod sensor_indices;
mod state;
mod table;
mod trajectory;
mod tree_indices;
mod viewed_integers;
mod warning;
mod workspace;

pub use callbacks::{ActDynFn, ActFn, Callback, Callbacks, ContactFilterFn, DataFn, SensorFn};
pub use contact::Contact;
pub use data::{Data, Scalar, SolverStat, TimerStat, WarningStat, data_field};
pub use deformable::{DEFORMABLE_KINDS, DEFORMABLE_PREFIX, Deformable};
pub use error::{Mismatch, NoFrame, SensorError, StepError};
pub use field::{Element, Field, FieldMut, FieldSlice, FieldSliceMut};
pub use fixed_array::FixedArray;
pub use fused::FusedBody;
pub use indices::IndexError;
pub use interrupt::{Interrupted, SharedWatch, checkpoint, interruptible, is_interrupted};
pub use memory::{NoMemory, claim};
pub use mjb::BinaryError;
pub use model::{Model, Sizes, model_field};
pub use names::{NAME_SLOTS, build_names_map, mj_id2name, mj_name2id, name_addresses, name_hash};
pub use options::{
    Opt, Statistic, Visual, VisualGlobal, VisualHeadlight, VisualMap, VisualQuality, VisualRgba, VisualScale,
};
pub use pipeline::Pipeline;
pub use print::{FloatFormat, FloatFormatError, data_text, model_text};
pub use reference::{DIFFERENCES, Difference, Reference, ReferenceState, UnknownReference, point};
pub use reset::{mj_reset_data, mj_reset_data_keyframe, mj_set_keyframe};
pub use state::{
    STATE_FULLPHYSICS, STATE_INTEGRATION, STATE_PHYSICS, STATE_USER, StateError, mj_copy_state,
    mj_extract_state, mj_get_state, mj_set_state, mj_state_size,
};
#[doc(hidden)]
pub use trajectory::begin_trajectory;
pub use viewed_integers::ViewedIntegers;
pub use workspace::Workspace;
