//! Connects and welds, linearized.
//!
//! Their residual is `r = ẍ + B ẋ + K d(|x|) x`, with the violation `x` and its true acceleration, the drift
//! `J̇ v` included. Of a connect, `x` is the difference of two points; a weld adds the vector part of the
//! relative rotation `e = q₂⁻¹ q₁ q_rel`, whose rates are quaternion products of angular velocities.

use super::body_forces::{BodyForces, wrench};
use super::gradient::Gradient;
use super::motion::{Point, at_point};
use super::point_motion::{Fields, PointMotion};
use crate::constraint::{anchors, weld_orientations};
use crate::kinematics::chain::walk_chains;
use kinetree_math::rot::quat_mul;
use kinetree_math::spatial::angular;
use kinetree_math::{Mat3, Quat, Vec3};
use kinetree_model::enums::{ConstraintState, EqType};
use kinetree_model::{Data, Model};

/// The vector part of `e`, its rate and acceleration in terms of rotations, up to the scale of the torque.
struct Orientation {
    /// `q₁ q_rel`, `q₂⁻¹`.
    q1: Quat,
    q2_inv: Quat,
    scale: f64,
}

/// A vector as a quaternion.
fn pure(v: &Vec3) -> Quat {
    [0.0, v.x, v.y, v.z]
}

fn add(a: &Quat, b: &Quat, scale: f64) -> Quat {
    std::array::from_fn(|i| a[i] + scale * b[i])
}

impl Orientation {
    /// `scale · vec(q₂⁻¹ x q₁)`.
    fn sandwich(&self, x: &Quat) -> Vec3 {
        let e = quat_mul(&quat_mul(&self.q2_inv, x), &self.q1);
        Vec3::new(e[1], e[2], e[3]) * self.scale
    }

    /// Change of `sandwich(x)` when `x` changes by `dx` and the bodies rotate by `rotation`.
    fn change(&self, x: &Quat, dx: &Quat, rotation: &[Vec3; 2]) -> Vec3 {
        let left = quat_mul(&pure(&rotation[1]), x);
        let right = quat_mul(x, &pure(&rotation[0]));
        self.sandwich(&add(&add(dx, &left, -0.5), &right, 0.5))
    }

    /// What is sandwiched in the second rate of `e`: `½ (α − ½ ω₂ ω + ½ ω ω₁)` with `ω = ω₁ − ω₂`.
    fn acceleration(spin: &[Vec3; 2], spin_rate: &[Vec3; 2]) -> Quat {
        let relative = pure(&(spin[0] - spin[1]));
        let mut x = pure(&(spin_rate[0] - spin_rate[1]));
        x = add(&x, &quat_mul(&pure(&spin[1]), &relative), -0.5);
        x = add(&x, &quat_mul(&relative, &pure(&spin[0])), 0.5);
        x.map(|c| 0.5 * c)
    }

    /// Change of [`Self::acceleration`].
    fn acceleration_change(spin: &[Vec3; 2], dspin: &[Vec3; 2], dspin_rate: &[Vec3; 2]) -> Quat {
        let (relative, drelative) = (pure(&(spin[0] - spin[1])), pure(&(dspin[0] - dspin[1])));
        let mut x = pure(&(dspin_rate[0] - dspin_rate[1]));
        x = add(&x, &quat_mul(&pure(&dspin[1]), &relative), -0.5);
        x = add(&x, &quat_mul(&pure(&spin[1]), &drelative), -0.5);
        x = add(&x, &quat_mul(&drelative, &pure(&spin[0])), 0.5);
        x = add(&x, &quat_mul(&relative, &pure(&dspin[0])), 0.5);
        x.map(|c| 0.5 * c)
    }

    /// Torque on the first body of forces along the three rows.
    fn torque(&self, force: &Vec3) -> Vec3 {
        // the transpose of x ↦ ½ sandwich(x)
        let mut unit = Mat3::zeros();
        for k in 0..3 {
            let mut axis = Vec3::zeros();
            axis[k] = 1.0;
            unit.set_column(k, &(self.sandwich(&pure(&axis)) * 0.5));
        }
        unit.tr_mul(force)
    }
}

