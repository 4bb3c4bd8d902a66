//! Sleep bookkeeping that the position stage needs: who is awake, waking on perturbation, and the state of
//! any object.
//!
//! `tree_asleep` is the source of truth: a negative value counts an awake tree down towards sleep, a
//! non-negative one is the next tree of a cycle that fell asleep together. Everything else is derived from it
//! by [`mj_update_sleep`].

pub(crate) mod awake_lists;
pub(crate) mod wake;

use crate::sleep::awake_lists::{ASLEEP, AWAKE, STATIC};
use kinetree_model::consts::MINAWAKE;
use kinetree_model::enums::{EnableBit, EqType, ObjType, SensorType, SleepPolicy, TrnType};
use kinetree_model::{Data, Model};

/// `tree_asleep` value of a tree that is fully awake.
pub(crate) const FULLY_AWAKE: i32 = -(1 + MINAWAKE);

/// Derives the awake lists and counts from `tree_asleep`.
pub(crate) fn mj_update_sleep(model: &Model, data: &mut Data) {
    data.ntree_awake = 0;
    for tree in 0..model.ntree {
        let awake = data.tree_asleep[tree] < 0;
        data.tree_awake[tree] = i32::from(awake);
        data.ntree_awake += usize::from(awake);
    }

    data.nbody_awake = 0;
    data.nparent_awake = 0;
    for body in 0..model.nbody {
        let tree = model.body_treeid[body];
        data.body_awake[body] = if tree >= 0 {
            if data.tree_awake[tree as usize] != 0 { AWAKE } else { ASLEEP }
        } else if model.body_mocapid[model.body_rootid[body] as usize] >= 0 {
            // the user may move mocap bodies at any time
            AWAKE
        } else {
            STATIC
        };
        if data.body_awake[body] != ASLEEP {
            data.body_awake_ind[data.nbody_awake] = body as i32;
            data.nbody_awake += 1;
        }
        if body > 0 && data.body_awake[model.body_parentid[body] as usize] != ASLEEP {
            data.parent_awake_ind[data.nparent_awake] = body as i32;
            data.nparent_awake += 1;
        }
    }

    data.nv_awake = 0;
    for dof in 0..model.nv {
        let body = model.dof_bodyid[dof] as usize;
        if model.body_treeid[body] >= 0 && data.body_awake[body] == AWAKE {
            data.dof_awake_ind[data.nv_awake] = dof as i32;
            data.nv_awake += 1;
        }
    }
}

/// Whether some number is not zero. Mostly all are, so that none is a reason to stop.
fn any_nonzero(values: &[f64]) -> bool {
    values.iter().fold(false, |any, &x| any | (x != 0.0))
}

/// Whether tree `tree` may be asleep: its policy allows it, nobody pushes it and its weighted velocity is
/// below `tolerance` (exactly zero when `tolerance` is zero).
pub(crate) fn tree_can_sleep(model: &Model, data: &Data, tree: usize, tolerance: f64) -> bool {
    let policy = model.tree_sleep_policy[tree];
    if policy == SleepPolicy::Never || policy == SleepPolicy::AutoNever {
        return false;
    }
    let bodies = model.tree_bodyadr[tree] as usize..;
    let bodies = &data.xfrc_applied[bodies][..model.tree_bodynum[tree] as usize];
    if any_nonzero(bodies.as_flattened()) {
        return false;
    }
    let first = model.tree_dofadr[tree] as usize;
    let count = model.tree_dofnum[tree] as usize;
    if any_nonzero(&data.qfrc_applied[first..][..count]) {
        return false;
    }
    let velocity = &data.qvel[first..][..count];
    if tolerance == 0.0 {
        return !any_nonzero(velocity);
    }
    velocity.iter().zip(&model.dof_length[first..]).all(|(v, length)| length * v.abs() < tolerance)
}

/// Wakes a tree and the cycle it sleeps in; returns how many trees woke up. A tree that is awake keeps the
/// smaller of its own countdown and `wake_value`.
pub(crate) fn wake_tree(tree_asleep: &mut [i32], tree: usize, wake_value: i32) -> usize {
    if tree_asleep[tree] < 0 {
        tree_asleep[tree] = tree_asleep[tree].min(wake_value);
        return 0;
    }
    let (mut current, mut woken) = (tree, 0);
    while let Ok(next) = usize::try_from(tree_asleep[current]) {
        tree_asleep[current] = wake_value;
        woken += 1;
        current = next;
    }
    woken
}

/// Wakes trees that the user has moved or pushed since they fell asleep; returns how many woke up. When
/// sleeping is disabled, wakes everything.
pub(crate) fn mj_wake(model: &Model, data: &mut Data) -> usize {
    if !model.enabled(EnableBit::Sleep) {
        let asleep = model.ntree - data.ntree_awake;
        if asleep > 0 {
            data.tree_asleep.fill(FULLY_AWAKE);
        }
        return asleep;
    }
    let mut woken = 0;
    for tree in 0..model.ntree {
        if data.tree_asleep[tree] >= 0
            && (data.tree_awake[tree] != 0 || !tree_can_sleep(model, data, tree, 0.0))
        {
            woken += wake_tree(&mut data.tree_asleep, tree, FULLY_AWAKE);
        }
    }
    woken
}

