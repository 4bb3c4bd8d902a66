//! What a reset leaves to the pipeline: states of plugins, poses of bodies that never move, and trees that
//! start asleep.
//!
//! While trees sleep, stages visit only what is awake, so that fields of the rest must hold their values from
//! the start. The pipeline of a model names the function that ends its resets; with sleeping disabled it does
//! nothing.

use crate::flex::mj_flex;
use crate::forward::mj_forward;
use crate::kinematics::camlight::mj_camlight;
use crate::kinematics::centers::mj_com_pos;
use crate::kinematics::poses::mj_kinematics;
use crate::sleep::wake::{InitialSleepError, mj_sleep_init};
use crate::sleep::{FULLY_AWAKE, mj_update_sleep};
use crate::stage_memory::StageMemory;
use crate::tendon::lengths::mj_tendon;
use crate::workspace::with_workspace;
use kinetree_model::enums::{EnableBit, SleepPolicy};
use kinetree_model::{Data, Model};

/// Ends a reset. Trees that cannot sleep stay awake; [`initial_sleep_fault`] tells.
pub(crate) fn prepare(model: &Model, data: &mut Data) {
    if model.nplugin > 0 {
        with_workspace(data, |data, work| {
            // what went wrong before does not matter any more
            let _ = work.step.stages.report_failure();
            work.step.stages.nested.plugins.reset(model, data);
        });
    }
    if model.enabled(EnableBit::Sleep) {
        with_workspace(data, |data, work| {
            // what an evaluation would report is left for the caller, who asks after the reset
            let failure = work.step.stages.nested.plugins.take_failure();
            prepare_sleep(model, data, &mut work.step.stages);
            work.step.stages.nested.plugins.restore_failure(failure);
        });
    }
}

fn prepare_sleep(model: &Model, data: &mut Data, memory: &mut StageMemory) {
    if !wants_sleep(model) {
        mj_kinematics(model, data);
        mj_com_pos(model, data);
        mj_camlight(model, data);
        mj_flex(model, data, &mut memory.flex);
        mj_tendon(model, data, &mut memory.wrap_paths);
        mj_update_sleep(model, data);
    } else if mj_forward(model, data, memory).is_err() || mj_sleep_init(model, data).is_err() {
        data.tree_asleep.fill(FULLY_AWAKE);
        mj_update_sleep(model, data);
    }
}

fn wants_sleep(model: &Model) -> bool {
    model.tree_sleep_policy.contains(&(SleepPolicy::Init as i32))
}

/// Why a data that was just made or reset does not have all the trees asleep that the model wants asleep;
/// `None` when it has.
#[must_use]
pub(crate) fn initial_sleep_fault(model: &Model, data: &Data) -> Option<InitialSleepError> {
    if !model.enabled(EnableBit::Sleep) {
        return None;
    }
    let wanted = |tree: &usize| model.tree_sleep_policy[*tree] == SleepPolicy::Init;
    let awake = (0..model.ntree).filter(wanted).find(|&tree| data.tree_asleep[tree] < 0)?;
    Some(InitialSleepError {
        wanted: (0..model.ntree).filter(wanted).count(),
        slept: (0..model.ntree).filter(wanted).filter(|&tree| data.tree_asleep[tree] >= 0).count(),
        body: model.tree_bodyadr[awake] as usize,
    })
}
