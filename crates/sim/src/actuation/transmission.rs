//! Actuator lengths and moment arms: how far each actuator is extended, and the generalized force per unit of
//! its force.
//!
//! Moment arms are a sparse matrix with one row per actuator: the gradient of the actuator's length where it
//! has one, and a wrench mapped through a Jacobian otherwise. Rows hold the columns in increasing order, and
//! computed entries that are exactly zero are left out.

use crate::kinematics::chain::chain_dofs;
use crate::kinematics::chain_jacobian::for_each_difference_column;
use crate::kinematics::jacobian::{offset_from_com, point_column};
use crate::kinematics::poses::{unit_quat, vec3_at};
use crate::sleep::actuator_sleep_state;
use crate::sleep::awake_lists::{ASLEEP, Visit};
use kinetree_math::Vec3;
use kinetree_math::rot::{mat3, quat_mul, quat_rotate_inv, quat_sub, quat_to_vel};
use kinetree_math::spatial::angular;
use kinetree_model::enums::{JointType, TrnType};
use kinetree_model::{Data, Model};

/// The row of an actuator in the matrix of moment arms: dofs and values.
pub(crate) fn moment_arms(data: &Data, actuator: usize) -> (&[i32], &[f64]) {
    let start = data.moment_rowadr[actuator] as usize;
    let row = start..start + data.moment_rownnz[actuator] as usize;
    (&data.moment_colind[row.clone()], &data.actuator_moment[row])
}

/// Computes the length and the moment arms of every actuator. Adhesion needs contacts and constraint
/// Jacobians, and a dense row of moment arms as working memory.
pub(crate) fn mj_transmission(model: &Model, data: &mut Data, dense_row: &mut Vec<f64>) {
    let filtered = Visit::dofs(model, data).filtered;
    let mut address = 0;
    let mut next = 0;
    while next < model.nu {
        if !filtered {
            let count = plain_joints(model, data, next, address);
            next += count;
            address += count;
            if next == model.nu {
                break;
            }
        }
        let actuator = next;
        next += 1;
        data.moment_rowadr[actuator] = address as i32;
        data.moment_rownnz[actuator] = 0;
        if filtered && actuator_sleep_state(model, data, actuator) == ASLEEP {
            continue;
        }
        let mut row = Row { start: address, end: address };
        let length = match TrnType::try_from(model.actuator_trntype[actuator]) {
            Ok(TrnType::Joint) => joint(model, data, actuator, false, &mut row),
            Ok(TrnType::Jointinparent) => joint(model, data, actuator, true, &mut row),
            Ok(TrnType::Slidercrank) => slider_crank(model, data, actuator, &mut row),
            Ok(TrnType::Tendon) => tendon(model, data, actuator, &mut row),
            Ok(TrnType::Site) if model.actuator_trnid[actuator][1] < 0 => {
                site(model, data, actuator, &mut row)
            }
            Ok(TrnType::Site) => site_in_site(model, data, actuator, &mut row),
            Ok(TrnType::Body) => adhesion(model, data, actuator, dense_row, &mut row),
            Ok(TrnType::Undefined) | Err(_) => 0.0,
        };
        data.actuator_length[actuator] = length;
        data.moment_rownnz[actuator] = (row.end - row.start) as i32;
        address = row.end;
    }
}

/// The row of the moment matrix that is being written.
struct Row {
    start: usize,
    end: usize,
}

impl Row {
    /// Appends an entry.
    #[inline]
    fn push(&mut self, data: &mut Data, dof: usize, value: f64) {
        // there is room unless a program has made the actuator act on something else since the model was
        // compiled
        let entry = data.actuator_moment.get_mut(self.end).zip(data.moment_colind.get_mut(self.end));
        let Some((moment, column)) = entry else { return };
        (*moment, *column) = (value, dof as i32);
        self.end += 1;
    }

    /// Appends an entry unless it is zero.
    #[inline]
    fn push_nonzero(&mut self, data: &mut Data, dof: usize, value: f64) {
        if value != 0.0 {
            self.push(data, dof, value);
        }
    }

