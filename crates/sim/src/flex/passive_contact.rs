//! Contacts of flexes whose contacts act as passive forces: a stiff spring along the normal in place of
//! constraint rows.

use super::contact_bodies::{ContactBodies, touches_flex};
use crate::kinematics::chain::last_dof;
use crate::support::apply_ft;
use kinetree_math::Vec3;
use kinetree_model::enums::DisableBit;
use kinetree_model::{Data, Model};

/// `Contact::exclude` of a contact that no dof moves.
const STILL: i32 = 3;
/// `Contact::exclude` of a contact that acts as a passive force.
const PASSIVE: i32 = 4;
/// Stiffness of such contacts (N/m).
const STIFFNESS: f64 = 1e4;

/// Takes the contacts of passive flexes from the constraint solver.
pub(crate) fn exclude_contacts(model: &Model, data: &mut Data) {
    if model.nflex == 0 {
        return;
    }
    for contact in data.contact.iter_mut().filter(|contact| touches_flex(contact)) {
        let flexes = contact.flex.iter().filter_map(|&flex| usize::try_from(flex).ok());
        if flexes.into_iter().any(|flex| model.flex_passive[flex] != 0) {
            contact.efc_address = -1;
            contact.exclude = PASSIVE;
        }
    }
}

/// Adds the forces of passive contacts to `qfrc_spring`.
pub(crate) fn add_forces(model: &Model, data: &mut Data, bodies: &mut ContactBodies) {
    if model.nflex == 0 || model.nv == 0 || model.disabled(DisableBit::Contact) {
        return;
    }
    for i in 0..data.contact.len() {
        if data.contact[i].exclude != PASSIVE {
            continue;
        }
        bodies.find(model, data, i);
        if model.is_sparse() && bodies.bodies.iter().all(|&body| last_dof(model, body) < 0) {
            data.contact[i].exclude = STILL;
            continue;
        }
        let Data { contact, qfrc_spring, cdof, subtree_com, .. } = &mut *data;
        let contact = &contact[i];
        let push =
            Vec3::new(contact.frame[0], contact.frame[1], contact.frame[2]) * (-STIFFNESS * contact.dist);
        for (b, (&body, &weight)) in bodies.bodies.iter().zip(&bodies.weights).enumerate() {
            let share = if b < bodies.first { -weight } else { weight };
            let motions = (&cdof[..], &subtree_com[..]);
            apply_ft(model, motions, &(push * share).into(), &[0.0; 3], &contact.pos, body, qfrc_spring);
        }
    }
}
