//! Forward kinematics and Jacobians of many configurations: four at a time in lanes, and lists on threads.
//!
//! The operations of one configuration and their order are those of a single call, so that the results have
//! the same bits. Chains with ball or free joints are taken one by one.

use super::{Chain, JointFrameCache, JointKind, ReferenceFrame, convert_jacobian};
use crate::error::{IkError, check_finite, check_size};
use crate::pose::Pose;
use kinetree_math::sincos::sin_cos;
use kinetree_math::{Mat3, Vec3};
use wide::f64x4;

const LANES: usize = 4;
/// Joints whose sines are computed together: enough angles that none waits for the series of another.
const JOINTS: usize = 4;
/// Configurations that one thread takes at a time.
#[cfg(feature = "parallel")]
const PIECE: usize = 256;

/// A vector for each of four configurations, component by component.
type Vectors = [f64x4; 3];

#[inline(always)]
fn combine(a: &Vectors, ca: f64x4, b: &Vectors, cb: f64x4) -> Vectors {
    [a[0] * ca + b[0] * cb, a[1] * ca + b[1] * cb, a[2] * ca + b[2] * cb]
}

#[inline(always)]
fn combine_minus(a: &Vectors, ca: f64x4, b: &Vectors, cb: f64x4) -> Vectors {
    [a[0] * ca - b[0] * cb, a[1] * ca - b[1] * cb, a[2] * ca - b[2] * cb]
}

/// Sines and cosines of the angles of some joints.
#[inline(always)]
fn sines(angles: &[[f64; LANES]; JOINTS], joints: usize) -> [[[f64; LANES]; JOINTS]; 2] {
    match joints {
        1 => some_sines::<LANES>(angles),
        2 => some_sines::<{ 2 * LANES }>(angles),
        3 => some_sines::<{ 3 * LANES }>(angles),
        _ => some_sines::<{ JOINTS * LANES }>(angles),
    }
}

/// Sines and cosines of the first `N` angles.
#[inline(always)]
fn some_sines<const N: usize>(angles: &[[f64; LANES]; JOINTS]) -> [[[f64; LANES]; JOINTS]; 2] {
    let mut all = [[[0.0; LANES]; JOINTS]; 2];
    if let Some(first) = angles.as_flattened().first_chunk::<N>() {
        let (sin, cos) = sin_cos(first);
        all[0].as_flattened_mut()[..N].copy_from_slice(&sin);
        all[1].as_flattened_mut()[..N].copy_from_slice(&cos);
    }
    all
}

/// The numbers of each lane.
#[inline(always)]
fn transposed(rows: [f64x4; LANES]) -> [[f64; LANES]; LANES] {
    let [a, b, c, d] = [rows[0].to_array(), rows[1].to_array(), rows[2].to_array(), rows[3].to_array()];
    [[a[0], b[0], c[0], d[0]], [a[1], b[1], c[1], d[1]], [a[2], b[2], c[2], d[2]], [a[3], b[3], c[3], d[3]]]
}

/// Two numbers of each lane.
#[inline(always)]
fn paired(a: f64x4, b: f64x4) -> [[f64; 2]; LANES] {
    let (a, b) = (a.to_array(), b.to_array());
    [[a[0], b[0]], [a[1], b[1]], [a[2], b[2]], [a[3], b[3]]]
}

/// Frames of four configurations.
#[derive(Clone, Copy, Default)]
struct Frames {
    x: Vectors,
    y: Vectors,
    z: Vectors,
    pos: Vectors,
}

impl Frames {
    #[inline(always)]
    fn new(pose: &Pose) -> Self {
        let splat = |v: Vec3| [v.x, v.y, v.z].map(f64x4::splat);
        let column = |k: usize| splat(pose.mat.column(k).into_owned());
        Self { x: column(0), y: column(1), z: column(2), pos: splat(pose.pos) }
    }

    #[inline(always)]
    fn rotate(&self, v: [f64; 3]) -> Vectors {
        let (a, b, c) = (f64x4::splat(v[0]), f64x4::splat(v[1]), f64x4::splat(v[2]));
        let at = |k: usize| self.x[k] * a + self.y[k] * b + self.z[k] * c;
        [at(0), at(1), at(2)]
    }

    #[inline(always)]
    fn turn(&mut self, mat: &Mat3) {
        let column = |k: usize| self.rotate([mat[(0, k)], mat[(1, k)], mat[(2, k)]]);
        (self.x, self.y, self.z) = (column(0), column(1), column(2));
    }

