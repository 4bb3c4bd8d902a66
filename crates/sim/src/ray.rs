//! Rays against the geoms of a model.

use crate::contact::field::geom_field;
use crate::contact::geom_shape::{geom_pose, height_field, mesh_faces};
use kinetree_collide::Pose;
use kinetree_collide::ray::{
    Ray, RayHit, ray_box, ray_capsule, ray_cylinder, ray_ellipsoid, ray_hfield, ray_mesh, ray_plane,
    ray_sphere,
};
use kinetree_collide::sdf::ray_field;
use kinetree_math::Vec3;
use kinetree_model::enums::GeomType;
use kinetree_model::plugin::guard;
use kinetree_model::{Data, Model};

/// Which geoms a ray can hit. Invisible geoms are never hit.
#[derive(Clone, Copy, Debug)]
pub struct RayFilter {
    /// Groups that can be hit; `None` for all.
    pub groups: Option<[bool; 6]>,
    /// Whether geoms that never move can be hit.
    pub include_static: bool,
    /// Body whose geoms are passed through.
    pub exclude_body: Option<usize>,
}

impl Default for RayFilter {
    /// Everything visible.
    fn default() -> Self {
        Self { groups: None, include_static: true, exclude_body: None }
    }
}

impl RayFilter {
    /// Whether the filter lets the ray pass through a geom of a model.
    #[must_use]
    pub fn rejects(&self, model: &Model, geom: usize) -> bool {
        let body = model.geom_bodyid[geom] as usize;
        if self.exclude_body == Some(body) {
            return true;
        }
        let rgba = match usize::try_from(model.geom_matid[geom]) {
            Ok(material) => &model.mat_rgba[material],
            Err(_) => &model.geom_rgba[geom],
        };
        if rgba[3] == 0.0 || (!self.include_static && model.body_weldid[body] == 0) {
            return true;
        }
        self.groups.is_some_and(|groups| !groups[model.geom_group[geom].clamp(0, 5) as usize])
    }
}

/// First geom that a ray hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeomHit {
    /// The geom.
    pub geom: usize,
    /// Distance in units of the length of the ray's direction.
    pub distance: f64,
    /// Unit normal of the surface.
    pub normal: [f64; 3],
}

/// Ray against a shape without assets: plane, sphere, capsule, ellipsoid, cylinder or box. `None` for any
/// other.
pub(crate) fn ray_primitive(kind: i32, size: &[f64; 3], pose: &Pose, ray: &Ray) -> Option<RayHit> {
    match GeomType::try_from(kind).ok()? {
        GeomType::Plane => ray_plane(pose, [size[0], size[1]], ray),
        GeomType::Sphere => ray_sphere(&pose.pos, size[0], ray),
        GeomType::Capsule => ray_capsule(pose, size[0], size[1], ray),
        GeomType::Ellipsoid => ray_ellipsoid(pose, &Vec3::from(*size), ray),
        GeomType::Cylinder => ray_cylinder(pose, size[0], size[1], ray),
        GeomType::Box => ray_box(pose, &Vec3::from(*size), ray),
        _ => None,
    }
}

/// Ray against one geom.
fn ray_geom(model: &Model, data: &Data, geom: usize, ray: &Ray) -> Option<RayHit> {
    let pose = geom_pose(data, geom);
    let kind = model.geom_type[geom];
    if kind == GeomType::Mesh {
        let mesh = usize::try_from(model.geom_dataid[geom]).ok()?;
        ray_mesh(&pose, &Vec3::from(model.geom_size[geom]), &mesh_faces(model, mesh), ray)
    } else if kind == GeomType::Hfield {
        let field = usize::try_from(model.geom_dataid[geom]).ok()?;
        ray_hfield(&pose, &height_field(model, field), ray)
    } else if kind == GeomType::Sdf {
        let field = geom_field(model, data, geom)?;
        let half = Vec3::from(model.geom_size[geom]);
        // a field that panics is not hit
        guard(|| {
            field.as_field().begin_search();
            Ok(ray_field(&pose, &half, field.as_field(), ray))
        })
        .ok()
        .flatten()
    } else {
        ray_primitive(kind, &model.geom_size[geom], &pose, ray)
    }
}

/// Distance and normal where the ray from `point` in direction `vector` hits one geom.
#[must_use]
pub(crate) fn ray_model_geom(
    model: &Model,
    data: &Data,
    geom: usize,
    point: &[f64; 3],
    vector: &[f64; 3],
) -> Option<(f64, [f64; 3])> {
    let ray = Ray { origin: Vec3::from(*point), direction: Vec3::from(*vector) };
    ray_geom(model, data, geom, &ray).map(|hit| (hit.distance, hit.normal.into()))
}

/// Distance and normal where a ray hits a primitive shape of a geom type; `None` when it misses or has no
/// such shape.
#[must_use]
pub fn ray_primitive_shape(
    kind: i32,
    size: &[f64; 3],
    pos: &[f64; 3],
    mat: &[f64; 9],
    point: &[f64; 3],
    vector: &[f64; 3],
) -> Option<(f64, [f64; 3])> {
    let pose = Pose { pos: Vec3::from(*pos), mat: kinetree_math::rot::mat3(mat) };
    let ray = Ray { origin: Vec3::from(*point), direction: Vec3::from(*vector) };
    ray_primitive(kind, size, &pose, &ray).map(|hit| (hit.distance, hit.normal.into()))
}

/// First geom that the ray from `point` in direction `vector` hits, if any.
#[must_use]
pub(crate) fn mj_ray(
    model: &Model,
    data: &Data,
    point: &[f64; 3],
    vector: &[f64; 3],
    filter: &RayFilter,
) -> Option<GeomHit> {
    let ray = Ray { origin: Vec3::from(*point), direction: Vec3::from(*vector) };
    let mut best: Option<GeomHit> = None;
    for geom in 0..model.ngeom {
        if filter.rejects(model, geom) {
            continue;
        }
        if let Some(hit) = ray_geom(model, data, geom, &ray)
            && best.is_none_or(|nearest| hit.distance < nearest.distance)
        {
            best = Some(GeomHit { geom, distance: hit.distance, normal: hit.normal.into() });
        }
    }
    best
}

/// Casts many rays from one point: `hits[i]` is the result of `vectors[i]`, with anything beyond `cutoff`
/// ignored.
pub(crate) fn mj_multi_ray(
    model: &Model,
    data: &Data,
    point: &[f64; 3],
    vectors: &[[f64; 3]],
    filter: &RayFilter,
    cutoff: f64,
    hits: &mut [Option<GeomHit>],
) {
    for (hit, vector) in hits.iter_mut().zip(vectors) {
        *hit = mj_ray(model, data, point, vector, filter).filter(|hit| hit.distance <= cutoff);
    }
}
