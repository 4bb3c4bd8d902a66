//! Contacts in a product `μᵀ ∂τ`, without a loop over dofs.
//!
//! The weights move the bodies against each other at the contact by `y` along the axes of its frame, so that
//! of the change of the force, `λ = x' f − C r` in the frame (`force.rs`), the product keeps
//! `y · λ = x' (y · f) − z · r` with `z = C y`. All of it is linear in the derivatives of the fields at the
//! contact point, which are wrenches on these fields, and in the motion of the contact, which goes on to its
//! bodies (`witness_product.rs`).

use super::force::{ContactForce, relative_motions};
use super::frame::{FrameVector, components};
use super::motion::DofMotion;
use super::narrow::NarrowProbe;
use super::witness_product::MotionWeights;
use crate::derivative::analytic::body_forces::{BodyForces, wrench};
use crate::derivative::analytic::motion::at_point;
use crate::derivative::analytic::point_motion::Fields;
use crate::derivative::error::DerivativeError;
use crate::kinematics::chain::walk_chains;
use kinetree_math::Vec3;
use kinetree_math::spatial::angular;
use kinetree_model::{Data, Model};

/// Adds all contacts to a product.
///
/// # Errors
/// When there is a contact whose motion is not known.
pub(crate) fn pull_contacts(
    model: &Model,
    data: &Data,
    fields: &Fields<'_>,
    probe: &mut NarrowProbe,
    forces: &mut BodyForces,
) -> Result<(), DerivativeError> {
    for id in 0..data.ncon {
        if let Some(contact) = ContactForce::new(model, data, id, probe)? {
            pull_contact(model, data, &contact, fields, probe, forces);
        }
    }
    Ok(())
}

fn pull_contact(
    model: &Model,
    data: &Data,
    contact: &ContactForce<'_>,
    fields: &Fields<'_>,
    probe: &mut NarrowProbe,
    forces: &mut BodyForces,
) {
    let ContactForce { cone, witness, axes, points, force, torque } = contact;
    for (p, sign) in points.iter().zip([-1.0, 1.0]) {
        forces.add(p.body, &wrench(&p.offset, &(force * sign), &(torque * sign)));
    }
    let weights = forces.weight_field();
    let [first, second] = points.map(|p| {
        let motion = &weights.body[p.body];
        (at_point(motion, &p.offset), angular(motion))
    });
    let (shift, rotation) = (second.0 - first.0, second.1 - first.1);
    let y = components(axes, &shift, &rotation, cone.dim);
    let z = cone.mul(&y);
    let damped: FrameVector = std::array::from_fn(|k| cone.damping[k] * z[k]);

    // on the relative motions of the fields, and through them on the motion of the contact
    let pulls = [contact.in_world(&z), contact.in_world(&damped)];
    let along: f64 = y.iter().zip(&cone.force).map(|(y, f)| y * f).sum();
    let mut moved = MotionWeights {
        point: force.cross(&rotation),
        rotation: force.cross(&shift) + torque.cross(&rotation),
        distance: cone.scaling * along - cone.stiffness * z[0],
    };
    for ((_, values), (pull, twist)) in relative_motions(fields, points).iter().zip(&pulls) {
        moved.point -= pull.cross(&values.1);
        moved.rotation += values.0.cross(pull) + values.1.cross(twist);
    }
    for (p, sign) in points.iter().zip([1.0, -1.0]) {
        let wrenches = pulls.map(|(pull, twist)| wrench(&p.offset, &pull, &twist));
        forces.pull_fields(fields, p.body, &wrenches, sign);
    }

    if let Some(sides) = witness.pull(&moved) {
        for (p, side) in witness.points.iter().zip(&sides) {
            forces.pull_motion(p.body, &wrench(&p.offset, &side.velocity, &side.rotation));
        }
        return;
    }
    let mut smooth = true;
    walk_chains(model, points.map(|p| p.body), false, |j, moves| {
        let motion = witness.motion(&DofMotion { axis: &data.cdof[j], moves }, probe);
        smooth &= motion.smooth;
        let along = |a: &Vec3, b: &Vec3| a.dot(b);
        let total = along(&moved.point, &motion.point) + along(&moved.rotation, &motion.rotation);
        forces.pull_position(j, total + moved.distance * motion.distance);
    });
    probe.kinks += usize::from(!smooth);
}
