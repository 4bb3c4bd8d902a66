//! Time by stage. The stages are timed from outside: this is [`mj_step`](kinetree::sim::mj_step) written out
//! with a clock between its public stages, so that the engine itself carries no timers. A test holds that
//! both give the same bits.

use kinetree::model::enums::{EnableBit, Integrator};
use kinetree::sim::{
    StepError, implicit_spring_damper, mj_check_acc, mj_check_pos, mj_check_vel, mj_collision,
    mj_compare_fwd_inv, mj_energy_pos, mj_energy_vel, mj_euler, mj_factor_m, mj_fwd_acceleration,
    mj_fwd_actuation, mj_fwd_constraint, mj_fwd_kinematics, mj_fwd_velocity_smooth, mj_implicit, mj_island,
    mj_make_constraint, mj_make_m, mj_project_constraint, mj_reference_constraint, mj_runge_kutta4,
    mj_sensor_acc, mj_sensor_pos, mj_sensor_vel, mj_transmission, mj_update_sleep, mj_wake_collision,
    mj_wake_equality,
};
use kinetree::{Data, Model};
use std::time::{Duration, Instant};

/// The stages, in order.
pub(crate) const STAGES: [&str; 9] = [
    "kinematics",
    "inertia",
    "collision",
    "constraint rows",
    "velocity and passive",
    "actuation and acceleration",
    "constraint solve",
    "sensors and energy",
    "integration",
];

const KINEMATICS: usize = 0;
const INERTIA: usize = 1;
const COLLISION: usize = 2;
const ROWS: usize = 3;
const VELOCITY: usize = 4;
const ACTUATION: usize = 5;
const SOLVE: usize = 6;
const SENSORS: usize = 7;
const INTEGRATION: usize = 8;

/// A clock that gives the time since it was last read to a stage.
pub(crate) struct Clock {
    last: Instant,
    /// Total time of each stage.
    pub(crate) spent: [Duration; STAGES.len()],
}

impl Clock {
    pub(crate) fn new() -> Self {
        Clock { last: Instant::now(), spent: [Duration::ZERO; STAGES.len()] }
    }

    /// Forgets the time since the last reading.
    fn start(&mut self) {
        self.last = Instant::now();
    }

    fn charge(&mut self, stage: usize) {
        let now = Instant::now();
        self.spent[stage] += now - self.last;
        self.last = now;
    }
}

/// One step, timed.
pub(crate) fn timed_step(model: &Model, data: &mut Data, clock: &mut Clock) -> Result<(), StepError> {
    clock.start();
    mj_check_pos(model, data)?;
    mj_check_vel(model, data)?;
    position(model, data, clock)?;
    velocity(model, data, clock)?;
    mj_fwd_actuation(model, data)?;
    mj_fwd_acceleration(model, data)?;
    clock.charge(ACTUATION);
    mj_fwd_constraint(model, data)?;
    clock.charge(SOLVE);
    data.flg_rnepost = false;
    mj_sensor_acc(model, data)?;
    clock.charge(SENSORS);
    mj_check_acc(model, data)?;
    if model.enabled(EnableBit::Fwdinv) {
        mj_compare_fwd_inv(model, data)?;
    }
    integrate(model, data)?;
    clock.charge(INTEGRATION);
    Ok(())
}

fn position(model: &Model, data: &mut Data, clock: &mut Clock) -> Result<(), StepError> {
    mj_fwd_kinematics(model, data)?;
    clock.charge(KINEMATICS);
    mj_make_m(model, data)?;
    mj_factor_m(model, data)?;
    clock.charge(INERTIA);
    mj_collision(model, data)?;
    if mj_wake_collision(model, data)? > 0 {
        mj_update_sleep(model, data)?;
        mj_collision(model, data)?;
    }
    clock.charge(COLLISION);
    if mj_wake_equality(model, data)? > 0 {
        mj_update_sleep(model, data)?;
    }
    mj_make_constraint(model, data)?;
    mj_island(model, data)?;
    mj_transmission(model, data)?;
    mj_project_constraint(model, data)?;
    clock.charge(ROWS);
    mj_sensor_pos(model, data)?;
    if !data.flg_energypos {
        if model.enabled(EnableBit::Energy) {
            mj_energy_pos(model, data)?;
        } else {
            data.energy = [0.0; 2];
        }
    }
    clock.charge(SENSORS);
    Ok(())
}

fn velocity(model: &Model, data: &mut Data, clock: &mut Clock) -> Result<(), StepError> {
    mj_fwd_velocity_smooth(model, data)?;
    mj_reference_constraint(model, data)?;
    clock.charge(VELOCITY);
    mj_sensor_vel(model, data)?;
    if model.enabled(EnableBit::Energy) && !data.flg_energyvel {
        mj_energy_vel(model, data)?;
    }
    clock.charge(SENSORS);
    Ok(())
}

/// Models on the command line have no callbacks; otherwise the control callback would come before this.
fn integrate(model: &Model, data: &mut Data) -> Result<(), StepError> {
    match Integrator::try_from(model.opt.integrator) {
        Ok(Integrator::Rk4) => mj_runge_kutta4(model, data),
        Ok(Integrator::Euler) => mj_euler(model, data),
        Ok(Integrator::Implicit | Integrator::Implicitfast) => mj_implicit(model, data),
        Ok(Integrator::ImplicitSpringDamper | Integrator::ImplicitEuler) => {
            implicit_spring_damper(model, data)
        }
        Err(error) => Err(StepError::Integrator(error.value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinetree::sim::mj_step;

    #[test]
    fn a_timed_step_is_a_step() {
        for embedded in crate::embedded::MODELS {
            let model = kinetree::load_model_str(embedded.xml).unwrap();
            let (mut plain, mut timed) = (Data::new(&model), Data::new(&model));
            let mut clock = Clock::new();
            for _ in 0..200 {
                mj_step(&model, &mut plain).unwrap();
                timed_step(&model, &mut timed, &mut clock).unwrap();
            }
            assert_eq!(plain.qpos, timed.qpos, "{}", embedded.name);
            assert_eq!(plain.sensordata, timed.sensordata, "{}", embedded.name);
        }
    }
}
