//! Mouse motions: they move the camera, the whole model, or what is selected.

use super::camera::{mjv_camera_in_model, mjv_camera_in_room, mjv_frustum_height};
use super::enums::{CameraType, Mouse};
use super::error::SceneError;
use super::geom::single;
use super::types::{MjvCamera, MjvPerturb, MjvScene};
use kinetree_math::Vec3;
use kinetree_math::rot::{
    axis_angle_to_quat, mat3, normalize3, quat_conj, quat_mul, quat_normalize, quat_to_vel,
};
use kinetree_model::{Data, Model};
use std::f64::consts::{FRAC_PI_2, PI};

/// Steps of an orthographic camera are shortened by this much, as in the reference.
pub(super) const ORTHOGRAPHIC_STEP: f64 = 0.15;

/// The action, which must be one that moves something.
fn action_of(action: i32) -> Result<Mouse, SceneError> {
    Mouse::try_from(action).ok().filter(|&a| a != Mouse::None).ok_or(SceneError::Mouse(action))
}

/// Rotates a vector about the vertical axis, from one who looks along y to one who looks along `forward`.
#[must_use]
pub fn mjv_align_to_camera(vec: &[f64; 3], forward: &[f64; 3]) -> [f64; 3] {
    let length = (forward[0] * forward[0] + forward[1] * forward[1]).sqrt();
    let [y0, y1] =
        if length < kinetree_math::MINVAL { [1.0, 0.0] } else { [forward[0] / length, forward[1] / length] };
    [vec[0] * y1 + vec[1] * y0, vec[1] * y1 - vec[0] * y0, vec[2]]
}

/// The motion in space of a motion of the mouse, seen along `forward`; for rotations the axis times the
/// angle.
fn motion(action: Mouse, dx: f64, dy: f64, forward: &[f64; 3]) -> Vec3 {
    let vec = match action {
        Mouse::RotateV => [dy, 0.0, dx],
        Mouse::RotateH => [dy, dx, 0.0],
        Mouse::MoveV | Mouse::MoveVRel => [dx, 0.0, -dy],
        Mouse::MoveH | Mouse::MoveHRel => [dx, -dy, 0.0],
        Mouse::Zoom | Mouse::None => [0.0; 3],
    };
    mjv_align_to_camera(&vec, forward).into()
}

/// Moves a camera with the mouse; distances are relative to the height of the window. A fixed camera stays,
/// and so does what a tracking camera looks at.
///
/// # Errors
/// When the action moves nothing, or the cameras of the scene were never set.
pub fn mjv_move_camera(
    model: &Model,
    action: i32,
    reldx: f64,
    reldy: f64,
    scn: &MjvScene,
    cam: &mut MjvCamera,
) -> Result<(), SceneError> {
    if cam.type_ == CameraType::Fixed {
        return Ok(());
    }
    let action = action_of(action)?;
    let extent = model.stat.extent;
    match action {
        Mouse::RotateV | Mouse::RotateH => {
            cam.azimuth -= reldx * 180.0;
            cam.elevation -= reldy * 180.0;
        }
        Mouse::Zoom => {
            cam.distance -= libm::log(1.0 + cam.distance / extent / 3.0) * reldy * 9.0 * extent;
        }
        _ if cam.type_ == CameraType::Tracking => return Ok(()),
        _ => move_lookat(action, reldx, reldy, scn, cam)?,
    }
    if cam.azimuth > 180.0 {
        cam.azimuth -= 360.0;
    }
    if cam.azimuth < -180.0 {
        cam.azimuth += 360.0;
    }
    // by hand: the limits may be no numbers
    cam.elevation = cam.elevation.clamp(-89.0, 89.0);
    cam.distance = cam.distance.max(0.01 * extent).min(100.0 * extent);
    Ok(())
}

/// Moves the point that a camera looks at so that it follows the mouse, or along the camera's own axes.
fn move_lookat(
    action: Mouse,
    reldx: f64,
    reldy: f64,
    scn: &MjvScene,
    cam: &mut MjvCamera,
) -> Result<(), SceneError> {
    let head = mjv_camera_in_model(scn)?;
    let (forward, up) = (Vec3::from(head.forward), Vec3::from(head.up));
    let mut lookat = Vec3::from(cam.lookat);
    if matches!(action, Mouse::MoveV | Mouse::MoveH) {
        let depth = (lookat - Vec3::from(head.headpos)).dot(&forward);
        let mut scale = mjv_frustum_height(scn)? * depth;
        if cam.orthographic != 0 {
            scale *= ORTHOGRAPHIC_STEP;
        }
        lookat -= motion(action, reldx, reldy, &head.forward) * scale;
    } else {
        let along = if action == Mouse::MoveVRel { up } else { forward };
        lookat += along * reldy + forward.cross(&up) * reldx;
    }
    cam.lookat = lookat.into();
    Ok(())
}

