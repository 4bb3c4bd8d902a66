//! Transmissions that are linear in joint coordinates: joints and fixed tendons.

use crate::features::nonlinear_transmission::{is_rotating, is_spatial};
use crate::features::parameters::Table;
use kinetree_model::Model;
use kinetree_model::enums::TrnType;

/// Joint coordinate, dof and coefficient of each term of a length.
type Terms = Vec<(i32, i32, f64)>;

/// Lengths of actuators, then of tendons, as linear functions of joint coordinates; those that are not have
/// no terms.
pub(crate) fn write_linear_transmissions(model: &Model, table: &mut Table) {
    let joint_term = |joint: usize, coef: f64| (model.jnt_qposadr[joint], model.jnt_dofadr[joint], coef);
    let tendon_terms = |tendon: usize, scale: f64| -> Terms {
        if is_spatial(model, tendon) {
            return Vec::new();
        }
        let first = model.tendon_adr[tendon] as usize;
        let path = first..first + model.tendon_num[tendon] as usize;
        path.map(|w| joint_term(model.wrap_objid[w] as usize, scale * model.wrap_prm[w])).collect()
    };
    let actuator_terms = |u: usize| -> Terms {
        let (id, gear) = (model.actuator_trnid[u][0] as usize, model.actuator_gear[u][0]);
        match TrnType::try_from(model.actuator_trntype[u]) {
            Ok(TrnType::Tendon) => tendon_terms(id, gear),
            Ok(TrnType::Joint | TrnType::Jointinparent) if !is_rotating(model, id) => {
                vec![joint_term(id, gear)]
            }
            _ => Vec::new(),
        }
    };
    let mut transmissions: Vec<Terms> = (0..model.nu).map(actuator_terms).collect();
    transmissions.extend((0..model.ntendon).map(|t| tendon_terms(t, 1.0)));
    let mut starts = vec![0];
    starts.extend(transmissions.iter().scan(0, |sum, terms| {
        *sum += terms.len() as i32;
        Some(*sum)
    }));
    let terms = || transmissions.iter().flatten();
    table.ints("TRANSMISSION_START", starts);
    table.ints("TRANSMISSION_QPOSADR", terms().map(|term| term.0));
    table.ints("TRANSMISSION_DOF", terms().map(|term| term.1));
    table.floats("TRANSMISSION_COEF", terms().map(|term| term.2));
    // the same by dof
    let (mut starts, mut ids, mut coefs) = (vec![0], Vec::new(), Vec::new());
    for i in 0..model.nv {
        for (transmission, terms) in transmissions.iter().enumerate() {
            for term in terms.iter().filter(|term| term.1 as usize == i) {
                ids.push(transmission as i32);
                coefs.push(term.2);
            }
        }
        starts.push(ids.len() as i32);
    }
    table.ints("DOF_TRANSMISSION_START", starts);
    table.ints("DOF_TRANSMISSION", ids);
    table.floats("DOF_TRANSMISSION_COEF", coefs);
}
