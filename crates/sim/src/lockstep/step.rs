//! A step of several worlds: their stages alternate between lockstep and one world after the other.

use super::{LOCKSTEP_WORLDS, Lockstep, LockstepWorld};
use crate::evaluation::SmoothStages;
use crate::forward::{Purpose, forward};
use crate::integrate::RungeKuttaScratch;
use crate::step::{StepFactor, check_evaluation, check_state, integrate_step, mj_step, refuse_deformable};
use crate::workspace::Workspace;
use kinetree_model::enums::{EnableBit, Integrator, Stage};
use kinetree_model::{Data, Model, StepError};

impl<'a> LockstepWorld<'a> {
    /// A world that takes part in steps until [`finish`](Self::finish).
    #[must_use]
    pub fn new(data: &'a mut Data) -> Self {
        let mut carried = kinetree_model::Workspace::default();
        data.swap_workspace(&mut carried);
        Self { data, work: carried.take(), outcome: Ok(()), resting: false }
    }

    /// What came of the steps.
    ///
    /// # Errors
    /// Why the world has failed; after that it took no part in any steps.
    pub fn finish(self) -> Result<(), StepError> {
        let mut carried = kinetree_model::Workspace::default();
        carried.put(self.work);
        self.data.swap_workspace(&mut carried);
        self.outcome
    }

    /// Lets the world rest while others make steps, or take part again.
    pub fn set_resting(&mut self, resting: bool) {
        self.resting = resting;
    }

    /// Whether the world takes part in steps: it neither rests nor has failed.
    #[must_use]
    pub fn is_active(&self) -> bool {
        !self.resting && self.outcome.is_ok()
    }

    /// Runs a part of a step, if the world takes part.
    #[inline(always)]
    fn run(&mut self, part: impl FnOnce(&mut Data, &mut Workspace) -> Result<(), StepError>) {
        if !self.is_active() {
            return;
        }
        let Self { data, work, outcome, .. } = self;
        *outcome = StepError::catch(|| part(data, work));
        if outcome.is_err() {
            // nobody knows what a panic has left there
            **work = Workspace::default();
        }
    }
}

impl Lockstep {
    /// Makes a step of each world that takes part: the same as `mj_step`, bit for bit. Worlds of models
    /// that are not [supported](Self::supports) are stepped one after the other.
    pub fn step(&mut self, model: &Model, worlds: &mut [LockstepWorld<'_>]) {
        let supported = Self::supports(model);
        for four in worlds.chunks_mut(LOCKSTEP_WORLDS) {
            let fit = four.iter().all(|world| world.data.check(model).is_ok());
            let active = four.iter().filter(|world| world.is_active()).count();
            if supported && fit && active > 1 {
                self.step_four(model, four);
            } else {
                for world in four {
                    world.run(|data, work| {
                        data.check(model)?;
                        mj_step(model, data, work)
                    });
                }
            }
        }
    }

    /// A step of up to four worlds.
    fn step_four(&mut self, model: &Model, worlds: &mut [LockstepWorld<'_>]) {
        let rk4 = model.opt.integrator == Integrator::Rk4 as i32;
        for world in &mut *worlds {
            world.run(|data, work| {
                work.stages.hold_model(true);
                refuse_deformable(model)?;
                Ok(check_state(model, data, &mut work.stages.nested)?)
            });
        }
        // sensors and the comparison with inverse dynamics may look at anything
        let followed = rk4 && model.nsensor == 0 && !model.enabled(EnableBit::Fwdinv);
        let Some(smooth) = self.evaluate_or_fail(model, worlds, Purpose::Step, followed) else { return };
        for world in &mut *worlds {
            world.run(|data, work| {
                let inputs = (None, Some(smooth));
                let made = forward(model, data, &mut work.stages, Stage::None, false, Purpose::Step, inputs)?;
                let was_reset = check_evaluation(model, data, work)?;
                if rk4 {
                    work.runge_kutta.begin(data);
                    work.runge_kutta.approach(model, data, 0);
                    return Ok(());
                }
                let factors = (made, StepFactor::default());
                integrate_step(model, data, work, (Stage::None, was_reset), factors).map(|_| ())
            });
        }
        if rk4 {
            self.runge_kutta_stages(model, worlds);
        }
        for world in worlds {
            world.work.stages.hold_model(false);
        }
    }

    /// Stages two to four of the method of Runge and Kutta, all worlds at the same one.
    fn runge_kutta_stages(&mut self, model: &Model, worlds: &mut [LockstepWorld<'_>]) {
        for stage in 0..RungeKuttaScratch::STAGES {
            let followed = stage + 1 < RungeKuttaScratch::STAGES;
            let smooth = self.evaluate_or_fail(model, worlds, Purpose::Evaluation, followed);
            let Some(smooth) = smooth else { return };
            for world in &mut *worlds {
                world.run(|data, work| {
                    let (inputs, purpose) = ((None, Some(smooth)), Purpose::Evaluation);
                    forward(model, data, &mut work.stages, Stage::None, true, purpose, inputs)?;
                    work.runge_kutta.take(data, stage);
                    if followed {
                        work.runge_kutta.approach(model, data, stage + 1);
                        return Ok(());
                    }
                    work.runge_kutta.finish(model, data, &mut work.stages)
                });
            }
        }
    }

    /// The smooth stages of the worlds that take part; a panic in them is one of all.
    fn evaluate_or_fail(
        &mut self,
        model: &Model,
        worlds: &mut [LockstepWorld<'_>],
        purpose: Purpose,
        followed: bool,
    ) -> Option<SmoothStages> {
        let result = StepError::catch(|| Ok(self.evaluate(model, worlds, purpose, followed)));
        if let Err(error) = &result {
            worlds.iter_mut().for_each(|world| world.run(|_, _| Err(error.clone())));
        }
        result.ok()
    }
}