    /// Puts entries that were appended from the last dof to the first into increasing order.
    fn reverse(&self, data: &mut Data) {
        data.actuator_moment[self.start..self.end].reverse();
        data.moment_colind[self.start..self.end].reverse();
    }
}

/// Transmissions of all actuators from `first` on that drive a hinge or slide joint, until one drives
/// something else; how many there are. Each has one entry, the first of them at `address`.
fn plain_joints(model: &Model, data: &mut Data, first: usize, address: usize) -> usize {
    let (nu, njnt) = (model.nu, model.njnt);
    let (types, ids, gears) =
        (&model.actuator_trntype[..nu], &model.actuator_trnid[..nu], &model.actuator_gear[..nu]);
    let (kinds, qposadr, dofadr) =
        (&model.jnt_type[..njnt], &model.jnt_qposadr[..njnt], &model.jnt_dofadr[..njnt]);
    let (rowadr, rownnz) = (&mut data.moment_rowadr[..nu], &mut data.moment_rownnz[..nu]);
    let (length, qpos) = (&mut data.actuator_length[..nu], &data.qpos[..]);
    let (moment, colind) = (&mut data.actuator_moment[address..], &mut data.moment_colind[address..]);
    for actuator in first..nu {
        if types[actuator] != TrnType::Joint && types[actuator] != TrnType::Jointinparent {
            return actuator - first;
        }
        let joint = ids[actuator][0] as usize;
        if kinds[joint] != JointType::Hinge && kinds[joint] != JointType::Slide {
            return actuator - first;
        }
        let gear = gears[actuator][0];
        let at = actuator - first;
        if at >= moment.len() {
            return at;
        }
        rowadr[actuator] = (address + at) as i32;
        rownnz[actuator] = 1;
        moment[at] = gear;
        colind[at] = dofadr[joint];
        length[actuator] = qpos[qposadr[joint] as usize] * gear;
    }
    nu - first
}

/// Joint transmission; `in_parent` means that the gear axis of a ball or free joint is fixed to the parent.
fn joint(model: &Model, data: &mut Data, actuator: usize, in_parent: bool, row: &mut Row) -> f64 {
    let id = model.actuator_trnid[actuator][0] as usize;
    let (address, dof) = (model.jnt_qposadr[id] as usize, model.jnt_dofadr[id] as usize);
    let kind = model.jnt_type[id];
    if kind == JointType::Ball || kind == JointType::Free {
        return rotating_joint(model, data, actuator, in_parent, row);
    }
    let gear = model.actuator_gear[actuator][0];
    row.push(data, dof, gear);
    data.qpos[address] * gear
}

/// Transmission of a ball or free joint.
fn rotating_joint(model: &Model, data: &mut Data, actuator: usize, in_parent: bool, row: &mut Row) -> f64 {
    let id = model.actuator_trnid[actuator][0] as usize;
    let gear = &model.actuator_gear[actuator];
    let (address, dof) = (model.jnt_qposadr[id] as usize, model.jnt_dofadr[id] as usize);
    if model.jnt_type[id] == JointType::Ball {
        // length: rotation vector along the gear axis
        let quat = unit_quat(&data.qpos, address);
        let axis = Vec3::new(gear[0], gear[1], gear[2]);
        let axis = if in_parent { quat_rotate_inv(&quat, &axis) } else { axis };
        for k in 0..3 {
            row.push(data, dof + k, axis[k]);
        }
        quat_to_vel(&quat, 1.0).dot(&axis)
    } else {
        // no meaningful length
        let axis = Vec3::new(gear[3], gear[4], gear[5]);
        let axis = if in_parent { quat_rotate_inv(&unit_quat(&data.qpos, address + 3), &axis) } else { axis };
        for k in 0..3 {
            row.push(data, dof + k, gear[k]);
        }
        for k in 0..3 {
            row.push(data, dof + 3 + k, axis[k]);
        }
        0.0
    }
}