/// Forces and derivatives of all rows of a connect (3) or weld (6), each half a vector.
struct Block {
    force: [Vec3; 2],
    curvature: [Vec3; 2],
    position: [Vec3; 2],
    damping: f64,
    stiffness: f64,
    /// `K d'/|x|` and `D'/(D |x|)`.
    stiffening: f64,
    scaling: f64,
}

impl Block {
    fn new(data: &Data, row: usize, rows: usize) -> Self {
        let vector = |values: &[f64]| {
            [0, 3].map(|at| {
                if at < rows {
                    Vec3::new(values[row + at], values[row + at + 1], values[row + at + 2])
                } else {
                    Vec3::zeros()
                }
            })
        };
        let [k, b, imp, derivative] = data.efc_KBIP[row];
        let position = vector(&data.efc_pos);
        let length = (position[0].norm_squared() + position[1].norm_squared()).sqrt();
        let per_length = if length > 0.0 { derivative / length } else { 0.0 };
        let active = data.efc_state[row] == ConstraintState::Quadratic;
        let curvature = vector(&data.efc_D);
        Self {
            force: vector(&data.efc_force),
            curvature: if active { curvature } else { [Vec3::zeros(); 2] },
            position,
            damping: b,
            stiffness: k * imp,
            stiffening: k * per_length,
            scaling: per_length / (imp * (1.0 - imp)),
        }
    }

    /// Change of the forces when the rows change by `dx`, with rate `drate` and acceleration `daccel`.
    fn force_change(&self, dx: &[Vec3; 2], drate: &[Vec3; 2], daccel: &[Vec3; 2]) -> [Vec3; 2] {
        let along = self.position[0].dot(&dx[0]) + self.position[1].dot(&dx[1]);
        [0, 1].map(|h| {
            let residual = daccel[h]
                + drate[h] * self.damping
                + dx[h] * self.stiffness
                + self.position[h] * (self.stiffening * along);
            self.force[h] * (self.scaling * along) - self.curvature[h].component_mul(&residual)
        })
    }
}

/// Adds a connect or weld whose first row is `row`; returns the number of its rows.
pub(super) fn add_rows(
    model: &Model,
    data: &Data,
    row: usize,
    fields: &Fields<'_>,
    jacobian: &mut Vec<(usize, [Vec3; 2])>,
    forces: &mut BodyForces,
    gradient: &mut Gradient,
) -> usize {
    let eq = data.efc_id[row] as usize;
    let weld = model.eq_type[eq] == EqType::Weld;
    let rows = if weld { 6 } else { 3 };
    let block = Block::new(data, row, rows);
    let tied = anchors(model, data, eq);
    let points = [0, 1].map(|k| Point::new(model, data, tied.body[k], &Vec3::from(tied.point[k])));
    let (q1, q2_inv) = weld_orientations(model, data, eq, tied.body);
    let scale = if weld { model.eq_data[eq][10] } else { 0.0 };
    let orientation = Orientation { q1, q2_inv, scale };
    let at = points.map(|p| {
        PointMotion::new(&fields.velocity.body[p.body], &fields.acceleration.body[p.body], &p.offset)
    });
    let spin = at.map(|a| a.spin);
    let rate = pure(&((spin[0] - spin[1]) * 0.5));
    let accel = Orientation::acceleration(&spin, &at.map(|a| a.spin_rate));
    let torque = orientation.torque(&block.force[1]);
    for (p, sign) in points.iter().zip([1.0, -1.0]) {
        forces.add(p.body, &wrench(&p.offset, &(block.force[0] * sign), &(torque * sign)));
    }
    jacobian.clear();
    walk_chains(model, tied.body, false, |j, moves| {
        let axis = &data.cdof[j];
        let moved = [0, 1].map(|k| if moves[k] { at_point(axis, &points[k].offset) } else { Vec3::zeros() });
        let rotation = moves.map(|moves| if moves { angular(axis) } else { Vec3::zeros() });
        let shift = [moved[0] - moved[1], orientation.sandwich(&pure(&((rotation[0] - rotation[1]) * 0.5)))];
        jacobian.push((j, shift));

        // positions
        let change = [0, 1].map(|k| {
            if !moves[k] {
                return PointMotion::STILL;
            }
            let (dv, da) = fields.position_change(points[k].body, j, axis);
            at[k].change(&dv, &da, &moved[k], &points[k].offset)
        });
        let dspin = change.map(|c| c.spin);
        let daccel = Orientation::acceleration_change(&spin, &dspin, &change.map(|c| c.spin_rate));
        let drate = pure(&((dspin[0] - dspin[1]) * 0.5));
        let rates = [change[0].velocity - change[1].velocity, orientation.change(&rate, &drate, &rotation)];
        let accels =
            [change[0].acceleration - change[1].acceleration, orientation.change(&accel, &daccel, &rotation)];
        let df = block.force_change(&shift, &rates, &accels);
        let dtorque = torque_change(&orientation, &block.force[1], &df[1], &rotation);
        for (k, sign) in [(0, 1.0), (1, -1.0)] {
            let arm = moved[k].cross(&block.force[0]) + dtorque;
            forces.add_derivative(
                points[k].body,
                j,
                &wrench(&points[k].offset, &(df[0] * sign), &(arm * sign)),
            );
        }
    });
    add_velocities(model, data, &block, &orientation, (&points, &at), fields, jacobian, gradient);
    rows
}

