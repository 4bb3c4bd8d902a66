//! Functions of the engine under the reference's names.

use crate::data::DataHandle;
use crate::errors::{Outcome, failure, set};
use crate::model::ModelHandle;
use js_sys::Object;
use kinetree_model::enums::ObjType;
use kinetree_model::{mj_get_state, mj_reset_data, mj_reset_data_keyframe, mj_set_state, mj_state_size};
use kinetree_sim::RayFilter;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Stages that take a model and a world and nothing else.
macro_rules! stages {
    ($( $doc:literal $function:ident = $name:ident; )*) => { $(
        #[doc = $doc]
        ///
        /// # Errors
        /// When the world belongs to another model, or the stage fails.
        #[wasm_bindgen(js_name = $name)]
        pub fn $function(model: &ModelHandle, data: &mut DataHandle) -> Outcome<()> {
            data.with(model, |model, data| kinetree_sim::$function(model, data))
        }
    )* };
}

stages! {
    "First half of a step." mj_step1 = mj_step1;
    "Second half of a step." mj_step2 = mj_step2;
    "Forward dynamics." mj_forward = mj_forward;
    "Inverse dynamics." mj_inverse = mj_inverse;
    "Everything that depends on positions." mj_fwd_position = mj_fwdPosition;
    "Everything that depends on velocities." mj_fwd_velocity = mj_fwdVelocity;
    "Actuator forces." mj_fwd_actuation = mj_fwdActuation;
    "Accelerations without constraints." mj_fwd_acceleration = mj_fwdAcceleration;
    "Constraint forces." mj_fwd_constraint = mj_fwdConstraint;
    "Poses of bodies, geoms and sites." mj_kinematics = mj_kinematics;
    "Centres of mass." mj_com_pos = mj_comPos;
    "Poses of cameras and lights." mj_camlight = mj_camlight;
    "Lengths of tendons." mj_tendon = mj_tendon;
    "Lengths and moments of actuators." mj_transmission = mj_transmission;
    "Finds contacts." mj_collision = mj_collision;
    "Makes constraint rows." mj_make_constraint = mj_makeConstraint;
    "Velocities of bodies." mj_com_vel = mj_comVel;
    "Velocities of subtrees." mj_subtree_vel = mj_subtreeVel;
    "Passive forces." mj_passive = mj_passive;
    "Forces between bodies." mj_rne_post_constraint = mj_rnePostConstraint;
    "Potential energy." mj_energy_pos = mj_energyPos;
    "Kinetic energy." mj_energy_vel = mj_energyVel;
}

/// Makes steps.
///
/// # Errors
/// When the world belongs to another model, or a step fails.
#[wasm_bindgen]
pub fn mj_step(model: &ModelHandle, data: &mut DataHandle, count: u32) -> Outcome<()> {
    data.with(model, |model, data| (0..count).try_for_each(|_| data.step(model)))
}

/// Returns to the first state.
///
/// # Errors
/// When the world belongs to another model.
#[wasm_bindgen(js_name = mj_resetData)]
pub fn reset_data(model: &ModelHandle, data: &mut DataHandle) -> Outcome<()> {
    data.with(model, mj_reset_data)
}

/// Sets the state of a keyframe.
///
/// # Errors
/// When there is no such keyframe.
#[wasm_bindgen(js_name = mj_resetDataKeyframe)]
pub fn reset_data_keyframe(model: &ModelHandle, data: &mut DataHandle, key: usize) -> Outcome<()> {
    data.with(model, |model, data| mj_reset_data_keyframe(model, data, key))
}

/// Number of numbers in a state vector.
///
/// # Errors
/// When there are no such components.
#[wasm_bindgen(js_name = mj_stateSize)]
pub fn state_size(model: &ModelHandle, components: u32) -> Outcome<usize> {
    mj_state_size(model.checked()?, components).map_err(failure)
}

/// A state vector.
///
/// # Errors
/// When there are no such components.
#[wasm_bindgen(js_name = mj_getState)]
pub fn get_state(model: &ModelHandle, data: &DataHandle, components: u32) -> Outcome<Vec<f64>> {
    data.peek(model, |model, data| {
        let mut state = vec![0.0; mj_state_size(model, components)?];
        mj_get_state(model, data, &mut state, components).map(|()| state)
    })
}