/// Slider-crank: a rod of fixed length joins a crank pin to a slider, which moves along the z axis of its
/// site. With `v` from slider site to pin and `a` the axis, the slider is at `a·v − sqrt((a·v)² + rod² −
/// v·v)`.
fn slider_crank(model: &Model, data: &mut Data, actuator: usize, row: &mut Row) -> f64 {
    let [crank, slider] = model.actuator_trnid[actuator].map(|id| id as usize);
    let gear = model.actuator_gear[actuator][0];
    let rod = model.actuator_cranklength[actuator];
    let mat = &data.site_xmat[slider];
    let axis = Vec3::new(mat[2], mat[5], mat[8]);
    let (pin, origin) = (Vec3::from(data.site_xpos[crank]), Vec3::from(data.site_xpos[slider]));
    let v = pin - origin;
    let along = v.dot(&axis);
    let det = along * along + rod * rod - v.dot(&v);

    // length, and its gradients with respect to v and the axis; out of reach, the pin is projected on the
    // axis
    let (length, dv, da) = if det > 0.0 {
        let root = det.sqrt();
        let factor = 1.0 - along / root;
        (along - root, axis * factor + v * (1.0 / root), v * factor)
    } else {
        (along, axis, v)
    };

    let crank_body = model.site_bodyid[crank] as usize;
    let slider_body = model.site_bodyid[slider] as usize;
    let Data { cdof, subtree_com, actuator_moment, moment_colind, .. } = data;
    for_each_difference_column(
        model,
        cdof,
        subtree_com,
        (slider_body, &origin),
        (crank_body, &pin),
        false,
        |dof, translation, _| {
            let mut value = dv.dot(translation);
            if moves(model, slider_body, dof) {
                value += da.dot(&angular(&cdof[dof]).cross(&axis));
            }
            if value != 0.0 && row.end < actuator_moment.len() {
                actuator_moment[row.end] = value * gear;
                moment_colind[row.end] = dof as i32;
                row.end += 1;
            }
        },
    );
    row.reverse(data);
    length * gear
}

/// Whether `dof` moves `body`.
fn moves(model: &Model, body: usize, dof: usize) -> bool {
    chain_dofs(model, body).find(|&d| d <= dof) == Some(dof)
}

/// Tendon transmission: scaled length and Jacobian of the tendon.
fn tendon(model: &Model, data: &mut Data, actuator: usize, row: &mut Row) -> f64 {
    let id = model.actuator_trnid[actuator][0] as usize;
    let gear = model.actuator_gear[actuator][0];
    let start = model.ten_J_rowadr[id] as usize;
    // less when what other actuators act on has been exchanged, and they have used its room
    let count = (model.ten_J_rownnz[id] as usize).min(data.moment_colind.len() - row.end);
    data.moment_colind[row.end..][..count].copy_from_slice(&model.ten_J_colind[start..][..count]);
    for (moment, jacobian) in data.actuator_moment[row.end..].iter_mut().zip(&data.ten_J[start..][..count]) {
        *moment = jacobian * gear;
    }
    row.end += count;
    data.ten_length[id] * gear
}

/// Site transmission without reference: a wrench fixed to the site. It has no length.
fn site(model: &Model, data: &mut Data, actuator: usize, row: &mut Row) -> f64 {
    let id = model.actuator_trnid[actuator][0] as usize;
    let gear = &model.actuator_gear[actuator];
    let mat = mat3(&data.site_xmat[id]);
    let (force, torque) = (mat * vec3_at(gear, 0), mat * vec3_at(gear, 3));
    let body = model.site_bodyid[id] as usize;
    let offset = offset_from_com(model, data, &Vec3::from(data.site_xpos[id]), body);
    for i in chain_dofs(model, body) {
        let cdof = &data.cdof[i];
        let value = point_column(cdof, &offset).dot(&force) + angular(cdof).dot(&torque);
        row.push_nonzero(data, i, value);
    }
    row.reverse(data);
    0.0
}

