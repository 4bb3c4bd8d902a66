//! Actuators of a site relative to a reference site, linearized.
//!
//! A wrench with the axes of the reference acts on the site, and its opposite on the reference, on the dofs
//! that move only one of them. Moment arms are therefore not the gradient of the length, which has
//! derivatives of its own.

use crate::derivative::analytic::body_forces::wrench;
use crate::derivative::analytic::motion::{Point, at_point, rotates};
use crate::kinematics::chain::walk_chains;
use crate::kinematics::poses::vec3_at;
use kinetree_math::rot::{mat3, quat_mul, quat_rotate, quat_rotate_inv, quat_sub_deriv};
use kinetree_math::spatial::{add6, angular, cross_motion, dot6, vec6};
use kinetree_math::{Quat, Vec3};
use kinetree_model::{Data, Model};

/// A site and its reference.
pub(crate) struct SitePair<'a> {
    model: &'a Model,
    data: &'a Data,
    /// The reference, then the site.
    points: [Point; 2],
    /// Rotations as the length takes them, and the sites' own in their bodies.
    quats: [Quat; 2],
    own: [Quat; 2],
    /// Gear in world axes.
    force: Vec3,
    torque: Vec3,
    gear_rotation: Vec3,
}

impl<'a> SitePair<'a> {
    pub(crate) fn new(model: &'a Model, data: &'a Data, i: usize) -> Self {
        let [site, reference] = model.actuator_trnid[i].map(|id| id as usize);
        let sites = [reference, site];
        let points = sites.map(|site| {
            let body = model.site_bodyid[site] as usize;
            Point::new(model, data, body, &Vec3::from(data.site_xpos[site]))
        });
        let own = sites.map(|site| model.site_quat[site]);
        // site and body rotations are multiplied in this order
        let quats = [0, 1].map(|k| quat_mul(&own[k], &data.xquat[points[k].body]));
        let axes = mat3(&data.site_xmat[reference]);
        let gear = &model.actuator_gear[i];
        Self {
            model,
            data,
            points,
            quats,
            own,
            force: axes * vec3_at(gear, 0),
            torque: axes * vec3_at(gear, 3),
            gear_rotation: vec3_at(gear, 3),
        }
    }

    fn bodies(&self) -> [usize; 2] {
        self.points.map(|point| point.body)
    }

    /// Calls `visit` with the derivative of the length with each dof.
    pub(crate) fn for_each_length_derivative(&self, mut visit: impl FnMut(usize, f64)) {
        let [reference, site] = &self.points;
        let separation = site.pos - reference.pos;
        let rotated = self.gear_rotation != Vec3::zeros();
        let (by_site, by_reference) = quat_sub_deriv(&self.quats[1], &self.quats[0]);
        walk_chains(self.model, self.bodies(), false, |j, moves| {
            let axis = &self.data.cdof[j];
            let mut derivative = 0.0;
            if moves[1] {
                derivative += self.force.dot(&at_point(axis, &site.offset));
            }
            if moves[0] {
                let back = at_point(axis, &reference.offset) + angular(axis).cross(&separation);
                derivative -= self.force.dot(&back);
            }
            if rotated {
                for (k, by) in [(0, &by_reference), (1, &by_site)] {
                    if moves[k] {
                        // a rotation of the body, seen through the site's rotation, in local axes
                        let rotation = quat_rotate(&self.own[k], &angular(axis));
                        derivative +=
                            self.gear_rotation.dot(&(by * quat_rotate_inv(&self.quats[k], &rotation)));
                    }
                }
            }
            visit(j, derivative);
        });
    }

    /// Calls `visit` with `k`, `j` and `∂J_k/∂q_j` of the moment arms.
    pub(crate) fn for_each_arm_derivative(&self, mut visit: impl FnMut(usize, usize, f64)) {
        let data = self.data;
        walk_chains(self.model, self.bodies(), false, |k, own| {
            if own[0] == own[1] {
                return;
            }
            let (side, sign) = if own[1] { (1, 1.0) } else { (0, -1.0) };
            let at = &self.points[side];
            let whole = wrench(&at.offset, &self.force, &self.torque);
            walk_chains(self.model, self.bodies(), false, |j, moves| {
                let axis = &data.cdof[j];
                let mut change = [0.0; 6];
                if moves[0] {
                    let rotation = angular(axis);
                    let (df, dt) = (rotation.cross(&self.force), rotation.cross(&self.torque));
                    change = wrench(&at.offset, &df, &dt);
                }
                if moves[side] {
                    let moved = at_point(axis, &at.offset);
                    change = add6(&change, &vec6(&moved.cross(&self.force), &Vec3::zeros()));
                }
                let mut derivative = dot6(&data.cdof[k], &change);
                if rotates(self.model, j, k) {
                    derivative += dot6(&cross_motion(axis, &data.cdof[k]), &whole);
                }
                visit(k, j, sign * derivative);
            });
        });
    }
}
