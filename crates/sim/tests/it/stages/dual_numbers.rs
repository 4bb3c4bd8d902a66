//! Analytic derivatives of the smooth stages against dual numbers: kinematics, lengths of tendons, inertia
//! and bias, evaluated a second time by Newton's and Euler's equations in world axes on numbers `a + b ε`
//! with `ε² = 0`. There is no step size, so that both agree to rounding.

use super::transition::shaken;
use super::{load, noise};
use kinetree_model::{Data, Model};
use kinetree_sim::{InverseJacobians, mj_forward, mj_jac_site, mjd_inverse};
use std::ops::{Add, Mul, Neg, Sub};

/// A number and its derivative.
#[derive(Clone, Copy, Debug, Default)]
struct Dual {
    value: f64,
    derivative: f64,
}

fn constant(value: f64) -> Dual {
    Dual { value, derivative: 0.0 }
}

impl Dual {
    fn chain(self, value: f64, derivative: f64) -> Self {
        Self { value, derivative: derivative * self.derivative }
    }

    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, 0.5 / root)
    }
}

impl Add for Dual {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self { value: self.value + o.value, derivative: self.derivative + o.derivative }
    }
}

impl Neg for Dual {
    type Output = Self;
    fn neg(self) -> Self {
        self.chain(-self.value, -1.0)
    }
}

impl Sub for Dual {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}

impl Mul for Dual {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self {
            value: self.value * o.value,
            derivative: self.derivative * o.value + self.value * o.derivative,
        }
    }
}

type V3 = [Dual; 3];
type M3 = [V3; 3];

fn fixed(v: &[f64; 3]) -> V3 {
    v.map(constant)
}

fn add(a: &V3, b: &V3) -> V3 {
    std::array::from_fn(|k| a[k] + b[k])
}

fn sub(a: &V3, b: &V3) -> V3 {
    std::array::from_fn(|k| a[k] - b[k])
}

fn scale(a: &V3, s: Dual) -> V3 {
    a.map(|x| x * s)
}

fn dot(a: &V3, b: &V3) -> Dual {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: &V3, b: &V3) -> V3 {
    std::array::from_fn(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
}

fn apply(m: &M3, v: &V3) -> V3 {
    std::array::from_fn(|k| dot(&m[k], v))
}

fn transposed(m: &M3) -> M3 {
    std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]))
}

fn product(a: &M3, b: &M3) -> M3 {
    let columns = transposed(b);
    std::array::from_fn(|i| std::array::from_fn(|j| dot(&a[i], &columns[j])))
}

/// Rotation of a quaternion of any length.
fn rotation(q: [Dual; 4]) -> M3 {
    let square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    let inverse = square.chain(1.0 / square.value, -1.0 / (square.value * square.value));
    let twice = |a: usize, b: usize| constant(2.0) * q[a] * q[b] * inverse;
    let one = constant(1.0);
    [
        [one - twice(2, 2) - twice(3, 3), twice(1, 2) - twice(0, 3), twice(1, 3) + twice(0, 2)],
        [twice(1, 2) + twice(0, 3), one - twice(1, 1) - twice(3, 3), twice(2, 3) - twice(0, 1)],
        [twice(1, 3) - twice(0, 2), twice(2, 3) + twice(0, 1), one - twice(1, 1) - twice(2, 2)],
    ]
}

/// Rotation about a unit axis.
fn axis_rotation(axis: &[f64; 3], angle: Dual) -> M3 {
    let half = constant(0.5) * angle;
    let (sin, cos) = (half.value.sin(), half.value.cos());
    let (s, c) = (half.chain(sin, cos), half.chain(cos, -sin));
    rotation([c, s * constant(axis[0]), s * constant(axis[1]), s * constant(axis[2])])
}

/// Motion of a frame: position, axes, angular velocity, velocity of its origin, and their rates.
#[derive(Clone, Copy, Debug)]
struct Frame {
    pos: V3,
    axes: M3,
    spin: V3,
    velocity: V3,
    spin_rate: V3,
    acceleration: V3,
}

impl Frame {
    fn world(gravity: &[f64; 3]) -> Self {
        let zero = [constant(0.0); 3];
        Self {
            pos: zero,
            axes: rotation([constant(1.0), constant(0.0), constant(0.0), constant(0.0)]),
            spin: zero,
            velocity: zero,
            spin_rate: zero,
            acceleration: fixed(&gravity.map(|g| -g)),
        }
    }

