//! Selection: what is under a point of the picture.

use super::camera::{mjv_average_camera, mjv_camera_in_model};
use super::enums::VisFlag;
use super::error::SceneError;
use super::types::{MjvOption, MjvScene};
use kinetree_collide::ray::Ray;
use kinetree_math::Vec3;
use kinetree_math::rot::{mat3, normalize3};
use kinetree_model::{Data, Model};
use kinetree_sim::{FlexParts, RayFilter, mj_ray, mj_ray_flex, mju_ray_skin};

/// What is under a point of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    /// The body; of a flex or skin the one that moves the vertex nearest to the point.
    pub body: i32,
    /// The point in the world (m); of a flex or skin its nearest vertex.
    pub point: [f64; 3],
    /// Geom, −1 when something else was hit.
    pub geom: i32,
    /// Flex, −1 when something else was hit.
    pub flex: i32,
    /// Skin, −1 when something else was hit.
    pub skin: i32,
}

/// A hit and its distance.
type Hit = (f64, Selection);

/// The nearest visible geom, flex or skin at the point (`relx`, `rely`) of the picture, both between 0 and 1
/// from its lower left corner; `None` when there is nothing.
///
/// # Errors
/// When the cameras of the scene were never set or differ in kind, or the scene was made for another model.
pub fn mjv_select(
    model: &Model,
    data: &Data,
    opt: &MjvOption,
    aspectratio: f64,
    relx: f64,
    rely: f64,
    scn: &MjvScene,
) -> Result<Option<Selection>, SceneError> {
    data.check(model)?;
    if scn.skinvert.len() != model.nskinvert {
        return Err(SceneError::OtherModel);
    }
    let ray = pixel_ray(scn, aspectratio, relx, rely)?;
    let mut best = select_geom(model, data, opt, &ray)?;
    // of equal distances the first counts: geom, flex, skin
    for hit in [select_flex(model, data, opt, &ray)?, select_skin(model, opt, scn, &ray)] {
        best = nearer(best, hit);
    }
    Ok(best.map(|(_, selection)| selection))
}

