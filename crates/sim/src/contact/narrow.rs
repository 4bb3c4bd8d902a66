//! The narrow phase of two geoms: their contact points, and the contacts that these make.

use super::bounds::{SLACK, spheres_meet};
use super::candidate::Candidate;
use super::contact_list::ContactList;
use super::field::{FieldScratch, field_points};
use super::geom_shape::{geom_hull, geom_pose, geom_shape};
use super::params::{ContactParams, geoms_reach, pair_reach};
use super::reference_bounds::{ReferenceBounds, bounds_may_decide};
use crate::on_demand::OnDemand;
use kinetree_collide::bvh::obb_overlap;
use kinetree_collide::{
    CcdScratch, CcdSettings, ContactPoint, Kind, Pose, PoseView, Shape, collide_plane_mesh,
    collide_plane_mesh_4, collide_searched, collide_simple, collide_simple_4,
};
use kinetree_math::Vec3;
use kinetree_math::rot::make_frame;
use kinetree_model::enums::GeomType;
use kinetree_model::{Data, Model};

/// Working memory of the narrow phase.
#[derive(Default)]
pub(super) struct NarrowScratch {
    pub(super) ccd: OnDemand<CcdScratch>,
    pub(super) points: Vec<ContactPoint>,
    pub(super) reference_bounds: ReferenceBounds,
    pub(super) fields: FieldScratch,
}

/// Whether a sphere reaches the box around a geom.
fn sphere_meets_box(sphere: &Pose, radius: f64, aabb: &[f64; 6], frame: &Pose) -> bool {
    let center = frame.mat.tr_mul(&(sphere.pos - frame.pos));
    let outside = |k: usize| ((center[k] - aabb[k]).abs() - aabb[3 + k]).max(0.0);
    let [x, y, z] = [outside(0), outside(1), outside(2)];
    // a centre that is not a number is left to the narrow phase
    let separated = x * x + y * y + z * z > radius * radius;
    !separated
}

/// Tests one geom pair and appends its contacts.
#[inline(never)]
pub(super) fn collide_geoms(
    model: &Model,
    data: &Data,
    candidate: &Candidate,
    settings: &CcdSettings,
    scratch: &mut NarrowScratch,
    list: &mut ContactList,
) {
    let (mut g1, mut g2) = (candidate.geom1 as usize, candidate.geom2 as usize);
    if model.geom_type[g1] > model.geom_type[g2] {
        std::mem::swap(&mut g1, &mut g2);
    }
    let pair = usize::try_from(candidate.pair).ok();
    let margin = contact_margin(model, [g1, g2], pair);
    if pair.is_some() && !spheres_meet(model, data, g1, g2, margin) {
        return;
    }
    scratch.points.clear();
    if !find_points(model, data, [g1, g2], margin, settings, scratch) || scratch.points.is_empty() {
        return;
    }
    if pair.is_none()
        && bounds_may_decide(model, [g1, g2], &scratch.points, margin)
        && !scratch.reference_bounds.admits(model, data, [g1, g2])
    {
        return;
    }
    add_contacts(model, [g1, g2], pair, margin, &scratch.points, list);
}

/// Distance up to which two geoms have contacts.
#[inline(always)]
fn contact_margin(model: &Model, geoms: [usize; 2], pair: Option<usize>) -> f64 {
    match pair {
        Some(pair) => pair_reach(model, pair),
        None => geoms_reach(model, geoms),
    }
}

/// The same, of the explicit pair of these geoms if there is one.
pub(crate) fn pair_margin(model: &Model, geoms: [usize; 2]) -> f64 {
    let [g1, g2] = geoms.map(|geom| geom as i32);
    let joins = |&pair: &usize| {
        let listed = [model.pair_geom1[pair], model.pair_geom2[pair]];
        listed == [g1, g2] || listed == [g2, g1]
    };
    contact_margin(model, geoms, (0..model.npair).find(joins))
}

/// Finds the contact points of two geoms in the order of their types; `false` where there are none for
/// certain.
#[inline(always)]
fn find_points(
    model: &Model,
    data: &Data,
    [g1, g2]: [usize; 2],
    margin: f64,
    settings: &CcdSettings,
    scratch: &mut NarrowScratch,
) -> bool {
    let (Some(kind1), Some(kind2)) =
        (Kind::of_geom_type(model.geom_type[g1]), Kind::of_geom_type(model.geom_type[g2]))
    else {
        return unlisted_points(model, data, [g1, g2], margin, scratch);
    };
    let sizes = [&model.geom_size[g1], &model.geom_size[g2]];
    let view = |geom: usize| PoseView { pos: &data.geom_xpos[geom], mat: &data.geom_xmat[geom] };
    let (kinds, a, b, points) = ([kind1, kind2], view(g1), view(g2), &mut scratch.points);
    let level = model.reference();
    let simple = if level.box_box() || level.capsule_capsule() {
        collide_simple_4(kinds, sizes, &a, &b, margin, points)
    } else {
        collide_simple(kinds, sizes, &a, &b, margin, points)
    };
    simple || search_points(model, data, [g1, g2], margin, settings, scratch)
}

