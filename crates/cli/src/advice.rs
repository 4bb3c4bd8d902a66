//! What an expert looks for in a model that loads: numbers that are allowed and rarely meant.

use crate::labels::element;
use kinetree::model::enums::{BiasType, JointType, ObjType, TrnType};
use kinetree::prelude::*;

/// Names that are listed before the rest is counted.
const LISTED: usize = 4;
/// A hinge's range is beyond two turns only when degrees are read as radians.
const LARGEST_TURN: f64 = 4.0 * std::f64::consts::PI;
/// One turn in radians, read as degrees.
const TURN_IN_DEGREES: f64 = 2.0 * std::f64::consts::PI * std::f64::consts::PI / 180.0;
/// Geoms that only touch carry about the weight of what lies on them; this many times that is a launch.
const EXCESSIVE_WEIGHTS: f64 = 30.0;
/// Ratio of masses that one joint connects.
const EXTREME_RATIO: f64 = 1e4;

/// Advice about a model, a sentence for each finding; `data` holds what follows from the first state.
pub(crate) fn advice(model: &Model, data: &Data) -> Vec<String> {
    let mut all = Vec::new();
    all.extend(angle_units(model));
    all.extend(overlaps(model, data));
    all.extend(mass_ratios(model));
    all.extend(visual_only(model));
    all.extend(stiff_joints(model));
    all.extend(stiff_actuators(model, data));
    all.extend(unlimited_actuators(model));
    all
}

/// The first few names, and how many more there are.
fn names(model: &Model, kind: ObjType, ids: &[usize]) -> String {
    let listed: Vec<String> = ids.iter().take(LISTED).map(|&id| element(model, kind, id)).collect();
    match ids.len().saturating_sub(LISTED) {
        0 => listed.join(", "),
        more => format!("{} and {more} more", listed.join(", ")),
    }
}

/// Ranges of hinges that make sense in the other unit only.
fn angle_units(model: &Model) -> Vec<String> {
    let limited =
        |joint: &usize| model.jnt_type[*joint] == JointType::Hinge && model.jnt_limited[*joint] != 0;
    let size = |joint: usize| model.jnt_range[joint].iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    let hinges: Vec<usize> = (0..model.njnt).filter(limited).collect();
    let (large, other): (Vec<usize>, Vec<usize>) = hinges.iter().partition(|&&j| size(j) > LARGEST_TURN);
    let mut all = Vec::new();
    if let Some(&first) = large.first() {
        all.push(format!(
            "the range of {} looks like degrees read as radians: it is {:.0} turns wide; set angle=\"degree\" in <compiler>, or give radians",
            names(model, ObjType::Joint, &large),
            (model.jnt_range[first][1] - model.jnt_range[first][0]) / std::f64::consts::TAU,
        ));
    }
    // one small range may be meant; when all are, the unit is wrong
    if other.len() > 1 && large.is_empty() && other.iter().all(|&j| size(j) <= TURN_IN_DEGREES) {
        all.push(format!(
            "the ranges of {} look like radians read as degrees: none is wider than {:.3} rad; set angle=\"radian\" in <compiler>, or give degrees",
            names(model, ObjType::Joint, &other),
            2.0 * TURN_IN_DEGREES,
        ));
    }
    all
}

/// Geoms that overlap in the first state so that they are pushed apart violently.
fn overlaps(model: &Model, data: &Data) -> Vec<String> {
    let gravity = Vec3::from(model.opt.gravity).norm().max(1.0);
    // a pair, the force between its geoms and how deep they are
    let mut pairs: Vec<([i32; 2], f64, f64)> = Vec::new();
    for (i, contact) in data.contact.iter().take(data.ncon).enumerate() {
        let Ok(force) = mj_contact_force(model, data, i) else { continue };
        match pairs.iter_mut().find(|(geoms, ..)| *geoms == contact.geom) {
            Some((_, sum, depth)) => (*sum, *depth) = (*sum + force[0], depth.max(-contact.dist)),
            None => pairs.push((contact.geom, force[0], -contact.dist)),
        }
    }
    let weights = |(geoms, force, _): &([i32; 2], f64, f64)| force / (gravity * lighter(model, geoms));
    let violent: Vec<_> = pairs.into_iter().filter(|pair| weights(pair) > EXCESSIVE_WEIGHTS).collect();
    let Some(worst) = violent.iter().max_by(|a, b| weights(a).total_cmp(&weights(b))) else {
        return Vec::new();
    };
    let side =
        |geom: i32| usize::try_from(geom).map_or("a flex".into(), |id| element(model, ObjType::Geom, id));
    let (geoms, force, depth) = worst;
    let further = match violent.len() - 1 {
        0 => String::new(),
        count => format!(" (and {count} more pairs)"),
    };
    vec![format!(
        "{} and {} overlap by {depth:.3} m in the first state and are pushed apart with {force:.0} N, {:.0} times what the lighter one weighs{further}; move them apart, or exclude the pair",
        side(geoms[0]),
        side(geoms[1]),
        weights(worst),
    )]
}

/// Mass that hangs on the lighter of two bodies that can move (kg).
fn lighter(model: &Model, geoms: &[i32; 2]) -> f64 {
    let bodies = geoms.iter().filter_map(|&geom| usize::try_from(geom).ok());
    let bodies = bodies.map(|geom| model.geom_bodyid[geom] as usize);
    let moving = bodies.filter(|&body| model.body_weldid[body] != 0);
    moving.map(|body| model.body_subtreemass[body]).fold(f64::INFINITY, f64::min)
}