/// The nearer of two hits, the first when they are equally far.
fn nearer(first: Option<Hit>, second: Option<Hit>) -> Option<Hit> {
    match (first, second) {
        (Some(a), Some(b)) => Some(if b.0 < a.0 { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// The ray through a point of the picture.
fn pixel_ray(scn: &MjvScene, aspectratio: f64, relx: f64, rely: f64) -> Result<Ray, SceneError> {
    let camera = mjv_average_camera(&scn.camera[0], &scn.camera[1])?;
    let head = mjv_camera_in_model(scn)?;
    let (forward, up) = (Vec3::from(head.forward), Vec3::from(head.up));
    let mut left = up.cross(&forward);
    normalize3(&mut left);
    let height = f64::from(camera.frustum_top - camera.frustum_bottom);
    let upwards = f64::from(camera.frustum_bottom) + rely * height;
    let leftwards = -(f64::from(camera.frustum_center) + (2.0 * relx - 1.0) * 0.5 * aspectratio * height);
    let offset = up * upwards + left * leftwards;
    let origin = Vec3::from(head.headpos);
    if camera.orthographic != 0 {
        return Ok(Ray { origin: origin + offset, direction: forward });
    }
    let mut direction = forward * f64::from(camera.frustum_near) + offset;
    normalize3(&mut direction);
    Ok(Ray { origin, direction })
}

fn select_geom(model: &Model, data: &Data, opt: &MjvOption, ray: &Ray) -> Result<Option<Hit>, SceneError> {
    let filter = RayFilter {
        groups: Some(opt.geomgroup.map(|group| group != 0)),
        include_static: opt.shows(VisFlag::Static),
        exclude_body: None,
    };
    let Some(hit) = mj_ray(model, data, &ray.origin.into(), &ray.direction.into(), &filter)? else {
        return Ok(None);
    };
    let selection = Selection {
        body: model.geom_bodyid[hit.geom],
        point: ray.at(hit.distance).into(),
        geom: hit.geom as i32,
        flex: -1,
        skin: -1,
    };
    Ok(Some((hit.distance, selection)))
}

fn select_flex(model: &Model, data: &Data, opt: &MjvOption, ray: &Ray) -> Result<Option<Hit>, SceneError> {
    if !opt.shows_flexes() {
        return Ok(None);
    }
    let parts = FlexParts {
        vertices: opt.shows(VisFlag::Flexvert),
        edges: opt.shows(VisFlag::Flexedge),
        faces: opt.shows(VisFlag::Flexface),
        skin: opt.shows(VisFlag::Flexskin),
        layer: opt.flex_layer,
    };
    let (origin, direction) = (ray.origin.into(), ray.direction.into());
    let mut best = None;
    for flex in 0..model.nflex {
        let hit = mj_ray_flex(model, data, flex, &parts, &origin, &direction)?.map(|hit| {
            let (body, point) = flex_owner(model, data, flex, hit.vertex);
            (hit.distance, Selection { body, point, geom: -1, flex: flex as i32, skin: -1 })
        });
        best = nearer(best, hit);
    }
    Ok(best)
}

/// The body that moves a vertex of a flex, and the point to pull at: the vertex, or the control point that
/// counts most for it.
fn flex_owner(model: &Model, data: &Data, flex: usize, vertex: usize) -> (i32, [f64; 3]) {
    let id = model.flex_vertadr[flex] as usize + vertex;
    if model.flex_interp[flex] == 0 {
        return (model.flex_vertbodyid[id], data.flexvert_xpos[id]);
    }
    let node = model.flex_nodeadr[flex] as usize + strongest_node(model, flex, &model.flex_vert0[id]);
    let body = model.flex_nodebodyid[node];
    let pos = Vec3::from(data.xpos[body as usize]);
    let offset = mat3(&data.xmat[body as usize]) * Vec3::from(model.flex_node[node]);
    let point = if model.flex_centered[flex] != 0 { pos } else { pos + offset };
    (body, point.into())
}

/// The control point with the largest weight at a point of the unit cube that the cells of a flex divide.
///
/// Weights are products of one Lagrange polynomial along each axis, so that the largest product has the
/// largest factors.
fn strongest_node(model: &Model, flex: usize, coordinates: &[f64; 3]) -> usize {
    let order = model.flex_interp[flex].unsigned_abs() as usize;
    let cells = model.flex_cellnum[flex];
    let [_, ny, nz] = cells.map(|n| n as usize * order + 1);
    let [i, j, k]: [usize; 3] = std::array::from_fn(|axis| {
        let scaled = coordinates[axis] * f64::from(cells[axis]);
        let cell = scaled.floor().clamp(0.0, f64::from((cells[axis] - 1).max(0)));
        let s = (scaled - cell).clamp(0.0, 1.0);
        let weights = match order {
            1 => [1.0 - s, s, f64::MIN],
            _ => [2.0 * s * s - 3.0 * s + 1.0, 4.0 * (s - s * s), 2.0 * s * s - s],
        };
        let best = (1..=order).fold(0, |best, node| if weights[node] > weights[best] { node } else { best });
        cell as usize * order + best
    });
    (i * ny + j) * nz + k
}

fn select_skin(model: &Model, opt: &MjvOption, scn: &MjvScene, ray: &Ray) -> Option<Hit> {
    if !opt.shows(VisFlag::Skin) {
        return None;
    }
    let mut best = None;
    for skin in 0..model.nskin {
        let first = model.skin_vertadr[skin] as usize;
        let vertices = &scn.skinvert[first..first + model.skin_vertnum[skin] as usize];
        let first = model.skin_faceadr[skin] as usize;
        let faces = &model.skin_face[first..first + model.skin_facenum[skin] as usize];
        let (origin, direction) = (ray.origin.into(), ray.direction.into());
        let hit = mju_ray_skin(faces, vertices, &origin, &direction).and_then(|(distance, vertex)| {
            let body = strongest_bone(model, skin, vertex as i32)?;
            let point = vertices[vertex].map(f64::from);
            Some((distance, Selection { body, point, geom: -1, flex: -1, skin: skin as i32 }))
        });
        best = nearer(best, hit);
    }
    best
}

/// The body whose bone has the largest weight at a vertex of a skin.
fn strongest_bone(model: &Model, skin: usize, vertex: i32) -> Option<i32> {
    let first = model.skin_boneadr[skin] as usize;
    let mut best: Option<(f32, i32)> = None;
    for bone in first..first + model.skin_bonenum[skin] as usize {
        let start = model.skin_bonevertadr[bone] as usize;
        for k in start..start + model.skin_bonevertnum[bone] as usize {
            let weight = model.skin_bonevertweight[k];
            if model.skin_bonevertid[k] == vertex && best.is_none_or(|(most, _)| weight > most) {
                best = Some((weight, model.skin_bonebodyid[bone]));
            }
        }
    }
    best.map(|(_, body)| body)
}
