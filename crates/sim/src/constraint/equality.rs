//! Equality rows: connect, weld, joint and tendon couplings.
//!
//! `connect` keeps two points together: three rows with the difference of their positions. `weld` adds three
//! rows for the relative orientation, the vector part of `q₂⁻¹ q₁ q_rel`, scaled by `torquescale`. Joint and
//! tendon couplings keep `y − y₀ = a₀ + a₁ x + … + a₄ x⁴` with `x` measured from the second object's
//! reference value.

use super::flex_equality;
use super::friction::tendon_row;
use super::rows::{RowBlock, RowScratch, add_block};
use crate::kinematics::chain::{for_each_chain_dof, merge_chain};
use crate::kinematics::jacobian::{offset_from_com, point_column};
use crate::sleep::awake_lists::{ASLEEP, some_asleep};
use crate::sleep::object_sleep_state;
use kinetree_math::rot::{mat3, quat_conj, quat_mul, quat_mul_axis};
use kinetree_math::{Quat, Vec3};
use kinetree_model::enums::{EqType, ObjType};
use kinetree_model::{Data, Model};

/// The two bodies that a connect or weld ties, and the tied points in the world.
pub(crate) struct Anchors {
    pub body: [usize; 2],
    pub point: [[f64; 3]; 2],
}

/// Adds the rows of every active equality.
pub(crate) fn add_rows(model: &Model, data: &mut Data, scratch: &mut RowScratch) {
    let some_asleep = some_asleep(model, data);
    for eq in 0..model.neq {
        if data.eq_active[eq] == 0
            || (some_asleep && object_sleep_state(model, data, ObjType::Equality as i32, eq) == ASLEEP)
        {
            continue;
        }
        match EqType::try_from(model.eq_type[eq]) {
            Ok(EqType::Connect) => connect_rows(model, data, scratch, eq),
            Ok(EqType::Weld) => weld_rows(model, data, scratch, eq),
            Ok(EqType::Joint) => joint_row(model, data, scratch, eq),
            Ok(EqType::Tendon) => tendon_coupling_row(model, data, scratch, eq),
            Ok(EqType::Flex) => flex_equality::edge_rows(model, data, scratch, eq),
            Ok(EqType::Flexvert) => flex_equality::vertex_rows(model, data, scratch, eq),
            Ok(EqType::Flexstrain) => flex_equality::cell_rows(model, data, scratch, eq),
            // distances no longer exist
            Ok(EqType::Distance) | Err(_) => {}
        }
    }
}

/// Bodies and world points of a connect or weld, by body or by site.
pub(crate) fn anchors(model: &Model, data: &Data, eq: usize) -> Anchors {
    let obj = [model.eq_obj1id[eq] as usize, model.eq_obj2id[eq] as usize];
    if model.eq_objtype[eq] == ObjType::Site {
        return Anchors {
            body: obj.map(|s| model.site_bodyid[s] as usize),
            point: obj.map(|s| data.site_xpos[s]),
        };
    }
    let prm = &model.eq_data[eq];
    let first = [prm[0], prm[1], prm[2]];
    let second = [prm[3], prm[4], prm[5]];
    // a weld stores the anchor in the second body first
    let local = if model.eq_type[eq] == EqType::Connect { [first, second] } else { [second, first] };
    let world = |body: usize, p: [f64; 3]| {
        let x = mat3(&data.xmat[body]) * Vec3::from(p) + Vec3::from(data.xpos[body]);
        [x.x, x.y, x.z]
    };
    Anchors { body: obj, point: [world(obj[0], local[0]), world(obj[1], local[1])] }
}