/// A heavy body on a light one: the solver needs many iterations for it.
fn mass_ratios(model: &Model) -> Vec<String> {
    let ratio = |body: usize| {
        let parent = model.body_parentid[body] as usize;
        let light = model.body_mass[parent];
        (parent > 0 && light > 0.0).then(|| (body, parent, model.body_mass[body] / light))
    };
    let worst = (1..model.nbody).filter_map(ratio).max_by(|a, b| a.2.total_cmp(&b.2));
    let Some((body, parent, ratio)) = worst.filter(|worst| worst.2 > EXTREME_RATIO) else {
        return Vec::new();
    };
    vec![format!(
        "'{}' is {ratio:.0e} times as heavy as '{}', which carries it: expect slow convergence; give the light body more mass, or its joints armature",
        element(model, ObjType::Body, body),
        element(model, ObjType::Body, parent),
    )]
}

/// Moving bodies of which nothing collides.
fn visual_only(model: &Model) -> Vec<String> {
    let moves = |geom: &usize| model.body_weldid[model.geom_bodyid[*geom] as usize] != 0;
    let collides = |geom: usize| model.geom_contype[geom] != 0 || model.geom_conaffinity[geom] != 0;
    let moving: Vec<usize> = (0..model.ngeom).filter(moves).collect();
    if moving.is_empty() || model.npair > 0 || moving.iter().any(|&geom| collides(geom)) {
        return Vec::new();
    }
    vec![format!(
        "no geom of a moving body collides (contype and conaffinity are zero for all {}): the model falls through everything",
        moving.len()
    )]
}

/// Springs that a step is too long for: a step of an explicit spring diverges when `h √(k/m) > 2`.
fn stiff_joints(model: &Model) -> Vec<String> {
    let scalar = |joint: usize| {
        matches!(JointType::try_from(model.jnt_type[joint]), Ok(JointType::Hinge | JointType::Slide))
    };
    let frequency = |joint: usize| {
        let mass = model.dof_M0[model.jnt_dofadr[joint] as usize];
        (scalar(joint) && mass > 0.0).then(|| (joint, (model.jnt_stiffness[joint] / mass).sqrt()))
    };
    let worst = (0..model.njnt).filter_map(frequency).max_by(|a, b| a.1.total_cmp(&b.1));
    too_stiff(model, worst, ObjType::Joint, "stiffness")
}

/// The same for position actuators.
fn stiff_actuators(model: &Model, data: &Data) -> Vec<String> {
    let frequency = |actuator: usize| {
        let stiffness = -model.actuator_biasprm[actuator][1];
        let affine = model.actuator_biastype[actuator] == BiasType::Affine as i32;
        let on_joint = matches!(
            TrnType::try_from(model.actuator_trntype[actuator]),
            Ok(TrnType::Joint | TrnType::Jointinparent)
        );
        if !(affine && on_joint && stiffness > 0.0) {
            return None;
        }
        let first = data.moment_rowadr[actuator] as usize;
        let row = first..first + data.moment_rownnz[actuator] as usize;
        let arms = data.moment_colind[row.clone()].iter().zip(&data.actuator_moment[row]);
        let squared: f64 = arms.map(|(&dof, arm)| arm * arm / model.dof_M0[dof as usize]).sum();
        Some((actuator, (stiffness * squared).sqrt()))
    };
    let worst = (0..model.nu).filter_map(frequency).max_by(|a, b| a.1.total_cmp(&b.1));
    too_stiff(model, worst, ObjType::Actuator, "gain")
}

fn too_stiff(model: &Model, worst: Option<(usize, f64)>, kind: ObjType, what: &str) -> Vec<String> {
    let Some((id, frequency)) = worst.filter(|(_, frequency)| model.opt.timestep * frequency > 2.0) else {
        return Vec::new();
    };
    vec![format!(
        "the time step of {} s is too long for the {what} of '{}': it swings {:.0} times a second and is stable below {:.1e} s; lower the {what} or the step, or give the joint armature",
        model.opt.timestep,
        element(model, kind, id),
        frequency / std::f64::consts::TAU,
        2.0 / frequency,
    )]
}

/// Actuators that may be given any control and exert any force.
fn unlimited_actuators(model: &Model) -> Vec<String> {
    let joint_limited = |actuator: usize| {
        let on_joint = matches!(
            TrnType::try_from(model.actuator_trntype[actuator]),
            Ok(TrnType::Joint | TrnType::Jointinparent)
        );
        let target = model.actuator_trnid[actuator][0];
        on_joint && model.jnt_actfrclimited.get(target as usize).is_some_and(|&limited| limited != 0)
    };
    let free = |&id: &usize| {
        model.actuator_ctrllimited[id] == 0 && model.actuator_forcelimited[id] == 0 && !joint_limited(id)
    };
    let unlimited: Vec<usize> = (0..model.nu).filter(free).collect();
    if unlimited.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "neither control nor force of {} has a limit: a policy can ask for any force; give ctrlrange or forcerange",
        names(model, ObjType::Actuator, &unlimited)
    )]
}