    /// The frame at a position that is carried along.
    fn carried(&self, pos: &V3) -> Self {
        let r = sub(pos, &self.pos);
        let swung = cross(&self.spin, &r);
        let inward = cross(&self.spin, &swung);
        Self {
            pos: *pos,
            velocity: add(&self.velocity, &swung),
            acceleration: add(&self.acceleration, &add(&cross(&self.spin_rate, &r), &inward)),
            ..*self
        }
    }

    fn in_world(&self, local: &[f64; 3]) -> V3 {
        add(&self.pos, &apply(&self.axes, &fixed(local)))
    }

    /// Adds a spin about an axis that is carried along, through the origin.
    fn spun(mut self, axis: &V3, rate: Dual, acceleration: Dual) -> Self {
        let own = scale(axis, rate);
        let swept = cross(&self.spin, &own);
        self.spin_rate = add(&self.spin_rate, &add(&scale(axis, acceleration), &swept));
        self.spin = add(&self.spin, &own);
        self
    }
}

/// Positions, velocities and accelerations with the derivative along one input.
struct State {
    qpos: Vec<Dual>,
    qvel: Vec<Dual>,
    qacc: Vec<Dual>,
}

impl State {
    /// Input `input` of positions in the tangent space, then velocities, then accelerations.
    fn new(model: &Model, data: &Data, input: usize) -> Self {
        let duals = |values: &[f64]| values.iter().map(|&x| constant(x)).collect::<Vec<_>>();
        let nv = model.nv;
        let mut state = Self { qpos: duals(&data.qpos), qvel: duals(&data.qvel), qacc: duals(&data.qacc) };
        match input / nv {
            0 => state.move_position(model, data, input),
            1 => state.qvel[input - nv].derivative = 1.0,
            _ => state.qacc[input - 2 * nv].derivative = 1.0,
        }
        state
    }

    fn move_position(&mut self, model: &Model, data: &Data, dof: usize) {
        let joint = model.dof_jntid[dof] as usize;
        let (mut address, mut k) =
            (model.jnt_qposadr[joint] as usize, dof - model.jnt_dofadr[joint] as usize);
        match model.jnt_type[joint] {
            0 if k < 3 => return self.qpos[address + k].derivative = 1.0,
            0 => (address, k) = (address + 3, k - 3),
            1 => {}
            _ => return self.qpos[address].derivative = 1.0,
        }
        // q' = ½ q ⊗ e
        let q = &data.qpos[address..address + 4];
        let rate = match k {
            0 => [-q[1], q[0], q[3], -q[2]],
            1 => [-q[2], -q[3], q[0], q[1]],
            _ => [-q[3], q[2], -q[1], q[0]],
        };
        for (at, rate) in rate.into_iter().enumerate() {
            self.qpos[address + at].derivative = 0.5 * rate;
        }
    }
}

/// Axis and anchor of each dof in the world, and the frames of all bodies.
struct Tree {
    frames: Vec<Frame>,
    /// Direction, anchor, and whether the dof is a rotation.
    dofs: Vec<(V3, V3, bool)>,
}

impl Tree {
    fn new(model: &Model, state: &State) -> Self {
        let zero = [constant(0.0); 3];
        let mut tree = Self {
            frames: vec![Frame::world(&model.opt.gravity); model.nbody],
            dofs: vec![(zero, zero, false); model.nv],
        };
        for body in 1..model.nbody {
            let parent = tree.frames[model.body_parentid[body] as usize];
            let mut frame = parent.carried(&parent.in_world(&model.body_pos[body]));
            frame.axes = product(&parent.axes, &rotation(model.body_quat[body].map(constant)));
            for joint in 0..model.njnt {
                if model.jnt_bodyid[joint] as usize == body {
                    frame = tree.join(model, state, joint, frame);
                }
            }
            tree.frames[body] = frame;
        }
        tree
    }

