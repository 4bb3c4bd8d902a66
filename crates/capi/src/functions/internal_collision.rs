//! Contacts of one pair of geoms, by functions that the reference exports without declaring them in its
//! public headers.

use crate::export;
use crate::ffi::fault::{Served, fault};
use crate::ffi::handle::{DataPtr, ModelPtr};
use crate::ffi::pointer::{In, Out};
use crate::functions::index;
use kinetree_collide::pairs::box_box;
use kinetree_collide::{CcdScratch, ContactPoint, Kind, Pose, Shape, collide, convex_convex};
use kinetree_model::{Contact, Model};
use kinetree_sim::{ccd_settings, geom_pose, geom_shape};

/// A geom with its place.
type Placed<'a> = (Shape<'a>, Pose);

/// Finds the contacts of two geoms and writes what is known of them without their parameters: distance,
/// place, normal and first tangent. Gives their number.
fn contacts_of(
    (m, d): (ModelPtr<'_>, DataPtr<'_>),
    room: Out<'_, Contact>,
    pair: [i32; 2],
    find: impl FnOnce(&Model, [&Placed<'_>; 2], &mut Vec<ContactPoint>) -> Served,
) -> Served<i32> {
    let (m, d) = (m.get()?, d.read()?);
    let place = |geom: i32| -> Served<Placed<'_>> {
        let geom = index("geom", geom, m.ngeom.min(d.geom_xpos.len()))?;
        match geom_shape(m, geom) {
            Some(shape) => Ok((shape, geom_pose(d, geom))),
            None => fault(format!("geom {geom} has no shape")),
        }
    };
    let (first, second) = (place(pair[0])?, place(pair[1])?);
    let mut found = Vec::new();
    find(m, [&first, &second], &mut found)?;
    for (contact, point) in room.list(found.len())?.iter_mut().zip(&found) {
        (contact.dist, contact.pos) = (point.dist, point.pos.into());
        contact.frame[..3].copy_from_slice(point.normal.as_slice());
        contact.frame[3..6].copy_from_slice(point.tangent.as_slice());
    }
    Ok(found.len() as i32)
}

/// On which side of the surface of a box a point is: 1 outside of the box that is larger by a factor, -1
/// inside of the one that is smaller by it, 0 between them.
fn side_of_box(point: [f64; 3], pos: [f64; 3], mat: [f64; 9], size: [f64; 3], factor: f64) -> i32 {
    let along = |axis: usize| (0..3).map(|k| mat[3 * k + axis] * (point[k] - pos[k])).sum::<f64>().abs();
    if (0..3).any(|axis| along(axis) > size[axis] * factor) {
        return 1;
    }
    if (0..3).all(|axis| along(axis) < size[axis] / factor) { -1 } else { 0 }
}

export! {
    fn mjc_BoxBox(
        m: ModelPtr<'_>, d: DataPtr<'_>, con: Out<'_, Contact>, g1: i32, g2: i32, margin: f64,
    ) -> i32 {
        contacts_of((m, d), con, [g1, g2], |_, [first, second], found| {
            let (Shape::Box { half: half1 }, Shape::Box { half: half2 }) = (&first.0, &second.0) else {
                return fault("both geoms must be boxes");
            };
            box_box(&first.1, half1, &second.1, half2, margin, found);
            Ok(())
        })
    }
    fn mjc_Convex(
        m: ModelPtr<'_>, d: DataPtr<'_>, con: Out<'_, Contact>, g1: i32, g2: i32, margin: f64,
    ) -> i32 {
        contacts_of((m, d), con, [g1, g2], |m, [first, second], found| {
            let (settings, mut scratch) = (ccd_settings(m), CcdScratch::default());
            convex_convex(&first.0, &first.1, &second.0, &second.1, margin, &settings, &mut scratch, found);
            Ok(())
        })
    }
    fn mju_outsideBox(
        point: In<'_, f64>, pos: In<'_, f64>, mat: In<'_, f64>, size: In<'_, f64>, inflate: f64,
    ) -> i32 {
        Ok(side_of_box(point.array()?, pos.array()?, mat.array()?, size.array()?, inflate))
    }
}

/// Exports functions for pairs of kinds of geoms that have a formula.
macro_rules! pairs {
    ($( $name:ident [$first:ident $second:ident]; )*) => {
        export! { $(
            fn $name(
                m: ModelPtr<'_>, d: DataPtr<'_>, con: Out<'_, Contact>, g1: i32, g2: i32, margin: f64,
            ) -> i32 {
                contacts_of((m, d), con, [g1, g2], |m, [first, second], found| {
                    if [first.0.kind(), second.0.kind()] != [Kind::$first, Kind::$second] {
                        return fault(concat!("the geoms must be a ", stringify!($first), " and a ", stringify!($second)));
                    }
                    let (settings, mut scratch) = (ccd_settings(m), CcdScratch::default());
                    collide(&first.0, &first.1, &second.0, &second.1, margin, &settings, &mut scratch, found);
                    Ok(())
                })
            }
        )* }
    };
}

pairs! {
    mjc_PlaneSphere [Plane Sphere];
    mjc_PlaneCapsule [Plane Capsule];
    mjc_PlaneCylinder [Plane Cylinder];
    mjc_PlaneBox [Plane Box];
    mjc_SphereSphere [Sphere Sphere];
    mjc_SphereCapsule [Sphere Capsule];
    mjc_SphereCylinder [Sphere Cylinder];
    mjc_SphereBox [Sphere Box];
    mjc_CapsuleCapsule [Capsule Capsule];
    mjc_CapsuleBox [Capsule Box];
}
