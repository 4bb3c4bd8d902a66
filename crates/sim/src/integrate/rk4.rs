//! Classical fourth-order Runge–Kutta.
//!
//! The forward dynamics are evaluated at four states, the first of which the caller has evaluated already:
//! `x₁ = x`, `x₂ = x ⊕ h/2 k₁`, `x₃ = x ⊕ h/2 k₂`, `x₄ = x ⊕ h k₃`, and the step follows
//! `(k₁ + 2 k₂ + 2 k₃ + k₄)/6`. Positions are moved on their manifold.
//!
//! Hinges and slides converge with the fourth order. Rotations of ball and free joints converge with the
//! second, as in the reference: the mean of four angular velocities is taken as if rotations commuted.

use super::{Rates, advance};
use crate::forward::mj_forward_skip;
use crate::stage_memory::StageMemory;
use crate::support::mj_integrate_pos;
use kinetree_model::StepError;
use kinetree_model::enums::Stage;
use kinetree_model::{Data, Model};

/// Fraction of the step at which stages two to four are evaluated.
pub(crate) const STAGE_FRACTION: [f64; 3] = [0.5, 0.5, 1.0];
/// Weight of each stage in the final step.
pub(crate) const STAGE_WEIGHT: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// Working memory: the state at the start, the rates of the last stage, and their weighted sum.
#[derive(Default)]
pub(crate) struct RungeKuttaScratch {
    time: f64,
    qpos: Vec<f64>,
    qvel: Vec<f64>,
    act: Vec<f64>,
    /// Velocity, acceleration and activation rate at the last stage.
    rate: [Vec<f64>; 3],
    /// The same, summed with the weights of the step.
    sum: [Vec<f64>; 3],
    /// Velocity that moves positions to the next stage.
    velocity: Vec<f64>,
}

impl RungeKuttaScratch {
    /// Stages after the first one.
    pub(crate) const STAGES: usize = STAGE_FRACTION.len();

    /// Begins a step at a state whose forward dynamics were evaluated: keeps it, and starts the sums.
    pub(crate) fn begin(&mut self, data: &Data) {
        self.time = data.time;
        copy(&mut self.qpos, &data.qpos);
        copy(&mut self.qvel, &data.qvel);
        copy(&mut self.act, &data.act);
        for (sum, n) in self.sum.iter_mut().zip([data.qvel.len(), data.qacc.len(), data.act_dot.len()]) {
            sum.clear();
            sum.resize(n, 0.0);
        }
        self.take_rates(data, STAGE_WEIGHT[0]);
    }

    /// Moves to one of the stages two to four, counted from zero.
    pub(crate) fn approach(&mut self, model: &Model, data: &mut Data, stage: usize) {
        self.move_to(model, data, STAGE_FRACTION[stage]);
        data.time = self.time + STAGE_FRACTION[stage] * model.opt.timestep;
    }

    /// Takes the rates of the stage that has just been evaluated.
    pub(crate) fn take(&mut self, data: &Data, stage: usize) {
        self.take_rates(data, STAGE_WEIGHT[stage + 1]);
    }

    /// Goes back to the start, and makes one step along the weighted rates.
    ///
    /// # Errors
    /// When a sensor that must be computed for its history cannot be.
    pub(crate) fn finish(
        &self,
        model: &Model,
        data: &mut Data,
        memory: &mut StageMemory,
    ) -> Result<(), StepError> {
        data.time = self.time;
        data.qpos.copy_from_slice(&self.qpos);
        data.qvel.copy_from_slice(&self.qvel);
        data.act.copy_from_slice(&self.act);
        let [qvel, qacc, act_dot] = &self.sum;
        advance(model, data, memory, Rates { act_dot: Some(act_dot), qacc, qvel: Some(qvel) })
    }

    /// Takes the rates that have just been evaluated.
    fn take_rates(&mut self, data: &Data, weight: f64) {
        for (i, source) in [&data.qvel[..], &data.qacc[..], &data.act_dot[..]].into_iter().enumerate() {
            self.rate[i].resize(source.len(), 0.0);
            for ((rate, sum), x) in self.rate[i].iter_mut().zip(&mut self.sum[i]).zip(source) {
                *rate = *x;
                *sum += x * weight;
            }
        }
    }

    /// Moves from the start along the last rates by a fraction of the step.
    fn move_to(&mut self, model: &Model, data: &mut Data, fraction: f64) {
        let h = model.opt.timestep;
        self.velocity.clear();
        self.velocity.extend(self.rate[0].iter().map(|rate| rate * fraction));
        data.qpos.copy_from_slice(&self.qpos);
        mj_integrate_pos(model, &mut data.qpos, &self.velocity, h);
        for ((v, start), rate) in data.qvel.iter_mut().zip(&self.qvel).zip(&self.rate[1]) {
            *v = start + rate * fraction * h;
        }
        for ((a, start), rate) in data.act.iter_mut().zip(&self.act).zip(&self.rate[2]) {
            *a = start + rate * fraction * h;
        }
    }
}

/// Copies values into a vector that keeps its memory.
fn copy(to: &mut Vec<f64>, from: &[f64]) {
    to.clear();
    to.extend_from_slice(from);
}

/// Advances by one step of the fourth-order Runge–Kutta method. The forward dynamics must have been
/// evaluated.
///
/// # Errors
/// When the forward dynamics cannot be evaluated.
pub(crate) fn mj_runge_kutta4(
    model: &Model,
    data: &mut Data,
    stages: &mut RungeKuttaScratch,
    memory: &mut StageMemory,
) -> Result<(), StepError> {
    stages.begin(data);
    for stage in 0..RungeKuttaScratch::STAGES {
        stages.approach(model, data, stage);
        mj_forward_skip(model, data, memory, Stage::None, true)?;
        stages.take(data, stage);
    }
    stages.finish(model, data, memory)
}
