//! Task of the model's equality constraints: points and frames that are tied together (closed loops), joints
//! that follow others.

use super::task_rows::{Rows, TaskOptions, check_costs};
use crate::error::IkError;
use crate::frame::Frame;
use crate::made_for::MadeFor;
use crate::pose::{Pose, rotation_vector};
use kinetree_math::Vec3;
use kinetree_model::enums::{EqType, ObjType};
use kinetree_model::{Data, Model};
use kinetree_sim::mj_jac_into;

/// Equality constraints of the model shall hold.
#[derive(Clone, Debug, PartialEq)]
pub struct EqualityConstraintTask {
    made_for: MadeFor,
    equalities: Vec<usize>,
    cost: f64,
    /// Gain, damping and priority.
    pub options: TaskOptions,
}

impl EqualityConstraintTask {
    /// A task for the given equalities, or for all that are active after a reset.
    ///
    /// # Errors
    /// When there is no such equality, none at all, or one of a kind that is not supported; when the cost is
    /// negative.
    pub fn new(model: &Model, cost: f64, equalities: Option<&[usize]>) -> Result<Self, IkError> {
        check_costs(&[cost])?;
        let equalities = match equalities {
            Some(list) => list.to_vec(),
            None => (0..model.neq).filter(|&eq| model.eq_active0[eq] != 0).collect(),
        };
        for &eq in &equalities {
            if eq >= model.neq {
                return Err(IkError::UnknownId { kind: "equality", id: eq, count: model.neq });
            }
            kind(model, eq)?;
        }
        if equalities.is_empty() {
            return Err(IkError::Unsupported(
                "an equality task for a model without equality constraints".into(),
            ));
        }
        Ok(Self { made_for: MadeFor::new(model), equalities, cost, options: TaskOptions::default() })
    }

    pub(super) fn rows(&self, model: &Model, data: &Data, rows: &mut Rows) -> Result<(), IkError> {
        self.made_for.check("the equality task", model)?;
        let nv = model.nv;
        let mut count = 0;
        for &eq in &self.equalities {
            count += kind(model, eq)?.1;
        }
        rows.resize(count, nv);
        rows.cost.fill(self.cost);
        let mut first = 0;
        for &eq in &self.equalities {
            let (kind, count) = kind(model, eq)?;
            if kind == EqType::Joint {
                joint_row(model, data, eq, first, rows);
            } else {
                tied_rows(model, data, eq, first, count, rows)?;
            }
            first += count;
        }
        Ok(())
    }
}

/// Kind of an equality and the number of its rows.
fn kind(model: &Model, eq: usize) -> Result<(EqType, usize), IkError> {
    match EqType::try_from(model.eq_type[eq]) {
        Ok(kind @ EqType::Connect) => Ok((kind, 3)),
        Ok(kind @ EqType::Weld) => Ok((kind, 6)),
        Ok(kind @ EqType::Joint) => Ok((kind, 1)),
        _ => Err(IkError::Unsupported(format!(
            "equality {eq}: only connect, weld and joint equalities are tasks"
        ))),
    }
}

/// `y − y₀ − p(x − x₀)` for a polynomial `p`.
fn joint_row(model: &Model, data: &Data, eq: usize, row: usize, rows: &mut Rows) {
    let coefficients = &model.eq_data[eq];
    let value = |joint: usize| {
        let address = model.jnt_qposadr[joint] as usize;
        data.qpos[address] - model.qpos0[address]
    };
    let leader = usize::try_from(model.eq_obj2id[eq]).ok();
    let x = leader.map_or(0.0, value);
    let (mut p, mut derivative) = (0.0, 0.0);
    for &c in coefficients[..5].iter().rev() {
        derivative = derivative * x + p;
        p = p * x + c;
    }
    let follower = model.eq_obj1id[eq] as usize;
    rows.error[row] = value(follower) - p;
    let jacobian = &mut rows.jacobian[row * model.nv..(row + 1) * model.nv];
    jacobian[model.jnt_dofadr[follower] as usize] += 1.0;
    if let Some(leader) = leader {
        jacobian[model.jnt_dofadr[leader] as usize] -= derivative;
    }
}

/// Frames of the two sides of a connect or weld, by body or by site.
fn tied_frames(model: &Model, data: &Data, eq: usize) -> [(usize, Pose); 2] {
    let ids = [model.eq_obj1id[eq] as usize, model.eq_obj2id[eq] as usize];
    if model.eq_objtype[eq] == ObjType::Site {
        return ids.map(|id| (Frame::Site(id).body(model), Frame::Site(id).world_pose(data)));
    }
    let prm = &model.eq_data[eq];
    let (a, b) = ([prm[0], prm[1], prm[2]], [prm[3], prm[4], prm[5]]);
    let identity = [1.0, 0.0, 0.0, 0.0];
    // a weld has the point of the second body first, and the relative orientation of the first
    let offsets = if model.eq_type[eq] == EqType::Weld {
        [Pose::new(&b, &[prm[6], prm[7], prm[8], prm[9]]), Pose::new(&a, &identity)]
    } else {
        [Pose::new(&a, &identity), Pose::new(&b, &identity)]
    };
    [0, 1].map(|k| (ids[k], Frame::Body(ids[k]).world_pose(data).mul(&offsets[k])))
}

/// Difference of two tied points, and of their orientations for a weld.
fn tied_rows(
    model: &Model,
    data: &Data,
    eq: usize,
    first: usize,
    count: usize,
    rows: &mut Rows,
) -> Result<(), IkError> {
    let nv = model.nv;
    let [(body1, frame1), (body2, frame2)] = tied_frames(model, data, eq);
    let rotation =
        if count == 6 { rotation_vector(&(frame1.mat * frame2.mat.transpose())) } else { Vec3::zeros() };
    let position = frame1.pos - frame2.pos;
    for k in 0..count {
        rows.error[first + k] = if k < 3 { position[k] } else { rotation[k - 3] };
    }
    for (body, point, sign) in [(body1, frame1.pos, 1.0), (body2, frame2.pos, -1.0)] {
        rows.scratch.clear();
        rows.scratch.resize(6 * nv, 0.0);
        let (linear, angular) = rows.scratch.split_at_mut(3 * nv);
        mj_jac_into(model, data, Some(linear), Some(angular), &point.into(), body)?;
        let own = &mut rows.jacobian[first * nv..(first + count) * nv];
        for (sum, j) in own.iter_mut().zip(&rows.scratch) {
            *sum += sign * j;
        }
    }
    Ok(())
}
