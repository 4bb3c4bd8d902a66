//! Jacobians of points, bodies, axes and momenta with respect to joint velocity.
//!
//! `cdof` holds the motion of every dof about the centre of mass of its tree, so that a column is a lookup and one cross
//! product: `jacr_i = ω_i`, `jacp_i = v_i + ω_i × (point − com)`. Only the dofs on the path from the body to the root have
//! non-zero columns.
//!
//! | Joint | `jacp` column | `jacr` column |
//! |---|---|---|
//! | hinge | `axis × r` | `axis` |
//! | slide | `axis` | `0` |
//! | ball, dof i | `(R eᵢ) × r` | `R eᵢ` |
//! | free, dof 0–2 | `eᵢ` | `0` |
//! | free, dof 3–5 | `(R eᵢ) × r` | `R eᵢ` |
//!
//! Matrices in slices are row-major, three rows of `nv` (or of the length of a chain). The functions that return `DMatrix`
//! allocate; those that end in `_into` do not.

use kinetree_math::Vec3;
use kinetree_math::spatial::{SpatialKind, Vec6, angular, cross_motion, linear, transform_spatial};
use kinetree_model::enums::JointType;
use kinetree_model::{Data, Model};
use nalgebra::{DMatrix, Vector3};

/// Last dof that moves `body`, or −1 when nothing does.
#[inline]
pub(crate) fn last_dof(model: &Model, body: usize) -> i32 {
    let moving = model.body_weldid[body] as usize;
    if moving == 0 { -1 } else { model.body_dofadr[moving] + model.body_dofnum[moving] - 1 }
}

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

/// Jacobian of a global point attached to `body`, into row-major `3 × nv` buffers. Either half may be left out.
pub fn mj_jac_into(
    model: &Model,
    data: &Data,
    mut jacp: Option<&mut [f64]>,
    mut jacr: Option<&mut [f64]>,
    point: &[f64; 3],
    body: usize,
) {
    let nv = model.nv;
    if let Some(jacp) = jacp.as_deref_mut() {
        jacp[..3 * nv].fill(0.0);
    }
    if let Some(jacr) = jacr.as_deref_mut() {
        jacr[..3 * nv].fill(0.0);
    }
    chain_columns(model, data, jacp, jacr, point, body);
}

/// As [`mj_jac_into`], but writes only the columns of the chain of `body`: a caller that has cleared them pays no more than
/// for these.
pub(crate) fn chain_columns(
    model: &Model,
    data: &Data,
    mut jacp: Option<&mut [f64]>,
    mut jacr: Option<&mut [f64]>,
    point: &[f64; 3],
    body: usize,
) {
    let nv = model.nv;
    let offset = offset_from_com(model, data, &Vec3::from(*point), body);
    let mut dof = last_dof(model, body);
    while let Ok(i) = usize::try_from(dof) {
        let cdof = &data.cdof[i];
        if let Some(jacr) = jacr.as_deref_mut() {
            set_column(jacr, nv, i, &angular(cdof));
        }
        if let Some(jacp) = jacp.as_deref_mut() {
            set_column(jacp, nv, i, &point_column(cdof, &offset));
        }
        dof = model.dof_parentid[i];
    }
}

/// Calls `fill` with two zeroed row-major buffers and returns them as `3 × nv` matrices.
fn allocate_pair(nv: usize, fill: impl FnOnce(&mut [f64], &mut [f64])) -> (DMatrix<f64>, DMatrix<f64>) {
    let mut jacp = vec![0.0; 3 * nv];
    let mut jacr = vec![0.0; 3 * nv];
    fill(&mut jacp, &mut jacr);
    (DMatrix::from_row_slice(3, nv, &jacp), DMatrix::from_row_slice(3, nv, &jacr))
}

/// Jacobian of a world-frame point on a body: `(jacp, jacr)`, both `3 × nv`, with `v_point = jacp · qvel` and
/// `ω = jacr · qvel`. All zeros for the world body. Columns are as in the table of [this module](self).
#[must_use]
pub fn mj_jac(
    model: &Model,
    data: &Data,
    body_id: usize,
    point: &Vector3<f64>,
) -> (DMatrix<f64>, DMatrix<f64>) {
    allocate_pair(model.nv, |jacp, jacr| {
        mj_jac_into(model, data, Some(jacp), Some(jacr), &(*point).into(), body_id);
    })
}

