//! Selection: what is under a point of the picture.

use super::camera::{mjv_average_camera, mjv_camera_in_model};
use super::enums::VisFlag;
use super::error::SceneError;
use super::types::{MjvOption, MjvScene};
use kinetree_collide::Pose;
use kinetree_collide::ray::{Ray, TriangleCaster, ray_box, ray_capsule, ray_sphere};
use kinetree_math::rot::{mat3, normalize3, quat_to_mat, quat_z_to_vec};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::{Data, Model};
use kinetree_sim::{RayFilter, mj_ray};

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
    for hit in [select_flex(model, data, opt, &ray), select_skin(model, opt, scn, &ray)] {
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

fn select_flex(model: &Model, data: &Data, opt: &MjvOption, ray: &Ray) -> Option<Hit> {
    if !opt.shows_flexes() {
        return None;
    }
    let mut best = None;
    for flex in 0..model.nflex {
        let hit = FlexRay { model, data, opt, flex, ray }.cast().map(|(distance, vertex)| {
            let (body, point) = flex_owner(model, data, flex, vertex);
            (distance, Selection { body, point, geom: -1, flex: flex as i32, skin: -1 })
        });
        best = nearer(best, hit);
    }
    best
}

/// The body that moves a vertex of a flex, and the place to pull at: the vertex, or the control point that
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

/// A ray against one flex as it is drawn.
struct FlexRay<'a> {
    model: &'a Model,
    data: &'a Data,
    opt: &'a MjvOption,
    flex: usize,
    ray: &'a Ray,
}

impl FlexRay<'_> {
    fn vertex(&self, id: i32) -> Vec3 {
        Vec3::from(self.data.flexvert_xpos[self.model.flex_vertadr[self.flex] as usize + id as usize])
    }

    /// Distance of the first hit and the vertex nearest to it.
    fn cast(&self) -> Option<(f64, usize)> {
        let (model, flex) = (self.model, self.flex);
        let vertices = (0..model.flex_vertnum[flex]).map(|id| self.vertex(id));
        if !meets_bounds(vertices, model.flex_radius[flex], self.ray) {
            return None;
        }
        let solid = model.flex_dim[flex] > 1;
        let skin = solid && self.opt.shows(VisFlag::Flexskin);
        let mut best = None;
        if skin || self.opt.shows(VisFlag::Flexedge) {
            self.cast_edges(&mut best);
        } else if self.opt.shows(VisFlag::Flexvert) {
            self.cast_vertices(&mut best);
        }
        if solid && (skin || self.opt.shows(VisFlag::Flexface)) {
            self.cast_faces(skin, &mut best);
        }
        best
    }

    /// Keeps a hit if it is the nearest; its vertex is the nearest of `corners`.
    fn keep(&self, best: &mut Option<(f64, usize)>, distance: f64, corners: &[i32]) {
        if distance < 0.0 || best.is_some_and(|(nearest, _)| nearest <= distance) {
            return;
        }
        let point = self.ray.at(distance);
        let away = |id: i32| (self.vertex(id) - point).norm();
        let nearest = corners.iter().copied().reduce(|a, b| if away(b) < away(a) { b } else { a });
        *best = nearest.map(|id| (distance, id as usize));
    }

    fn cast_edges(&self, best: &mut Option<(f64, usize)>) {
        let (model, flex) = (self.model, self.flex);
        let first = model.flex_edgeadr[flex] as usize;
        for &edge in &model.flex_edge[first..first + model.flex_edgenum[flex] as usize] {
            let [from, to] = edge.map(|id| self.vertex(id));
            let mut along = to - from;
            let half = 0.5 * normalize3(&mut along);
            let pose = Pose { pos: (from + to) * 0.5, mat: quat_to_mat(&quat_z_to_vec(&along)) };
            if let Some(hit) = ray_capsule(&pose, model.flex_radius[flex], half, self.ray) {
                // of two equally near ends the second counts
                self.keep(best, hit.distance, &[edge[1], edge[0]]);
            }
        }
    }

    fn cast_vertices(&self, best: &mut Option<(f64, usize)>) {
        let (model, flex) = (self.model, self.flex);
        for id in 0..model.flex_vertnum[flex] {
            if let Some(hit) = ray_sphere(&self.vertex(id), model.flex_radius[flex], self.ray) {
                self.keep(best, hit.distance, &[id]);
            }
        }
    }

    fn cast_faces(&self, skin: bool, best: &mut Option<(f64, usize)>) {
        const FACES: [[usize; 3]; 4] = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
        let (model, flex) = (self.model, self.flex);
        let dim = model.flex_dim[flex] as usize;
        let caster = TriangleCaster::new(self.ray);
        for element in 0..model.flex_elemnum[flex] as usize {
            let layer = model.flex_elemlayer[model.flex_elemadr[flex] as usize + element];
            let shown = if skin { layer == 0 } else { layer == self.opt.flex_layer };
            if dim == 3 && !shown {
                continue;
            }
            let first = model.flex_elemdataadr[flex] as usize + element * (dim + 1);
            let ids = &model.flex_elem[first..=first + dim];
            for face in &FACES[..if dim == 2 { 1 } else { 4 }] {
                let corners = face.map(|k| ids[k]);
                if let Some(distance) = caster.line_distance(&corners.map(|id| self.vertex(id))) {
                    self.keep(best, distance, &corners);
                }
            }
        }
    }
}

