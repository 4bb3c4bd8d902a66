//! Joints and dofs: springs, damping, limits, friction loss.

use crate::features::parameters::{Table, UNBOUNDED};
use crate::features::row_parameters::row_numbers;
use kinetree_model::Model;
use kinetree_model::enums::{DisableBit, Integrator, JointType};
use kinetree_sim::{dof_constants, row_gains};

/// Writes what the kernels read of joints.
pub(crate) fn write_joints(model: &Model, table: &mut Table) {
    table.ints("JNT_TYPE", model.jnt_type.iter().copied());
    table.ints("JNT_QPOSADR", model.jnt_qposadr.iter().copied());
    table.ints("JNT_DOFADR", model.jnt_dofadr.iter().copied());
    table.floats("JNT_POS", model.jnt_pos.as_flattened().iter().copied());
    table.floats("JNT_AXIS", model.jnt_axis.as_flattened().iter().copied());
    table.floats("QPOS0", model.qpos0.iter().copied());
    table.floats("QPOS_SPRING", model.qpos_spring.iter().copied());
}

/// Writes what the kernels read of dofs.
pub(crate) fn write_dofs(model: &Model, table: &mut Table) {
    let nv = model.nv;
    let joint = |i: usize| model.dof_jntid[i] as usize;
    let is_scalar = |i: usize| model.jnt_type[joint(i)] >= JointType::Slide as i32;
    let address =
        |i: usize, condition: bool| if condition && is_scalar(i) { model.jnt_qposadr[joint(i)] } else { -1 };
    let constraints = !model.disabled(DisableBit::Constraint);
    let springs = !model.disabled(DisableBit::Spring);
    let dampers = !model.disabled(DisableBit::Damper);
    let limits = constraints && !model.disabled(DisableBit::Limit);
    let losses = constraints && !model.disabled(DisableBit::Frictionloss);
    let none = [0.0; 2];
    table.ints("DOF_JNTID", model.dof_jntid.iter().copied());
    table.ints("DOF_BODYID", model.dof_bodyid.iter().copied());
    table.ints("DOF_PARENTID", model.dof_parentid.iter().copied());
    table.ints("DOF_CARRIER", (0..nv).map(|i| carrier(model, i)));
    table.floats("DOF_ARMATURE", (0..nv).map(|i| dof_constants(model, i).0));
    let damping = |i: usize| if dampers { dof_constants(model, i).1 } else { [0.0; 3] };
    table.floats("DOF_DAMPING", (0..nv).flat_map(damping));
    let stiffness = |i: usize| {
        let [k1, k2] = model.jnt_stiffnesspoly[joint(i)];
        [model.jnt_stiffness[joint(i)], k1, k2]
    };
    table.ints("DOF_SPRINGADR", (0..nv).map(|i| address(i, springs && stiffness(i) != [0.0; 3])));
    table.floats("DOF_STIFFNESS", (0..nv).flat_map(stiffness));
    let rotates = |i: usize| !is_scalar(i) && stiffness(i) != [0.0; 3];
    table.flag("HAS_ROTATION_SPRINGS", springs && (0..nv).any(rotates));
    table.floats("DOF_INVWEIGHT", model.dof_invweight0.iter().copied());
    table.ints("DOF_LIMITADR", (0..nv).map(|i| address(i, limits && model.jnt_limited[joint(i)] != 0)));
    let range = |i: usize| {
        let [low, high] = model.jnt_range[joint(i)];
        [low, high, model.jnt_margin[joint(i)]]
    };
    table.floats("DOF_RANGE", (0..nv).flat_map(range));
    let limit = |i: usize| row_gains(model, &model.jnt_solref[joint(i)], &none, &model.jnt_solimp[joint(i)]);
    table.floats("DOF_LIMIT", (0..nv).flat_map(|i| row_numbers(&limit(i))));
    let has_loss = losses && model.dof_frictionloss.iter().any(|&x| x > 0.0);
    table.flag("HAS_LOSS", has_loss);
    table.floats("DOF_FRICTIONLOSS", model.dof_frictionloss.iter().copied());
    let loss = |i: usize| row_gains(model, &model.dof_solref[i], &none, &model.dof_solimp[i]);
    table.floats("DOF_LOSS", (0..nv).flat_map(|i| row_numbers(&loss(i))));
    let force_range = |i: usize| match model.jnt_actfrclimited[joint(i)] {
        // the range is that of the first dof
        1.. if model.jnt_dofadr[joint(i)] as usize == i => model.jnt_actfrcrange[joint(i)],
        _ => [-UNBOUNDED, UNBOUNDED],
    };
    table.floats("DOF_ACTFRCRANGE", (0..nv).flat_map(force_range));
    let damped = (0..nv).any(|i| damping(i) != [0.0; 3]);
    let explicit = model.opt.integrator == Integrator::Rk4 as i32;
    table.flag("IMPLICIT_DAMPING", damped && !explicit && !model.disabled(DisableBit::Eulerdamp));
    table.flag("IMPLICIT", model.opt.integrator == Integrator::Implicitfast as i32);
}

/// The last dof of the chain whose velocity carries the motion of dof `i` along; -1 where nothing does, -2
/// where the motion is that of the world's axes and does not change.
fn carrier(model: &Model, i: usize) -> i32 {
    let joint = model.dof_jntid[i] as usize;
    let first = model.jnt_dofadr[joint] as usize;
    match JointType::try_from(model.jnt_type[joint]) {
        Ok(JointType::Free) if i < first + 3 => -2,
        // the body rotates about axes that its own translation does not rotate
        Ok(JointType::Free) => first as i32 + 2,
        Ok(JointType::Ball) => model.dof_parentid[first],
        _ => model.dof_parentid[i],
    }
}
