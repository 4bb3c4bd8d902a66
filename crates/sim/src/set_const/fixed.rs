//! Constants that need no pose: masses of subtrees, which actuators lend damping, addresses of trees, sleep
//! policies, and the pattern of the tendon Jacobian.

use crate::flex::{node_range, vertex_range};
use kinetree_model::enums::{SleepPolicy, TrnType, WrapType};
use kinetree_model::{Mismatch, Model};

/// Why constants could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetConstError {
    /// The data does not fit the model.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// Constants of a compiled model have another meaning at its reference level.
    #[error("{0}")]
    Reference(&'static kinetree_model::Difference),
    /// A tree that the user allows to sleep is coupled to others in a way that forbids it.
    #[error("tree {tree} connected to tendon {tendon} which {}, sleeping not allowed", if *many { "spans more than 2 trees" } else { "has stiffness, damping or an actuator" })]
    Sleep {
        /// The tree.
        tree: usize,
        /// The tendon.
        tendon: usize,
        /// The tendon spans more than two trees.
        many: bool,
    },
    /// A tendon depends on more dofs than when the model was compiled.
    #[error("tendon {tendon} depends on more dofs than the model has room for: recompile it")]
    TendonDofs {
        /// The tendon.
        tendon: usize,
    },
    /// A flex depends on more dofs than when the model was compiled.
    #[error("flex {flex} depends on more dofs than the model has room for: recompile it")]
    FlexDofs {
        /// The flex.
        flex: usize,
    },
    /// Strains at vertices can only be constrained in a plane.
    #[error(
        "flex {flex} has constrained strains at its vertices, which must be in a plane normal to the z axis"
    )]
    NotPlanar {
        /// The flex.
        flex: usize,
    },
}

/// Several actuators act on the same joint or tendon.
const SEVERAL: i32 = -2;

pub(super) fn set(model: &mut Model) -> Result<(), SetConstError> {
    set_masses(model);
    set_lending_actuators(model);
    set_tree_addresses(model);
    set_tendon_trees(model);
    set_sleep_policies(model)?;
    set_tendon_pattern(model)?;
    Ok(())
}

fn set_masses(model: &mut Model) {
    model.body_subtreemass.copy_from_slice(&model.body_mass);
    for body in (1..model.nbody).rev() {
        let parent = model.body_parentid[body] as usize;
        model.body_subtreemass[parent] += model.body_subtreemass[body];
    }
    model.count_gravcomp();
}

/// Actuators with damping or armature lend it to the joint or tendon they drive.
fn set_lending_actuators(model: &mut Model) {
    model.jnt_actuatorid.fill(-1);
    model.tendon_actuatorid.fill(-1);
    for actuator in 0..model.nu {
        let lends = model.actuator_damping[actuator] != 0.0
            || model.actuator_dampingpoly[actuator] != [0.0; 2]
            || model.actuator_armature[actuator] != 0.0;
        let target = model.actuator_trnid[actuator][0] as usize;
        let slot = match model.actuator_trntype[actuator] {
            _ if !lends => continue,
            t if t == TrnType::Joint || t == TrnType::Jointinparent => &mut model.jnt_actuatorid[target],
            t if t == TrnType::Tendon => &mut model.tendon_actuatorid[target],
            _ => continue,
        };
        *slot = if *slot == -1 { actuator as i32 } else { SEVERAL };
    }
}

/// Bodies and dofs of each tree; trees are consecutive in both.
fn set_tree_addresses(model: &mut Model) {
    model.tree_bodynum.fill(0);
    model.tree_dofnum.fill(0);
    for body in 0..model.nbody {
        let weld = model.body_weldid[body] as usize;
        let moves = model.body_dofnum[weld] > 0;
        model.body_treeid[body] = if moves { model.dof_treeid[model.body_dofadr[weld] as usize] } else { -1 };
    }
    for body in (1..model.nbody).rev() {
        if let Ok(tree) = usize::try_from(model.body_treeid[body]) {
            model.tree_bodyadr[tree] = body as i32;
            model.tree_bodynum[tree] += 1;
        }
    }
    for dof in (0..model.nv).rev() {
        let tree = model.dof_treeid[dof] as usize;
        model.tree_dofadr[tree] = dof as i32;
        model.tree_dofnum[tree] += 1;
    }
}

/// Tree of an object on the path of a tendon.
fn wrap_tree(model: &Model, wrap: usize) -> Option<usize> {
    let object = usize::try_from(model.wrap_objid[wrap]).ok()?;
    let body = match model.wrap_type[wrap] {
        t if t == WrapType::Joint => model.jnt_bodyid[object],
        t if t == WrapType::Site => model.site_bodyid[object],
        t if t == WrapType::Sphere || t == WrapType::Cylinder => model.geom_bodyid[object],
        _ => return None,
    };
    usize::try_from(model.body_treeid[body as usize]).ok()
}

/// Trees that a tendon touches, in the order of its path.
fn tendon_trees(model: &Model, tendon: usize) -> Vec<usize> {
    let start = model.tendon_adr[tendon] as usize;
    let mut trees = Vec::new();
    for wrap in start..start + model.tendon_num[tendon] as usize {
        if let Some(tree) = wrap_tree(model, wrap).filter(|tree| !trees.contains(tree)) {
            trees.push(tree);
        }
    }
    trees
}