/// Finds the contact points of two geoms for which there is no formula; `false` where their bounds are apart.
/// Kept apart, since what it needs of the stack would be touched for every pair.
#[inline(never)]
fn search_points(
    model: &Model,
    data: &Data,
    [g1, g2]: [usize; 2],
    margin: f64,
    settings: &CcdSettings,
    scratch: &mut NarrowScratch,
) -> bool {
    if model.geom_type[g1] == GeomType::Plane {
        return over_plane(model, data, [g1, g2], margin, scratch);
    }
    let (pose1, pose2) = (geom_pose(data, g1), geom_pose(data, g2));
    // boxes around geoms do not pay where the first one is spread out
    if model.geom_type[g1] > GeomType::Hfield as i32 {
        let reach = margin + SLACK;
        let meet = if model.geom_type[g1] == GeomType::Sphere {
            sphere_meets_box(&pose1, model.geom_size[g1][0] + reach, &model.geom_aabb[g2], &pose2)
        } else {
            obb_overlap(&model.geom_aabb[g1], &pose1, &model.geom_aabb[g2], &pose2, reach)
        };
        if !meet {
            return false;
        }
    }
    // shapes are large: they stay where they are made
    let shape1 = geom_shape(model, g1);
    let shape2 = geom_shape(model, g2);
    let (Some(shape1), Some(shape2)) = (&shape1, &shape2) else { return false };
    collide_searched(
        shape1,
        &pose1,
        shape2,
        &pose2,
        margin,
        settings,
        scratch.ccd.get(),
        &mut scratch.points,
    );
    true
}

/// Finds the contact points of a geom and one that is none of the shapes of `collide`: a signed distance
/// field. Planes meet the convex hull of its mesh.
#[inline(never)]
fn unlisted_points(
    model: &Model,
    data: &Data,
    [g1, g2]: [usize; 2],
    margin: f64,
    scratch: &mut NarrowScratch,
) -> bool {
    if model.geom_type[g2] != GeomType::Sdf {
        return false;
    }
    match GeomType::try_from(model.geom_type[g1]) {
        Ok(GeomType::Plane) => over_plane(model, data, [g1, g2], margin, scratch),
        Ok(GeomType::Hfield) | Err(_) => false,
        Ok(_) => field_points(model, data, [g1, g2], &mut scratch.fields, &mut scratch.points),
    }
}

/// Finds the contact points of a plane and a mesh; `false` for other geoms.
fn over_plane(
    model: &Model,
    data: &Data,
    [plane, geom]: [usize; 2],
    margin: f64,
    scratch: &mut NarrowScratch,
) -> bool {
    let Some(hull) = geom_hull(model, geom) else { return false };
    let (pose1, pose2) = (geom_pose(data, plane), geom_pose(data, geom));
    if model.reference().plane_meshes()
        && let Some(Shape::Mesh(mesh)) = geom_shape(model, geom)
    {
        collide_plane_mesh_4(&pose1, &pose2, &mesh, margin, &mut scratch.points);
        return true;
    }
    collide_plane_mesh(&pose1, &pose2, &hull, margin, scratch.ccd.get(), &mut scratch.points);
    true
}

/// Appends the contacts of one geom pair; neighbours mostly share their frame. All fields are written in
/// place.
fn add_contacts(
    model: &Model,
    geoms: [usize; 2],
    pair: Option<usize>,
    margin: f64,
    points: &[ContactPoint],
    list: &mut ContactList,
) {
    let params = ContactParams::new(model, geoms, pair, margin);
    let (mut frame, mut framed) = ([0.0; 9], None::<&ContactPoint>);
    for point in points {
        if !framed
            .is_some_and(|other| same(&point.normal, &other.normal) && same(&point.tangent, &other.tangent))
        {
            // a point whose normal has no direction makes no contact
            let Ok(made) = make_frame(&point.normal, Some(&point.tangent)) else { continue };
            (frame, framed) = (made, Some(point));
        }
        let contact = list.next();
        params.write(contact);
        contact.dist = point.dist;
        contact.pos = [point.pos.x, point.pos.y, point.pos.z];
        contact.frame = frame;
        contact.mu = 0.0;
        contact.H = [0.0; 36];
        [contact.geom1, contact.geom2] = [geoms[0] as i32, geoms[1] as i32];
        contact.geom = [geoms[0] as i32, geoms[1] as i32];
        contact.flex = [-1; 2];
        contact.elem = [-1; 2];
        contact.vert = [-1; 2];
        contact.exclude = i32::from(point.dist >= contact.includemargin);
        contact.efc_address = -1;
    }
}

/// Whether two vectors are equal.
#[inline]
fn same(a: &Vec3, b: &Vec3) -> bool {
    (a.x == b.x) & (a.y == b.y) & (a.z == b.z)
}
