//! Sensors of forces, linearized: touch, force and torque between bodies, limits.
//!
//! The force that a body feels from its parent is what moves its subtree less what acts on it from outside:
//! `F = Σ (I A + V ×* I V) − Σ F_ext` over the bodies of the subtree, with applied forces and contacts. Each
//! term is that of `inverse_dynamics.rs` or `contact/force.rs`.

use super::rows::{Change, SensorDerivatives};
use crate::derivative::analytic::body_forces::wrench;
use crate::derivative::analytic::contact::force::ContactForce;
use crate::derivative::analytic::linearize::Linearization;
use crate::derivative::analytic::momentum::is_in_subtree;
use crate::derivative::analytic::motion::{Point, at_point, rotation_group};
use crate::derivative::analytic::rows::RowDerivatives;
use crate::derivative::analytic::tendon::force::{add_rate_derivative, is_fixed, tendon_row};
use crate::derivative::error::DerivativeError;
use crate::kinematics::chain::chain_dofs;
use crate::kinematics::poses::vec3_at;
use crate::sensor::touch_force;
use kinetree_math::Vec3;
use kinetree_math::rot::mat3;
use kinetree_math::spatial::{
    Inertia, Vec6, add_scaled6, add_to6, add6, angular, cross_force, cross_motion, linear, mul_inert_vec,
    sub6, vec6,
};
use kinetree_model::enums::{ConstraintType, EqType, JointType, ObjType, SensorType};
use kinetree_model::{Data, Model};

/// `B x` of a body with inertia `I` and velocity `V`: see `inverse_dynamics.rs`.
fn coriolis(inertia: &Inertia, velocity: &Vec6, x: &Vec6) -> Vec6 {
    let mut out = cross_force(velocity, &mul_inert_vec(inertia, x));
    out = sub6(&out, &mul_inert_vec(inertia, &cross_motion(velocity, x)));
    add6(&out, &cross_force(x, &mul_inert_vec(inertia, velocity)))
}

impl SensorDerivatives {
    /// Force or torque between the body of a site and its parent, in the axes of the site.
    ///
    /// # Errors
    /// When a connect or weld acts behind the site, or a contact there has no derivative.
    pub(crate) fn body_force(
        &mut self,
        model: &Model,
        data: &Data,
        derivatives: &Linearization,
        site: usize,
        torque: bool,
    ) -> Result<(), DerivativeError> {
        let body = model.site_bodyid[site] as usize;
        if (0..model.neq).any(|eq| anchors_one_side(model, data, eq, body)) {
            return Err(DerivativeError::Unsupported("a force sensor behind a connect or weld"));
        }
        self.force_changes.clear();
        self.force_changes.resize(model.nv, [[0.0; 6]; 3]);
        add_inertia(&mut self.force_changes, model, data, derivatives, body);
        subtract_applied(&mut self.force_changes, model, data, body);
        self.subtract_contacts(model, data, derivatives, body)?;

        let at = Point::new(model, data, body, &Vec3::from(data.site_xpos[site]));
        let axes = mat3(&data.site_xmat[site]);
        let (force, twist) = (linear(&data.cfrc_int[body]), angular(&data.cfrc_int[body]));
        let value = if torque { twist - at.offset.cross(&force) } else { force };
        let read = |change: &Vec6| {
            let force = linear(change);
            if torque { angular(change) - at.offset.cross(&force) } else { force }
        };
        let changes = std::mem::take(&mut self.force_changes);
        for (dof, by) in changes.iter().enumerate() {
            let kinds = [Change::Position, Change::Velocity, Change::Acceleration];
            for (kind, change) in kinds.into_iter().zip(by) {
                self.add_vector(kind, dof, axes.tr_mul(&read(change)).as_slice());
            }
        }
        self.force_changes = changes;
        // the site moves along
        for j in chain_dofs(model, body) {
            let axis = &data.cdof[j];
            let mut change = -angular(axis).cross(&value);
            if torque {
                change -= at_point(axis, &at.offset).cross(&force);
            }
            self.add_vector(Change::Position, j, axes.tr_mul(&change).as_slice());
        }
        Ok(())
    }

