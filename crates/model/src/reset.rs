//! Making and resetting a `Data`, to the model's initial state or to a keyframe.

use crate::consts::MINAWAKE;
use crate::{Data, Mismatch, Model, StateError};

impl Data {
    /// Makes the data of a new world, reset to the model's initial state.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        let mut data = Self::allocate(model);
        reset(model, &mut data);
        data
    }
}

/// Resets everything: state and inputs to the model's initial values, results to zero.
///
/// # Errors
/// When the data was made for a model of other sizes; it is left as it was.
pub fn mj_reset_data(model: &Model, data: &mut Data) -> Result<(), Mismatch> {
    data.check_sizes(model)?;
    reset(model, data);
    Ok(())
}

/// As [`mj_reset_data`], for a data of this model.
fn reset(model: &Model, data: &mut Data) {
    data.keep_direct(model, Data::clear);
    data.contact.clear();
    data.time = 0.0;
    data.energy = [0.0; 2];
    data.solver.clear();
    data.solver_niter = Default::default();
    data.solver_nnz = Default::default();
    data.solver_fwdinv = [0.0; 2];
    data.solver_unconverged = Default::default();
    data.derivative_kinks = Default::default();
    data.warning = Default::default();
    data.timer = Default::default();

    data.qpos.copy_from_slice(&model.qpos0);
    data.eq_active.copy_from_slice(&model.eq_active0);
    for body in 0..model.nbody {
        if let Ok(id) = usize::try_from(model.body_mocapid[body]) {
            data.mocap_pos[id] = model.body_pos[body];
            data.mocap_quat[id] = model.body_quat[body];
        }
    }
    data.tree_asleep.fill(-(1 + MINAWAKE));
    wake_everything(model, data);
    reset_history(model, data);
    data.plugin.copy_from_slice(&model.plugin[..model.nplugin]);
    if let Some(pipeline) = model.pipeline {
        (pipeline.after_reset)(model, data);
    }
}

/// Marks every tree, body and dof as awake.
fn wake_everything(model: &Model, data: &mut Data) {
    data.ntree_awake = model.ntree;
    data.nbody_awake = model.nbody;
    data.nparent_awake = model.nbody.saturating_sub(1);
    data.nv_awake = model.nv;
    data.tree_awake.fill(1);
    for (i, awake) in data.body_awake.iter_mut().enumerate() {
        // bodies of no tree are static, unless the user may move them
        let root = model.body_rootid[i] as usize;
        *awake = if model.body_treeid[i] < 0 && model.body_mocapid[root] < 0 { -1 } else { 1 };
    }
    for (i, v) in data.body_awake_ind.iter_mut().enumerate() {
        *v = i as i32;
    }
    for (i, v) in data.parent_awake_ind.iter_mut().take(data.nparent_awake).enumerate() {
        // the world has no parent
        *v = i as i32 + 1;
    }
    for (i, v) in data.dof_awake_ind.iter_mut().enumerate() {
        *v = i as i32;
    }
}

/// Fills the control and sensor history buffers with zeros at times before the start.
///
/// A buffer holds a user slot, a cursor, `n` times and `n` values of the channel's dimension.
fn reset_history(model: &Model, data: &mut Data) {
    let dt = model.opt.timestep;
    for i in 0..model.nu {
        let n = usize::try_from(model.actuator_history[i][0]).unwrap_or(0);
        if n > 0 {
            let buffer = &mut data.history[model.actuator_historyadr[i] as usize..][..2 + 2 * n];
            buffer[1] = (n - 1) as f64;
            fill_times(&mut buffer[2..2 + n], dt);
        }
    }
    for i in 0..model.nsensor {
        let n = usize::try_from(model.sensor_history[i][0]).unwrap_or(0);
        if n == 0 {
            continue;
        }
        let dim = model.sensor_dim[i] as usize;
        let [period, phase] = model.sensor_interval[i];
        let buffer = &mut data.history[model.sensor_historyadr[i] as usize..][..2 + n + n * dim];
        buffer[1] = (n - 1) as f64;
        if period > 0.0 {
            // a phase of zero means that the first sample falls on time zero
            let last = if phase == 0.0 { -period } else { phase };
            buffer[0] = last;
            for j in 0..n {
                let time = last - (n - 1 - j) as f64 * period;
                buffer[2 + j] = (time / dt).ceil() * dt;
            }
        } else {
            buffer[0] = -dt;
            fill_times(&mut buffer[2..2 + n], dt);
        }
    }
}

/// Times `-n dt, …, -dt`.
fn fill_times(times: &mut [f64], dt: f64) {
    let n = times.len();
    for (j, time) in times.iter_mut().enumerate() {
        *time = -((n - j) as f64) * dt;
    }
}

/// Resets, then loads keyframe `key`.
///
/// # Errors
/// When the model has no keyframe of that index or other sizes than the data; `data` is left as it was.
pub fn mj_reset_data_keyframe(model: &Model, data: &mut Data, key: usize) -> Result<(), StateError> {
    data.check_sizes(model)?;
    if key >= model.nkey {
        return Err(StateError::NoKeyframe { key, nkey: model.nkey });
    }
    reset(model, data);
    data.time = model.key_time[key];
    data.qpos.copy_from_slice(&model.key_qpos[key * model.nq..][..model.nq]);
    data.qvel.copy_from_slice(&model.key_qvel[key * model.nv..][..model.nv]);
    data.act.copy_from_slice(&model.key_act[key * model.na..][..model.na]);
    data.ctrl.copy_from_slice(&model.key_ctrl[key * model.nu..][..model.nu]);
    data.mocap_pos.copy_from_slice(&model.key_mpos[key * model.nmocap..][..model.nmocap]);
    data.mocap_quat.copy_from_slice(&model.key_mquat[key * model.nmocap..][..model.nmocap]);
    Ok(())
}

/// Stores the current state as keyframe `key` of the model.
///
/// # Errors
/// When the model has no keyframe of that index, or other sizes than the data.
pub fn mj_set_keyframe(model: &mut Model, data: &Data, key: usize) -> Result<(), StateError> {
    data.check_sizes(model)?;
    let (nq, nv, na, nu, nmocap) = (model.nq, model.nv, model.na, model.nu, model.nmocap);
    if key >= model.nkey {
        return Err(StateError::NoKeyframe { key, nkey: model.nkey });
    }
    model.key_time[key] = data.time;
    model.key_qpos[key * nq..][..nq].copy_from_slice(&data.qpos);
    model.key_qvel[key * nv..][..nv].copy_from_slice(&data.qvel);
    model.key_act[key * na..][..na].copy_from_slice(&data.act);
    model.key_ctrl[key * nu..][..nu].copy_from_slice(&data.ctrl);
    model.key_mpos[key * nmocap..][..nmocap].copy_from_slice(&data.mocap_pos);
    model.key_mquat[key * nmocap..][..nmocap].copy_from_slice(&data.mocap_quat);
    Ok(())
}
