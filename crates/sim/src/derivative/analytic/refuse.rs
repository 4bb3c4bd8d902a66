//! What has no analytic derivatives, by name.

use super::actuation::actuator;
use super::tendon::force::is_fixed;
use super::tendon::path::for_each_piece;
use crate::derivative::error::DerivativeError;
use kinetree_math::MINVAL;
use kinetree_model::enums::{EnableBit, EqType, Integrator, JointType, TrnType, WrapType};
use kinetree_model::{Contact, Data, Model, Reference};

/// `tree_asleep` of a tree that falls asleep at the end of the step if it is still slow then.
const LAST_AWAKE: i32 = -2;

/// Refuses models whose step has no analytic derivatives.
pub(super) fn check_model(model: &Model) -> Result<(), DerivativeError> {
    if model.opt.integrator == Integrator::Rk4 {
        return Err(DerivativeError::Unsupported("the RK4 integrator"));
    }
    check_dynamics(model)
}

/// Refuses models whose dynamics have no analytic derivatives.
pub(super) fn check_dynamics(model: &Model) -> Result<(), DerivativeError> {
    let refuse = |what| Err(DerivativeError::Unsupported(what));
    if model.reference() != Reference::default() {
        return refuse("reference level 4.0 in analytic derivatives");
    }
    if model.nplugin > 0 {
        return refuse("a plugin");
    }
    if model.opt.noslip_iterations > 0 {
        return refuse("the noslip solver");
    }
    if model.callbacks.may_write_data() {
        return refuse("a callback that may write to the data");
    }
    if model.nflex > 0 {
        return refuse("a flex");
    }
    if model.deformable_bodies().next().is_some() {
        return refuse("a deformable body");
    }
    if model.nu == 0 && model.jnt_actgravcomp.iter().any(|&actgravcomp| actgravcomp != 0) {
        return refuse("gravity compensation by the joints of a model without actuators");
    }
    for tendon in 0..model.ntendon {
        if counts_rotation(model, tendon) {
            return refuse("a fixed tendon over a ball joint");
        }
    }
    for eq in 0..model.neq {
        if matches!(
            EqType::try_from(model.eq_type[eq]),
            Ok(EqType::Flex | EqType::Flexvert | EqType::Flexstrain)
        ) {
            return refuse("an equality of a flex");
        }
    }
    (0..model.nu).try_for_each(|i| actuator::check(model, i))
}

/// Whether a fixed tendon runs over a ball joint: its length then takes a component of a quaternion, and its
/// moment arm is no derivative of that. Over a free joint it takes a position.
fn counts_rotation(model: &Model, tendon: usize) -> bool {
    let first = model.tendon_adr[tendon] as usize;
    (first..first + model.tendon_num[tendon] as usize).any(|w| {
        model.wrap_type[w] == WrapType::Joint
            && model.jnt_type[model.wrap_objid[w] as usize] == JointType::Ball
    })
}

/// Refuses states at which something is in use that has no analytic derivatives.
pub(super) fn check_state(model: &Model, data: &Data) -> Result<(), DerivativeError> {
    let refuse = |what| Err(DerivativeError::Unsupported(what));
    if model.enabled(EnableBit::Sleep) && data.tree_asleep.iter().any(|&countdown| countdown >= LAST_AWAKE) {
        return refuse("a tree that sleeps, or may fall asleep in this step,");
    }
    if data.contact.iter().take(data.ncon).any(|contact| cannot_be_separated(model, data, contact)) {
        return refuse("a contact that no dof can push apart, as of wheels on fixed axles,");
    }
    for tendon in 0..model.ntendon {
        if !is_fixed(model, tendon) {
            for_each_piece(model, data, tendon, |_| ()).map_err(DerivativeError::Unsupported)?;
        }
        if model.tendon_actfrclimited[tendon] != 0 && scales_actuators(model, data, tendon) {
            return refuse("actuators at the limit of their tendon");
        }
    }
    Ok(())
}

/// Whether a contact presses bodies together that have no inverse weight: their centres cannot move. Its rows
/// are regularized by the least number allowed instead of a share of that weight, with constraint masses near
/// 1e15. The smallest motion then changes the forces without bounds: derivatives hold for steps of 1e-9 at
/// most, and what the inertia adds to the constraint masses is lost to rounding.
fn cannot_be_separated(model: &Model, data: &Data, contact: &Contact) -> bool {
    let Ok(row) = usize::try_from(contact.efc_address) else { return false };
    let weight = |geom: i32| {
        let body = usize::try_from(geom).map(|geom| model.geom_bodyid[geom] as usize);
        body.map_or(f64::INFINITY, |body| model.body_invweight0[body][0])
    };
    let [.., impedance, _] = data.efc_KBIP[row];
    contact.geom.map(weight).iter().sum::<f64>() * (1.0 - impedance) < MINVAL * impedance
}

/// Whether the actuators of a tendon together reach the limit of its force.
fn scales_actuators(model: &Model, data: &Data, tendon: usize) -> bool {
    let drives = |i: usize| {
        model.actuator_trntype[i] == TrnType::Tendon && model.actuator_trnid[i][0] == tendon as i32
    };
    let total: f64 = (0..model.nu).filter(|&i| drives(i)).map(|i| data.actuator_force[i]).sum();
    let [low, high] = model.tendon_actfrcrange[tendon];
    total <= low || total >= high
}
