//! Forward kinematics and Jacobians of many configurations: four at a time in lanes, and lists on threads.
//!
//! The operations of one configuration and their order are those of a single call, so that the results have
//! the same bits. Chains with ball or free joints are taken one by one.

use super::jacobian::dof_motion;
use super::lane_frame::MovingFrame;
use super::{Chain, Joint, JointFrameCache, JointKind, ReferenceFrame, convert_jacobian};
use crate::error::{IkError, check_finite, check_size};
use crate::pose::Pose;
use kinetree_math::real::{Components, Real};
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
type Vectors = <f64x4 as Real>::Vec3;
/// Frames of four configurations.
type Frames = MovingFrame<f64x4>;
/// Axis and origin of a joint.
type Axis = (Vectors, Vectors);

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

impl Frames {
    /// Moves the frames over the first `J` joints, whose axes and origins go to `slots`; `N` is the number of
    /// angles, four for each joint.
    #[inline(always)]
    fn pass<const J: usize, const N: usize>(
        &mut self,
        joints: &[Joint],
        [a, b, c, d]: [&[f64]; LANES],
        slots: &mut [Axis],
    ) {
        let Some(joints) = joints.first_chunk::<J>() else { return };
        // in registers: a lane that is written number by number cannot be read at once
        let value = |index: usize| f64x4::new([a[index], b[index], c[index], d[index]]);
        let mut angles = [0.0; N];
        for (joint, angles) in joints.iter().zip(angles.as_chunks_mut::<LANES>().0) {
            let revolute = joint.kind == JointKind::Revolute;
            let variable = if revolute { f64x4::splat(joint.scale) * value(joint.q) } else { f64x4::ZERO };
            *angles = (f64x4::splat(joint.angle) + variable).to_array();
        }
        let (sin, cos) = sin_cos(&angles);
        let (sin, cos) = (sin.as_chunks::<LANES>().0, cos.as_chunks::<LANES>().0);
        for (k, (joint, slot)) in joints.iter().zip(slots).enumerate() {
            let (sin, cos) = (f64x4::new(sin[k]), f64x4::new(cos[k]));
            self.move_along(joint, sin, cos, || value(joint.q));
            *slot = (self.z, self.pos);
            self.move_to_next(joint);
        }
    }

    /// Poses of the configurations.
    #[inline(always)]
    fn poses(&self) -> [Pose; LANES] {
        let ([px, py, pz], [xx, xy, xz]) = (self.pos.store(), self.x.store());
        let ([yx, yy, yz], [zx, zy, zz]) = (self.y.store(), self.z.store());
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
    joints: Vec<Axis>,
}

impl Workspace {
    fn new(chain: &Chain) -> Self {
        let (single, zero) = (JointFrameCache::new(chain), Vectors::splat(f64x4::ZERO));
        Self { single, joints: vec![(zero, zero); chain.joints.len()] }
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
        if poses.len() > PIECE && kinetree_threads::count() > 1 {
            use rayon::prelude::*;
            let with_jacobians = !jacobians.is_empty();
            let columns = if with_jacobians { self.nv * PIECE } else { 1 };
            let mut pieces: Vec<&mut [[f64; 6]]> = jacobians.chunks_mut(columns).collect();
            pieces.resize_with(poses.len().div_ceil(PIECE), Default::default);
            let pieces = q.par_chunks(self.nq * PIECE).zip(poses.par_chunks_mut(PIECE)).zip(pieces);
            kinetree_threads::install(|| {
                pieces.for_each_init(
                    || Workspace::new(self),
                    |workspace, ((q, poses), jacobians)| {
                        work(self, q, poses, jacobians, workspace);
                    },
                );
            });
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
                    frames.pos,
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
    fn four(&self, q: &[f64], joints: &mut [Axis]) -> Frames {
        let mut frames = Frames::new(&self.start);
        let mut rows = q.chunks_exact(self.nq);
        let rows: [&[f64]; LANES] = std::array::from_fn(|_| rows.next().unwrap_or_default());
        let (groups, rest) = self.joints.as_chunks::<JOINTS>();
        let (group_slots, rest_slots) = joints.as_chunks_mut::<JOINTS>();
        for (group, slots) in groups.iter().zip(group_slots) {
            frames.pass::<JOINTS, { JOINTS * LANES }>(group, rows, slots);
        }
        match rest.len() {
            1 => frames.pass::<1, LANES>(rest, rows, rest_slots),
            2 => frames.pass::<2, { 2 * LANES }>(rest, rows, rest_slots),
            3 => frames.pass::<3, { 3 * LANES }>(rest, rows, rest_slots),
            _ => {}
        }
        frames.rotate_by(&self.tip);
        frames
    }

    /// Jacobians of four configurations, in the base's axes.
    #[inline(always)]
    fn four_jacobians(&self, joints: &[Axis], tip: Vectors, jacobians: &mut [[f64; 6]]) {
        if self.coupled {
            jacobians.fill([0.0; 6]);
        }
        for (joint, &(z, origin)) in self.joints.iter().zip(joints) {
            let (linear, angular) = dof_motion::<f64x4>(joint, z, origin, tip);
            let ([vx, vy, vz], [wx, wy, wz]) = (linear.store(), angular.store());
            let pairs = [paired(vx, vy), paired(vz, wx), paired(wy, wz)];
            for (lane, own) in jacobians.chunks_exact_mut(self.nv).enumerate() {
                let column = &mut own[joint.v];
                for (k, pair) in pairs.iter().enumerate() {
                    let [first, second] = pair[lane];
                    if self.coupled {
                        column[2 * k] += joint.scale * first;
                        column[2 * k + 1] += joint.scale * second;
                    } else {
                        (column[2 * k], column[2 * k + 1]) = (first, second);
                    }
                }
            }
        }
    }
}
