//! Contact rows: relative motion of two bodies at the contact point, in the contact frame.
//!
//! With `J` the Jacobian of the relative velocity (body 2 minus body 1) in the frame (normal, two tangents, then spin and roll), a
//! frictionless contact has the normal row alone, an elliptic contact has the rows as they are, and a pyramidal contact has the pair
//! `J₀ ± μₖ Jₖ` for each friction direction `k`. Dofs that move both bodies cancel and are left out.

use super::chain::{signed_chain, sub3};
use super::rows::{RowScratch, push_rows};
use kinetree_math::lanes::Lane;
use kinetree_model::enums::{Cone, ConstraintType};
use kinetree_model::{Data, Model};

/// Adds the rows of every contact that is not excluded.
pub(crate) fn add_rows(model: &Model, data: &mut Data, scratch: &mut RowScratch) {
    if model.nv == 0 {
        return;
    }
    let pyramidal = model.opt.cone == Cone::Pyramidal as i32;
    let mut last = None;
    for i in 0..data.contact.len() {
        let contact = &data.contact[i];
        if contact.exclude != 0 {
            continue;
        }
        let body = contact.geom.map(|g| model.geom_bodyid[g as usize] as usize);
        // contacts between the same bodies mostly follow one another
        if last != Some(body) {
            signed_chain(model, &mut scratch.chain, &mut scratch.sign, body[0], body[1]);
            last = Some(body);
        }
        if scratch.chain.is_empty() && model.is_sparse() {
            data.contact[i].efc_address = -1;
            data.contact[i].exclude = 3;
            continue;
        }
        data.contact[i].efc_address = data.nefc as i32;
        write_jacobian(model, data, scratch, i, body, pyramidal);
        describe_rows(data, i, pyramidal);
    }
}

/// Number of rows of a contact of dimension `dim`.
#[inline]
pub(crate) fn row_count(dim: usize, pyramidal: bool) -> usize {
    match (dim, pyramidal) {
        (1, _) => 1,
        (_, true) => 2 * (dim - 1),
        (_, false) => dim,
    }
}

/// Appends the Jacobian rows of contact `i`, column by column of the chain.
fn write_jacobian(
    model: &Model,
    data: &mut Data,
    scratch: &RowScratch,
    i: usize,
    body: [usize; 2],
    pyramidal: bool,
) {
    let contact = &data.contact[i];
    let dim = contact.dim as usize;
    let rows = row_count(dim, pyramidal);
    let sparse = model.is_sparse();
    let n = scratch.chain.len();
    let stride = if sparse { n } else { model.nv };
    let base = data.efc_J.len();
    data.efc_J.resize(base + rows * stride, 0.0);
    if sparse {
        for r in 0..rows {
            data.efc_J_rownnz.push(n as i32);
            data.efc_J_rowadr.push((base + r * n) as i32);
            data.efc_J_colind.extend_from_slice(&scratch.chain);
        }
    }
    let turned = |b: usize, sign: f64| {
        let offset = sub3(&contact.pos, &data.subtree_com[model.body_rootid[b] as usize]);
        BodyFrame::new(&contact.frame, &offset, sign)
    };
    let frames = [turned(body[0], -1.0), turned(body[1], 1.0)];
    let jac = &mut data.efc_J[base..];
    if pyramidal && dim == 3 {
        let ([mu1, mu2], [plus1, minus1, plus2, minus2]) =
            ([contact.friction[0], contact.friction[1]], four_rows(jac, stride));
        for (k, (&dof, &sign)) in scratch.chain.iter().zip(&scratch.sign).enumerate() {
            let column = if sparse { k } else { dof as usize };
            let [normal, t1, t2, _] = frames[usize::from(sign > 0.0)].translation(&data.cdof[dof as usize]);
            plus1[column] = normal + t1 * mu1;
            minus1[column] = normal - t1 * mu1;
            plus2[column] = normal + t2 * mu2;
            minus2[column] = normal - t2 * mu2;
        }
        return;
    }
    for (k, (&dof, &sign)) in scratch.chain.iter().zip(&scratch.sign).enumerate() {
        let column = if sparse { k } else { dof as usize };
        let (frame, cdof) = (&frames[usize::from(sign > 0.0)], &data.cdof[dof as usize]);
        let [normal, t1, t2, _] = frame.translation(cdof);
        let [spin, roll1, roll2, _] = frame.rotation(cdof);
        let parts = [t1, t2, spin, roll1, roll2];
        if dim == 1 {
            jac[column] = normal;
        } else if pyramidal {
            for ((pair, x), friction) in jac.chunks_exact_mut(2 * stride).zip(parts).zip(contact.friction) {
                pair[column] = normal + x * friction;
                pair[stride + column] = normal - x * friction;
            }
        } else {
            jac[column] = normal;
            for (row, x) in jac[stride..].chunks_exact_mut(stride).zip(parts) {
                row[column] = x;
            }
        }
    }
}

