//! Adhesion, linearized: a force along the normals of all contacts of a body, shared among them.

use super::frame::axes;
use super::motion::DofMotion;
use super::narrow::NarrowProbe;
use super::witness::Witness;
use crate::derivative::analytic::body_forces::{BodyForces, wrench};
use crate::derivative::analytic::motion::Point;
use crate::derivative::error::DerivativeError;
use crate::kinematics::chain::walk_chains;
use kinetree_math::Vec3;
use kinetree_model::enums::TrnType;
use kinetree_model::{Contact, Data, Model};

/// Whether a contact counts for the adhesion of a body: those in the gap do.
fn counts(model: &Model, contact: &Contact, body: i32) -> bool {
    let [Ok(g1), Ok(g2)] = contact.geom.map(usize::try_from) else { return false };
    let touches = model.geom_bodyid[g1] == body || model.geom_bodyid[g2] == body;
    touches && (contact.exclude == 1 || (contact.exclude == 0 && contact.efc_address >= 0))
}

/// Adds the forces of all adhesive actuators.
///
/// # Errors
/// When there is a contact whose motion is not known.
pub(crate) fn add_adhesion(
    model: &Model,
    data: &Data,
    probe: &mut NarrowProbe,
    forces: &mut BodyForces,
) -> Result<(), DerivativeError> {
    for i in (0..model.nu).filter(|&i| model.actuator_trntype[i] == TrnType::Body) {
        let (body, force) = (model.actuator_trnid[i][0], data.actuator_force[i]);
        if force == 0.0 {
            continue;
        }
        let contacts = || (0..data.ncon).filter(|&id| counts(model, &data.contact[id], body));
        let share = -force / contacts().count().max(1) as f64;
        for id in contacts() {
            add_contact(model, data, id, share, probe, forces).map_err(DerivativeError::Unsupported)?;
        }
    }
    Ok(())
}

/// Adds a force along the normal of a contact.
fn add_contact(
    model: &Model,
    data: &Data,
    id: usize,
    size: f64,
    probe: &mut NarrowProbe,
    forces: &mut BodyForces,
) -> Result<(), crate::derivative::analytic::contact::motion::Refusal> {
    let (witness, contact) = (Witness::new(model, data, id, probe)?, &data.contact[id]);
    let bodies = witness.points.map(|p| p.body);
    let points = bodies.map(|body| Point::new(model, data, body, &Vec3::from(contact.pos)));
    let force = axes(contact)[0] * size;
    for (p, sign) in points.iter().zip([-1.0, 1.0]) {
        forces.add(p.body, &wrench(&p.offset, &(force * sign), &Vec3::zeros()));
    }
    let mut smooth = true;
    walk_chains(model, bodies, false, |j, moves| {
        let moved = witness.motion(&DofMotion { axis: &data.cdof[j], moves }, probe);
        smooth &= moved.smooth;
        let (df, dt) = (moved.rotation.cross(&force), moved.point.cross(&force));
        for (p, sign) in points.iter().zip([-1.0, 1.0]) {
            forces.add_derivative(p.body, j, &wrench(&p.offset, &(df * sign), &(dt * sign)));
        }
    });
    probe.kinks += usize::from(!smooth);
    Ok(())
}
