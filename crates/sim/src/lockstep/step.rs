//! A step of several worlds: their stages alternate between lockstep and one world after the other.

use super::forces::{constrained_accelerations, read_inputs};
use super::plan::Plan;
use super::world::LockstepWorld;
use super::{LOCKSTEP_WORLDS, Lockstep};
use crate::evaluation::{Extent, SharedWork, SmoothStages};
use crate::forward::{Purpose, forward};
use crate::integrate::{RungeKuttaScratch, STAGE_WEIGHT};
use crate::step::{StepFactor, check_evaluation, check_state, integrate_step, mj_step, refuse_deformable};
use kinetree_model::enums::Stage;
use kinetree_model::{Model, StepError};

impl Lockstep {
    /// Makes a step of each world that takes part: the same as `mj_step`, bit for bit. Worlds of models
    /// that are not [supported](Self::supports) are stepped one after the other.
    pub fn step(&mut self, model: &Model, worlds: &mut [LockstepWorld<'_>]) {
        self.step_fours(model, worlds, false);
    }

    /// As [`step`](Self::step), for a step that another one follows before anybody looks at the worlds: the
    /// state is the same, but arrays of the data that follow from it may be those of an earlier step.
    pub fn step_unseen(&mut self, model: &Model, worlds: &mut [LockstepWorld<'_>]) {
        self.step_fours(model, worlds, true);
    }

    fn step_fours(&mut self, model: &Model, worlds: &mut [LockstepWorld<'_>], unseen: bool) {
        let supported = Self::supports(model);
        for four in worlds.chunks_mut(LOCKSTEP_WORLDS) {
            let fit = four.iter().all(|world| world.data.check(model).is_ok());
            let active = four.iter().filter(|world| world.is_active()).count();
            if supported && fit && active > 1 {
                self.step_four(model, four, unseen);
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
    fn step_four(&mut self, model: &Model, worlds: &mut [LockstepWorld<'_>], unseen: bool) {
        for world in &mut *worlds {
            world.run(|data, work| {
                work.stages.hold_model(true);
                refuse_deformable(model)?;
                Ok(check_state(model, data, &mut work.stages.nested)?)
            });
        }
        if let Some(plan) = self.all_or_none(worlds, |_, _| Plan::new(model, unseen)) {
            self.evaluations(model, worlds, plan);
        }
        for world in worlds {
            world.work.step.stages.hold_model(false);
        }
    }

    /// The evaluations of a step, and what the integrator makes of them.
    fn evaluations(&mut self, model: &Model, worlds: &mut [LockstepWorld<'_>], mut plan: Plan) -> Option<()> {
        let smooth = self.all_or_none(worlds, |lockstep, worlds| {
            lockstep.lanes.begin(model, worlds);
            plan.forces = plan.forces && read_inputs(model, &mut lockstep.lanes, worlds);
            lockstep.evaluate(model, worlds, Purpose::Step, &plan, true)
        })?;
        let mut made = [const { None }; LOCKSTEP_WORLDS];
        for (world, made) in worlds.iter_mut().zip(&mut made) {
            world.run(|data, work| {
                let inputs = (None, Some(smooth));
                *made = forward(model, data, &mut work.stages, Stage::None, false, Purpose::Step, inputs)?;
                Ok(())
            });
        }
        self.finish_accelerations(model, worlds, smooth)?;
        let mut any_reset = false;
        for (world, made) in worlds.iter_mut().zip(made) {
            world.run(|data, work| {
                let was_reset = check_evaluation(model, data, work)?;
                any_reset |= was_reset;
                if plan.runge_kutta {
                    if !plan.moves_together {
                        work.runge_kutta.begin(data);
                    }
                    return Ok(());
                }
                let factors = (made, StepFactor::default());
                integrate_step(model, data, work, (Stage::None, was_reset), factors).map(|_| ())
            });
        }
        if plan.runge_kutta {
            if any_reset {
                self.all_or_none(worlds, |lockstep, worlds| {
                    lockstep.lanes.read_state(worlds);
                    plan.forces = plan.forces && read_inputs(model, &mut lockstep.lanes, worlds);
                })?;
            }
            self.runge_kutta_stages(model, worlds, &plan)?;
        }
        Some(())
    }

    /// Stages two to four of the method of Runge and Kutta, all worlds at the same one.
    fn runge_kutta_stages(
        &mut self,
        model: &Model,
        worlds: &mut [LockstepWorld<'_>],
        plan: &Plan,
    ) -> Option<()> {
        for stage in 0..RungeKuttaScratch::STAGES {
            let smooth = self.all_or_none(worlds, |lockstep, worlds| {
                lockstep.approach_stage(model, worlds, plan, stage);
                let followed = plan.unseen || stage + 1 < RungeKuttaScratch::STAGES;
                lockstep.evaluate(model, worlds, Purpose::Evaluation, plan, followed)
            })?;
            for world in &mut *worlds {
                world.run(|data, work| {
                    let (inputs, purpose) = ((None, Some(smooth)), Purpose::Evaluation);
                    forward(model, data, &mut work.stages, Stage::None, true, purpose, inputs)?;
                    if !plan.moves_together {
                        work.runge_kutta.take(data, stage);
                    }
                    Ok(())
                });
            }
            self.finish_accelerations(model, worlds, smooth)?;
        }
        if plan.moves_together {
            return self.all_or_none(worlds, |lockstep, worlds| {
                let Lockstep { lanes, runge_kutta } = lockstep;
                runge_kutta.take_rates(lanes, worlds, STAGE_WEIGHT[RungeKuttaScratch::STAGES]);
                runge_kutta.finish(model, lanes, worlds);
            });
        }
        for world in worlds {
            world.run(|data, work| work.runge_kutta.finish(model, data, &mut work.stages));
        }
        Some(())
    }

    /// Makes the accelerations that solvers have left to be made together.
    fn finish_accelerations(
        &mut self,
        model: &Model,
        worlds: &mut [LockstepWorld<'_>],
        smooth: SmoothStages,
    ) -> Option<()> {
        if !matches!(smooth.extent, Extent::Forces(SharedWork { accelerations: true, .. })) {
            return Some(());
        }
        self.all_or_none(worlds, |lockstep, worlds| {
            constrained_accelerations(model, &mut lockstep.lanes, worlds);
        })
    }

    /// Moves the worlds that take part, and the lanes, to a stage of the method of Runge and Kutta.
    fn approach_stage(&mut self, model: &Model, worlds: &mut [LockstepWorld<'_>], plan: &Plan, stage: usize) {
        if plan.moves_together {
            let Self { lanes, runge_kutta } = self;
            if stage == 0 {
                runge_kutta.begin(model, lanes, worlds);
            } else {
                runge_kutta.take_rates(lanes, worlds, STAGE_WEIGHT[stage]);
            }
            return runge_kutta.approach(model, lanes, worlds, stage);
        }
        for world in &mut *worlds {
            world.run(|data, work| {
                work.runge_kutta.approach(model, data, stage);
                Ok(())
            });
        }
        self.lanes.read_state(worlds);
    }

    /// A part of a step that all worlds make together; a panic in it is one of all.
    fn all_or_none<T>(
        &mut self,
        worlds: &mut [LockstepWorld<'_>],
        part: impl FnOnce(&mut Self, &mut [LockstepWorld<'_>]) -> T,
    ) -> Option<T> {
        let result = StepError::catch(|| Ok(part(self, worlds)));
        if let Err(error) = &result {
            worlds.iter_mut().for_each(|world| world.run(|_, _| Err(error.clone())));
        }
        result.ok()
    }
}