/// Sleep state of body `id`'s attachment, as a `body_awake` value.
#[inline]
fn attached(data: &Data, body_of: &[i32], id: usize) -> i32 {
    data.body_awake[body_of[id] as usize]
}

/// Sleep state of a tendon: asleep when all the trees it touches are, static when it touches none.
pub(crate) fn tendon_sleep_state(model: &Model, data: &Data, tendon: usize) -> i32 {
    let [first, second] = model.tendon_treeid[tendon];
    let awake = |tree: i32| data.tree_awake[tree as usize] != 0;
    match model.tendon_treenum[tendon] {
        0 => STATIC,
        1 if !awake(first) => ASLEEP,
        2 if !awake(first) && !awake(second) => ASLEEP,
        _ => AWAKE,
    }
}

/// Sleep state of an actuator: that of what it drives.
pub(crate) fn actuator_sleep_state(model: &Model, data: &Data, actuator: usize) -> i32 {
    let [first, second] = model.actuator_trnid[actuator];
    let Ok(id) = usize::try_from(first) else { return AWAKE };
    match TrnType::try_from(model.actuator_trntype[actuator]) {
        Ok(TrnType::Joint | TrnType::Jointinparent) => attached(data, &model.jnt_bodyid, id),
        Ok(TrnType::Slidercrank) => {
            let crank = attached(data, &model.site_bodyid, id);
            let slider = attached(data, &model.site_bodyid, second as usize);
            if crank == AWAKE || slider == AWAKE { AWAKE } else { ASLEEP }
        }
        Ok(TrnType::Tendon) => tendon_sleep_state(model, data, id),
        Ok(TrnType::Site) => attached(data, &model.site_bodyid, id),
        Ok(TrnType::Body) => data.body_awake[id],
        Ok(TrnType::Undefined) | Err(_) => AWAKE,
    }
}

/// Sleep state of an equality constraint: awake when one of its objects is.
fn equality_sleep_state(model: &Model, data: &Data, equality: usize) -> i32 {
    let objtype = match EqType::try_from(model.eq_type[equality]) {
        Ok(EqType::Connect | EqType::Weld) => model.eq_objtype[equality],
        Ok(EqType::Joint) => ObjType::Joint as i32,
        Ok(EqType::Tendon) => ObjType::Tendon as i32,
        _ => return AWAKE,
    };
    let state =
        |id: i32| usize::try_from(id).map_or(STATIC, |id| object_sleep_state(model, data, objtype, id));
    let awake = state(model.eq_obj1id[equality]) == AWAKE || state(model.eq_obj2id[equality]) == AWAKE;
    if awake { AWAKE } else { ASLEEP }
}

/// Sleep state of a sensor: awake or asleep, never static.
pub(crate) fn sensor_sleep_state(model: &Model, data: &Data, sensor: usize) -> i32 {
    const UNKNOWN: i32 = ObjType::Unknown as i32;
    const SITE: i32 = ObjType::Site as i32;
    let (objtype, reftype) = (model.sensor_objtype[sensor], model.sensor_reftype[sensor]);
    match SensorType::try_from(model.sensor_type[sensor]) {
        Ok(SensorType::User | SensorType::Plugin | SensorType::Rangefinder) => return AWAKE,
        // a site here is a region of space, which anything may enter
        Ok(SensorType::Contact) if objtype == SITE || reftype == SITE => return AWAKE,
        _ => {}
    }
    let state = |objtype: i32, id: i32| {
        usize::try_from(id).map_or(AWAKE, |id| object_sleep_state(model, data, objtype, id))
    };
    let object = state(objtype, model.sensor_objid[sensor]);
    let reference = state(reftype, model.sensor_refid[sensor]);
    let asleep = match (objtype == UNKNOWN, reftype == UNKNOWN) {
        (true, true) => false,
        (true, false) => reference == ASLEEP,
        (false, true) => object == ASLEEP,
        (false, false) => object != AWAKE && reference != AWAKE,
    };
    if asleep { ASLEEP } else { AWAKE }
}

/// Sleep state of any object as a `body_awake` value; awake when the type of object has no such state.
pub(crate) fn object_sleep_state(model: &Model, data: &Data, objtype: i32, id: usize) -> i32 {
    match ObjType::try_from(objtype) {
        Ok(ObjType::Body | ObjType::Xbody) => data.body_awake[id],
        Ok(ObjType::Joint) => attached(data, &model.jnt_bodyid, id),
        Ok(ObjType::Site) => attached(data, &model.site_bodyid, id),
        Ok(ObjType::Dof) => attached(data, &model.dof_bodyid, id),
        Ok(ObjType::Geom) => attached(data, &model.geom_bodyid, id),
        Ok(ObjType::Camera) => attached(data, &model.cam_bodyid, id),
        Ok(ObjType::Light) => attached(data, &model.light_bodyid, id),
        Ok(ObjType::Equality) => equality_sleep_state(model, data, id),
        Ok(ObjType::Tendon) => tendon_sleep_state(model, data, id),
        Ok(ObjType::Actuator) => actuator_sleep_state(model, data, id),
        Ok(ObjType::Sensor) => sensor_sleep_state(model, data, id),
        _ => AWAKE,
    }
}
