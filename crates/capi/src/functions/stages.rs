//! Steps, evaluations, and the stages of the pipeline.

use crate::export;
use crate::ffi::callbacks::{clock, has_clock};
use crate::ffi::fault::{Fault, Served, unsupported};
use crate::ffi::handle::{DataPtr, ModelPtr, run};
use crate::functions::islands::{find_islands, show_islands, show_islands_of_step};
use kinetree_model::enums::{EnableBit, Integrator, Stage, Timer, Warning};
use kinetree_model::{Data, Model};
use kinetree_sim as sim;

/// Exports functions of a model and a data, which have no other arguments.
macro_rules! stages {
    ($( $name:ident $path:path; )*) => { $(
        export! {
            fn $name(m: ModelPtr<'_>, d: DataPtr<'_>) { run(m, d, $path) }
        }
    )* };
}

stages! {
    mj_kinematics sim::mj_kinematics;
    mj_comPos sim::mj_com_pos;
    mj_camlight sim::mj_camlight;
    mj_flex sim::mj_flex;
    mj_tendon sim::mj_tendon;
    mj_transmission sim::mj_transmission;
    mj_crb sim::mj_crb;
    mj_makeM sim::mj_make_m;
    mj_factorM sim::mj_factor_m;
    mj_fwdKinematics sim::mj_fwd_kinematics;
    mj_comVel sim::mj_com_vel;
    mj_subtreeVel sim::mj_subtree_vel;
    mj_passive sim::mj_passive;
    mj_fwdActuation sim::mj_fwd_actuation;
    mj_fwdAcceleration sim::mj_fwd_acceleration;
    mj_rnePostConstraint sim::mj_rne_post_constraint;
    mj_sensorPos sim::mj_sensor_pos;
    mj_sensorVel sim::mj_sensor_vel;
    mj_sensorAcc sim::mj_sensor_acc;
    mj_energyPos sim::mj_energy_pos;
    mj_energyVel sim::mj_energy_vel;
    mj_collision sim::mj_collision;
    mj_makeConstraint sim::mj_make_constraint;
    mj_projectConstraint sim::mj_project_constraint;
    mj_referenceConstraint sim::mj_reference_constraint;
    mj_island find_islands;
    mj_fwdConstraint sim::mj_fwd_constraint;
    mj_fwdPosition fwd_position;
    mj_fwdVelocity sim::mj_fwd_velocity;
    mj_invPosition sim::mj_inv_position;
    mj_invVelocity sim::mj_inv_velocity;
    mj_invConstraint sim::mj_inv_constraint;
    mj_compareFwdInv sim::mj_compare_fwd_inv;
    mj_checkPos sim::mj_check_pos;
    mj_checkVel sim::mj_check_vel;
    mj_checkAcc sim::mj_check_acc;
    mj_Euler sim::mj_euler;
    mj_implicit sim::mj_implicit;
}

/// Runs a part of the pipeline that warns and that has a timer, which runs while there is a clock.
fn timed<E: Into<Fault>>(
    m: ModelPtr<'_>,
    d: DataPtr<'_>,
    timer: Timer,
    f: impl FnOnce(&Model, &mut Data) -> Result<(), E>,
) -> Served {
    let (before, after) = run(m, d, |m, d| -> Result<_, Fault> {
        let before = d.warning.map(|warning| warning.number);
        if has_clock() {
            let start = clock();
            f(m, d).map_err(Into::into)?;
            let stat = &mut d.timer[timer as usize];
            stat.duration += clock() - start;
            stat.number += 1;
        } else {
            f(m, d).map_err(Into::into)?;
        }
        Ok((before, d.warning))
    })?;
    for (kind, (old, new)) in before.iter().zip(&after).enumerate() {
        if *old == 0
            && new.number > 0
            && let Ok(warning) = Warning::try_from(kind as i32)
        {
            crate::ffi::errors::warn_text(&warning.text(new.lastinfo));
        }
    }
    Ok(())
}

