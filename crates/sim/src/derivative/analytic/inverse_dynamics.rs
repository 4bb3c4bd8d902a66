//! Derivatives of inverse dynamics `τ = M(q) a + c(q, v)` at fixed acceleration.
//!
//! With `I`, `V`, `A` inertia, velocity and acceleration of a body, its force is `F = I A + V ×* I V`. A
//! nudge of `q_j` rotates all bodies behind it rigidly, except that velocity and acceleration of the frame
//! before the joint do not rotate along. With `p = S_j × V_λ` and `u = p × V_λ − S_j × A_λ`,
//!
//! ```text
//! ∂F/∂q_j = S_j ×* F + I u − B p        ∂F/∂v_j = I w + B S_j,   w = (V_λ + V_J) × S_j
//! B x = V ×* I x − I (V × x) + x ×* I V
//! ```
//!
//! (`V_J`: velocity behind the joint). Forces of subtrees are sums, and projecting them on the axes of the
//! ancestors of `j`, or of its descendants, which rotate along, fills the two matrices in O(nv · depth). See
//! Carpentier and Mansard, "Analytical derivatives of rigid body dynamics algorithms", 2018, and Singh,
//! Russell and Wensing, "Efficient analytical derivatives of rigid-body dynamics using spatial vector
//! algebra", 2022.

use super::motion::{MotionField, rotation_group};
use kinetree_math::spatial::{
    Inertia, Vec6, add_inert, add_to6, add6, cross_force, cross_motion, dot6, mul_inert_vec, sub6,
};
use kinetree_model::{Data, Model};

/// Columns of a 6 × 6 matrix that maps motions to forces.
type MotionToForce = [Vec6; 6];

/// Working memory: inertias, Coriolis matrices `B` and forces of subtrees.
#[derive(Default)]
pub(super) struct SubtreeTerms {
    inertia: Vec<Inertia>,
    coriolis: Vec<MotionToForce>,
    force: Vec<Vec6>,
    /// Of a product: `I x` and `Bᵀ x`, with the motion field `x` of the weights.
    pulled: Vec<[Vec6; 2]>,
}

/// `B x` for every unit motion `x`.
fn coriolis_matrix(inertia: &Inertia, velocity: &Vec6) -> MotionToForce {
    let momentum = mul_inert_vec(inertia, velocity);
    std::array::from_fn(|k| {
        let mut x = [0.0; 6];
        x[k] = 1.0;
        let mut column = cross_force(velocity, &mul_inert_vec(inertia, &x));
        column = sub6(&column, &mul_inert_vec(inertia, &cross_motion(velocity, &x)));
        add6(&column, &cross_force(&x, &momentum))
    })
}

/// `B x`.
#[inline]
fn apply(matrix: &MotionToForce, x: &Vec6) -> Vec6 {
    std::array::from_fn(|i| (0..6).map(|k| matrix[k][i] * x[k]).sum())
}

/// `Bᵀ x`.
#[inline]
fn apply_transposed(matrix: &MotionToForce, x: &Vec6) -> Vec6 {
    std::array::from_fn(|k| dot6(&matrix[k], x))
}

impl SubtreeTerms {
    /// Terms of each body, then sums over subtrees. Without velocities `B` is zero.
    fn set(&mut self, model: &Model, data: &Data, velocity: Option<&MotionField>, acceleration: &[Vec6]) {
        let n = model.nbody;
        self.inertia.clear();
        self.inertia.extend_from_slice(&data.cinert);
        self.force.clear();
        self.force.extend((0..n).map(|b| mul_inert_vec(&data.cinert[b], &acceleration[b])));
        self.coriolis.clear();
        if let Some(field) = velocity {
            self.coriolis.extend((0..n).map(|b| coriolis_matrix(&data.cinert[b], &field.body[b])));
            for b in 0..n {
                let v = &field.body[b];
                add_to6(&mut self.force[b], &cross_force(v, &mul_inert_vec(&data.cinert[b], v)));
            }
        }
        for b in (1..n).rev() {
            let parent = model.body_parentid[b] as usize;
            // bodies of different trees have different reference points
            if parent == 0 {
                continue;
            }
            let (inertia, force) = (self.inertia[b], self.force[b]);
            add_inert(&mut self.inertia[parent], &inertia);
            add_to6(&mut self.force[parent], &force);
            if velocity.is_some() {
                let coriolis = self.coriolis[b];
                for (sum, column) in self.coriolis[parent].iter_mut().zip(&coriolis) {
                    add_to6(sum, column);
                }
            }
        }
    }
}