/// Jacobian of a body's origin: `(jacp, jacr)`.
#[must_use]
pub fn mj_jac_body(model: &Model, data: &Data, body_id: usize) -> (DMatrix<f64>, DMatrix<f64>) {
    mj_jac(model, data, body_id, &Vector3::from(data.xpos[body_id]))
}

/// Jacobian of a site: `(jacp, jacr)`.
#[must_use]
pub fn mj_jac_site(model: &Model, data: &Data, site_id: usize) -> (DMatrix<f64>, DMatrix<f64>) {
    mj_jac(model, data, model.site_bodyid[site_id] as usize, &Vector3::from(data.site_xpos[site_id]))
}

/// Spatial Jacobian of a point on a body, `6 × nv`: rows 0–2 angular, rows 3–5 linear.
#[must_use]
pub fn mj_jac_point(model: &Model, data: &Data, body_id: usize, point: &Vector3<f64>) -> DMatrix<f64> {
    let (jacp, jacr) = mj_jac(model, data, body_id, point);
    let mut jac = DMatrix::zeros(6, model.nv);
    jac.rows_mut(0, 3).copy_from(&jacr);
    jac.rows_mut(3, 3).copy_from(&jacp);
    jac
}

/// Spatial Jacobian of a body's centre of mass, `6 × nv`: rows 0–2 angular, rows 3–5 linear.
#[must_use]
pub fn mj_jac_body_com(model: &Model, data: &Data, body_id: usize) -> DMatrix<f64> {
    mj_jac_point(model, data, body_id, &Vector3::from(data.xipos[body_id]))
}

/// Spatial Jacobian of a geom's centre, `6 × nv`: rows 0–2 angular, rows 3–5 linear.
#[must_use]
pub fn mj_jac_geom(model: &Model, data: &Data, geom_id: usize) -> DMatrix<f64> {
    mj_jac_point(model, data, model.geom_bodyid[geom_id] as usize, &Vector3::from(data.geom_xpos[geom_id]))
}

/// Jacobians of a point and of a direction attached to `body`, into row-major `3 × nv` buffers: the columns of the second
/// are `ω_i × axis`.
pub fn mj_jac_point_axis_into(
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
        let mut dof = last_dof(model, body);
        while let Ok(i) = usize::try_from(dof) {
            set_column(jac_axis, nv, i, &angular(&data.cdof[i]).cross(&axis));
            dof = model.dof_parentid[i];
        }
    }
}

/// Jacobians of a point and of a direction attached to a body, both `3 × nv`.
#[must_use]
pub fn mj_jac_point_axis(
    model: &Model,
    data: &Data,
    body_id: usize,
    point: &Vector3<f64>,
    axis: &Vector3<f64>,
) -> (DMatrix<f64>, DMatrix<f64>) {
    allocate_pair(model.nv, |jac_point, jac_axis| {
        let (point, axis) = ((*point).into(), (*axis).into());
        mj_jac_point_axis_into(model, data, Some(jac_point), Some(jac_axis), &point, &axis, body_id);
    })
}

/// Rate of change of a dof's motion. Ball and free rotations turn with the body itself, not with the frame that `cdof_dot`
/// was computed in.
#[inline]
pub(crate) fn dof_motion_rate(model: &Model, data: &Data, dof: usize) -> Vec6 {
    let joint = model.dof_jntid[dof] as usize;
    let kind = model.jnt_type[joint];
    let rotates = kind == JointType::Ball as i32
        || (kind == JointType::Free as i32 && dof as i32 >= model.jnt_dofadr[joint] + 3);
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

/// Time derivative of the Jacobian of a global point attached to `body`, into row-major `3 × nv` buffers. Needs the
/// velocity stage. Either half may be left out.
pub fn mj_jac_dot_into(
    model: &Model,
    data: &Data,
    mut jacp: Option<&mut [f64]>,
    mut jacr: Option<&mut [f64]>,
    point: &[f64; 3],
    body: usize,
) {
    let nv = model.nv;
    if let Some(jacp) = jacp.as_deref_mut() {
        jacp[..3 * nv].fill(0.0);
    }
    if let Some(jacr) = jacr.as_deref_mut() {
        jacr[..3 * nv].fill(0.0);
    }
    let point = Vec3::from(*point);
    let offset = offset_from_com(model, data, &point, body);
    let velocity = point_velocity(model, data, &point, body);
    let mut dof = last_dof(model, body);
    while let Ok(i) = usize::try_from(dof) {
        let rate = dof_motion_rate(model, data, i);
        if let Some(jacr) = jacr.as_deref_mut() {
            set_column(jacr, nv, i, &angular(&rate));
        }
        if let Some(jacp) = jacp.as_deref_mut() {
            set_column(jacp, nv, i, &point_rate_column(&rate, &data.cdof[i], &offset, &velocity));
        }
        dof = model.dof_parentid[i];
    }
}

/// Rate of change of a translational column: the motion changes, and the point moves.
#[inline]
pub(crate) fn point_rate_column(rate: &Vec6, cdof: &Vec6, offset: &Vec3, velocity: &Vec3) -> Vec3 {
    linear(rate) + angular(rate).cross(offset) + angular(cdof).cross(velocity)
}

/// Time derivative of the Jacobian of a point on a body: `(jacp_dot, jacr_dot)`, both `3 × nv`.
#[must_use]
pub fn mj_jac_dot(
    model: &Model,
    data: &Data,
    body_id: usize,
    point: &Vector3<f64>,
) -> (DMatrix<f64>, DMatrix<f64>) {
    allocate_pair(model.nv, |jacp, jacr| {
        mj_jac_dot_into(model, data, Some(jacp), Some(jacr), &(*point).into(), body_id);
    })
}

/// Bodies of the subtree that starts at `body`, in order.
pub(crate) fn subtree(model: &Model, body: usize) -> impl Iterator<Item = usize> + '_ {
    (body..model.nbody).take_while(move |&b| b == body || model.body_parentid[b] as usize >= body)
}

