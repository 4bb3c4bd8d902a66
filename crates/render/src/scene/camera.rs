//! Cameras: from the abstract camera that the user moves to the two that a renderer draws from, and between
//! the room and the model.

use super::enums::CameraType;
use super::error::SceneError;
use super::geom::single;
use super::types::{MjvCamera, MjvGLCamera, MjvScene};
use kinetree_math::rot::{mat_to_quat, normalize3, pose_mul, pose_neg, quat_to_mat};
use kinetree_math::{MINVAL, Mat3, Quat, Vec3};
use kinetree_model::enums::Projection;
use kinetree_model::{Data, Model};
use std::f64::consts::PI;

/// Position and orientation of a camera; directions have unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraFrame {
    /// Position of the camera, between both eyes (m).
    pub headpos: [f64; 3],
    /// Viewing direction.
    pub forward: [f64; 3],
    /// Up direction.
    pub up: [f64; 3],
    /// Direction to the right.
    pub right: [f64; 3],
}

/// What a camera sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraFrustum {
    /// Distances from the axis to the upper and lower side of the near plane; of the picture of an
    /// orthographic camera.
    pub zver: [f32; 2],
    /// Distances from the axis to the left and right side; 0 when they follow from the viewport.
    pub zhor: [f32; 2],
    /// Distances of the near and the far plane.
    pub zclip: [f32; 2],
}

/// Pose and viewing direction of the scene's camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadPose {
    /// Position between both eyes (m).
    pub headpos: [f64; 3],
    /// Viewing direction.
    pub forward: [f64; 3],
    /// Up direction.
    pub up: [f64; 3],
}

/// The camera of the model that a fixed camera is.
fn fixed_camera(count: usize, cam: &MjvCamera) -> Result<usize, SceneError> {
    let id = usize::try_from(cam.fixedcamid).ok().filter(|&id| id < count);
    id.ok_or(SceneError::FixedCamera { id: cam.fixedcamid, count })
}

/// Position and directions of an abstract camera.
///
/// # Errors
/// When a fixed camera does not exist, or the user sets the camera.
pub fn mjv_camera_frame(data: &Data, cam: &MjvCamera) -> Result<CameraFrame, SceneError> {
    match CameraType::try_from(cam.type_) {
        Ok(CameraType::Free | CameraType::Tracking) => {
            let (azimuth, elevation) = (cam.azimuth / 180.0 * PI, cam.elevation / 180.0 * PI);
            let (sa, ca) = (libm::sin(azimuth), libm::cos(azimuth));
            let (se, ce) = (libm::sin(elevation), libm::cos(elevation));
            let forward = [ce * ca, ce * sa, se];
            Ok(CameraFrame {
                headpos: std::array::from_fn(|k| cam.lookat[k] - cam.distance * forward[k]),
                forward,
                up: [-se * ca, -se * sa, ce],
                right: [sa, -ca, 0.0],
            })
        }
        Ok(CameraType::Fixed) => {
            let id = fixed_camera(data.cam_xpos.len(), cam)?;
            let m = &data.cam_xmat[id];
            Ok(CameraFrame {
                headpos: data.cam_xpos[id],
                forward: [-m[2], -m[5], -m[8]],
                up: [m[1], m[4], m[7]],
                right: [m[0], m[3], m[6]],
            })
        }
        _ => Err(SceneError::CameraType(cam.type_)),
    }
}

/// Vertical and horizontal extents at distance `near` of a camera with focal lengths, principal point and
/// sensor size.
pub(super) fn sensor_frustum(near: f32, intrinsic: &[f32; 4], sensor: &[f32; 2]) -> ([f32; 2], [f32; 2]) {
    let extent = |axis: usize| {
        let (focal, offset, half) = (intrinsic[axis], intrinsic[2 + axis], sensor[axis] / 2.0);
        [near / focal * (half - offset), near / focal * (half + offset)]
    };
    (extent(1), extent(0))
}

/// What an abstract camera sees.
///
/// # Errors
/// When a fixed camera does not exist, or the user sets the camera.
pub fn mjv_camera_frustum(model: &Model, cam: &MjvCamera) -> Result<CameraFrustum, SceneError> {
    let lens = Lens::new(model, cam)?;
    let near = (f64::from(model.vis.map.znear) * model.stat.extent) as f32;
    let (zver, zhor) = match lens.sensor {
        _ if lens.orthographic => ([(lens.fovy / 2.0) as f32; 2], [0.0; 2]),
        Some((intrinsic, sensor)) => sensor_frustum(near, &intrinsic, &sensor),
        None => ([(f64::from(near) * libm::tan(lens.fovy * PI / 360.0)) as f32; 2], [0.0; 2]),
    };
    let far = (f64::from(model.vis.map.zfar) * model.stat.extent) as f32;
    Ok(CameraFrustum { zver, zhor, zclip: [near, far] })
}

