//! Stages of the method of Runge and Kutta of four worlds: [`crate::integrate`] with a world a lane, for
//! models without activations and histories.

use super::memory::{Lanes, gather, resize, scatter};
use super::world::LockstepWorld as World;
use crate::integrate::{STAGE_FRACTION, STAGE_WEIGHT};
use crate::support::integrate_joint;
use kinetree_model::Model;
use wide::f64x4;

/// The states at the start, and the weighted sums of velocities and accelerations of the stages.
#[derive(Default)]
pub(super) struct RungeKuttaLanes {
    time: [f64; 4],
    qpos: Vec<f64x4>,
    qvel: Vec<f64x4>,
    velocity_sum: Vec<f64x4>,
    acceleration_sum: Vec<f64x4>,
    /// Accelerations of the last stage.
    qacc: Vec<f64x4>,
}

impl RungeKuttaLanes {
    /// Begins steps at states whose forward dynamics were evaluated: keeps them, and starts the sums.
    pub(super) fn begin(&mut self, model: &Model, lanes: &Lanes, worlds: &[World<'_>]) {
        for (time, world) in self.time.iter_mut().zip(worlds) {
            *time = world.data.time;
        }
        self.qpos.clone_from(&lanes.qpos);
        self.qvel.clone_from(&lanes.qvel);
        resize(&mut self.qacc, model.nv);
        for sum in [&mut self.velocity_sum, &mut self.acceleration_sum] {
            resize(sum, model.nv);
            sum.fill(f64x4::ZERO);
        }
        self.take_rates(lanes, worlds, STAGE_WEIGHT[0]);
    }

    /// Takes velocities and accelerations of the stage that has just been evaluated.
    pub(super) fn take_rates(&mut self, lanes: &Lanes, worlds: &[World<'_>], weight: f64) {
        gather(&mut self.qacc, worlds, |data| &data.qacc);
        let weight = f64x4::splat(weight);
        for (sum, rate) in self.velocity_sum.iter_mut().zip(&lanes.qvel) {
            *sum += *rate * weight;
        }
        for (sum, rate) in self.acceleration_sum.iter_mut().zip(&self.qacc) {
            *sum += *rate * weight;
        }
    }

    /// Moves from the start along the last rates to one of the stages two to four, counted from zero.
    pub(super) fn approach(&self, model: &Model, lanes: &mut Lanes, worlds: &mut [World<'_>], stage: usize) {
        let (fraction, h) = (STAGE_FRACTION[stage], model.opt.timestep);
        let (fractions, steps) = (f64x4::splat(fraction), f64x4::splat(h));
        let Lanes { qpos, qvel, .. } = lanes;
        qpos.copy_from_slice(&self.qpos);
        integrate_positions(model, qpos, h, |dof| qvel[dof] * fractions);
        for ((v, start), rate) in qvel.iter_mut().zip(&self.qvel).zip(&self.qacc) {
            *v = *start + *rate * fractions * steps;
        }
        self.show_state(lanes, worlds, fraction * h);
    }

    /// Goes back to the start, and makes one step along the weighted rates.
    pub(super) fn finish(&self, model: &Model, lanes: &mut Lanes, worlds: &mut [World<'_>]) {
        let h = model.opt.timestep;
        let Lanes { qpos, qvel, .. } = lanes;
        qpos.copy_from_slice(&self.qpos);
        integrate_positions(model, qpos, h, |dof| self.velocity_sum[dof]);
        for ((v, start), rate) in qvel.iter_mut().zip(&self.qvel).zip(&self.acceleration_sum) {
            *v = *start + *rate * f64x4::splat(h);
        }
        self.show_state(lanes, worlds, h);
        for world in worlds.iter_mut().filter(|world| world.is_active()) {
            world.data.qacc_warmstart.copy_from_slice(&world.data.qacc);
        }
    }

    /// Writes positions and velocities to the data, and a time after the start.
    fn show_state(&self, lanes: &Lanes, worlds: &mut [World<'_>], later: f64) {
        scatter(&lanes.qpos, worlds, |data| &mut data.qpos);
        scatter(&lanes.qvel, worlds, |data| &mut data.qvel);
        for (world, time) in worlds.iter_mut().zip(self.time) {
            if world.is_active() {
                world.data.time = time + later;
            }
        }
    }
}

/// Moves all joints for time `dt` with the velocities of dofs.
fn integrate_positions(model: &Model, qpos: &mut [f64x4], dt: f64, velocity: impl Fn(usize) -> f64x4) {
    for joint in 0..model.njnt {
        integrate_joint(model, joint, qpos, &velocity, dt);
    }
}