/// Jacobian of the centre of mass of the subtree of `body`, into a row-major `3 × nv` buffer.
pub fn mj_jac_subtree_com_into(model: &Model, data: &Data, jacp: &mut [f64], body: usize) {
    let nv = model.nv;
    jacp[..3 * nv].fill(0.0);
    for b in subtree(model, body) {
        let offset = offset_from_com(model, data, &Vec3::from(data.xipos[b]), b);
        let mass = model.body_mass[b];
        let mut dof = last_dof(model, b);
        while let Ok(i) = usize::try_from(dof) {
            let column = point_column(&data.cdof[i], &offset) * mass;
            jacp[i] += column.x;
            jacp[nv + i] += column.y;
            jacp[2 * nv + i] += column.z;
            dof = model.dof_parentid[i];
        }
    }
    let scale = 1.0 / model.body_subtreemass[body];
    for value in &mut jacp[..3 * nv] {
        *value *= scale;
    }
}

/// Jacobian of the centre of mass of the subtree of a body, `3 × nv`.
#[must_use]
pub fn mj_jac_subtree_com(model: &Model, data: &Data, body_id: usize) -> DMatrix<f64> {
    let mut jacp = vec![0.0; 3 * model.nv];
    mj_jac_subtree_com_into(model, data, &mut jacp, body_id);
    DMatrix::from_row_slice(3, model.nv, &jacp)
}

/// Matrix that maps `qvel` to the angular momentum of the subtree of `body` about its centre of mass, into a row-major
/// `3 × nv` buffer: `Σ R I Rᵀ jacr + m (c_b − c) × jacp` over its bodies.
pub fn mj_angmom_mat_into(model: &Model, data: &Data, mat: &mut [f64], body: usize) {
    let nv = model.nv;
    mat[..3 * nv].fill(0.0);
    let center = Vec3::from(data.subtree_com[body]);
    for b in subtree(model, body) {
        let com = Vec3::from(data.xipos[b]);
        let offset = offset_from_com(model, data, &com, b);
        let rotation = kinetree_math::rot::mat3(&data.ximat[b]);
        let diagonal = kinetree_math::Mat3::from_diagonal(&Vec3::from(model.body_inertia[b]));
        let inertia = rotation * diagonal * rotation.transpose();
        let mut dof = last_dof(model, b);
        while let Ok(i) = usize::try_from(dof) {
            let spin = inertia * angular(&data.cdof[i]);
            let orbit = (com - center).cross(&point_column(&data.cdof[i], &offset));
            let column = spin + orbit * model.body_mass[b];
            mat[i] += column.x;
            mat[nv + i] += column.y;
            mat[2 * nv + i] += column.z;
            dof = model.dof_parentid[i];
        }
    }
}

/// Matrix that maps `qvel` to the angular momentum of the subtree of a body about its centre of mass, `3 × nv`.
#[must_use]
pub fn mj_angmom_mat(model: &Model, data: &Data, body_id: usize) -> DMatrix<f64> {
    let mut mat = vec![0.0; 3 * model.nv];
    mj_angmom_mat_into(model, data, &mut mat, body_id);
    DMatrix::from_row_slice(3, model.nv, &mat)
}
