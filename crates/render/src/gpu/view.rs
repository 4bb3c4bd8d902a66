//! Cameras and lights as matrices: what the shader reads once per view.

use super::pipeline::MAX_LIGHTS;
use crate::scene::{MjvGLCamera, MjvLight, MjvScene, RndFlag};
use kinetree_model::enums::LightType;
use nalgebra::{Matrix3, Matrix4, Quaternion, UnitQuaternion, Vector3, Vector4};

/// Ambient light of a scene that has no light at all.
const AMBIENT_WITHOUT_LIGHTS: f32 = 0.3;
/// Widest cone of a spotlight's shadow map (degrees).
const WIDEST_SHADOW: f32 = 160.0;

/// A light, in the frame of the camera.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
struct LightBlock {
    pos: [f32; 4],
    dir: [f32; 4],
    ambient: [f32; 4],
    diffuse: [f32; 4],
    specular: [f32; 4],
    /// Behind the three coefficients: how many lights there are from this one on.
    attenuation: [f32; 4],
}

/// A view as the shader reads it, padded to the alignment that every device has for parts of a buffer.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct ViewBlock {
    proj: [f32; 16],
    view: [f32; 16],
    clip: [f32; 4],
    ambient: [f32; 4],
    fog: [f32; 4],
    fog_color: [f32; 4],
    viewport: [f32; 4],
    lights: [LightBlock; MAX_LIGHTS],
    shadow: [[f32; 16]; MAX_LIGHTS],
    _pad: [f32; 12],
}

/// Settings of the model that views depend on.
#[derive(Clone, Debug)]
pub(super) struct ViewSettings {
    fog: [f32; 2],
    fog_color: [f32; 4],
    shadow_clip: f32,
    shadow_scale: f32,
}

impl ViewSettings {
    /// The settings of a model, in metres.
    pub(super) fn of(model: &kinetree_model::Model) -> Self {
        let extent = model.stat.extent as f32;
        Self {
            fog: [extent * model.vis.map.fogstart, extent * model.vis.map.fogend],
            fog_color: model.vis.rgba.fog,
            shadow_clip: extent * model.vis.map.shadowclip,
            shadow_scale: model.vis.map.shadowscale,
        }
    }
}

/// Position and normal of a mirror.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mirror {
    pub(super) pos: Vector3<f32>,
    pub(super) normal: Vector3<f32>,
}

/// Projection and pose of a camera or a light.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eye {
    pub(super) proj: Matrix4<f32>,
    pub(super) view: Matrix4<f32>,
}

impl Eye {
    /// The camera of a picture with the given sides in pixels; the width of the frustum follows from them
    /// unless it is set.
    pub(super) fn camera(scene: &MjvScene, cam: &MjvGLCamera, width: f32, height: f32) -> Self {
        let (bottom, top) = (cam.frustum_bottom, cam.frustum_top);
        let half =
            if cam.frustum_width == 0.0 { 0.5 * width / height * (top - bottom) } else { cam.frustum_width };
        let sides = [cam.frustum_center - half, cam.frustum_center + half, bottom, top];
        let range = [cam.frustum_near, cam.frustum_far];
        let proj = if cam.orthographic != 0 { orthographic(sides, range) } else { frustum(sides, range) };
        Self { proj, view: look(cam.pos.into(), cam.forward.into(), cam.up.into()) * model_transform(scene) }
    }

    /// What a light with shadows sees; `None` for lights that have no one direction.
    pub(super) fn light(light: &MjvLight, cam: &MjvGLCamera, settings: &ViewSettings) -> Option<Self> {
        let range = [cam.frustum_near, cam.frustum_far];
        let proj = match LightType::try_from(light.type_) {
            Ok(LightType::Directional) => {
                let clip = settings.shadow_clip;
                orthographic([-clip, clip, -clip, clip], range)
            }
            Ok(LightType::Spot) => {
                let angle = (2.0 * light.cutoff * settings.shadow_scale).min(WIDEST_SHADOW);
                let half = range[0] * libm::tanf(0.5 * angle.to_radians());
                frustum([-half, half, -half, half], range)
            }
            _ => return None,
        };
        let dir = Vector3::from(light.dir);
        Some(Self { proj, view: look(light.pos.into(), dir, perpendicular(&dir)) })
    }

