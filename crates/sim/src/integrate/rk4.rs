//! Classical fourth-order Runge–Kutta.
//!
//! The forward dynamics are evaluated at four states, the first of which the caller has evaluated already:
//! `x₁ = x`, `x₂ = x ⊕ h/2 k₁`, `x₃ = x ⊕ h/2 k₂`, `x₄ = x ⊕ h k₃`, and the step follows
//! `(k₁ + 2 k₂ + 2 k₃ + k₄)/6`. Positions are moved on their manifold.
//!
//! Hinges and slides converge with the fourth order. Rotations of ball and free joints converge with the
//! second at level 3.8, as in the reference: the mean of four angular velocities is taken as if rotations
//! commuted. At level 4.0 angular velocities of later stages are first brought into the frame at the start of
//! the step by the inverse of the derivative of the exponential map (Munthe-Kaas 1999).

use super::{Rates, advance};
use crate::forward::mj_forward_skip;
use crate::kinematics::poses::vec3_at;
use crate::stage_memory::StageMemory;
use crate::support::mj_integrate_pos;
use kinetree_math::Vec3;
use kinetree_model::StepError;
use kinetree_model::enums::{JointType, Stage};
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

    /// As [`take`](Self::take), with angular velocities brought into the frame at the start of the step.
    fn take_in_first_frame(&mut self, model: &Model, data: &Data, stage: usize) {
        let mut velocity = std::mem::take(&mut self.velocity);
        copy(&mut velocity, &data.qvel);
        let h = STAGE_FRACTION[stage] * model.opt.timestep;
        for joint in 0..model.njnt {
            let dof = model.jnt_dofadr[joint] as usize;
            let first = match JointType::try_from(model.jnt_type[joint]) {
                Ok(JointType::Free) => dof + 3,
                Ok(JointType::Ball) => dof,
                _ => continue,
            };
            // the rotation from the start of the step to this stage
            let rotation = vec3_at(&self.rate[0], first) * h;
            let rate = first_frame_rate(&rotation, &vec3_at(&velocity, first));
            velocity[first..first + 3].copy_from_slice(rate.as_slice());
        }
        self.take_rates_of([&velocity, &data.qacc, &data.act_dot], STAGE_WEIGHT[stage + 1]);
        self.velocity = velocity;
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
        self.take_rates_of([&data.qvel, &data.qacc, &data.act_dot], weight);
    }

    fn take_rates_of(&mut self, sources: [&[f64]; 3], weight: f64) {
        for (i, source) in sources.into_iter().enumerate() {
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

/// The rate of a rotation vector `u` at which the rotation `exp(u)` has the angular velocity `w` in its own
/// frame: `w + u × w / 2 + (1/a² − cot(a/2)/(2a)) u × (u × w)` with `a = |u|`.
fn first_frame_rate(u: &Vec3, w: &Vec3) -> Vec3 {
    let angle = u.norm();
    let factor = if angle < SMALL_ANGLE {
        1.0 / 12.0
    } else {
        let half = 0.5 * angle;
        1.0 / (angle * angle) - libm::cos(half) / (libm::sin(half) * 2.0 * angle)
    };
    let once = u.cross(w);
    w + once * 0.5 + u.cross(&once) * factor
}

/// Angle (rad) below which the series of the factor is its first term, to the last digit of the rate.
const SMALL_ANGLE: f64 = 1e-4;

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
    let rotates = model.reference().rk4_rotations();
    stages.begin(data);
    for stage in 0..RungeKuttaScratch::STAGES {
        stages.approach(model, data, stage);
        mj_forward_skip(model, data, memory, Stage::None, true)?;
        if rotates {
            stages.take_in_first_frame(model, data, stage);
        } else {
            stages.take(data, stage);
        }
    }
    stages.finish(model, data, memory)
}
