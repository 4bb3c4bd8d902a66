//! An independent route: forward kinematics of the model's own fields, in dual numbers.
#![allow(dead_code, unreachable_pub)]

use kinetree_ik::{Chain, Frame};
use kinetree_model::Model;
use kinetree_model::enums::{EqType, JointType};
use std::ops::{Add, Mul, Neg, Sub};

pub fn load(xml: &str) -> Model {
    kinetree_spec::load_model_str(xml).unwrap_or_else(|e| panic!("{e}"))
}

/// Value and derivative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dual(pub f64, pub f64);

impl Add for Dual {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self(self.0 + o.0, self.1 + o.1)
    }
}
impl Sub for Dual {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Self(self.0 - o.0, self.1 - o.1)
    }
}
impl Mul for Dual {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self(self.0 * o.0, self.0 * o.1 + self.1 * o.0)
    }
}
impl Neg for Dual {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

pub type Mat = [[Dual; 3]; 3];
pub type Vector = [Dual; 3];

fn constant(v: &[f64; 3]) -> Vector {
    v.map(|x| Dual(x, 0.0))
}

fn mul(a: &Mat, b: &Mat) -> Mat {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j])
    })
}

fn apply(a: &Mat, v: &Vector) -> Vector {
    std::array::from_fn(|i| a[i][0] * v[0] + a[i][1] * v[1] + a[i][2] * v[2])
}

fn plus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| a[i] + b[i])
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| a[i] - b[i])
}

fn from_quat(q: [Dual; 4]) -> Mat {
    let [w, x, y, z] = q;
    let two = Dual(2.0, 0.0);
    let one = Dual(1.0, 0.0);
    [
        [one - two * (y * y + z * z), two * (x * y - w * z), two * (x * z + w * y)],
        [two * (x * y + w * z), one - two * (x * x + z * z), two * (y * z - w * x)],
        [two * (x * z - w * y), two * (y * z + w * x), one - two * (x * x + y * y)],
    ]
}

/// Rodrigues' formula.
fn about(axis: &[f64; 3], angle: Dual) -> Mat {
    let (sin, cos) = angle.0.sin_cos();
    let (s, c) = (Dual(sin, cos * angle.1), Dual(cos, -sin * angle.1));
    let a = constant(axis);
    let zero = Dual(0.0, 0.0);
    let cross = [[zero, -a[2], a[1]], [a[2], zero, -a[0]], [-a[1], a[0], zero]];
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let identity = Dual(f64::from(u8::from(i == j)), 0.0);
            c * identity + s * cross[i][j] + (Dual(1.0, 0.0) - c) * a[i] * a[j]
        })
    })
}

/// Pose of a frame in the world for `qpos` with its derivative along `qvel`.
pub fn pose(model: &Model, frame: Frame, qpos: &[f64], qvel: &[f64]) -> (Vector, Mat) {
    let qpos = followed(model, qpos);
    let mut path = Vec::new();
    let mut body = frame.body(model);
    while body > 0 {
        path.push(body);
        body = model.body_parentid[body] as usize;
    }
    let mut pos = constant(&[0.0; 3]);
    let mut mat = about(&[1.0, 0.0, 0.0], Dual(0.0, 0.0));
    for &b in path.iter().rev() {
        pos = plus(&pos, &apply(&mat, &constant(&model.body_pos[b])));
        mat = mul(&mat, &from_quat(model.body_quat[b].map(|c| Dual(c, 0.0))));
        let first = model.body_jntadr[b].max(0) as usize;
        for j in first..first + model.body_jntnum[b] as usize {
            let (q, v) = (model.jnt_qposadr[j] as usize, model.jnt_dofadr[j] as usize);
            let anchor = constant(&model.jnt_pos[j]);
            let before = plus(&pos, &apply(&mat, &anchor));
            let rate = |j: usize| dof_rate(model, j, qvel);
            let scalar = Dual(qpos[q] - model.qpos0[q], rate(j));
            match JointType::try_from(model.jnt_type[j]).unwrap() {
                JointType::Hinge => {
                    mat = mul(&mat, &about(&model.jnt_axis[j], scalar));
                    pos = minus(&before, &apply(&mat, &anchor));
                }
                JointType::Slide => {
                    let axis = apply(&mat, &constant(&model.jnt_axis[j]));
                    pos = plus(&pos, &axis.map(|c| c * scalar));
                }
                JointType::Ball => {
                    mat = mul(&mat, &from_quat(quat_rate(&qpos[q..], &qvel[v..])));
                    pos = minus(&before, &apply(&mat, &anchor));
                }
                JointType::Free => {
                    pos = std::array::from_fn(|k| Dual(qpos[q + k], qvel[v + k]));
                    mat = from_quat(quat_rate(&qpos[q + 3..], &qvel[v + 3..]));
                }
            }
        }
    }
    let offset = frame.offset(model);
    let rotation: Mat = std::array::from_fn(|i| std::array::from_fn(|k| Dual(offset.mat[(i, k)], 0.0)));
    (plus(&pos, &apply(&mat, &constant(&offset.pos.into()))), mul(&mat, &rotation))
}

