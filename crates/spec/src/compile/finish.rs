//! What needs the pipeline: constants in the reference pose, springs from time constants, actuator length
//! ranges.

use kinetree_math::MINVAL;
use kinetree_model::enums::{DisableBit, EnableBit, SleepPolicy};
use kinetree_model::{Data, Model, checkpoint};
use kinetree_sim::{
    find_length_range, initial_sleep_fault, install_pipeline, mj_forward, mj_set_const, needs_length_range,
    undisturb,
};

use super::draft::Draft;
use super::parallel::{parallel_map, thread_count};
use super::plugin;

/// Completes the model. Contacts and sleep are switched off meanwhile.
pub(crate) fn finish(draft: &mut Draft<'_>, model: &mut Model) {
    let (disable, enable) = (model.opt.disableflags, model.opt.enableflags);
    model.opt.disableflags |= DisableBit::Contact as i32;
    model.opt.enableflags &= !(EnableBit::Sleep as i32);
    checkpoint();
    let mut data = Data::new(model);
    checkpoint();
    if let Err(error) = mj_set_const(model, &mut data) {
        draft.report.error_global(error.to_string());
    }
    set_spring_dampers(draft, model);
    if !draft.report.has_errors() {
        set_length_ranges(draft, model);
    }
    override_statistics(draft, model);
    model.opt.disableflags = disable;
    model.opt.enableflags = enable;
    checkpoint();
    install_pipeline(model);
    if !draft.report.has_errors() {
        plugin::check(draft, model);
    }
    if !draft.report.has_errors() {
        check_initial_sleep(draft, model);
    }
}

/// Trees that are to start asleep must be able to.
fn check_initial_sleep(draft: &mut Draft<'_>, model: &Model) {
    let starts_asleep = |policy: &i32| *policy == SleepPolicy::Init;
    if !model.enabled(EnableBit::Sleep) || !model.tree_sleep_policy.iter().any(starts_asleep) {
        return;
    }
    let mut data = Data::new(model);
    let Ok(Some(fault)) = initial_sleep_fault(model, &data) else { return };
    match mj_forward(model, &mut data) {
        Err(error) => draft.report.error_global(error.to_string()),
        Ok(()) => draft.report.error(draft.bodies[fault.body].src, fault),
    }
}

/// Length ranges of actuators that need one, each found on its own.
fn set_length_ranges(draft: &mut Draft<'_>, model: &mut Model) {
    let compiler = draft.spec.compiler();
    let options = &compiler.lr_opt;
    let wanted: Vec<usize> = (0..model.nu).filter(|&i| needs_length_range(model, i, options)).collect();
    if wanted.is_empty() {
        return;
    }
    let saved = model.opt.clone();
    undisturb(model, options);
    let shared = &*model;
    let ranges = parallel_map(wanted.len(), thread_count(compiler), |i| {
        find_length_range(shared, &mut Data::new(shared), wanted[i], options)
    });
    for (&actuator, range) in wanted.iter().zip(ranges) {
        match range {
            Ok(Some(range)) => model.actuator_lengthrange[actuator] = range,
            Ok(None) => {}
            Err(error) => draft.report.error(draft.actuators[actuator].src, error),
        }
    }
    model.opt = saved;
}

/// Stiffness and damping of joints that give a time constant and a damping ratio, from the inertia in the
/// reference pose.
fn set_spring_dampers(draft: &Draft<'_>, model: &mut Model) {
    for (j, joint) in draft.joints.iter().enumerate() {
        let [timeconst, dampratio] = joint.src.springdamper;
        if timeconst <= 0.0 || dampratio <= 0.0 {
            continue;
        }
        let dofs = joint.dofadr..joint.dofadr + joint.widths().1;
        let weight: f64 = model.dof_invweight0[dofs.clone()].iter().sum();
        let inertia = dofs.len() as f64 / weight.max(MINVAL);
        model.jnt_stiffness[j] = inertia / (timeconst * timeconst * dampratio * dampratio).max(MINVAL);
        model.dof_damping[dofs].fill(2.0 * inertia / timeconst.max(MINVAL));
    }
}

/// Statistics that the user gave replace the computed ones.
fn override_statistics(draft: &Draft<'_>, model: &mut Model) {
    let given = &draft.spec.stat;
    let pairs = [
        (given.extent, &mut model.stat.extent),
        (given.meaninertia, &mut model.stat.meaninertia),
        (given.meanmass, &mut model.stat.meanmass),
        (given.meansize, &mut model.stat.meansize),
    ];
    for (value, slot) in pairs {
        if !value.is_nan() {
            *slot = value;
        }
    }
    if !given.center[0].is_nan() {
        model.stat.center = given.center;
    }
}
