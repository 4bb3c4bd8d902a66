//! Velocities and accelerations of points on bodies, and how they change with positions and velocities.

use super::motion::{MotionField, at_point, rotation_group};
use kinetree_math::Vec3;
use kinetree_math::spatial::{Vec6, add_scaled6, add6, angular, cross_motion, sub6};
use kinetree_model::{Data, Model};

/// Motion fields at the linearization point.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    /// Of `qvel`.
    pub(super) velocity: &'a MotionField,
    /// Of `qacc`, without velocity products.
    pub(super) qacc: &'a MotionField,
    /// True accelerations, with gravity.
    pub(super) acceleration: &'a MotionField,
}

impl Fields<'_> {
    /// Changes of a body's spatial velocity and acceleration with the position of a dof that moves it.
    pub(super) fn position_change(&self, body: usize, j: usize, axis: &Vec6) -> (Vec6, Vec6) {
        let base = &self.velocity.base[j];
        let relative = sub6(&self.velocity.body[body], base);
        let da = sub6(
            &self.acceleration.derivative(body, j, axis),
            &cross_motion(&cross_motion(axis, base), &relative),
        );
        (cross_motion(axis, &relative), da)
    }

    /// Change of a body's spatial acceleration with the velocity of a dof that moves it.
    pub(super) fn velocity_change(
        &self,
        model: &Model,
        data: &Data,
        body: usize,
        j: usize,
        axis: &Vec6,
    ) -> Vec6 {
        let base = &self.velocity.base[j];
        let mut behind = *base;
        for k in rotation_group(model, j) {
            add_scaled6(&mut behind, &data.cdof[k], data.qvel[k]);
        }
        cross_motion(axis, &sub6(&self.velocity.body[body], &add6(base, &behind)))
    }
}

/// Velocity and acceleration of a point and of the frame that it is fixed to, or their derivatives.
#[derive(Clone, Copy)]
pub(super) struct PointMotion {
    /// Velocity and acceleration of the point.
    pub(super) velocity: Vec3,
    pub(super) acceleration: Vec3,
    /// Angular velocity and acceleration.
    pub(super) spin: Vec3,
    pub(super) spin_rate: Vec3,
}

impl PointMotion {
    /// No motion, or no change.
    pub(super) const STILL: Self = {
        let zero = Vec3::new(0.0, 0.0, 0.0);
        Self { velocity: zero, acceleration: zero, spin: zero, spin_rate: zero }
    };

    /// Of a point under spatial velocity and acceleration.
    pub(super) fn new(velocity: &Vec6, acceleration: &Vec6, offset: &Vec3) -> Self {
        let point = at_point(velocity, offset);
        Self {
            velocity: point,
            acceleration: at_point(acceleration, offset) + angular(velocity).cross(&point),
            spin: angular(velocity),
            spin_rate: angular(acceleration),
        }
    }

    /// Change when spatial velocity and acceleration change and the point moves.
    pub(super) fn change(&self, dv: &Vec6, da: &Vec6, moved: &Vec3, offset: &Vec3) -> Self {
        let velocity = at_point(dv, offset) + self.spin.cross(moved);
        Self {
            velocity,
            acceleration: at_point(da, offset)
                + self.spin_rate.cross(moved)
                + angular(dv).cross(&self.velocity)
                + self.spin.cross(&velocity),
            spin: angular(dv),
            spin_rate: angular(da),
        }
    }
}
