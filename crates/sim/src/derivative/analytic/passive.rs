//! Derivatives of passive forces: springs and dampers of joints, gravity compensation, applied forces and
//! fluid. Tendons are in `tendon/force.rs`.

use super::body_forces::{BodyForces, wrench};
use super::gradient::Gradient;
use super::motion::{Point, at_point};
use crate::derivative::velocity::fluid::element_jacobian;
use crate::derivative::velocity::passive::dof_damping_derivative;
use crate::forces::fluid::{element_wrench, fluid_elements};
use crate::forces::passive::has_gravity;
use crate::kinematics::chain::chain_dofs;
use crate::kinematics::poses::{unit_quat, vec3_at};
use kinetree_math::misc::{PolyKind, poly_force, poly_force_deriv};
use kinetree_math::rot::{mat3, quat_sub, quat_sub_deriv};
use kinetree_math::spatial::{Vec6, add_to6, angular, cross_force, cross_motion, dot6, sub6, vec6};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::enums::{DisableBit, JointType};
use kinetree_model::{Data, Model};
use nalgebra::Vector6;

/// Subtracts the derivatives of joint springs and dampers from `∂g`.
pub(super) fn subtract_joint_forces(model: &Model, data: &Data, gradient: &mut Gradient) {
    let (springs, dampers) = (!model.disabled(DisableBit::Spring), !model.disabled(DisableBit::Damper));
    for joint in 0..model.njnt {
        if springs && (model.jnt_stiffness[joint] != 0.0 || model.jnt_stiffnesspoly[joint] != [0.0; 2]) {
            subtract_spring(model, data, joint, gradient);
        }
    }
    for dof in 0..model.nv {
        if dampers {
            gradient.add_velocity(dof, dof, dof_damping_derivative(model, data, dof));
        }
    }
}

fn subtract_spring(model: &Model, data: &Data, joint: usize, gradient: &mut Gradient) {
    let (stiffness, poly) = (model.jnt_stiffness[joint], &model.jnt_stiffnesspoly[joint]);
    let (mut address, mut dof) = (model.jnt_qposadr[joint] as usize, model.jnt_dofadr[joint] as usize);
    let kind = model.jnt_type[joint];
    if kind == JointType::Hinge || kind == JointType::Slide {
        let x = data.qpos[address] - model.qpos_spring[address];
        gradient.add_position(dof, dof, poly_force_deriv(stiffness, poly, x, PolyKind::Signed));
        return;
    }
    // f = −c(|d|) d
    let mut pull = |dof: usize, d: &Vec3, derivative: &Mat3| {
        let length = d.norm();
        let factor = poly_force(stiffness, poly, length, PolyKind::Signed);
        let mut local = Mat3::identity() * factor;
        if length > 0.0 {
            local += d * d.transpose() * ((poly[0] + 2.0 * poly[1] * length) / length);
        }
        let total = local * derivative;
        for k in 0..3 {
            for j in 0..3 {
                gradient.add_position(dof + k, dof + j, total[(k, j)]);
            }
        }
    };
    if kind == JointType::Free {
        let d = vec3_at(&data.qpos, address) - vec3_at(&model.qpos_spring, address);
        pull(dof, &d, &Mat3::identity());
        address += 3;
        dof += 3;
    }
    let reference = unit_quat(&model.qpos_spring, address);
    let quat = unit_quat(&data.qpos, address);
    pull(dof, &quat_sub(&quat, &reference), &quat_sub_deriv(&quat, &reference).0);
}

/// Adds the forces that the user applies to bodies.
pub(super) fn add_applied_forces(model: &Model, data: &Data, forces: &mut BodyForces) {
    for body in 1..model.nbody {
        let applied = &data.xfrc_applied[body];
        if *applied != [0.0; 6] {
            add_at_center(model, data, body, &vec3_at(applied, 0), &vec3_at(applied, 3), forces);
        }
    }
}

/// Adds the forces that carry part of the weight of bodies.
pub(super) fn add_gravity_compensation(model: &Model, data: &Data, forces: &mut BodyForces) {
    let passive = !model.disabled(DisableBit::Spring) || !model.disabled(DisableBit::Damper);
    if !passive || model.ngravcomp == 0 || !has_gravity(model) {
        return;
    }
    for body in (1..model.nbody).filter(|&body| model.body_gravcomp[body] != 0.0) {
        let force = -Vec3::from(model.opt.gravity) * (model.body_mass[body] * model.body_gravcomp[body]);
        add_at_center(model, data, body, &force, &Vec3::zeros(), forces);
    }
}

/// Adds a force and a torque of fixed direction at the centre of mass of a body.
fn add_at_center(
    model: &Model,
    data: &Data,
    body: usize,
    force: &Vec3,
    torque: &Vec3,
    forces: &mut BodyForces,
) {
    let at = Point::new(model, data, body, &Vec3::from(data.xipos[body]));
    forces.add(body, &wrench(&at.offset, force, torque));
    for dof in chain_dofs(model, body) {
        let moved = at_point(&data.cdof[dof], &at.offset);
        forces.add_derivative(body, dof, &vec6(&moved.cross(force), &Vec3::zeros()));
    }
}

/// Adds the forces of the fluid. A force that follows from the velocity in body axes rotates with the body,
/// and changes with what the frames before the joints do not rotate along.
pub(super) fn add_fluid(
    model: &Model,
    data: &Data,
    base_velocity: &[Vec6],
    forces: &mut BodyForces,
    gradient: &mut Gradient,
) {
    let passive = !model.disabled(DisableBit::Spring) || !model.disabled(DisableBit::Damper);
    if !passive || (model.opt.viscosity == 0.0 && model.opt.density == 0.0) {
        return;
    }
    let wind = vec6(&Vec3::zeros(), &Vec3::from(model.opt.wind));
    for body in 1..model.nbody {
        for element in fluid_elements(model, body) {
            let (frame, derivative) = element_jacobian(model, data, body, element);
            let at = Point::new(model, data, body, &Vec3::from(*frame.pos));
            let axes = mat3(frame.mat);
            let force = element_wrench(model, data, body, element);
            let total = wrench(&at.offset, &Vec3::from(force.force), &Vec3::from(force.torque));
            forces.add(body, &total);
            // ∂F/∂x for a motion x of the body, in world axes about the reference point
            let respond = |x: &Vec6| {
                let (ang, lin) = (axes.tr_mul(&angular(x)), axes.tr_mul(&at_point(x, &at.offset)));
                let local = derivative * Vector6::new(ang.x, ang.y, ang.z, lin.x, lin.y, lin.z);
                let torque = axes * Vec3::new(local[0], local[1], local[2]);
                wrench(&at.offset, &(axes * Vec3::new(local[3], local[4], local[5])), &torque)
            };
            for j in chain_dofs(model, body) {
                let axis = &data.cdof[j];
                let mut change = cross_force(axis, &total);
                add_to6(&mut change, &respond(&cross_motion(axis, &sub6(&wind, &base_velocity[j]))));
                forces.add_derivative(body, j, &change);
                let by_velocity = respond(axis);
                for k in chain_dofs(model, body) {
                    gradient.add_velocity(k, j, -dot6(&data.cdof[k], &by_velocity));
                }
            }
        }
    }
}
