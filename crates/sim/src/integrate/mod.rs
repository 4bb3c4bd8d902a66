//! Integrators: from accelerations to the next state.
//!
//! All of them end alike: histories, activations, velocities, positions and time, in this order.

mod euler;
mod flex_implicit;
mod free_block;
mod implicit;
mod implicit_spring;
mod midpoint;
mod rk4;

pub(crate) use euler::{euler_step, mj_euler};
pub(crate) use flex_implicit::for_each_stiffness;
pub(crate) use free_block::is_free_alone;
pub(crate) use implicit::{ImplicitFactor, ImplicitScratch, implicit_step, mj_implicit};
pub(crate) use implicit_spring::{implicit_spring_damper, spring_derivative};
pub use midpoint::{FreeBody, free_body_step};
pub(crate) use midpoint::{is_aligned, is_standalone, midpoint_velocity};
pub(crate) use rk4::{RungeKuttaScratch, STAGE_FRACTION, STAGE_WEIGHT, mj_runge_kutta4};

use crate::actuation::{mj_actuator_disabled, mj_next_activation};
use crate::forward::mj_forward_skip;
use crate::history::advance_ctrl_history;
use crate::sensor::advance_sensor_history;
use crate::sleep::awake_lists::{Visit, some_asleep};
use crate::sleep::mj_update_sleep;
use crate::sleep::wake::mj_sleep;
use crate::stage_memory::StageMemory;
use crate::support::{integrate_pos_of_bodies, mj_integrate_pos};
use kinetree_model::StepError;
use kinetree_model::enums::{DisableBit, Stage};
use kinetree_model::{Data, Model};

/// Where the derivative of the activations and the velocity for positions come from.
#[derive(Clone, Copy)]
pub(crate) struct Rates<'a> {
    /// Derivative of the activations; `None` takes `act_dot`.
    pub(crate) act_dot: Option<&'a [f64]>,
    /// Acceleration.
    pub(crate) qacc: &'a [f64],
    /// Velocity that moves positions; `None` takes the new velocity, which makes the step semi-implicit.
    pub(crate) qvel: Option<&'a [f64]>,
}

/// Advances the state by one time step.
pub(crate) fn advance(
    model: &Model,
    data: &mut Data,
    memory: &mut StageMemory,
    rates: Rates<'_>,
) -> Result<(), StepError> {
    if model.nhistory > 0 {
        advance_ctrl_history(model, data);
        advance_sensor_history(model, data, &mut memory.sensor_context(&mut None))?;
    }
    if model.na > 0 && !model.disabled(DisableBit::Actuation) {
        advance_activations(model, data, rates.act_dot);
    }
    if mj_sleep(model, data) > 0 {
        // velocities that were set to zero change everything that depends on them
        mj_forward_skip(model, data, memory, Stage::Pos, false)?;
        mj_update_sleep(model, data);
    }

    let h = model.opt.timestep;
    let dofs = Visit::dofs(model, data);
    for k in 0..dofs.count {
        let dof = dofs.at(&data.dof_awake_ind, k);
        data.qvel[dof] += rates.qacc[dof] * h;
    }
    let asleep = some_asleep(model, data);
    let Data { qpos, qvel, body_awake_ind, nbody_awake, .. } = &mut *data;
    let velocity = rates.qvel.unwrap_or(qvel);
    if asleep {
        integrate_pos_of_bodies(model, qpos, velocity, h, &body_awake_ind[..*nbody_awake]);
    } else {
        mj_integrate_pos(model, qpos, velocity, h);
    }
    data.time += h;
    if model.nplugin > 0 {
        memory.nested.plugins.advance(model, data);
        memory.report_failure()?;
    }
    data.qacc_warmstart.copy_from_slice(&data.qacc);
    Ok(())
}

/// Advances all activations; those of disabled actuators keep their value.
fn advance_activations(model: &Model, data: &mut Data, act_dot: Option<&[f64]>) {
    for actuator in 0..model.nu {
        let Ok(first) = usize::try_from(model.actuator_actadr[actuator]) else { continue };
        let disabled = mj_actuator_disabled(model, actuator);
        for j in first..first + model.actuator_actnum[actuator] as usize {
            let rate = if disabled { 0.0 } else { act_dot.map_or(data.act_dot[j], |rates| rates[j]) };
            data.act[j] = mj_next_activation(model, data, actuator, j, rate);
        }
    }
}
