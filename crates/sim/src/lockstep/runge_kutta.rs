//! Stages of the method of Runge and Kutta of four worlds: [`crate::integrate`] with a world a lane, for
//! models without activations and histories.

use super::World;
use super::memory::{Lanes, gather, resize, scatter};
use crate::integrate::{STAGE_FRACTION, STAGE_WEIGHT};
use kinetree_math::lockstep::quat_integrate;
use kinetree_model::Model;
use kinetree_model::enums::JointType;
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

impl Lanes {
    /// Begins steps at states whose forward dynamics were evaluated: keeps them, and starts the sums.
    pub(super) fn begin_runge_kutta(&mut self, model: &Model, worlds: &[World<'_>]) {
        let stages = &mut self.runge_kutta;
        for (time, world) in stages.time.iter_mut().zip(worlds) {
            *time = world.data.time;
        }
        stages.qpos.clone_from(&self.qpos);
        stages.qvel.clone_from(&self.qvel);
        resize(&mut stages.qacc, model.nv);
        for sum in [&mut stages.velocity_sum, &mut stages.acceleration_sum] {
            resize(sum, model.nv);
            sum.fill(f64x4::ZERO);
        }
        self.take_rates(worlds, STAGE_WEIGHT[0]);
    }

    /// Takes velocities and accelerations of the stage that has just been evaluated.
    pub(super) fn take_rates(&mut self, worlds: &[World<'_>], weight: f64) {
        let stages = &mut self.runge_kutta;
        gather(&mut stages.qacc, worlds, |data| &data.qacc);
        let weight = f64x4::splat(weight);
        for (sum, rate) in stages.velocity_sum.iter_mut().zip(&self.qvel) {
            *sum += *rate * weight;
        }
        for (sum, rate) in stages.acceleration_sum.iter_mut().zip(&stages.qacc) {
            *sum += *rate * weight;
        }
    }

    /// Moves from the start along the last rates to one of the stages two to four, counted from zero.
    pub(super) fn approach(&mut self, model: &Model, worlds: &mut [World<'_>], stage: usize) {
        let (fraction, h) = (STAGE_FRACTION[stage], model.opt.timestep);
        let (fractions, steps) = (f64x4::splat(fraction), f64x4::splat(h));
        let Self { qpos, qvel, runge_kutta: start, .. } = self;
        qpos.copy_from_slice(&start.qpos);
        integrate_positions(model, qpos, h, |dof| qvel[dof] * fractions);
        for ((v, start), rate) in qvel.iter_mut().zip(&start.qvel).zip(&start.qacc) {
            *v = *start + *rate * fractions * steps;
        }
        self.show_state(worlds, fraction * h);
    }

    /// Goes back to the start, and makes one step along the weighted rates.
    pub(super) fn finish_runge_kutta(&mut self, model: &Model, worlds: &mut [World<'_>]) {
        let h = model.opt.timestep;
        let Self { qpos, qvel, runge_kutta: start, .. } = self;
        qpos.copy_from_slice(&start.qpos);
        integrate_positions(model, qpos, h, |dof| start.velocity_sum[dof]);
        for ((v, start), rate) in qvel.iter_mut().zip(&start.qvel).zip(&start.acceleration_sum) {
            *v = *start + *rate * f64x4::splat(h);
        }
        self.show_state(worlds, h);
        for world in worlds.iter_mut().filter(|world| world.is_active()) {
            world.data.qacc_warmstart.copy_from_slice(&world.data.qacc);
        }
    }

    /// Writes positions and velocities to the data, and a time after the start.
    fn show_state(&self, worlds: &mut [World<'_>], later: f64) {
        scatter(&self.qpos, worlds, |data| &mut data.qpos);
        scatter(&self.qvel, worlds, |data| &mut data.qvel);
        for (world, time) in worlds.iter_mut().zip(self.runge_kutta.time) {
            if world.is_active() {
                world.data.time = time + later;
            }
        }
    }
}

/// Moves all joints for time `dt` with the velocities of dofs.
fn integrate_positions(model: &Model, qpos: &mut [f64x4], dt: f64, velocity: impl Fn(usize) -> f64x4) {
    let step = f64x4::splat(dt);
    let joints = model.jnt_type.iter().zip(&model.jnt_qposadr).zip(&model.jnt_dofadr);
    for ((&kind, &address), &dof) in joints {
        let (mut address, mut dof) = (address as usize, dof as usize);
        if kind == JointType::Hinge || kind == JointType::Slide {
            qpos[address] += step * velocity(dof);
            continue;
        }
        if kind == JointType::Free {
            for k in 0..3 {
                qpos[address + k] += step * velocity(dof + k);
            }
            address += 3;
            dof += 3;
        }
        if let Some(quat) = qpos[address..].first_chunk_mut::<4>() {
            quat_integrate(quat, &[velocity(dof), velocity(dof + 1), velocity(dof + 2)], dt);
        }
    }
}
