//! Jacobians of points, bodies, axes and momenta with respect to joint velocity.
//!
//! `cdof` holds the motion of every dof about the centre of mass of its tree, so that a column is a lookup
//! and one cross product: `jacr_i = ω_i`, `jacp_i = v_i + ω_i × (point − com)`. Only the dofs on the path
//! from the body to the root have non-zero columns.
//!
//! Matrices in slices are row-major, three rows of `nv` (or of the length of a chain).

use super::chain::chain_dofs;
use kinetree_math::Vec3;
use kinetree_math::spatial::{SpatialKind, Vec6, angular, cross_motion, linear, transform_spatial};
use kinetree_model::enums::JointType;
use kinetree_model::{Data, Model};

/// Point relative to the centre of mass of the tree of `body`.
#[inline]
pub(crate) fn offset_from_com(model: &Model, data: &Data, point: &Vec3, body: usize) -> Vec3 {
    point - Vec3::from(data.subtree_com[model.body_rootid[body] as usize])
}

/// Velocity of the point at `offset` from the centre of mass, per unit of a dof.
#[inline]
pub(crate) fn point_column(cdof: &Vec6, offset: &Vec3) -> Vec3 {
    linear(cdof) + angular(cdof).cross(offset)
}

/// Writes `column` as column `i` of a row-major matrix with rows of length `n`.
#[inline]
pub(crate) fn set_column(matrix: &mut [f64], n: usize, i: usize, column: &Vec3) {
    matrix[i] = column.x;
    matrix[n + i] = column.y;
    matrix[2 * n + i] = column.z;
}

/// The two halves of a Jacobian, translation and rotation, as row-major `3 × n` buffers. Either may be left
/// out.
pub(crate) struct Halves<'a> {
    pub translation: Option<&'a mut [f64]>,
    pub rotation: Option<&'a mut [f64]>,
    pub n: usize,
}

impl Halves<'_> {
    /// Sets everything to zero.
    pub(crate) fn clear(&mut self) {
        for half in [&mut self.translation, &mut self.rotation].into_iter().flatten() {
            half[..3 * self.n].fill(0.0);
        }
    }

    /// Sets column `i` of the halves that are there.
    #[inline]
    pub(crate) fn set(&mut self, i: usize, rotation: &Vec3, translation: impl FnOnce() -> Vec3) {
        if let Some(half) = self.rotation.as_deref_mut() {
            set_column(half, self.n, i, rotation);
        }
        if let Some(half) = self.translation.as_deref_mut() {
            set_column(half, self.n, i, &translation());
        }
    }
}

/// Jacobian of a global point attached to `body`, into row-major `3 × nv` buffers. Either half may be left
/// out.
pub(crate) fn mj_jac_into(
    model: &Model,
    data: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    point: &[f64; 3],
    body: usize,
) {
    let mut jacobian = Halves { translation: jacp, rotation: jacr, n: model.nv };
    jacobian.clear();
    chain_columns(model, data, &mut jacobian, point, body);
}

/// As [`mj_jac_into`], but writes only the columns of the chain of `body`: a caller that has cleared them
/// pays no more than for these.
pub(crate) fn chain_columns(
    model: &Model,
    data: &Data,
    jacobian: &mut Halves<'_>,
    point: &[f64; 3],
    body: usize,
) {
    let offset = offset_from_com(model, data, &Vec3::from(*point), body);
    for i in chain_dofs(model, body) {
        let cdof = &data.cdof[i];
        jacobian.set(i, &angular(cdof), || point_column(cdof, &offset));
    }
}

/// Jacobians of a point and of a direction attached to `body`, into row-major `3 × nv` buffers: the columns
/// of the second are `ω_i × axis`.
pub(crate) fn mj_jac_point_axis_into(
    model: &Model,
    data: &Data,
    jac_point: Option<&mut [f64]>,
    jac_axis: Option<&mut [f64]>,
    point: &[f64; 3],
    axis: &[f64; 3],
    body: usize,
) {
    mj_jac_into(model, data, jac_point, None, point, body);
    if let Some(jac_axis) = jac_axis {
        let (nv, axis) = (model.nv, Vec3::from(*axis));
        jac_axis[..3 * nv].fill(0.0);
        for i in chain_dofs(model, body) {
            set_column(jac_axis, nv, i, &angular(&data.cdof[i]).cross(&axis));
        }
    }
}