/// Four rows of a matrix.
#[inline]
fn four_rows(jac: &mut [f64], stride: usize) -> [&mut [f64]; 4] {
    let (a, rest) = jac.split_at_mut(stride);
    let (b, rest) = rest.split_at_mut(stride);
    let (c, rest) = rest.split_at_mut(stride);
    [a, b, c, &mut rest[..stride]]
}

/// The contact frame as one of the bodies sees it. The motion of a dof, `ω` and `v` at the centre of mass of its tree, moves the contact
/// point along axis `f` by `f · (v + ω × r) = (r × f) · ω + f · v`. Numbers for the three axes lie side by side.
struct BodyFrame {
    /// Components of `r × f`, for each axis `f`.
    moment: [Lane; 3],
    /// Components of each axis.
    axis: [Lane; 3],
}

impl BodyFrame {
    /// The frame for a point at `r`, with the sign of the body in the difference of motions.
    #[inline]
    fn new(frame: &[f64; 9], r: &[f64; 3], sign: f64) -> Self {
        let f: [Lane; 3] =
            std::array::from_fn(|c| [frame[c], frame[3 + c], frame[6 + c], 0.0].map(|x| sign * x));
        let cross = |a: usize, b: usize| std::array::from_fn(|k| r[a] * f[b][k] - r[b] * f[a][k]);
        Self { moment: [cross(1, 2), cross(2, 0), cross(0, 1)], axis: f }
    }

    /// Motion of the point along the axes.
    #[inline]
    fn translation(&self, cdof: &[f64; 6]) -> Lane {
        let mut motion = combine(&self.moment, [cdof[0], cdof[1], cdof[2]]);
        let push = combine(&self.axis, [cdof[3], cdof[4], cdof[5]]);
        for k in 0..4 {
            motion[k] += push[k];
        }
        motion
    }

    /// Rotation about the axes.
    #[inline]
    fn rotation(&self, cdof: &[f64; 6]) -> Lane {
        combine(&self.axis, [cdof[0], cdof[1], cdof[2]])
    }
}

/// `Σ v s`, lane by lane.
#[inline]
fn combine(v: &[Lane; 3], s: [f64; 3]) -> Lane {
    let mut sum = v[0].map(|x| x * s[0]);
    for c in 1..3 {
        for k in 0..4 {
            sum[k] += v[c][k] * s[c];
        }
    }
    sum
}

/// Appends violation, margin, type and id of the rows of contact `i`.
fn describe_rows(data: &mut Data, i: usize, pyramidal: bool) {
    let contact = &data.contact[i];
    let (dim, dist, margin) = (contact.dim as usize, contact.dist, contact.includemargin);
    if dim == 1 {
        push_rows(data, ConstraintType::ContactFrictionless, i, &[dist], margin, 0.0);
    } else if pyramidal {
        push_rows(
            data,
            ConstraintType::ContactPyramidal,
            i,
            &[dist; 10][..row_count(dim, true)],
            margin,
            0.0,
        );
    } else {
        push_rows(data, ConstraintType::ContactElliptic, i, &[dist], margin, 0.0);
        push_rows(data, ConstraintType::ContactElliptic, i, &[0.0; 5][..dim - 1], 0.0, 0.0);
    }
}
