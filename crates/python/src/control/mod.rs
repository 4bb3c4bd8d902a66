//! Regulators, trajectory optimization, and control by samples.

#![allow(clippy::needless_pass_by_value)] // arguments are made for the call

mod cost;
mod mpc;
mod optimize;
mod outcome;
mod sampling;
mod sysid;

use crate::functions::functions;
use optimize::{control_ilqr, control_lqr, control_transitions, control_tvlqr};
use pyo3::prelude::*;
use sampling::control_sample;
use sysid::sysid_identify;

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<mpc::CoreMpc>()?;
    functions!(module; control_transitions control_lqr control_tvlqr control_ilqr control_sample sysid_identify);
    Ok(())
}