/// Site transmission relative to a reference site: length is the gear-weighted relative position and
/// rotation. Dofs that move both sites do not count.
fn site_in_site(model: &Model, data: &mut Data, actuator: usize, row: &mut Row) -> f64 {
    let [id, reference] = model.actuator_trnid[actuator].map(|id| id as usize);
    let gear = &model.actuator_gear[actuator];
    let (gear_move, gear_rotation) = (vec3_at(gear, 0), vec3_at(gear, 3));
    let (body, ref_body) = (model.site_bodyid[id] as usize, model.site_bodyid[reference] as usize);
    let (pos, ref_pos) = (Vec3::from(data.site_xpos[id]), Vec3::from(data.site_xpos[reference]));
    let ref_mat = mat3(&data.site_xmat[reference]);

    let (mut length, mut force, mut torque) = (0.0, Vec3::zeros(), Vec3::zeros());
    if gear_move != Vec3::zeros() {
        length += ref_mat.tr_mul(&(pos - ref_pos)).dot(&gear_move);
        force = ref_mat * gear_move;
    }
    if gear_rotation != Vec3::zeros() {
        // the reference of 3.8 multiplies site and body rotations in the wrong order
        let rotation = |site: usize, body: usize| match model.reference().reference_sites() {
            true => quat_mul(&data.xquat[body], &model.site_quat[site]),
            false => quat_mul(&model.site_quat[site], &data.xquat[body]),
        };
        let (quat, ref_quat) = (rotation(id, body), rotation(reference, ref_body));
        length += quat_sub(&quat, &ref_quat).dot(&gear_rotation);
        torque = ref_mat * gear_rotation;
    }

    let Data { cdof, subtree_com, actuator_moment, moment_colind, .. } = data;
    for_each_difference_column(
        model,
        cdof,
        subtree_com,
        (ref_body, &ref_pos),
        (body, &pos),
        true,
        |dof, translation, rotation| {
            let value = translation.dot(&force) + rotation.dot(&torque);
            if value != 0.0 {
                actuator_moment[row.end] = value;
                moment_colind[row.end] = dof as i32;
                row.end += 1;
            }
        },
    );
    row.reverse(data);
    length
}

/// Adhesion: the negative mean of the normal Jacobians of all contacts of the body, those in the gap
/// included.
fn adhesion(model: &Model, data: &mut Data, actuator: usize, moment: &mut Vec<f64>, row: &mut Row) -> f64 {
    let id = model.actuator_trnid[actuator][0];
    moment.clear();
    moment.resize(model.nv, 0.0);
    let mut count = 0;
    for contact in &data.contact[..data.ncon] {
        let [g1, g2] = contact.geom;
        if g1 < 0 || g2 < 0 {
            continue;
        }
        let (b1, b2) = (model.geom_bodyid[g1 as usize], model.geom_bodyid[g2 as usize]);
        if b1 != id && b2 != id {
            continue;
        }
        if contact.exclude == 0 {
            // rows are not there when contacts were found by themselves
            let Ok(first) = usize::try_from(contact.efc_address) else { continue };
            count += 1;
            if contact.dim == 1 || model.is_elliptic() {
                add_constraint_row(model, data, first, 1.0, moment);
            } else {
                // pyramid edges average to the normal
                let edges = 2 * (contact.dim as usize - 1);
                for edge in 0..edges {
                    add_constraint_row(model, data, first + edge, 1.0 / edges as f64, moment);
                }
            }
        } else if contact.exclude == 1 {
            count += 1;
            let normal = vec3_at(&contact.frame, 0);
            let pos = Vec3::from(contact.pos);
            for_each_difference_column(
                model,
                &data.cdof,
                &data.subtree_com,
                (b1 as usize, &pos),
                (b2 as usize, &pos),
                false,
                |dof, translation, _| moment[dof] += normal.dot(translation),
            );
        }
    }
    if count > 0 {
        let scale = -1.0 / f64::from(count);
        for (dof, &value) in moment.iter().enumerate() {
            row.push_nonzero(data, dof, value * scale);
        }
    }
    0.0
}

/// `result += weight J[row]`, for the constraint Jacobian in its dense or sparse form.
fn add_constraint_row(model: &Model, data: &Data, row: usize, weight: f64, result: &mut [f64]) {
    if model.is_sparse() {
        let start = data.efc_J_rowadr[row] as usize;
        let count = data.efc_J_rownnz[row] as usize;
        let columns = &data.efc_J_colind[start..][..count];
        for (&column, value) in columns.iter().zip(&data.efc_J[start..]) {
            result[column as usize] += weight * value;
        }
    } else {
        for (r, value) in result.iter_mut().zip(&data.efc_J[row * model.nv..]) {
            *r += weight * value;
        }
    }
}