/// A step that keeps the results of the stages up to `skip`.
fn step_skip(m: &Model, d: &mut Data, skip: Stage, skip_sensors: bool) -> Served {
    sim::mj_check_pos(m, d)?;
    sim::mj_check_vel(m, d)?;
    sim::mj_forward_skip(m, d, skip, skip_sensors)?;
    sim::mj_check_acc(m, d)?;
    if m.enabled(EnableBit::Fwdinv) {
        sim::mj_compare_fwd_inv(m, d)?;
    }
    match Integrator::try_from(m.opt.integrator)? {
        Integrator::Euler => sim::mj_euler(m, d)?,
        Integrator::Rk4 => sim::mj_runge_kutta4(m, d)?,
        Integrator::Implicit | Integrator::Implicitfast => sim::mj_implicit(m, d)?,
        other => return unsupported(&format!("steps of the integrator {other:?} that leave out stages")),
    }
    Ok(())
}

/// What depends on positions alone.
fn fwd_position(m: &Model, d: &mut Data) -> Served {
    sim::mj_fwd_position(m, d)?;
    show_islands(m, d)
}

/// An evaluation.
fn forward(m: &Model, d: &mut Data) -> Served {
    sim::mj_forward(m, d)?;
    show_islands(m, d)
}

/// A step, or a part of one.
fn step<E: Into<Fault>>(
    m: ModelPtr<'_>,
    d: DataPtr<'_>,
    part: impl FnOnce(&Model, &mut Data) -> Result<(), E>,
) -> Served {
    timed(m, d, Timer::Step, |m, d| {
        part(m, d).map_err(Into::into)?;
        show_islands_of_step(d);
        Served::Ok(())
    })
}

fn stage(number: i32) -> Served<Stage> {
    Ok(Stage::try_from(number)?)
}

export! {
    fn mj_step(m: ModelPtr<'_>, d: DataPtr<'_>) {
        d.forget_counts()?;
        step(m, d, sim::mj_step)
    }
    fn mj_stepSkip(m: ModelPtr<'_>, d: DataPtr<'_>, skipstage: i32, skipsensor: i32) {
        let (skip, skip_sensors) = (stage(skipstage)?, skipsensor != 0);
        if skip == Stage::None && !skip_sensors {
            return step(m, d, sim::mj_step);
        }
        step(m, d, |m, d| step_skip(m, d, skip, skip_sensors))
    }
    // what these two may leave out, the factorization, is made anew: its result is the same
    fn mj_EulerSkip(m: ModelPtr<'_>, d: DataPtr<'_>, _skipfactor: i32) { run(m, d, sim::mj_euler) }
    fn mj_implicitSkip(m: ModelPtr<'_>, d: DataPtr<'_>, _skipfactor: i32) { run(m, d, sim::mj_implicit) }
    fn mj_step1(m: ModelPtr<'_>, d: DataPtr<'_>) {
        d.forget_counts()?;
        step(m, d, sim::mj_step1)
    }
    fn mj_step2(m: ModelPtr<'_>, d: DataPtr<'_>) { step(m, d, sim::mj_step2) }
    fn mj_forward(m: ModelPtr<'_>, d: DataPtr<'_>) {
        d.forget_counts()?;
        timed(m, d, Timer::Forward, forward)
    }
    fn mj_inverse(m: ModelPtr<'_>, d: DataPtr<'_>) {
        d.forget_counts()?;
        timed(m, d, Timer::Inverse, sim::mj_inverse)
    }
    fn mj_forwardSkip(m: ModelPtr<'_>, d: DataPtr<'_>, skipstage: i32, skipsensor: i32) {
        let skip = stage(skipstage)?;
        timed(m, d, Timer::Forward, |m, d| {
            sim::mj_forward_skip(m, d, skip, skipsensor != 0)?;
            show_islands(m, d)
        })
    }
    fn mj_inverseSkip(m: ModelPtr<'_>, d: DataPtr<'_>, skipstage: i32, skipsensor: i32) {
        let skip = stage(skipstage)?;
        timed(m, d, Timer::Inverse, |m, d| sim::mj_inverse_skip(m, d, skip, skipsensor != 0))
    }
    fn mj_RungeKutta(m: ModelPtr<'_>, d: DataPtr<'_>, order: i32) {
        if order != 4 {
            return unsupported(&format!("Runge-Kutta integrator of order {order}, only 4 is available"));
        }
        run(m, d, sim::mj_runge_kutta4)
    }
}