    /// The frame behind a joint.
    fn join(&mut self, model: &Model, state: &State, joint: usize, before: Frame) -> Frame {
        let (address, dof) = (model.jnt_qposadr[joint] as usize, model.jnt_dofadr[joint] as usize);
        let (q, v, a) = (&state.qpos[address..], &state.qvel[dof..], &state.qacc[dof..]);
        let quat = |q: &[Dual]| rotation([q[0], q[1], q[2], q[3]]);
        match model.jnt_type[joint] {
            0 => {
                let mut frame = Frame::world(&model.opt.gravity);
                frame.pos = [q[0], q[1], q[2]];
                frame.velocity = [v[0], v[1], v[2]];
                frame.acceleration = add(&frame.acceleration, &[a[0], a[1], a[2]]);
                for k in 0..3 {
                    let unit = std::array::from_fn(|i| constant(f64::from(u8::from(i == k))));
                    self.dofs[dof + k] = (unit, frame.pos, false);
                }
                frame.axes = quat(&q[3..]);
                self.rotated(frame, dof + 3, &v[3..], &a[3..])
            }
            1 => {
                let anchor = before.in_world(&model.jnt_pos[joint]);
                let mut frame = before.carried(&anchor);
                frame.axes = product(&frame.axes, &quat(q));
                let frame = self.rotated(frame, dof, v, a);
                back(model, joint, &frame)
            }
            kind => {
                let axis = apply(&before.axes, &fixed(&model.jnt_axis[joint]));
                let anchor = before.in_world(&model.jnt_pos[joint]);
                let moved = q[0] - constant(model.qpos0[address]);
                self.dofs[dof] = (axis, anchor, kind == 3);
                if kind == 3 {
                    let mut frame = before.carried(&anchor).spun(&axis, v[0], a[0]);
                    frame.axes = product(&before.axes, &axis_rotation(&model.jnt_axis[joint], moved));
                    return back(model, joint, &frame);
                }
                let mut frame = before.carried(&add(&before.pos, &scale(&axis, moved)));
                let coriolis = scale(&cross(&before.spin, &axis), constant(2.0) * v[0]);
                frame.velocity = add(&frame.velocity, &scale(&axis, v[0]));
                frame.acceleration = add(&frame.acceleration, &add(&scale(&axis, a[0]), &coriolis));
                frame
            }
        }
    }

    /// Spins about the three axes of a frame at once.
    fn rotated(&mut self, frame: Frame, dof: usize, v: &[Dual], a: &[Dual]) -> Frame {
        let columns = transposed(&frame.axes);
        for (k, column) in columns.iter().enumerate() {
            self.dofs[dof + k] = (*column, frame.pos, true);
        }
        let own = apply(&frame.axes, &[v[0], v[1], v[2]]);
        let rate = apply(&frame.axes, &[a[0], a[1], a[2]]);
        let mut out = frame;
        out.spin_rate = add(&out.spin_rate, &add(&rate, &cross(&frame.spin, &own)));
        out.spin = add(&out.spin, &own);
        out
    }

    fn moves(model: &Model, dof: usize, body: usize) -> bool {
        let mut at = body;
        while at > 0 && at != model.dof_bodyid[dof] as usize {
            at = model.body_parentid[at] as usize;
        }
        at > 0
    }

    /// Force of inverse dynamics on each dof, without armature.
    fn inverse_dynamics(&self, model: &Model) -> Vec<Dual> {
        let mut out = vec![constant(0.0); model.nv];
        for body in 1..model.nbody {
            let frame = self.frames[body];
            let center = frame.carried(&frame.in_world(&model.body_ipos[body]));
            let axes = product(&frame.axes, &rotation(model.body_iquat[body].map(constant)));
            let force = scale(&center.acceleration, constant(model.body_mass[body]));
            let inertia = |x: &V3| {
                let local = apply(&transposed(&axes), x);
                let scaled = std::array::from_fn(|k| local[k] * constant(model.body_inertia[body][k]));
                apply(&axes, &scaled)
            };
            let torque = add(&inertia(&frame.spin_rate), &cross(&frame.spin, &inertia(&frame.spin)));
            for (dof, (axis, anchor, is_rotation)) in self.dofs.iter().enumerate() {
                if !Self::moves(model, dof, body) {
                    continue;
                }
                let arm = sub(&center.pos, anchor);
                let along = if *is_rotation { add(&torque, &cross(&arm, &force)) } else { force };
                out[dof] = out[dof] + dot(axis, &along);
            }
        }
        out
    }