    /// Minus the forces of contacts on a subtree.
    fn subtract_contacts(
        &mut self,
        model: &Model,
        data: &Data,
        derivatives: &Linearization,
        root: usize,
    ) -> Result<(), DerivativeError> {
        for id in 0..data.ncon {
            let Some(contact) = ContactForce::new(model, data, id, &mut self.probe)? else { continue };
            let inside = contact.points.map(|p| is_in_subtree(model, p.body, root));
            if inside[0] == inside[1] {
                continue;
            }
            let (p, sign) = if inside[1] { (&contact.points[1], -1.0) } else { (&contact.points[0], 1.0) };
            let changes = &mut self.force_changes;
            contact.for_each_change(model, data, &derivatives.fields(), &mut self.probe, |change| {
                let by = &mut changes[change.dof];
                add_scaled6(&mut by[0], &wrench(&p.offset, &change.force, &change.torque), sign);
                if let Some(row) = &change.row {
                    for (out, lambda) in by[1..].iter_mut().zip(contact.by_motion(row)) {
                        let (force, torque) = contact.in_world(&lambda);
                        add_scaled6(out, &wrench(&p.offset, &force, &torque), sign);
                    }
                }
            });
        }
        Ok(())
    }

    /// Sum of the normal forces of contacts within a site.
    ///
    /// # Errors
    /// When one of them has no derivative.
    pub(crate) fn touch(
        &mut self,
        model: &Model,
        data: &Data,
        derivatives: &Linearization,
        site: usize,
    ) -> Result<(), DerivativeError> {
        for id in (0..data.ncon).filter(|&id| touch_force(model, data, site, id).is_some()) {
            let Some(contact) = ContactForce::new(model, data, id, &mut self.probe)? else { continue };
            let mut probe = std::mem::take(&mut self.probe);
            contact.for_each_change(model, data, &derivatives.fields(), &mut probe, |change| {
                self.add(Change::Position, 0, change.dof, change.lambda[0]);
                if let Some(row) = &change.row {
                    let [by_velocity, by_acceleration] = contact.by_motion(row);
                    self.add(Change::Velocity, 0, change.dof, by_velocity[0]);
                    self.add(Change::Acceleration, 0, change.dof, by_acceleration[0]);
                }
            });
            self.probe = probe;
        }
        Ok(())
    }

    /// Distance, velocity or force of the limit of a joint or tendon, if it is active.
    ///
    /// # Errors
    /// When it is that of a ball joint.
    pub(crate) fn limit(
        &mut self,
        model: &Model,
        data: &Data,
        linear: &Linearization,
        id: usize,
        kind: SensorType,
    ) -> Result<(), DerivativeError> {
        let on_joint =
            matches!(kind, SensorType::Jointlimitpos | SensorType::Jointlimitvel | SensorType::Jointlimitfrc);
        let limit = if on_joint { ConstraintType::LimitJoint } else { ConstraintType::LimitTendon };
        let mut rows = data.ne + data.nf..data.nefc;
        let is_limit = |row: &usize| data.efc_type[*row] == limit && data.efc_id[*row] == id as i32;
        let Some(row) = rows.find(is_limit) else { return Ok(()) };
        if on_joint && model.jnt_type[id] == JointType::Ball {
            return Err(DerivativeError::Unsupported("an analytic derivative of the limit of a ball joint"));
        }
        let derivatives = RowDerivatives::new(data, row);
        // with violation, rate and acceleration along the limit
        let by = match kind {
            SensorType::Jointlimitpos | SensorType::Tendonlimitpos => [1.0, 0.0, 0.0],
            SensorType::Jointlimitvel | SensorType::Tendonlimitvel => [0.0, 1.0, 0.0],
            _ => [
                derivatives.by_violation(),
                -derivatives.curvature * derivatives.damping,
                -derivatives.curvature,
            ],
        };
        let (length, [low, high]) = if on_joint {
            (data.qpos[model.jnt_qposadr[id] as usize], model.jnt_range[id])
        } else {
            (data.ten_length[id], model.tendon_range[id])
        };
        // which side of the range: the sign of the row
        let x = data.efc_pos[row];
        let sign = if (length - low - x).abs() <= (high - length - x).abs() { 1.0 } else { -1.0 };
        let kinds = [Change::Position, Change::Velocity, Change::Acceleration];
        if on_joint {
            let dof = model.jnt_dofadr[id] as usize;
            kinds.into_iter().zip(by).for_each(|(kind, by)| self.add(kind, 0, dof, sign * by));
            return Ok(());
        }
        let (columns, jacobian) = tendon_row(model, data, id);
        for (&j, value) in columns.iter().zip(jacobian) {
            for (kind, by) in kinds.into_iter().zip(by) {
                self.add(kind, 0, j as usize, sign * by * value);
            }
        }
        if !is_fixed(model, id) {
            let fields = linear.fields();
            for (field, by) in [(fields.velocity, by[1]), (fields.qacc, by[2])] {
                if by != 0.0 {
                    add_rate_derivative(model, data, id, field, sign * by, self.positions());
                }
            }
        }
        Ok(())
    }
}

