//! Which dofs one branch of the tree has: derivatives of forces by velocities count between these alone, and
//! not even there where the inertia matrix has no entries because it is diagonal.

use crate::features::nonlinear_transmission::{NonlinearTransmissions, is_spatial};
use kinetree_model::Model;
use kinetree_model::enums::Integrator;

/// Whether forces of an implicit integrator act along lengths that may join dofs of different branches, whose
/// derivatives the integrator leaves out.
pub(crate) fn joins_branches(model: &Model) -> bool {
    let implicit = model.opt.integrator == Integrator::Implicitfast as i32;
    implicit
        && (!NonlinearTransmissions::new(model).is_empty() || (0..model.ntendon).any(|t| is_across(model, t)))
}

/// Whether a fixed tendon has dofs between which the inertia matrix has no entry.
fn is_across(model: &Model, tendon: usize) -> bool {
    if is_spatial(model, tendon) {
        return true;
    }
    let first = model.tendon_adr[tendon] as usize;
    let path = first..first + model.tendon_num[tendon] as usize;
    let dofs: Vec<i32> = path.map(|w| model.jnt_dofadr[model.wrap_objid[w] as usize]).collect();
    dofs.iter().any(|&a| dofs.iter().any(|&b| !is_one_branch(model, a, b)))
}

/// Whether one of two dofs is on the way of the other to the root, and their inertia is not diagonal.
fn is_one_branch(model: &Model, a: i32, b: i32) -> bool {
    let (upper, mut lower) = (a.min(b), a.max(b));
    if upper != lower && model.dof_simplenum[lower as usize] > 0 {
        return false;
    }
    while lower > upper {
        lower = model.dof_parentid[lower as usize];
    }
    lower == upper
}