impl SubtreeTerms {
    /// Forces, `I x` and `Bᵀ x` of each body, then sums over subtrees. With `V` the velocity,
    /// `Bᵀ x = V ×* I x − I (V × x) − x ×* I V`.
    fn set_pulled(
        &mut self,
        model: &Model,
        data: &Data,
        velocity: &MotionField,
        acceleration: &MotionField,
        weights: &MotionField,
    ) {
        self.force.clear();
        self.pulled.clear();
        for b in 0..model.nbody {
            let (inertia, v, x) = (&data.cinert[b], &velocity.body[b], &weights.body[b]);
            let (own, momentum) = (mul_inert_vec(inertia, v), mul_inert_vec(inertia, x));
            self.force.push(add6(&mul_inert_vec(inertia, &acceleration.body[b]), &cross_force(v, &own)));
            let rotated = sub6(&cross_force(v, &momentum), &mul_inert_vec(inertia, &cross_motion(v, x)));
            self.pulled.push([momentum, sub6(&rotated, &cross_force(x, &own))]);
        }
        for b in (1..model.nbody).rev() {
            let parent = model.body_parentid[b] as usize;
            if parent == 0 {
                continue;
            }
            let (force, pulled) = (self.force[b], self.pulled[b]);
            add_to6(&mut self.force[parent], &force);
            for (sum, own) in self.pulled[parent].iter_mut().zip(&pulled) {
                add_to6(sum, own);
            }
        }
    }
}

/// Calls `add` with `k`, `j`, `∂τ_k/∂q_j` and `∂τ_k/∂v_j` at velocity `qvel`. The fields are those of
/// velocities and accelerations.
pub(super) fn add_inverse_dynamics(
    model: &Model,
    data: &Data,
    qvel: &[f64],
    terms: &mut SubtreeTerms,
    velocity: &MotionField,
    acceleration: &MotionField,
    mut add: impl FnMut(usize, usize, f64, f64),
) {
    terms.set(model, data, Some(velocity), &acceleration.body);
    for j in 0..model.nv {
        let axis = &data.cdof[j];
        let body = model.dof_bodyid[j] as usize;
        let group = rotation_group(model, j);
        let JointMotion { p, u, w } = JointMotion::new(model, data, qvel, j, velocity, acceleration);
        let (inertia, coriolis) = (&terms.inertia[body], &terms.coriolis[body]);
        let rotated = sub6(&mul_inert_vec(inertia, &u), &apply(coriolis, &p));
        let whole = add6(&rotated, &cross_force(axis, &terms.force[body]));
        let by_velocity = add6(&mul_inert_vec(inertia, &w), &apply(coriolis, axis));
        let mut next = group.end as i32 - 1;
        while let Ok(k) = usize::try_from(next) {
            // axes of the same group rotate along
            let force = if group.contains(&k) { &rotated } else { &whole };
            add(k, j, dot6(&data.cdof[k], force), dot6(&data.cdof[k], &by_velocity));
            next = model.dof_parentid[k];
        }
        add_descendants(model, data, terms, j, (&u, &p, &w), &mut add);
    }
}

