//! Geoms of a model as collision shapes.

use kinetree_collide::bvh::BvhView;
use kinetree_collide::ray::MeshFaces;
use kinetree_collide::{CcdSettings, HeightField, MeshShape, Pose, Shape};
use kinetree_math::Vec3;
use kinetree_math::rot::mat3;
use kinetree_model::enums::{DisableBit, GeomType};
use kinetree_model::{Data, Model};
use std::ops::Range;

/// Pose of a geom.
#[inline]
#[must_use]
pub fn geom_pose(data: &Data, geom: usize) -> Pose {
    Pose { pos: Vec3::from(data.geom_xpos[geom]), mat: mat3(&data.geom_xmat[geom]) }
}

/// Shape of a geom; `None` for signed distance fields, which are no shapes, and where an asset is missing.
#[inline]
#[must_use]
pub fn geom_shape(model: &Model, geom: usize) -> Option<Shape<'_>> {
    let size = model.geom_size[geom];
    let asset = usize::try_from(model.geom_dataid[geom]);
    Some(match GeomType::try_from(model.geom_type[geom]).ok()? {
        GeomType::Plane => Shape::Plane,
        GeomType::Hfield => Shape::HeightField(height_field(model, asset.ok()?)),
        GeomType::Sphere => Shape::Sphere { radius: size[0] },
        GeomType::Capsule => Shape::Capsule { radius: size[0], half_length: size[1] },
        GeomType::Ellipsoid => Shape::Ellipsoid { semi_axes: Vec3::from(size) },
        GeomType::Cylinder => Shape::Cylinder { radius: size[0], half_length: size[1] },
        GeomType::Box => Shape::Box { half: Vec3::from(size) },
        GeomType::Mesh => Shape::Mesh(mesh_shape(model, asset.ok()?, model.geom_rbound[geom])),
        _ => return None,
    })
}

/// Data of a height field.
#[must_use]
pub(crate) fn height_field(model: &Model, field: usize) -> HeightField<'_> {
    let (nrow, ncol) = (model.hfield_nrow[field] as usize, model.hfield_ncol[field] as usize);
    HeightField {
        nrow,
        ncol,
        size: model.hfield_size[field],
        data: &model.hfield_data[model.hfield_adr[field] as usize..][..nrow * ncol],
    }
}

/// Convex hull of the mesh of a geom without its polygons; `None` for geoms that have none.
#[inline]
pub(crate) fn geom_hull(model: &Model, geom: usize) -> Option<MeshShape<'_>> {
    if model.geom_type[geom] != GeomType::Mesh && model.geom_type[geom] != GeomType::Sdf {
        return None;
    }
    let mesh = usize::try_from(model.geom_dataid[geom]).ok()?;
    Some(mesh_hull(model, mesh, model.geom_rbound[geom]))
}

/// Rows of a table; none where the first is −1, which says that there are none.
#[inline(always)]
fn range(first: i32, count: i32) -> Range<usize> {
    match (usize::try_from(first), usize::try_from(count)) {
        (Ok(first), Ok(count)) => first..first + count,
        _ => 0..0,
    }
}

/// Convex hull of a mesh without its polygons.
#[inline(always)]
fn mesh_hull(model: &Model, mesh: usize, bound_radius: f64) -> MeshShape<'_> {
    MeshShape {
        vert: &model.mesh_vert[range(model.mesh_vertadr[mesh], model.mesh_vertnum[mesh])],
        graph: usize::try_from(model.mesh_graphadr[mesh]).map_or(&[], |first| &model.mesh_graph[first..]),
        bound_radius,
        ..MeshShape::EMPTY
    }
}

/// Convex polytope of a mesh.
fn mesh_shape(model: &Model, mesh: usize, bound_radius: f64) -> MeshShape<'_> {
    let vert = range(model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]);
    let poly = range(model.mesh_polyadr[mesh], model.mesh_polynum[mesh]);
    MeshShape {
        poly_normal: &model.mesh_polynormal[poly.clone()],
        poly_vert_adr: &model.mesh_polyvertadr[poly.clone()],
        poly_vert_num: &model.mesh_polyvertnum[poly],
        poly_vert: &model.mesh_polyvert,
        poly_map_adr: &model.mesh_polymapadr[vert.clone()],
        poly_map_num: &model.mesh_polymapnum[vert],
        poly_map: &model.mesh_polymap,
        ..mesh_hull(model, mesh, bound_radius)
    }
}

/// Settings of the convex routines from the model's options.
#[must_use]
pub fn ccd_settings(model: &Model) -> CcdSettings {
    CcdSettings {
        tolerance: model.opt.ccd_tolerance,
        max_iterations: usize::try_from(model.opt.ccd_iterations).unwrap_or(0),
        multiccd: !model.disabled(DisableBit::Multiccd),
    }
}

/// Triangles and tree of a mesh.
pub(crate) fn mesh_faces(model: &Model, mesh: usize) -> MeshFaces<'_> {
    let nodes = range(model.mesh_bvhadr[mesh], model.mesh_bvhnum[mesh]);
    MeshFaces {
        vert: &model.mesh_vert[range(model.mesh_vertadr[mesh], model.mesh_vertnum[mesh])],
        face: &model.mesh_face[range(model.mesh_faceadr[mesh], model.mesh_facenum[mesh])],
        bvh: BvhView {
            aabb: &model.bvh_aabb[nodes.clone()],
            child: &model.bvh_child[nodes.clone()],
            nodeid: &model.bvh_nodeid[nodes],
        },
    }
}