/// The force that moves the bodies of a subtree.
fn add_inertia(
    changes: &mut [[Vec6; 3]],
    model: &Model,
    data: &Data,
    derivatives: &Linearization,
    root: usize,
) {
    let fields = derivatives.fields();
    for body in (root..model.nbody).filter(|&body| is_in_subtree(model, body, root)) {
        let inertia = &data.cinert[body];
        let velocity = &fields.velocity.body[body];
        let momentum = mul_inert_vec(inertia, velocity);
        let own =
            add6(&mul_inert_vec(inertia, &fields.acceleration.body[body]), &cross_force(velocity, &momentum));
        for j in chain_dofs(model, body) {
            let (axis, base) = (&data.cdof[j], &fields.velocity.base[j]);
            let p = cross_motion(axis, base);
            let u = sub6(&cross_motion(&p, base), &cross_motion(axis, &fields.acceleration.base[j]));
            let mut behind = *base;
            for k in rotation_group(model, j) {
                add_scaled6(&mut behind, &data.cdof[k], data.qvel[k]);
            }
            let w = cross_motion(&add6(base, &behind), axis);
            let [by_position, by_velocity, by_acceleration] = &mut changes[j];
            add_to6(by_position, &cross_force(axis, &own));
            add_to6(by_position, &mul_inert_vec(inertia, &u));
            add_scaled6(by_position, &coriolis(inertia, velocity, &p), -1.0);
            add_to6(by_velocity, &mul_inert_vec(inertia, &w));
            add_to6(by_velocity, &coriolis(inertia, velocity, axis));
            add_to6(by_acceleration, &mul_inert_vec(inertia, axis));
        }
    }
}

/// Minus the forces that the user applies to a subtree.
fn subtract_applied(changes: &mut [[Vec6; 3]], model: &Model, data: &Data, root: usize) {
    for body in (root..model.nbody).filter(|&body| is_in_subtree(model, body, root)) {
        let force = vec3_at(&data.xfrc_applied[body], 0);
        if force == Vec3::zeros() {
            continue;
        }
        let at = Point::new(model, data, body, &Vec3::from(data.xipos[body]));
        for j in chain_dofs(model, body) {
            let moved = at_point(&data.cdof[j], &at.offset);
            add_scaled6(&mut changes[j][0], &vec6(&moved.cross(&force), &Vec3::zeros()), -1.0);
        }
    }
}

/// Whether an active connect or weld holds just one of its sides in a subtree.
fn anchors_one_side(model: &Model, data: &Data, eq: usize, root: usize) -> bool {
    let kind = model.eq_type[eq];
    if data.eq_active[eq] == 0 || (kind != EqType::Connect && kind != EqType::Weld) {
        return false;
    }
    let inside = [model.eq_obj1id[eq], model.eq_obj2id[eq]].map(|id| {
        let body = match usize::try_from(id) {
            Ok(site) if model.eq_objtype[eq] == ObjType::Site => model.site_bodyid[site] as usize,
            Ok(body) => body,
            Err(_) => 0,
        };
        is_in_subtree(model, body, root)
    });
    inside[0] != inside[1]
}