    /// Poses of the configurations.
    #[inline(always)]
    fn poses(&self) -> [Pose; LANES] {
        let ([px, py, pz], [xx, xy, xz]) = (self.pos, self.x);
        let ([yx, yy, yz], [zx, zy, zz]) = (self.y, self.z);
        let (a, b, c) =
            (transposed([px, py, pz, xx]), transposed([xy, xz, yx, yy]), transposed([yz, zx, zy, zz]));
        std::array::from_fn(|lane| {
            let ([px, py, pz, xx], [xy, xz, yx, yy], [yz, zx, zy, zz]) = (a[lane], b[lane], c[lane]);
            Pose { pos: Vec3::new(px, py, pz), mat: Mat3::new(xx, yx, zx, xy, yy, zy, xz, yz, zz) }
        })
    }
}

/// Memory of a thread.
struct Workspace {
    single: JointFrameCache,
    /// Axis and origin of each joint.
    joints: Vec<(Vectors, Vectors)>,
}

impl Workspace {
    fn new(chain: &Chain) -> Self {
        let single = JointFrameCache::new(chain);
        Self { single, joints: vec![Default::default(); chain.joints.len()] }
    }
}

impl Chain {
    /// Poses of the end for a list of configurations, `nq` numbers each. With the feature `parallel` long
    /// lists are shared among threads.
    ///
    /// # Errors
    /// When the lists do not belong together, or a value is not a finite number.
    pub fn fk_batch(&self, q: &[f64], poses: &mut [Pose]) -> Result<(), IkError> {
        self.check_batch(q, poses.len())?;
        self.each_piece(q, poses, &mut [], |chain, q, poses, _, workspace| {
            chain.run(q, poses, None, workspace);
        });
        Ok(())
    }

    /// Poses and Jacobians for a list of configurations; `jacobians` has `nv` columns for each, one
    /// configuration after the other.
    ///
    /// # Errors
    /// When the lists do not belong together, or a value is not a finite number.
    pub fn jacobian_batch(
        &self,
        q: &[f64],
        frame: ReferenceFrame,
        poses: &mut [Pose],
        jacobians: &mut [[f64; 6]],
    ) -> Result<(), IkError> {
        self.check_batch(q, poses.len())?;
        if jacobians.len() != poses.len() * self.nv {
            let (expected, got) = (6 * poses.len() * self.nv, 6 * jacobians.len());
            return Err(IkError::Size { what: "the Jacobians", expected, got });
        }
        self.each_piece(q, poses, jacobians, |chain, q, poses, jacobians, workspace| {
            chain.run(q, poses, Some(jacobians), workspace);
            if frame != ReferenceFrame::LocalWorldAligned {
                for (pose, jacobian) in poses.iter().zip(jacobians.chunks_exact_mut(chain.nv)) {
                    convert_jacobian(jacobian, pose, ReferenceFrame::LocalWorldAligned, frame);
                }
            }
        });
        Ok(())
    }

    fn check_batch(&self, q: &[f64], count: usize) -> Result<(), IkError> {
        check_size("the list of configurations", q, count * self.nq)?;
        check_finite("the list of configurations", q)
    }

    /// Runs `work` over the list, in pieces on threads or as one.
    fn each_piece(
        &self,
        q: &[f64],
        poses: &mut [Pose],
        jacobians: &mut [[f64; 6]],
        work: impl Fn(&Self, &[f64], &mut [Pose], &mut [[f64; 6]], &mut Workspace) + Sync,
    ) {
        #[cfg(feature = "parallel")]
        if poses.len() > PIECE && rayon::current_num_threads() > 1 {
            use rayon::prelude::*;
            let with_jacobians = !jacobians.is_empty();
            let columns = if with_jacobians { self.nv * PIECE } else { 1 };
            let mut pieces: Vec<&mut [[f64; 6]]> = jacobians.chunks_mut(columns).collect();
            pieces.resize_with(poses.len().div_ceil(PIECE), Default::default);
            q.par_chunks(self.nq * PIECE).zip(poses.par_chunks_mut(PIECE)).zip(pieces).for_each_init(
                || Workspace::new(self),
                |workspace, ((q, poses), jacobians)| {
                    work(self, q, poses, jacobians, workspace);
                },
            );
            return;
        }
        work(self, q, poses, jacobians, &mut Workspace::new(self));
    }

