//! Time derivative of the Jacobian, and products with the kinematic Hessian `∂J/∂q`.
//!
//! The spatial twist `S` of a dof is fixed to the bodies that move it, so that `Ṡ = V × S` with their twist
//! `V` and the cross product of motions (Featherstone, "Rigid Body Dynamics Algorithms", section 2.9). As
//! `J̇` is linear in the velocity, `J̇(q, d)` is the product of the Hessian with the direction `d`.

use super::jacobian::{joined, parts, tip_position};
use super::lane_frame::{LaneFrame, vector};
use super::{Chain, JointFrameCache, JointKind, ReferenceFrame};
use crate::error::{IkError, check_finite, check_size};
use kinetree_math::Vec3;

/// A spatial twist about the base's origin.
#[derive(Clone, Copy, Debug)]
struct Twist {
    linear: Vec3,
    angular: Vec3,
}

impl Twist {
    const ZERO: Self = Self { linear: Vec3::new(0.0, 0.0, 0.0), angular: Vec3::new(0.0, 0.0, 0.0) };

    fn rotation(axis: Vec3, origin: Vec3) -> Self {
        Self { linear: origin.cross(&axis), angular: axis }
    }

    fn translation(axis: Vec3) -> Self {
        Self { linear: axis, angular: Vec3::zeros() }
    }

    /// Cross product of motions.
    fn cross(&self, other: &Self) -> Self {
        Self {
            linear: self.angular.cross(&other.linear) + self.linear.cross(&other.angular),
            angular: self.angular.cross(&other.angular),
        }
    }

    fn add(&mut self, other: &Self, factor: f64) {
        self.linear += other.linear * factor;
        self.angular += other.angular * factor;
    }

    /// Linear velocity at a point.
    fn at(&self, point: &Vec3) -> Vec3 {
        self.linear + self.angular.cross(point)
    }
}

impl Chain {
    /// Time derivative of the Jacobian at `q` when the dofs move with velocity `v`.
    ///
    /// # Errors
    /// When an array has the wrong length, or holds a value that is not a finite number.
    pub fn jacobian_derivative(
        &self,
        q: &[f64],
        v: &[f64],
        frame: ReferenceFrame,
        cache: &mut JointFrameCache,
        derivative: &mut [[f64; 6]],
    ) -> Result<(), IkError> {
        self.prepare_derivative(q, v, cache)?;
        if derivative.len() != self.nv {
            let (expected, got) = (6 * self.nv, 6 * derivative.len());
            return Err(IkError::Size { what: "the derivative", expected, got });
        }
        derivative.fill([0.0; 6]);
        self.visit_derivative(cache, v, frame, |dof, column| {
            for (sum, c) in derivative[dof].iter_mut().zip(column) {
                *sum += c;
            }
        });
        Ok(())
    }

    /// Product of the kinematic Hessian with a weight of the twist and a direction: `Σₖ ∂(Jᵀ w)/∂qₖ dₖ`, the
    /// change of the generalized force of a constant wrench `w` along `d`.
    ///
    /// # Errors
    /// When an array has the wrong length, or holds a value that is not a finite number.
    pub fn hessian_vector_product(
        &self,
        q: &[f64],
        direction: &[f64],
        weight: &[f64; 6],
        frame: ReferenceFrame,
        cache: &mut JointFrameCache,
        product: &mut [f64],
    ) -> Result<(), IkError> {
        self.prepare_derivative(q, direction, cache)?;
        check_finite("the weight", weight)?;
        check_size("the product", product, self.nv)?;
        product.fill(0.0);
        self.visit_derivative(cache, direction, frame, |dof, column| {
            product[dof] += column.iter().zip(weight).map(|(c, w)| c * w).sum::<f64>();
        });
        Ok(())
    }

    fn prepare_derivative(&self, q: &[f64], v: &[f64], cache: &mut JointFrameCache) -> Result<(), IkError> {
        check_size("the velocity", v, self.nv)?;
        check_finite("the velocity", v)?;
        self.fk(q, cache)?;
        Ok(())
    }

    /// Calls `visit` with the derivative of each joint's columns.
    fn visit_derivative(
        &self,
        cache: &JointFrameCache,
        v: &[f64],
        frame: ReferenceFrame,
        mut visit: impl FnMut(usize, [f64; 6]),
    ) {
        let mut twists = [Twist::ZERO; 6];
        let mut total = Twist::ZERO;
        for i in 0..self.joints.len() {
            let count = self.twists(cache, i, &mut twists);
            for (k, twist) in twists[..count].iter().enumerate() {
                total.add(twist, self.joints[i].scale * v[self.joints[i].v + k]);
            }
        }
        let point = tip_position(cache);
        let point_velocity = total.at(&point);
        let mat = cache.pose().mat;
        let mut moving = Twist::ZERO;
        for (i, joint) in self.joints.iter().enumerate() {
            let count = self.twists(cache, i, &mut twists);
            let before = moving;
            for (k, twist) in twists[..count].iter().enumerate() {
                moving.add(twist, joint.scale * v[joint.v + k]);
            }
            for (k, twist) in twists[..count].iter().enumerate() {
                // translations of a free joint keep their direction
                let carrier = if joint.kind == JointKind::Free && k < 3 { &before } else { &moving };
                let rate = carrier.cross(twist);
                let (linear, angular) = match frame {
                    ReferenceFrame::World => (rate.linear, rate.angular),
                    _ => (rate.at(&point) + twist.angular.cross(&point_velocity), rate.angular),
                };
                let mut column = joined(&(linear * joint.scale), &(angular * joint.scale));
                if frame == ReferenceFrame::Local {
                    // d/dt Rᵀ J = Rᵀ (J̇ − ω × J)
                    let (v, w) = parts(&column);
                    let own = |part: Vec3| total.angular.cross(&part) * joint.scale;
                    column = joined(
                        &mat.tr_mul(&(v - own(twist.at(&point)))),
                        &mat.tr_mul(&(w - own(twist.angular))),
                    );
                }
                visit(joint.v + k, column);
            }
        }
    }

    /// Spatial twists of the dofs of joint `i`; returns how many there are.
    fn twists(&self, cache: &JointFrameCache, i: usize, twists: &mut [Twist; 6]) -> usize {
        let frame = &cache.joints[i];
        let axes = |frame: &LaneFrame| [frame.x, frame.y, frame.z].map(vector);
        match self.joints[i].kind {
            JointKind::Revolute => {
                twists[0] = Twist::rotation(vector(frame.z), vector(frame.origin));
                1
            }
            JointKind::Prismatic => {
                twists[0] = Twist::translation(vector(frame.z));
                1
            }
            JointKind::Ball => {
                let rotated = &cache.rotated[2 * i + 1];
                for (twist, axis) in twists.iter_mut().zip(axes(rotated)) {
                    *twist = Twist::rotation(axis, vector(rotated.pos));
                }
                3
            }
            JointKind::Free => {
                let (start, rotated) = (&cache.rotated[2 * i], &cache.rotated[2 * i + 1]);
                for (k, (along, about)) in axes(start).into_iter().zip(axes(rotated)).enumerate() {
                    twists[k] = Twist::translation(along);
                    twists[3 + k] = Twist::rotation(about, vector(rotated.pos));
                }
                6
            }
        }
    }
}
