//! Parts of stages by themselves, for programs that put them together in their own way.

use crate::arguments::{ArgumentError, exists, has_length};
use crate::constraint::{RowsView, constraint_update, has_cones, subtract_drift_from};
use crate::derivative::velocity::{self, DerivativeScratch};
use crate::flex::elasticity::gather_velocities;
use crate::flex::gather_nodes;
use crate::integrate::for_each_stiffness;
use crate::sleep;
use kinetree_model::enums::{ConstraintType, ObjType};
use kinetree_model::{Contact, Data, Model};

pub use crate::derivative::velocity::VelocityPart;

pub(crate) fn mjd_smooth_vel(model: &Model, data: &mut Data, with_bias: bool) {
    velocity::mjd_smooth_vel(model, data, &mut DerivativeScratch::default(), with_bias);
}

pub(crate) fn add_velocity_part(model: &Model, data: &mut Data, part: VelocityPart) {
    velocity::add_velocity_part(model, data, part);
}

pub(crate) fn subtract_jacobian_drift(model: &Model, data: &Data, rows: &mut [f64]) {
    subtract_drift_from(model, data, rows);
}

/// How many objects of a kind there are that sleep or do not.
pub(crate) fn sleepers(model: &Model, kind: ObjType) -> usize {
    match kind {
        ObjType::Body | ObjType::Xbody => model.nbody,
        ObjType::Joint => model.njnt,
        ObjType::Dof => model.nv,
        ObjType::Geom => model.ngeom,
        ObjType::Site => model.nsite,
        ObjType::Camera => model.ncam,
        ObjType::Light => model.nlight,
        ObjType::Equality => model.neq,
        ObjType::Tendon => model.ntendon,
        ObjType::Actuator => model.nu,
        ObjType::Sensor => model.nsensor,
        _ => usize::MAX,
    }
}

pub(crate) fn object_sleep_state(model: &Model, data: &Data, kind: ObjType, id: usize) -> i32 {
    sleep::object_sleep_state(model, data, kind as i32, id)
}

/// Constraint rows that somebody has put together: equalities first, then friction losses.
pub struct ConstraintRows<'a> {
    /// Numbers of equalities and of friction losses.
    pub first: (usize, usize),
    /// Inverse regularizers, regularizers, and friction losses.
    pub gains: [&'a [f64]; 3],
    /// Types and objects.
    pub kinds: [&'a [i32]; 2],
    /// How far each row is from its reference acceleration.
    pub residual: &'a [f64],
}

/// Sets states and forces of rows and returns their cost; with `cone_hessian`, also the Hessians of contacts
/// in the middle of their cone.
///
/// # Errors
/// When lengths, or the numbers of contacts in the rows, do not fit.
pub fn update_rows(
    rows: &ConstraintRows<'_>,
    contact: &mut [Contact],
    state: &mut [i32],
    force: &mut [f64],
    cone_hessian: bool,
) -> Result<f64, ArgumentError> {
    let count = rows.residual.len();
    let lengths = rows.gains.map(<[f64]>::len).into_iter().chain(rows.kinds.map(<[i32]>::len));
    for length in lengths.chain([state.len(), force.len()]) {
        has_length("rows", length, count)?;
    }
    exists("row", rows.first.0.saturating_add(rows.first.1), count + 1)?;
    check_cones(rows, contact)?;
    let view = RowsView::new(rows.first, rows.gains, rows.kinds);
    Ok(constraint_update(&view, rows.residual, contact, state, force, cone_hessian))
}

/// An error unless the rows of elliptic contacts are complete.
fn check_cones(rows: &ConstraintRows<'_>, contact: &[Contact]) -> Result<(), ArgumentError> {
    let [kind, id] = rows.kinds;
    if !has_cones(kind) {
        return Ok(());
    }
    let mut row = rows.first.0 + rows.first.1;
    while row < kind.len() {
        if kind[row] != ConstraintType::ContactElliptic as i32 {
            row += 1;
            continue;
        }
        let number = usize::try_from(id[row]).unwrap_or(usize::MAX);
        exists("contact", number, contact.len())?;
        let dim = usize::try_from(contact[number].dim).unwrap_or(usize::MAX);
        exists("dimension", dim.wrapping_sub(1), 6)?;
        row += dim;
        exists("row", row, kind.len() + 1)?;
    }
    Ok(())
}

pub(crate) fn flex_stiffness(model: &Model, data: &Data, h: f64, visit: &mut dyn FnMut(usize, usize, f64)) {
    for_each_stiffness(model, data, |damping| h * h + h * damping, visit);
}

pub(crate) fn flex_nodes(model: &Model, data: &Data, flex: usize) -> [Vec<[f64; 3]>; 2] {
    let [mut position, mut velocity] = [const { Vec::new() }; 2];
    gather_nodes(model, data, flex, &mut position);
    gather_velocities(model, data, flex, &position, &mut velocity);
    [position, velocity]
}