/// Unit quaternion with its rate under a local angular velocity: `q̇ = ½ q [0, ω]`.
fn quat_rate(q: &[f64], omega: &[f64]) -> [Dual; 4] {
    let norm = q[..4].iter().map(|c| c * c).sum::<f64>().sqrt();
    let (w, x, y, z) = (q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm);
    let (a, b, c) = (omega[0], omega[1], omega[2]);
    [
        Dual(w, 0.5 * (-x * a - y * b - z * c)),
        Dual(x, 0.5 * (w * a + y * c - z * b)),
        Dual(y, 0.5 * (w * b + z * a - x * c)),
        Dual(z, 0.5 * (w * c + x * b - y * a)),
    ]
}

/// Velocity of a scalar joint, or of the joint that it follows.
fn dof_rate(model: &Model, joint: usize, qvel: &[f64]) -> f64 {
    match follow(model, joint) {
        Some((Some(leader), c)) => c[1] * dof_rate(model, leader, qvel),
        Some((None, _)) => 0.0,
        None => qvel[model.jnt_dofadr[joint] as usize],
    }
}

fn follow(model: &Model, joint: usize) -> Option<(Option<usize>, [f64; 11])> {
    let eq = (0..model.neq)
        .find(|&e| model.eq_type[e] == EqType::Joint as i32 && model.eq_obj1id[e] == joint as i32)?;
    Some((usize::try_from(model.eq_obj2id[eq]).ok(), model.eq_data[eq]))
}

/// `qpos` with the values of joints that follow others.
fn followed(model: &Model, qpos: &[f64]) -> Vec<f64> {
    let mut full = qpos.to_vec();
    for _ in 0..3 {
        for j in 0..model.njnt {
            let Some((leader, c)) = follow(model, j) else { continue };
            let address = |j: usize| model.jnt_qposadr[j] as usize;
            let x = leader.map_or(0.0, |l| full[address(l)] - model.qpos0[address(l)]);
            full[address(j)] = model.qpos0[address(j)] + c[0] + c[1] * x;
        }
    }
    full
}

/// Pose of the chain's end in its base, by the independent route: value, velocity `[v; ω]` in the base's
/// axes.
pub fn chain_twist(
    model: &Model,
    chain: &Chain,
    q: &[f64],
    v: &[f64],
) -> ([f64; 3], [[f64; 3]; 3], [f64; 6]) {
    let (mut qpos, mut qvel) = (model.qpos0.to_vec(), vec![0.0; model.nv]);
    for variable in chain.variables() {
        let (nq, nv) = (variable.kind.nq(), variable.kind.nv());
        qpos[variable.qposadr..][..nq].copy_from_slice(&q[variable.q_index..][..nq]);
        qvel[variable.dofadr..][..nv].copy_from_slice(&v[variable.v_index..][..nv]);
    }
    let (base_pos, base_mat) = pose(model, chain.base(), &qpos, &qvel);
    let (end_pos, end_mat) = pose(model, chain.end(), &qpos, &qvel);
    let inverse: Mat = std::array::from_fn(|i| std::array::from_fn(|j| base_mat[j][i]));
    let pos = apply(&inverse, &minus(&end_pos, &base_pos));
    let mat = mul(&inverse, &end_mat);
    // ω× = Ṙ Rᵀ
    let spin = |i: usize, j: usize| (0..3).map(|k| mat[i][k].1 * mat[j][k].0).sum::<f64>();
    let twist = [pos[0].1, pos[1].1, pos[2].1, spin(2, 1), spin(0, 2), spin(1, 0)];
    (pos.map(|c| c.0), mat.map(|row| row.map(|c| c.0)), twist)
}

/// Reproducible numbers in [0, 1).
pub struct Random(pub u64);

impl Random {
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

/// A configuration inside the limits, or within a turn and a metre.
pub fn random_q(chain: &Chain, random: &mut Random) -> Vec<f64> {
    let mut q = Vec::new();
    for variable in chain.variables() {
        for k in 0..variable.kind.nq() {
            let scalar = variable.kind.nq() == 1;
            let quaternion = !scalar && k + 4 >= variable.kind.nq();
            let [low, high] = variable.range;
            let (low, high) = if scalar && low.is_finite() { (low, high) } else { (-3.0, 3.0) };
            q.push(if quaternion { random.between(-1.0, 1.0) } else { random.between(low, high) });
        }
    }
    q
}