/// Change of the torque when forces change and bodies rotate.
fn torque_change(orientation: &Orientation, force: &Vec3, dforce: &Vec3, rotation: &[Vec3; 2]) -> Vec3 {
    // τ·x = f · ½ sandwich(x), so that τ̇·x = ḟ · ½ sandwich(x) + f · ½ change(x)
    let mut change = orientation.torque(dforce);
    for k in 0..3 {
        let mut axis = Vec3::zeros();
        axis[k] = 1.0;
        change[k] += 0.5 * force.dot(&orientation.change(&pure(&axis), &[0.0; 4], rotation));
    }
    change
}

/// Derivatives with respect to velocities, and the Hessian.
fn add_velocities(
    model: &Model,
    data: &Data,
    block: &Block,
    orientation: &Orientation,
    (points, at): (&[Point; 2], &[PointMotion; 2]),
    fields: &Fields<'_>,
    jacobian: &[(usize, [Vec3; 2])],
    gradient: &mut Gradient,
) {
    let spin = at.map(|a| a.spin);
    let bodies = points.map(|p| p.body);
    let mut next = 0;
    walk_chains(model, bodies, false, |j, moves| {
        let axis = &data.cdof[j];
        let change = [0, 1].map(|k| {
            if !moves[k] {
                return PointMotion::STILL;
            }
            let da = fields.velocity_change(model, data, points[k].body, j, axis);
            at[k].change(axis, &da, &Vec3::zeros(), &points[k].offset)
        });
        let dspin = change.map(|c| c.spin);
        let daccel = Orientation::acceleration_change(&spin, &dspin, &change.map(|c| c.spin_rate));
        let (_, rates) = jacobian[next];
        next += 1;
        let accels = [change[0].acceleration - change[1].acceleration, orientation.sandwich(&daccel)];
        let df = block.force_change(&[Vec3::zeros(); 2], &rates, &accels);
        let dh = [0, 1].map(|h| block.curvature[h].component_mul(&rates[h]));
        for (k, row) in jacobian {
            gradient.add_velocity(*k, j, -(row[0].dot(&df[0]) + row[1].dot(&df[1])));
            gradient.add_hessian(*k, j, row[0].dot(&dh[0]) + row[1].dot(&dh[1]));
        }
    });
}
