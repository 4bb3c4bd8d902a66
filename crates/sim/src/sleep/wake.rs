//! Falling asleep and waking up: trees that rest are put to sleep by island, and wake when something awake
//! touches them.
//!
//! An island falls asleep when all its trees have been slow for long enough; its trees then form a cycle in
//! `tree_asleep`. A contact, an active equality or a violated tendon limit between a sleeping and an awake
//! tree wakes the whole cycle.

use crate::flex::contact_bodies::touches_flex;
use crate::sleep::awake_lists::{ASLEEP, STATIC};
use crate::sleep::{FULLY_AWAKE, mj_update_sleep, tree_can_sleep, wake_tree};
use kinetree_model::enums::{EnableBit, EqType, ObjType, SleepPolicy};
use kinetree_model::{Data, Model};

/// Wakes sleeping trees that touch awake ones; returns how many woke up.
pub(crate) fn mj_wake_collision(model: &Model, data: &mut Data) -> usize {
    if !model.enabled(EnableBit::Sleep) {
        return 0;
    }
    let mut woken = 0;
    for contact in &data.contact {
        // trees with flexes never sleep
        if touches_flex(contact) {
            continue;
        }
        let trees = contact.geom.map(|g| model.body_treeid[model.geom_bodyid[g as usize] as usize]);
        if trees[0] >= 0 && trees[1] >= 0 {
            woken += wake_neighbour(&mut data.tree_asleep, &data.tree_awake, trees);
        }
    }
    woken
}

/// Wakes sleeping trees that a tendon at its limit ties to awake ones; returns how many woke up.
pub(crate) fn mj_wake_tendon(model: &Model, data: &mut Data) -> usize {
    if !model.enabled(EnableBit::Sleep) {
        return 0;
    }
    let mut woken = 0;
    for tendon in 0..model.ntendon {
        let (length, margin) = (data.ten_length[tendon], model.tendon_margin[tendon]);
        let [low, high] = model.tendon_range[tendon];
        let at_limit = model.tendon_limited[tendon] != 0 && (length - low < margin || high - length < margin);
        if model.tendon_treenum[tendon] == 2 && at_limit {
            woken += wake_neighbour(&mut data.tree_asleep, &data.tree_awake, model.tendon_treeid[tendon]);
        }
    }
    woken
}

/// Of two trees with one asleep, wakes that one with the countdown of the other.
fn wake_neighbour(tree_asleep: &mut [i32], tree_awake: &[i32], trees: [i32; 2]) -> usize {
    let [first, second] = trees.map(|t| t as usize);
    match (tree_awake[first] != 0, tree_awake[second] != 0) {
        (true, false) => wake_tree(tree_asleep, second, tree_asleep[first]),
        (false, true) => wake_tree(tree_asleep, first, tree_asleep[second]),
        _ => 0,
    }
}

/// Wakes sleeping trees that an active equality ties to awake ones or to another sleeping island; returns how
/// many woke up.
pub(crate) fn mj_wake_equality(model: &Model, data: &mut Data) -> usize {
    if !model.enabled(EnableBit::Sleep) {
        return 0;
    }
    let mut woken = 0;
    for eq in 0..model.neq {
        if data.eq_active[eq] == 0 {
            continue;
        }
        let Some([tree1, tree2]) = equality_trees(model, eq) else { continue };
        let state = |tree: i32| if tree < 0 { STATIC } else { data.tree_awake[tree as usize] };
        let (state1, state2) = (state(tree1), state(tree2));
        if state1 == STATIC || state2 == STATIC || tree1 == tree2 {
            continue;
        }
        let (tree1, tree2) = (tree1 as usize, tree2 as usize);
        let asleep = &mut data.tree_asleep;
        match (state1 == ASLEEP, state2 == ASLEEP) {
            (true, true) if mj_sleep_cycle(asleep, tree1) != mj_sleep_cycle(asleep, tree2) => {
                woken += wake_tree(asleep, tree1, FULLY_AWAKE) + wake_tree(asleep, tree2, FULLY_AWAKE);
            }
            (true, false) => woken += wake_tree(asleep, tree1, FULLY_AWAKE),
            (false, true) => woken += wake_tree(asleep, tree2, FULLY_AWAKE),
            _ => {}
        }
    }
    woken
}

/// The two trees of an equality; -1 stands for the world. `None` when the type of equality does not say.
fn equality_trees(model: &Model, eq: usize) -> Option<[i32; 2]> {
    let obj = [model.eq_obj1id[eq], model.eq_obj2id[eq]];
    match EqType::try_from(model.eq_type[eq]) {
        Ok(EqType::Connect | EqType::Weld) => Some(obj.map(|id| {
            let by_site = model.eq_objtype[eq] == ObjType::Site;
            let body = if by_site { model.site_bodyid[id as usize] } else { id };
            model.body_treeid[body as usize]
        })),
        Ok(EqType::Joint) => Some(obj.map(|id| {
            usize::try_from(id).map_or(-1, |joint| model.body_treeid[model.jnt_bodyid[joint] as usize])
        })),
        _ => None,
    }
}

