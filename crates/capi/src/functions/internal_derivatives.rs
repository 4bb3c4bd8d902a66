//! Derivatives of forces with respect to velocity and of the forces of flexes, by functions that the
//! reference exports without declaring them in its public headers.

use crate::export;
use crate::ffi::fault::{Fault, Served, fault};
use crate::ffi::handle::{DataPtr, ModelPtr, run};
use crate::ffi::pointer::{In, Out, count};
use crate::functions::index;
use kinetree_model::{Data, Model};
use kinetree_sim::{self as sim, VelocityPart};

/// Writes columns to `qDeriv`, where its pattern has them: column `dof` is what `column` gives.
fn fill_columns(
    m: &Model,
    d: &mut Data,
    mut column: impl FnMut(&mut Data, usize) -> Served<Vec<f64>>,
) -> Served {
    let mut derivative = vec![0.0; d.qDeriv.len()];
    for dof in 0..m.nv {
        let values = column(d, dof)?;
        for (row, value) in values.iter().enumerate() {
            let start = count(m.D_rowadr[row]);
            let columns = &m.D_colind[start..start + count(m.D_rownnz[row])];
            if let Ok(at) = columns.binary_search(&(dof as i32)) {
                derivative[start + at] = *value;
            }
        }
    }
    d.qDeriv.copy_from_slice(&derivative);
    Ok(())
}

/// Calls `evaluate` with one velocity changed.
fn with_velocity<R>(
    d: &mut Data,
    (dof, change): (usize, f64),
    evaluate: impl FnOnce(&mut Data) -> Served<R>,
) -> Served<R> {
    let velocity = d.qvel[dof];
    d.qvel[dof] = velocity + change;
    let result = evaluate(d);
    d.qvel[dof] = velocity;
    result
}

/// Sum of smooth forces at the velocities of the data.
fn smooth_forces(m: &Model, d: &mut Data) -> Served<Vec<f64>> {
    sim::mj_fwd_velocity(m, d)?;
    sim::mj_fwd_actuation(m, d)?;
    let forces = d.qfrc_actuator.iter().zip(&d.qfrc_passive).zip(&d.qfrc_bias);
    Ok(forces.map(|((actuator, passive), bias)| actuator + passive - bias).collect())
}

/// Difference of two lists by a step.
fn difference_quotient(plus: &[f64], minus: &[f64], step: f64) -> Vec<f64> {
    plus.iter().zip(minus).map(|(plus, minus)| (plus - minus) / step).collect()
}

export! {
    fn mjd_smooth_vel(m: ModelPtr<'_>, d: DataPtr<'_>, flg_bias: i32) {
        run(m, d, |m, d| sim::mjd_smooth_vel(m, d, flg_bias != 0))
    }
    fn mjd_actuator_vel(m: ModelPtr<'_>, d: DataPtr<'_>) {
        run(m, d, |m, d| sim::add_velocity_part(m, d, VelocityPart::Actuators))
    }
    fn mjd_passive_vel(m: ModelPtr<'_>, d: DataPtr<'_>) {
        run(m, d, |m, d| sim::add_velocity_part(m, d, VelocityPart::Passive))
    }
    fn mjd_rne_vel_dense(m: ModelPtr<'_>, d: DataPtr<'_>) {
        run(m, d, |m, d| sim::add_velocity_part(m, d, VelocityPart::Bias))
    }
    fn mjd_smooth_velFD(m: ModelPtr<'_>, d: DataPtr<'_>, eps: f64) {
        run(m, d, |m, d| -> Result<(), Fault> {
            fill_columns(m, d, |d, dof| {
                let plus = with_velocity(d, (dof, eps), |d| smooth_forces(m, d))?;
                let minus = with_velocity(d, (dof, -eps), |d| smooth_forces(m, d))?;
                Ok(difference_quotient(&plus, &minus, 2.0 * eps))
            })?;
            smooth_forces(m, d).map(|_| ())
        })
    }
    fn mjd_passive_velFD(m: ModelPtr<'_>, d: DataPtr<'_>, eps: f64) {
        run(m, d, |m, d| -> Result<(), Fault> {
            let before = d.qfrc_passive.to_vec();
            fill_columns(m, d, |d, dof| {
                with_velocity(d, (dof, eps), |d| {
                    sim::mj_fwd_velocity(m, d)?;
                    Ok(difference_quotient(&d.qfrc_passive, &before, eps))
                })
            })?;
            Ok(sim::mj_fwd_velocity(m, d)?)
        })
    }
    fn mjd_flexInterp_mulKD(m: ModelPtr<'_>, d: DataPtr<'_>, res: Out<'_, f64>, vec: In<'_, f64>, h: f64) {
        let (m, d) = (m.get()?, d.read()?);
        // result and vector may be the same memory
        let vec = vec.list(m.nv)?.to_vec();
        let res = res.list(m.nv)?;
        Ok(sim::flex_stiffness(m, d, h, &mut |row, column, value| res[row] += value * vec[column])?)
    }
    fn mjd_flexInterp_addH(
        m: ModelPtr<'_>, d: DataPtr<'_>, matrix: Out<'_, f64>, dof_indices: In<'_, i32>, ndof: i32, nband: i32, h: f64,
    ) {
        let (m, d) = (m.get()?, d.read()?);
        let (ndof, nband) = (count(ndof), count(nband));
        let mut local = vec![None; m.nv];
        for (number, &dof) in dof_indices.list(ndof)?.iter().enumerate() {
            local[index("dof", dof, m.nv)?] = Some(number);
        }
        let Some(size) = ndof.checked_mul(nband) else { return fault("the matrix is too large") };
        let matrix = matrix.list(size)?;
        Ok(sim::flex_stiffness(m, d, h, &mut |row, column, value| {
            if let (Some(i), Some(j)) = (local[row], local[column]) && j <= i && i - j < nband {
                matrix[(i + 1) * nband - 1 - (i - j)] -= value;
            }
        })?)
    }
}
