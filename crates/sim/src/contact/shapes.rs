//! Geoms of a model as shapes of the `collide` crate.

use kinetree_collide::bvh::BvhView;
use kinetree_collide::{HeightField, MeshShape, Pose, Shape};
use kinetree_math::Vec3;
use kinetree_math::rot::mat3;
use kinetree_model::enums::GeomType;
use kinetree_model::{Data, Model};

/// World pose of a geom.
#[inline]
pub(crate) fn geom_pose(data: &Data, geom: usize) -> Pose {
    Pose { pos: Vec3::from(data.geom_xpos[geom]), mat: mat3(&data.geom_xmat[geom]) }
}

/// The shape of a geom; `None` when it has no collision shape.
pub(crate) fn geom_shape(model: &Model, geom: usize) -> Option<Shape<'_>> {
    let [a, b, c] = model.geom_size[geom];
    Some(match GeomType::try_from(model.geom_type[geom]).ok()? {
        GeomType::Plane => Shape::Plane,
        GeomType::Hfield => Shape::HeightField(height_field(model, model.geom_dataid[geom])?),
        GeomType::Sphere => Shape::Sphere { radius: a },
        GeomType::Capsule => Shape::Capsule { radius: a, half_length: b },
        GeomType::Ellipsoid => Shape::Ellipsoid { semi_axes: Vec3::new(a, b, c) },
        GeomType::Cylinder => Shape::Cylinder { radius: a, half_length: b },
        GeomType::Box => Shape::Box { half: Vec3::new(a, b, c) },
        GeomType::Mesh => Shape::Mesh(mesh_shape(model, geom)?),
        _ => return None,
    })
}

/// The height field `id`.
fn height_field(model: &Model, id: i32) -> Option<HeightField<'_>> {
    let id = usize::try_from(id).ok()?;
    let (nrow, ncol) = (model.hfield_nrow[id] as usize, model.hfield_ncol[id] as usize);
    let adr = model.hfield_adr[id] as usize;
    Some(HeightField {
        nrow,
        ncol,
        size: model.hfield_size[id],
        data: &model.hfield_data[adr..adr + nrow * ncol],
    })
}

/// The convex hull of a mesh geom. Addresses into the polygon lists count from the start of the model's lists.
fn mesh_shape(model: &Model, geom: usize) -> Option<MeshShape<'_>> {
    let id = usize::try_from(model.geom_dataid[geom]).ok()?;
    let vert = span(model.mesh_vertadr[id], model.mesh_vertnum[id]);
    let poly = span(model.mesh_polyadr[id], model.mesh_polynum[id]);
    let graph = match usize::try_from(model.mesh_graphadr[id]) {
        Ok(adr) => {
            let (nvert, nface) = (model.mesh_graph[adr] as usize, model.mesh_graph[adr + 1] as usize);
            &model.mesh_graph[adr..adr + 2 + 3 * nvert + 6 * nface]
        }
        Err(_) => &[],
    };
    Some(MeshShape {
        vert: &model.mesh_vert[vert.clone()],
        graph,
        poly_normal: &model.mesh_polynormal[poly.clone()],
        poly_vert_adr: &model.mesh_polyvertadr[poly.clone()],
        poly_vert_num: &model.mesh_polyvertnum[poly],
        poly_vert: &model.mesh_polyvert,
        poly_map_adr: &model.mesh_polymapadr[vert.clone()],
        poly_map_num: &model.mesh_polymapnum[vert],
        poly_map: &model.mesh_polymap,
        bound_radius: model.geom_rbound[geom],
    })
}

/// The tree over the geoms of a body; empty when it has none.
pub(crate) fn body_tree(model: &Model, body: usize) -> BvhView<'_> {
    let adr = model.body_bvhadr[body].max(0) as usize;
    bvh_view(model, adr..adr + model.body_bvhnum[body].max(0) as usize)
}

fn bvh_view(model: &Model, nodes: std::ops::Range<usize>) -> BvhView<'_> {
    BvhView {
        aabb: &model.bvh_aabb[nodes.clone()],
        child: &model.bvh_child[nodes.clone()],
        nodeid: &model.bvh_nodeid[nodes],
    }
}

fn span(adr: i32, num: i32) -> std::ops::Range<usize> {
    adr as usize..(adr + num) as usize
}
