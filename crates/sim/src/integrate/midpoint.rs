//! Implicit midpoint rule for a free rigid body.
//!
//! In principal axes, `2/h I (ω̄ − ω) + ω̄ × I ω̄ = τ` is solved for the midpoint angular velocity `ω̄` by
//! Newton's method with backtracking; the new one is `2 ω̄ − ω`. When the centre of mass is off the joint,
//! its velocity follows from `(2/h + [ω̄]×) v̄ = f/m + g + 2/h v`, which has a closed solution.

use kinetree_math::dense::solve3;
use kinetree_math::rot::{axis_angle_to_quat, normalize3, quat_conj, quat_mul, quat_rotate};
use kinetree_math::{Mat3, Quat, Vec3};
use kinetree_model::Model;
use kinetree_model::enums::JointType;

/// Most Newton iterations.
const MAX_ITERATIONS: usize = 100;
/// Most halvings of a Newton step.
const MAX_HALVINGS: usize = 20;
/// Relative residual at which the iteration stops.
const TOLERANCE: f64 = 1e-13;

/// Velocity of one free body before and after a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeStep {
    /// First dof.
    pub(super) dof: usize,
    /// First component that is taken from the midpoint rule.
    pub(super) first: usize,
    /// Velocity before.
    pub(super) old: [f64; 6],
    /// Velocity after.
    pub(super) new: [f64; 6],
}

/// Whether a joint frees a body that carries all the mass of its tree.
pub(crate) fn is_standalone(model: &Model, joint: usize) -> bool {
    if model.jnt_type[joint] != JointType::Free {
        return false;
    }
    let body = model.jnt_bodyid[joint] as usize;
    let tree = model.dof_treeid[model.jnt_dofadr[joint] as usize] as usize;
    model.tree_dofnum[tree] == 6 && model.body_subtreemass[body] == model.body_mass[body]
}

/// Whether the centre of mass is at the joint, so that rotation and translation do not couple.
pub(crate) fn is_aligned(model: &Model, body: usize) -> bool {
    model.body_ipos[body] == [0.0; 3]
}

/// Mass, principal inertia, centre of mass and principal axes of a body, in its own frame.
#[derive(Clone, Copy, Debug)]
pub struct FreeBody {
    /// Mass (kg).
    pub mass: f64,
    /// Principal moments of inertia (kg m²).
    pub inertia: [f64; 3],
    /// Centre of mass (m).
    pub ipos: [f64; 3],
    /// Orientation of the principal axes.
    pub iquat: Quat,
}

/// Velocity after one step. Linear velocity and force are in world axes, angular ones in body axes.
pub(crate) fn midpoint_velocity(
    model: &Model,
    body: usize,
    orientation: &Quat,
    velocity: &[f64; 6],
    force: &[f64; 6],
    gravity: Option<&[f64; 3]>,
) -> [f64; 6] {
    let free = FreeBody {
        mass: model.body_mass[body],
        inertia: model.body_inertia[body],
        ipos: model.body_ipos[body],
        iquat: model.body_iquat[body],
    };
    free_body_step(&free, orientation, velocity, force, gravity, model.opt.timestep).0
}

/// Velocity of a free body after a step of the implicit midpoint rule, and how many Newton iterations it
/// took. Linear velocity and force are in world axes, angular ones in body axes.
#[must_use]
pub fn free_body_step(
    body: &FreeBody,
    orientation: &Quat,
    velocity: &[f64; 6],
    force: &[f64; 6],
    gravity: Option<&[f64; 3]>,
    h: f64,
) -> ([f64; 6], usize) {
    let iquat = &body.iquat;
    let to_principal = quat_conj(iquat);
    let spin = quat_rotate(&to_principal, &Vec3::new(velocity[3], velocity[4], velocity[5]));
    let torque = quat_rotate(&to_principal, &Vec3::new(force[3], force[4], force[5]));
    let inertia = Vec3::from(body.inertia);
    let aligned = body.ipos == [0.0; 3];

    // everything in principal axes
    let from_world = quat_mul(&to_principal, &quat_conj(orientation));
    let push = quat_rotate(&from_world, &Vec3::new(force[0], force[1], force[2]));
    let arm = quat_rotate(&to_principal, &Vec3::from(body.ipos));
    let torque = if aligned { torque } else { torque - arm.cross(&push) };

    let (mid_spin, iterations) = midpoint_spin(&inertia, &spin, &torque, h);
    let new_spin = quat_rotate(iquat, &(mid_spin * 2.0 - spin));
    let mut new = *velocity;
    new[3..].copy_from_slice(new_spin.as_slice());
    if aligned {
        return (new, iterations);
    }

    let linear = quat_rotate(&from_world, &Vec3::new(velocity[0], velocity[1], velocity[2]));
    let rate = 2.0 / h;
    let mut rhs = push / body.mass + (linear + spin.cross(&arm)) * rate;
    if let Some(gravity) = gravity {
        rhs += quat_rotate(&from_world, &Vec3::from(*gravity));
    }
    let mid_com = (rhs * rate + mid_spin * (mid_spin.dot(&rhs) / rate) - mid_spin.cross(&rhs))
        / (rate * rate + mid_spin.dot(&mid_spin));
    let new_linear = (mid_com - mid_spin.cross(&arm)) * 2.0 - linear;

    // back to world axes through the new orientation
    let mut axis = quat_rotate(iquat, &mid_spin);
    let angle = h * normalize3(&mut axis);
    let new_orientation = quat_mul(orientation, &axis_angle_to_quat(&axis, angle));
    let world = quat_rotate(&new_orientation, &quat_rotate(iquat, &new_linear));
    new[..3].copy_from_slice(world.as_slice());
    (new, iterations)
}

/// Midpoint angular velocity in principal axes, and how many iterations it took.
fn midpoint_spin(inertia: &Vec3, spin: &Vec3, torque: &Vec3, h: f64) -> (Vec3, usize) {
    let rate = 2.0 / h;
    let scaled = inertia * rate;
    let residual = |w: &Vec3| scaled.component_mul(&(w - spin)) + w.cross(&inertia.component_mul(w)) - torque;
    let d = Vec3::new(inertia.z - inertia.y, inertia.x - inertia.z, inertia.y - inertia.x);
    let mut mid = *spin;
    for iteration in 0..MAX_ITERATIONS {
        let f = residual(&mid);
        let norm = f.norm();
        if norm < TOLERANCE * (1.0 + rate * inertia.component_mul(&mid).norm()) {
            return (mid, iteration);
        }
        #[rustfmt::skip]
        let jacobian = Mat3::new(
            scaled.x,       mid.z * d.x,    mid.y * d.x,
            mid.z * d.y,    scaled.y,       mid.x * d.y,
            mid.y * d.z,    mid.x * d.z,    scaled.z,
        );
        let delta = solve3(&jacobian, &-f);
        let mut step = 1.0;
        for _ in 0..MAX_HALVINGS {
            let candidate = mid + delta * step;
            if residual(&candidate).norm() < norm {
                mid = candidate;
                break;
            }
            step *= 0.5;
        }
    }
    (mid, MAX_ITERATIONS)
}
