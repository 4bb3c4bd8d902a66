//! Sites, cameras and lights: poses, camera optics, and their model arrays.

use std::f64::consts::PI;

use kinetree_model::Model;
use kinetree_model::enums::{GeomType, ObjType};

use super::draft::Draft;
use super::frames::{Pose, TINY, UNIT, child_same_frame, resolve_orientation, rotate};
use super::geoms::{check_size, from_to};
use super::userdata;
use crate::assets::linalg::normalize;
use crate::spec::Camera;

/// Resolves one site.
pub(crate) fn compile_site(draft: &mut Draft<'_>, s: usize) -> Result<(), String> {
    let src = draft.sites[s].src;
    userdata::check(src.userdata.len(), draft.nuser.site, "nuser_site")?;
    let drawable = (src.r#type as i32) <= GeomType::Sdf as i32;
    if !drawable || matches!(src.r#type, GeomType::Mesh | GeomType::Hfield | GeomType::Plane) {
        return Err("a site cannot be a mesh, height field or plane".into());
    }
    let mut size = src.size;
    let mut pose = if src.fromto[0].is_nan() {
        let compiler = draft.spec.compiler_of(&src.origin);
        Pose::new(src.pos, resolve_orientation(&src.quat, &src.alt, compiler)?)
    } else {
        from_to(src.r#type, &src.pos, &src.fromto, &mut size)?
    };
    if let Some(frame) = src.frame {
        pose = draft.frame_pose(frame).compose(&pose);
    }
    normalize(&mut pose.quat);
    check_size(src.r#type, &size)?;
    draft.sites[s].pose = pose;
    draft.sites[s].size = size;
    Ok(())
}

/// Resolves one camera.
pub(crate) fn compile_camera(draft: &mut Draft<'_>, c: usize) -> Result<(), String> {
    let src = draft.cameras[c].src;
    userdata::check(src.userdata.len(), draft.nuser.cam, "nuser_cam")?;
    let compiler = draft.spec.compiler_of(&src.origin);
    let mut pose = Pose::new(src.pos, resolve_orientation(&src.quat, &src.alt, compiler)?);
    if let Some(frame) = src.frame {
        pose = draft.frame_pose(frame).compose(&pose);
    }
    normalize(&mut pose.quat);
    if src.fovy >= 180.0 {
        return Err(format!("fovy too large: {} is not below 180", src.fovy));
    }
    let target = draft.find_optional(src, ObjType::Body, &src.targetbody);
    let znear = draft.spec.visual.map.znear;
    let (fovy, intrinsic) = optics(src, znear)?;

    let camera = &mut draft.cameras[c];
    (camera.pose, camera.target, camera.fovy, camera.intrinsic) = (pose, target, fovy, intrinsic);
    Ok(())
}

/// Vertical field of view and intrinsic parameters: focal lengths and principal point (m).
fn optics(src: &Camera, znear: f32) -> Result<(f64, [f32; 4]), String> {
    let lengths = [src.focal_length, src.focal_pixel, src.principal_length, src.principal_pixel];
    let has_sensor = src.sensor_size.iter().all(|s| *s > 0.0);
    if !has_sensor {
        if lengths.iter().flatten().any(|x| *x != 0.0) {
            return Err("focal/principal require sensorsize".into());
        }
        return Ok((src.fovy, [znear, znear, src.intrinsic[2], src.intrinsic[3]]));
    }
    if src.resolution.iter().any(|r| *r <= 0) {
        return Err("sensorsize requires positive resolution".into());
    }
    // pixels override lengths
    let pick = |pixel: [f32; 2], length: [f32; 2], i: usize| {
        let density = src.resolution[i] as f32 / src.sensor_size[i];
        if pixel[i] != 0.0 { pixel[i] / density } else { length[i] }
    };
    let intrinsic = [
        pick(src.focal_pixel, src.focal_length, 0),
        pick(src.focal_pixel, src.focal_length, 1),
        pick(src.principal_pixel, src.principal_length, 0),
        pick(src.principal_pixel, src.principal_length, 1),
    ];
    let half_angle = libm::atan2f(src.sensor_size[1] / 2.0, intrinsic[1]);
    Ok((f64::from(half_angle) * 360.0 / PI, intrinsic))
}

/// Resolves one light.
pub(crate) fn compile_light(draft: &mut Draft<'_>, l: usize) -> Result<(), String> {
    let src = draft.lights[l].src;
    let (mut pos, mut dir) = (src.pos, src.dir);
    if let Some(frame) = src.frame {
        let frame = draft.frame_pose(frame);
        pos = frame.compose(&Pose::new(pos, UNIT)).pos;
        dir = rotate(&frame.quat, &dir);
    }
    if normalize(&mut dir) < TINY {
        return Err("the direction is zero".into());
    }
    let target = draft.find_optional(src, ObjType::Body, &src.targetbody);
    let texture = draft.find_optional(src, ObjType::Texture, &src.texture);
    let light = &mut draft.lights[l];
    (light.pos, light.dir, light.target, light.texture) = (pos, dir, target, texture);
    Ok(())
}

/// Links sites to their materials by name.
pub(crate) fn link_site_materials(draft: &mut Draft<'_>) {
    if draft.drops_visuals() {
        return;
    }
    for s in 0..draft.sites.len() {
        let src = draft.sites[s].src;
        draft.sites[s].material = draft.find_optional(src, ObjType::Material, &src.material);
    }
}

/// Fills the arrays of sites, cameras and lights.
pub(crate) fn write(draft: &Draft<'_>, model: &mut Model) {
    write_sites(draft, model);
    write_cameras(draft, model);
    write_lights(draft, model);
}

fn write_sites(draft: &Draft<'_>, model: &mut Model) {
    for (s, site) in draft.sites.iter().enumerate() {
        let src = site.src;
        model.site_type[s] = src.r#type as i32;
        model.site_bodyid[s] = site.body as i32;
        model.site_matid[s] = site.material.map_or(-1, |material| material as i32);
        model.site_group[s] = src.group;
        let inertial = &draft.bodies[site.body].inertial.pose;
        model.site_sameframe[s] = child_same_frame(&site.pose, inertial) as u8;
        model.site_size[s] = site.size;
        model.site_pos[s] = site.pose.pos;
        model.site_quat[s] = site.pose.quat;
        model.site_rgba[s] = src.rgba;
        userdata::write(&mut model.site_user, draft.nuser.site, s, &src.userdata);
    }
}

fn write_cameras(draft: &Draft<'_>, model: &mut Model) {
    for (c, camera) in draft.cameras.iter().enumerate() {
        let src = camera.src;
        model.cam_mode[c] = src.mode as i32;
        model.cam_bodyid[c] = camera.body as i32;
        model.cam_targetbodyid[c] = camera.target.map_or(-1, |body| body as i32);
        model.cam_pos[c] = camera.pose.pos;
        model.cam_quat[c] = camera.pose.quat;
        model.cam_projection[c] = src.proj as i32;
        model.cam_fovy[c] = camera.fovy;
        model.cam_ipd[c] = src.ipd;
        model.cam_resolution[c] = src.resolution;
        model.cam_output[c] = src.output;
        model.cam_sensorsize[c] = src.sensor_size;
        model.cam_intrinsic[c] = camera.intrinsic;
        userdata::write(&mut model.cam_user, draft.nuser.cam, c, &src.userdata);
    }
}

fn write_lights(draft: &Draft<'_>, model: &mut Model) {
    for (l, light) in draft.lights.iter().enumerate() {
        let src = light.src;
        model.light_mode[l] = src.mode as i32;
        model.light_bodyid[l] = light.body as i32;
        model.light_targetbodyid[l] = light.target.map_or(-1, |body| body as i32);
        model.light_type[l] = src.r#type as i32;
        model.light_texid[l] = light.texture.map_or(-1, |texture| texture as i32);
        model.light_castshadow[l] = u8::from(src.castshadow);
        model.light_bulbradius[l] = src.bulbradius;
        model.light_intensity[l] = src.intensity;
        model.light_range[l] = src.range;
        model.light_active[l] = u8::from(src.active);
        model.light_pos[l] = light.pos;
        model.light_dir[l] = light.dir;
        model.light_attenuation[l] = src.attenuation;
        model.light_cutoff[l] = src.cutoff;
        model.light_exponent[l] = src.exponent;
        model.light_ambient[l] = src.ambient;
        model.light_diffuse[l] = src.diffuse;
        model.light_specular[l] = src.specular;
    }
}
