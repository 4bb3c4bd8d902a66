//! Finite differences of inverse dynamics: how forces, sensors and inertia change with positions, velocities
//! and accelerations.
//!
//! Row `i` of each matrix is the derivative with respect to component `i` of the input, so that matrices are
//! transposed with respect to the usual Jacobians.

use crate::actuation::mj_fwd_actuation;
use crate::derivative::error::{DerivativeError, expect};
use crate::inverse::mj_inverse_skip;
use crate::step_memory::StepMemory;
use crate::support::mj_integrate_pos;
use kinetree_model::enums::{Integrator, Stage};
use kinetree_model::{Data, Model};

/// Matrices that the derivatives are written to; those left out are not computed.
#[derive(Debug, Default)]
pub struct InverseJacobians<'a> {
    /// Force with respect to position, nv × nv.
    pub force_position: Option<&'a mut [f64]>,
    /// Force with respect to velocity, nv × nv.
    pub force_velocity: Option<&'a mut [f64]>,
    /// Force with respect to acceleration, nv × nv.
    pub force_acceleration: Option<&'a mut [f64]>,
    /// Sensors with respect to position, nv × nsensordata.
    pub sensor_position: Option<&'a mut [f64]>,
    /// Sensors with respect to velocity, nv × nsensordata.
    pub sensor_velocity: Option<&'a mut [f64]>,
    /// Sensors with respect to acceleration, nv × nsensordata.
    pub sensor_acceleration: Option<&'a mut [f64]>,
    /// Inertia matrix `qM` with respect to position, nv × nM.
    pub inertia_position: Option<&'a mut [f64]>,
}

/// Settings and the values at the centre.
struct Differencer {
    eps: f64,
    skip_sensors: bool,
    subtract_actuation: bool,
    force: Vec<f64>,
    sensors: Vec<f64>,
    inertia: Vec<f64>,
}

impl Differencer {
    /// Inverse dynamics from a stage on; `qfrc_inverse` then holds the force.
    fn evaluate(
        &self,
        model: &Model,
        data: &mut Data,
        work: &mut StepMemory,
        skip: Stage,
    ) -> Result<(), DerivativeError> {
        mj_inverse_skip(model, data, &mut work.inverse, &mut work.stages, skip, self.skip_sensors)?;
        if self.subtract_actuation {
            mj_fwd_actuation(model, data, &mut work.stages.actuation, &mut work.stages.nested);
            for (force, actuator) in data.qfrc_inverse.iter_mut().zip(&data.qfrc_actuator) {
                *force -= actuator;
            }
        }
        Ok(())
    }

    /// Writes row `i` of the matrices that are wanted.
    fn write(&self, i: usize, data: &Data, force: &mut Option<&mut [f64]>, sensors: &mut Option<&mut [f64]>) {
        self.write_row(i, &data.qfrc_inverse, &self.force, force);
        self.write_row(i, &data.sensordata, &self.sensors, sensors);
    }

    fn write_row(&self, i: usize, nudged: &[f64], center: &[f64], out: &mut Option<&mut [f64]>) {
        let Some(out) = out else { return };
        let width = center.len();
        for (value, (plus, base)) in out[i * width..(i + 1) * width].iter_mut().zip(nudged.iter().zip(center))
        {
            *value = (plus - base) / self.eps;
        }
    }
}

/// Derivatives of inverse dynamics by forward finite differences. With `subtract_actuation` the force is what
/// remains after actuators have done their part. The state remains as it was.
///
/// # Errors
/// When inverse dynamics fails, a matrix has the wrong size, or the model uses the Runge–Kutta integrator or
/// the noslip solver.
pub(crate) fn mjd_inverse_fd(
    model: &Model,
    data: &mut Data,
    work: &mut StepMemory,
    eps: f64,
    subtract_actuation: bool,
    mut out: InverseJacobians<'_>,
) -> Result<(), DerivativeError> {
    if model.opt.integrator == Integrator::Rk4 {
        return Err(DerivativeError::Unsupported("the RK4 integrator"));
    }
    if model.opt.noslip_iterations > 0 {
        return Err(DerivativeError::Unsupported("the noslip solver"));
    }
    check_sizes(model, &out)?;
    let skip_sensors =
        out.sensor_position.is_none() && out.sensor_velocity.is_none() && out.sensor_acceleration.is_none();
    let mut fd = Differencer {
        eps,
        skip_sensors,
        subtract_actuation,
        force: Vec::new(),
        sensors: Vec::new(),
        inertia: Vec::new(),
    };
    fd.evaluate(model, data, work, Stage::None)?;
    fd.force = data.qfrc_inverse.to_vec();
    fd.sensors = data.sensordata.to_vec();
    fd.inertia = data.qM.to_vec();

    if out.force_acceleration.is_some() || out.sensor_acceleration.is_some() {
        for i in 0..model.nv {
            let saved = data.qacc[i];
            data.qacc[i] += eps;
            fd.evaluate(model, data, work, Stage::Vel)?;
            data.qacc[i] = saved;
            fd.write(i, data, &mut out.force_acceleration, &mut out.sensor_acceleration);
        }
    }
    if out.force_velocity.is_some() || out.sensor_velocity.is_some() {
        for i in 0..model.nv {
            let saved = data.qvel[i];
            data.qvel[i] += eps;
            fd.evaluate(model, data, work, Stage::Pos)?;
            data.qvel[i] = saved;
            fd.write(i, data, &mut out.force_velocity, &mut out.sensor_velocity);
        }
    }
    differentiate_positions(model, data, work, &fd, &mut out)
}

/// The matrices with respect to positions.
fn differentiate_positions(
    model: &Model,
    data: &mut Data,
    work: &mut StepMemory,
    fd: &Differencer,
    out: &mut InverseJacobians<'_>,
) -> Result<(), DerivativeError> {
    if out.force_position.is_none() && out.sensor_position.is_none() && out.inertia_position.is_none() {
        return Ok(());
    }
    let saved = data.qpos.to_vec();
    let mut direction = vec![0.0; model.nv];
    for i in 0..model.nv {
        direction.fill(0.0);
        direction[i] = 1.0;
        mj_integrate_pos(model, &mut data.qpos, &direction, fd.eps);
        fd.evaluate(model, data, work, Stage::None)?;
        data.qpos.copy_from_slice(&saved);
        fd.write(i, data, &mut out.force_position, &mut out.sensor_position);
        fd.write_row(i, &data.qM, &fd.inertia, &mut out.inertia_position);
    }
    Ok(())
}

/// Checks the sizes of all matrices that are wanted.
pub(crate) fn check_sizes(model: &Model, out: &InverseJacobians<'_>) -> Result<(), DerivativeError> {
    let (nv, ns) = (model.nv, model.nsensordata);
    expect("DfDq", out.force_position.as_deref(), nv * nv)?;
    expect("DfDv", out.force_velocity.as_deref(), nv * nv)?;
    expect("DfDa", out.force_acceleration.as_deref(), nv * nv)?;
    expect("DsDq", out.sensor_position.as_deref(), nv * ns)?;
    expect("DsDv", out.sensor_velocity.as_deref(), nv * ns)?;
    expect("DsDa", out.sensor_acceleration.as_deref(), nv * ns)?;
    expect("DmDq", out.inertia_position.as_deref(), nv * model.nM)
}