    /// Computes a list on one thread.
    fn run(
        &self,
        q: &[f64],
        poses: &mut [Pose],
        mut jacobians: Option<&mut [[f64; 6]]>,
        workspace: &mut Workspace,
    ) {
        let whole = if self.scalar() { poses.len() / LANES * LANES } else { 0 };
        let (nq, nv) = (self.nq, self.nv);
        for first in (0..whole).step_by(LANES) {
            let frames = self.four(&q[first * nq..(first + LANES) * nq], &mut workspace.joints);
            poses[first..first + LANES].copy_from_slice(&frames.poses());
            if let Some(jacobians) = jacobians.as_deref_mut() {
                self.four_jacobians(
                    &workspace.joints,
                    &frames.pos,
                    &mut jacobians[first * nv..(first + LANES) * nv],
                );
            }
        }
        for i in whole..poses.len() {
            self.forward(&q[i * nq..(i + 1) * nq], &mut workspace.single);
            poses[i] = workspace.single.pose();
            if let Some(jacobians) = jacobians.as_deref_mut() {
                self.aligned_jacobian(&workspace.single, &mut jacobians[i * nv..(i + 1) * nv]);
            }
        }
    }

    /// Forward kinematics of four configurations.
    #[inline(always)]
    fn four(&self, q: &[f64], joints: &mut [(Vectors, Vectors)]) -> Frames {
        let mut frames = Frames::new(&self.start);
        let mut rows = q.chunks_exact(self.nq);
        let [a, b, c, d] = std::array::from_fn(|_| rows.next().unwrap_or_default());
        // in registers: a lane that is written number by number cannot be read at once
        let value = |index: usize| f64x4::new([a[index], b[index], c[index], d[index]]);
        for (group, slots) in self.joints.chunks(JOINTS).zip(joints.chunks_mut(JOINTS)) {
            let mut angles = [[0.0; LANES]; JOINTS];
            for (joint, angles) in group.iter().zip(&mut angles) {
                let revolute = joint.kind == JointKind::Revolute;
                let variable =
                    if revolute { f64x4::splat(joint.scale) * value(joint.q) } else { f64x4::ZERO };
                *angles = (f64x4::splat(joint.angle) + variable).to_array();
            }
            let [sin, cos] = sines(&angles, group.len());
            for (k, (joint, slot)) in group.iter().zip(slots).enumerate() {
                let (sin, cos) = (f64x4::new(sin[k]), f64x4::new(cos[k]));
                if joint.kind == JointKind::Prismatic {
                    let shift = f64x4::splat(joint.shift) + f64x4::splat(joint.scale) * value(joint.q);
                    for c in 0..3 {
                        frames.pos[c] += frames.z[c] * shift;
                    }
                }
                (frames.x, frames.y) =
                    (combine(&frames.x, cos, &frames.y, sin), combine_minus(&frames.y, cos, &frames.x, sin));
                *slot = (frames.z, frames.pos);
                let [x, y, z, _] = joint.offset.to_array();
                let offset = frames.rotate([x, y, z]);
                for c in 0..3 {
                    frames.pos[c] += offset[c];
                }
                let (cos, sin) = (f64x4::splat(joint.cos), f64x4::splat(joint.sin));
                (frames.y, frames.z) =
                    (combine(&frames.y, cos, &frames.z, sin), combine_minus(&frames.z, cos, &frames.y, sin));
            }
        }
        frames.turn(&self.tip);
        frames
    }

    /// Jacobians of four configurations, in the base's axes.
    #[inline(always)]
    fn four_jacobians(&self, joints: &[(Vectors, Vectors)], tip: &Vectors, jacobians: &mut [[f64; 6]]) {
        if self.coupled {
            jacobians.fill([0.0; 6]);
        }
        for (joint, (z, origin)) in self.joints.iter().zip(joints) {
            let column = if joint.kind == JointKind::Prismatic {
                [z[0], z[1], z[2], f64x4::ZERO, f64x4::ZERO, f64x4::ZERO]
            } else {
                let r: Vectors = [tip[0] - origin[0], tip[1] - origin[1], tip[2] - origin[2]];
                let cross = |a: usize, b: usize| z[a] * r[b] - z[b] * r[a];
                [cross(1, 2), cross(2, 0), cross(0, 1), z[0], z[1], z[2]]
            };
            let [vx, vy, vz, wx, wy, wz] = column;
            let pairs = [paired(vx, vy), paired(vz, wx), paired(wy, wz)];
            for (lane, own) in jacobians.chunks_exact_mut(self.nv).enumerate() {
                let place = &mut own[joint.v];
                for (k, pair) in pairs.iter().enumerate() {
                    let [first, second] = pair[lane];
                    if self.coupled {
                        place[2 * k] += joint.scale * first;
                        place[2 * k + 1] += joint.scale * second;
                    } else {
                        (place[2 * k], place[2 * k + 1]) = (first, second);
                    }
                }
            }
        }
    }
}
