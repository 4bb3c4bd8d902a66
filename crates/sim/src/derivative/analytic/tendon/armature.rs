//! Armature of spatial tendons, linearized.
//!
//! A tendon with Jacobian `J` and armature `α` adds `α Jᵀ J` to the inertia matrix, as far as its pattern
//! goes, and `α Jᵀ (J̇ v)` to the bias. With accelerations `x`, dof `k` feels `τ_k = α J_k (ρ_k + J̇ v)`,
//! where the rate `ρ_k = Σ J_j x_j` has the dofs `j` that the matrix couples with `k`. Such a tendon runs
//! from site to site; a straight piece with direction `n` and length `ℓ` between points that move apart with
//! velocity `u` and velocity-product acceleration `b` has `J̇ v = n·b + |u⊥|²/ℓ`, the second part where it
//! rotates.

use super::force::{TendonForce, is_fixed, subtract_tendon, tendon_row};
use super::path::{Piece, for_each_piece};
use crate::derivative::analytic::body_forces::BodyForces;
use crate::derivative::analytic::gradient::Gradient;
use crate::derivative::analytic::motion::MotionField;
use crate::derivative::analytic::point_motion::{Fields, PointMotion};
use crate::inertia::armature::{Driven, actuator_armature};
use kinetree_math::Vec3;
use kinetree_model::{Data, Model};

/// Working memory: derivatives of one tendon.
#[derive(Default)]
pub(crate) struct ArmatureDerivatives {
    /// Accelerations that follow from velocities alone.
    products: MotionField,
    drift: Drift,
    /// Moment arms `J` of all dofs.
    arms: Vec<f64>,
    /// Minus `∂J_k/∂q_j`, in the columns of positions.
    arm_gradient: Gradient,
    arm_forces: BodyForces,
    rate_derivative: Vec<f64>,
}

/// `J̇ v` and its derivatives.
#[derive(Default)]
struct Drift {
    value: f64,
    by_position: Vec<f64>,
    by_velocity: Vec<f64>,
}

/// Armature of a spatial tendon with what actuators lend; that of a fixed tendon is a constant part of the
/// inertia matrix, and counts as none.
pub(crate) fn bent_armature(model: &Model, tendon: usize) -> f64 {
    if is_fixed(model, tendon) {
        return 0.0;
    }
    model.tendon_armature[tendon] + actuator_armature(model, Driven::Tendon(tendon))
}

/// Whether the inertia matrix has an entry for two dofs.
fn coupled(model: &Model, k: usize, j: usize) -> bool {
    let (row, column) = (k.max(j), k.min(j) as i32);
    let start = model.M_rowadr[row] as usize;
    model.M_colind[start..start + model.M_rownnz[row] as usize].binary_search(&column).is_ok()
}

impl ArmatureDerivatives {
    /// Adds `∂(α Jᵀ J x)/∂q` of all spatial tendons to the first columns of a matrix with rows of length
    /// `width`; with velocities, also `∂(α Jᵀ J̇ v)/∂(q, v)`.
    pub(crate) fn add(
        &mut self,
        model: &Model,
        data: &Data,
        x: &[f64],
        velocity: Option<&MotionField>,
        matrix: &mut [f64],
        width: usize,
    ) {
        for tendon in 0..model.ntendon {
            let armature = bent_armature(model, tendon);
            if armature == 0.0 {
                continue;
            }
            self.set_arms(model, data, tendon);
            self.drift.clear(model.nv);
            if let Some(velocity) = velocity {
                self.products.set_velocity_products(model, &data.cdof, velocity, &data.qvel);
                let fields = Fields { velocity, qacc: &self.products, acceleration: &self.products };
                self.drift.add_tendon(model, data, tendon, &fields);
            }
            self.add_tendon(model, x, armature, matrix, width);
        }
    }

    /// Adds `∂(α J_i J_k)/∂q_j` of all spatial tendons to the entries of the legacy inertia matrix: a row for
    /// each `j`.
    pub(crate) fn add_inertia_derivatives(&mut self, model: &Model, data: &Data, out: &mut [f64]) {
        for tendon in 0..model.ntendon {
            let armature = bent_armature(model, tendon);
            if armature == 0.0 {
                continue;
            }
            self.set_arms(model, data, tendon);
            for (j, row) in out.chunks_exact_mut(model.nM.max(1)).enumerate() {
                for i in 0..model.nv {
                    let (mut at, mut next) = (model.dof_Madr[i] as usize, i as i32);
                    while let Ok(k) = usize::try_from(next) {
                        if coupled(model, i, k) {
                            let change = self.arm_derivative(i, j) * self.arms[k]
                                + self.arms[i] * self.arm_derivative(k, j);
                            row[at] += armature * change;
                        }
                        next = model.dof_parentid[k];
                        at += 1;
                    }
                }
            }
        }
    }