/// Whether a ray meets the box around points, enlarged by `radius`.
fn meets_bounds(points: impl Iterator<Item = Vec3>, radius: f64, ray: &Ray) -> bool {
    let mut bounds: Option<(Vec3, Vec3)> = None;
    for p in points {
        let (low, high) = bounds.unwrap_or((p, p));
        bounds = Some((low.inf(&p), high.sup(&p)));
    }
    let (low, high) = bounds.unwrap_or_default();
    let half = (high - low) * 0.5 + Vec3::repeat(radius);
    let pose = Pose { pos: (low + high) * 0.5, mat: Mat3::identity() };
    ray_box(&pose, &half, ray).is_some()
}

fn select_skin(model: &Model, opt: &MjvOption, scn: &MjvScene, ray: &Ray) -> Option<Hit> {
    if !opt.shows(VisFlag::Skin) {
        return None;
    }
    let mut best = None;
    for skin in 0..model.nskin {
        let first = model.skin_vertadr[skin] as usize;
        let vertices = &scn.skinvert[first..first + model.skin_vertnum[skin] as usize];
        let hit = cast_skin(model, skin, vertices, ray).and_then(|(distance, vertex)| {
            let body = strongest_bone(model, skin, vertex as i32)?;
            let point = vertices[vertex].map(f64::from);
            Some((distance, Selection { body, point, geom: -1, flex: -1, skin: skin as i32 }))
        });
        best = nearer(best, hit);
    }
    best
}

/// Distance of the first triangle of a skin that is hit, and its corner nearest to the hit.
fn cast_skin(model: &Model, skin: usize, vertices: &[[f32; 3]], ray: &Ray) -> Option<(f64, usize)> {
    let vertex = |id: usize| Vec3::from(vertices[id].map(f64::from));
    if !meets_bounds((0..vertices.len()).map(vertex), 0.0, ray) {
        return None;
    }
    let caster = TriangleCaster::new(ray);
    let first = model.skin_faceadr[skin] as usize;
    let mut best: Option<(f64, usize)> = None;
    for face in &model.skin_face[first..first + model.skin_facenum[skin] as usize] {
        let ids = face.map(|id| id as usize);
        let Some(distance) = caster.line_distance(&ids.map(vertex)).filter(|&d| d >= 0.0) else { continue };
        if best.is_none_or(|(nearest, _)| distance < nearest) {
            let away = |id: usize| (vertex(id) - ray.at(distance)).norm();
            let [a, b, c] = ids;
            let ab = if away(b) < away(a) { b } else { a };
            best = Some((distance, if away(c) < away(ab) { c } else { ab }));
        }
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
