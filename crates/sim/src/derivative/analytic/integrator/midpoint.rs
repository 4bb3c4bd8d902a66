//! The implicit midpoint rule of free bodies that stand alone, linearized.
//!
//! In principal axes the midpoint spin `ω̄` solves `2/h I (ω̄ − ω) + ω̄ × I ω̄ = τ`, and the midpoint
//! velocity of the centre of mass `(2/h + [ω̄]×) v̄ = r`; both are differentiated as they stand. The external
//! force is what inverse dynamics says, `τ = M a + c`, so that its derivative is that of inverse dynamics.

use crate::integrate::{is_aligned, midpoint_velocity};
use kinetree_math::rot::{quat_integrate_deriv, quat_to_mat};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::enums::DisableBit;
use kinetree_model::{Data, Model};

/// The step of one free body.
pub(crate) struct FreeStep {
    /// First dof.
    pub(crate) dof: usize,
    /// First component that the midpoint rule gives.
    pub(crate) first: usize,
    /// Velocity before and after.
    pub(crate) old: [f64; 6],
    pub(crate) new: [f64; 6],
    /// Derivatives of the velocity after the step with rotations of the body, velocities before and external
    /// forces.
    pub(crate) by_rotation: [[f64; 6]; 3],
    pub(crate) by_velocity: [[f64; 6]; 6],
    pub(crate) by_force: [[f64; 6]; 6],
    inertia: Vec3,
    mass: f64,
    arm: Vec3,
    /// From principal to body axes, from body to world axes, and to world axes after the step.
    principal: Mat3,
    world: Mat3,
    rotation_by_position: Mat3,
    rotation_by_velocity: Mat3,
    next_world: Mat3,
    push: Vec3,
    gravity: Vec3,
    h: f64,
}

/// Changes of a body's orientation (in body axes), velocity and external force.
struct FreeChange {
    rotation: Vec3,
    velocity: [f64; 6],
    force: [f64; 6],
}

impl FreeChange {
    const NONE: Self = Self { rotation: Vec3::new(0.0, 0.0, 0.0), velocity: [0.0; 6], force: [0.0; 6] };
}

fn halves(x: &[f64; 6]) -> (Vec3, Vec3) {
    (Vec3::new(x[0], x[1], x[2]), Vec3::new(x[3], x[4], x[5]))
}

impl FreeStep {
    /// The step of the free body of a joint under an external force.
    pub(crate) fn new(model: &Model, data: &Data, joint: usize, force: &[f64; 6]) -> Self {
        let dof = model.jnt_dofadr[joint] as usize;
        let body = model.jnt_bodyid[joint] as usize;
        let old: [f64; 6] = std::array::from_fn(|k| data.qvel[dof + k]);
        let gravity = (!model.disabled(DisableBit::Gravity)).then_some(&model.opt.gravity);
        let new = midpoint_velocity(model, body, &data.xquat[body], &old, force, gravity);
        let h = model.opt.timestep;
        let spin = (halves(&old).1 + halves(&new).1) * 0.5;
        let rotation = quat_integrate_deriv(&spin, h);
        let world = quat_to_mat(&data.xquat[body]);
        let mut step = Self {
            dof,
            first: if is_aligned(model, body) { 3 } else { 0 },
            old,
            new,
            by_rotation: [[0.0; 6]; 3],
            by_velocity: [[0.0; 6]; 6],
            by_force: [[0.0; 6]; 6],
            inertia: Vec3::from(model.body_inertia[body]),
            mass: model.body_mass[body],
            arm: Vec3::from(model.body_ipos[body]),
            principal: quat_to_mat(&model.body_iquat[body]),
            // the inverse of the rotation of a step is its derivative with the orientation before
            next_world: world * rotation.quat.transpose(),
            world,
            rotation_by_position: rotation.quat,
            rotation_by_velocity: rotation.vel,
            push: world.tr_mul(&halves(force).0),
            gravity: gravity.map_or(Vec3::zeros(), |g| world.tr_mul(&Vec3::from(*g))),
            h,
        };
        step.by_rotation = std::array::from_fn(|k| {
            let mut change = FreeChange::NONE;
            change.rotation[k] = 1.0;
            step.change(&change)
        });
        step.by_velocity = std::array::from_fn(|k| {
            let mut change = FreeChange::NONE;
            change.velocity[k] = 1.0;
            step.change(&change)
        });
        step.by_force = std::array::from_fn(|k| {
            let mut change = FreeChange::NONE;
            change.force[k] = 1.0;
            step.change(&change)
        });
        step
    }

    /// Whether the midpoint rule gives the velocity of a dof.
    pub(crate) fn moves(&self, dof: usize) -> bool {
        (self.dof + self.first..self.dof + 6).contains(&dof)
    }

    /// Change of the velocity after the step. All in body axes but the linear halves.
    fn change(&self, change: &FreeChange) -> [f64; 6] {
        let rate = 2.0 / self.h;
        let aligned = self.first == 3;
        let (dv, dw) = halves(&change.velocity);
        let (dforce, mut dtorque) = halves(&change.force);
        let dpush = self.world.tr_mul(&dforce) - change.rotation.cross(&self.push);
        if !aligned {
            dtorque -= self.arm.cross(&dpush);
        }

        // spin, in principal axes
        let (spin, new_spin) = (halves(&self.old).1, halves(&self.new).1);
        let mid = (spin + new_spin) * 0.5;
        let m = self.principal.tr_mul(&mid);
        let i = &self.inertia;
        let (dx, dy, dz) = (i.z - i.y, i.x - i.z, i.y - i.x);
        #[rustfmt::skip]
        let jacobian = Mat3::new(
            i.x * rate, m.z * dx,   m.y * dx,
            m.z * dy,   i.y * rate, m.x * dy,
            m.y * dz,   m.x * dz,   i.z * rate,
        );
        let right = i.component_mul(&self.principal.tr_mul(&dw)) * rate + self.principal.tr_mul(&dtorque);
        let dmid = self.principal * kinetree_math::dense::solve3(&jacobian, &right);
        let dspin = dmid * 2.0 - dw;
        let mut out = [0.0, 0.0, 0.0, dspin.x, dspin.y, dspin.z];
        if aligned {
            return out;
        }

        // velocity of the centre of mass, in body axes
        let linear = self.world.tr_mul(&halves(&self.old).0);
        let dlinear = self.world.tr_mul(&dv) - change.rotation.cross(&linear);
        let com = self.push / self.mass + (linear + spin.cross(&self.arm)) * rate + self.gravity;
        let dcom =
            dpush / self.mass + (dlinear + dw.cross(&self.arm)) * rate - change.rotation.cross(&self.gravity);
        let matrix = Mat3::identity() * rate + mid.cross_matrix();
        let mid_com = kinetree_math::dense::solve3(&matrix, &com);
        let dmid_com = kinetree_math::dense::solve3(&matrix, &(dcom - dmid.cross(&mid_com)));
        let new_linear = (mid_com - mid.cross(&self.arm)) * 2.0 - linear;
        let dnew = (dmid_com - dmid.cross(&self.arm)) * 2.0 - dlinear;
        let rotation =
            self.rotation_by_position * change.rotation + self.rotation_by_velocity * (dmid * self.h);
        let world = self.next_world * (dnew + rotation.cross(&new_linear));
        out[..3].copy_from_slice(world.as_slice());
        out
    }
}