    /// Sets the moment arms of a tendon and their derivatives.
    fn set_arms(&mut self, model: &Model, data: &Data, tendon: usize) {
        let Self { products, arms, arm_gradient, arm_forces, rate_derivative, .. } = self;
        arms.clear();
        arms.resize(model.nv, 0.0);
        let (columns, jacobian) = tendon_row(model, data, tendon);
        for (&j, arm) in columns.iter().zip(jacobian) {
            arms[j as usize] = *arm;
        }
        // a unit force rotates with the tendon: φ ∂Jᵀ/∂q
        arm_gradient.clear(model);
        arm_forces.clear(model);
        let unit = TendonForce { force: 1.0, ..TendonForce::default() };
        let fields = [&*products; 2];
        subtract_tendon(model, data, tendon, &unit, fields, rate_derivative, arm_forces, arm_gradient);
        let width = arm_gradient.width;
        arm_forces.project(model, data, -1.0, &mut arm_gradient.values, width, |_| true);
    }

    /// `∂J_k/∂q_j`.
    fn arm_derivative(&self, k: usize, j: usize) -> f64 {
        -self.arm_gradient.values[k * self.arm_gradient.width + j]
    }

    /// Adds `∂τ_k = α ∂J_k (ρ_k + J̇ v) + α J_k (∂ρ_k + ∂(J̇ v))`.
    fn add_tendon(&self, model: &Model, x: &[f64], armature: f64, matrix: &mut [f64], width: usize) {
        let Self { arms, drift, .. } = self;
        let nv = model.nv;
        for k in 0..nv {
            let row = &mut matrix[k * width..(k + 1) * width];
            let with = |j: &usize| coupled(model, k, *j);
            let rate: f64 = (0..nv).filter(with).map(|j| arms[j] * x[j]).sum();
            for (j, out) in row[..nv].iter_mut().enumerate() {
                *out += armature * self.arm_derivative(k, j) * (rate + drift.value);
            }
            let scale = armature * arms[k];
            if scale == 0.0 {
                continue;
            }
            for i in (0..nv).filter(with) {
                for (j, out) in row[..nv].iter_mut().enumerate() {
                    *out += scale * self.arm_derivative(i, j) * x[i];
                }
            }
            for j in 0..nv {
                row[j] += scale * drift.by_position[j];
                row[nv + j] += scale * drift.by_velocity[j];
            }
        }
    }
}

impl Drift {
    fn clear(&mut self, nv: usize) {
        self.value = 0.0;
        for derivatives in [&mut self.by_position, &mut self.by_velocity] {
            derivatives.clear();
            derivatives.resize(nv, 0.0);
        }
    }

    fn add_tendon(&mut self, model: &Model, data: &Data, tendon: usize, fields: &Fields<'_>) {
        // paths without derivatives have been refused
        let _ = for_each_piece(model, data, tendon, |piece| self.add_piece(model, data, piece, fields));
    }

    fn add_piece(&mut self, model: &Model, data: &Data, piece: &Piece, fields: &Fields<'_>) {
        let (n, inverse) = (&piece.direction, piece.inverse_length);
        let motion = piece.ends.map(|end| {
            PointMotion::new(
                &fields.velocity.body[end.body],
                &fields.acceleration.body[end.body],
                &end.offset,
            )
        });
        let u: Vec3 = motion[1].velocity - motion[0].velocity;
        let b = motion[1].acceleration - motion[0].acceleration;
        let along = n.dot(&u);
        let across = u - n * along;
        self.value += (n.dot(&b) + across.norm_squared() * inverse) / piece.divisor;
        piece.for_each_motion(model, data, |moved| {
            let (j, axis) = (moved.dof, &data.cdof[moved.dof]);
            // changes of u and b with position and velocity
            let [mut by_position, mut by_velocity] = [[Vec3::zeros(); 2]; 2];
            for (k, sign) in [(0, -1.0), (1, 1.0)].into_iter().filter(|&(k, _)| moved.moves[k]) {
                let end = &piece.ends[k];
                let (dv, da) = fields.position_change(end.body, j, axis);
                let changed = motion[k].change(&dv, &da, &moved.velocity[k], &end.offset);
                by_position[0] += changed.velocity * sign;
                by_position[1] += changed.acceleration * sign;
                let da = fields.velocity_change(model, data, end.body, j, axis);
                let changed = motion[k].change(axis, &da, &Vec3::zeros(), &end.offset);
                by_velocity[0] += changed.velocity * sign;
                by_velocity[1] += changed.acceleration * sign;
            }
            let derivative = |[du, db]: &[Vec3; 2]| n.dot(db) + 2.0 * inverse * across.dot(du);
            let stretch = n.dot(&(moved.velocity[1] - moved.velocity[0]));
            let rotated = moved.rotation.dot(&b)
                - 2.0 * inverse * along * moved.rotation.dot(&u)
                - across.norm_squared() * inverse * inverse * stretch;
            self.by_position[j] += (derivative(&by_position) + rotated) / piece.divisor;
            self.by_velocity[j] += derivative(&by_velocity) / piece.divisor;
        });
    }
}