/// Sets a state vector.
///
/// # Errors
/// When there are no such components, or the vector has another length.
#[wasm_bindgen(js_name = mj_setState)]
pub fn set_state(model: &ModelHandle, data: &mut DataHandle, state: &[f64], components: u32) -> Outcome<()> {
    data.with(model, |model, data| mj_set_state(model, data, state, components))
}

/// So many numbers.
fn exactly<const N: usize>(what: &str, values: &[f64]) -> Outcome<[f64; N]> {
    values.try_into().map_err(|_| failure(format!("{what} has {} numbers instead of {N}", values.len())))
}

/// Three numbers.
pub(crate) fn three(what: &str, values: &[f64]) -> Outcome<[f64; 3]> {
    exactly(what, values)
}

/// Four numbers.
pub(crate) fn four(what: &str, values: &[f64]) -> Outcome<[f64; 4]> {
    exactly(what, values)
}

/// Six numbers.
pub(crate) fn six(what: &str, values: &[f64]) -> Outcome<[f64; 6]> {
    exactly(what, values)
}

/// Translational and rotational Jacobian of a global point on a body, one after the other, row by row.
///
/// # Errors
/// When there is no such body.
#[wasm_bindgen(js_name = mj_jac)]
pub fn jac(model: &ModelHandle, data: &DataHandle, point: &[f64], body: usize) -> Outcome<Vec<f64>> {
    let point = three("the point", point)?;
    data.peek(model, |model, data| {
        let mut all = vec![0.0; 6 * model.nv];
        let (translation, rotation) = all.split_at_mut(3 * model.nv);
        kinetree_sim::mj_jac_into(model, data, Some(translation), Some(rotation), &point, body).map(|()| all)
    })
}

/// Derivative by time of both Jacobians of a global point on a body, one after the other, row by row.
///
/// # Errors
/// When there is no such body.
#[wasm_bindgen(js_name = mj_jacDot)]
pub fn jac_dot(model: &ModelHandle, data: &DataHandle, point: &[f64], body: usize) -> Outcome<Vec<f64>> {
    let point = three("the point", point)?;
    data.peek(model, |model, data| {
        let mut all = vec![0.0; 6 * model.nv];
        let (translation, rotation) = all.split_at_mut(3 * model.nv);
        kinetree_sim::mj_jac_dot_into(model, data, Some(translation), Some(rotation), &point, body)
            .map(|()| all)
    })
}

/// Jacobians of a global point and of a direction on a body, one after the other, row by row.
///
/// # Errors
/// When there is no such body.
#[wasm_bindgen(js_name = mj_jacPointAxis)]
pub fn jac_point_axis(
    model: &ModelHandle,
    data: &DataHandle,
    point: &[f64],
    axis: &[f64],
    body: usize,
) -> Outcome<Vec<f64>> {
    let (point, axis) = (three("the point", point)?, three("the axis", axis)?);
    data.peek(model, |model, data| {
        let mut all = vec![0.0; 6 * model.nv];
        let (of_point, of_axis) = all.split_at_mut(3 * model.nv);
        kinetree_sim::mj_jac_point_axis_into(model, data, Some(of_point), Some(of_axis), &point, &axis, body)
            .map(|()| all)
    })
}

/// Jacobian of the centre of mass of a subtree, row by row.
///
/// # Errors
/// When there is no such body.
#[wasm_bindgen(js_name = mj_jacSubtreeCom)]
pub fn jac_subtree_com(model: &ModelHandle, data: &DataHandle, body: usize) -> Outcome<Vec<f64>> {
    data.peek(model, |model, data| {
        let mut jacobian = vec![0.0; 3 * model.nv];
        kinetree_sim::mj_jac_subtree_com_into(model, data, &mut jacobian, body).map(|()| jacobian)
    })
}