/// How a camera projects.
struct Lens {
    orthographic: bool,
    /// Vertical angle in degrees, or height in metres.
    fovy: f64,
    /// Distance between the eyes (m).
    ipd: f64,
    /// Focal lengths and principal point, and sensor size.
    sensor: Option<([f32; 4], [f32; 2])>,
}

impl Lens {
    fn new(model: &Model, cam: &MjvCamera) -> Result<Self, SceneError> {
        match CameraType::try_from(cam.type_) {
            Ok(CameraType::Free | CameraType::Tracking) => {
                let global = &model.vis.global;
                Ok(Self {
                    orthographic: global.orthographic != 0,
                    fovy: f64::from(global.fovy),
                    ipd: f64::from(global.ipd),
                    sensor: None,
                })
            }
            Ok(CameraType::Fixed) => {
                let id = fixed_camera(model.ncam, cam)?;
                let sensor = model.cam_sensorsize[id];
                Ok(Self {
                    orthographic: model.cam_projection[id] == Projection::Orthographic,
                    fovy: model.cam_fovy[id],
                    ipd: model.cam_ipd[id],
                    sensor: (sensor[1] != 0.0).then(|| (model.cam_intrinsic[id], sensor)),
                })
            }
            _ => Err(SceneError::CameraType(cam.type_)),
        }
    }
}

/// Sets both cameras of the scene from an abstract camera; one that the user sets is left alone. A tracking
/// camera looks at the centre of mass of its body's subtree from then on.
///
/// # Errors
/// When a tracked body or a fixed camera does not exist.
pub fn mjv_update_camera(
    model: &Model,
    data: &Data,
    cam: &mut MjvCamera,
    scn: &mut MjvScene,
) -> Result<(), SceneError> {
    data.check(model)?;
    if cam.type_ == CameraType::User {
        return Ok(());
    }
    if cam.type_ == CameraType::Tracking {
        let body = usize::try_from(cam.trackbodyid).ok().filter(|&body| body < model.nbody);
        let body = body.ok_or(SceneError::TrackedBody { id: cam.trackbodyid, count: model.nbody })?;
        cam.lookat = data.subtree_com[body];
    }
    let frame = mjv_camera_frame(data, cam)?;
    let frustum = mjv_camera_frustum(model, cam)?;
    let lens = Lens::new(model, cam)?;
    let [left, right] = frustum.zhor;
    for (camera, side) in scn.camera.iter_mut().zip([-0.5, 0.5]) {
        *camera = MjvGLCamera {
            pos: std::array::from_fn(|k| (frame.headpos[k] + side * lens.ipd * frame.right[k]) as f32),
            forward: single(&frame.forward),
            up: single(&frame.up),
            frustum_center: (right - left) / 2.0,
            frustum_width: (right + left) / 2.0,
            frustum_bottom: -frustum.zver[1],
            frustum_top: frustum.zver[0],
            frustum_near: frustum.zclip[0],
            frustum_far: frustum.zclip[1],
            orthographic: i32::from(lens.orthographic),
        };
    }
    scn.enabletransform = false;
    Ok(())
}

/// A vector in double precision.
fn double(values: &[f32; 3]) -> Vec3 {
    Vec3::from(values.map(f64::from))
}

/// The translation and rotation of the model in the room.
fn placement(scn: &MjvScene) -> Result<Option<(Vec3, Quat)>, SceneError> {
    if f64::from(scn.scale) < MINVAL {
        return Err(SceneError::Scale(scn.scale));
    }
    Ok(scn.enabletransform.then(|| (double(&scn.translate), scn.rotate.map(f64::from))))
}

/// A pose in the room, in the frame of the model.
///
/// # Errors
/// When the scale of the scene is not positive.
pub fn mjv_room2model(
    roompos: &[f64; 3],
    roomquat: &[f64; 4],
    scn: &MjvScene,
) -> Result<([f64; 3], [f64; 4]), SceneError> {
    let Some((pos, quat)) = placement(scn)? else { return Ok((*roompos, *roomquat)) };
    let (pos, quat) = pose_neg(&pos, &quat);
    let (pos, quat) = pose_mul(&pos, &quat, &Vec3::from(*roompos), roomquat);
    Ok(((pos * (1.0 / f64::from(scn.scale))).into(), quat))
}

/// A pose in the frame of the model, in the room.
///
/// # Errors
/// When the scale of the scene is not positive.
pub fn mjv_model2room(
    modelpos: &[f64; 3],
    modelquat: &[f64; 4],
    scn: &MjvScene,
) -> Result<([f64; 3], [f64; 4]), SceneError> {
    let Some((pos, quat)) = placement(scn)? else { return Ok((*modelpos, *modelquat)) };
    let (pos, quat) = pose_mul(&pos, &quat, &Vec3::from(*modelpos), modelquat);
    Ok(((pos * f64::from(scn.scale)).into(), quat))
}

