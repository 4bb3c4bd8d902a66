//! Points of a patch of contact: the face of one geom gives the normal, and points follow the other.

use super::features::ends;
use kinetree_math::rot::mat3;
use kinetree_math::{Mat3, Vec3};
use kinetree_model::enums::GeomType;
use kinetree_model::{Data, Model};

/// A point of a patch of contact.
pub(crate) struct Patch {
    /// Side whose face gives the normal.
    pub(crate) reference: usize,
    pub(crate) slide: PatchSlide,
}

/// How a point of a patch follows the other side.
pub(crate) enum PatchSlide {
    /// With its body.
    Attached,
    /// Along an edge of the other side, on a side plane of the reference.
    Crossing { edge: Vec3, plane: Vec3 },
    /// Under a corner of the reference, on a face of the other side.
    Corner { face: Vec3 },
    /// On the rim of a cylinder over a plane, which rotates with its lowest point.
    Rim { axis: Vec3, rim: Vec3, tilt: f64, offset: Vec3 },
}

/// The side whose face gives the normal of a patch, for the pairs whose points are those of a patch.
pub(crate) fn patch_reference(model: &Model, data: &Data, geoms: [usize; 2], normal: &Vec3) -> Option<usize> {
    let kind = geoms.map(|geom| GeomType::try_from(model.geom_type[geom]));
    match kind {
        [Ok(GeomType::Plane), Ok(GeomType::Cylinder | GeomType::Box | GeomType::Mesh)] => Some(0),
        [Ok(GeomType::Box), Ok(GeomType::Box)] => {
            // the normal is an axis of the reference to rounding
            let tilt = geoms.map(|geom| {
                let local = mat3(&data.geom_xmat[geom]).tr_mul(normal);
                1.0 - local.abs().max()
            });
            let side = usize::from(tilt[1] < tilt[0]);
            (tilt[side] < 1e-14).then_some(side)
        }
        _ => None,
    }
}

/// How a point of a patch follows the side that is not the reference.
pub(crate) fn patch_slide(
    model: &Model,
    data: &Data,
    geoms: [usize; 2],
    reference: usize,
    at: &[Vec3; 2],
    normal: &Vec3,
) -> Option<PatchSlide> {
    let other = 1 - reference;
    let kind = |side: usize| GeomType::try_from(model.geom_type[geoms[side]]);
    let pose = |side: usize| (Vec3::from(data.geom_xpos[geoms[side]]), mat3(&data.geom_xmat[geoms[side]]));
    let (centre, mat) = pose(other);
    let size = &model.geom_size[geoms[other]];
    match (kind(reference), kind(other)) {
        (Ok(GeomType::Plane), Ok(GeomType::Cylinder)) => {
            Some(rim_slide(&centre, &mat.column(2).into_owned(), &at[other], normal))
        }
        (Ok(GeomType::Plane), _) => Some(PatchSlide::Attached),
        (Ok(GeomType::Box), Ok(GeomType::Box)) => {
            let (ref_centre, ref_mat) = pose(reference);
            let ref_size = &model.geom_size[geoms[reference]];
            let on_other = ends(&mat.tr_mul(&(at[other] - centre)), size);
            let on_reference = ends(&ref_mat.tr_mul(&(at[reference] - ref_centre)), ref_size);
            box_slide(&mat, on_other, &ref_mat, on_reference, normal)
        }
        _ => None,
    }
}

fn box_slide(
    mat: &Mat3,
    on_other: [bool; 3],
    ref_mat: &Mat3,
    on_reference: [bool; 3],
    normal: &Vec3,
) -> Option<PatchSlide> {
    let count = |ends: &[bool; 3]| ends.iter().filter(|&&end| end).count();
    match (count(&on_other), count(&on_reference)) {
        (3, _) => Some(PatchSlide::Attached),
        (2, 2) => {
            let edge = (0..3).find(|&k| !on_other[k]).unwrap_or(0);
            // the side plane of the reference: at its end, but not along the normal
            let side = (0..3).find(|&k| on_reference[k] && ref_mat.column(k).dot(normal).abs() < 0.5);
            let (edge, plane) = (mat.column(edge).into_owned(), ref_mat.column(side?).into_owned());
            Some(PatchSlide::Crossing { edge, plane })
        }
        (1, 3) => {
            let face = (0..3).find(|&k| on_other[k]).unwrap_or(0);
            Some(PatchSlide::Corner { face: mat.column(face).into_owned() })
        }
        _ => None,
    }
}

/// Points on the disks of a cylinder over a plane.
fn rim_slide(centre: &Vec3, axis: &Vec3, at: &Vec3, normal: &Vec3) -> PatchSlide {
    let tilt = axis.dot(normal);
    let down = axis * tilt - normal;
    let length = down.norm();
    if length < 1e-9 {
        return PatchSlide::Attached;
    }
    let offset = at - centre;
    let offset = offset - axis * axis.dot(&offset);
    PatchSlide::Rim { axis: *axis, rim: down / length, tilt: length, offset }
}
