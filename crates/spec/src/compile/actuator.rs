//! Actuators: transmission targets, ranges, activation dimensions, and their model arrays.

use kinetree_model::Model;
use kinetree_model::enums::{BiasType, DynType, GainType, JointType, ObjType, TrnType, WrapType};

use super::draft::Draft;
use super::elements::ActuatorDraft;
use super::limits::resolve_limit;
use super::userdata;
use crate::spec::Actuator;

/// Longest history: the cursor must stay exact in single precision.
pub(crate) const MAX_SAMPLES: i32 = 1 << 24;

/// Resolves all actuators.
pub(crate) fn compile<'s>(draft: &mut Draft<'s>) {
    let spec = draft.spec;
    for (i, src) in spec.actuators.values().enumerate() {
        let plugin = draft.plugins.actuators.get(i).copied().flatten();
        match compile_actuator(draft, src, plugin) {
            Ok(Some(actuator)) => draft.actuators.push(actuator),
            Ok(None) => {}
            Err(message) => draft.report.error(src, message),
        }
    }
}

/// `None` when the target is missing, which has been reported.
fn compile_actuator<'s>(
    draft: &mut Draft<'s>,
    src: &'s Actuator,
    plugin: Option<usize>,
) -> Result<Option<ActuatorDraft<'s>>, String> {
    userdata::check(src.userdata.len(), draft.nuser.actuator, "nuser_actuator")?;
    if src.target.is_empty() {
        return Err("the transmission has no target".into());
    }
    let Some(trnid) = resolve_transmission(draft, src)? else { return Ok(None) };
    let on_joint_or_tendon = matches!(src.trntype, TrnType::Joint | TrnType::Jointinparent | TrnType::Tendon);
    if !on_joint_or_tendon && src.damping.iter().any(|d| *d != 0.0) {
        return Err("damping requires joint or tendon transmission".into());
    }
    if !on_joint_or_tendon && src.armature != 0.0 {
        return Err("armature requires joint or tendon transmission".into());
    }
    if src.trntype == TrnType::Tendon && src.armature != 0.0 {
        let path = draft.tendons.get(trnid[0] as usize).map_or(&[][..], |tendon| &tendon.path);
        if path.iter().any(|wrap| matches!(wrap.kind, WrapType::Sphere | WrapType::Cylinder)) {
            return Err("geom wrapping not supported in a tendon with armature".into());
        }
    }

    let (mut ctrlrange, mut actrange) = (src.ctrlrange, src.actrange);
    inherit_range(draft, src, trnid[0], &mut ctrlrange, &mut actrange)?;
    let auto = draft.spec.compiler_of(&src.origin).autolimits;
    let forcelimited = resolve_limit(src.forcelimited, &src.forcerange, auto, "force")?;
    let ctrllimited = resolve_limit(src.ctrllimited, &ctrlrange, auto, "ctrl")?;
    let actlimited = resolve_limit(src.actlimited, &actrange, auto, "act")?;
    for (limited, range, name) in [
        (forcelimited, &src.forcerange, "force range"),
        (ctrllimited, &ctrlrange, "control range"),
        (actlimited, &actrange, "actrange"),
    ] {
        if limited && range[0] >= range[1] {
            return Err(format!(
                "invalid {name} for actuator: it must increase, not {} {}",
                range[0], range[1]
            ));
        }
    }
    if actlimited && src.dyntype == DynType::None {
        return Err("actrange specified but dyntype is 'none'".into());
    }
    let actdim = activation_dimension(src)?;
    check_muscle(src)?;
    check_history(src.delay, src.nsample)?;
    Ok(Some(ActuatorDraft {
        src,
        trnid,
        actdim,
        ctrlrange,
        actrange,
        ctrllimited,
        forcelimited,
        actlimited,
        plugin,
    }))
}