/// An error unless both cameras of the scene were set.
fn check_near(scn: &MjvScene) -> Result<(), SceneError> {
    if scn.camera.iter().any(|camera| f64::from(camera.frustum_near) < MINVAL) {
        return Err(SceneError::NearPlane);
    }
    Ok(())
}

/// Mean of the poses of two cameras, given as position and directions.
fn mean_pose(poses: [(Vec3, Vec3, Vec3); 2]) -> HeadPose {
    let [(pos1, forward1, up1), (pos2, forward2, up2)] = poses;
    let mut forward = forward1 * 0.5 + forward2 * 0.5;
    let mut up = up1 * 0.5 + up2 * 0.5;
    normalize3(&mut forward);
    normalize3(&mut up);
    HeadPose { headpos: (pos1 * 0.5 + pos2 * 0.5).into(), forward: forward.into(), up: up.into() }
}

/// Pose of the scene's camera in the frame of the model: the mean of both eyes.
///
/// # Errors
/// When the cameras of the scene were never set, or its scale is not positive.
pub fn mjv_camera_in_model(scn: &MjvScene) -> Result<HeadPose, SceneError> {
    check_near(scn)?;
    let in_model = |camera: &MjvGLCamera| -> Result<(Vec3, Vec3, Vec3), SceneError> {
        let (mut forward, mut up) = (double(&camera.forward), double(&camera.up));
        normalize3(&mut forward);
        normalize3(&mut up);
        let mut left = up.cross(&forward);
        normalize3(&mut left);
        let quat = mat_to_quat(&Mat3::from_columns(&[left, up, forward]));
        let (pos, quat) = mjv_room2model(&double(&camera.pos).into(), &quat, scn)?;
        let mat = quat_to_mat(&quat);
        Ok((pos.into(), mat.column(2).into(), mat.column(1).into()))
    };
    Ok(mean_pose([in_model(&scn.camera[0])?, in_model(&scn.camera[1])?]))
}

/// Pose of the scene's camera in the room: the mean of both eyes.
///
/// # Errors
/// When the cameras of the scene were never set.
pub fn mjv_camera_in_room(scn: &MjvScene) -> Result<HeadPose, SceneError> {
    check_near(scn)?;
    Ok(mean_pose(scn.camera.map(|camera| (double(&camera.pos), double(&camera.forward), double(&camera.up)))))
}

/// Height of what the scene's camera sees at a distance of one, or of all that an orthographic camera sees:
/// the mean of both eyes.
///
/// # Errors
/// When the cameras of the scene were never set, or only one is orthographic.
pub fn mjv_frustum_height(scn: &MjvScene) -> Result<f64, SceneError> {
    let [left, right] = &scn.camera;
    if left.orthographic != right.orthographic {
        return Err(SceneError::MixedProjections);
    }
    let height = |camera: &MjvGLCamera| camera.frustum_top - camera.frustum_bottom;
    if left.orthographic != 0 {
        return Ok(0.5 * f64::from(height(left) + height(right)));
    }
    check_near(scn)?;
    Ok(0.5 * f64::from(height(left) / left.frustum_near + height(right) / right.frustum_near))
}

/// The camera between two others.
///
/// # Errors
/// When only one is orthographic.
pub fn mjv_average_camera(cam1: &MjvGLCamera, cam2: &MjvGLCamera) -> Result<MjvGLCamera, SceneError> {
    if cam1.orthographic != cam2.orthographic {
        return Err(SceneError::MixedProjections);
    }
    let mut forward = double(&cam1.forward) + double(&cam2.forward);
    normalize3(&mut forward);
    let mut up = double(&cam1.up) + double(&cam2.up);
    up -= forward * up.dot(&forward);
    normalize3(&mut up);
    let mean = |of: fn(&MjvGLCamera) -> f32| 0.5 * (of(cam1) + of(cam2));
    Ok(MjvGLCamera {
        pos: single(&((double(&cam1.pos) + double(&cam2.pos)) * 0.5).into()),
        forward: single(&forward.into()),
        up: single(&up.into()),
        frustum_center: mean(|c| c.frustum_center),
        frustum_width: mean(|c| c.frustum_width),
        frustum_bottom: mean(|c| c.frustum_bottom),
        frustum_top: mean(|c| c.frustum_top),
        frustum_near: mean(|c| c.frustum_near),
        frustum_far: mean(|c| c.frustum_far),
        orthographic: cam1.orthographic,
    })
}