    /// The same eye, seeing the mirror image of the world.
    pub(super) fn mirrored(&self, mirror: &Mirror) -> Self {
        let n = mirror.normal;
        let reflection: Matrix3<f32> = Matrix3::identity() - 2.0 * n * n.transpose();
        let mut matrix = reflection.to_homogeneous();
        matrix.fixed_view_mut::<3, 1>(0, 3).copy_from(&(2.0 * n.dot(&mirror.pos) * n));
        Self { proj: self.proj, view: self.view * matrix }
    }
}

/// A view's matrices and lights for the shader; lights with shadows follow those without, and `lookups` lead
/// to their maps.
pub(super) fn block(
    scene: &MjvScene,
    eye: &Eye,
    lights: &[&MjvLight],
    lookups: &[Matrix4<f32>],
    viewport: [f32; 2],
    settings: &ViewSettings,
    mirror: Option<&Mirror>,
) -> ViewBlock {
    let ambient = if scene.lights.is_empty() { AMBIENT_WITHOUT_LIGHTS } else { 0.0 };
    let mut block = ViewBlock {
        proj: columns(&eye.proj),
        view: columns(&eye.view),
        ambient: [ambient, ambient, ambient, lights.len() as f32],
        fog: [settings.fog[0], settings.fog[1], f32::from(scene.flags[RndFlag::Fog as usize]), 0.0],
        fog_color: settings.fog_color,
        viewport: [viewport[0], viewport[1], 0.0, 0.0],
        ..bytemuck::Zeroable::zeroed()
    };
    for (slot, (light, left)) in block.lights.iter_mut().zip(lights.iter().zip((1..=lights.len()).rev())) {
        *slot = light_block(light, &eye.view);
        slot.attenuation[3] = left as f32;
    }
    for (slot, lookup) in block.shadow.iter_mut().zip(lookups) {
        *slot = columns(lookup);
    }
    if let Some(m) = mirror {
        // the shader sees positions in the world, which the mirror has not moved yet: keep those in front of
        // it
        block.clip = [m.normal.x, m.normal.y, m.normal.z, -m.normal.dot(&m.pos)];
    }
    block
}

fn light_block(light: &MjvLight, view: &Matrix4<f32>) -> LightBlock {
    let vector = |v: [f32; 3], w: f32| view * Vector4::new(v[0], v[1], v[2], w);
    let with = |v: [f32; 3], w: f32| [v[0], v[1], v[2], w];
    let mut block = LightBlock {
        ambient: with(light.ambient, light.exponent),
        diffuse: with(light.diffuse, 0.0),
        specular: with(light.specular, 0.0),
        attenuation: with(light.attenuation, 0.0),
        // no cutoff
        dir: [0.0, 0.0, 0.0, -2.0],
        ..Default::default()
    };
    let dir = vector(light.dir, 0.0).xyz();
    match LightType::try_from(light.type_) {
        Ok(LightType::Directional) => block.pos = [-dir.x, -dir.y, -dir.z, 0.0],
        Ok(LightType::Spot) => {
            block.pos = vector(light.pos, 1.0).into();
            if light.cutoff <= 90.0 {
                let axis = dir.try_normalize(0.0).unwrap_or_else(Vector3::zeros);
                block.dir = [axis.x, axis.y, axis.z, libm::cosf(light.cutoff.to_radians())];
            }
        }
        _ => block.pos = vector(light.pos, 1.0).into(),
    }
    block
}

/// Where the scene puts the model: scale, rotation, then translation.
fn model_transform(scene: &MjvScene) -> Matrix4<f32> {
    if !scene.enabletransform {
        return Matrix4::identity();
    }
    let [w, x, y, z] = scene.rotate;
    let rotation = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z)).to_homogeneous();
    Matrix4::new_translation(&Vector3::from(scene.translate)) * rotation * Matrix4::new_scaling(scene.scale)
}