/// Numbers of the target and of the second object of a transmission.
fn resolve_transmission(draft: &mut Draft<'_>, src: &Actuator) -> Result<Option<[i32; 2]>, String> {
    let mut second = -1;
    let kind = match src.trntype {
        TrnType::Joint | TrnType::Jointinparent => ObjType::Joint,
        TrnType::Tendon => ObjType::Tendon,
        TrnType::Body => ObjType::Body,
        TrnType::Slidercrank => {
            if src.slidersite.is_empty() {
                return Err("a slider-crank needs a 'slidersite'".into());
            }
            let Some(site) = draft.find_required(src, ObjType::Site, &src.slidersite) else {
                return Ok(None);
            };
            second = site as i32;
            if src.cranklength <= 0.0 {
                return Err("'cranklength' must be positive".into());
            }
            ObjType::Site
        }
        TrnType::Site => {
            if !src.refsite.is_empty() {
                let Some(site) = draft.find_required(src, ObjType::Site, &src.refsite) else {
                    return Ok(None);
                };
                second = site as i32;
            }
            ObjType::Site
        }
        TrnType::Undefined => return Err("the transmission is not defined".into()),
    };
    Ok(draft.find_required(src, kind, &src.target).map(|id| [id as i32, second]))
}

/// Position-like actuators can take their range from the joint or tendon they drive.
fn inherit_range(
    draft: &Draft<'_>,
    src: &Actuator,
    target: i32,
    ctrlrange: &mut [f64; 2],
    actrange: &mut [f64; 2],
) -> Result<(), String> {
    let position_like = src.gaintype == GainType::Fixed
        && src.biastype == BiasType::Affine
        && src.gainprm[0] == -src.biasprm[1];
    if !position_like || src.inheritrange <= 0.0 {
        return Ok(());
    }
    let range = match src.dyntype {
        DynType::None | DynType::Filterexact => ctrlrange,
        DynType::Integrator => actrange,
        _ => return Err("'inheritrange' is only for position and intvelocity actuators".into()),
    };
    let target = target as usize;
    let [low, high] = match src.trntype {
        TrnType::Joint => {
            let joint = &draft.joints[target];
            if !matches!(joint.kind(), JointType::Hinge | JointType::Slide) {
                return Err("'inheritrange' is only for hinge and slide joints".into());
            }
            joint.range
        }
        TrnType::Tendon => draft.spec.tendons.values().nth(target).map_or([0.0; 2], |tendon| tendon.range),
        _ => return Err("'inheritrange' is only for joint and tendon transmissions".into()),
    };
    if low == high {
        return Err(format!("'inheritrange' is given but target '{}' has no range defined", src.target));
    }
    let mean = 0.5 * (high + low);
    let radius = 0.5 * (high - low) * src.inheritrange;
    *range = [mean - radius, mean + radius];
    Ok(())
}

fn activation_dimension(src: &Actuator) -> Result<usize, String> {
    let (stateless, dcmotor) = (src.dyntype == DynType::None, src.dyntype == DynType::Dcmotor);
    if src.plugin.active {
        // a plugin may have activations of its own
        return Ok(usize::try_from(src.actdim).unwrap_or(usize::from(!stateless && !dcmotor)));
    }
    if src.actdim > 1 && src.dyntype != DynType::User && !dcmotor {
        return Err("actdim > 1 is only allowed for dyntype 'user' and 'dcmotor'".into());
    }
    if src.actdim == 1 && stateless {
        return Err("invalid actdim 1 in stateless actuator".into());
    }
    if src.actdim == 0 && !stateless && !dcmotor {
        return Err("invalid actdim 0 in stateful actuator".into());
    }
    if dcmotor && !src.actearly {
        return Err("'actearly' cannot be false in a dcmotor".into());
    }
    let dimension = usize::try_from(src.actdim).unwrap_or(usize::from(!stateless && !dcmotor));
    if (dcmotor || src.gaintype == GainType::Dcmotor) && dimension != motor_states(src) {
        let needed = motor_states(src);
        return Err(format!(
            "the parameters of the DC motor need {needed} activations, 'actdim' gives {dimension}"
        ));
    }
    Ok(dimension)
}

/// States of a DC motor: slew limit, controller integral, temperature, friction bristle and current, where
/// present.
fn motor_states(src: &Actuator) -> usize {
    let present = [src.dynprm[7], src.gainprm[5], src.dynprm[2], src.dynprm[5], src.dynprm[0]];
    present.iter().filter(|parameter| **parameter > 0.0).count()
}

