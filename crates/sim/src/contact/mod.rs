//! Contacts: collision detection over the geoms of a model.
//!
//! The broad phase lists geom pairs in a fixed order, the narrow phase of the `collide` crate finds their contact points, and each
//! point becomes a contact with parameters mixed from the two geoms or given by an explicit pair.

mod broad;
mod params;

use crate::shape::{ccd_settings, geom_pose, geom_shape};
use broad::{BroadScratch, Candidate, find_candidates, spheres_meet};
use kinetree_collide::bvh::obb_overlap;
use kinetree_collide::{CcdScratch, CcdSettings, ContactPoint, collide};
use kinetree_math::rot::make_frame;
use kinetree_model::enums::{DisableBit, GeomType};
use kinetree_model::{Contact, Data, Model};
use params::{ContactParams, assigned_margin};

/// Working memory of the narrow phase.
#[derive(Default)]
struct NarrowScratch {
    ccd: CcdScratch,
    points: Vec<ContactPoint>,
}

/// Detects all contacts and fills the contact list.
pub fn mj_collision(model: &Model, data: &mut Data) {
    data.clear_constraints();
    if model.disabled(DisableBit::Constraint) || model.disabled(DisableBit::Contact) || model.nbody < 2 {
        return;
    }
    let mut broad = data.scratch.take::<BroadScratch>();
    let mut narrow = data.scratch.take::<NarrowScratch>();
    find_candidates(model, data, &mut broad);
    let settings = ccd_settings(model);
    for candidate in &broad.candidates {
        collide_geoms(model, data, candidate, &settings, &mut narrow);
    }
    data.ncon = data.contact.len();
    data.scratch.give(narrow);
    data.scratch.give(broad);
}

/// Whether the boxes of two geoms are worth a test before the narrow phase: it pays for shapes that are solved by iteration.
fn boxes_pay(type1: i32, type2: i32) -> bool {
    const CAPSULE: i32 = GeomType::Capsule as i32;
    const SPHERE: i32 = GeomType::Sphere as i32;
    type1 >= SPHERE && type2 > CAPSULE
}

/// Tests one geom pair and appends its contacts.
fn collide_geoms(
    model: &Model,
    data: &mut Data,
    candidate: &Candidate,
    settings: &CcdSettings,
    scratch: &mut NarrowScratch,
) {
    let (mut g1, mut g2) = (candidate.geom1 as usize, candidate.geom2 as usize);
    if model.geom_type[g1] > model.geom_type[g2] {
        std::mem::swap(&mut g1, &mut g2);
    }
    let pair = usize::try_from(candidate.pair).ok();
    let margin = match pair {
        Some(pair) => assigned_margin(model, model.pair_margin[pair]),
        None => assigned_margin(model, model.geom_margin[g1] + model.geom_margin[g2]),
    };
    if pair.is_some() && !spheres_meet(model, data, g1, g2, margin) {
        return;
    }
    if pair.is_none()
        && let Some(filter) = model.callbacks.contact_filter()
        && filter(model, data, g1, g2)
    {
        return;
    }
    let (pose1, pose2) = (geom_pose(data, g1), geom_pose(data, g2));
    if boxes_pay(model.geom_type[g1], model.geom_type[g2])
        && !obb_overlap(&model.geom_aabb[g1], &pose1, &model.geom_aabb[g2], &pose2, margin)
    {
        return;
    }
    let (Some(shape1), Some(shape2)) = (geom_shape(model, g1), geom_shape(model, g2)) else { return };
    scratch.points.clear();
    collide(&shape1, &pose1, &shape2, &pose2, margin, settings, &mut scratch.ccd, &mut scratch.points);
    if scratch.points.is_empty() {
        return;
    }
    let params = match pair {
        Some(pair) => ContactParams::of_pair(model, pair),
        None => ContactParams::of_geoms(model, g1, g2),
    };
    for point in &scratch.points {
        let Ok(frame) = make_frame(&point.normal, Some(&point.tangent)) else { continue };
        let geom = [g1 as i32, g2 as i32];
        let mut contact = Contact {
            dist: point.dist,
            pos: [point.pos.x, point.pos.y, point.pos.z],
            frame,
            geom1: geom[0],
            geom2: geom[1],
            geom,
            ..Contact::default()
        };
        params.apply(model, &mut contact, margin);
        data.contact.push(contact);
    }
}