/// The smallest tree of the cycle that `tree` sleeps in; `None` when it is not a cycle.
#[must_use]
pub fn mj_sleep_cycle(tree_asleep: &[i32], tree: usize) -> Option<usize> {
    let (mut smallest, mut current) = (tree, tree);
    for _ in 0..=tree_asleep.len() {
        current = usize::try_from(*tree_asleep.get(current)?).ok()?;
        smallest = smallest.min(current);
        if current == tree {
            return Some(smallest);
        }
    }
    None
}

/// Counts slow trees towards sleep and puts islands to sleep whose trees are all ready; returns how many
/// trees fell asleep. Their velocities and accelerations become zero.
pub(crate) fn mj_sleep(model: &Model, data: &mut Data) -> usize {
    if !model.enabled(EnableBit::Sleep) || (data.nefc > 0 && data.nisland == 0) {
        return 0;
    }
    for tree in 0..model.ntree {
        let countdown = data.tree_asleep[tree];
        if countdown < 0 {
            data.tree_asleep[tree] = if tree_can_sleep(model, data, tree, model.opt.sleep_tolerance) {
                (countdown + 1).min(-1)
            } else {
                FULLY_AWAKE
            };
        }
    }
    sleep_ready_trees(model, data)
}

/// Puts islands to sleep whose trees are all ready, and trees that no constraint touches.
fn sleep_ready_trees(model: &Model, data: &mut Data) -> usize {
    let mut slept = 0;
    for island in 0..data.nisland {
        let start = data.island_itreeadr[island] as usize;
        let trees = start..start + data.island_ntree[island] as usize;
        if trees.clone().all(|j| data.tree_asleep[data.map_itree2tree[j] as usize] == -1) {
            slept += trees.len();
            for j in trees.clone() {
                let next = if j + 1 == trees.end { start } else { j + 1 };
                let (tree, next) = (data.map_itree2tree[j] as usize, data.map_itree2tree[next]);
                sleep_tree(model, data, tree, next);
            }
        }
    }
    for tree in 0..model.ntree {
        let alone = data.nisland == 0 || data.tree_island[tree] < 0;
        if alone && data.tree_asleep[tree] == -1 {
            sleep_tree(model, data, tree, tree as i32);
            slept += 1;
        }
    }
    slept
}

fn sleep_tree(model: &Model, data: &mut Data, tree: usize, next: i32) {
    data.tree_asleep[tree] = next;
    let first = model.tree_dofadr[tree] as usize;
    let dofs = first..first + model.tree_dofnum[tree] as usize;
    data.qvel[dofs.clone()].fill(0.0);
    data.qacc[dofs].fill(0.0);
}

/// Trees that could not be put to sleep although the model asks for it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{wanted} trees are marked sleep=\"init\" but only {slept} could be put to sleep; the first that could not has root body {body}"
)]
pub struct InitialSleepError {
    /// Number of trees marked to start asleep.
    pub wanted: usize,
    /// Number of trees that fell asleep.
    pub slept: usize,
    /// Root body of the first tree that stayed awake.
    pub body: usize,
}

/// Puts the trees to sleep that the model wants asleep from the start. Call it after a reset and a forward
/// pass.
///
/// # Errors
/// When such a tree moves, is pushed, or is tied to a tree that stays awake.
pub(crate) fn mj_sleep_init(model: &Model, data: &mut Data) -> Result<(), InitialSleepError> {
    const INIT: i32 = SleepPolicy::Init as i32;
    if !model.enabled(EnableBit::Sleep) {
        return Ok(());
    }
    let wanted = model.tree_sleep_policy.iter().filter(|&&p| p == INIT).count();
    if wanted == 0 {
        return Ok(());
    }
    for (asleep, &policy) in data.tree_asleep.iter_mut().zip(&model.tree_sleep_policy) {
        *asleep = if policy == INIT { -1 } else { FULLY_AWAKE };
    }
    let slept = mj_sleep(model, data);
    let awake = (0..model.ntree).find(|&t| model.tree_sleep_policy[t] == INIT && data.tree_asleep[t] < 0);
    if let (true, Some(tree)) = (slept != wanted, awake) {
        return Err(InitialSleepError { wanted, slept, body: model.tree_bodyadr[tree] as usize });
    }
    data.qacc_smooth.fill(0.0);
    data.qfrc_smooth.fill(0.0);
    data.clear_constraints();
    mj_update_sleep(model, data);
    Ok(())
}