impl Anchors {
    /// `point₁ − point₂`.
    fn difference(&self) -> [f64; 3] {
        let [a, b] = &self.point;
        [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
    }
}

/// The two orientations that a weld compares: `q₁ q_rel` and `q₂⁻¹`.
pub(crate) fn weld_orientations(model: &Model, data: &Data, eq: usize, body: [usize; 2]) -> (Quat, Quat) {
    let prm = &model.eq_data[eq];
    let (q1, q2) = (&data.xquat[body[0]], &data.xquat[body[1]]);
    if model.eq_objtype[eq] == ObjType::Site {
        let site = [model.eq_obj1id[eq] as usize, model.eq_obj2id[eq] as usize];
        (quat_mul(q1, &model.site_quat[site[0]]), quat_conj(&quat_mul(q2, &model.site_quat[site[1]])))
    } else {
        (quat_mul(q1, &[prm[6], prm[7], prm[8], prm[9]]), quat_conj(q2))
    }
}

/// Fills the chain of both bodies and the Jacobian of `point₁ − point₂`; with `rows == 6` also of the
/// relative rotation.
fn relative_jacobian(model: &Model, data: &Data, scratch: &mut RowScratch, anchors: &Anchors, rows: usize) {
    let [b1, b2] = anchors.body;
    merge_chain(model, b1, b2, false, &mut scratch.chain);
    let RowScratch { chain, jac, .. } = scratch;
    let n = chain.len();
    jac.clear();
    jac.resize(rows * n, 0.0);
    for ((body, point), sign) in [b1, b2].into_iter().zip(anchors.point).zip([1.0, -1.0]) {
        let offset = offset_from_com(model, data, &Vec3::from(point), body);
        for_each_chain_dof(model, body, chain, |k, dof| {
            let cdof = &data.cdof[dof];
            let velocity = point_column(cdof, &offset);
            for r in 0..3 {
                jac[r * n + k] += sign * velocity[r];
            }
            if rows == 6 {
                for r in 0..3 {
                    jac[(3 + r) * n + k] += sign * cdof[r];
                }
            }
        });
    }
}

fn connect_rows(model: &Model, data: &mut Data, scratch: &mut RowScratch, eq: usize) {
    let anchors = anchors(model, data, eq);
    relative_jacobian(model, data, scratch, &anchors, 3);
    let pos = anchors.difference();
    add_block(model, data, scratch, &RowBlock::equality(eq, &pos));
}

fn weld_rows(model: &Model, data: &mut Data, scratch: &mut RowScratch, eq: usize) {
    let anchors = anchors(model, data, eq);
    relative_jacobian(model, data, scratch, &anchors, 6);
    let torquescale = model.eq_data[eq][10];
    let (q1_rel, q2_inv) = weld_orientations(model, data, eq, anchors.body);

    // d(vector part of q₂⁻¹ q₁ q_rel) = ½ vector part of q₂⁻¹ (ω₁ − ω₂) q₁ q_rel
    let n = scratch.chain.len();
    for k in 0..n {
        let axis = Vec3::new(scratch.jac[3 * n + k], scratch.jac[4 * n + k], scratch.jac[5 * n + k]);
        let rotated = quat_mul(&quat_mul_axis(&q2_inv, &axis), &q1_rel);
        for r in 0..3 {
            scratch.jac[(3 + r) * n + k] = 0.5 * rotated[r + 1] * torquescale;
        }
    }
    let dp = anchors.difference();
    let dq = quat_mul(&q2_inv, &q1_rel);
    let pos = [dp[0], dp[1], dp[2], dq[1] * torquescale, dq[2] * torquescale, dq[3] * torquescale];
    add_block(model, data, scratch, &RowBlock::equality(eq, &pos));
}

fn joint_row(model: &Model, data: &mut Data, scratch: &mut RowScratch, eq: usize) {
    let first = model.eq_obj1id[eq] as usize;
    let adr = model.jnt_qposadr[first] as usize;
    let y = data.qpos[adr] - model.qpos0[adr];
    scratch.chain.clear();
    scratch.chain.push(model.jnt_dofadr[first]);
    scratch.jac.clear();
    scratch.jac.push(1.0);
    let prm = &model.eq_data[eq];
    let pos = match usize::try_from(model.eq_obj2id[eq]) {
        Err(_) => y - prm[0],
        Ok(second) => {
            let adr = model.jnt_qposadr[second] as usize;
            let (value, derivative, _) = coupling_polynomial(prm, data.qpos[adr] - model.qpos0[adr]);
            let dof = model.jnt_dofadr[second];
            match scratch.chain[0].cmp(&dof) {
                std::cmp::Ordering::Less => {
                    scratch.chain.push(dof);
                    scratch.jac.push(-derivative);
                }
                std::cmp::Ordering::Greater => {
                    scratch.chain.insert(0, dof);
                    scratch.jac.insert(0, -derivative);
                }
                std::cmp::Ordering::Equal => scratch.jac[0] -= derivative,
            }
            y - prm[0] - value
        }
    };
    add_block(model, data, scratch, &RowBlock::equality(eq, &[pos]));
}

fn tendon_coupling_row(model: &Model, data: &mut Data, scratch: &mut RowScratch, eq: usize) {
    let prm = &model.eq_data[eq];
    let first = model.eq_obj1id[eq] as usize;
    let second = usize::try_from(model.eq_obj2id[eq]).ok();
    for tendon in std::iter::once(first).chain(second) {
        // the reference stores the id of the equality here, not the row; sensors rely on it
        if data.tendon_efcadr[tendon] == -1 {
            data.tendon_efcadr[tendon] = eq as i32;
        }
    }
    let y = data.ten_length[first] - model.tendon_length0[first];
    let pos = match second {
        None => {
            tendon_row(model, data, scratch, first, 1.0);
            y - prm[0]
        }
        Some(second) => {
            let (value, derivative, _) =
                coupling_polynomial(prm, data.ten_length[second] - model.tendon_length0[second]);
            combine_tendons(model, data, scratch, first, second, -derivative);
            y - prm[0] - value
        }
    };
    add_block(model, data, scratch, &RowBlock::equality(eq, &[pos]));
}

/// Puts `J₁ + weight J₂` of two tendons on the union of their columns.
fn combine_tendons(
    model: &Model,
    data: &Data,
    scratch: &mut RowScratch,
    first: usize,
    second: usize,
    weight: f64,
) {
    let row = |t: usize| {
        let adr = model.ten_J_rowadr[t] as usize;
        let nnz = model.ten_J_rownnz[t] as usize;
        (&model.ten_J_colind[adr..adr + nnz], &data.ten_J[adr..adr + nnz])
    };
    let (cols1, jac1) = row(first);
    let (cols2, jac2) = row(second);
    scratch.chain.clear();
    scratch.jac.clear();
    let (mut i, mut j) = (0, 0);
    while i < cols1.len() || j < cols2.len() {
        let c1 = cols1.get(i).copied().unwrap_or(i32::MAX);
        let c2 = cols2.get(j).copied().unwrap_or(i32::MAX);
        let mut x = 0.0;
        if c1 <= c2 {
            x += jac1[i];
            i += 1;
        }
        if c2 <= c1 {
            x += weight * jac2[j];
            j += 1;
        }
        scratch.chain.push(c1.min(c2));
        scratch.jac.push(x);
    }
}

/// Value without the constant term, derivative and curvature of the coupling polynomial.
pub(crate) fn coupling_polynomial(prm: &[f64; 11], x: f64) -> (f64, f64, f64) {
    let value = prm[1] * x + prm[2] * x * x + prm[3] * x * x * x + prm[4] * x * x * x * x;
    let derivative = prm[1] + 2.0 * prm[2] * x + 3.0 * prm[3] * x * x + 4.0 * prm[4] * x * x * x;
    let curvature = 2.0 * prm[2] + 6.0 * prm[3] * x + 12.0 * prm[4] * x * x;
    (value, derivative, curvature)
}
