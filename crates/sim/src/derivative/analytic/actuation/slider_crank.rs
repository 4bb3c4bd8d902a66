//! Slider-cranks, linearized.
//!
//! With `v` from the slider's site to the pin of the crank and `a` the axis of the slider, the length is
//! `L = s − r` with `s = a·v` and `r = √(s² + rod² − v·v)`; out of reach of the rod it is `s`. It pulls on
//! the crank with `∂L/∂v` at the pin, on the slider with minus that at its site and with the torque
//! `a × ∂L/∂a`.

use crate::derivative::analytic::body_forces::{BodyForces, wrench};
use crate::derivative::analytic::motion::{MotionField, Point, at_point};
use crate::kinematics::chain::walk_chains;
use kinetree_math::Vec3;
use kinetree_math::spatial::angular;
use kinetree_model::{Data, Model};

/// A slider-crank.
pub(crate) struct Crank {
    /// The slider's site and the pin.
    ends: [Point; 2],
    axis: Vec3,
    v: Vec3,
    along: f64,
    /// `r`, unless it is out of reach.
    root: Option<f64>,
    gear: f64,
}

/// What a dof does to it.
struct Change {
    dof: usize,
    moves: [bool; 2],
    /// Velocities of the ends, and of the axis.
    ends: [Vec3; 2],
    axis: Vec3,
    /// Changes of `∂L/∂v` and `∂L/∂a`.
    by_v: Vec3,
    by_axis: Vec3,
}

impl Crank {
    pub(crate) fn new(model: &Model, data: &Data, i: usize) -> Self {
        let [crank, slider] = model.actuator_trnid[i].map(|id| id as usize);
        let ends = [slider, crank].map(|site| {
            let body = model.site_bodyid[site] as usize;
            Point::new(model, data, body, &Vec3::from(data.site_xpos[site]))
        });
        let mat = &data.site_xmat[slider];
        let axis = Vec3::new(mat[2], mat[5], mat[8]);
        let v = ends[1].pos - ends[0].pos;
        let along = v.dot(&axis);
        let rod = model.actuator_cranklength[i];
        let det = along * along + rod * rod - v.dot(&v);
        let root = (det > 0.0).then(|| det.sqrt());
        Self { ends, axis, v, along, root, gear: model.actuator_gear[i][0] }
    }

    /// `∂L/∂v` and `∂L/∂a`.
    fn gradients(&self) -> (Vec3, Vec3) {
        match self.root {
            Some(root) => {
                let factor = 1.0 - self.along / root;
                (self.axis * factor + self.v / root, self.v * factor)
            }
            None => (self.axis, self.v),
        }
    }

    /// Changes of the gradients.
    fn gradient_changes(&self, dv: &Vec3, daxis: &Vec3) -> (Vec3, Vec3) {
        let Some(root) = self.root else { return (*daxis, *dv) };
        let dalong = daxis.dot(&self.v) + self.axis.dot(dv);
        let droot = (self.along * dalong - self.v.dot(dv)) / root;
        let factor = 1.0 - self.along / root;
        let dfactor = -dalong / root + self.along * droot / (root * root);
        (
            daxis * factor + self.axis * dfactor + dv / root - self.v * (droot / (root * root)),
            dv * factor + self.v * dfactor,
        )
    }

    fn for_each_change(&self, model: &Model, data: &Data, mut visit: impl FnMut(&Change)) {
        walk_chains(model, self.ends.map(|end| end.body), false, |dof, moves| {
            let motion = &data.cdof[dof];
            let ends =
                [0, 1].map(|k| if moves[k] { at_point(motion, &self.ends[k].offset) } else { Vec3::zeros() });
            let axis = if moves[0] { angular(motion).cross(&self.axis) } else { Vec3::zeros() };
            let (by_v, by_axis) = self.gradient_changes(&(ends[1] - ends[0]), &axis);
            visit(&Change { dof, moves, ends, axis, by_v, by_axis });
        });
    }

    /// Calls `visit` with the derivative of the rate of a motion field along the crank.
    pub(crate) fn for_each_rate_derivative(
        &self,
        model: &Model,
        data: &Data,
        field: &MotionField,
        mut visit: impl FnMut(usize, f64),
    ) {
        let (by_v, by_axis) = self.gradients();
        let motion = self.ends.map(|end| &field.body[end.body]);
        let u = [0, 1].map(|k| at_point(motion[k], &self.ends[k].offset));
        let spin = angular(motion[0]);
        self.for_each_change(model, data, |change| {
            let derivative = [0, 1].map(|k| {
                let end = &self.ends[k];
                if change.moves[k] {
                    field.derivative(end.body, change.dof, &data.cdof[change.dof])
                } else {
                    [0.0; 6]
                }
            });
            let du = [0, 1].map(|k| {
                at_point(&derivative[k], &self.ends[k].offset) + angular(motion[k]).cross(&change.ends[k])
            });
            let rotated = angular(&derivative[0]).cross(&self.axis) + spin.cross(&change.axis);
            let total = change.by_v.dot(&(u[1] - u[0]))
                + by_v.dot(&(du[1] - du[0]))
                + change.by_axis.dot(&spin.cross(&self.axis))
                + by_axis.dot(&rotated);
            visit(change.dof, self.gear * total);
        });
    }

    /// Adds the forces on both bodies and their derivatives.
    pub(crate) fn add_force(&self, model: &Model, data: &Data, force: f64, forces: &mut BodyForces) {
        let scale = force * self.gear;
        let (by_v, by_axis) = self.gradients();
        let (pull, twist) = (by_v * scale, self.axis.cross(&by_axis) * scale);
        let [slider, pin] = &self.ends;
        forces.add(pin.body, &wrench(&pin.offset, &pull, &Vec3::zeros()));
        forces.add(slider.body, &wrench(&slider.offset, &-pull, &twist));
        self.for_each_change(model, data, |change| {
            let dpull = change.by_v * scale;
            let dtwist = (change.axis.cross(&by_axis) + self.axis.cross(&change.by_axis)) * scale;
            let on_pin = wrench(&pin.offset, &dpull, &change.ends[1].cross(&pull));
            let on_slider = wrench(&slider.offset, &-dpull, &(dtwist - change.ends[0].cross(&pull)));
            forces.add_derivative(pin.body, change.dof, &on_pin);
            forces.add_derivative(slider.body, change.dof, &on_slider);
        });
    }
}