/// Moves or rotates the reference pose of what is selected. It rotates at most a quarter away from the body.
///
/// # Errors
/// When the action moves nothing, the selected body does not exist, or the cameras of the scene were never
/// set.
pub fn mjv_move_perturb(
    model: &Model,
    data: &Data,
    action: i32,
    reldx: f64,
    reldy: f64,
    scn: &MjvScene,
    pert: &mut MjvPerturb,
) -> Result<(), SceneError> {
    data.check(model)?;
    let action = action_of(action)?;
    let body = usize::try_from(pert.select).ok().filter(|&body| body < model.nbody);
    let body = body.ok_or(SceneError::SelectedBody { id: pert.select, count: model.nbody })?;
    let vec = motion(action, reldx, reldy, &mjv_camera_in_model(scn)?.forward);
    match action {
        Mouse::MoveV | Mouse::MoveH => shift(pert, &vec),
        Mouse::MoveVRel | Mouse::MoveHRel => {
            let axes = mat3(&data.xmat[body]);
            let along = if action == Mouse::MoveHRel { 0 } else { 2 };
            shift(pert, &(axes.column(along) * reldy));
            shift(pert, &(axes.column(1) * reldx));
        }
        Mouse::RotateV | Mouse::RotateH => rotate_reference(model, data, body, vec, pert),
        Mouse::Zoom | Mouse::None => {}
    }
    Ok(())
}

/// Moves both reference positions.
fn shift(pert: &mut MjvPerturb, by: &Vec3) {
    for k in 0..3 {
        pert.refpos[k] += by[k] * pert.scale;
        pert.refselpos[k] += by[k] * pert.scale;
    }
}

/// Rotates the reference orientation; one window height is a full turn.
fn rotate_reference(model: &Model, data: &Data, body: usize, mut axis: Vec3, pert: &mut MjvPerturb) {
    let angle = normalize3(&mut axis) * PI * 2.0;
    pert.refquat = quat_mul(&axis_angle_to_quat(&axis, angle), &pert.refquat);
    quat_normalize(&mut pert.refquat);
    if body == 0 {
        return;
    }
    let inertial = quat_mul(&data.xquat[body], &model.body_iquat[body]);
    let mut away = quat_to_vel(&quat_mul(&quat_conj(&inertial), &pert.refquat), 1.0);
    let angle = normalize3(&mut away);
    if angle > FRAC_PI_2 {
        pert.refquat = quat_mul(&inertial, &axis_angle_to_quat(&away, FRAC_PI_2));
    }
}

/// Moves, rotates or scales the whole model in the room, where the scene is transformed.
///
/// # Errors
/// When the action moves nothing, or the cameras of the scene were never set.
pub fn mjv_move_model(
    model: &Model,
    action: i32,
    reldx: f64,
    reldy: f64,
    roomup: &[f64; 3],
    scn: &mut MjvScene,
) -> Result<(), SceneError> {
    if !scn.enabletransform {
        return Ok(());
    }
    let action = action_of(action)?;
    let gaze = Vec3::from(mjv_camera_in_room(scn)?.forward);
    let up = Vec3::from(*roomup);
    let mut forward = gaze - up * gaze.dot(&up);
    normalize3(&mut forward);
    let mut right = forward.cross(&up);
    normalize3(&mut right);
    match action {
        Mouse::RotateV | Mouse::RotateH => {
            let around = if action == Mouse::RotateV { up } else { forward };
            let mut axis = around * reldx + right * reldy;
            let angle = normalize3(&mut axis) * PI;
            let mut rotate = quat_mul(&axis_angle_to_quat(&axis, angle), &scn.rotate.map(f64::from));
            quat_normalize(&mut rotate);
            scn.rotate = single(&rotate);
        }
        Mouse::MoveV | Mouse::MoveVRel | Mouse::MoveH | Mouse::MoveHRel => {
            let vertical = matches!(action, Mouse::MoveV | Mouse::MoveVRel);
            let along = if vertical { up } else { forward };
            let by = right * reldx - along * reldy;
            for k in 0..3 {
                let moved = f64::from(scn.translate[k]) + f64::from(by[k] as f32) * model.stat.extent;
                scn.translate[k] = moved as f32;
            }
        }
        Mouse::Zoom => {
            scn.scale += (libm::log(f64::from(1.0 + scn.scale / 3.0)) * reldy * 3.0) as f32;
            scn.scale = scn.scale.clamp(0.01, 100.0);
        }
        Mouse::None => {}
    }
    Ok(())
}
