//! Poses of cameras and lights: fixed to a body, tracking a body or a subtree's centre of mass at constant
//! orientation, or aimed at a body or a subtree's centre of mass.

use crate::kinematics::poses::{local_point_to_global, mj_local_to_global};
use crate::sleep::awake_lists::{ASLEEP, Visit};
use kinetree_math::Vec3;
use kinetree_math::rot::{normalize3, quat_rotate};
use kinetree_model::enums::CamLight;
use kinetree_model::{Data, Model};

const TRACK: i32 = CamLight::Track as i32;
const TRACK_COM: i32 = CamLight::Trackcom as i32;
const TARGET_BODY: i32 = CamLight::Targetbody as i32;
const TARGET_BODY_COM: i32 = CamLight::Targetbodycom as i32;

/// Computes the poses of all cameras and lights; needs [`mj_com_pos`](crate::mj_com_pos).
pub(crate) fn mj_camlight(model: &Model, data: &mut Data) {
    let filtered = Visit::bodies(model, data).filtered;
    let asleep = |data: &Data, body: usize, target: i32| {
        filtered
            && data.body_awake[body] == ASLEEP
            && usize::try_from(target).map_or(true, |t| data.body_awake[t] == ASLEEP)
    };
    for camera in 0..model.ncam {
        let body = model.cam_bodyid[camera] as usize;
        if !asleep(data, body, model.cam_targetbodyid[camera]) {
            camera_pose(model, data, camera, body);
        }
    }
    for light in 0..model.nlight {
        let body = model.light_bodyid[light] as usize;
        if !asleep(data, body, model.light_targetbodyid[light]) {
            light_pose(model, data, light, body);
        }
    }
}

/// The point that a camera or light in `mode` looks at, when it has a target.
fn look_at(data: &Data, mode: i32, target: i32) -> Option<Vec3> {
    let target = usize::try_from(target).ok()?;
    match mode {
        TARGET_BODY => Some(Vec3::from(data.xpos[target])),
        TARGET_BODY_COM => Some(Vec3::from(data.subtree_com[target])),
        _ => None,
    }
}

fn camera_pose(model: &Model, data: &mut Data, camera: usize, body: usize) {
    let mode = model.cam_mode[camera];
    let (mut pos, mut mat) =
        mj_local_to_global(data, &model.cam_pos[camera], &model.cam_quat[camera], body, 0);
    if mode == TRACK {
        mat = model.cam_mat0[camera];
        pos = (Vec3::from(data.xpos[body]) + Vec3::from(model.cam_pos0[camera])).into();
    } else if mode == TRACK_COM {
        mat = model.cam_mat0[camera];
        pos = (Vec3::from(data.subtree_com[body]) + Vec3::from(model.cam_poscom0[camera])).into();
    } else if let Some(target) = look_at(data, mode, model.cam_targetbodyid[camera]) {
        // a camera looks along its negative z axis, with its x axis horizontal
        let mut z = Vec3::from(pos) - target;
        normalize3(&mut z);
        let mut x = Vec3::new(0.0, 0.0, 1.0).cross(&z);
        normalize3(&mut x);
        let mut y = z.cross(&x);
        normalize3(&mut y);
        mat = [x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z];
    }
    data.cam_xpos[camera] = pos;
    data.cam_xmat[camera] = mat;
}

fn light_pose(model: &Model, data: &mut Data, light: usize, body: usize) {
    let mode = model.light_mode[light];
    let mut pos = local_point_to_global(data, &model.light_pos[light], body);
    let mut dir = quat_rotate(&data.xquat[body], &Vec3::from(model.light_dir[light]));
    if mode == TRACK {
        dir = Vec3::from(model.light_dir0[light]);
        pos = (Vec3::from(data.xpos[body]) + Vec3::from(model.light_pos0[light])).into();
    } else if mode == TRACK_COM {
        dir = Vec3::from(model.light_dir0[light]);
        pos = (Vec3::from(data.subtree_com[body]) + Vec3::from(model.light_poscom0[light])).into();
    } else if let Some(target) = look_at(data, mode, model.light_targetbodyid[light]) {
        dir = target - Vec3::from(pos);
    }
    normalize3(&mut dir);
    data.light_xpos[light] = pos;
    data.light_xdir[light] = dir.into();
}