/// First geom that a ray hits: an object with `geom`, `distance` and `normal`, or null.
///
/// # Errors
/// When point or direction have another number of numbers than three.
#[wasm_bindgen(js_name = mj_ray)]
pub fn ray(
    model: &ModelHandle,
    data: &DataHandle,
    point: &[f64],
    direction: &[f64],
    groups: Option<Vec<u8>>,
    include_static: bool,
    exclude_body: i32,
) -> Outcome<JsValue> {
    let (point, direction) = (three("the point", point)?, three("the direction", direction)?);
    let groups = match groups {
        Some(groups) => {
            let six: [u8; 6] = groups[..].try_into().map_err(|_| failure("groups are six flags"))?;
            Some(six.map(|flag| flag != 0))
        }
        None => None,
    };
    let filter = RayFilter { groups, include_static, exclude_body: usize::try_from(exclude_body).ok() };
    let hit =
        data.peek(model, |model, data| kinetree_sim::mj_ray(model, data, &point, &direction, &filter))?;
    Ok(hit.map_or(JsValue::NULL, |hit| {
        let object: JsValue = Object::new().into();
        set(&object, "geom", hit.geom as u32);
        set(&object, "distance", hit.distance);
        set(&object, "normal", js_sys::Float64Array::from(&hit.normal[..]));
        object
    }))
}

/// Force and torque of a contact, in its frame.
///
/// # Errors
/// When the world belongs to another model.
#[wasm_bindgen(js_name = mj_contactForce)]
pub fn contact_force(model: &ModelHandle, data: &DataHandle, contact: usize) -> Outcome<Vec<f64>> {
    if contact >= data.data.ncon {
        return Err(failure(format!("there is no contact {contact}: there are {}", data.data.ncon)));
    }
    data.peek(model, |model, data| kinetree_sim::mj_contact_force(model, data, contact)).map(|f| f.to_vec())
}

/// Angular, then linear velocity of an object.
///
/// # Errors
/// When the object has no frame.
#[wasm_bindgen(js_name = mj_objectVelocity)]
pub fn object_velocity(
    model: &ModelHandle,
    data: &DataHandle,
    kind: i32,
    id: i32,
    local: bool,
) -> Outcome<Vec<f64>> {
    let velocity = |model: &_, data: &_| kinetree_sim::mj_object_velocity(model, data, kind, id, local);
    data.peek(model, velocity).map(|v| v.as_slice().to_vec())
}

/// The inertia matrix, row by row.
///
/// # Errors
/// When the world belongs to another model.
#[wasm_bindgen(js_name = mj_fullM)]
pub fn full_m(model: &ModelHandle, data: &DataHandle) -> Outcome<Vec<f64>> {
    data.peek(model, |model, data| {
        data.check_sizes(model)?;
        let mut full = vec![0.0; model.nv * model.nv];
        kinetree_sim::mj_full_m(model, &mut full, &data.qM);
        Ok::<_, kinetree_model::Mismatch>(full)
    })
}

/// Adds a force and a torque at a point of a body to generalized forces, and returns these.
///
/// # Errors
/// When there is no such body.
#[wasm_bindgen(js_name = mj_applyFT)]
pub fn apply_ft(
    model: &ModelHandle,
    data: &DataHandle,
    force: &[f64],
    torque: &[f64],
    point: &[f64],
    body: usize,
) -> Outcome<Vec<f64>> {
    let (force, torque) = (three("the force", force)?, three("the torque", torque)?);
    let point = three("the point", point)?;
    data.peek(model, |model, data| {
        let mut generalized = vec![0.0; model.nv];
        kinetree_sim::mj_apply_ft(model, data, &force, &torque, &point, body, &mut generalized)
            .map(|()| generalized)
    })
}

/// Version of the engine.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Kinds of objects with names, a line each: name as in `mjOBJ_…` without the prefix, and number.
#[wasm_bindgen(js_name = objectKinds)]
#[must_use]
pub fn object_kinds() -> String {
    (0..=64)
        .filter_map(|number| {
            ObjType::try_from(number).ok().map(|kind| format!("{kind:?}\t{number}\n").to_lowercase())
        })
        .collect()
}
