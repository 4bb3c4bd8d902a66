//! Actuators of a site relative to a reference site, linearized.
//!
//! A wrench with the axes of the reference acts on the site, and its opposite on the reference, on the dofs
//! that move only one of them. Moment arms are therefore not the gradient of the length, which has slopes of
//! its own.

use super::Point;
use super::body_forces::wrench;
use super::motion::{at_point, for_each_moving, turns};
use crate::kinematics::poses::vec3_at;
use kinetree_math::rot::{mat3, quat_mul, quat_rotate, quat_rotate_inv, quat_sub_deriv};
use kinetree_math::spatial::{add6, angular, cross_motion, dot6, vec6};
use kinetree_math::{Quat, Vec3};
use kinetree_model::{Data, Model};

/// A site and its reference.
pub(super) struct SitePair<'a> {
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
    gear_turn: Vec3,
}

impl<'a> SitePair<'a> {
    pub(super) fn new(model: &'a Model, data: &'a Data, i: usize) -> Self {
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
            gear_turn: vec3_at(gear, 3),
        }
    }

    fn bodies(&self) -> [usize; 2] {
        self.points.map(|point| point.body)
    }

    /// Calls `visit` with the slope of the length with each dof.
    pub(super) fn for_each_length_slope(&self, mut visit: impl FnMut(usize, f64)) {
        let [reference, site] = &self.points;
        let apart = site.pos - reference.pos;
        let turned = self.gear_turn != Vec3::zeros();
        let (by_site, by_reference) = quat_sub_deriv(&self.quats[1], &self.quats[0]);
        for_each_moving(self.model, self.bodies(), |j, moves| {
            let axis = &self.data.cdof[j];
            let mut slope = 0.0;
            if moves[1] {
                slope += self.force.dot(&at_point(axis, &site.offset));
            }
            if moves[0] {
                let back = at_point(axis, &reference.offset) + angular(axis).cross(&apart);
                slope -= self.force.dot(&back);
            }
            if turned {
                for (k, by) in [(0, &by_reference), (1, &by_site)] {
                    if moves[k] {
                        // a turn of the body, seen through the site's rotation, in local axes
                        let turn = quat_rotate(&self.own[k], &angular(axis));
                        slope += self.gear_turn.dot(&(by * quat_rotate_inv(&self.quats[k], &turn)));
                    }
                }
            }
            visit(j, slope);
        });
    }

    /// Calls `visit` with `k`, `j` and `∂J_k/∂q_j` of the moment arms.
    pub(super) fn for_each_arm_slope(&self, mut visit: impl FnMut(usize, usize, f64)) {
        let data = self.data;
        for_each_moving(self.model, self.bodies(), |k, own| {
            if own[0] == own[1] {
                return;
            }
            let (side, sign) = if own[1] { (1, 1.0) } else { (0, -1.0) };
            let at = &self.points[side];
            let whole = wrench(&at.offset, &self.force, &self.torque);
            for_each_moving(self.model, self.bodies(), |j, moves| {
                let axis = &data.cdof[j];
                let mut change = [0.0; 6];
                if moves[0] {
                    let turn = angular(axis);
                    let (df, dt) = (turn.cross(&self.force), turn.cross(&self.torque));
                    change = wrench(&at.offset, &df, &dt);
                }
                if moves[side] {
                    let moved = at_point(axis, &at.offset);
                    change = add6(&change, &vec6(&moved.cross(&self.force), &Vec3::zeros()));
                }
                let mut slope = dot6(&data.cdof[k], &change);
                if turns(self.model, j, k) {
                    slope += dot6(&cross_motion(axis, &data.cdof[k]), &whole);
                }
                visit(k, j, sign * slope);
            });
        });
    }
}