/// Calls `add` with `j`, `μᵀ ∂τ/∂q_j` and `μᵀ ∂τ/∂v_j` at velocity `qvel`, given the motion field `x` of the
/// weights `μ`. Of `μᵀ τ = Σ x · F` nothing changes when all that is behind `j` rotates along, so that what
/// remains is that the frame before the joint does not:
/// `μᵀ ∂τ/∂q_j = u · Σ I x − p · Σ Bᵀ x − (S_j × x_λ) · Σ F`, with sums over the bodies behind `j`.
pub(super) fn pull_inverse_dynamics(
    model: &Model,
    data: &Data,
    qvel: &[f64],
    terms: &mut SubtreeTerms,
    [velocity, acceleration, weights]: [&MotionField; 3],
    mut add: impl FnMut(usize, f64, f64),
) {
    terms.set_pulled(model, data, velocity, acceleration, weights);
    for j in 0..model.nv {
        let axis = &data.cdof[j];
        let body = model.dof_bodyid[j] as usize;
        let JointMotion { p, u, w } = JointMotion::new(model, data, qvel, j, velocity, acceleration);
        let [momentum, coriolis] = &terms.pulled[body];
        let rotated = dot6(&cross_motion(axis, &weights.base[j]), &terms.force[body]);
        let by_position = dot6(&u, momentum) - dot6(&p, coriolis) - rotated;
        add(j, by_position, dot6(&w, momentum) + dot6(axis, coriolis));
    }
}

/// `p`, `u` and `w` of a dof.
struct JointMotion {
    p: Vec6,
    u: Vec6,
    w: Vec6,
}

impl JointMotion {
    #[inline]
    fn new(
        model: &Model,
        data: &Data,
        qvel: &[f64],
        j: usize,
        velocity: &MotionField,
        acceleration: &MotionField,
    ) -> Self {
        let (axis, base) = (&data.cdof[j], &velocity.base[j]);
        let p = cross_motion(axis, base);
        let u = sub6(&cross_motion(&p, base), &cross_motion(axis, &acceleration.base[j]));
        let mut behind = *base;
        for k in rotation_group(model, j) {
            kinetree_math::spatial::add_scaled6(&mut behind, &data.cdof[k], qvel[k]);
        }
        Self { p, u, w: cross_motion(&add6(base, &behind), axis) }
    }
}

/// The rows of the dofs behind `j`.
fn add_descendants(
    model: &Model,
    data: &Data,
    terms: &SubtreeTerms,
    j: usize,
    (u, p, w): (&Vec6, &Vec6, &Vec6),
    add: &mut impl FnMut(usize, usize, f64, f64),
) {
    let end = rotation_group(model, j).end;
    for k in descendants(model, j, end) {
        let body = model.dof_bodyid[k] as usize;
        let momentum = mul_inert_vec(&terms.inertia[body], &data.cdof[k]);
        let coriolis = apply_transposed(&terms.coriolis[body], &data.cdof[k]);
        let by_position = dot6(&momentum, u) - dot6(&coriolis, p);
        add(k, j, by_position, dot6(&momentum, w) + dot6(&coriolis, &data.cdof[j]));
    }
}

/// Dofs behind `j`, from `first` on. Dofs are numbered depth first.
pub(super) fn descendants(model: &Model, j: usize, first: usize) -> impl Iterator<Item = usize> + '_ {
    (first..model.nv).take_while(move |&k| model.dof_parentid[k] >= j as i32)
}

/// Calls `add` with `k`, `j` and `∂(M x)_k/∂q_j`, where `field` is the motion field of `x`.
pub(super) fn add_inertia_derivative(
    model: &Model,
    data: &Data,
    terms: &mut SubtreeTerms,
    field: &MotionField,
    mut add: impl FnMut(usize, usize, f64),
) {
    terms.set(model, data, None, &field.body);
    for j in 0..model.nv {
        let axis = &data.cdof[j];
        let body = model.dof_bodyid[j] as usize;
        let group = rotation_group(model, j);
        let u = cross_motion(&field.base[j], axis);
        let rotated = mul_inert_vec(&terms.inertia[body], &u);
        let whole = add6(&rotated, &cross_force(axis, &terms.force[body]));
        let mut next = group.end as i32 - 1;
        while let Ok(k) = usize::try_from(next) {
            let force = if group.contains(&k) { &rotated } else { &whole };
            add(k, j, dot6(&data.cdof[k], force));
            next = model.dof_parentid[k];
        }
        for k in descendants(model, j, group.end) {
            let momentum = mul_inert_vec(&terms.inertia[model.dof_bodyid[k] as usize], &data.cdof[k]);
            add(k, j, dot6(&momentum, &u));
        }
    }
}
