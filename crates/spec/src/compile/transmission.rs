//! Number of entries in the sparse matrix of actuator moments.

use kinetree_model::Model;
use kinetree_model::enums::{JointType, TrnType};

/// Sets `nJmom`: the dofs that each transmission can act on.
pub(crate) fn count_moments(model: &mut Model) {
    let count = (0..model.nu).map(|i| count_row(model, i)).sum();
    model.set_moment_entries(count);
}

fn count_row(model: &Model, actuator: usize) -> usize {
    let [target, second] = model.actuator_trnid[actuator];
    let target = target as usize;
    let kind = model.actuator_trntype[actuator];
    if kind == TrnType::Joint || kind == TrnType::Jointinparent {
        return match model.jnt_type[target] {
            t if t == JointType::Free => 6,
            t if t == JointType::Ball => 3,
            _ => 1,
        };
    }
    let site_body = |site: i32| usize::try_from(site).map_or(0, |s| model.site_bodyid[s] as usize);
    if kind == TrnType::Slidercrank {
        merged_chain(model, site_body(target as i32), site_body(second), false)
    } else if kind == TrnType::Site {
        merged_chain(model, site_body(target as i32), site_body(second), true)
    } else if kind == TrnType::Tendon {
        count_tendon(model, target)
    } else {
        model.nv
    }
}

/// Dofs that move either of two bodies; with `skip_common` those that move both are left out.
fn merged_chain(model: &Model, body1: usize, body2: usize, skip_common: bool) -> usize {
    let last_dof = |body: usize| {
        let weld = model.body_weldid[body] as usize;
        if model.is_fixed(body) { -1 } else { model.body_dofadr[weld] + model.body_dofnum[weld] - 1 }
    };
    let (mut dof1, mut dof2) = (last_dof(body1), last_dof(body2));
    let mut count = 0;
    while dof1 >= 0 || dof2 >= 0 {
        let last = dof1.max(dof2);
        if skip_common && dof1 == dof2 {
            break;
        }
        count += 1;
        if dof1 == last {
            dof1 = model.dof_parentid[last as usize];
        }
        if dof2 == last {
            dof2 = model.dof_parentid[last as usize];
        }
    }
    count
}

fn count_tendon(model: &Model, tendon: usize) -> usize {
    use kinetree_model::enums::WrapType;
    let start = model.tendon_adr[tendon] as usize;
    let wraps = start..start + model.tendon_num[tendon] as usize;
    if model.wrap_type[start] == WrapType::Joint {
        return wraps.len();
    }
    let mut counted = vec![false; model.nbody];
    let mut dofs = 0;
    for w in wraps {
        let object = model.wrap_objid[w] as usize;
        let mut body = match model.wrap_type[w] {
            t if t == WrapType::Site => model.site_bodyid[object] as usize,
            t if t == WrapType::Sphere || t == WrapType::Cylinder => model.geom_bodyid[object] as usize,
            _ => 0,
        };
        while body > 0 && !counted[body] {
            counted[body] = true;
            dofs += model.body_dofnum[body] as usize;
            body = model.body_parentid[body] as usize;
        }
    }
    dofs
}