fn set_tendon_trees(model: &mut Model) {
    for tendon in 0..model.ntendon {
        let trees = tendon_trees(model, tendon);
        model.tendon_treenum[tendon] = trees.len() as i32;
        let id = |i: usize| trees.get(i).map_or(-1, |&tree| tree as i32);
        model.tendon_treeid[tendon] = [id(0), id(1)];
    }
}

/// Trees that actuators, stiff tendons or flexes act on never sleep on their own account.
fn set_sleep_policies(model: &mut Model) -> Result<(), SetConstError> {
    for actuator in 0..model.nu {
        let target = model.actuator_trnid[actuator][0] as usize;
        let body = match model.actuator_trntype[actuator] {
            t if t == TrnType::Joint || t == TrnType::Jointinparent => model.jnt_bodyid[target],
            t if t == TrnType::Site || t == TrnType::Slidercrank => model.site_bodyid[target],
            t if t == TrnType::Body => target as i32,
            t if t == TrnType::Tendon => {
                for tree in tendon_trees(model, target) {
                    keep_awake(model, tree);
                }
                continue;
            }
            _ => continue,
        };
        if let Ok(tree) = usize::try_from(model.body_treeid[body as usize]) {
            keep_awake(model, tree);
        }
    }
    for tendon in 0..model.ntendon {
        keep_coupled_trees_awake(model, tendon)?;
    }
    for body in (0..model.nflex).flat_map(|flex| flex_bodies(model, flex)).collect::<Vec<_>>() {
        if let Some(tree) =
            usize::try_from(body).ok().and_then(|b| usize::try_from(model.body_treeid[b]).ok())
        {
            keep_awake(model, tree);
        }
    }
    for policy in &mut model.tree_sleep_policy {
        if *policy == SleepPolicy::Auto {
            *policy = SleepPolicy::AutoAllowed as i32;
        }
    }
    Ok(())
}

/// Bodies that carry a flex.
fn flex_bodies(model: &Model, flex: usize) -> Vec<i32> {
    if model.flex_interp[flex] == 0 {
        model.flex_vertbodyid[vertex_range(model, flex)].to_vec()
    } else {
        model.flex_nodebodyid[node_range(model, flex)].to_vec()
    }
}

fn keep_awake(model: &mut Model, tree: usize) {
    if model.tree_sleep_policy[tree] == SleepPolicy::Auto {
        model.tree_sleep_policy[tree] = SleepPolicy::AutoNever as i32;
    }
}

fn keep_coupled_trees_awake(model: &mut Model, tendon: usize) -> Result<(), SetConstError> {
    let count = model.tendon_treenum[tendon];
    let passive = model.tendon_stiffness[tendon] == 0.0
        && model.tendon_stiffnesspoly[tendon] == [0.0; 2]
        && model.tendon_damping[tendon] == 0.0
        && model.tendon_dampingpoly[tendon] == [0.0; 2]
        && model.tendon_actuatorid[tendon] == -1;
    if count < 2 || (count == 2 && passive) {
        return Ok(());
    }
    for tree in tendon_trees(model, tendon) {
        let policy = model.tree_sleep_policy[tree];
        if policy == SleepPolicy::Allowed || policy == SleepPolicy::Init {
            return Err(SetConstError::Sleep { tree, tendon, many: count > 2 });
        }
        keep_awake(model, tree);
    }
    Ok(())
}

/// Columns of the tendon Jacobian: joints of fixed tendons, all dofs above the objects of spatial ones.
fn set_tendon_pattern(model: &mut Model) -> Result<(), SetConstError> {
    let mut address = 0;
    for tendon in 0..model.ntendon {
        let mut columns = tendon_dofs(model, tendon);
        columns.sort_unstable();
        if model.nJten > 0 && address + columns.len() > model.nJten {
            return Err(SetConstError::TendonDofs { tendon });
        }
        model.ten_J_rowadr[tendon] = address as i32;
        model.ten_J_rownnz[tendon] = columns.len() as i32;
        if model.nJten > 0 {
            model.ten_J_colind[address..address + columns.len()].copy_from_slice(&columns);
        }
        address += columns.len();
    }
    Ok(())
}

fn tendon_dofs(model: &Model, tendon: usize) -> Vec<i32> {
    let start = model.tendon_adr[tendon] as usize;
    let wraps = start..start + model.tendon_num[tendon] as usize;
    if model.wrap_type[start] == WrapType::Joint {
        return wraps.map(|wrap| model.jnt_dofadr[model.wrap_objid[wrap] as usize]).collect();
    }
    let mut visited = vec![false; model.nbody];
    let mut dofs = Vec::new();
    for wrap in wraps {
        let object = model.wrap_objid[wrap] as usize;
        let mut body = match model.wrap_type[wrap] {
            t if t == WrapType::Site => model.site_bodyid[object] as usize,
            t if t == WrapType::Sphere || t == WrapType::Cylinder => model.geom_bodyid[object] as usize,
            _ => 0,
        };
        while body > 0 && !visited[body] {
            visited[body] = true;
            let first = model.body_dofadr[body];
            dofs.extend(first..first + model.body_dofnum[body]);
            body = model.body_parentid[body] as usize;
        }
    }
    dofs
}
