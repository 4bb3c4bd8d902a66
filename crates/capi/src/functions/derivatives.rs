//! Derivatives, and actuator length ranges.

use crate::export;
use crate::ffi::fault::Served;
use crate::ffi::handle::{DataPtr, ModelPtr, change, run};
use crate::ffi::pointer::{In, Out, write_message};
use crate::functions::index;
use crate::layout::options::MjLrOpt;
use kinetree_math::Vec3;
use kinetree_math::rot::{self, mat3_row};
use kinetree_sim as sim;
use kinetree_sim::InverseJacobians;
use std::ffi::c_char;

export! {
    fn mjd_transitionFD(
        m: ModelPtr<'_>, d: DataPtr<'_>, eps: f64, flg_centered: u8, a: Out<'_, f64>, b: Out<'_, f64>, c: Out<'_, f64>,
        sensor_control: Out<'_, f64>,
    ) {
        run(m, d, |m, d| -> Served {
            let (nx, nu, ns) = (2 * m.nv + m.na, m.nu, m.nsensordata);
            let (a, b) = (a.optional(nx * nx)?, b.optional(nx * nu)?);
            let (c, s) = (c.optional(ns * nx)?, sensor_control.optional(ns * nu)?);
            Ok(sim::mjd_transition_fd(m, d, eps, flg_centered != 0, a, b, c, s)?)
        })
    }
    fn mjd_inverseFD(
        m: ModelPtr<'_>, d: DataPtr<'_>, eps: f64, flg_actuation: u8, dfdq: Out<'_, f64>, dfdv: Out<'_, f64>,
        dfda: Out<'_, f64>, dsdq: Out<'_, f64>, dsdv: Out<'_, f64>, dsda: Out<'_, f64>, dmdq: Out<'_, f64>,
    ) {
        run(m, d, |m, d| -> Served {
            let (square, sensors) = (m.nv * m.nv, m.nv * m.nsensordata);
            let out = InverseJacobians {
                force_position: dfdq.optional(square)?,
                force_velocity: dfdv.optional(square)?,
                force_acceleration: dfda.optional(square)?,
                sensor_position: dsdq.optional(sensors)?,
                sensor_velocity: dsdv.optional(sensors)?,
                sensor_acceleration: dsda.optional(sensors)?,
                inertia_position: dmdq.optional(m.nv * m.nM)?,
            };
            Ok(sim::mjd_inverse_fd(m, d, eps, flg_actuation != 0, out)?)
        })
    }
    fn mjd_subQuat(qa: In<'_, f64>, qb: In<'_, f64>, da: Out<'_, f64>, db: Out<'_, f64>) {
        let (a, b) = rot::quat_sub_deriv(&qa.array()?, &qb.array()?);
        da.set_optional(mat3_row(&a));
        db.set_optional(mat3_row(&b));
        Ok(())
    }
    fn mjd_quatIntegrate(
        vel: In<'_, f64>, scale: f64, dquat: Out<'_, f64>, dvel: Out<'_, f64>, dscale: Out<'_, f64>,
    ) {
        let derivatives = rot::quat_integrate_deriv(&Vec3::from(vel.array::<3>()?), scale);
        dquat.set_optional(mat3_row(&derivatives.quat));
        dvel.set_optional(mat3_row(&derivatives.vel));
        dscale.set_optional(derivatives.scale.into());
        Ok(())
    }
    fn mj_setLengthRange(
        m: ModelPtr<'_>, d: DataPtr<'_>, actuator: i32, opt: In<'_, MjLrOpt>, error: Out<'_, c_char>, error_sz: i32,
    ) -> i32 {
        let [opt] = opt.array()?;
        let found = change(m, d, |m, d| -> Served {
            let id = index("actuator", actuator, m.nu)?;
            Ok(sim::mj_set_length_range(m, d, id, &opt.options()?)?)
        });
        if let Err(fault) = &found {
            write_message(error, error_sz, &fault.0);
        }
        Ok(i32::from(found.is_ok()))
    }
}
