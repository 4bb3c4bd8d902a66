//! What can be wrong with a pair of model and data, and why a pipeline could not go on.

use crate::plugin::PluginError;
use crate::reference::Difference;
use kinetree_math::sparse::LuError;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A data does not fit a model, or itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// The data was made for a model of other sizes or structure.
    #[error("the data was made for a model of other sizes or structure{}; make one with `Data::new`", example(*array))]
    Sizes {
        /// An array whose length differs, if there is one: some sizes are those of no array.
        array: Option<&'static str>,
    },
    /// A count says that there is more, or less, than there is.
    #[error("`{count}` is {value}, but there are {found}; reset the data or run the stage that counts them")]
    Count {
        /// Name of the count.
        count: &'static str,
        /// Its value.
        value: usize,
        /// How many there are.
        found: usize,
    },
    /// The constraint rows were made before `opt.cone` or `opt.jacobian` was changed.
    #[error(
        "the constraint rows were made with another `opt.cone` or `opt.jacobian`; remake them with `mj_forward`"
    )]
    Rows,
}

fn example(array: Option<&'static str>) -> String {
    array.map_or_else(String::new, |name| format!(": `{name}` has another length"))
}

/// Why the pipeline could not go on. The data is left as it was when the stage failed; reset it or set
/// another state.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A sensor cannot be computed.
    #[error(transparent)]
    Sensor(#[from] SensorError),
    /// The matrix of the implicit integrator is singular.
    #[error("the implicit integrator cannot factor its matrix: {0}")]
    Implicit(#[from] LuError),
    /// The inertia matrix of a world of a batch cannot be factored.
    #[error(
        "the inertia matrix cannot be factored at dof {dof}: what it moves has no inertia in its direction; give \
         the joint armature, or its bodies mass"
    )]
    SingularInertia {
        /// The dof whose pivot is not positive.
        dof: usize,
    },
    /// The options name an integrator that does not exist.
    #[error("invalid integrator {0} in the model's options")]
    Integrator(i32),
    /// The options name a solver that does not exist.
    #[error("mj_fwdConstraint: unknown solver type {0}")]
    Solver(i32),
    /// The model asks for something that does not exist yet.
    #[error("unsupported: {0}")]
    Unsupported(&'static str),
    /// The model is of a reference level at which this has another meaning, which does not exist yet.
    #[error("{0}; load the model at level 3.8, or leave this out")]
    Reference(&'static Difference),
    /// The model describes deformable bodies, which a step of the model alone would leave out.
    #[error(
        "the model describes deformable bodies in <soft>, which this function does not step: step them with \
         SoftWorld (`SoftWorld::from_model(&model)?.step(&model, &mut data)` in Rust, \
         `kinetree.soft.SoftWorld.from_model(model).step(model, data)` in Python), or take the section out"
    )]
    Deformable,
    /// A plugin failed.
    #[error(transparent)]
    Plugin(#[from] PluginError),
    /// The data was made for another model.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// The model was made by hand, and nobody told it how it is simulated.
    #[error(
        "the model has no pipeline: load it, or call `kinetree::sim::install_pipeline` after making it by hand"
    )]
    NoPipeline,
    /// A world of a batch has left the range of usable numbers; which quantity did.
    #[error("the world diverged: {0} was not a number, or too large")]
    Diverged(&'static str),
    /// The device that steps the worlds of a batch failed, and all worlds with it.
    #[error("the device that steps the worlds failed: {0}")]
    Device(String),
    /// A step of a world of a batch panicked, by a bug or in a function of the user.
    #[error("a step panicked: {0}")]
    Panicked(String),
}

impl StepError {
    /// Runs what may panic, be it by a bug or in a function of the user, and makes the panic an error: one
    /// world's panic is not another's.
    ///
    /// # Errors
    /// Those of `f`, and [`StepError::Panicked`].
    pub fn catch<R>(f: impl FnOnce() -> Result<R, Self>) -> Result<R, Self> {
        catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Err(Self::Panicked(text.unwrap_or_default()))
        })
    }
}

/// Why a sensor has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SensorError {
    /// The kind of sensor is not available.
    #[error("unsupported: sensor {sensor} of type {kind}")]
    Unsupported {
        /// Sensor id.
        sensor: usize,
        /// Its type, a `SensorType` value.
        kind: i32,
    },
    /// The sensor is attached to something without a frame.
    #[error("sensor {sensor}: {source}")]
    NoFrame {
        /// Sensor id.
        sensor: usize,
        /// What it is attached to.
        source: NoFrame,
    },
    /// The data does not fit the model.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}

/// The object has no spatial frame, or does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("object type {objtype} with id {id} has no spatial frame")]
pub struct NoFrame {
    /// Object type, an `ObjType` value.
    pub objtype: i32,
    /// Object id.
    pub id: i32,
}