    fn site(&self, model: &Model, site: usize) -> V3 {
        self.frames[model.site_bodyid[site] as usize].in_world(&model.site_pos[site])
    }
}

/// The frame of a body from that of one of its joints: the anchor stays where it is in the body.
fn back(model: &Model, joint: usize, frame: &Frame) -> Frame {
    let origin = sub(&frame.pos, &apply(&frame.axes, &fixed(&model.jnt_pos[joint])));
    frame.carried(&origin)
}

const MODEL: &str = r#"<mujoco><option><flag constraint="disable"/></option><worldbody>
  <site name="anchor" pos="0.5 0.3 1"/>
  <body pos="0 0 0.5"><freejoint/>
    <geom type="ellipsoid" size="0.1 0.12 0.08" pos="0.02 0 0.01" euler="10 20 30"/>
    <body pos="0.15 0 0.1" euler="20 0 10">
      <joint type="ball" pos="0.02 0.01 0"/>
      <geom type="capsule" fromto="0 0 0 0.2 0 0.05" size="0.03"/>
      <site name="middle" pos="0.1 0.05 0.02"/>
      <body pos="0.2 0 0.05" euler="0 40 10">
        <joint axis="0 1 0.2" pos="0.01 0 0.03" armature="0.02"/><joint type="slide" axis="1 0 0.1"/>
        <geom type="capsule" fromto="0 0 0 0.15 0 0" size="0.02"/>
        <site name="tip" pos="0.15 0 0.02"/>
      </body>
    </body>
    <body pos="-0.15 0 0"><joint axis="1 1 0"/><geom type="box" size="0.03 0.04 0.05" pos="-0.05 0 0"/></body>
  </body></worldbody>
  <tendon><spatial><site site="anchor"/><site site="middle"/><site site="tip"/></spatial></tendon></mujoco>"#;

#[test]
fn smooth_stages_agree_with_dual_numbers() {
    let model = load(MODEL);
    let nv = model.nv;
    for seed in 1..6 {
        let mut data = shaken(&model, seed, 0);
        mj_forward(&model, &mut data).unwrap();
        data.qacc.copy_from_slice(&noise(nv, seed + 50));
        let [mut by_q, mut by_v, mut by_a] = [0, 1, 2].map(|_| vec![0.0; nv * nv]);
        let out = InverseJacobians {
            force_position: Some(&mut by_q),
            force_velocity: Some(&mut by_v),
            force_acceleration: Some(&mut by_a),
            ..InverseJacobians::default()
        };
        mjd_inverse(&model, &mut data, false, out).unwrap();
        let tip = model.nsite - 1;
        let (jacobian, _) = mj_jac_site(&model, &data, tip);
        for input in 0..3 * nv {
            let tree = Tree::new(&model, &State::new(&model, &data, input));
            let force = tree.inverse_dynamics(&model);
            let found = &[&by_q, &by_v, &by_a][input / nv][input % nv * nv..][..nv];
            for dof in 0..nv {
                let armature = if input == 2 * nv + dof { model.dof_armature[dof] } else { 0.0 };
                let expected = force[dof].derivative + armature;
                let error = (found[dof] - expected).abs();
                assert!(error < 1e-10, "force {dof}, input {input}: {} instead of {expected}", found[dof]);
                let value = force[dof].value + model.dof_armature[dof] * data.qacc[dof];
                assert!((value - data.qfrc_inverse[dof]).abs() < 1e-10, "force {dof}");
            }
            if input >= nv {
                continue;
            }
            let [a, b, c] = [0, 1, 2].map(|site| tree.site(&model, site));
            for k in 0..3 {
                assert!((jacobian[(k, input)] - c[k].derivative).abs() < 1e-10, "site, dof {input}");
            }
            let length = |a: &V3, b: &V3| dot(&sub(a, b), &sub(a, b)).sqrt();
            let total = length(&a, &b) + length(&b, &c);
            assert!((data.ten_length[0] - total.value).abs() < 1e-12);
            let columns = &model.ten_J_colind[..model.ten_J_rownnz[0] as usize];
            let found = columns.iter().position(|&j| j as usize == input).map_or(0.0, |at| data.ten_J[at]);
            assert!((found - total.derivative).abs() < 1e-10, "tendon, dof {input}");
        }
    }
}