fn check_muscle(src: &Actuator) -> Result<(), String> {
    let gain = (src.gaintype == GainType::Muscle).then_some(&src.gainprm);
    let bias = (src.biastype == BiasType::Muscle).then_some(&src.biasprm);
    for prm in [gain, bias].into_iter().flatten() {
        if prm[0] >= prm[1] {
            return Err("the range of a muscle must increase".into());
        }
        if prm[4] >= 1.0 || prm[5] <= 1.0 {
            return Err("a muscle needs lmin < 1 < lmax".into());
        }
        if [3, 6, 7, 8].iter().any(|&i| prm[i] <= 0.0) {
            return Err("scale, vmax, fpmax and fvmax of a muscle must be positive".into());
        }
    }
    Ok(())
}

/// Rules about delays, shared with sensors.
pub(crate) fn check_history(delay: f64, nsample: i32) -> Result<(), String> {
    if delay > 0.0 && nsample <= 0 {
        return Err("setting delay > 0 without a history buffer: set 'nsample'".into());
    }
    if nsample > MAX_SAMPLES {
        return Err(format!("a history has at most {MAX_SAMPLES} samples, not {nsample}"));
    }
    Ok(())
}

/// Numbers that a history of `nsample` values of the given dimension takes: user slot, cursor, times, values.
pub(crate) fn history_size(nsample: i32, dim: usize) -> usize {
    usize::try_from(nsample).ok().filter(|n| *n > 0).map_or(0, |n| 2 + n + n * dim)
}

/// Fills the arrays of actuators; returns the numbers used in the history.
pub(crate) fn write(draft: &Draft<'_>, model: &mut Model) -> usize {
    let (mut actadr, mut historyadr) = (0, 0);
    for (i, actuator) in draft.actuators.iter().enumerate() {
        let src = actuator.src;
        model.actuator_trntype[i] = src.trntype as i32;
        model.actuator_dyntype[i] = src.dyntype as i32;
        model.actuator_gaintype[i] = src.gaintype as i32;
        model.actuator_biastype[i] = src.biastype as i32;
        model.actuator_trnid[i] = actuator.trnid;
        model.actuator_damping[i] = src.damping[0];
        model.actuator_dampingpoly[i] = [src.damping[1], src.damping[2]];
        model.actuator_armature[i] = src.armature;
        model.actuator_actnum[i] = actuator.actdim as i32;
        model.actuator_actadr[i] = if actuator.actdim == 0 { -1 } else { actadr as i32 };
        actadr += actuator.actdim;
        model.actuator_group[i] = src.group;
        model.actuator_history[i] = [src.nsample, src.interp];
        let history = history_size(src.nsample, 1);
        model.actuator_historyadr[i] = if history == 0 { -1 } else { historyadr as i32 };
        historyadr += history;
        model.actuator_delay[i] = src.delay;
        model.actuator_ctrllimited[i] = u8::from(actuator.ctrllimited);
        model.actuator_forcelimited[i] = u8::from(actuator.forcelimited);
        model.actuator_actlimited[i] = u8::from(actuator.actlimited);
        model.actuator_dynprm[i] = src.dynprm;
        model.actuator_gainprm[i] = src.gainprm;
        model.actuator_biasprm[i] = src.biasprm;
        model.actuator_actearly[i] = u8::from(src.actearly);
        model.actuator_ctrlrange[i] = actuator.ctrlrange;
        model.actuator_forcerange[i] = src.forcerange;
        model.actuator_actrange[i] = actuator.actrange;
        model.actuator_gear[i] = src.gear;
        model.actuator_cranklength[i] = src.cranklength;
        model.actuator_lengthrange[i] = src.lengthrange;
        model.actuator_plugin[i] = actuator.plugin.map_or(-1, |instance| instance as i32);
        userdata::write(&mut model.actuator_user, draft.nuser.actuator, i, &src.userdata);
    }
    historyadr
}