/// Perspective projection of left, right, bottom and top at the near plane, with depth 1 there and 0 at the
/// far plane.
fn frustum([l, r, b, t]: [f32; 4], [n, f]: [f32; 2]) -> Matrix4<f32> {
    let depth = f - n;
    #[rustfmt::skip]
    let m = Matrix4::new(
        2.0 * n / (r - l), 0.0, (r + l) / (r - l), 0.0,
        0.0, 2.0 * n / (t - b), (t + b) / (t - b), 0.0,
        0.0, 0.0, n / depth, f * n / depth,
        0.0, 0.0, -1.0, 0.0,
    );
    m
}

/// Orthographic projection with depth 1 at the near plane and 0 at the far plane.
fn orthographic([l, r, b, t]: [f32; 4], [n, f]: [f32; 2]) -> Matrix4<f32> {
    let depth = f - n;
    #[rustfmt::skip]
    let m = Matrix4::new(
        2.0 / (r - l), 0.0, 0.0, -(r + l) / (r - l),
        0.0, 2.0 / (t - b), 0.0, -(t + b) / (t - b),
        0.0, 0.0, 1.0 / depth, f / depth,
        0.0, 0.0, 0.0, 1.0,
    );
    m
}

/// From the world to the frame of an eye: x to the right, y up, z backwards.
fn look(pos: Vector3<f32>, forward: Vector3<f32>, up: Vector3<f32>) -> Matrix4<f32> {
    let forward = forward.try_normalize(0.0).unwrap_or_else(|| -Vector3::z());
    let right =
        forward.cross(&up).try_normalize(0.0).unwrap_or_else(|| forward.cross(&perpendicular(&forward)));
    let up = right.cross(&forward);
    let rotation = Matrix3::from_rows(&[right.transpose(), up.transpose(), -forward.transpose()]);
    let mut matrix = rotation.to_homogeneous();
    matrix.fixed_view_mut::<3, 1>(0, 3).copy_from(&(-(rotation * pos)));
    matrix
}

/// A unit vector across a direction; which one decides how the pixels of shadow maps lie.
fn perpendicular(dir: &Vector3<f32>) -> Vector3<f32> {
    let across = dir.cross(&-Vector3::x());
    let across = if across.norm_squared() > 0.01 { across } else { dir.cross(&Vector3::y()) };
    across.try_normalize(0.0).unwrap_or_else(Vector3::y)
}

fn columns(m: &Matrix4<f32>) -> [f32; 16] {
    let mut out = [0.0; 16];
    out.copy_from_slice(m.as_slice());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Depth is 1 at the near plane and 0 at the far plane in both projections.
    #[test]
    fn depth_runs_from_one_to_zero() {
        for proj in
            [frustum([-1.0, 1.0, -0.5, 0.5], [0.1, 20.0]), orthographic([-1.0, 1.0, -0.5, 0.5], [0.1, 20.0])]
        {
            for (z, depth) in [(-0.1, 1.0), (-20.0, 0.0)] {
                let p = proj * Vector4::new(0.0, 0.0, z, 1.0);
                assert!((p.z / p.w - depth).abs() < 1e-5);
            }
        }
    }

    /// A point and its mirror image change places.
    #[test]
    fn mirrors_swap_sides() {
        let eye = Eye { proj: Matrix4::identity(), view: Matrix4::identity() };
        let mirror = Mirror { pos: Vector3::new(0.0, 0.0, 1.0), normal: Vector3::z() };
        let p = eye.mirrored(&mirror).view * Vector4::new(1.0, 2.0, 4.0, 1.0);
        assert_eq!(p, Vector4::new(1.0, 2.0, -2.0, 1.0));
    }

    /// Parts of a buffer begin at multiples of 256 bytes.
    #[test]
    fn views_are_aligned() {
        assert_eq!(size_of::<ViewBlock>() % 256, 0, "{}", size_of::<ViewBlock>());
    }
}