/// Rate of change of a dof's motion. Ball and free rotations rotate with the body itself, not with the frame
/// that `cdof_dot` was computed in.
#[inline]
pub(crate) fn dof_motion_rate(model: &Model, data: &Data, dof: usize) -> Vec6 {
    let joint = model.dof_jntid[dof] as usize;
    let kind = model.jnt_type[joint];
    let rotates =
        kind == JointType::Ball || (kind == JointType::Free && dof as i32 >= model.jnt_dofadr[joint] + 3);
    if rotates {
        cross_motion(&data.cvel[model.dof_bodyid[dof] as usize], &data.cdof[dof])
    } else {
        data.cdof_dot[dof]
    }
}

/// Linear velocity of a global point attached to `body`.
#[inline]
pub(crate) fn point_velocity(model: &Model, data: &Data, point: &Vec3, body: usize) -> Vec3 {
    let com = Vec3::from(data.subtree_com[model.body_rootid[body] as usize]);
    linear(&transform_spatial(&data.cvel[body], SpatialKind::Motion, point, &com, None))
}

/// Time derivative of the Jacobian of a global point attached to `body`, into row-major `3 × nv` buffers.
/// Needs the velocity stage. Either half may be left out.
pub(crate) fn mj_jac_dot_into(
    model: &Model,
    data: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    point: &[f64; 3],
    body: usize,
) {
    let mut jacobian = Halves { translation: jacp, rotation: jacr, n: model.nv };
    jacobian.clear();
    let point = Vec3::from(*point);
    let offset = offset_from_com(model, data, &point, body);
    let velocity = point_velocity(model, data, &point, body);
    for i in chain_dofs(model, body) {
        let rate = dof_motion_rate(model, data, i);
        let translation = || point_rate_column(&rate, &data.cdof[i], &offset, &velocity);
        jacobian.set(i, &angular(&rate), translation);
    }
}

/// Rate of change of a translational column: the motion changes, and the point moves.
#[inline]
pub(crate) fn point_rate_column(rate: &Vec6, cdof: &Vec6, offset: &Vec3, velocity: &Vec3) -> Vec3 {
    linear(rate) + angular(rate).cross(offset) + angular(cdof).cross(velocity)
}

/// Bodies of the subtree that starts at `body`, in order.
pub(crate) fn subtree(model: &Model, body: usize) -> impl Iterator<Item = usize> + '_ {
    (body..model.nbody).take_while(move |&b| b == body || model.body_parentid[b] as usize >= body)
}

/// Jacobian of the centre of mass of the subtree of `body`, into a row-major `3 × nv` buffer.
pub(crate) fn mj_jac_subtree_com_into(model: &Model, data: &Data, jacp: &mut [f64], body: usize) {
    let nv = model.nv;
    jacp[..3 * nv].fill(0.0);
    for b in subtree(model, body) {
        let offset = offset_from_com(model, data, &Vec3::from(data.xipos[b]), b);
        let mass = model.body_mass[b];
        for i in chain_dofs(model, b) {
            let column = point_column(&data.cdof[i], &offset) * mass;
            jacp[i] += column.x;
            jacp[nv + i] += column.y;
            jacp[2 * nv + i] += column.z;
        }
    }
    let scale = 1.0 / model.body_subtreemass[body];
    for value in &mut jacp[..3 * nv] {
        *value *= scale;
    }
}

/// Matrix that maps `qvel` to the angular momentum of the subtree of `body` about its centre of mass, into a
/// row-major `3 × nv` buffer: `Σ R I Rᵀ jacr + m (c_b − c) × jacp` over its bodies.
pub(crate) fn mj_angmom_mat_into(model: &Model, data: &Data, mat: &mut [f64], body: usize) {
    let nv = model.nv;
    mat[..3 * nv].fill(0.0);
    let center = Vec3::from(data.subtree_com[body]);
    for b in subtree(model, body) {
        let com = Vec3::from(data.xipos[b]);
        let offset = offset_from_com(model, data, &com, b);
        let rotation = kinetree_math::rot::mat3(&data.ximat[b]);
        let diagonal = kinetree_math::Mat3::from_diagonal(&Vec3::from(model.body_inertia[b]));
        let inertia = rotation * diagonal * rotation.transpose();
        for i in chain_dofs(model, b) {
            let spin = inertia * angular(&data.cdof[i]);
            let orbit = (com - center).cross(&point_column(&data.cdof[i], &offset));
            let column = spin + orbit * model.body_mass[b];
            mat[i] += column.x;
            mat[nv + i] += column.y;
            mat[2 * nv + i] += column.z;
        }
    }
}
